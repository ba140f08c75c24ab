/* core/value: how values print, the total order, sameness, copies. */
#include <check.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"

static struct value raw(const char *text)
{
	return value_raw(text, (uint32_t)strlen(text));
}

static struct value text(const char *bytes)
{
	return value_text(bytes, (uint32_t)strlen(bytes));
}

static struct value big(const char *digits)
{
	return (struct value){ .type = V_BIG, .len = (uint32_t)strlen(digits), .u.p = digits };
}

static struct value row(const struct value *fields, uint32_t n)
{
	return (struct value){ .type = V_ROW, .len = n, .u.row = fields };
}

START_TEST(printing)
{
	const struct {
		struct value v;
		const char *want;
	} cases[] = { { value_null(), "" },
		      { value_bool(true), "true" },
		      { value_bool(false), "false" },
		      { number_dec(-374, 2), "-3.74" },
		      { number_from_double(1e21), "1e+21" },
		      { number_from_double(-1.5e-7), "-1.5e-7" },
		      { value_time(1793491202764), "2026-11-01T00:00:02.764Z" },
		      { value_time(0), "1970-01-01T00:00:00Z" },
		      { value_time(-1), "1969-12-31T23:59:59.999Z" },
		      { raw("007"), "007" },
		      { text(""), "" },
		      { big("18446744073709551616"), "18446744073709551616" },
		      { value_int(INT64_MIN), "-9223372036854775808" },
		      { number_dec(1, 18), "0.000000000000000001" } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char scratch[VALUE_TEXT_MAX];
		const char *p;
		uint32_t n = value_print(&cases[i].v, scratch, &p);
		ck_assert_msg(n == strlen(cases[i].want) && memcmp(p, cases[i].want, n) == 0, "%s: %.*s", cases[i].want, (int)n, p);
	}
}
END_TEST

START_TEST(keys_are_what_is_printed_but_of_times)
{
	const struct value cases[] = { value_null(), value_bool(true), number_dec(-374, 2), raw("007"), big("18446744073709551616") };
	char scratch[VALUE_TEXT_MAX], other[VALUE_TEXT_MAX];
	const char *p, *q;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t n = value_key(&cases[i], scratch, &p);
		ck_assert(value_print(&cases[i], other, &q) == n && memcmp(p, q, n) == 0);
	}
	struct value time = value_time(-1793491202764);
	ck_assert_uint_eq(value_key(&time, scratch, &p), 14);
	ck_assert(memcmp(p, "-1793491202764", 14) == 0);
}
END_TEST

START_TEST(the_total_order)
{
	struct value one[] = { raw("1"), raw("b") }, two[] = { raw("1.0"), raw("c") };
	/* ascending; groups of equals are closed by a row of their own */
	const struct value sorted[][3] = {
		{ value_null(), value_null(), value_null() },
		{ value_bool(false), value_bool(false), value_bool(false) },
		{ value_bool(true), value_bool(true), value_bool(true) },
		{ raw("-1e300"), number_from_double(-1e300), number_from_double(-1e300) },
		{ raw("-9223372036854775809"), number_from_double(-0x1p63), value_int(INT64_MIN) },
		{ raw("-0"), value_int(0), raw(" .0 ") },
		{ raw("0.1"), number_dec(1, 1), raw("0.10") },
		{ number_from_double(0.1), raw("1e-1"), raw("1.0e-1") }, /* a little more than a tenth */
		{ raw("007"), value_int(7), value_time(7) },
		{ value_time(8), value_int(8), raw("8") },
		{ raw("9007199254740992"), number_from_double(0x1p53), raw("9007199254740992.0") },
		{ raw("9007199254740993"), value_int(9007199254740993), big("9007199254740993") },
		{ big("18446744073709551616"), number_from_double(0x1p64), raw("18446744073709551616") },
		{ big("18446744073709551616.5"), big("18446744073709551616.5"), big("18446744073709551616.5") },
		{ raw(""), text(""), raw("") },
		{ text("10"), text("10"), text("10") }, /* a text for sure is no number */
		{ text("9"), text("9"), text("9") },
		{ raw("a"), text("a"), raw("a") },
		{ raw("ab"), text("ab"), raw("ab") },
		{ raw("nan"), text("nan"), raw("nan") },
		{ raw("\xff"), text("\xff"), raw("\xff") },
		{ row(one, 1), row(two, 1), row(one, 1) },
		{ row(one, 2), row(one, 2), row(one, 2) },
		{ row(two, 2), row(two, 2), row(two, 2) },
	};
	size_t n = sizeof sorted / sizeof *sorted;
	for (size_t i = 0; i < 3 * n; i++)
		for (size_t k = 0; k < 3 * n; k++) {
			int want = (i / 3 > k / 3) - (i / 3 < k / 3), got = value_order(&sorted[i / 3][i % 3], &sorted[k / 3][k % 3]);
			ck_assert_msg(got == want, "group %zu, %zu against group %zu, %zu: %d", i / 3, i % 3, k / 3, k % 3, got);
			ck_assert(want >= 0 || value_prefix(&sorted[i / 3][i % 3]) <= value_prefix(&sorted[k / 3][k % 3]));
		}
	for (size_t i = 0; i < 3 * n; i++) {
		uint64_t prefix = value_prefix(&sorted[i / 3][i % 3]);
		ck_assert((prefix == 0) == (i < 3) && prefix != UINT64_MAX);
	}
	ck_assert_uint_lt(value_prefix(&sorted[1][0]), value_prefix(&sorted[2][0])); /* it tells short values apart */
	ck_assert_uint_lt(value_prefix(&sorted[17][0]), value_prefix(&sorted[18][0]));
}
END_TEST

