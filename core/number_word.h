/* Numbers of up to eight digits, the usual ones, are printed in a word, without branches:
 *
 *     m < 10^8             in lanes of 32 bits   fours    1234     5678
 *     divided by 100       in lanes of 16 bits   pairs   12  34  56  78
 *     divided by 10        in bytes              digits  1 2 3 4 5 6 7 8   the first in the lowest byte
 *
 * x / 100 is x * 10486 >> 20 for x < 10^4, x / 10 is x * 103 >> 10 for x < 100; the masks drop what came from the lane above.
 * Here for those who print many numbers and want no call for each; others use number_print. */
#ifndef WEIR_NUMBER_WORD_H
#define WEIR_NUMBER_WORD_H
#include <string.h>

#include "core/byte_order.h"
#include "core/number.h"

enum { WORD_DIGITS = 8, WORD_LIMIT = 100000000 };

static inline uint64_t magnitude(int64_t i)
{
	return i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
}

/* The lanes of x, q = x / d in each, become pairs of lanes: q | (x - q * d) << bits. */
static inline uint64_t word_split(uint64_t x, uint64_t q, uint64_t d, unsigned bits)
{
	return (x << bits) - q * ((d << bits) - 1);
}

static inline uint64_t word_of(uint64_t m)
{
	uint64_t fours = word_split(m, m / 10000, 10000, 32);
	uint64_t twos = word_split(fours, fours * 10486 >> 20 & 0x0000007f0000007full, 100, 16);
	return word_split(twos, twos * 103 >> 10 & 0x000f000f000f000full, 10, 8);
}

/* Is v a decimal that number_put_word takes? */
static inline bool number_in_word(const struct value *v)
{
	return v->type == V_DEC && v->u.i < WORD_LIMIT && v->u.i > -WORD_LIMIT && v->scale < WORD_DIGITS;
}

/* The words of a column, word[i] of v[i] wherever number_in_word; elsewhere it is anything. False, and nothing is set, where that would gain nothing over
 * one by one: the processor must have AVX-512. */
bool number_words(const struct value *v, uint32_t n, uint64_t *word);

/* As number_print, of a number whose word is known; the end of the text. */
static inline char *number_put_word(const struct value *v, uint64_t word, char *to)
{
	unsigned point = 8u * v->scale; /* bits behind it */
	uint64_t text = word | 0x3030303030303030ull;
	/* bits of the zeros in front, the digit before the point apart */
	unsigned zeros = (unsigned)__builtin_ctzll(word | 1ull << 56 >> point) & 56;
	*to = '-';
	to += v->u.i < 0;
	uint64_t all = le64(text >> zeros);
	memcpy(to, &all, sizeof all);
	to += WORD_DIGITS - zeros / 8;
	if (!point)
		return to;
	uint64_t fraction = le64(text >> (64 - point));
	to -= point / 8;
	*to++ = '.';
	memcpy(to, &fraction, sizeof fraction);
	return to + point / 8;
}

static inline char *number_put(const struct value *v, char *to) { return number_put_word(v, word_of(magnitude(v->u.i)), to); }
#endif
