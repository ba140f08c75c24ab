#include "core/time_text.h"

const char *const month_names[12] = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" };
const char *const weekday_names[7] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };

/* ---- reading */

bool scan_fraction(struct scan *s, int *ms, bool *rest)
{
	const char *start = s->p;
	int v = 0;
	bool more = false;
	for (; scan_is_digit(s); s->p++) {
		if (s->p - start < 3)
			v = v * 10 + (*s->p - '0');
		else
			more |= *s->p != '0';
	}
	for (int64_t n = s->p - start; n < 3; n++)
		v *= 10;
	*ms = v;
	if (rest)
		*rest = more;
	return s->p > start;
}

bool scan_offset(struct scan *s, int64_t *ms)
{
	int h, m = 0, sec = 0;
	*ms = 0;
	if (scan_take(s, 'Z') || scan_take(s, 'z'))
		return true;
	bool minus = scan_take(s, '-');
	if ((!minus && !scan_take(s, '+')) || !scan_two(s, &h))
		return false;
	bool colon = scan_take(s, ':');
	if (colon || scan_is_digit(s)) {
		if (!scan_two(s, &m))
			return false;
		if ((colon ? scan_take(s, ':') : scan_is_digit(s)) && !scan_two(s, &sec))
			return false;
	}
	*ms = (h * 3600 + m * 60 + sec) * (minus ? INT64_C(-1000) : INT64_C(1000));
	return h <= 23 && m <= 59 && sec <= 59;
}

/* Is c that letter, small or capital? */
static inline bool same_letter(char c, char letter)
{
	return ((c ^ letter) & ~0x20) == 0;
}

int month_of(const char *p)
{
	/* The second and third letters, added, tell months apart: mod 32, which is the same for small and capital letters. */
	static const uint8_t month[32] = { [15] = 1, [7] = 2, [19] = 3, [2] = 4, [26] = 5, [3] = 6, [1] = 7, [28] = 8, [21] = 9, [23] = 10, [5] = 11, [8] = 12 };
	int found = month[((unsigned char)p[1] + (unsigned char)p[2]) & 31];
	const char *name = month_names[found ? found - 1 : 0];
	return same_letter(p[0], name[0]) && same_letter(p[1], name[1]) && same_letter(p[2], name[2]) ? found : 0;
}

static bool starts(const struct scan *s, const char *word, size_t n)
{
	if ((size_t)(s->end - s->p) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!same_letter(s->p[i], word[i]))
			return false;
	return true;
}

/* Takes the rest of a name of which three letters are known to stand here, if it does. */
static void take_name(struct scan *s, const char *name)
{
	size_t len = strlen(name);
	s->p += starts(s, name, len) ? len : 3;
}

bool scan_month(struct scan *s, int *month)
{
	*month = s->end - s->p >= 3 ? month_of(s->p) : 0;
	if (*month)
		take_name(s, month_names[*month - 1]);
	return *month > 0;
}

bool scan_weekday(struct scan *s, int *weekday)
{
	for (int i = 0; i < 7; i++) {
		if (!starts(s, weekday_names[i], 3))
			continue;
		take_name(s, weekday_names[i]);
		*weekday = i;
		return true;
	}
	return false;
}

bool reading_instant(const struct reading *r, const struct zone *zone, int64_t *out)
{
	int64_t local = r->days * DAY_MS + r->ms;
	if (local > TIME_MAX + DAY_MS || local < TIME_MIN - DAY_MS)
		return false;
	*out = r->has_offset ? local - r->offset : zone ? zone_instant(zone, local, NULL) : local;
	return *out <= TIME_MAX && *out >= TIME_MIN;
}

/* ---- writing */

char *put_offset(char *to, int64_t offset, bool colon)
{
	int s = (int)((offset < 0 ? -offset : offset) / 1000), part[] = { s / 3600, s / 60 % 60, s % 60 };
	*to++ = offset < 0 ? '-' : '+';
	for (int i = 0; i < (part[2] ? 3 : 2); i++) {
		if (i && colon)
			*to++ = ':';
		to = put_pair(to, part[i]);
	}
	return to;
}

char *put_year(char *to, int64_t year)
{
	char text[20], *p = text + sizeof text;
	uint64_t y = (uint64_t)(year < 0 ? -year : year);
	if (year < 0)
		*to++ = '-';
	if (y <= 9999)
		return put_pair(put_pair(to, (int)y / 100), (int)y % 100);
	for (; y; y /= 10)
		*--p = (char)('0' + y % 10);
	size_t n = (size_t)(text + sizeof text - p);
	memcpy(to, p, n);
	return to + n;
}
