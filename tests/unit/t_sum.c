/* core/sum: whatever the order, the split and the detours, a sum is the exact one. */
#include <stdlib.h>
#include <check.h>
#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "core/buf.h"
#include "core/nat.h"
#include "core/sum.h"
#include "tests/unit/numgen.h"
#include "tests/unit/suite.h"

enum { ROUNDS = 2000, TERMS = 24, TEXT = 4096 };

static struct mem mem;
static struct arena arena;

static void setup(void)
{
	mem = (struct mem){ 0 };
	arena_init(&arena, &mem);
}

/* Every test gives back all it took. */
static void teardown(void)
{
	arena_release(&arena);
	ck_assert_uint_eq(mem.used, 0);
}

static struct value number(const char *text)
{
	struct value v;
	ck_assert_msg(number_read(text, (uint32_t)strlen(text), &v), "%s", text);
	return v;
}

static void add(struct sum *sum, struct value v, int sign)
{
	ck_assert_int_eq(sum_add(sum, &v, sign, &mem), 0);
}

static const char *text_of(const struct value *v)
{
	static char text[TEXT];
	char scratch[VALUE_TEXT_MAX];
	const char *p;
	uint32_t n = v->type == V_NULL ? 0 : value_print(v, scratch, &p);
	snprintf(text, sizeof text, "%.*s", n ? (int)n : 4, n ? p : "NULL");
	return text;
}

static const char *value_of(const struct sum *sum)
{
	struct value v;
	ck_assert_int_eq(sum_value(sum, &v, &arena), 0);
	return text_of(&v);
}

/* The exact content. */
static void content(const struct sum *sum, char text[TEXT])
{
	struct buf buf;
	buf_init(&buf, &mem);
	sum_text(sum, &buf);
	ck_assert(!buf.failed);
	snprintf(text, TEXT, "%.*s", (int)buf.n, buf.p);
	buf_release(&buf);
}

static void same_content(const struct sum *a, const struct sum *b)
{
	char x[TEXT], y[TEXT];
	content(a, x);
	content(b, y);
	ck_assert_str_eq(x, y);
}

START_TEST(known_sums_of_decimals)
{
	FILE *file = suite_open("number/decimal_sums.tsv");
	struct suite_line line;
	int n = 0;
	for (; file && suite_next(file, &line); n++) {
		struct sum sum = { 0 };
		char *rest = line.field[0], *term;
		struct value least = value_null(), greatest = least;
		while ((term = strsep(&rest, ","))) {
			struct value v = number(term);
			add(&sum, v, 1);
			if (least.type == V_NULL || number_cmp(&v, &least) < 0)
				least = v;
			if (greatest.type == V_NULL || number_cmp(&v, &greatest) > 0)
				greatest = v;
		}
		ck_assert_str_eq(value_of(&sum), line.field[1]);
		ck_assert_str_eq(text_of(&least), line.field[2]);
		ck_assert_str_eq(text_of(&greatest), line.field[3]);
		sum_drop(&sum, &mem);
	}
	if (file) {
		fclose(file);
		ck_assert_int_ge(n, 120);
	}
}
END_TEST

START_TEST(order_split_and_detours_do_not_show)
{
	uint64_t state = 1;
	for (int i = 0; i < ROUNDS; i++) {
		struct value terms[TERMS];
		struct sum straight = { 0 }, mixed = { 0 }, part[2];
		memset(part, 0, sizeof part);
		unsigned n = 1 + (unsigned)numgen_below(&state, TERMS);
		int kind = i % 3;
		for (unsigned k = 0; k < n; k++) {
			terms[k] = kind == 0 ? numgen_decimal(&state) : kind == 1 ? numgen_double(&state) : numgen_any(&state);
			add(&straight, terms[k], 1);
		}
		for (unsigned k = n; k-- > 0;) { /* in random order, to one of two parts, with detours */
			unsigned at = (unsigned)numgen_below(&state, k + 1);
			struct value v = terms[at], detour = numgen_any(&state);
			terms[at] = terms[k];
			struct sum *to = &part[numgen_below(&state, 2)];
			add(to, detour, 1);
			add(to, v, 1);
			add(to, detour, -1);
		}
		ck_assert_int_eq(sum_merge(&mixed, &part[0], 1, &mem), 0);
		ck_assert_int_eq(sum_merge(&mixed, &part[1], 1, &mem), 0);
		same_content(&mixed, &straight);
		char text[TEXT];
		snprintf(text, sizeof text, "%s", value_of(&straight));
		ck_assert_str_eq(value_of(&mixed), text);
		/* and back to where it was */
		ck_assert_int_eq(sum_merge(&mixed, &part[1], -1, &mem), 0);
		same_content(&mixed, &part[0]);
		for (int k = 0; k < 2; k++)
			sum_drop(&part[k], &mem);
		sum_drop(&mixed, &mem);
		sum_drop(&straight, &mem);
		arena_reset(&arena);
	}
}
END_TEST

