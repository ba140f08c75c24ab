#include "core/strptime.h"

#include <string.h>

#include "core/time_text.h"

/* What a text has said so far; -1: nothing. */
struct parsed {
	int year, month, day, yearday, hour, hour12, pm, minute, second;
	int64_t fraction, offset, count; /* ms; ms; s */
	bool has_offset, has_count;
};

const char *strptime_expansion(char letter)
{
	switch (letter) {
	case 'T':
	case 'X': return "%H:%M:%S";
	case 'R': return "%H:%M";
	case 'r': return "%I:%M:%S %p";
	case 'D':
	case 'x': return "%m/%d/%y";
	case 'F': return "%Y-%m-%d";
	case 'c': return "%a %b %e %H:%M:%S %Y";
	}
	return NULL;
}

static int check_letters(const char *pattern, uint32_t len, const char *letters, struct span span, struct err *err)
{
	struct span place = span;
	for (uint32_t i = 0; i < len; i++) {
		if (pattern[i] != '%')
			continue;
		place.len = i + 1 < len ? 2 : 1;
		place.at = span.at + i;
		if (++i == len)
			return err_at(err, place, "the pattern ends in the middle of a letter; a percent sign is %%%%");
		if (!strchr(letters, pattern[i]))
			return err_at(err, place, "%%%c is no part of a time here; there are %s", pattern[i], letters);
	}
	return 0;
}

int strptime_check(const char *pattern, uint32_t len, struct span span, struct err *err)
{
	return check_letters(pattern, len, "YymdejbBhHkIlMSpzZsfaAuUwDFTRrcxXnt%", span, err);
}

int strftime_check(const char *pattern, uint32_t len, struct span span, struct err *err)
{
	return check_letters(pattern, len, "YymdejbBhHkIlMSLNpzZsaAuUwVGDFTRrcxXnt%", span, err);
}

static void skip_blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || (*s->p >= '\t' && *s->p <= '\r')))
		s->p++;
}

/* A number of at most `width` digits, from least to most; blanks may stand before it. */
static bool number(struct scan *s, int width, int least, int most, int *out)
{
	skip_blanks(s);
	int v = 0, n = 0;
	for (; n < width && scan_is_digit(s); n++, s->p++)
		v = v * 10 + (*s->p - '0');
	*out = v;
	return n && v >= least && v <= most;
}

static bool half_of_day(struct scan *s, int *pm)
{
	if (s->end - s->p < 2 || (s->p[1] | 32) != 'm' || ((s->p[0] | 32) != 'a' && (s->p[0] | 32) != 'p'))
		return false;
	*pm = (s->p[0] | 32) == 'p';
	s->p += 2;
	return true;
}

/* UTC, GMT or Z: other names say different things in different places. */
static bool zone_name(struct scan *s)
{
	size_t left = (size_t)(s->end - s->p), n = left >= 3 && (!memcmp(s->p, "UTC", 3) || !memcmp(s->p, "GMT", 3)) ? 3 : left && *s->p == 'Z';
	s->p += n;
	return n > 0;
}

static bool count(struct scan *s, int64_t *out)
{
	int n = scan_run(s);
	if (!n || n > 15)
		return false;
	for (*out = 0; scan_is_digit(s); s->p++)
		*out = *out * 10 + (*s->p - '0');
	return true;
}

static bool read_pattern(const char *p, const char *end, struct scan *s, struct parsed *t);

