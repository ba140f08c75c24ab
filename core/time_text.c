#include "core/time_text.h"

#include <stddef.h>
#include <string.h>

const char *const month_names[12] = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December" };
const char *const weekday_names[7] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };

bool scan_fraction_digits(struct scan *s, int64_t *ms)
{
	unsigned n = 0;
	for (*ms = 0; scan_is_digit(s); s->p++, n++)
		if (n < 3)
			*ms = *ms * 10 + (*s->p - '0');
	for (unsigned i = n; i < 3; i++)
		*ms *= 10;
	return n > 0;
}

bool scan_fraction(struct scan *s, int64_t *ms)
{
	*ms = 0;
	return !(scan_take(s, '.') || scan_take(s, ',')) || scan_fraction_digits(s, ms);
}

bool scan_offset(struct scan *s, int64_t *ms)
{
	*ms = 0;
	if (scan_take(s, 'Z') || scan_take(s, 'z'))
		return true;
	bool minus = scan_take(s, '-');
	int h, m = 0;
	if ((!minus && !scan_take(s, '+')) || !scan_digits(s, 2, &h))
		return false;
	bool more = scan_take(s, ':') || scan_is_digit(s);
	if ((more && !scan_digits(s, 2, &m)) || h > 23 || m > 59)
		return false;
	*ms = (int64_t)(h * 60 + m) * (minus ? -60000 : 60000);
	return true;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool starts(const struct scan *s, const char *word, size_t n)
{
	if ((size_t)(s->end - s->p) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (lower(s->p[i]) != lower(word[i]))
			return false;
	return true;
}

/* One of n names, or its first three letters. */
static bool name(struct scan *s, const char *const *names, int n, bool full, int *out)
{
	for (int i = 0; i < n; i++) {
		size_t len = strlen(names[i]);
		if (!starts(s, names[i], 3))
			continue;
		s->p += full && starts(s, names[i], len) ? len : 3;
		*out = i;
		return true;
	}
	return false;
}

bool scan_month(struct scan *s, bool full, int *month)
{
	if (!name(s, month_names, 12, full, month))
		return false;
	*month += 1;
	return true;
}

bool scan_weekday(struct scan *s, int *weekday)
{
	return name(s, weekday_names, 7, true, weekday);
}