START_TEST(decimals_like_128_bits)
{
	uint64_t state = 2;
	for (int i = 0; i < ROUNDS; i++) {
		struct sum sum = { 0 };
		i128 model = 0;
		for (int k = 0; k < TERMS; k++) {
			struct value v = numgen_decimal(&state);
			int sign = numgen_below(&state, 2) ? 1 : -1;
			add(&sum, v, sign);
			model += sign * (i128)v.u.i * dec_pow10[DEC_SCALE_MAX - v.scale];
		}
		struct nat m;
		char digits[64], text[80];
		nat_set(&m, (u128)(model < 0 ? -model : model));
		int n = (int)nat_print(&m, digits), zeros = n > DEC_SCALE_MAX ? 0 : DEC_SCALE_MAX + 1 - n;
		n = snprintf(text, sizeof text, "%s%.*s%.*s", model < 0 ? "-" : "", zeros, "0000000000000000000", n, digits);
		memmove(text + n - DEC_SCALE_MAX + 1, text + n - DEC_SCALE_MAX, DEC_SCALE_MAX + 1);
		text[n - DEC_SCALE_MAX] = '.';
		for (char *end = text + n; *end == '0' || *end == '.'; *end-- = '\0')
			if (*end == '.') {
				*end = '\0';
				break;
			}
		ck_assert_str_eq(value_of(&sum), text);
		sum_drop(&sum, &mem);
		arena_reset(&arena);
	}
}
END_TEST

/* Terms are multiples of 2^-20 below 2^60, so that 128 bits hold any sum of them; converting from those rounds once. */
START_TEST(doubles_like_128_bits)
{
	uint64_t state = 3;
	for (int i = 0; i < ROUNDS; i++) {
		struct sum sum = { 0 };
		i128 model = 0;
		for (int k = 0; k < TERMS; k++) {
			int64_t m = (int64_t)numgen_next(&state) >> 11 >> numgen_below(&state, 53);
			unsigned shift = (unsigned)numgen_below(&state, 28);
			int sign = numgen_below(&state, 2) ? 1 : -1;
			struct value v = { .type = V_DBL, .u.d = ldexp((double)m, (int)shift - 20) };
			add(&sum, v, sign);
			model += (i128)sign * m * ((i128)1 << shift);
		}
		struct value got, avg;
		ck_assert_int_eq(sum_value(&sum, &got, &arena), 0);
		ck_assert(number_double(&got) == ldexp((double)model, -20));
		ck_assert_int_eq(sum_avg(&sum, 8, &avg, &arena), 0);
		ck_assert(number_double(&avg) == ldexp((double)model, -23));
		sum_drop(&sum, &mem);
	}
}
END_TEST

