#include <math.h>

#include "core/exact.h"
#include "core/number.h"

enum {
	FRACTION_MAX = 1074, /* no double has more decimals */
	WHOLE_MAX = 309      /* nor more digits before the point */
};

/* floor(m / 10^k + 1/2) for m >= 0, k <= 18. */
static u128 half_up(u128 m, unsigned k)
{
	u128 power = (u128)dec_pow10[k];
	return (m + power / 2) / power;
}

static struct value round_decimal(struct value a, int digits)
{
	if (digits >= a.scale)
		return a;
	if (digits < -DEC_SCALE_MAX - 1 || a.scale - digits > DEC_SCALE_MAX + 1)
		return value_int(0);
	int cut = a.scale - digits; /* 1 .. 19 */
	uint64_t m = a.u.i < 0 ? 0 - (uint64_t)a.u.i : (uint64_t)a.u.i;
	/* 10^19 is beyond int64, but not its half */
	u128 kept = cut <= DEC_SCALE_MAX ? half_up(m, (unsigned)cut) : m >= UINT64_C(5000000000000000000);
	if (digits >= 0)
		return number_dec(a.u.i < 0 ? -(int64_t)kept : (int64_t)kept, (unsigned)digits);
	for (int i = digits; i < 0; i++)
		kept *= 10;
	if (kept <= INT64_MAX)
		return value_int(a.u.i < 0 ? -(int64_t)kept : (int64_t)kept);
	double d = nat_nearest(kept, false, 0);
	return number_from_double(a.u.i < 0 ? -d : d);
}

static struct value round_double(struct value a, int digits)
{
	if (digits >= FRACTION_MAX || (digits >= 0 && a.u.d == trunc(a.u.d)))
		return a;
	if (digits < -WHOLE_MAX)
		return number_from_double(0);
	struct exact x;
	struct nat divisor, kept, one;
	exact_of(&x, &a);
	/* kept = |a| * 10^digits to the nearest whole number, half away from zero */
	nat_set(&divisor, 1);
	nat_mul_pow10(digits < 0 ? &divisor : &x.m, (unsigned)(digits < 0 ? -digits : digits));
	nat_shift_left(x.exp2 < 0 ? &divisor : &x.m, (unsigned)(x.exp2 < 0 ? -x.exp2 : x.exp2));
	nat_divide(&x.m, &divisor, &kept);
	nat_shift_left(&x.m, 1);
	if (nat_cmp(&x.m, &divisor) >= 0) {
		nat_set(&one, 1);
		nat_add(&kept, &one);
	}
	/* back: kept / 10^digits */
	nat_copy(&x.m, &kept);
	x.exp2 = 0;
	x.scale = digits > 0 ? (unsigned)digits : 0;
	if (digits < 0)
		nat_mul_pow10(&x.m, (unsigned)-digits);
	return number_from_double(exact_nearest(&x));
}

struct value number_round(struct value a, int digits)
{
	if (a.type == V_DEC)
		return round_decimal(a, digits);
	if (a.type == V_BIG)
		a = number_from_double(number_double(&a));
	return a.type == V_DBL ? round_double(a, digits) : value_null();
}

/* Down or up to a whole number. */
static struct value whole(struct value a, bool up)
{
	if (a.type == V_BIG)
		a = number_from_double(number_double(&a));
	if (a.type == V_DBL)
		return number_from_double(up ? ceil(a.u.d) : floor(a.u.d));
	if (a.type != V_DEC)
		return value_null();
	int64_t power = dec_pow10[a.scale], q = a.u.i / power, rest = a.u.i % power;
	return value_int(q + (up && rest > 0) - (!up && rest < 0));
}

struct value number_floor(struct value a)
{
	return whole(a, false);
}

struct value number_ceil(struct value a)
{
	return whole(a, true);
}
