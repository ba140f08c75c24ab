/* Every function by example; what random values can check is in t_text_model.c. */
#include "unit/exprs.h"

#include <xxhash.h>

#include "ops/expr/func.h"

static const char *const examples[][2] = {
	{ "lower('ABC xyz @[`{ É')", "abc xyz @[`{ É" },
	{ "upper('abcdefghijklmnopqrstuvwxyz @[`{ é')", "ABCDEFGHIJKLMNOPQRSTUVWXYZ @[`{ é" },
	{ "lower('')", "" },
	{ "length('日本')", "2" },
	{ "length(\"\\xff\\xc3\")", "2" },
	{ "substr('hello', 2, 3)", "ell" },
	{ "substr('hello', 0)", "hello" },
	{ "substr('hello', -1, 3)", "h" },
	{ "substr('hello', 2, -1)", "NULL" },
	{ "substr('hello', 1.5)", "NULL" },
	{ "substr('hello', 9223372036854775807, 9223372036854775807)", "" },
	{ "substr('hello', -9223372036854775807, 9223372036854775807)", "" },
	{ "substr('日本語', 2, 1)", "本" },
	{ "trim('  a b  ')", "a b" },
	{ "trim('xyaxy', 'yx')", "a" },
	{ "trim('éaé', 'é')", "a" },
	{ "trim('aaa', 'a')", "" },
	{ "trim('a', '')", "a" },
	{ "ltrim('  a ')", "a " },
	{ "ltrim('xxax', 'x')", "ax" },
	{ "rtrim('  a ')", "  a" },
	{ "rtrim('xaxx', 'x')", "xa" },
	{ "replace('a.b.c', '.', '')", "abc" },
	{ "replace('aaa', 'aa', 'b')", "ba" },
	{ "replace('abc', 'abc', '')", "" },
	{ "replace('2026-11-29', /(\\d+)-(\\d+)-(\\d+)/, '\\3.\\2.\\1')", "29.11.2026" },
	{ "replace('abc', /b*/, '-')", "-a--c-" },
	{ "replace('baac', /a*/, '-')", "-b--c-" },
	{ "replace('', /^/, 'x')", "x" },
	{ "replace('aXbx', /x/i, '')", "ab" },
	{ "replace('abc', /(x)?b/, '[\\1]')", "a[]c" },
	{ "replace('abc', /b/, '\\\\\\0\\9\\n\\')", "a\\b\\n\\c" },
	{ "replace('日本', /x*/, '.')", ".日.本." },
	{ "replace('abc', /a\\Kb/, 'x')", "axc" },
	{ "extract('10.0.0.1', /(\\d+)\\.(\\d+)/)", "10" },
	{ "extract('10.0.0.1', /\\d+\\.\\d+/)", "10.0" },
	{ "extract('10.0.0.1', /(\\d+)\\.(\\d+)/, 2)", "0" },
	{ "extract('10.0.0.1', /(\\d+)\\.(\\d+)/, 0)", "10.0" },
	{ "extract('b', /(a)|b/)", "NULL" },
	{ "extract('c', /(a)|b/)", "NULL" },
	{ "extract('x=1', 'x=(.)')", "1" },
	{ "split('a,b,c', ',', 1)", "a" },
	{ "split('a,b,c', ',', 3)", "c" },
	{ "split('a,b,c', ',', 4)", "" },
	{ "split('a,b,c', ',', -1)", "c" },
	{ "split('a,b,c', ',', -3)", "a" },
	{ "split('a,b,c', ',', -4)", "" },
	{ "split('a,b,c', ',', 0)", "NULL" },
	{ "split('a--b', '--', 2)", "b" },
	{ "split('aaa', 'aa', -1)", "a" },
	{ "split('abc', '', 1)", "abc" },
	{ "split('abc', '', 2)", "" },
	{ "concat('a', 1.50, true, null)", "a1.5true" },
	{ "concat(null)", "" },
	{ "'a' || 1.50 || true", "a1.5true" },
	{ "starts_with('abc', 'ab')", "true" },
	{ "starts_with('abc', 'abcd')", "false" },
	{ "starts_with('abc', '')", "true" },
	{ "starts_with(null, '')", "NULL" },
	{ "ends_with('abc', 'bc')", "true" },
	{ "ends_with('abc', 'ab')", "false" },
	{ "contains('abc', 'b')", "true" },
	{ "contains('abc', 'cb')", "false" },
	{ "contains('abc', '')", "true" },
	{ "json('{\"a\":{\"b\":[1.50,\"x\\n\"]}}', 'a.b[0]')", "1.50" },
	{ "json('{\"a\":{\"b\":[1.50,\"x\"]}}', 'a.b[-1]')", "x" },
	{ "json('{\"a\":{\"b\":[1.50,\"x\"]}}', 'a.b')", "[1.50,\"x\"]" },
	{ "json('{\"a.b\":1,\"a\":{\"b\":2}}', 'a.b')", "1" },
	{ "json('[[7]]', '[0][0]') + 1", "8" },
	{ "json('{\"a b\":null}', '{a b}')", "NULL" },
	{ "json('{\"a\":1', 'a')", "NULL" },
	{ "json(null, 'a')", "NULL" },
	{ "json('[true]', '[0]')", "true" },
	{ "coalesce(null, 2, 3)", "2" },
	{ "if(null, 1, 2)", "2" },
	{ "nullif(1, 1.0)", "NULL" },
	{ "nullif(1, 2)", "1" },
	{ "nullif(1, null)", "1" },
	{ "nullif(null, 1)", "NULL" },
	{ "abs(-9223372036854775807)", "9223372036854775807" },
	{ "abs(-1.5e300)", "1.5e+300" },
	{ "floor(-0.5)", "-1" },
	{ "ceil(-0.5)", "0" },
	{ "round(2.5)", "3" },
	{ "round(-2.5)", "-3" },
	{ "round(1234.5, -2)", "1200" },
	{ "round(1, 9999999999)", "1" },
	{ "round(12345, -9999999999)", "0" },
	{ "round(1.5, 0.5)", "NULL" },
	{ "sign(-0.1)", "-1" },
	{ "sign(0)", "0" },
	{ "sign(1e300)", "1" },
	{ "sqrt(16)", "4" },
	{ "sqrt(2)", "1.4142135623730951" },
	{ "sqrt(-1)", "NULL" },
	{ "ln(1)", "0" },
	{ "ln(0)", "NULL" },
	{ "log10(1000)", "3" },
	{ "log10(-1)", "NULL" },
	{ "exp(0)", "1" },
	{ "exp(1000)", "NULL" },
	{ "pow(2, 10)", "1024" },
	{ "pow(2, 62)", "4611686018427387904" },
	{ "pow(2, 64)", "18446744073709552000" },
	{ "pow(1.1, 2)", "1.21" },
	{ "pow(-1, 9223372036854775807)", "-1" },
	{ "pow(2, -1)", "0.5" },
	{ "pow(0, -1)", "NULL" },
	{ "pow(-8, 0.5)", "NULL" },
	{ "pow(0, 0)", "1" },
	{ "least(3, null, 1.5)", "1.5" },
	{ "least('b', 'a')", "a" },
	{ "least(null, null)", "NULL" },
	{ "greatest(3, null, 1.5)", "3" },
	{ "greatest('10', '9')", "9" },
	{ "number(' -.5 ')", "-0.5" },
	{ "number('0x10')", "NULL" },
	{ "number('1e400')", "NULL" },
	{ "number(null)", "NULL" },
	{ "text(1.50)", "1.5" },
	{ "text(true)", "true" },
	{ "text('x')", "x" },
	{ "text(1e21)", "1e+21" },
	{ "hash(null) = hash(null)", "true" },
	{ "iso('2026-11-29')", "2026-11-29T00:00:00Z" },
	{ "iso('2026-11-29T10:00:00.250+01:00')", "2026-11-29T09:00:00.250Z" },
	{ "iso('10/Oct/2000:13:55:36 -0700')", "2000-10-10T20:55:36Z" },
	{ "strftime('2026-11-29 10:05', '%d.%m.%Y %H:%M')", "29.11.2026 10:05" },
	{ "strftime('2026-11-29', '')", "" },
	{ "date('2026-11-29 23:59:59')", "2026-11-29T00:00:00Z" },
	{ "date('1969-12-31 00:00:01')", "1969-12-31T00:00:00Z" },
	{ "floor_time('2026-11-29 10:07:08', 5m)", "2026-11-29T10:05:00Z" },
	{ "floor_time('2026-11-29 10:07:08', 1d)", "2026-11-29T00:00:00Z" },
	{ "floor_time('2026-11-29 10:07:08', 1w)", "2026-11-23T00:00:00Z" },
	{ "floor_time('2026-11-30', 7d)", "2026-11-30T00:00:00Z" },
	{ "floor_time('2026-11-29 10:07:08.9', 500ms + 500ms)", "2026-11-29T10:07:08Z" },
	{ "floor_time('1969-12-31 23:59:59', 1h)", "1969-12-31T23:00:00Z" },
	{ "hour('2026-11-29 23:05:06')", "23" },
	{ "minute('2026-11-29 23:05:06')", "5" },
	{ "day('2026-11-29')", "29" },
	{ "month('2026-11-29')", "11" },
	{ "year('2026-11-29')", "2026" },
	{ "weekday('2026-11-29')", "7" },
	{ "weekday('2026-11-30')", "1" },
	{ "weekday('1969-12-31')", "3" },
	{ "epoch('1970-01-02 00:00:01.5')", "86401.5" },
	{ "epoch('1969-12-31 23:59:59.999')", "-0.001" },
	{ "epoch_ms('1970-01-02 00:00:01.5')", "86401500" },
	{ "url_path('http://a.example/b/c?d=1#e')", "/b/c" },
	{ "url_host('https://me@A.example:8080/b')", "a.example" },
	{ "url_query('/a?b=1&c=x%20y', 'c')", "x y" },
	{ "ip_in('10.1.2.3', \"10.0.0.0/8\")", "true" },
	{ "ip_net('10.1.2.3', 16)", "10.1.0.0/16" },
	/* times among operators and other functions */
	{ "text(date('2026-11-29'))", "2026-11-29T00:00:00Z" },
	{ "'x' || date('2026-11-29')", "x2026-11-29T00:00:00Z" },
	{ "concat(null, date('2026-11-29'), '.')", "2026-11-29T00:00:00Z." },
	{ "hash(date('1970-01-02')) = hash(86400000)", "true" }, /* as a key: by the digits of its ms */
	{ "date('2026-11-29') - '2026-11-28 23:00'", "3600000" },
	{ "'2026-11-29' - date('2026-11-30')", "-86400000" },
	{ "date('2026-11-29') + 90m", "2026-11-29T01:30:00Z" },
	{ "90m + date('2026-11-29')", "2026-11-29T01:30:00Z" },
	{ "date('2026-11-29') - 1d", "2026-11-28T00:00:00Z" },
	{ "date('2026-11-29') + 1h / 7", "2026-11-29T00:08:34.285Z" },
	{ "date('2026-11-29') - 1us", "2026-11-28T23:59:59.999Z" },
	{ "date('2026-11-29') + 1us * 1e-9", "2026-11-29T00:00:00Z" },
	{ "date('2026-11-29') + 1d * 1e9", "NULL" },
	{ "date('2026-11-29') - 1d * 1e300", "NULL" },
	{ "date('2026-11-29') + 1d * 9e15", "NULL" },
	{ "date('2026-11-29') - null", "NULL" },
	{ "date('2026-11-29') = '2026-11-29T01:00:00+01:00'", "true" },
	{ "date('2026-11-29') < '2026-11-29 00:00:00.001'", "true" },
	{ "date('2026-11-29') <> null", "NULL" },
	{ "date('2026-11-29') between '2026-11-28' and '2026-11-29'", "true" },
	{ "date('2026-11-29') in ('2026-11-28', null)", "NULL" },
	{ "'2026-11-29' in (date('2026-11-29'), null)", "true" },
	{ "coalesce(null, date('2026-11-29'), '2026-11-30')", "2026-11-29T00:00:00Z" },
	{ "if(true, '2026-11-29', date('2026-11-30'))", "2026-11-29T00:00:00Z" },
	{ "greatest('2026-11-29 10:00', date('2026-11-29'), null)", "2026-11-29T10:00:00Z" },
	{ "least('2026-11-29 10:00', date('2026-11-29'), null)", "2026-11-29T00:00:00Z" },
	{ "nullif(date('2026-11-29'), '2026-11-29')", "NULL" },
	{ "nullif(date('2026-11-29'), '2026-11-30')", "2026-11-29T00:00:00Z" },
	{ "hour(concat('2026-11-29', ' 10:00'))", "10" },
};

