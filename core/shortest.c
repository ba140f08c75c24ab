/* Every real number between two borders is read as d. The borders and d itself are scaled by a power of ten to 18 or 19 digits before the
 * point, exactly; in these units,
 *
 *         low            d            high
 *     -----[-------------+-------------]-----
 *            ^         ^         ^               multiples of 10^j: the largest j with one between the borders
 *
 * gives the fewest digits, and the multiple next to d is the answer. Exact arithmetic in 128 bits reaches from about 1e-10 to 1e39;
 * longer numbers do the rest. */
#include "core/shortest.h"

#include <math.h>
#include <stdbool.h>

#include "core/nat.h"

enum { POW5_MAX = 27 };
/* clang-format off */
static const uint64_t pow5[POW5_MAX + 1] = {
	1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125, 6103515625, 30517578125,
	152587890625, 762939453125, 3814697265625, 19073486328125, 95367431640625, 476837158203125, 2384185791015625, 11920928955078125,
	59604644775390625, 298023223876953125, 1490116119384765625, 7450580596923828125,
};
/* clang-format on */

/* A scaled number: its whole part, and whether a fraction was cut off. */
struct scaled {
	uint64_t whole;
	bool cut;
};

/* m * 2^exp2 * 10^k, which is below 2^64. */
static struct scaled scale_long(uint64_t m, int exp2, int k)
{
	struct nat x, divisor, quotient;
	nat_set(&x, m);
	nat_set(&divisor, 1);
	nat_mul_pow10(k > 0 ? &x : &divisor, (unsigned)(k > 0 ? k : -k));
	nat_shift_left(exp2 > 0 ? &x : &divisor, (unsigned)(exp2 > 0 ? exp2 : -exp2));
	nat_divide(&x, &divisor, &quotient);
	return (struct scaled){ .whole = quotient.n ? quotient.limb[0] : 0, .cut = x.n > 0 };
}

/* The same where 128 bits will do; m < 2^56. With 10^k = 5^k * 2^k only the fives need arithmetic. */
static struct scaled scale(uint64_t m, int exp2, int k)
{
	int shift = exp2 + k;
	if (k >= 0 && k <= POW5_MAX && shift > -128) {
		u128 x = (u128)m * pow5[k];
		if (shift >= 0)
			return (struct scaled){ .whole = (uint64_t)(x << shift) };
		return (struct scaled){ .whole = (uint64_t)(x >> -shift), .cut = (x & (((u128)1 << -shift) - 1)) != 0 };
	}
	if (k < 0 && k >= -POW5_MAX && shift >= 0 && shift <= 128 - 56) {
		u128 x = (u128)m << shift;
		return (struct scaled){ .whole = (uint64_t)(x / pow5[-k]), .cut = x % pow5[-k] != 0 };
	}
	return scale_long(m, exp2, k);
}

/* floor(log10(2^e)) for |e| < 1650. */
static int log10_pow2(int e)
{
	return (e * 78913) >> 18;
}

uint64_t shortest_digits(double d, int *exp10)
{
	int exp2;
	uint64_t m = (uint64_t)ldexp(frexp(d, &exp2), 53);
	int k = 17 - log10_pow2(exp2 - 1);
	exp2 -= 53;
	for (; exp2 < -1074; exp2++)
		m >>= 1; /* subnormal: zeros only */

	/* in quarters of the last bit: the neighbour below is nearer if d is a power of two */
	bool even = m % 2 == 0, near = m == UINT64_C(1) << 52 && exp2 > -1074;
	struct scaled low = scale(4 * m - (near ? 1 : 2), exp2 - 2, k), mid = scale(4 * m, exp2 - 2, k), high = scale(4 * m + 2, exp2 - 2, k);
	/* the borders belong to d if it is even, as a tie goes to the even neighbour */
	uint64_t first = low.whole + (low.cut || !even), last = high.whole - (!high.cut && !even);

	uint64_t unit = 10;
	*exp10 = 1 - k;
	for (; last / (unit * 10) * (unit * 10) >= first; unit *= 10)
		++*exp10;
	uint64_t digits = mid.whole / unit, rest = mid.whole % unit;
	digits += rest > unit / 2 || (rest == unit / 2 && (mid.cut || digits % 2));
	if (digits * unit < first)
		digits++;
	if (digits * unit > last)
		digits--;
	return digits;
}
