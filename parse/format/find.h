/* Pieces of a line, and the bytes they are found by: inline, as most fields of logs are shorter than a call of memchr takes to pay. */
#ifndef WEIR_FIND_H
#define WEIR_FIND_H
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* A borrowed piece of text; p NULL: there is none. */
struct piece {
	const char *p;
	uint32_t len;
};

/* [p, end), p <= end. */
static inline struct piece between(const char *p, const char *end) { return (struct piece){ p, (uint32_t)(end - p) }; }

static inline const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && *p == ' ')
		p++;
	return p;
}

/* The first byte c in [p, end), NULL if there is none. */
static inline const char *find_byte(const char *p, const char *end, char c)
{
#ifdef __SSE2__
	for (; end - p >= 16; p += 16) {
		unsigned mask = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)p), _mm_set1_epi8(c)));
		if (mask)
			return p + __builtin_ctz(mask);
	}
#endif
	for (; p < end; p++)
		if (*p == c)
			return p;
	return NULL;
}

/* The last byte c in [p, end), NULL if there is none. */
static inline const char *find_last(const char *p, const char *end, char c)
{
	while (end > p)
		if (*--end == c)
			return end;
	return NULL;
}
#endif