/* What goes by the clock is no constant, even where all arguments are; a[0], a[1] and when it is. */
static const struct {
	const char *text, *a, *want;
	int64_t now;
} clocked[] = {
	{ "now()", NULL, "1970-01-01T00:00:00.007Z", 7 },
	{ "now() - date(now())", NULL, "7", 7 },
	{ "strptime('29.11.2026', '%d.%m.%Y')", NULL, "2026-11-29T00:00:00Z", 0 },
	{ "strptime(a, '%d/%b/%Y:%H:%M:%S')", "29/Nov/2026:10:11:12", "2026-11-29T10:11:12Z", 0 },
	{ "strptime(a, '%Y-%m-%d')", "2026-11-29x", "NULL", 0 },
	{ "strptime(a, '%Y-%m-%d')", NULL, "NULL", 0 },
	{ "strptime(a, '%b %d') - rowtime", "Nov 29", "NULL", INT64_C(1795996800000) },
	{ "strptime(a, '%b %d')", "Nov 29", "2026-11-29T00:00:00Z", INT64_C(1795996800000) },
	{ "strptime('Nov 29', '%b %d')", NULL, "2026-11-29T00:00:00Z", INT64_C(1795996800000) },
};

START_TEST(test_examples)
{
	char got[1000];
	for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
		const char *result = exprs_constant(examples[i][0], got);
		ck_assert_msg(!strcmp(result, examples[i][1]), "%s: %s, not %s", examples[i][0], result, examples[i][1]);
	}
}
END_TEST

