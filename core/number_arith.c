#include <math.h>

#include "core/exact.h"
#include "core/number.h"

/* m * 10^-scale if that is a decimal; scale >= 0. */
static bool fit(i128 m, unsigned scale, struct value *out)
{
	while (scale && (scale > DEC_SCALE_MAX || m != (int64_t)m) && m % 10 == 0) {
		m /= 10;
		scale--;
	}
	if (scale > DEC_SCALE_MAX || m != (int64_t)m)
		return false;
	*out = number_dec((int64_t)m, scale);
	return true;
}

static bool both_decimal(const struct value *a, const struct value *b)
{
	return a->type == V_DEC && b->type == V_DEC;
}

/* NULL takes all; what is too wide for a decimal goes on as a double. False: the result is NULL. */
static bool operands(struct value *a, struct value *b)
{
	if (a->type == V_NULL || b->type == V_NULL)
		return false;
	if (a->type == V_BIG)
		*a = number_from_double(number_double(a));
	if (b->type == V_BIG)
		*b = number_from_double(number_double(b));
	return a->type != V_NULL && b->type != V_NULL;
}

/* Is the whole number m a double? */
static bool is_exact(i128 m)
{
	return m >= -(INT64_C(1) << 53) && m <= INT64_C(1) << 53;
}

/* The number as a double; false if that would lose something. */
static bool is_double(const struct value *v, double *d)
{
	*d = v->type == V_DBL ? v->u.d : (double)v->u.i;
	return v->type == V_DBL || (v->scale == 0 && is_exact(v->u.i));
}

/* Operands at the larger scale. */
static unsigned common_scale(const struct value *a, const struct value *b, i128 *x, i128 *y)
{
	unsigned scale = a->scale > b->scale ? a->scale : b->scale;
	*x = (i128)a->u.i * dec_pow10[scale - a->scale];
	*y = (i128)b->u.i * dec_pow10[scale - b->scale];
	return scale;
}

/* a + b or a - b. */
static inline struct value combine(struct value a, struct value b, bool minus)
{
	struct value result;
	double x, y;
	if (!operands(&a, &b))
		return value_null();
	if (both_decimal(&a, &b)) {
		i128 p, q;
		unsigned scale = common_scale(&a, &b, &p, &q);
		if (fit(minus ? p - q : p + q, scale, &result))
			return result;
	} else if (is_double(&a, &x) && is_double(&b, &y)) {
		return number_from_double(minus ? x - y : x + y);
	}
	struct exact ea, eb;
	exact_of(&ea, &a);
	exact_of(&eb, &b);
	eb.negative ^= minus;
	exact_add(&ea, &eb);
	return number_from_double(exact_nearest(&ea));
}

struct value number_add(struct value a, struct value b)
{
	return combine(a, b, false);
}

struct value number_sub(struct value a, struct value b)
{
	return combine(a, b, true);
}

struct value number_mul(struct value a, struct value b)
{
	struct value product;
	double x, y;
	if (!operands(&a, &b))
		return value_null();
	if (both_decimal(&a, &b)) {
		if (fit((i128)a.u.i * b.u.i, (unsigned)a.scale + b.scale, &product))
			return product;
	} else if (is_double(&a, &x) && is_double(&b, &y)) {
		return number_from_double(x * y);
	}
	struct exact ea, eb;
	exact_of(&ea, &a);
	exact_of(&eb, &b);
	exact_mul(&ea, &eb);
	return number_from_double(exact_nearest(&ea));
}

/* The quotient if it ends within a decimal: a 10^18 / b at scale 18, where the power that the scales leave is multiplied in in two steps of
 * at most 18 digits, as in written division, so that every dividend has 128 bits. */
static bool div_decimals(const struct value *a, const struct value *b, struct value *quotient)
{
	unsigned power = (unsigned)DEC_SCALE_MAX + b->scale - a->scale, first = power < DEC_SCALE_MAX ? power : DEC_SCALE_MAX;
	i128 dividend = (i128)a->u.i * dec_pow10[first], more;
	i128 q = dividend / b->u.i, rest = dividend % b->u.i;
	dividend = rest * dec_pow10[power - first];
	if (dividend % b->u.i != 0 || __builtin_mul_overflow(q, (i128)dec_pow10[power - first], &more))
		return false;
	return fit(more + dividend / b->u.i, DEC_SCALE_MAX, quotient);
}

struct value number_div(struct value a, struct value b)
{
	struct value quotient;
	double x, y;
	if (!operands(&a, &b) || (b.type == V_DEC ? b.u.i == 0 : b.u.d == 0))
		return value_null();
	if (both_decimal(&a, &b)) {
		if (div_decimals(&a, &b, &quotient))
			return quotient;
		i128 p, q;
		common_scale(&a, &b, &p, &q);
		if (is_exact(p) && is_exact(q))
			return number_from_double((double)p / (double)q);
	} else if (is_double(&a, &x) && is_double(&b, &y)) {
		return number_from_double(x / y);
	}
	struct exact ea, eb;
	exact_of(&ea, &a);
	exact_of(&eb, &b);
	return number_from_double(exact_quotient(&ea, &eb));
}

struct value number_mod(struct value a, struct value b)
{
	if (!operands(&a, &b) || (b.type == V_DEC ? b.u.i == 0 : b.u.d == 0))
		return value_null();
	if (!both_decimal(&a, &b))
		return number_from_double(fmod(number_double(&a), number_double(&b)));
	i128 x, y;
	unsigned scale = common_scale(&a, &b, &x, &y);
	return number_dec((int64_t)(x % y), scale); /* below the operand that has this scale */
}

struct value number_neg(struct value a)
{
	if (a.type == V_DEC && a.u.i != INT64_MIN) {
		a.u.i = -a.u.i;
		return a;
	}
	return number_sub(value_int(0), a);
}
