/* core/number: arithmetic, order, rounding, against 128 bits, long double, and the laws that must hold for any operands. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/nat.h"
#include "core/number.h"
#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"

enum { ROUNDS = 100000 };

static struct value number(const char *text)
{
	struct value v;
	ck_assert_msg(number_read(text, (uint32_t)strlen(text), &v), "%s", text);
	return v;
}

static const char *text_of(struct value v)
{
	static char text[VALUE_TEXT_MAX + 1];
	if (v.type == V_NULL)
		return "NULL";
	text[number_print(&v, text)] = '\0';
	return text;
}

static bool same(struct value a, struct value b)
{
	return a.type == b.type && a.scale == b.scale && a.u.i == b.u.i;
}

/* Is d within half a bit of want, which is known to 64 bits? */
static bool near(double d, long double want)
{
	long double bit = fabsl(want) < 0x1p-1022L ? 0x1p-1074L : ldexpl(1, ilogbl(want) - 52);
	return fabsl(d - want) <= bit * (0.5L + 0x1p-10L);
}

/* m / 10^scale: the decimal, if it is one, else a double close to it. */
static bool is_result(struct value got, i128 m, unsigned scale)
{
	unsigned whole = scale;
	i128 rest = m;
	for (; whole && rest % 10 == 0; whole--)
		rest /= 10;
	if (whole <= DEC_SCALE_MAX && rest == (int64_t)rest)
		return same(got, (struct value){ .type = V_DEC, .scale = (uint8_t)whole, .u.i = (int64_t)rest });
	return got.type == V_DBL && near(got.u.d, (long double)m / powl(10, scale));
}

START_TEST(sums_differences_products_of_decimals)
{
	if (getenv("VALGRIND"))
		return; /* it computes long double in 64 bits, the model here needs 80 */
	uint64_t state = 1;
	for (int i = 0; i < ROUNDS; i++) {
		struct value a = numgen_decimal(&state), b = numgen_decimal(&state);
		unsigned scale = a.scale > b.scale ? a.scale : b.scale;
		i128 x = (i128)a.u.i * dec_pow10[scale - a.scale], y = (i128)b.u.i * dec_pow10[scale - b.scale];
		ck_assert(is_result(number_add(a, b), x + y, scale));
		ck_assert(is_result(number_sub(a, b), x - y, scale));
		ck_assert(is_result(number_mul(a, b), (i128)a.u.i * b.u.i, (unsigned)a.scale + b.scale));
		ck_assert_int_eq(number_cmp(&a, &b), (x > y) - (x < y));
		if (y)
			ck_assert(is_result(number_mod(a, b), x % y, scale));
	}
}
END_TEST

START_TEST(quotients_of_decimals)
{
	if (getenv("VALGRIND"))
		return; /* it computes long double in 64 bits, the model here needs 80 */
	uint64_t state = 2;
	for (int i = 0; i < ROUNDS; i++) {
		struct value a = numgen_decimal(&state), b = numgen_decimal(&state), q = number_div(a, b);
		if (b.u.i == 0) {
			ck_assert_int_eq(q.type, V_NULL);
			continue;
		}
		long double want = (long double)a.u.i / (long double)b.u.i * powl(10, (int)b.scale - (int)a.scale);
		ck_assert_msg(near(number_double(&q), want), "%s", text_of(q));
		struct value back = number_mul(q, b);
		if (q.type == V_DEC)
			ck_assert(same(back, a));
		/* a product that is exact must be divided back to what it came from */
		struct value p = number_mul(a, b);
		if (p.type == V_DEC)
			ck_assert(same(number_div(p, b), a));
	}
}
END_TEST

START_TEST(laws_for_any_operands)
{
	uint64_t state = 3;
	for (int i = 0; i < ROUNDS; i++) {
		struct value a = numgen_any(&state), b = numgen_any(&state);
		if (i % 8 == 0)
			b = number_from_double(number_double(&a)); /* the nearest there is */
		if (i % 8 == 1)
			b = a;
		struct value d = number_sub(a, b), e = number_sub(b, a), zero = value_int(0);
		ck_assert(same(number_add(a, b), number_add(b, a)));
		ck_assert(same(number_mul(a, b), number_mul(b, a)));
		ck_assert_int_eq(number_cmp(&a, &b), -number_cmp(&b, &a));
		ck_assert_int_eq(number_cmp(&a, &a), 0);
		if (d.type == V_NULL) /* overflow */
			continue;
		ck_assert_int_eq(number_cmp(&d, &zero), number_cmp(&a, &b));
		struct value n = number_neg(e);
		if (d.type != V_DEC || d.u.i != INT64_MIN) /* which alone has no opposite */
			ck_assert_int_eq(number_cmp(&n, &d), 0);
		uint64_t x = number_prefix(&a), y = number_prefix(&b);
		ck_assert(number_cmp(&a, &b) <= 0 ? x <= y : x >= y);
	}
}
END_TEST