static bool read_letter(char letter, struct scan *s, struct parsed *t)
{
	int ignored;
	const char *longer = strptime_expansion(letter);
	if (longer)
		return read_pattern(longer, longer + strlen(longer), s, t);
	switch (letter) {
	case 'Y': return number(s, 4, 0, 9999, &t->year);
	case 'y':
		if (!number(s, 2, 0, 99, &t->year))
			return false;
		t->year += t->year < 69 ? 2000 : 1900;
		return true;
	case 'm': return number(s, 2, 1, 12, &t->month);
	case 'd':
	case 'e': return number(s, 2, 1, 31, &t->day);
	case 'j': return number(s, 3, 1, 366, &t->yearday);
	case 'b':
	case 'B':
	case 'h': return scan_month(s, true, &t->month);
	case 'H':
	case 'k': return number(s, 2, 0, 23, &t->hour);
	case 'I':
	case 'l': return number(s, 2, 1, 12, &t->hour12);
	case 'M': return number(s, 2, 0, 59, &t->minute);
	case 'S': return number(s, 2, 0, 60, &t->second);
	case 'p': return half_of_day(s, &t->pm);
	case 'z':
		skip_blanks(s);
		return t->has_offset = scan_offset(s, &t->offset);
	case 'Z': return t->has_offset = zone_name(s);
	case 's': return t->has_count = count(s, &t->count);
	case 'f': return scan_fraction_digits(s, &t->fraction);
	case 'a':
	case 'A': return scan_weekday(s, &ignored);
	case 'u': return number(s, 1, 1, 7, &ignored);
	case 'w': return number(s, 1, 0, 6, &ignored);
	case 'U': return number(s, 2, 0, 53, &ignored);
	case 'n':
	case 't':
		skip_blanks(s);
		return true;
	case '%': return scan_take(s, '%');
	}
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool read_pattern(const char *p, const char *end, struct scan *s, struct parsed *t)
{
	for (; p < end; p++) {
		if (*p == '%') {
			if (++p == end || !read_letter(*p, s, t))
				return false;
		} else if (is_blank(*p)) {
			skip_blanks(s);
		} else if (!scan_take(s, *p)) {
			return false;
		}
	}
	return true;
}

/* Days since 1970 of the date in a year; false if it has none such. */
static bool days_in(const struct parsed *t, int64_t year, int64_t *days)
{
	if (t->yearday > 0) {
		*days = civil_days(year, 1, 1) + t->yearday - 1;
		return *days < civil_days(year + 1, 1, 1);
	}
	int month = t->month < 0 ? 1 : t->month, day = t->day < 0 ? 1 : t->day;
	*days = civil_days(year, month, day);
	return civil_valid(year, month, day);
}

static int64_t clock_of(const struct parsed *t)
{
	int hour = t->hour12 > 0 ? t->hour12 % 12 + (t->pm > 0 ? 12 : 0) : t->hour > 0 ? t->hour : 0;
	return ((int64_t)hour * 3600 + (t->minute > 0 ? t->minute : 0) * 60 + (t->second > 0 ? t->second : 0)) * 1000 + t->fraction;
}

static int64_t instant_of(const struct parsed *t, int64_t days, const struct strptime_env *env)
{
	int64_t local = days * DAY_MS + clock_of(t);
	return t->has_offset ? local - t->offset : zone_instant(env->zone, local, NULL);
}

/* The latest year in which the date is there and not too far in the future: eight years hold a 29 February. */
static bool without_year(const struct parsed *t, const struct strptime_env *env, int64_t *out)
{
	struct civil now;
	int64_t limit = env->now + env->ahead, days;
	civil_of(limit + zone_offset(env->zone, limit), &now);
	for (int64_t year = now.year + 1; year > now.year - 9; year--) {
		if (!days_in(t, year, &days))
			continue;
		*out = instant_of(t, days, env);
		if (*out <= limit)
			return true;
	}
	return false;
}

bool strptime_read(const char *pattern, uint32_t len, const char *p, uint32_t n, const struct strptime_env *env, int64_t *out)
{
	struct scan s = { p, p + n };
	struct parsed t = { .year = -1, .month = -1, .day = -1, .yearday = -1, .hour = -1, .hour12 = -1, .pm = -1, .minute = -1, .second = -1 };
	int64_t days = 0;
	if (!read_pattern(pattern, pattern + len, &s, &t) || s.p != s.end)
		return false;
	if (t.has_count) {
		*out = t.count * 1000 + t.fraction;
		return t.count <= TIME_MAX / 1000;
	}
	bool date = t.month > 0 || t.day > 0 || t.yearday > 0;
	if (t.year < 0 && date)
		return without_year(&t, env, out);
	if (t.year >= 0 && !days_in(&t, t.year, &days))
		return false;
	*out = instant_of(&t, days, env);
	return true;
}
