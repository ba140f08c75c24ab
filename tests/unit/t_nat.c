/* core/nat and core/wide: long numbers against 128 bits, and by identities where those end. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/nat.h"
#include "core/wide.h"
#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"

enum { ROUNDS = 20000 };

static u128 random128(uint64_t *state)
{
	u128 x = (u128)numgen_next(state) << 64 | numgen_next(state);
	return x >> numgen_below(state, 128);
}

/* Random limbs, with long runs of ones and zeros, where carries and estimates of quotients go wrong. */
static void random_nat(uint64_t *state, struct nat *x, uint32_t most)
{
	x->n = (uint32_t)numgen_below(state, most + 1);
	for (uint32_t i = 0; i < x->n; i++) {
		uint64_t kind = numgen_below(state, 4);
		x->limb[i] = kind == 0 ? 0 : kind == 1 ? UINT64_MAX : kind == 2 ? UINT64_C(1) << 63 : numgen_next(state);
	}
	nat_trim(x);
}

static u128 low128(const struct nat *x)
{
	ck_assert_uint_le(x->n, 2);
	return (x->n > 1 ? (u128)x->limb[1] << 64 : 0) | (x->n > 0 ? x->limb[0] : 0);
}

START_TEST(like_128_bits)
{
	uint64_t state = 1;
	for (int i = 0; i < ROUNDS; i++) {
		u128 a = random128(&state) >> 1, b = random128(&state) >> 1;
		struct nat x, y, q;
		nat_set(&x, a);
		nat_set(&y, b);
		ck_assert_int_eq(nat_cmp(&x, &y), (a > b) - (a < b));
		nat_add(&x, &y);
		ck_assert(low128(&x) == a + b);
		nat_sub(&x, &y);
		ck_assert(low128(&x) == a);
		if (b) {
			nat_divide(&x, &y, &q);
			ck_assert(low128(&q) == a / b && low128(&x) == a % b);
		}
		nat_set(&x, (uint64_t)a);
		nat_mul_small(&x, (uint64_t)b);
		ck_assert(low128(&x) == (u128)(uint64_t)a * (uint64_t)b);
		if ((uint64_t)b)
			ck_assert_uint_eq(nat_div_small(&x, (uint64_t)b), 0);
	}
}
END_TEST

START_TEST(division_undoes_multiplication)
{
	uint64_t state = 2;
	for (int i = 0; i < ROUNDS; i++) {
		struct nat a, b, rest, product, q;
		random_nat(&state, &a, 20);
		random_nat(&state, &b, 20);
		random_nat(&state, &rest, b.n);
		if (!b.n)
			continue;
		while (nat_cmp(&rest, &b) >= 0)
			nat_sub(&rest, &b);
		nat_mul(&product, &a, &b);
		nat_add(&product, &rest);
		nat_divide(&product, &b, &q);
		ck_assert_int_eq(nat_cmp(&q, &a), 0);
		ck_assert_int_eq(nat_cmp(&product, &rest), 0);
	}
}
END_TEST

START_TEST(shifts_and_powers)
{
	uint64_t state = 3;
	for (int i = 0; i < ROUNDS; i++) {
		struct nat a, power, product;
		random_nat(&state, &a, 20);
		unsigned bits = (unsigned)numgen_below(&state, 1000), k = bits % 100;
		nat_set(&power, 1);
		nat_shift_left(&power, bits);
		ck_assert_uint_eq(nat_bits(&power), bits + 1);
		nat_mul(&product, &a, &power);
		nat_shift_left(&a, bits);
		ck_assert_int_eq(nat_cmp(&a, &product), 0);
		nat_set(&power, 1);
		nat_mul_pow10(&power, k);
		nat_mul(&product, &a, &power);
		nat_mul_pow10(&a, k);
		ck_assert_int_eq(nat_cmp(&a, &product), 0);
	}
}
END_TEST

START_TEST(digits_go_out_and_in)
{
	uint64_t state = 4;
	for (int i = 0; i < ROUNDS; i++) {
		struct nat a, copy, back;
		random_nat(&state, &a, 12);
		nat_copy(&copy, &a);
		size_t room = nat_print_max(&copy);
		char *text = malloc(room);
		size_t n = nat_print(&copy, text);
		ck_assert_uint_le(n, room);
		ck_assert(n == 1 || text[0] != '0');
		ck_assert(nat_read(&back, text, n));
		ck_assert_int_eq(nat_cmp(&back, &a), 0);
		text[n / 2] = "/:- "[i % 4];
		ck_assert(!nat_read(&back, text, n));
		free(text);
	}
	struct nat x;
	char zeros[NAT_DIGITS_MAX + 1];
	memset(zeros, '9', sizeof zeros);
	ck_assert(!nat_read(&x, "", 0));
	ck_assert(!nat_read(&x, zeros, sizeof zeros));
	ck_assert(nat_read(&x, zeros, NAT_DIGITS_MAX));
}
END_TEST

