/* What the walk asks of many bytes at once, for each machine: where a string may end, where a number ends, whether a name is the guessed one.
 * `end` is the end of the text; before `wide` JSON_WRITTEN bytes may be looked at, even if the text ends among them. */
#ifndef WEIR_JSON_SCAN_H
#define WEIR_JSON_SCAN_H
#include <string.h>

#include "core/byte_order.h"
#include "core/json_in.h"

/* The first quote, backslash or byte below a blank from p on; if the text ends before there is one, some place at or behind its end. */
typedef const char *json_stop(const char *p, const char *end, const char *wide);

/* Behind the number at p, if it is well formed, without sign and exponent, and short; NULL: look closer. */
typedef const char *json_short(const char *p, const char *wide);

/* Do the bytes at p, before `wide`, begin with the name as it was written last? */
typedef bool json_same(const struct json_name *name, const char *p);

#define JSON_INLINE static inline __attribute__((always_inline))

/* ---- plain C ------------------------------------------------------------------------------- */

JSON_INLINE const char *json_stop_bytes(const char *p, const char *end)
{
	while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= ' ')
		p++;
	return p;
}

JSON_INLINE uint64_t json_word(const char *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	return le64(word);
}

enum { JSON_WORD = 8 };
#define JSON_EACH(c) (0x0101010101010101ull * (c))

/* The top bits of the bytes that are below n (at most 128); above the lowest of them there may be wrong ones. */
JSON_INLINE uint64_t json_below(uint64_t word, uint64_t n)
{
	return (word - JSON_EACH(n)) & ~word & JSON_EACH(0x80);
}

JSON_INLINE const char *json_stop_plain(const char *p, const char *end, const char *wide)
{
	for (; p < wide; p += JSON_WORD) {
		uint64_t word = json_word(p);
		uint64_t found = json_below(word, ' ') | json_below(word ^ JSON_EACH('"'), 1) | json_below(word ^ JSON_EACH('\\'), 1);
		if (found)
			return p + __builtin_ctzll(found) / 8;
	}
	return json_stop_bytes(p, end);
}

JSON_INLINE const char *json_short_plain(const char *p, const char *wide)
{
	(void)p, (void)wide;
	return NULL; /* byte by byte is as fast */
}

JSON_INLINE bool json_same_plain(const struct json_name *name, const char *p)
{
	return !memcmp(p, name->text, name->written);
}

/* ---- SSE2 ---------------------------------------------------------------------------------- */

#ifdef __SSE2__
#include <immintrin.h>

JSON_INLINE unsigned json_bits_16(__m128i found)
{
	return (unsigned)_mm_movemask_epi8(found);
}

JSON_INLINE const char *json_stop_sse2(const char *p, const char *end, const char *wide)
{
	for (; p < wide; p += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)p), last = _mm_set1_epi8(0x1f);
		__m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
		unsigned found = json_bits_16(_mm_or_si128(ends, _mm_cmpeq_epi8(_mm_max_epu8(bytes, last), last)));
		if (found)
			return p + __builtin_ctz(found);
	}
	return json_stop_bytes(p, end);
}

enum { JSON_SHORT = 14 /* digits: with a point and what ends them they lie in 16 bytes */ };

JSON_INLINE const char *json_short_sse2(const char *p, const char *wide)
{
	if (p >= wide)
		return NULL;
	__m128i digits = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)p), _mm_set1_epi8('0'));
	unsigned others = ~json_bits_16(_mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits));
	unsigned whole = (unsigned)__builtin_ctz(others), part; /* the bits from 16 on are set */
	if (!whole || whole > JSON_SHORT || (*p == '0' && whole > 1))
		return NULL;
	p += whole;
	if (*p == '.') {
		part = (unsigned)__builtin_ctz(others >> (whole + 1));
		if (!part || whole + part > JSON_SHORT)
			return NULL;
		p += part + 1;
	}
	return (*p | 32) == 'e' ? NULL : p;
}

JSON_INLINE bool json_same_sse2(const struct json_name *name, const char *p)
{
	const __m128i *a = (const void *)name->text, *b = (const void *)p;
	unsigned low = json_bits_16(_mm_cmpeq_epi8(_mm_loadu_si128(a), _mm_loadu_si128(b))), mask = name->mask;
	if (~low & mask & 0xffff)
		return false;
	return mask <= 0xffff || !(~json_bits_16(_mm_cmpeq_epi8(_mm_loadu_si128(a + 1), _mm_loadu_si128(b + 1))) & mask >> 16);
}
#endif
#endif
