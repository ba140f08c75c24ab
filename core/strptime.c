#include "core/strptime.h"

#include "core/time_text.h"

/* ---- patterns */

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

static int check(const char *pattern, uint32_t len, const char *letters, struct span span, struct err *err)
{
	for (uint32_t i = 0; i < len; i++) {
		if (pattern[i] != '%')
			continue;
		struct span place = { span.flag, span.text, span.at + i, i + 1 < len ? 2 : 1 };
		if (++i == len)
			return err_at(err, place, "a letter belongs behind %%; the sign itself is %%%%");
		if (!pattern[i] || !strchr(letters, pattern[i]))
			return err_at(err, place, "no such letter in a pattern of times; there are: %s", letters);
	}
	return 0;
}

int strptime_check(const char *pattern, uint32_t len, struct span span, struct err *err)
{
	return check(pattern, len, "YymdejbhBaAuwUHkIlMSpfszZDxFRTXrcnt%", span, err);
}

int strftime_check(const char *pattern, uint32_t len, struct span span, struct err *err)
{
	return check(pattern, len, "YymdejbhBaAuwUGVHkIlMSpfLNszZDxFRTXrcnt%", span, err);
}

/* ---- reading */

/* What a text has said so far; NOT: nothing yet. */
enum { NOT = -1 };
struct parsed {
	int year, month, day, yearday;
	int hour, hour12, pm, minute, second, ms;
	int64_t offset, count; /* ms, s */
	bool has_offset, has_count;
};

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blanks(struct scan *s)
{
	while (s->p < s->end && is_blank(*s->p))
		s->p++;
}

/* A number of at most `width` digits, from least to most; blanks may stand before it. */
static bool number(struct scan *s, int width, int least, int most, int *out)
{
	int v = 0, n = 0;
	skip_blanks(s);
	for (; n < width && scan_is_digit(s); n++, s->p++)
		v = v * 10 + (*s->p - '0');
	*out = v;
	return n && v >= least && v <= most;
}

/* As POSIX has it: 69 to 99 are of the last century. */
static bool year_of_two(struct scan *s, int *year)
{
	if (!number(s, 2, 0, 99, year))
		return false;
	*year += *year < 69 ? 2000 : 1900;
	return true;
}

static bool half_of_day(struct scan *s, int *pm)
{
	if (s->end - s->p < 2 || (s->p[1] | 0x20) != 'm' || ((s->p[0] | 0x20) != 'a' && (s->p[0] | 0x20) != 'p'))
		return false;
	*pm = (s->p[0] | 0x20) == 'p';
	s->p += 2;
	return true;
}

/* Other names mean different zones in different places. */
static bool zone_name(struct scan *s)
{
	size_t left = (size_t)(s->end - s->p);
	if (left >= 3 && (!memcmp(s->p, "UTC", 3) || !memcmp(s->p, "GMT", 3)))
		s->p += 3;
	else if (!scan_take(s, 'Z'))
		return false;
	return true;
}

static bool count(struct scan *s, int64_t *out)
{
	int n = scan_run(s);
	*out = 0;
	for (int i = 0; i < n && *out <= TIME_MAX; i++, s->p++)
		*out = *out * 10 + (*s->p - '0');
	return n && *out <= TIME_MAX / 1000;
}

static bool read_pattern(const char *pattern, const char *end, struct scan *s, struct parsed *t);