START_TEST(with_the_last_double_the_sum_is_decimal_again)
{
	struct sum sum = { 0 };
	add(&sum, number("9223372036854775807"), 1);
	add(&sum, number("0.5"), 1);
	ck_assert_str_eq(value_of(&sum), "9223372036854775807.5");
	add(&sum, number("1e300"), 1);
	add(&sum, number("1e-300"), 1);
	ck_assert_str_eq(value_of(&sum), "1e+300");
	add(&sum, number("1e300"), -1);
	ck_assert_str_eq(value_of(&sum), "9223372036854776000");
	add(&sum, number("9223372036854775807.5"), -1);
	ck_assert_str_eq(value_of(&sum), "-0.5"); /* that text was the double 2^63 */
	sum_drop(&sum, &mem);
	add(&sum, number("1.25"), 1);
	add(&sum, number("0e0"), 1);
	char text[TEXT];
	content(&sum, text);
	ck_assert_str_eq(text, "1.25 1 0 0");
	add(&sum, number("0e0"), -1);
	content(&sum, text);
	ck_assert_str_eq(text, "1.25");
	sum_drop(&sum, &mem);
	add(&sum, number("1.7e308"), 1);
	add(&sum, number("1.7e308"), 1);
	ck_assert_str_eq(value_of(&sum), "NULL");
	struct value avg;
	ck_assert_int_eq(sum_avg(&sum, 2, &avg, &arena), 0);
	ck_assert_str_eq(text_of(&avg), "1.7e+308");
	sum_drop(&sum, &mem);
}
END_TEST

START_TEST(averages)
{
	static const struct {
		const char *sum;
		int64_t n;
		const char *want;
	} cases[] = { { "8", 2, "4" },
		      { "1", 3, "0.333333" },
		      { "2", 3, "0.666667" },
		      { "-2", 3, "-0.666667" },
		      { "0.000001", 2, "0.000001" },
		      { "-0.000001", 2, "-0.000001" },
		      { "0.00000003", 2, "0.00000002" },
		      { "1e0", 3, "0.3333333333333333" },
		      { "0", 7, "0" },
		      { "9223372036854775807", 3, "3074457345618258602.333333" },
		      { "9223372036854775807", 1, "9223372036854775807" },
		      { "-9223372036854775808", INT64_MAX, "-1" },
		      { "0.000000000000000001", INT64_MAX, "0" } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (int wide = 0; wide < 2; wide++) { /* the narrow and the wide way agree */
			struct sum sum = { 0 };
			struct value avg;
			add(&sum, number(cases[i].sum), 1);
			for (int k = 0; k < 2 * wide; k++)
				add(&sum, number("9223372036854775807"), 1);
			for (int k = 0; k < 2 * wide; k++)
				add(&sum, number("9223372036854775807"), -1);
			ck_assert_int_eq(sum_avg(&sum, cases[i].n, &avg, &arena), 0);
			ck_assert_str_eq(text_of(&avg), cases[i].want);
			sum_drop(&sum, &mem);
		}
	}
}
END_TEST

/* Small numbers of one scale, whose variance is a quotient of two integers below 2^53: one division, one rounding. */
START_TEST(variances_like_integers)
{
	if (getenv("VALGRIND"))
		return; /* it computes long double in 64 bits, the model here needs 80 */
	uint64_t state = 4;
	for (int i = 0; i < ROUNDS; i++) {
		struct sum sum = { 0 }, squares = { 0 };
		bool doubles = i % 2;
		unsigned scale = doubles ? 0 : (unsigned)numgen_below(&state, 3);
		int64_t n = 1 + (int64_t)numgen_below(&state, 20), total = 0, total_squares = 0;
		for (int64_t k = 0; k < 2 * n; k++) { /* the first n are taken back */
			int64_t m = (int64_t)numgen_below(&state, 2001) - 1000;
			struct value v = doubles ? (struct value){ .type = V_DBL, .u.d = (double)m } : number_dec(m, scale);
			for (int sign = 1; sign >= (k < n ? -1 : 1); sign -= 2) {
				add(&sum, v, sign);
				ck_assert_int_eq(sum_add_square(&squares, &v, sign, &mem), 0);
			}
			total += k < n ? 0 : m;
			total_squares += k < n ? 0 : m * m;
		}
		for (int ddof = 0; ddof < 2; ddof++) {
			struct value var, root;
			ck_assert_int_eq(sum_var(&sum, &squares, n, ddof, false, &var), 0);
			ck_assert_int_eq(sum_var(&sum, &squares, n, ddof, true, &root), 0);
			if (n <= ddof) {
				ck_assert(var.type == V_NULL && root.type == V_NULL);
				continue;
			}
			double p = (double)(n * total_squares - total * total), q = (double)(n * (n - ddof) * dec_pow10[2 * scale]);
			ck_assert(number_double(&var) == p / q);
			long double want = sqrtl((long double)p / (long double)q);
			ck_assert(want == 0 ? root.u.d == 0 : fabsl(root.u.d - want) <= ldexpl(0.5L + 0x1p-10L, ilogbl(want) - 52));
		}
		sum_drop(&sum, &mem);
		sum_drop(&squares, &mem);
	}
}
END_TEST