START_TEST(test_clock)
{
	for (size_t i = 0; i < sizeof clocked / sizeof clocked[0]; i++) {
		struct exprs x;
		char got[100];
		exprs_open(&x);
		struct value a = raw(clocked[i].a), *out;
		x.col[COL_A].v = &a;
		x.batch.n = 1;
		x.batch.now = clocked[i].now;
		struct expr *expr = exprs_bound(&x, clocked[i].text);
		ck_assert(!expr_constant(expr, &a));
		ck_assert_int_eq(expr_eval(expr, &x.batch, &out), 0);
		const char *result = shown(out, got);
		ck_assert_msg(!strcmp(result, clocked[i].want), "%s: %s, not %s", clocked[i].text, result, clocked[i].want);
		exprs_close(&x);
	}
}
END_TEST

/* The table: every function has an example, a usage that begins with its name, types that parse, one way to run. */
START_TEST(test_table)
{
	for (const struct func *func = functions; func->name; func++) {
		char call[40];
		size_t len = (size_t)snprintf(call, sizeof call, "%s(", func->name);
		bool shown_once = false;
		for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
			shown_once = shown_once || !strncmp(examples[i][0], call, len);
		for (size_t i = 0; i < sizeof clocked / sizeof clocked[0]; i++)
			shown_once = shown_once || !strncmp(clocked[i].text, call, len);
		ck_assert_msg(shown_once, "%s has no example", func->name);
		ck_assert_int_eq(strncmp(func->usage, call, len), 0);
		ck_assert_uint_gt(strlen(func->help), 0);
		ck_assert_uint_le(func->min, func->max);
		ck_assert_int_eq(!!func->values + !!func->truth + !!func->bind, 1);
		ck_assert_ptr_eq(function_find(func->name, strlen(func->name)), func);
		if (func->bind)
			continue;
		const char *result = strchr(func->types, '>');
		ck_assert_ptr_nonnull(result);
		ck_assert_int_eq(result > func->types, func->max > 0);
		ck_assert_uint_eq(strspn(func->types, "ntbpvxam"), (size_t)(result - func->types));
		ck_assert_uint_eq(strspn(result + 1, "ntbxm"), 1);
		ck_assert_int_eq(func->truth != NULL, result[1] == 'b');
	}
	ck_assert_ptr_null(function_find("lowe", 4));
	ck_assert_ptr_null(function_find("LOWER", 5));
}
END_TEST

