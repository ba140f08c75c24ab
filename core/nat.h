/* Natural numbers of up to 5120 bits on the stack, for what must be computed exactly and is then rounded once.
 *
 *     value = limb[0] + limb[1] * 2^64 + ... + limb[n-1] * 2^(64 (n-1)),   limb[n-1] != 0;   zero has n = 0
 *
 * The room is enough for the largest thing that is ever computed, the variance of doubles: sum^2 with 2 * (1088 + 1088 bits of window
 * + 60 of decimals) = 4472 bits. Callers bound their operands; an overflow is a bug and stops at an assertion. Limbs from n on are not set. */
#ifndef WEIR_NAT_H
#define WEIR_NAT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

enum { NAT_LIMBS = 80, NAT_BITS = 64 * NAT_LIMBS, NAT_DIGITS_MAX = 250 /* decimal digits that are read */ };

struct nat {
	uint32_t n;
	uint64_t limb[NAT_LIMBS];
};

/* to = value. */
void nat_set(struct nat *to, u128 value);

/* to = from; copies only the limbs in use. */
void nat_copy(struct nat *to, const struct nat *from);

/* Drops leading zero limbs: for who fills limb[] by hand. */
void nat_trim(struct nat *x);

/* Bits up to the highest one; 0 for zero. */
unsigned nat_bits(const struct nat *x);

/* -1, 0, 1. */
int nat_cmp(const struct nat *a, const struct nat *b);

/* x += y; x -= y (needs x >= y). */
void nat_add(struct nat *x, const struct nat *y);
void nat_sub(struct nat *x, const struct nat *y);

/* x *= factor; x *= 10^k; product = a * b (product is neither of them). */
void nat_mul_small(struct nat *x, uint64_t factor);
void nat_mul_pow10(struct nat *x, unsigned k);
void nat_mul(struct nat *product, const struct nat *a, const struct nat *b);

/* x *= 2^bits. */
void nat_shift_left(struct nat *x, unsigned bits);

/* x /= divisor; gives the remainder. */
uint64_t nat_div_small(struct nat *x, uint64_t divisor);

/* quotient = x / divisor, and x becomes the remainder; divisor > 0. Three different objects. */
void nat_divide(struct nat *x, const struct nat *divisor, struct nat *quotient);

/* Reads 1 to NAT_DIGITS_MAX decimal digits; false, and x undefined, for anything else. */
bool nat_read(struct nat *x, const char *digits, size_t len);

/* Writes the digits of x, not NUL-terminated ("0" for zero), and gives their number; out has room for nat_print_max(x). x is used up. */
size_t nat_print(struct nat *x, char *out);
size_t nat_print_max(const struct nat *x);

/* The double nearest to (q + t) * 2^exp2, ties to even, t in (0, 1) if `more`, else 0; q >= 2^54 if `more`. Infinity on overflow. */
double nat_nearest(u128 q, bool more, int exp2);

/* The double nearest to x / divisor * 2^exp2, and to its square root; both operands are used up. */
double nat_ratio(struct nat *x, struct nat *divisor, int exp2);
double nat_ratio_root(struct nat *x, struct nat *divisor, int exp2);
#endif
