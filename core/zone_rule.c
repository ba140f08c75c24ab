#include "core/zone_rule.h"

#include "core/time.h"
#include "core/time_text.h"
#include "core/zone_table.h"

/* ---- reading */

static bool number(struct scan *s, int most, int *out)
{
	const char *start = s->p;
	for (*out = 0; scan_is_digit(s) && *out <= most; s->p++)
		*out = *out * 10 + (*s->p - '0');
	return s->p > start && *out <= most;
}

/* CET, or <+03>. */
static bool skip_name(struct scan *s)
{
	const char *start = s->p;
	bool angle = scan_take(s, '<');
	while (s->p < s->end && (is_letter(*s->p) || (angle && (scan_is_digit(s) || *s->p == '+' || *s->p == '-'))))
		s->p++;
	return s->p - start >= 3 && (!angle || scan_take(s, '>'));
}

/* [+-]h[h][:mm[:ss]] in ms. */
static bool hours(struct scan *s, int most, int64_t *ms)
{
	bool minus = scan_take(s, '-');
	int h, m = 0, sec = 0;
	if (!minus)
		scan_take(s, '+');
	if (!number(s, most, &h))
		return false;
	if (scan_take(s, ':') && (!number(s, 59, &m) || (scan_take(s, ':') && !number(s, 59, &sec))))
		return false;
	*ms = ((int64_t)h * 3600 + m * 60 + sec) * (minus ? -1000 : 1000);
	return true;
}

/* POSIX counts what is to be added to get UTC. */
static bool offset(struct scan *s, int32_t *ms)
{
	int64_t west;
	if (!hours(s, 24, &west))
		return false;
	*ms = (int32_t)-west;
	return west < ZONE_OFFSET_MAX && west > -ZONE_OFFSET_MAX;
}

static bool date(struct scan *s, struct zone_date *out)
{
	*out = (struct zone_date){ .time = 2 * 3600000 };
	if (scan_take(s, 'M')) {
		out->kind = DATE_WEEKDAY;
		if (!number(s, 12, &out->month) || !out->month || !scan_take(s, '.') || !number(s, 5, &out->week) || !out->week || !scan_take(s, '.') ||
		    !number(s, 6, &out->day))
			return false;
	} else {
		out->kind = scan_take(s, 'J') ? DATE_JULIAN : DATE_DAY;
		if (!number(s, 365, &out->day) || (out->kind == DATE_JULIAN && !out->day))
			return false;
	}
	return !scan_take(s, '/') || hours(s, 167, &out->time);
}

bool zone_rule_read(const char *p, size_t n, struct zone_rule *out)
{
	struct scan s = { p, p + n };
	*out = (struct zone_rule){ .changes = false };
	if (!skip_name(&s) || !offset(&s, &out->standard))
		return false;
	if (s.p == s.end)
		return true;
	out->changes = true;
	out->summer = out->standard + 3600000;
	if (!skip_name(&s) || (s.p < s.end && *s.p != ',' && !offset(&s, &out->summer)))
		return false;
	return out->summer < ZONE_OFFSET_MAX && scan_take(&s, ',') && date(&s, &out->begin) && scan_take(&s, ',') && date(&s, &out->end) && s.p == s.end;
}

/* ---- years */

static int64_t weekday_in(const struct zone_date *date, int64_t year)
{
	int64_t first = civil_days(year, date->month, 1);
	int day = 1 + (date->day - civil_weekday(first) + 7) % 7 + 7 * (date->week - 1);
	return first + (civil_valid(year, date->month, day) ? day : day - 7) - 1;
}

/* The local time of a date in a year. */
static int64_t local_of(const struct zone_date *date, int64_t year)
{
	int64_t first = civil_days(year, 1, 1), days;
	if (date->kind == DATE_WEEKDAY)
		days = weekday_in(date, year);
	else if (date->kind == DATE_DAY)
		days = first + date->day;
	else
		days = first + date->day - 1 + (date->day >= 60 && civil_valid(year, 2, 29));
	return days * DAY_MS + date->time;
}

int64_t zone_rule_begin(const struct zone_rule *rule, int64_t year)
{
	return local_of(&rule->begin, year) - rule->standard;
}

int64_t zone_rule_end(const struct zone_rule *rule, int64_t year)
{
	return local_of(&rule->end, year) - rule->summer;
}