/* NULL in any place gives NULL, but for the functions that are about NULL. */
START_TEST(test_null)
{
	static const char *const cases[] = {
		"lower(null)", "length(null)", "substr(null, 1)", "substr('x', null)", "substr('x', 1, null)", "trim(null)", "trim('x', null)", "ltrim(null, 'x')",
		"rtrim('x', null)", "replace(null, 'a', 'b')", "replace('a', null, 'b')", "replace('b', 'a', null)", "replace(null, /a/, 'b')", "replace('b', /a/, null)",
		"extract(null, /a/)", "extract('a', /a/, null)", "split(null, ',', 1)", "split('a', null, 1)", "split('a', ',', null)", "starts_with('a', null)",
		"ends_with(null, 'a')", "contains('a', null)", "abs(null)", "floor(null)", "ceil(null)", "round(null)", "round(1, null)", "sign(null)", "sqrt(null)", "ln(null)",
		"log10(null)", "exp(null)", "pow(null, 1)", "pow(1, null)", "number(null)", "text(null)", "'a' || null", "1 + null", "strftime(null, '%Y')", "iso(null)",
		"date(null)", "floor_time(null, 1h)", "hour(null)", "minute(null)", "day(null)", "month(null)", "year(null)",
		"weekday(null)", "epoch(null)", "epoch_ms(null)", "url_path(null)", "url_host(null)", "url_query(null, 'a')", "url_query('?a', null)",
		"ip_in(null, '10.0.0.0/8')", "ip_in('10.0.0.1', null)", "ip_net(null, 8)", "ip_net('10.0.0.1', null)",
		"date(null) || 'a'", "date(null) - date('2026-11-29')", "date(null) + 1h", "date(null) < '2026-11-29'", "null like 'a'", "'a' like null", "null =~ /a/",
	};
	char got[1000];
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ck_assert_msg(!strcmp(exprs_constant(cases[i], got), "NULL"), "%s: %s", cases[i], got);
}
END_TEST

