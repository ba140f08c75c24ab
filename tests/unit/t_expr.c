/* Binding: types, names, errors, needs. */
#include "unit/exprs.h"

static const struct {
	const char *text;
	enum type type;
} types[] = {
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
	{ "hash(a, n, true, null, rowtime)", T_NUMBER },
	{ "rowtime", T_TIME },
	{ "now()", T_TIME },
	{ "rowtime - now()", T_DURATION },
	{ "rowtime - a", T_DURATION },
	{ "a - rowtime", T_DURATION },
	{ "rowtime - '2026-11-29'", T_DURATION },
	{ "rowtime + 1h", T_TIME },
	{ "1h + rowtime", T_TIME },
	{ "rowtime - a * 1s", T_TIME },
	{ "rowtime + null", T_TIME },
	{ "(rowtime - a) / 1h", T_NUMBER },
	{ "rowtime || 'x'", T_TEXT },
	{ "text(rowtime)", T_TEXT },
	{ "concat(rowtime, 1)", T_TEXT },
	{ "rowtime > a", T_BOOL },
	{ "a in (rowtime, '2026-11-29')", T_BOOL },
	{ "rowtime is null", T_BOOL },
	{ "coalesce(rowtime, a)", T_TIME },
	{ "coalesce('2026-11-29', null, rowtime)", T_TIME },
	{ "if(a, rowtime, '2026-11-29 10:00')", T_TIME },
	{ "least(a, rowtime, b)", T_TIME },
	{ "nullif(rowtime, a)", T_TIME },
	{ "nullif(a, rowtime)", T_RAW },
	{ "strptime(a, '%Y')", T_TIME },
	{ "strftime(a, '%Y')", T_TEXT },
	{ "date(t)", T_TIME },
	{ "floor_time(rowtime, 5m)", T_TIME },
	{ "epoch(rowtime)", T_NUMBER },
	{ "epoch_ms(a)", T_NUMBER },
};

START_TEST(test_types)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		struct exprs x;
		exprs_open(&x);
		struct expr *expr = exprs_bound(&x, types[i].text);
		ck_assert_msg(expr_type(expr) == types[i].type, "%s: %s", types[i].text, type_name(expr_type(expr)));
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
		{ "coalesce(t, n)", "but this is number and the one before it is text; text(n) converts it, number(...) what stands before it\n", 12 },
		{ "if(a, a, b) + if(a, 1, 'x')", "the values are of one type", 23 },
		{ "lower(n)", "lower works on text, this is number: text(n) makes a text of it\n", 6 },
		{ "n like 'x'", "like works on text, this is number", 0 },
		{ "n =~ /x/", "=~ works on text, this is number", 0 },
		{ "round(t)", "a number is needed here, this is text", 6 },
		{ "number(true)", "number does not take bool", 7 },
		{ "uper(a)", "no function \"uper\" (did you mean upper(x)?)", 0 },
		{ "LEN(a)", "no function \"LEN\" (did you mean length(x)?)\n", 0 },
		{ "mean(n)", "no function \"mean\"; avg(x) is an aggregate: it works in --reduce, and its result is a column for what comes behind\n", 0 },
		{ "1 + now(1)", "now has 1 argument here; now(): ", 4 },
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

