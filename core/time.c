#include "core/time.h"

#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/strptime.h"
#include "core/time_text.h"

/* ---- ISO 8601 ------------------------------------------------------------------------------------ */

/* What has been read of a text; days are local, offset is of the zone written. */
struct reading { struct scan s; int64_t days, ms; bool has_offset; int64_t offset; };

/* Year from a sign and 4 to 6 digits, or from 4 digits. */
static bool iso_year(struct scan *s, int64_t *year)
{
	bool minus = scan_take(s, '-'), sign = minus || scan_take(s, '+');
	int y, n = scan_run(s);
	if (n < 4 || n > (sign ? 6 : 8))
		return false;
	if (!sign)
		n = 4;
	if (!scan_digits(s, (unsigned)n, &y))
		return false;
	*year = minus ? -(int64_t)y : y;
	return true;
}

/* Day d (1 Monday .. 7) of week w: week 1 has the year's first Thursday. */
static bool iso_week(int64_t year, int w, int d, int64_t *days)
{
	int64_t jan4 = civil_days(year, 1, 4), monday = jan4 - ((jan4 % 7) + 10) % 7, next4 = civil_days(year + 1, 1, 4), next = next4 - ((next4 % 7) + 10) % 7;
	*days = monday + (w - 1) * 7 + d - 1;
	return w >= 1 && d >= 1 && d <= 7 && *days < next;
}

/* Behind the year: -MM-DD, -MM, MMDD, -DDD, DDD, -Www-D, -Www, WwwD, or nothing. */
static bool iso_rest_of_date(struct scan *s, int64_t year, int64_t *days)
{
	bool dash = scan_take(s, '-');
	int month, day = 1;
	if (scan_take(s, 'W')) {
		int week;
		if (!scan_digits(s, 2, &week))
			return false;
		bool more = dash ? scan_take(s, '-') : scan_run(s) > 0;
		return (!more || scan_digits(s, 1, &day)) && iso_week(year, week, day, days);
	}
	int run = scan_run(s);
	if (!run && !dash) {
		*days = civil_days(year, 1, 1);
		return true;
	}
	if (run == 3) {
		scan_digits(s, 3, &day);
		*days = civil_days(year, 1, 1) + day - 1;
		return day >= 1 && *days < civil_days(year + 1, 1, 1);
	}
	if ((dash ? run != 2 : run != 4) || !scan_digits(s, 2, &month))
		return false;
	if ((dash ? scan_take(s, '-') : true) && !scan_digits(s, 2, &day))
		return false;
	if (!civil_valid(year, month, day))
		return false;
	*days = civil_days(year, month, day);
	return true;
}

static bool iso_date(struct reading *r)
{
	int64_t year;
	return iso_year(&r->s, &year) && iso_rest_of_date(&r->s, year, &r->days);
}

/* HH, HH:MM, HHMM, HH:MM:SS, HHMMSS, each with a fraction behind the seconds; 24:00 is the end of the day. */
static bool iso_clock(struct reading *r)
{
	struct scan *s = &r->s;
	int h, m = 0, sec = 0;
	int64_t fraction = 0;
	if (!scan_digits(s, 2, &h))
		return false;
	bool colon = scan_take(s, ':');
	if (colon || scan_run(s)) {
		if (!scan_digits(s, 2, &m))
			return false;
		bool more = colon ? scan_take(s, ':') : scan_run(s) > 0;
		if (more && (!scan_digits(s, 2, &sec) || !scan_fraction(s, &fraction)))
			return false;
	}
	if (h > 24 || m > 59 || sec > 60 || (h == 24 && (m || sec || fraction)))
		return false;
	r->ms = ((int64_t)h * 3600 + m * 60 + sec) * 1000 + fraction;
	return true;
}

static bool finish(struct reading *r, const struct zone *zone, int64_t *out)
{
	int64_t local = r->days * DAY_MS + r->ms;
	if (local > TIME_MAX || local < TIME_MIN)
		return false;
	*out = r->has_offset ? local - r->offset : zone ? zone_instant(zone, local, NULL) : local;
	return *out <= TIME_MAX && *out >= TIME_MIN;
}

bool time_read_iso(const char *p, uint32_t n, const struct zone *zone, int64_t *out)
{
	struct reading r = { .s = { p, p + n } };
	struct scan *s = &r.s;
	if (!iso_date(&r))
		return false;
	if (s->p == s->end)
		return finish(&r, zone, out);
	if (!scan_take(s, 'T') && !scan_take(s, ' ') && !scan_take(s, 't'))
		return false;
	if (!iso_clock(&r))
		return false;
	if (s->p < s->end) {
		scan_take(s, ' ');
		r.has_offset = scan_offset(s, &r.offset);
		if (!r.has_offset || s->p < s->end)
			return false;
	}
	return finish(&r, zone, out);
}

/* ---- web servers --------------------------------------------------------------------------------- */

bool time_read_clf(const char *p, uint32_t n, const struct zone *zone, int64_t *out)
{
	struct reading r = { .s = { p, p + n } };
	struct scan *s = &r.s;
	int day, month, year, h, m, sec;
	bool bracket = scan_take(s, '[');
	if (bracket && (s->p == s->end || *--s->end != ']'))
		return false;
	if (!scan_digits(s, 2, &day) || !scan_take(s, '/') || !scan_month(s, false, &month) || !scan_take(s, '/') || !scan_digits(s, 4, &year) || !scan_take(s, ':') ||
	    !scan_digits(s, 2, &h) || !scan_take(s, ':') || !scan_digits(s, 2, &m) || !scan_take(s, ':') || !scan_digits(s, 2, &sec))
		return false;
	if (!civil_valid(year, month, day) || h > 23 || m > 59 || sec > 60)
		return false;
	if (s->p < s->end) {
		bool colon = s->end - s->p == 7 && s->p[4] == ':';
		if (!scan_take(s, ' ') || colon || s->end - s->p != 5 || !scan_offset(s, &r.offset))
			return false;
		r.has_offset = true;
	}
	r.days = civil_days(year, month, day);
	r.ms = ((int64_t)h * 3600 + m * 60 + sec) * 1000;
	return s->p == s->end && finish(&r, zone, out);
}