START_TEST(test_regex)
{
	static const char *const cases[][2] = {
		{ "'aB' =~ /ab/i", "true" },
		{ "\"a\\nb\" =~ /^b/", "false" },
		{ "\"a\\nb\" =~ /^b/m", "true" },
		{ "\"a\\nb\" =~ /a.b/", "false" },
		{ "\"a\\nb\" =~ /a.b/s", "true" },
		{ "'ab' =~ / a b /x", "true" },
		{ "'É' =~ /é/i", "true" },
		{ "'é' =~ /^.$/", "true" },
		{ "'/x' =~ /^\\/x$/", "true" },
		{ "'a.b' =~ 'a.b'", "true" },
		{ "'axb' !~ 'a\\.b'", "true" },
		/* bytes that are not UTF-8: the rest still matches, they do not */
		{ "\"\\xc3(x\" =~ /x/", "true" },
		{ "\"\\xff\" =~ /./", "false" },
		{ "replace(\"a\\xffb\", /[ab]/, '-') = \"-\\xff-\"", "true" },
		/* the interpreter, for patterns and machines without machine code */
		{ "extract('xaab', '(*NO_JIT)(a+)b')", "aa" },
		{ "\"\\xc3(x\" =~ '(*NO_JIT)x'", "true" },
		{ "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' =~ '(*NO_JIT)(a+)+$'", "NULL" },
		/* a match that takes too long is unknown */
		{ "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' =~ /(a+)+$/", "NULL" },
		{ "extract('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', /(a+)+$/)", "NULL" },
		{ "replace('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', /(a+)+$/, '')", "NULL" },
	};
	char got[1000];
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ck_assert_msg(!strcmp(exprs_constant(cases[i][0], got), cases[i][1]), "%s: %s", cases[i][0], got);
}
END_TEST

