/* Binding: types, names, errors, needs. */
#include "unit/exprs.h"


START_TEST(test_types)
{
	static const struct {
		const char *text;
		enum type type;
	} cases[] = {
		{ "null", T_NULL },
		{ "true", T_BOOL },
		{ "1", T_NUMBER },
		{ "1h", T_DURATION },
		{ "'x'", T_TEXT },
		{ "a", T_RAW },
		{ "n", T_NUMBER },
		{ "t", T_TEXT },
		{ "c3", T_RAW },
		{ "a + b", T_NUMBER },
		{ "-a", T_NUMBER },
		{ "-1h", T_DURATION },
		{ "1h + 2m", T_DURATION },
		{ "1h * 2", T_DURATION },
		{ "a * 1h", T_DURATION },
		{ "1h / 2", T_DURATION },
		{ "1h / 2m", T_NUMBER },
		{ "1h * 1h", T_NUMBER },
		{ "2 / 1h", T_NUMBER },
		{ "1h % 7m", T_DURATION },
		{ "a || b", T_TEXT },
		{ "a < b", T_BOOL },
		{ "a is null", T_BOOL },
		{ "a and b", T_BOOL },
		{ "a in (1, 'x', b)", T_BOOL },
		{ "coalesce(a, b)", T_RAW },
		{ "coalesce(a, null)", T_RAW },
		{ "coalesce(a, 0)", T_NUMBER },
		{ "coalesce(a, '-')", T_TEXT },
		{ "coalesce(a, true)", T_BOOL },
		{ "coalesce(1, 1h)", T_NUMBER },
		{ "coalesce(null, null)", T_NULL },
		{ "if(a, 1, 2)", T_NUMBER },
		{ "if(a, b, a)", T_RAW },
		{ "nullif(a, '-')", T_RAW },
		{ "nullif(n, 1)", T_NUMBER },
		{ "least(a, b, 1)", T_NUMBER },
		{ "lower(a)", T_TEXT },
		{ "length(a)", T_NUMBER },
		{ "starts_with(a, b)", T_BOOL },
		{ "extract(a, /x/)", T_TEXT },
		{ "hash(a, n, true, null)", T_NUMBER },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct exprs x;
		exprs_open(&x);
		struct expr *expr = exprs_bound(&x, cases[i].text);
		ck_assert_msg(expr_type(expr) == cases[i].type, "%s: %s", cases[i].text, type_name(expr_type(expr)));
		exprs_close(&x);
	}
}
END_TEST

/* at: the column of the caret in the argument. */
struct wrong {
	const char *text, *says;
	size_t at;
};

static void check_errors(const struct wrong *row)
{
	for (; row->text; row++) {
		struct exprs x;
		exprs_open(&x);
		ck_assert_msg(!exprs_bind(&x, row->text), "%s is accepted", row->text);
		ck_assert_int_eq(x.err.code, ERR_USAGE);
		ck_assert_msg(strstr(x.err.text, row->says) != NULL, "%s: %s", row->text, x.err.text);
		const char *caret = strrchr(x.err.text, '\n');
		ck_assert_ptr_nonnull(caret);
		ck_assert_msg(strcspn(caret, "^") == 3 + row->at, "%s: %s", row->text, x.err.text);
		exprs_close(&x);
	}
}

START_TEST(test_comparison_errors)
{
	check_errors((const struct wrong[]){
		{ "n + 1 = 'x'", "number cannot be compared with text: text(n + 1) makes a text of the number\n", 0 },
		{ "n = '05'", "number cannot be compared with text: without the quotes it is a number: 05\n", 4 },
		{ "t > 5", "text cannot be compared with number: number(t) reads the text as a number\n", 0 },
		{ "n > lower(t)", "number cannot be compared with text: number(lower(t)) reads the text as a number\n", 4 },
		{ "a = Queens", "; there are: a, b, n, t, c1, c2, ...; if a text was meant: 'Queens'\n", 4 },
		{ "Queens <> a", "; if a text was meant: 'Queens'\n", 0 },
		{ "a in ('x', Queens)", "; if a text was meant: 'Queens'\n", 11 },
		{ "Queens = 'x'", "no column \"Queens\"; there are: a, b, n, t, c1, c2, ...\n", 0 },
		{ "a = {Queens}", "no column \"Queens\"; there are: a, b, n, t, c1, c2, ...\n", 4 },
		{ "a > Queens", "no column \"Queens\"; there are: a, b, n, t, c1, c2, ...\n", 4 },
		{ "count > 3", "; count is an aggregate: --reduce computes it, and its result is a column for what comes behind\n", 0 },
		{ "a = sum", "c2, ...; sum is an aggregate: --reduce computes it, and its result is a column for what comes behind\n", 4 },
		{ "a > 2019-03-30", "2019-03-30 is a subtraction; a text stands in quotes: '2019-03-30'\n", 4 },
		{ "2019-03-30 = t", "2019-03-30 is a subtraction", 0 },
		{ "a between '2019' and 2019-03-30", "2019-03-30 is a subtraction", 21 },
		{ "a in (1, 2019-03-30)", "2019-03-30 is a subtraction", 9 },
		{ "t in ('x', 5)", "text cannot be compared with number: number(t)", 0 },
		{ "n between 1 and 'x'", "number cannot be compared with text", 0 },
		{ 0 } });
}
END_TEST