START_TEST(one_rounding)
{
	uint64_t state = 5;
	for (int i = 0; i < ROUNDS; i++) {
		/* converting from 128 bits rounds once; ldexp is exact here */
		u128 q = random128(&state);
		int exp2 = (int)numgen_below(&state, 200) - 100;
		ck_assert(nat_nearest(q, false, exp2) == ldexp((double)q, exp2));
		/* below the normal doubles: a model by truncation of few bits */
		uint64_t m = numgen_next(&state) >> 20, drop = 1 + numgen_below(&state, 50);
		uint64_t kept = m >> drop, rest = m << (64 - drop), half = UINT64_C(1) << 63;
		kept += rest > half || (rest == half && kept % 2);
		ck_assert(nat_nearest(m, false, -1074 - (int)drop) == ldexp((double)kept, -1074));
		/* m / d * d is m again, and its square's root is m */
		struct nat x, y;
		uint64_t d = numgen_next(&state) >> 11 | 1;
		nat_set(&x, (u128)(m >> 1) * d);
		nat_set(&y, d);
		ck_assert(nat_ratio(&x, &y, exp2) == ldexp((double)(m >> 1), exp2));
		nat_set(&x, (u128)(m >> 1) * (m >> 1));
		nat_set(&y, 1);
		ck_assert(nat_ratio_root(&x, &y, 2 * exp2) == ldexp((double)(m >> 1), exp2));
	}
	ck_assert(isinf(nat_nearest(1, false, 1024)));
	ck_assert(nat_nearest((UINT64_C(1) << 54) - 1, true, 970) == HUGE_VAL);
	ck_assert(nat_nearest(1, false, -1075) == 0); /* half of the least, to even */
	ck_assert(nat_nearest(3, false, -1076) == 0x1p-1074);
	ck_assert(nat_nearest(1, false, -5000) == 0);
	ck_assert(nat_nearest(UINT64_C(1) << 63, true, -1138) == 0x1p-1074); /* a little more than half */
	ck_assert(nat_nearest((UINT64_C(1) << 53) * 2 + 1, true, 0) == 0x1p54 + 2);
	ck_assert(nat_nearest(((UINT64_C(1) << 53) * 2 + 1), false, 0) == 0x1p54);
}
END_TEST

/* A wide number and the same as two's complement in 128 bits, scaled by 2^64. */
START_TEST(wide_numbers_like_128_bits)
{
	struct mem mem = { 0 };
	uint64_t state = 6;
	for (int i = 0; i < ROUNDS / 10; i++) {
		struct wide wide = { 0 };
		i128 model = 0;
		for (int k = 0; k < 40; k++) {
			bool minus = numgen_below(&state, 2), high = numgen_below(&state, 2);
			uint64_t m = numgen_next(&state) >> 8 >> numgen_below(&state, 50);
			struct nat term;
			nat_set(&term, m);
			int at = high ? 0 : -1;
			ck_assert_int_eq(wide_reserve(&wide, at, at + 1, &mem), 0);
			wide_add(&wide, &term, at, minus);
			i128 weighted = (i128)m << (high ? 64 : 0);
			model += minus ? -weighted : weighted;
			struct nat got;
			bool negative = wide_get(&wide, &got, &at);
			ck_assert_int_eq(negative, model < 0);
			ck_assert_int_eq(wide_is_zero(&wide), model == 0);
			if (at == 0)
				nat_shift_left(&got, got.n ? 64 : 0);
			ck_assert(low128(&got) == (u128)(model < 0 ? -model : model));
			if (k % 8 == 7 && (model < 0 ? -model : model) < (i128)1 << 100) {
				ck_assert_int_eq(wide_mul(&wide, 1000, &mem), 0);
				model *= 1000;
			}
			if ((model < 0 ? -model : model) > (i128)1 << 124)
				break;
		}
		wide_free(&wide, &mem);
		ck_assert_uint_eq(mem.used, 0);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		like_128_bits, division_undoes_multiplication, shifts_and_powers, digits_go_out_and_in, one_rounding, wide_numbers_like_128_bits,
	};
	return RUN_TESTS("nat", tests);
}
