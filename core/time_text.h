/* Pieces of the texts of times, for the readers and writers of times. A scan_ function takes what it reads; where it gives false the place is of no use any
 * more. */
#ifndef WEIR_TIME_TEXT_H
#define WEIR_TIME_TEXT_H
#include <string.h>

#include "core/ascii.h"
#include "core/byte_order.h"
#include "core/time.h"

struct scan { const char *p, *end; };

static inline bool scan_take(struct scan *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

static inline bool scan_is_digit(const struct scan *s) { return s->p < s->end && is_digit(*s->p); }

/* How many digits stand here. */
static inline int scan_run(const struct scan *s)
{
	const char *p = s->p;
	while (p < s->end && is_digit(*p))
		p++;
	return (int)(p - s->p);
}

/* Exactly n digits, n <= 9. */
static inline bool scan_digits(struct scan *s, int n, int *out)
{
	int v = 0;
	for (; n > 0; n--, s->p++) {
		if (!scan_is_digit(s))
			return false;
		v = v * 10 + (*s->p - '0');
	}
	*out = v;
	return true;
}

/* Exactly two digits. */
static inline bool scan_two(struct scan *s, int *out)
{
	if (s->end - s->p < 2 || !is_digit(s->p[0]) || !is_digit(s->p[1]))
		return false;
	*out = (s->p[0] - '0') * 10 + s->p[1] - '0';
	s->p += 2;
	return true;
}

/* The digits of a fraction as ms, cut off; at least one. *rest (may be NULL): is there more behind the ms? */
bool scan_fraction(struct scan *s, int *ms, bool *rest);
/* Z, z, +hh, +hhmm, +hh:mm, +hhmmss, +hh:mm:ss, up to 23:59:59, in ms. */
bool scan_offset(struct scan *s, int64_t *ms);

extern const char *const month_names[12], *const weekday_names[7];

/* The month that three letters, in either case, name: 1..12, 0: none. */
int month_of(const char *p);
/* Whole names or their first three letters, in either case: 1..12; 0..6. */
bool scan_month(struct scan *s, int *month);
bool scan_weekday(struct scan *s, int *weekday);

/* What a text says of a time: day and clock, of the offset that it has, or of the zone. */
struct reading {
	int64_t days, ms; /* since 1970, since midnight */
	int64_t offset;
	bool has_offset;
};

/* The instant; false if it is beyond TIME_MIN..TIME_MAX. */
bool reading_instant(const struct reading *r, const struct zone *zone, int64_t *out);

/* Clock of the day in ms; 24 hours and more are up to the caller. A 60th second is the next. False: there is none such. */
static inline bool clock_ms(unsigned hour, unsigned minute, unsigned second, int64_t *ms)
{
	*ms = (int64_t)(hour * 3600 + minute * 60 + second) * 1000;
	return hour <= 24 && minute <= 59 && second <= 60;
}

/* Eight bytes against a layout in which 0 stands for any digit, all else for itself. Byte i of *pairs is the number that the digits at i and i + 1 make;
 * it means nothing where there is none. `layout` is a literal, so that all that is made of it is computed by the compiler. */
static inline __attribute__((always_inline)) bool read_pairs(const char *p, const char *layout, uint64_t *pairs)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
	uint64_t text, want;
	memcpy(&text, p, 8);
	memcpy(&want, layout, 8);
	uint64_t x = le64(text) ^ le64(want), place = le64(want) ^ '0' * ones;
	uint64_t digit = ~((place & ~highs) + ~highs) >> 7 & ones; /* 1 in each byte that is 0 in place; no byte of a layout is 0x80 or more */
	uint64_t most = 9 * digit, above = ((x & ~highs) + (0x7f * ones - most)) | x; /* the highest bit of a byte: it is more than it may be */
	*pairs = x * 10 + (x >> 8);
	return (above & highs) == 0;
}

static inline unsigned pair_at(uint64_t pairs, unsigned i) { return (unsigned)(pairs >> 8 * i & 0xff); }

/* Two digits, of a number below 100; gives the end. */
static inline char *put_pair(char *to, int v)
{
	uint16_t tens = (uint16_t)(v * 103 >> 10), text = le16((uint16_t)(tens + ((v - 10 * tens) << 8) + 0x3030));
	memcpy(to, &text, 2);
	return to + 2;
}

/* +01:00 or +0100, with seconds if it has some; gives the end. */
char *put_offset(char *to, int64_t offset, bool colon);
/* Four digits at least. */
char *put_year(char *to, int64_t year);
#endif