START_TEST(test_time_errors)
{
	static const char possible[] = "times are reckoned as time - time, which is a duration, time + duration and time - duration\n";
	check_errors((const struct wrong[]){
		{ "rowtime > '2026-02-30'", "'2026-02-30' is no time: write '2026-11-29', ", 10 },
		{ "'x' = rowtime", "'x' is no time: ", 0 },
		{ "n > 0 and rowtime between '2026-11-29' and '29.11.2026'", "'29.11.2026' is no time: ", 43 },
		{ "rowtime in ('2026-11-29', '')", "'' is no time: ", 26 },
		{ "hour('noon')", "'noon' is no time: ", 5 },
		{ "coalesce(rowtime, 'never')", "'never' is no time: ", 18 },
		{ "rowtime > 2026-11-29", "2026-11-29 is a subtraction; a text stands in quotes: '2026-11-29'\n", 10 },
		{ "rowtime > t", "time cannot be compared with text: strptime(t, '%Y-%m-%d') reads a time from the text\n", 10 },
		{ "n < rowtime", "number cannot be compared with time: epoch(rowtime) gives its seconds", 4 },
		{ "rowtime = 5", "time cannot be compared with number: epoch(rowtime) gives its seconds, epoch_ms(rowtime) its milliseconds\n", 0 },
		{ "rowtime < 5m", "time cannot be compared with duration: now() - rowtime is a duration\n", 0 },
		{ "rowtime = true", "time cannot be compared with bool\n", 10 },
		{ "rowtime + rowtime", possible, 0 },
		{ "5m - rowtime", possible, 0 },
		{ "5 - rowtime", possible, 0 },
		{ "rowtime - t", possible, 0 },
		{ "rowtime * 2", possible, 0 },
		{ "1h / rowtime", possible, 0 },
		{ "1 + rowtime % 7", possible, 4 },
		{ "-rowtime", possible, 0 },
		{ "rowtime + 5", "a duration is needed beside a time, such as 5m, this is number: x * 1s is x seconds\n", 10 },
		{ "n + rowtime", "a duration is needed beside a time, such as 5m, this is number", 0 },
		{ "rowtime + a", "a duration is needed beside a time, such as 5m, this is raw text", 10 },
		{ "rowtime - n", "a duration is needed beside a time, such as 5m, this is number", 10 },
		{ "round(rowtime)", "a number is needed here, this is time: epoch(rowtime) gives its seconds, epoch_ms(rowtime) its milliseconds\n", 6 },
		{ "number(rowtime)", "number does not take time: epoch(rowtime) gives its seconds", 7 },
		{ "lower(rowtime)", "lower works on text, this is time: text(rowtime) makes a text of it\n", 6 },
		{ "not rowtime", "a condition is needed here, this is time", 4 },
		{ "hour(n)", "a time is needed here, this is number: strptime(text(n), '%s') reads seconds since 1970\n", 5 },
		{ "hour(1h)", "a time is needed here, this is duration\n", 5 },
		{ "iso(true)", "a time is needed here, this is bool\n", 4 },
		{ "coalesce(rowtime, n)", "the values are of one type, but this is number and the one before it is time\n", 18 },
		{ "strptime(a, b)", "a fixed text is needed here, such as '%Y-%m-%d %H:%M:%S'\n", 12 },
		{ "strftime(rowtime, 5)", "a fixed text is needed here", 18 },
		{ "strptime(a, '%Y %Q')", "%Q", 16 },
		{ "strftime(a, '%Q')", "%Q", 13 },
		{ "floor_time(a, 5)", "a fixed duration in whole milliseconds is needed here, such as 5m, 1h or 1d\n", 14 },
		{ "floor_time(a, 0s)", "a fixed duration in whole milliseconds is needed here", 14 },
		{ "floor_time(a, 5us)", "a fixed duration in whole milliseconds is needed here", 14 },
		{ "floor_time(a, b * 1s)", "a fixed duration in whole milliseconds is needed here", 14 },
		{ "{rowtime} > a", "no column \"rowtime\"", 0 },
		{ "rowtime.x > a", "no column \"rowtime.x\"", 0 },
		{ 0 } });
}
END_TEST

/* A column of that name wins; without event time the word is an error; who says it wants it. */
START_TEST(test_rowtime)
{
	struct exprs x;
	exprs_open(&x);
	ck_assert(!x.schema.reads_time);
	exprs_bound(&x, "hour(rowtime) = 1");
	ck_assert(x.schema.reads_time);
	x.schema.timed = false;
	ck_assert_ptr_null(exprs_bind(&x, "n > 0 and rowtime > a"));
	ck_assert_msg(strstr(x.err.text, "the rows have no event time here: --time or a log format gives it"), "%s", x.err.text);
	ck_assert_int_eq(schema_add(&x.schema, "rowtime", 7, T_NUMBER), NCOL);
	x.schema.reads_time = false;
	ck_assert_int_eq(expr_column(exprs_bound(&x, "rowtime")), NCOL);
	ck_assert_int_eq(expr_column(exprs_bound(&x, "{rowtime}")), NCOL);
	ck_assert(!x.schema.reads_time);
	exprs_close(&x);
}
END_TEST

/* `in`: what is needed of a, b, n, t and the row. */
enum { V = NEED_VALUE, N = NEED_NUMBER, B = NEED_BOOL, T = NEED_TIME };
static const struct {
	const char *text;
	uint8_t use, in[NCOL];
} needs[] = {
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
	{ "a > rowtime", V, { T } },
	{ "rowtime between a and b", V, { T, T } },
	{ "a between '2026-11-29' and rowtime", V, { T } },
	{ "rowtime - a", V, { T } },
	{ "rowtime + a * 1s", V, { N } },
	{ "hour(a)", V, { T } },
	{ "hour(coalesce(a, b))", V, { T, T } },
	{ "hour(if(b, a, null))", V, { T, B } },
	{ "hour(coalesce(a, ''))", V, { V } }, /* a text, made here */
	{ "hour(t)", V, { 0, 0, 0, V } },
	{ "coalesce(rowtime, a)", V, { T } },
	{ "a in (rowtime, b)", V, { T, T } },
	{ "nullif(a, rowtime)", V, { V | T } },
	{ "strptime(a, '%Y')", V, { V } },
	{ "strftime(a, '%Y') = b", V, { T, V } },
	{ "a", V | T, { V | T } },
	{ "c2 + 1", V, { 0, 0, 0, 0, V } },
	{ "hour(c2)", V, { 0, 0, 0, 0, V } },
	{ "1 + 2", V, { 0 } },
};

START_TEST(test_needs)
{
	for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
		struct exprs x;
		uint8_t in[NCOL] = { 0 };
		exprs_open(&x);
		expr_need(exprs_bound(&x, needs[i].text), needs[i].use, in);
		for (int c = 0; c < NCOL; c++)
			ck_assert_msg(in[c] == needs[i].in[c], "%s: column %d is needed as %d, not %d", needs[i].text, c, in[c], needs[i].in[c]);
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
	const TTest *const tests[] = { test_types, test_comparison_errors, test_errors, test_time_errors, test_rowtime,
				       test_needs, test_as, test_positions, test_whole_names };
	return RUN_TESTS("expr", tests);
}
