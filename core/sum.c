#include "core/sum.h"

#include <math.h>

#include "core/sum_wide.h"

int sum_widen(struct sum *sum, struct mem *mem)
{
	if (sum->is_wide)
		return 0;
	struct sum_wide *wide = mem_alloc(mem, sizeof *wide);
	if (!wide)
		return -1;
	if (wide_reserve(&wide->dec, 0, 1, mem)) {
		mem_free(mem, wide, sizeof *wide);
		return -1;
	}
	struct nat m;
	bool negative = sum->u.mantissa < 0;
	nat_set(&m, negative ? 0 - (uint64_t)sum->u.mantissa : (uint64_t)sum->u.mantissa);
	wide_add(&wide->dec, &m, 0, negative);
	sum->u.wide = wide;
	sum->is_wide = 1;
	return 0;
}

/* Brings a wide sum to a larger scale. */
static int rescale(struct sum *sum, unsigned scale, struct mem *mem)
{
	while (sum->scale < scale) {
		unsigned step = scale - sum->scale < DEC_SCALE_MAX ? scale - sum->scale : DEC_SCALE_MAX;
		if (wide_mul(&sum->u.wide->dec, (uint64_t)dec_pow10[step], mem))
			return -1;
		sum->scale = (uint8_t)(sum->scale + step);
	}
	return 0;
}

int sum_add_decimal(struct sum *sum, struct nat *term, unsigned scale, bool minus, struct mem *mem)
{
	if (rescale(sum, scale, mem))
		return -1;
	nat_mul_pow10(term, sum->scale - scale);
	if (wide_reserve(&sum->u.wide->dec, 0, (int)term->n, mem))
		return -1;
	wide_add(&sum->u.wide->dec, term, 0, minus);
	return 0;
}

/* Adds a decimal to a narrow sum if the result is narrow, too; scales are 18 at most. */
static bool add_narrow(struct sum *sum, int64_t m, unsigned scale, int sign)
{
	int64_t mantissa = sum->u.mantissa;
	unsigned common = scale > sum->scale ? scale : sum->scale;
	if (__builtin_mul_overflow(mantissa, dec_pow10[common - sum->scale], &mantissa) || __builtin_mul_overflow(m, dec_pow10[common - scale], &m))
		return false;
	if (sign > 0 ? __builtin_add_overflow(mantissa, m, &mantissa) : __builtin_sub_overflow(mantissa, m, &mantissa))
		return false;
	sum->u.mantissa = mantissa;
	sum->scale = (uint8_t)common;
	return true;
}

/* Places m * 2^exp2 into limbs: *term * 2^(64 *at). */
static void place(struct nat *term, u128 m, int exp2, int *at)
{
	*at = exp2 >= 0 ? exp2 / 64 : -((63 - exp2) / 64);
	nat_set(term, m);
	nat_shift_left(term, (unsigned)(exp2 - 64 * *at));
}

/* |d| = m * 2^*exp2, m odd or 0: so no bit lies below 2^-1074. */
static uint64_t take_double(double d, int *exp2)
{
	uint64_t m = (uint64_t)ldexp(frexp(fabs(d), exp2), 53);
	if (!m)
		return 0;
	int zeros = __builtin_ctzll(m);
	*exp2 += zeros - 53;
	return m >> zeros;
}

/* Adds m * 2^exp2, which came from one double. */
static int add_binary(struct sum *sum, u128 m, int exp2, bool minus, int sign, struct mem *mem)
{
	struct nat term;
	int at;
	place(&term, m, exp2, &at);
	if (sum_widen(sum, mem) || wide_reserve(&sum->u.wide->dbl, at, at + (int)term.n, mem))
		return -1;
	wide_add(&sum->u.wide->dbl, &term, at, minus);
	sum->u.wide->doubles += sign;
	return 0;
}

static int add_double(struct sum *sum, double d, int sign, struct mem *mem)
{
	int exp2;
	uint64_t m = take_double(d, &exp2);
	return add_binary(sum, m, exp2, (d < 0) != (sign < 0), sign, mem);
}

int sum_add_any(struct sum *sum, const struct value *number, int sign, struct mem *mem)
{
	if (number->type == V_DBL)
		return add_double(sum, number->u.d, sign, mem);
	if (number->type == V_DEC && !sum->is_wide && add_narrow(sum, number->u.i, number->scale, sign))
		return 0;
	struct exact term;
	if (number->type == V_DEC)
		exact_of(&term, number);
	else if (!exact_read(&term, number->u.p, number->len) || term.scale > DEC_SCALE_MAX)
		return -1;
	if (sum_widen(sum, mem))
		return -1;
	return sum_add_decimal(sum, &term.m, term.scale, term.negative != (sign < 0), mem);
}

int sum_add_square(struct sum *sum, const struct value *number, int sign, struct mem *mem)
{
	if (number->type == V_DBL) {
		int exp2;
		uint64_t m = take_double(number->u.d, &exp2);
		return add_binary(sum, (u128)m * m, 2 * exp2, sign < 0, sign, mem);
	}
	int64_t square;
	if (number->type == V_DEC && !sum->is_wide && 2 * number->scale <= DEC_SCALE_MAX && !__builtin_mul_overflow(number->u.i, number->u.i, &square) &&
	    add_narrow(sum, square, 2u * number->scale, sign))
		return 0;
	struct exact term;
	if (number->type == V_DEC)
		exact_of(&term, number);
	else if (!exact_read(&term, number->u.p, number->len) || term.scale > DEC_SCALE_MAX)
		return -1;
	struct nat product;
	nat_mul(&product, &term.m, &term.m);
	if (sum_widen(sum, mem))
		return -1;
	return sum_add_decimal(sum, &product, 2 * term.scale, sign < 0, mem);
}

int sum_merge(struct sum *into, const struct sum *part, int sign, struct mem *mem)
{
	if (!part->is_wide) {
		struct value number = { .type = V_DEC, .scale = part->scale, .u.i = part->u.mantissa };
		return sum_add(into, &number, sign, mem);
	}
	const struct sum_wide *from = part->u.wide;
	struct nat dec, dbl;
	int at_dec, at;
	bool dec_minus = wide_get(&from->dec, &dec, &at_dec), minus = wide_get(&from->dbl, &dbl, &at);
	nat_shift_left(&dec, 64 * (unsigned)at_dec);
	unsigned scale = part->scale;
	int64_t doubles = from->doubles;
	if (sum_widen(into, mem) || wide_reserve(&into->u.wide->dbl, at, at + (int)dbl.n, mem))
		return -1;
	if (sum_add_decimal(into, &dec, scale, dec_minus != (sign < 0), mem))
		return -1;
	wide_add(&into->u.wide->dbl, &dbl, at, minus != (sign < 0));
	into->u.wide->doubles += sign * doubles;
	return 0;
}

void sum_drop(struct sum *sum, struct mem *mem)
{
	if (sum->is_wide) {
		wide_free(&sum->u.wide->dec, mem);
		wide_free(&sum->u.wide->dbl, mem);
		mem_free(mem, sum->u.wide, sizeof *sum->u.wide);
	}
	*sum = (struct sum){ 0 };
}