START_TEST(variance_of_extremes)
{
	static const struct {
		const char *a, *b, *var;
	} cases[] = { { "1000000000.1", "1000000000.3", "0.02" },
		      { "1e150", "-1e150", "1.9999999999999998e+300" },
		      { "1e200", "0", "NULL" },
		      { "9223372036854775807", "9223372036854775805", "2" },
		      { "0.000000000000000001", "0.000000000000000003", "2e-36" },
		      { "9223372036854775807", "0.000000000000000001", "4.253529586511731e+37" },
		      { "5e-324", "1.7976931348623157e308", "NULL" },
		      { "1e-200", "3e-200", "0" },
		      { "1e-150", "3e-150", "2.0000000000000004e-300" } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sum sum = { 0 }, squares = { 0 };
		struct value a = number(cases[i].a), b = number(cases[i].b), var;
		add(&sum, a, 1);
		add(&sum, b, 1);
		ck_assert_int_eq(sum_add_square(&squares, &a, 1, &mem), 0);
		ck_assert_int_eq(sum_add_square(&squares, &b, 1, &mem), 0);
		ck_assert_int_eq(sum_var(&sum, &squares, 2, 1, false, &var), 0);
		ck_assert_str_eq(text_of(&var), cases[i].var);
		sum_drop(&sum, &mem);
		sum_drop(&squares, &mem);
	}
}
END_TEST

START_TEST(sums_of_sums)
{
	struct sum sum = { 0 }, sums = { 0 }, squares = { 0 };
	for (int i = 0; i < 4; i++)
		add(&sum, number("9223372036854775807"), 1);
	add(&sum, number("0.25"), 1);
	struct value big;
	ck_assert_int_eq(sum_value(&sum, &big, &arena), 0);
	ck_assert_int_eq(big.type, V_BIG);
	ck_assert_str_eq(text_of(&big), "36893488147419103228.25");
	add(&sums, big, 1);
	add(&sums, big, 1);
	ck_assert_str_eq(value_of(&sums), "73786976294838206456.5");
	ck_assert_int_eq(sum_add_square(&squares, &big, 1, &mem), 0);
	ck_assert_str_eq(value_of(&squares), "1361129467683753853576797268621429571598.0625");
	ck_assert_int_eq(sum_add_square(&squares, &big, -1, &mem), 0);
	ck_assert_str_eq(value_of(&squares), "0");
	big.u.p = "0.1234567890123456789"; /* no sum gives such a thing */
	big.len = 21;
	ck_assert_int_eq(sum_add(&sums, &big, 1, &mem), -1);
	ck_assert_str_eq(value_of(&sums), "73786976294838206456.5");
	sum_drop(&sum, &mem);
	sum_drop(&sums, &mem);
	sum_drop(&squares, &mem);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sum");
	TCase *tcase = tcase_create("all");
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, known_sums_of_decimals);
	tcase_add_test(tcase, order_split_and_detours_do_not_show);
	tcase_add_test(tcase, decimals_like_128_bits);
	tcase_add_test(tcase, doubles_like_128_bits);
	tcase_add_test(tcase, with_the_last_double_the_sum_is_decimal_again);
	tcase_add_test(tcase, averages);
	tcase_add_test(tcase, variances_like_integers);
	tcase_add_test(tcase, variance_of_extremes);
	tcase_add_test(tcase, sums_of_sums);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