START_TEST(order_and_number_agree)
{
	uint64_t state = 1;
	for (int i = 0; i < 100000; i++) {
		struct value a = numgen_any(&state), b = numgen_any(&state);
		char p[VALUE_TEXT_MAX], q[VALUE_TEXT_MAX];
		struct value x = value_raw(p, number_print(&a, p)), y = value_raw(q, number_print(&b, q)), read;
		ck_assert_int_eq(value_order(&a, &b), number_cmp(&a, &b));
		ck_assert(number_cmp(&a, &b) > 0 || value_prefix(&a) <= value_prefix(&b));
		/* as text a double may stand for a decimal next to it, which is the number then */
		ck_assert(number_of(&x, &read));
		ck_assert_int_eq(value_order(&x, &read), 0);
		ck_assert_int_eq(value_order(&x, &y), -value_order(&y, &x));
		ck_assert(value_same(&a, &x) && value_same(&x, &a) && value_same(&a, &a));
		ck_assert(!value_same(&a, &b) || number_cmp(&a, &b) == 0 || a.type != b.type);
	}
}
END_TEST

START_TEST(sameness_is_by_bytes)
{
	struct value seven = value_int(7), seven_double = number_from_double(7), texts[] = { raw("7"), text("7"), raw("007"), raw(""), raw("true") };
	struct value null = value_null(), yes = value_bool(true), empty = text(""), time = value_time(7), later = value_time(8), iso = raw("1970-01-01T00:00:00.007Z");
	ck_assert(value_same(&texts[0], &texts[1]));
	ck_assert(value_same(&seven, &texts[0]) && value_same(&seven, &seven_double) && value_same(&time, &texts[1]));
	ck_assert(!value_same(&texts[0], &texts[2]) && !value_same(&seven, &texts[2]));
	ck_assert(value_same(&texts[3], &empty) && !value_same(&null, &empty) && !value_same(&empty, &null));
	ck_assert(value_same(&null, &null) && value_same(&yes, &texts[4]));
	ck_assert(value_same(&time, &time) && !value_same(&time, &later) && !value_same(&time, &iso)); /* by ms, not as it prints */
	struct value half = number_dec(5, 1), five = value_int(5);
	ck_assert(!value_same(&half, &five));
	struct value a[] = { raw("1"), null }, b[] = { text("1"), null }, c[] = { raw("1"), empty }, r[] = { row(a, 2), row(b, 2), row(c, 2), row(a, 1) };
	ck_assert(value_same(&r[0], &r[1]) && !value_same(&r[0], &r[2]) && !value_same(&r[0], &r[3]) && !value_same(&r[0], &seven));
}
END_TEST

START_TEST(copies_stand_alone)
{
	struct mem mem = { 0 };
	struct arena arena;
	arena_init(&arena, &mem);
	char bytes[] = "a\0b";
	struct value inner[] = { value_raw(bytes, 3), value_null(), number_dec(374, 2) },
		     outer[] = { row(inner, 3), value_text(bytes, 0), big("18446744073709551616") };
	struct value from = row(outer, 3), to = value_int(1);
	inner[0].flags = VF_CLEAN;
	for (uint64_t fail = 1;; fail++) {
		arena_release(&arena);
		mem.fail_at = mem.requests + fail;
		int failed = value_copy(&to, &from, &arena);
		mem.fail_at = 0;
		if (!failed)
			break;
		ck_assert(to.type == V_DEC && to.u.i == 1);
	}
	ck_assert(value_same(&to, &from));
	ck_assert_int_eq(to.u.row[0].u.row[0].flags, VF_CLEAN);
	bytes[0] = 'x';
	ck_assert(memcmp(to.u.row[0].u.row[0].u.p, "a\0b", 3) == 0);
	ck_assert(!value_same(&to, &from));
	arena_release(&arena);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		printing, keys_are_what_is_printed_but_of_times, the_total_order, order_and_number_agree, sameness_is_by_bytes, copies_stand_alone,
	};
	return RUN_TESTS("value", tests);
}