static int64_t hash_of(const char *bytes, size_t n) { return (int64_t)(XXH3_64bits(bytes, n) & INT64_MAX); }

/* hash as documented, over bytes written by hand; the fixed numbers guard against a change of the library. */
START_TEST(test_hash)
{
	struct exprs x;
	exprs_open(&x);
	char *big = calloc(1, 1000);
	ck_assert_ptr_nonnull(big);
	struct value a[4] = { raw("user1"), value_null(), raw(""), value_raw(big + 10, 300) }, b[4] = { raw("x"), raw("y"), value_null(), raw("") }, *out;
	struct value n[4] = { value_int(7), value_null(), value_int(-1), value_int(12) };
	x.col[COL_A].v = a;
	x.col[COL_B].v = b;
	x.col[COL_N].v = n;
	x.batch.n = 4;
	ck_assert_int_eq(expr_eval(exprs_bound(&x, "hash(a)"), &x.batch, &out), 0);
	ck_assert_int_eq(out[0].u.i, hash_of("user1", 5));
	ck_assert_int_eq(out[1].u.i, hash_of("", 1));
	ck_assert_int_eq(out[2].u.i, hash_of("", 0));
	ck_assert_int_eq(out[3].u.i, hash_of(big + 10, 300));
	ck_assert_int_eq(out[2].u.i, 0x2d06800538d394c2); /* XXH3 of nothing, as its authors publish it */
	ck_assert_int_eq(out[0].u.i, 8068371362389601948);
	ck_assert_int_eq(expr_eval(exprs_bound(&x, "hash(a, b, n)"), &x.batch, &out), 0);
	ck_assert_int_eq(out[0].u.i, hash_of("\6user1\2x\0027", 10));
	ck_assert_int_eq(out[1].u.i, hash_of("\0\2y\0", 4));
	ck_assert_int_eq(out[2].u.i, hash_of("\1\0\3-1", 5));
	memcpy(big, "\xff\x2d\x01\0\0", 5); /* 301 */
	memmove(big + 5, big + 10, 300);
	memcpy(big + 305, "\1\00312", 4);
	ck_assert_int_eq(out[3].u.i, hash_of(big, 309));
	free(big);
	exprs_close(&x);
}
END_TEST

/* VF_CLEAN goes from the arguments to what is made of them, and only if all have it. */
START_TEST(test_clean)
{
	struct exprs x;
	exprs_open(&x);
	struct value a[2] = { raw("Ab"), raw("A\tb") }, *out;
	a[0].flags = VF_CLEAN;
	x.col[COL_A].v = a;
	x.batch.n = 2;
	static const char *const keep[] = { "lower(a)", "upper(a)", "substr(a, 1)", "trim(a)", "split(a, ',', 1)", "replace(a, 'A', 'c')", "replace(a, 'z', 'c')",
					    "extract(a, /.+/s)", "a || 1 || 'x'", "concat(a, true)", "text(a)", "a || now()" };
	for (size_t i = 0; i < sizeof keep / sizeof keep[0]; i++) {
		ck_assert_int_eq(expr_eval(exprs_bound(&x, keep[i]), &x.batch, &out), 0);
		ck_assert_msg(out[0].flags & VF_CLEAN, "%s", keep[i]);
		ck_assert_msg(!(out[1].flags & VF_CLEAN), "%s", keep[i]);
	}
	ck_assert_int_eq(expr_eval(exprs_bound(&x, "a || '\t'"), &x.batch, &out), 0);
	ck_assert(!(out[0].flags & VF_CLEAN));
	ck_assert_int_eq(expr_eval(exprs_bound(&x, "replace(a, 'A', '\\')"), &x.batch, &out), 0);
	ck_assert(!(out[0].flags & VF_CLEAN));
	exprs_close(&x);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_examples, test_clock, test_table, test_null, test_regex, test_hash, test_clean };
	return RUN_TESTS("functions", tests);
}
