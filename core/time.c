#include "core/time.h"

#include <stdio.h>

#include "core/number.h"
#include "core/strptime.h"
#include "core/time_text.h"

/* ---- web servers */

enum { CLF_HEAD = 20 }; /* 10/Oct/2000:13:55:36 */

static inline bool read_clf_head(const char *p, struct reading *r)
{
	uint64_t year, clock;
	if (!is_digit(p[0]) || !is_digit(p[1]) || p[2] != '/' || p[6] != '/' || !read_pairs(p + 7, "0000:00:", &year) || !read_pairs(p + 12, "00:00:00", &clock))
		return false;
	int y = (int)(pair_at(year, 0) * 100 + pair_at(year, 2)), month = month_of(p + 3), day = (p[0] - '0') * 10 + p[1] - '0';
	unsigned hour = pair_at(clock, 0);
	if (!civil_valid(y, month, day) || hour > 23 || !clock_ms(hour, pair_at(clock, 3), pair_at(clock, 6), &r->ms))
		return false;
	r->days = civil_days(y, month, day);
	return true;
}

/* " -0700", 6 bytes. */
static inline bool read_clf_offset(const char *p, struct reading *r)
{
	unsigned hours = (unsigned)((p[2] - '0') * 10 + p[3] - '0'), minutes = (unsigned)((p[4] - '0') * 10 + p[5] - '0');
	bool digits = is_digit(p[2]) && is_digit(p[3]) && is_digit(p[4]) && is_digit(p[5]);
	r->offset = (int64_t)(hours * 60 + minutes) * (p[1] == '-' ? -60000 : 60000);
	r->has_offset = true;
	return digits && p[0] == ' ' && (p[1] == '-' || p[1] == '+') && hours <= 23 && minutes <= 59;
}

bool time_read_clf(const char *p, uint32_t n, const struct zone *zone, int64_t *out)
{
	struct reading r = { .has_offset = false };
	if (n > 2 && *p == '[' && p[n - 1] == ']') {
		p++;
		n -= 2;
	}
	if (n < CLF_HEAD || !read_clf_head(p, &r))
		return false;
	struct scan s = { p + CLF_HEAD, p + n };
	if (scan_take(&s, '.')) {
		int fraction;
		if (!scan_fraction(&s, &fraction, NULL))
			return false;
		r.ms += fraction;
	}
	if (s.p < s.end && (s.end - s.p != 6 || !read_clf_offset(s.p, &r)))
		return false;
	return reading_instant(&r, zone, out);
}

/* ---- counts */

/* How many ms a count may be, either way. */
static inline uint64_t most_of(unsigned places)
{
	return places == 3 ? TIME_COUNT_MAX : TIME_MAX;
}

/* `count` ms and something more, if `rest`, away from zero to the side of `minus`: rounded down. */
static inline bool floor_ms(uint64_t count, bool rest, bool minus, uint64_t most, int64_t *out)
{
	if (count > most - (rest && minus))
		return false;
	count += rest && minus;
	*out = minus ? -(int64_t)count : (int64_t)count;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The exponent at p, `e` first; beyond what the digits of any text can make up for it no longer matters. */
static int64_t exponent_at(const char *p, const char *end)
{
	bool minus = *++p == '-';
	int64_t v = 0;
	for (p += *p == '-' || *p == '+'; p < end && is_digit(*p); p++)
		if (v < INT64_C(100000000000000))
			v = v * 10 + (*p - '0');
	return minus ? -v : v;
}

/* Any number, by its digits: those before the `point` count ms. */
static bool read_number(const char *p, uint32_t n, unsigned places, int64_t *out)
{
	const char *end = p + n, *digit;
	uint64_t count = 0;
	bool rest = false;
	struct value is_number;
	if (!number_read(p, n, &is_number))
		return false;
	while (is_blank(*p))
		p++;
	bool minus = *p == '-';
	p += *p == '-' || *p == '+';
	uint64_t most = most_of(places);
	int64_t point = 3 - (int64_t)places;
	for (digit = p; digit < end && is_digit(*digit); digit++)
		point++;
	for (digit += digit < end && *digit == '.'; digit < end && is_digit(*digit);)
		digit++;
	if (digit < end && (*digit == 'e' || *digit == 'E'))
		point += exponent_at(digit, end);
	for (; p < digit; p++) {
		if (*p == '.')
			continue;
		if (point-- <= 0)
			rest |= *p != '0';
		else if (count > most / 10)
			return false;
		else
			count = count * 10 + (uint64_t)(*p - '0');
	}
	for (; point > 0 && count; point--, count *= 10)
		if (count > most / 10)
			return false;
	return floor_ms(count, rest, minus, most, out);
}

/* Takes digits; how many there were. More than 19 make no sense of *count. */
static inline int64_t take_digits(struct scan *s, uint64_t *count)
{
	const char *start = s->p;
	uint64_t v = 0, pairs;
	for (; s->end - s->p >= 8 && read_pairs(s->p, "00000000", &pairs); s->p += 8) {
		uint64_t fours = (pairs & UINT64_C(0x00ff00ff00ff00ff)) * (1 + (100 << 16)) >> 16;
		v = v * 100000000 + ((fours & UINT64_C(0x0000ffff0000ffff)) * (1 + (UINT64_C(10000) << 32)) >> 32);
	}
	for (; scan_is_digit(s); s->p++)
		v = v * 10 + (uint64_t)(*s->p - '0');
	*count = v;
	return s->p - start;
}

/* Digits, with a fraction or not, which nearly every count is, at once. */
bool time_read_count(const char *p, uint32_t n, unsigned places, int64_t *out)
{
	struct scan s = { p, p + n };
	uint64_t count;
	int fraction = 0;
	bool minus = scan_take(&s, '-'), rest = false;
	int64_t digits = take_digits(&s, &count);
	if (digits && scan_take(&s, '.'))
		scan_fraction(&s, &fraction, &rest);
	if (!digits || digits > 19 || s.p < s.end)
		return read_number(p, n, places, out);
	uint64_t most = most_of(places);
	if (places == 0)
		return count <= TIME_MAX / 1000 && floor_ms(count * 1000 + (uint64_t)fraction, rest, minus, most, out);
	rest |= fraction != 0;
	if (places == 3)
		return floor_ms(count, rest, minus, most, out);
	uint64_t unit = places == 6 ? 1000 : 1000000, ms = count / unit;
	return floor_ms(ms, rest || count != ms * unit, minus, most, out);
}

/* ---- writing */

/* A digit pair and what stands behind it. */
static inline char *put_part(char *to, int v, char behind)
{
	to = put_pair(to, v);
	*to = behind;
	return to + 1;
}

uint32_t time_print_iso(int64_t time, const struct zone *zone, char *out)
{
	int64_t offset = zone_offset(zone, time);
	struct civil c;
	char *to = out;
	civil_of(time + offset, &c);
	if (c.year > 9999)
		*to++ = '+';
	to = put_year(to, c.year);
	*to++ = '-';
	to = put_part(to, c.month, '-');
	to = put_part(to, c.day, 'T');
	to = put_part(to, c.hour, ':');
	to = put_part(to, c.minute, ':');
	to = put_pair(to, c.second);
	if (c.ms) {
		*to++ = '.';
		*to++ = (char)('0' + c.ms / 100);
		to = put_pair(to, c.ms % 100);
	}
	if (zone)
		to = put_offset(to, offset, true);
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