/* ---- counts -------------------------------------------------------------------------------------- */

/* A number with an exponent, or one of more digits than an int64 has. */
static bool read_double(const char *p, uint32_t n, unsigned places, int64_t *out)
{
	struct value v;
	if (!number_read(p, n, &v))
		return false;
	double ms = number_double(&v) * 1000;
	for (; places; places -= 3)
		ms /= 1000;
	if (!(ms <= (double)TIME_MAX && ms >= (double)TIME_MIN))
		return false;
	*out = (int64_t)ms - (ms < (double)(int64_t)ms);
	return true;
}

bool time_read_count(const char *p, uint32_t n, unsigned places, int64_t *out)
{
	struct scan s = { p, p + n };
	bool minus = scan_take(&s, '-');
	int64_t whole = 0, fraction = 0, unit = 1000;
	bool rest = false;
	unsigned digits = 0, used = 0;
	for (; s.p < s.end && *s.p >= '0' && *s.p <= '9'; s.p++, digits++)
		if (__builtin_mul_overflow(whole, 10, &whole) || __builtin_add_overflow(whole, *s.p - '0', &whole))
			return read_double(p, n, places, out);
	if (digits && scan_take(&s, '.')) {
		for (; s.p < s.end && *s.p >= '0' && *s.p <= '9'; s.p++) {
			if (places == 0 && used < 3) {
				fraction = fraction * 10 + (*s.p - '0');
				used++;
			} else {
				rest |= *s.p != '0';
			}
		}
	}
	if (s.p < s.end || !digits) /* blanks, a plus, an exponent, or no number at all */
		return read_double(p, n, places, out);
	for (; used < 3; used++)
		fraction *= 10;
	if (places == 0) {
		if (whole > TIME_MAX / 1000)
			return false;
		whole = whole * unit + fraction;
	} else if (places > 3) {
		unit = places == 6 ? 1000 : 1000000;
		rest |= whole % unit != 0;
		whole /= unit;
	}
	*out = minus ? -whole - rest : whole; /* what is cut off takes it down */
	return whole <= (places == 3 ? TIME_COUNT_MAX : TIME_MAX);
}

/* ---- writing ------------------------------------------------------------------------------------- */

static char *put2(char *to, int v)
{
	*to++ = (char)('0' + v / 10);
	*to++ = (char)('0' + v % 10);
	return to;
}

char *time_put_offset(char *to, int64_t offset, bool colon)
{
	int minutes = (int)((offset < 0 ? -offset : offset) / 60000);
	*to++ = offset < 0 ? '-' : '+';
	to = put2(to, minutes / 60);
	if (colon)
		*to++ = ':';
	return put2(to, minutes % 60);
}

/* Four digits at least; years beyond them with a sign. */
static char *put_year(char *to, int64_t year)
{
	uint64_t y = (uint64_t)(year < 0 ? -year : year);
	if (year < 0 || year > 9999)
		*to++ = year < 0 ? '-' : '+';
	if (y > 9999)
		return to + number_print_int((int64_t)y, to);
	to = put2(to, (int)(y / 100));
	return put2(to, (int)(y % 100));
}

uint32_t time_print_iso(int64_t time, const struct zone *zone, char *out)
{
	int64_t offset = zone_offset(zone, time);
	struct civil c;
	civil_of(time + offset, &c);
	char *to = put_year(out, c.year);
	*to++ = '-';
	to = put2(to, c.month);
	*to++ = '-';
	to = put2(to, c.day);
	*to++ = 'T';
	to = put2(to, c.hour);
	*to++ = ':';
	to = put2(to, c.minute);
	*to++ = ':';
	to = put2(to, c.second);
	if (c.ms) {
		*to++ = '.';
		*to++ = (char)('0' + c.ms / 100);
		to = put2(to, c.ms % 100);
	}
	if (zone)
		to = time_put_offset(to, offset, true);
	else
		*to++ = 'Z';
	return (uint32_t)(to - out);
}

uint32_t time_print(int64_t time, const struct time_style *style, char *out)
{
	struct value v;
	switch (style ? style->kind : STYLE_ISO) {
	case STYLE_S:
		v = number_dec(time, 3);
		return number_print(&v, out);
	case STYLE_MS:
		return number_print_int(time, out);
	case STYLE_PATTERN:
		return strftime_print(style->pattern, (uint32_t)strlen(style->pattern), time, style->zone, out, TIME_TEXT_MAX);
	default:
		return time_print_iso(time, style ? style->zone : NULL, out);
	}
}

const char *duration_text(int64_t ms, char *out, size_t room)
{
	static const struct { int64_t ms; const char *unit; } units[] = { { DAY_MS, "d" }, { 3600000, "h" }, { 60000, "m" }, { 1000, "s" }, { 1, "ms" } };
	size_t at = 0;
	snprintf(out, room, "0s");
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (ms < units[i].ms)
			continue;
		int n = snprintf(out + at, room - at, "%lld%s", (long long)(ms / units[i].ms), units[i].unit);
		at += n > 0 && (size_t)n < room - at ? (size_t)n : 0;
		ms %= units[i].ms;
	}
	return out;
}
