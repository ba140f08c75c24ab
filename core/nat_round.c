/* From exact quotients to doubles, with one rounding. */
#include <assert.h>
#include <math.h>

#include "core/nat.h"

static unsigned bits128(u128 q)
{
	uint64_t high = (uint64_t)(q >> 64);
	return high ? 128 - (unsigned)__builtin_clzll(high) : q ? 64 - (unsigned)__builtin_clzll((uint64_t)q) : 0;
}

double nat_nearest(u128 q, bool more, int exp2)
{
	if (!q)
		return 0;
	/* m: the 64 highest bits, the lowest of them also stands for everything behind it */
	unsigned bits = bits128(q), behind = bits > 64 ? bits - 64 : 0;
	uint64_t m = bits > 64 ? (uint64_t)(q >> behind) : (uint64_t)q << (64 - bits);
	more = more || (behind && (q & (((u128)1 << behind) - 1)));
	m |= more;
	exp2 += (int)bits - 64;
	/* the last bit of a double weighs 2^-1074 or more */
	int drop = exp2 + 11 < -1074 ? -1074 - exp2 : 11;
	if (drop > 64)
		return 0;
	uint64_t keep = drop < 64 ? m >> drop : 0;
	uint64_t rest = drop < 64 ? m & ((UINT64_C(1) << drop) - 1) : m, half = UINT64_C(1) << (drop - 1);
	keep += rest > half || (rest == half && (keep & 1));
	return ldexp((double)keep, exp2 + drop);
}

/* The power of two by which x must grow for x / divisor to have `bits` or one more bits. */
static int scale_for(const struct nat *x, const struct nat *divisor, int bits)
{
	return bits - ((int)nat_bits(x) - (int)nat_bits(divisor));
}

/* x * 2^scale / divisor = *q + a rest; is there a rest? */
static bool divide(struct nat *x, struct nat *divisor, int scale, u128 *q)
{
	if (scale > 0)
		nat_shift_left(x, (unsigned)scale);
	else
		nat_shift_left(divisor, (unsigned)-scale);
	struct nat quotient;
	nat_divide(x, divisor, &quotient);
	assert(quotient.n == 1 || quotient.n == 2);
	*q = (quotient.n > 1 ? (u128)quotient.limb[1] << 64 : 0) | quotient.limb[0];
	return x->n > 0;
}

double nat_ratio(struct nat *x, struct nat *divisor, int exp2)
{
	if (!x->n)
		return 0;
	u128 q;
	int scale = scale_for(x, divisor, 66);
	bool more = divide(x, divisor, scale, &q);
	return nat_nearest(q, more, exp2 - scale);
}

/* floor(sqrt(q)), bit by bit. */
static uint64_t root128(u128 q)
{
	uint64_t root = 0;
	for (uint64_t bit = UINT64_C(1) << 63; bit; bit >>= 1)
		if ((u128)(root | bit) * (root | bit) <= q)
			root |= bit;
	return root;
}

double nat_ratio_root(struct nat *x, struct nat *divisor, int exp2)
{
	if (!x->n)
		return 0;
	u128 q;
	int scale = scale_for(x, divisor, 126);
	if ((exp2 - scale) & 1)
		scale--; /* the root halves the exponent */
	bool more = divide(x, divisor, scale, &q);
	uint64_t root = root128(q);
	more = more || (u128)root * root != q;
	return nat_nearest(root, more, (exp2 - scale) / 2);
}
