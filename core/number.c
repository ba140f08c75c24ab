#include "core/number.h"

#include <math.h>

#include "core/exact.h"

/* clang-format off */
const int64_t dec_pow10[19] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
	10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000,
};
/* clang-format on */

struct value number_dec(int64_t mantissa, unsigned scale)
{
	for (; scale && mantissa % 10 == 0; scale--)
		mantissa /= 10;
	return (struct value){ .type = V_DEC, .scale = (uint8_t)scale, .u.i = mantissa };
}

struct value number_from_double(double d)
{
	if (!isfinite(d))
		return value_null();
	return (struct value){ .type = V_DBL, .u.d = d == 0 ? 0 : d };
}

/* The double nearest to mantissa / 10^scale, where one of them is no double. */
static double decimal_double(int64_t mantissa, unsigned scale)
{
	if (scale == 0)
		return (double)mantissa;
	uint64_t m = mantissa < 0 ? 0 - (uint64_t)mantissa : (uint64_t)mantissa;
	u128 power = (u128)dec_pow10[scale], wide = (u128)m << 64; /* above 2^117, and 10^18 < 2^60: the quotient has 57 bits or more */
	double d = nat_nearest(wide / power, wide % power != 0, -64);
	return mantissa < 0 ? -d : d;
}

/* Apart, as it takes a large frame. */
static __attribute__((noinline)) double big_double(const struct value *a)
{
	struct exact x;
	exact_of(&x, a);
	return exact_nearest(&x);
}

double number_double_far(const struct value *a)
{
	if (a->type == V_DEC)
		return decimal_double(a->u.i, a->scale);
	return a->type == V_DBL ? a->u.d : big_double(a);
}

bool number_int(const struct value *v, int64_t *out)
{
	if (v->type == V_DEC && v->scale == 0) {
		*out = v->u.i;
		return true;
	}
	const double limit = 9223372036854775808.0; /* 2^63 */
	if (v->type != V_DBL || v->u.d != trunc(v->u.d) || v->u.d < -limit || v->u.d >= limit)
		return false;
	*out = (int64_t)v->u.d;
	return true;
}
