/* Any number, and whatever +, - and * make of a few of them, without rounding:
 *
 *     (-1)^negative * m * 2^exp2 / 10^scale
 *
 * This is the slow path: for results that do not fit a decimal, and for operands of different kinds. About 700 bytes each, on the stack. */
#ifndef WEIR_EXACT_H
#define WEIR_EXACT_H
#include "core/nat.h"
#include "core/value.h"

struct exact {
	struct nat m;
	int exp2;
	unsigned scale;
	bool negative;
};

/* x = v: V_DEC, V_DBL, or V_BIG of up to NAT_DIGITS_MAX digits (what sums give stays far below). */
void exact_of(struct exact *x, const struct value *v);

/* Reads [-]digits[.digits]; false if it is not of that form or longer than NAT_DIGITS_MAX. */
bool exact_read(struct exact *x, const char *text, size_t len);

/* Drops zeros at the end of the fraction. */
void exact_trim(struct exact *x);

/* Writes [-]digits[.digits] with x->scale digits behind the point, not NUL-terminated, and gives the length; out has room for
 * exact_print_max(x). Needs exp2 = 0; x is used up. */
size_t exact_print(struct exact *x, char *out);
size_t exact_print_max(const struct exact *x);

/* x += y; y is used up. */
void exact_add(struct exact *x, struct exact *y);

/* x *= y; x *= factor. */
void exact_mul(struct exact *x, const struct exact *y);
void exact_mul_small(struct exact *x, uint64_t factor);

/* -1, 0, 1: x against y; both are used up. */
int exact_cmp(struct exact *x, struct exact *y);

/* The double nearest to x; to x / y and to its square root (y not zero; the root is that of |x / y|). Operands are used up. Infinity on overflow. */
double exact_nearest(struct exact *x);
double exact_quotient(struct exact *x, struct exact *y);
double exact_quotient_root(struct exact *x, struct exact *y);
#endif
