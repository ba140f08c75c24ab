/* Exact numbers: decimals of 18 to 19 digits, and doubles where those do not reach (LANGUAGE.md, "Numbers are exact").
 *
 * A struct value that is a number is V_DEC, V_DBL or V_BIG. Results are canonical. A computed overflow of double is NULL.
 * Operands here must be numbers or NULL; NULL gives NULL. */
#ifndef WEIR_NUMBER_H
#define WEIR_NUMBER_H
#include <string.h>

#include "core/value.h"

enum { DEC_SCALE_MAX = 18 };
extern const int64_t dec_pow10[19]; /* 10^0 .. 10^18 */

/* Reads blanks, sign, digits with an optional point, optional exponent, blanks: V_DEC or V_DBL. False for anything else, and for what
 * overflows a double. Speed matters: one call per number read. */
bool number_read(const char *p, uint32_t len, struct value *out);

/* number_read over a column of texts and NULLs, which stay NULL, up to the first that is no number: how many were read. */
uint32_t number_read_column(const struct value *v, uint32_t n, struct value *out);

/* The number that v is: numbers as they are, V_RAW and V_TEXT by number_read, NULL and what is no number false. */
bool number_of(const struct value *v, struct value *out);

/* Canonical text, not NUL-terminated; returns its length. V_DEC, V_DBL only. `out` is VALUE_TEXT_MAX bytes, all of which may be written. Doubles as
 * JavaScript's String(). */
uint32_t number_print(const struct value *v, char *out);
uint32_t number_print_int(int64_t i, char *out); /* the common case of it */

/* -1, 0, 1: exact, also between kinds. */
int number_cmp(const struct value *a, const struct value *b);

/* Exact where the result fits a decimal, else rounded once to a double. */
struct value number_add(struct value a, struct value b);
struct value number_sub(struct value a, struct value b);
struct value number_mul(struct value a, struct value b);
/* Exact where it ends within 18 digits, else a double; by zero: NULL. */
struct value number_div(struct value a, struct value b);
/* Sign of the dividend; by zero: NULL. */
struct value number_mod(struct value a, struct value b);
struct value number_neg(struct value a);

/* Rounds to `digits` decimals (may be negative), half away from zero; floor and ceil to integers. */
struct value number_round(struct value a, int digits);
struct value number_floor(struct value a);
struct value number_ceil(struct value a);

/* number_double where it takes more than one operation. */
double number_double_far(const struct value *a);

/* The nearest double; V_BIG, too. */
static inline double number_double(const struct value *a)
{
	const int64_t most = INT64_C(1) << 53;
	if (a->type == V_DEC && a->u.i <= most && a->u.i >= -most) /* both are doubles (10^18 < 5^18 * 2^53): one operation, one rounding */
		return (double)a->u.i / (double)dec_pow10[a->scale];
	return number_double_far(a);
}

/* A double as a value: NULL if not finite, else V_DBL, also where it is a whole number; -0 becomes 0. */
struct value number_from_double(double d);

/* mantissa * 10^-scale as a canonical V_DEC; scale 0..18. */
struct value number_dec(int64_t mantissa, unsigned scale);

/* The whole number v if it is one and fits; else false. */
bool number_int(const struct value *v, int64_t *out);

/* For sorting: x < y implies prefix(x) <= prefix(y), over all of V_DEC, V_DBL, V_BIG; equal prefixes decide nothing. */
static inline uint64_t number_prefix(const struct value *v)
{
	/* Seen as whole numbers, doubles of one sign are in order; flipping the negative ones and the sign bit of the others orders all. */
	double d = number_double(v);
	uint64_t bits, sign = UINT64_C(1) << 63;
	memcpy(&bits, &d, sizeof bits);
	return bits & sign ? ~bits : bits | sign;
}
#endif
