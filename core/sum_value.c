/* What a sum amounts to: itself, divided by a count, and the variance. */
#include "core/sum_wide.h"

enum {
	AVG_SCALE = 6,               /* an average has at least so many decimals */
	SUM_BITS = NAT_BITS / 2 - 64 /* a sum of which the square and count times the squares can be computed; plain sums stay below */
};

bool sum_has_doubles(const struct sum *sum)
{
	return sum->is_wide && (sum->u.wide->doubles || !wide_is_zero(&sum->u.wide->dbl));
}

void sum_decimals(const struct sum *sum, struct exact *x)
{
	if (!sum->is_wide) {
		struct value v = number_dec(sum->u.mantissa, sum->scale);
		exact_of(x, &v);
		return;
	}
	int at;
	x->exp2 = 0;
	x->scale = sum->scale;
	x->negative = wide_get(&sum->u.wide->dec, &x->m, &at);
	nat_shift_left(&x->m, 64 * (unsigned)at);
	exact_trim(x);
}

/* The sum with its doubles. */
static void total(const struct sum *sum, struct exact *x)
{
	sum_decimals(sum, x);
	if (!sum_has_doubles(sum))
		return;
	struct exact doubles;
	int at;
	doubles.scale = 0;
	doubles.negative = wide_get(&sum->u.wide->dbl, &doubles.m, &at);
	doubles.exp2 = 64 * at;
	exact_add(x, &doubles);
}

/* x, whose fraction has no trailing zeros, as V_DEC or, with its digits in arena, V_BIG; x is used up. */
static int decimal_value(struct exact *x, struct value *out, struct arena *arena)
{
	uint64_t m = x->m.n ? x->m.limb[0] : 0;
	if (x->m.n <= 1 && x->scale <= DEC_SCALE_MAX && m <= (uint64_t)INT64_MAX + x->negative) {
		*out = number_dec((int64_t)(x->negative ? 0 - m : m), x->scale);
		return 0;
	}
	char *text = arena_alloc(arena, exact_print_max(x));
	if (!text)
		return -1;
	*out = (struct value){ .type = V_BIG, .len = (uint32_t)exact_print(x, text), .u.p = text };
	return 0;
}

int sum_value(const struct sum *sum, struct value *out, struct arena *arena)
{
	if (!sum->is_wide) {
		*out = number_dec(sum->u.mantissa, sum->scale);
		return 0;
	}
	struct exact x;
	if (sum_has_doubles(sum)) {
		total(sum, &x);
		*out = number_from_double(exact_nearest(&x));
		return 0;
	}
	sum_decimals(sum, &x);
	return decimal_value(&x, out, arena);
}

/* The average of a narrow sum in 128 bits; false if it fits no decimal. */
static bool avg_narrow(const struct sum *sum, int64_t n, struct value *out)
{
	struct value v = number_dec(sum->u.mantissa, sum->scale);
	unsigned scale = v.scale > AVG_SCALE ? v.scale : AVG_SCALE;
	i128 m = (i128)v.u.i * dec_pow10[scale - v.scale], q = m / n, rest = m % n;
	if (rest < 0 ? -rest >= n + rest : rest >= n - rest)
		q += rest < 0 ? -1 : 1;
	if (q != (int64_t)q)
		return false;
	*out = number_dec((int64_t)q, scale);
	return true;
}

int sum_avg(const struct sum *sum, int64_t n, struct value *out, struct arena *arena)
{
	struct exact x;
	if (!sum->is_wide && avg_narrow(sum, n, out))
		return 0;
	if (sum_has_doubles(sum)) {
		struct exact count;
		struct value v = value_int(n);
		total(sum, &x);
		exact_of(&count, &v);
		*out = number_from_double(exact_quotient(&x, &count));
		return 0;
	}
	sum_decimals(sum, &x);
	if (x.scale < AVG_SCALE) {
		nat_mul_pow10(&x.m, AVG_SCALE - x.scale);
		x.scale = AVG_SCALE;
	}
	uint64_t rest = nat_div_small(&x.m, (uint64_t)n);
	if (rest >= (uint64_t)n - rest) {
		struct nat one;
		nat_set(&one, 1);
		nat_add(&x.m, &one);
	}
	exact_trim(&x);
	return decimal_value(&x, out, arena);
}

int sum_var(const struct sum *sum, const struct sum *squares, int64_t n, int ddof, bool root, struct value *out)
{
	*out = value_null();
	if (n <= ddof)
		return 0;
	/* (squares - sum^2 / n) / (n - ddof) = (n squares - sum^2) / (n (n - ddof)) */
	struct exact x, square, divisor;
	total(sum, &square);
	if (nat_bits(&square.m) > SUM_BITS)
		return -1;
	nat_copy(&x.m, &square.m);
	x.exp2 = square.exp2;
	x.scale = square.scale;
	x.negative = square.negative;
	exact_mul(&square, &x);
	total(squares, &x);
	exact_mul_small(&x, (uint64_t)n);
	square.negative = true;
	exact_add(&x, &square);
	struct value count = value_int(n);
	exact_of(&divisor, &count);
	exact_mul_small(&divisor, (uint64_t)(n - ddof));
	if (!root)
		*out = number_from_double(exact_quotient(&x, &divisor));
	else if (!x.negative || !x.m.n)
		*out = number_from_double(exact_quotient_root(&x, &divisor));
	return 0;
}