START_TEST(test_errors)
{
	check_errors((const struct wrong[]){
		{ "1 + t", "a number is needed here, this is text: number(t) reads one from it\n", 4 },
		{ "1 + true", "a number is needed here, this is bool", 4 },
		{ "t and true", "a condition is needed here, this is text", 0 },
		{ "not n", "a condition is needed here, this is number", 4 },
		{ "true = 1", "bool cannot be compared with number", 0 },
		{ "coalesce(n, t)", "the values are of one type, but this is text and the one before it is number; number(t) converts it\n", 12 },
		{ "coalesce(t, n)", "but this is number and the one before it is text; text(n) converts it\n", 12 },
		{ "if(a, a, b) + if(a, 1, 'x')", "the values are of one type", 23 },
		{ "lower(n)", "lower works on text, this is number: text(n) makes a text of it\n", 6 },
		{ "n like 'x'", "like works on text, this is number", 0 },
		{ "n =~ /x/", "=~ works on text, this is number", 0 },
		{ "round(t)", "a number is needed here, this is text", 6 },
		{ "number(true)", "number does not take bool", 7 },
		{ "uper(a)", "no function \"uper\" (did you mean upper(x)?)", 0 },
		{ "LEN(a)", "no function \"LEN\" (did you mean length(x)?)\n", 0 },
		{ "mean(n)", "no function \"mean\"; avg(x) is an aggregate: it works in --reduce, and its result is a column for what comes behind\n", 0 },
		{ "1 + now()", "no function \"now\"", 4 },
		{ "qqqqq(a)", "no function \"qqqqq\"\n", 0 },
		{ "sum(n)", "sum is an aggregate: it works in --reduce", 0 },
		{ "p95(n)", "p95 is an aggregate", 0 },
		{ "lower()", "lower has 0 arguments here; lower(x): ", 0 },
		{ "lower(a, b)", "lower has 2 arguments here; lower(x): ", 0 },
		{ "round(n, 1, 2)", "round has 3 arguments here; round(x[, digits]): ", 0 },
		{ "concat()", "concat has 0 arguments here", 0 },
		{ "ab + 1", "no column \"ab\"", 0 },
		{ "n + t.x", "no column \"t.x\"", 4 },
		{ "n + t[2]", "no column \"t[2]\"", 4 },
		{ "a =~ /x(/", "-w: regular expression: missing closing parenthesis\n", 8 },
		{ "a =~ /\\/\\/x(/", "parenthes", 12 },
		{ "a =~ 'x('", "parenthes", 8 },
		{ "a =~ /[b-a]/", "range out of order", 9 },
		{ "extract(a, b)", "a regular expression is needed here", 11 },
		{ "extract(a, /(.)/, 2)", "no such group: the pattern has 1", 18 },
		{ "lower(/x/)", "a regular expression has no place here", 6 },
		{ "a like 'x\\'", "a pattern cannot end in a backslash", 7 },
		{ "{*}", "a whole row cannot be part of an expression", 0 },
		{ 0 } });
}
END_TEST

