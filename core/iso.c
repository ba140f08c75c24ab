/* ISO 8601. Nearly every stamp in a log begins with the same 19 bytes, which are read in three words; all else is taken apart by the grammar. */
#include "core/time_text.h"

/* ---- the usual head */

enum { HEAD = 19 }; /* 2026-11-29T10:00:00 */

/* False: not of this form, or no such time; read_any says which. */
static inline bool read_head(const char *p, struct reading *r)
{
	uint64_t date, day, clock;
	if (!read_pairs(p, "0000-00-", &date) || !read_pairs(p + 2, "00-00-00", &day) || !read_pairs(p + 11, "00:00:00", &clock))
		return false;
	unsigned hour = pair_at(clock, 0);
	int year = (int)(pair_at(date, 0) * 100 + pair_at(date, 2)), month = (int)pair_at(date, 5), of_month = (int)pair_at(day, 6);
	if ((p[10] != 'T' && p[10] != ' ' && p[10] != 't') || hour > 23 || !clock_ms(hour, pair_at(clock, 3), pair_at(clock, 6), &r->ms) ||
	    !civil_valid(year, month, of_month))
		return false;
	r->days = civil_days(year, month, of_month);
	return true;
}

/* ---- every date */

/* Four digits, or a sign and 4 to 6. */
static bool read_year(struct scan *s, int64_t *year)
{
	bool minus = scan_take(s, '-'), sign = minus || scan_take(s, '+');
	int y, n = sign ? scan_run(s) : 4;
	if (n < 4 || n > 6 || !scan_digits(s, n, &y))
		return false;
	*year = minus ? -y : y;
	return true;
}

/* The first day, a Monday, of the first week of a year: that of 4 January. */
static int64_t first_week(int64_t year)
{
	int64_t jan4 = civil_days(year, 1, 4);
	return jan4 - (civil_weekday(jan4) + 6) % 7;
}

/* ww-D, wwD, ww behind the W. */
static bool read_week(struct scan *s, bool dash, int64_t year, int64_t *days)
{
	int week, day = 1;
	if (!scan_two(s, &week))
		return false;
	if ((dash ? scan_take(s, '-') : scan_is_digit(s)) && !scan_digits(s, 1, &day))
		return false;
	*days = first_week(year) + (week - 1) * 7 + day - 1;
	return week >= 1 && day >= 1 && day <= 7 && *days < first_week(year + 1);
}

/* DDD. */
static bool read_day_of_year(struct scan *s, int64_t year, int64_t *days)
{
	int day;
	if (!scan_digits(s, 3, &day))
		return false;
	*days = civil_days(year, 1, 1) + day - 1;
	return day >= 1 && *days < civil_days(year + 1, 1, 1);
}

/* MM-DD, MM, MMDD; but 202611 is 2026-11 to some and 26 November 2020 to others. */
static bool read_month(struct scan *s, bool dash, int64_t year, int64_t *days)
{
	int month, day = 1;
	if (scan_run(s) != (dash ? 2 : 4) || !scan_two(s, &month))
		return false;
	if ((!dash || scan_take(s, '-')) && !scan_two(s, &day))
		return false;
	if (!civil_valid(year, month, day))
		return false;
	*days = civil_days(year, month, day);
	return true;
}

static bool read_date(struct scan *s, int64_t *days)
{
	int64_t year;
	if (!read_year(s, &year))
		return false;
	bool dash = scan_take(s, '-');
	if (scan_take(s, 'W'))
		return read_week(s, dash, year, days);
	int run = scan_run(s);
	if (!dash && !run) {
		*days = civil_days(year, 1, 1);
		return true;
	}
	return run == 3 ? read_day_of_year(s, year, days) : read_month(s, dash, year, days);
}

/* ---- every clock */

/* Behind seconds: a point or comma and digits, or nothing. */
static bool read_fraction(struct scan *s, int64_t *ms)
{
	int fraction;
	if (!scan_take(s, '.') && !scan_take(s, ','))
		return true;
	if (!scan_fraction(s, &fraction, NULL))
		return false;
	*ms += fraction;
	return true;
}

/* HH, HH:MM, HHMM, HH:MM:SS, HHMMSS, with a fraction behind the seconds. */
static bool read_clock(struct scan *s, int64_t *ms)
{
	int hour, minute = 0, second = 0;
	if (!scan_two(s, &hour))
		return false;
	bool colon = scan_take(s, ':'), seconds = false;
	if (colon || scan_is_digit(s)) {
		if (!scan_two(s, &minute))
			return false;
		seconds = colon ? scan_take(s, ':') : scan_is_digit(s);
		if (seconds && !scan_two(s, &second))
			return false;
	}
	if (!clock_ms((unsigned)hour, (unsigned)minute, (unsigned)second, ms) || (seconds && !read_fraction(s, ms)))
		return false;
	return hour < 24 || *ms == DAY_MS;
}

/* Z or +01:00, a blank before it or not, or nothing; then the end. */
static bool read_offset(struct scan *s, struct reading *r)
{
	if (s->p == s->end)
		return true;
	scan_take(s, ' ');
	r->has_offset = true;
	return scan_offset(s, &r->offset) && s->p == s->end;
}

static bool read_any(struct scan *s, struct reading *r)
{
	if (!read_date(s, &r->days))
		return false;
	if (s->p == s->end)
		return true;
	return (scan_take(s, 'T') || scan_take(s, ' ') || scan_take(s, 't')) && read_clock(s, &r->ms) && read_offset(s, r);
}

bool time_read_iso(const char *p, uint32_t n, const struct zone *zone, int64_t *out)
{
	struct scan s = { p, p + n };
	struct reading r = { .has_offset = false };
	if (n >= HEAD && read_head(p, &r)) {
		s.p += HEAD;
		if (n == HEAD + 1 && *s.p == 'Z')
			r.has_offset = true;
		else if (n > HEAD && !(read_fraction(&s, &r.ms) && read_offset(&s, &r)))
			return false;
	} else if (!read_any(&s, &r)) {
		return false;
	}
	return reading_instant(&r, zone, out);
}
