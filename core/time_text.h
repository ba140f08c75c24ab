/* Pieces of the texts of times, for the readers of core/time.c and core/strptime.c. Each takes what it reads; on false the place is of no use any more. */
#ifndef WEIR_TIME_TEXT_H
#define WEIR_TIME_TEXT_H
#include <stdbool.h>
#include <stdint.h>

struct scan { const char *p, *end; };

static inline bool scan_take(struct scan *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

static inline bool scan_is_digit(const struct scan *s) { return s->p < s->end && *s->p >= '0' && *s->p <= '9'; }

/* How many digits stand here. */
static inline int scan_run(const struct scan *s)
{
	const char *p = s->p;
	while (p < s->end && *p >= '0' && *p <= '9')
		p++;
	return (int)(p - s->p);
}

/* Exactly n digits (n <= 9). */
static inline bool scan_digits(struct scan *s, unsigned n, int *out)
{
	if (s->end - s->p < (int64_t)n)
		return false;
	int v = 0;
	for (unsigned i = 0; i < n; i++, s->p++) {
		if (!scan_is_digit(s))
			return false;
		v = v * 10 + (*s->p - '0');
	}
	*out = v;
	return true;
}

/* Digits behind a point or comma as ms, cut off; nothing there is 0. False: a point without digits. */
bool scan_fraction(struct scan *s, int64_t *ms);
/* The digits alone. */
bool scan_fraction_digits(struct scan *s, int64_t *ms);
/* Z, z, +hh, +hhmm, +hh:mm. */
bool scan_offset(struct scan *s, int64_t *ms);
/* Jan or January (`full`: either; else the short one), in either case: 1..12; Sun or Sunday: 0..6. */
bool scan_month(struct scan *s, bool full, int *month);
bool scan_weekday(struct scan *s, int *weekday);

extern const char *const month_names[12], *const weekday_names[7];

/* +01:00 or +0100; gives the end. */
char *time_put_offset(char *to, int64_t offset, bool colon);
#endif