static bool read_letter(char letter, struct scan *s, struct parsed *t)
{
	int idle;
	switch (letter) {
	case 'Y': return number(s, 4, 0, 9999, &t->year);
	case 'y': return year_of_two(s, &t->year);
	case 'm': return number(s, 2, 1, 12, &t->month);
	case 'd':
	case 'e': return number(s, 2, 1, 31, &t->day);
	case 'j': return number(s, 3, 1, 366, &t->yearday);
	case 'b':
	case 'h':
	case 'B': return scan_month(s, &t->month);
	case 'a':
	case 'A': return scan_weekday(s, &idle);
	case 'u': return number(s, 1, 1, 7, &idle);
	case 'w': return number(s, 1, 0, 6, &idle);
	case 'U': return number(s, 2, 0, 53, &idle);
	case 'H':
	case 'k': return number(s, 2, 0, 23, &t->hour);
	case 'I':
	case 'l': return number(s, 2, 1, 12, &t->hour12);
	case 'M': return number(s, 2, 0, 59, &t->minute);
	case 'S': return number(s, 2, 0, 60, &t->second);
	case 'p': return half_of_day(s, &t->pm);
	case 'f': return scan_fraction(s, &t->ms, NULL);
	case 's': return t->has_count = count(s, &t->count);
	case 'z': skip_blanks(s); return t->has_offset = scan_offset(s, &t->offset);
	case 'Z': t->offset = 0; return t->has_offset = zone_name(s);
	case 'n':
	case 't': skip_blanks(s); return true;
	case '%': return scan_take(s, '%');
	}
	const char *longer = strptime_expansion(letter);
	return longer && read_pattern(longer, longer + strlen(longer), s, t);
}

static bool read_pattern(const char *pattern, const char *end, struct scan *s, struct parsed *t)
{
	for (; pattern < end; pattern++) {
		if (*pattern == '%') {
			if (++pattern == end || !read_letter(*pattern, s, t))
				return false;
		} else if (is_blank(*pattern)) {
			skip_blanks(s);
		} else if (!scan_take(s, *pattern)) {
			return false;
		}
	}
	return true;
}

/* ---- what was read, as an instant */

static int64_t clock_of(const struct parsed *t)
{
	int hour = t->hour12 != NOT ? t->hour12 % 12 + (t->pm == 1 ? 12 : 0) : t->hour != NOT ? t->hour : 0;
	int minute = t->minute != NOT ? t->minute : 0, second = t->second != NOT ? t->second : 0;
	return ((int64_t)hour * 3600 + minute * 60 + second) * 1000 + t->ms;
}

/* Days since 1970 of the date in a year; false if it has none such. */
static bool days_in(const struct parsed *t, int64_t year, int64_t *days)
{
	if (t->yearday != NOT) {
		*days = civil_days(year, 1, 1) + t->yearday - 1;
		return *days < civil_days(year + 1, 1, 1);
	}
	int month = t->month != NOT ? t->month : 1, day = t->day != NOT ? t->day : 1;
	if (!civil_valid(year, month, day))
		return false;
	*days = civil_days(year, month, day);
	return true;
}

/* What the clock shows where the text is from. */
static void clock_there(const struct parsed *t, const struct strptime_env *env, int64_t instant, struct civil *out)
{
	civil_of(instant + (t->has_offset ? t->offset : zone_offset(env->zone, instant)), out);
}

/* The latest year in which the date is there and not too far ahead: eight years always hold a 29 February. */
static bool find_year(const struct parsed *t, struct reading *r, const struct strptime_env *env, int64_t *out)
{
	struct civil last;
	int64_t limit = env->ahead < TIME_MAX - env->now ? env->now + env->ahead : TIME_MAX;
	clock_there(t, env, limit, &last);
	for (int64_t year = last.year; year >= last.year - 8; year--)
		if (days_in(t, year, &r->days) && reading_instant(r, env->zone, out) && *out <= limit)
			return true;
	return false;
}

bool strptime_read(const char *pattern, uint32_t len, const char *p, uint32_t n, const struct strptime_env *env, int64_t *out)
{
	struct scan s = { p, p + n };
	struct parsed t = { NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, NOT, .ms = 0 };
	if (!read_pattern(pattern, pattern + len, &s, &t) || s.p != s.end)
		return false;
	if (t.has_count) {
		*out = t.count * 1000 + t.ms;
		return *out <= TIME_MAX;
	}
	struct reading r = { .ms = clock_of(&t), .offset = t.offset, .has_offset = t.has_offset };
	if (t.year != NOT)
		return days_in(&t, t.year, &r.days) && reading_instant(&r, env->zone, out);
	if (t.month != NOT || t.day != NOT || t.yearday != NOT)
		return find_year(&t, &r, env, out);
	return reading_instant(&r, env->zone, out);
}
