#include "core/zone_rule.h"

#include "core/time.h"

/* ---- reading ------------------------------------------------------------------------------------- */

struct reader { const char *p, *end; };

static bool take(struct reader *r, char c)
{
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static bool number(struct reader *r, int most, int *out)
{
	const char *start = r->p;
	for (*out = 0; r->p < r->end && *r->p >= '0' && *r->p <= '9' && *out <= most; r->p++)
		*out = *out * 10 + (*r->p - '0');
	return r->p > start && *out <= most;
}

/* CET, or <+03>. */
static bool skip_name(struct reader *r)
{
	const char *start = r->p;
	if (take(r, '<')) {
		while (r->p < r->end && *r->p != '>')
			r->p++;
		return take(r, '>');
	}
	while (r->p < r->end && ((*r->p >= 'A' && *r->p <= 'Z') || (*r->p >= 'a' && *r->p <= 'z')))
		r->p++;
	return r->p - start >= 3;
}

enum { OFFSET_HOURS = 24, TIME_HOURS = 167 };

/* [+-]hh[:mm[:ss]] in ms; up to `most` hours. */
static bool hours(struct reader *r, int most, int64_t *ms)
{
	bool minus = take(r, '-');
	int h, m = 0, s = 0;
	if (!minus)
		take(r, '+');
	if (!number(r, most, &h) || (take(r, ':') && (!number(r, 59, &m) || (take(r, ':') && !number(r, 59, &s)))))
		return false;
	*ms = (int64_t)(h * 3600 + m * 60 + s) * (minus ? -1000 : 1000);
	return true;
}

static bool date(struct reader *r, struct zone_date *out)
{
	*out = (struct zone_date){ .time = 7200000 };
	if (take(r, 'M')) {
		out->kind = DATE_MONTH;
		if (!number(r, 12, &out->month) || !out->month || !take(r, '.') || !number(r, 5, &out->week) || !out->week || !take(r, '.') || !number(r, 6, &out->day))
			return false;
	} else {
		out->kind = take(r, 'J') ? DATE_JULIAN : DATE_DAY;
		if (!number(r, 365, &out->day) || (out->kind == DATE_JULIAN && !out->day))
			return false;
	}
	return !take(r, '/') || hours(r, TIME_HOURS, &out->time);
}

bool zone_rule_read(const char *p, size_t n, struct zone_rule *out)
{
	struct reader r = { p, p + n };
	int64_t behind;
	if (!skip_name(&r) || !hours(&r, OFFSET_HOURS, &behind))
		return false;
	*out = (struct zone_rule){ .standard = (int32_t)-behind };
	if (r.p == r.end)
		return true;
	out->changes = true;
	out->summer = out->standard + 3600000;
	if (!skip_name(&r))
		return false;
	if (r.p < r.end && *r.p != ',') {
		if (!hours(&r, OFFSET_HOURS, &behind))
			return false;
		out->summer = (int32_t)-behind;
	}
	return take(&r, ',') && date(&r, &out->begin) && take(&r, ',') && date(&r, &out->end) && r.p == r.end;
}

/* ---- years --------------------------------------------------------------------------------------- */

/* The local time of a date in a year. */
static int64_t local_of(const struct zone_date *date, int64_t year)
{
	int64_t days = civil_days(year, 1, 1);
	if (date->kind == DATE_DAY) {
		days += date->day;
	} else if (date->kind == DATE_JULIAN) { /* 29 February is not counted */
		days += date->day - 1 + (date->day >= 60 && civil_valid(year, 2, 29));
	} else {
		int64_t first = civil_days(year, date->month, 1), weekday = ((first % 7) + 11) % 7;
		days = first + (date->day - weekday + 7) % 7 + 7 * (date->week - 1);
		while (date->week == 5 && days >= civil_days(year + (date->month == 12), date->month % 12 + 1, 1))
			days -= 7;
	}
	return days * DAY_MS + date->time;
}

static int64_t begin_of(const struct zone_rule *rule, int64_t year)
{
	return local_of(&rule->begin, year) - rule->standard;
}

static int64_t end_of(const struct zone_rule *rule, int64_t year)
{
	return local_of(&rule->end, year) - rule->summer;
}

static int64_t year_of(int64_t t)
{
	struct civil civil;
	civil_of(t, &civil);
	return civil.year;
}

int64_t zone_rule_last(const struct zone_rule *rule, int64_t t)
{
	int64_t last = INT64_MIN, year = year_of(t);
	for (int64_t y = year - 1; rule->changes && y <= year + 1; y++) {
		int64_t begin = begin_of(rule, y), end = end_of(rule, y);
		if (begin <= t && begin > last)
			last = begin;
		if (end <= t && end > last)
			last = end;
	}
	return last;
}

int64_t zone_rule_next(const struct zone_rule *rule, int64_t t)
{
	int64_t next = INT64_MAX, year = year_of(t);
	for (int64_t y = year - 1; rule->changes && y <= year + 1; y++) {
		int64_t begin = begin_of(rule, y), end = end_of(rule, y);
		if (begin > t && begin < next)
			next = begin;
		if (end > t && end < next)
			next = end;
	}
	return next;
}

int32_t zone_rule_offset(const struct zone_rule *rule, int64_t t)
{
	if (!rule->changes)
		return rule->standard;
	/* Summer, if the last change was its begin. */
	int64_t last = zone_rule_last(rule, t), year = year_of(last);
	for (int64_t y = year - 1; y <= year + 1; y++)
		if (begin_of(rule, y) == last && end_of(rule, y) != last)
			return rule->summer;
	return rule->standard;
}
