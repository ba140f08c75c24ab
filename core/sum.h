/* Sums that are exact at any size and can take back what they were given (LANGUAGE.md, "Sums are exact").
 *
 *     struct sum, 16 bytes:  mantissa * 10^-scale      (a decimal that fits)
 *     or, once it does not:  wide -> { 256 bits and more of decimal, an exact accumulator of doubles }
 *
 * Order and split of the terms never show in the result. The bytes of a struct sum may be moved by memcpy, not duplicated. */
#ifndef WEIR_SUM_H
#define WEIR_SUM_H
#include "core/arena.h"
#include "core/number.h"

struct sum_wide;
struct sum {
	union {
		int64_t mantissa;
		struct sum_wide *wide;
	} u;
	uint8_t scale, is_wide;
	uint16_t unused;
	uint32_t unused2;
};

/* All-zero bytes are an empty sum (value 0). */

/* sum_add for every number, decimals of another scale included. */
int sum_add_any(struct sum *sum, const struct value *number, int sign, struct mem *mem) __attribute__((warn_unused_result));

/* Adds (sign 1) or takes back (sign -1) a number; -1 if memory is refused, the sum is then as before. V_BIG is accepted (as sums give it:
 * scale 18 and NAT_DIGITS_MAX digits at most, others are refused like memory). */
__attribute__((warn_unused_result)) static inline int sum_add(struct sum *sum, const struct value *number, int sign, struct mem *mem)
{
	int64_t m;
	if (number->type != V_DEC || number->scale != sum->scale || sum->is_wide)
		return sum_add_any(sum, number, sign, mem);
	if (sign > 0 ? __builtin_add_overflow(sum->u.mantissa, number->u.i, &m) : __builtin_sub_overflow(sum->u.mantissa, number->u.i, &m))
		return sum_add_any(sum, number, sign, mem);
	sum->u.mantissa = m;
	return 0;
}

/* into += sign * part. */
int sum_merge(struct sum *into, const struct sum *part, int sign, struct mem *mem) __attribute__((warn_unused_result));

/* The sum, rounded once: V_DEC, V_BIG (digits in arena) or, if a double is among what it holds, V_DBL (NULL where that overflows).
 * -1 if memory is refused. */
int sum_value(const struct sum *sum, struct value *out, struct arena *arena) __attribute__((warn_unused_result));

/* sum / n (n > 0) with max(6, scale of the canonical sum) decimals, half away from zero; over doubles a double, rounded once. */
int sum_avg(const struct sum *sum, int64_t n, struct value *out, struct arena *arena) __attribute__((warn_unused_result));

/* Variance from n > 0 numbers, their sum and the sum of their squares: (squares - sum^2/n) / (n - ddof), one rounding to double at
 * the end (exact over decimals); with `root` its square root. NULL if n <= ddof. */
int sum_var(const struct sum *sum, const struct sum *squares, int64_t n, int ddof, bool root, struct value *out) __attribute__((warn_unused_result));

/* Adds (takes back) the exact square of a number. */
int sum_add_square(struct sum *sum, const struct value *number, int sign, struct mem *mem) __attribute__((warn_unused_result));

/* Frees the wide part; the sum is empty again. */
void sum_drop(struct sum *sum, struct mem *mem);

/* Snapshot (ops/state/snapshot.h is above core, so this gives and takes plain bytes): the exact content as text, "digits[.digits]" and,
 * behind a blank, the accumulator of doubles. sum_text appends it to out; sum_from reads it into an empty sum; -1 if it is not of that form. */
struct buf;
void sum_text(const struct sum *sum, struct buf *out);
int sum_from(struct sum *sum, const char *text, size_t n, struct mem *mem) __attribute__((warn_unused_result));
#endif