/* `in`: what is needed of a, b, n, t and the row. */
START_TEST(test_needs)
{
	enum { V = NEED_VALUE, N = NEED_NUMBER, B = NEED_BOOL };
	static const struct {
		const char *text;
		uint8_t use, in[NCOL];
	} cases[] = {
		{ "a", V, { V } },
		{ "a", V | N, { V | N } },
		{ "a", 0, { 0 } },
		{ "a + 1", V, { N } },
		{ "a > 5 or b = 'x'", V, { N, V } },
		{ "a > n", V, { N, 0, V } },
		{ "a = b", V, { V, V } },
		{ "a = t", V, { V, 0, 0, V } },
		{ "a and not b", V, { B, B } },
		{ "a = true", V, { B } },
		{ "a in (1, 'x')", V, { V | N } },
		{ "a between 1 and b", V, { V | N, V } },
		{ "coalesce(a, b) + 1", V, { N, N } },
		{ "coalesce(a, b)", V | N, { V | N, V | N } },
		{ "if(a, b, 0)", V, { B, N } },
		{ "if(a = 'x', a, b) < 7", V, { V | N, N } },
		{ "if(a, b, coalesce(a, b)) and true", V, { B, B } },
		{ "nullif(a, 0) * 2", V, { N } },
		{ "least(a, b)", V | N, { V | N, V | N } },
		{ "-greatest(a, least(b, a))", V, { N, N } },
		{ "round(a, b)", V, { N, N } },
		{ "number(a)", V, { V } },
		{ "number(a)", N, { V } },
		{ "text(a) || b", V, { V, V } },
		{ "hash(a, t)", V, { V, 0, 0, V } },
		{ "c2 + 1", V, { 0, 0, 0, 0, V } },
		{ "1 + 2", V, { 0 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct exprs x;
		uint8_t in[NCOL] = { 0 };
		exprs_open(&x);
		expr_need(exprs_bound(&x, cases[i].text), cases[i].use, in);
		for (int c = 0; c < NCOL; c++)
			ck_assert_msg(in[c] == cases[i].in[c], "%s: column %d is needed as %d, not %d", cases[i].text, c, in[c], cases[i].in[c]);
		exprs_close(&x);
	}
}
END_TEST

/* expr_as on a raw expression converts what passes through it; the rest of the tree stays raw. */
START_TEST(test_as)
{
	struct exprs x;
	uint8_t in[NCOL] = { 0 };
	exprs_open(&x);
	struct expr *raw_one = exprs_bound(&x, "if(a = 'x', coalesce(b, c9), least(a, b))");
	ck_assert_int_eq(expr_type(raw_one), T_RAW);
	struct expr *number = expr_as(raw_one, T_NUMBER, &x.plan, &x.err);
	ck_assert_int_eq(expr_type(number), T_NUMBER);
	ck_assert_int_eq(expr_type(raw_one), T_RAW);
	expr_need(number, NEED_VALUE, in);
	ck_assert_int_eq(in[COL_A], NEED_VALUE | NEED_NUMBER);
	ck_assert_int_eq(in[COL_B], NEED_NUMBER);
	struct value va = raw("x"), vb = raw(" 2.50 ");
	x.col[COL_A].v = &va;
	x.col[COL_B].v = &vb;
	x.batch.n = 1;
	struct value *out;
	char text[100];
	ck_assert_int_eq(expr_eval(number, &x.batch, &out), 0);
	ck_assert_str_eq(shown(out, text), "2.5");
	ck_assert_int_eq(expr_eval(raw_one, &x.batch, &out), 0);
	ck_assert_str_eq(shown(out, text), " 2.50 ");
	ck_assert_int_eq(expr_type(expr_as(exprs_bound(&x, "null"), T_BOOL, &x.plan, &x.err)), T_BOOL);
	struct expr *as_text = expr_as(exprs_bound(&x, "a"), T_TEXT, &x.plan, &x.err);
	ck_assert_int_eq(expr_eval(as_text, &x.batch, &out), 0);
	ck_assert_int_eq(out->type, V_TEXT);
	ck_assert_ptr_eq(out->u.p, va.u.p);
	ck_assert_ptr_null(expr_as(exprs_bound(&x, "n"), T_TEXT, &x.plan, &x.err));
	ck_assert_ptr_nonnull(strstr(x.err.text, "text is needed here, this is number: text(n) makes a text of it"));
	exprs_close(&x);
}
END_TEST

START_TEST(test_positions)
{
	struct exprs x;
	exprs_open(&x);
	schema_init(&x.schema, SCHEMA_POSITIONS, &x.plan);
	exprs_bound(&x, "c5 > 1 and c2 = 'x' or c5 is null");
	ck_assert_uint_eq(x.schema.n, 2);
	ck_assert_uint_eq(x.schema.col[0].pos, 4);
	ck_assert_ptr_null(exprs_bind(&x, "status = 1"));
	exprs_close(&x);
}
END_TEST

START_TEST(test_whole_names)
{
	struct exprs x;
	exprs_open(&x);
	ck_assert_int_eq(schema_add(&x.schema, "log.level", 9, T_RAW), NCOL);
	ck_assert_int_eq(schema_add(&x.schema, "tags[-1].x", 10, T_RAW), NCOL + 1);
	ck_assert_int_eq(expr_column(exprs_bound(&x, "log.level")), NCOL);
	ck_assert_int_eq(expr_column(exprs_bound(&x, "{log.level}")), NCOL);
	ck_assert_int_eq(expr_column(exprs_bound(&x, "tags[-1].x")), NCOL + 1);
	exprs_close(&x);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_types, test_comparison_errors, test_errors, test_needs, test_as, test_positions, test_whole_names };
	return run_suite("expr", tests, sizeof tests / sizeof tests[0]);
}