static int by_cmp(const void *a, const void *b)
{
	return number_cmp(a, b);
}

START_TEST(the_order_is_total)
{
	enum { N = 2000 };
	static struct value v[N];
	uint64_t state = 4;
	for (int i = 0; i < N; i++)
		v[i] = i % 3 == 2 ? number_from_double(number_double(&v[i - 1])) : numgen_any(&state);
	qsort(v, N, sizeof *v, by_cmp);
	for (int i = 0; i < N; i++) {
		for (int k = i + 1; k < N; k += 1 + (k - i) / 8) {
			ck_assert_int_le(number_cmp(&v[i], &v[k]), 0);
			ck_assert_uint_le(number_prefix(&v[i]), number_prefix(&v[k]));
		}
	}
}
END_TEST

START_TEST(known_results)
{
	static const struct {
		const char *a;
		char op;
		const char *b, *want;
	} cases[] = {
		{ "7", '/', "2", "3.5" },
		{ "1", '/', "3", "0.3333333333333333" },
		{ "1", '/', "0", "NULL" },
		{ "1e0", '/', "0", "NULL" },
		{ "1", '/', "1000000000000000000", "0.000000000000000001" },
		{ "1", '/', "2000000000000000000", "5e-19" },
		{ "9223372036854775807", '+', "1", "9223372036854776000" },
		{ "-9223372036854775808", '/', "-1", "9223372036854776000" },
		{ "12000000000000000", '-', "251565", "11999999999748435" },
		{ "0.1", '+', "0.2", "0.3" },
		{ "0.1", '*', "1e0", "0.1" },
		{ "9007199254740993", '*', "1e0", "9007199254740992" },
		{ "9007199254740993", '+', "1e0", "9007199254740994" },
		{ "1e200", '*', "1e200", "NULL" },
		{ "1e308", '+', "1e308", "NULL" },
		{ "-7", '%', "3", "-1" },
		{ "7.5", '%', "-2", "1.5" },
		{ "7", '%', "0", "NULL" },
		{ "5e-1", '%', "3e-1", "0.2" },
		{ "0", '*', "-1e0", "0" },
		{ "1e-300", '*', "1e-300", "0" },
		{ "3000000000", '*', "3000000000", "9000000000000000000" },
		{ "0.000000001", '*', "0.0000000001", "1e-19" },
		{ "5000000000000000000", '*', "0.2", "1000000000000000000" },
		{ "9223372036854775807", '%', "0.000000000000000010", "0" },
		/* rounded once: through rounded operands it would be 0.7486574240169561 */
		{ "6402900570728149493", '/', "8552510621444303583", "0.7486574240169562" },
		{ "9223372036854775807", '/', "9223372036854775806", "1" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct value a = number(cases[i].a), b = number(cases[i].b), got = value_null();
		switch (cases[i].op) {
		case '+':
			got = number_add(a, b);
			break;
		case '-':
			got = number_sub(a, b);
			break;
		case '*':
			got = number_mul(a, b);
			break;
		case '/':
			got = number_div(a, b);
			break;
		case '%':
			got = number_mod(a, b);
			break;
		}
		ck_assert_msg(strcmp(text_of(got), cases[i].want) == 0, "%s %c %s = %s", cases[i].a, cases[i].op, cases[i].b, text_of(got));
	}
}
END_TEST

START_TEST(null_takes_all)
{
	struct value one = value_int(1), none = value_null();
	ck_assert_int_eq(number_add(one, none).type, V_NULL);
	ck_assert_int_eq(number_sub(none, one).type, V_NULL);
	ck_assert_int_eq(number_mul(none, none).type, V_NULL);
	ck_assert_int_eq(number_div(none, one).type, V_NULL);
	ck_assert_int_eq(number_mod(one, none).type, V_NULL);
	ck_assert_int_eq(number_neg(none).type, V_NULL);
	ck_assert_int_eq(number_round(none, 2).type, V_NULL);
	ck_assert_int_eq(number_floor(none).type, V_NULL);
}
END_TEST

START_TEST(big_numbers)
{
	const char *text = "-123456789012345678901234567890.5";
	struct value big = { .type = V_BIG, .len = (uint32_t)strlen(text), .u.p = text }, bigger = big, d = number_from_double(number_double(&big));
	bigger.len -= 2;
	ck_assert(d.u.d == -123456789012345678901234567890.5);
	ck_assert_int_eq(number_cmp(&big, &bigger), -1);
	ck_assert_int_eq(number_cmp(&big, &big), 0);
	ck_assert_int_eq(number_cmp(&big, &d), d.u.d == -0x1.8ee90ff6c373ep+96 ? -number_cmp(&d, &big) : 2);
	struct value zero = value_int(0);
	ck_assert_int_eq(number_cmp(&big, &zero), -1);
	ck_assert_str_eq(text_of(number_add(big, value_int(1))), text_of(d));
	ck_assert(same(number_neg(big), number_neg(d)));
	ck_assert(same(number_floor(big), d));
	ck_assert(same(number_round(big, 0), d));
	int64_t whole;
	ck_assert(!number_int(&big, &whole));
}
END_TEST

START_TEST(rounding)
{
	static const struct {
		const char *a;
		int digits;
		const char *want;
	} cases[] = {
		{ "2.5", 0, "3" },
		{ "-2.5", 0, "-3" },
		{ "2.45", 1, "2.5" },
		{ "2.449", 1, "2.4" },
		{ "1234.5", -2, "1200" },
		{ "1250", -2, "1300" },
		{ "5", -1, "10" },
		{ "4", -1, "0" },
		{ "9223372036854775807", -1, "9223372036854776000" },
		{ "9223372036854775807", -19, "10000000000000000000" },
		{ "-9223372036854775808", -18, "-9000000000000000000" },
		{ "4999999999999999999", -19, "0" },
		{ "1.5", 100, "1.5" },
		{ "1.5", INT32_MAX, "1.5" },
		{ "1.5", INT32_MIN, "0" },
		{ "9.999999999999999999", -1, "10" },
		{ "0.5", -1, "0" },
		{ "1.005e0", 2, "1" },
		{ "2.5e0", 0, "3" },
		{ "-2.5e0", 0, "-3" },
		{ "1e300", -300, "1e+300" },
		{ "6e299", -300, "1e+300" },
		{ "4e299", -300, "0" },
		{ "1.7e308", -308, "NULL" },
		{ "5e-324", 400, "5e-324" },
		{ "5e-324", 300, "0" },
		{ "5e-324", INT32_MAX, "5e-324" },
		{ "1e300", INT32_MIN, "0" },
		{ "1.25e-5", 6, "0.000013" },
		{ "123456e0", 3, "123456" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *got = text_of(number_round(number(cases[i].a), cases[i].digits));
		ck_assert_msg(strcmp(got, cases[i].want) == 0, "round(%s, %d) = %s", cases[i].a, cases[i].digits, got);
	}
	uint64_t state = 5;
	for (int i = 0; i < ROUNDS; i++) {
		struct value a = numgen_any(&state), f = number_floor(a), c = number_ceil(a), minus = number_neg(number_floor(number_neg(a))),
			     step = number_sub(c, f);
		ck_assert_int_le(number_cmp(&f, &a), 0);
		ck_assert_int_ge(number_cmp(&c, &a), 0);
		if (a.type != V_DEC || a.u.i != INT64_MIN)
			ck_assert_int_eq(number_cmp(&c, &minus), 0);
		struct value one = value_int(number_cmp(&f, &a) != 0);
		ck_assert_int_eq(number_cmp(&step, &one), 0);
		int digits = (int)numgen_below(&state, 20);
		struct value r = number_round(a, digits), off = number_sub(r, a), half = number_dec(5, 1);
		if (a.type == V_DEC && digits < 18) { /* never further than half a unit */
			struct value distance = off.u.i < 0 ? number_neg(off) : off, unit = number_mul(half, number_dec(1, (unsigned)digits));
			ck_assert_int_le(number_cmp(&distance, &unit), 0);
		}
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		sums_differences_products_of_decimals, quotients_of_decimals, laws_for_any_operands, the_order_is_total, known_results, null_takes_all,
		big_numbers, rounding,
	};
	return RUN_TESTS("number_arith", tests);
}
