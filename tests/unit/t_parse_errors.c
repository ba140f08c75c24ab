/* What users see for bad arguments: the whole text, caret included. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse/lang/parse.h"

static struct mem mem;
static struct arena arena;

/* Calls the grammar that belongs to a flag. */
static int parse(const char *flag, const char *text, struct err *err)
{
	struct node *node;
	struct named_list list;
	struct topn_ast topn;
	struct name_list names;
	int64_t a, b;
	uint64_t bytes;
	arena_reset(&arena);
	if (!strcmp(flag, "--where"))
		return parse_expr(flag, text, &arena, &node, err);
	if (!strcmp(flag, "--select"))
		return parse_select(flag, text, &arena, &list, err);
	if (!strcmp(flag, "--keyby"))
		return parse_keyby(flag, text, &arena, &list, err);
	if (!strcmp(flag, "--reduce"))
		return parse_reduce(flag, text, &arena, &list, err);
	if (!strcmp(flag, "--topn"))
		return parse_topn(flag, text, &arena, &topn, err);
	if (!strcmp(flag, "--minibatch"))
		return parse_minibatch(flag, text, &arena, &a, &b, err);
	if (!strcmp(flag, "--ttl"))
		return parse_duration(flag, text, &arena, &a, err);
	if (!strcmp(flag, "--fields"))
		return parse_names(flag, text, &arena, &names, err);
	return parse_size(flag, text, &arena, &bytes, err);
}

/* at, len: the caret line. */
static void bad(const char *flag, const char *text, const char *message, size_t at, size_t len)
{
	struct err err = { .code = ERR_NONE };
	char want[2000], caret[256] = "";
	memset(caret, ' ', at);
	for (size_t i = 0; i < (len ? len : 1); i++)
		caret[at + i] = i ? '~' : '^';
	snprintf(want, sizeof want, "%s: %s\n  %s\n  %s", flag, message, text, caret);
	ck_assert_msg(parse(flag, text, &err) == -1, "%s %s: no error", flag, text);
	ck_assert_str_eq(err.text, want);
	ck_assert_int_eq(err.code, ERR_USAGE);
}

struct row { const char *text, *message; size_t at, len; };

static void check(const char *flag, const struct row *row)
{
	for (; row->text; row++)
		bad(flag, row->text, row->message, row->at, row->len);
}

START_TEST(where)
{
	check("--where", (const struct row[]){
		{ "", "expected an expression, found nothing", 0, 0 },
		{ "  ", "expected an expression, found nothing", 2, 0 },
		{ "a >", "expected an expression, found the end", 3, 0 },
		{ "a b", "expected an operator or the end, found 'b'; a name with blanks stands in braces: {a b}", 2, 1 },
		{ "Trip  Dist 2 > 5", "expected an operator or the end, found 'Dist'; a name with blanks stands in braces: {Trip  Dist 2}", 6, 4 },
		{ "a ip", "expected an operator or the end, found 'ip'; a name with blanks stands in braces: {a ip}", 2, 2 },
		{ "5 < (Trip Miles)", "expected an operator or ')', found 'Miles'; a name with blanks stands in braces: {Trip Miles}", 10, 5 },
		{ "x in (a b)", "expected an operator, ',' or ')', found 'b'; a name with blanks stands in braces: {a b}; a comma separates values", 8, 1 },
		{ "case when a then 1 end", "expected an operator or the end, found 'when'; write if(condition, a, b)", 5, 4 },
		{ "Cast(a as int)", "expected an operator, ',' or ')', found 'as'; Cast is written number(x) here", 7, 2 },
		{ "f(a as b)", "expected an operator, ',' or ')', found 'as'", 4, 2 },
		{ "a adn b", "expected an operator or the end, found 'adn'; did you mean 'and'?", 2, 3 },
		{ "a lkie b", "expected an operator or the end, found 'lkie'; did you mean 'like'?", 2, 4 },
		{ "a {adn} b", "expected an operator or the end, found '{adn}'", 2, 5 },
		{ "a = 1, b = 2", "expected an operator or the end, found ','; join conditions with and", 5, 1 },
		{ "a)", "expected an operator or the end, found ')'", 1, 1 },
		{ "a = 'x' 'y'", "expected an operator or the end, found 'y'", 8, 3 },
		{ "a = 5 5s", "expected an operator or the end, found '5s'", 6, 2 },
		{ "(a", "expected an operator or ')', found the end", 2, 0 },
		{ "f(a b)", "expected an operator, ',' or ')', found 'b'; a name with blanks stands in braces: {a b}; a comma separates arguments", 4, 1 },
		{ "f(a,)", "expected an expression, found ')'", 4, 1 },
		{ "f(", "expected an expression, found the end", 2, 0 },
		{ "* 2", "expected an expression, found '*'", 0, 1 },
		{ "in = 5", "expected an expression, found 'in'; a column of that name is {in}", 0, 2 },
		{ "a = AND", "expected an expression, found 'AND'; a column of that name is {AND}", 4, 3 },
		{ "a = not b", "expected an expression, found 'not'; write (not ...)", 4, 3 },
		{ "lower(distinct a)", "expected an expression, found 'distinct'; distinct stands in an aggregate: count(distinct x)", 6, 8 },
		{ "/x/", "expected an expression, found '/'; a regular expression stands behind =~ or !~, or as an argument", 0, 1 },
		{ "a && b", "unknown '&&'; write and", 2, 2 },
		{ "a = $1", "unknown '$'; names stand bare; the first column is c1", 4, 1 },
		{ "ago > 5min", "no unit 'min'; did you mean 'm'? there are: ns, us, ms, s, m, h, d, w", 7, 3 },
		{ 0 } });
}
END_TEST

START_TEST(comparisons)
{
	check("--where", (const struct row[]){
		{ "1 < a < 5", "comparisons do not chain; write and between two of them, or set parentheses", 6, 1 },
		{ "a = b = c", "comparisons do not chain; write and between two of them, or set parentheses", 6, 1 },
		{ "a is null = b", "comparisons do not chain; write and between two of them, or set parentheses", 10, 1 },
		{ "a =~ /x/ is null", "comparisons do not chain; write and between two of them, or set parentheses", 9, 2 },
		{ "a in (1) in (2)", "comparisons do not chain; write and between two of them, or set parentheses", 9, 2 },
		{ "a > 1 || b > 2", "comparisons do not chain; || joins texts: write or between conditions", 11, 1 },
		{ "a =~ b", "a pattern is written /b/ or 'b'", 5, 1 },
		{ "a =~ ^/foo\\/ and b", "a pattern is written /^\\/foo\\// or '^/foo\\/'", 5, 7 },
		{ "(a !~  (x|y)'s) or b", "a pattern is written /(x|y)'s/ or \"(x|y)'s\"", 7, 7 },
		{ "a !~", "expected a pattern, /.../ or a text, found the end", 4, 0 },
		{ "a =~ /b", "a regular expression without its closing /", 5, 2 },
		{ "a =~ /b/g", "no letter 'g' behind a regular expression; there are: i, m, s, x", 8, 1 },
		{ "a is 5", "expected null or not null, found '5'", 5, 1 },
		{ "a is not 5", "expected null, found '5'", 9, 1 },
		{ "a not b", "expected in, between or like behind 'not', found 'b'", 6, 1 },
		{ "a not bewteen 1 and 2", "expected in, between or like behind 'not', found 'bewteen'; did you mean 'between'?", 6, 7 },
		{ "a not = 1", "expected in, between or like behind 'not', found '='", 6, 1 },
		{ "a in 1", "expected '(' and a list, found '1'", 5, 1 },
		{ "a in ()", "expected an expression, found ')'", 6, 1 },
		{ "a in (1, 2", "expected an operator, ',' or ')', found the end", 10, 0 },
		{ "a in (/x/)", "expected an expression, found '/'; a regular expression stands behind =~ or !~, or as an argument", 6, 1 },
		{ "a between 1", "expected and with the upper limit, found the end", 11, 0 },
		{ "a between 1, 2", "expected and with the upper limit, found ','", 11, 1 },
		{ 0 } });
}
END_TEST

START_TEST(paths)
{
	check("--where", (const struct row[]){
		{ "a.", "expected a name behind '.', found the end", 2, 0 },
		{ "a.5", "expected a name behind '.', found '5'; an element is [0], a member .{0}", 2, 1 },
		{ "a..b", "expected an operator or the end, found '..'", 1, 2 },
		{ "a[b]", "expected a number, found 'b'", 2, 1 },
		{ "a[\"x\"]", "expected a number, found \"x\"; a member is .name or .{odd name}", 2, 3 },
		{ "a[1.5]", "an index must be a whole number", 2, 3 },
		{ "a[1", "expected ']', found the end", 3, 0 },
		{ "a[- -1]", "expected a number, found '-'", 4, 1 },
		{ "a.b(c)", "expected an operator or the end, found '('", 3, 1 },
		{ "{a", "a name without its closing }", 0, 2 },
		{ 0 } });
}
END_TEST

START_TEST(lists)
{
	check("--select", (const struct row[]){
		{ "", "expected an expression, found nothing", 0, 0 },
		{ "a,", "expected an expression, found the end", 2, 0 },
		{ "a b", "expected an operator, as, ',' or the end, found 'b'; a name with blanks stands in braces: {a b}; a comma separates columns", 2, 1 },
		{ "a b as c", "expected an operator, as, ',' or the end, found 'b'; a name with blanks stands in braces: {a b}; a comma separates columns", 2, 1 },
		{ "{a b} c", "expected an operator, as, ',' or the end, found 'c'; a comma separates columns", 6, 1 },
		{ "a sa b", "expected an operator, as, ',' or the end, found 'sa'; did you mean 'as'?", 2, 2 },
		{ "* as x", "expected ',' or the end behind '*', found 'as'", 2, 2 },
		{ "a as", "expected a name behind 'as', found the end", 4, 0 },
		{ "a as 'b'", "expected a name behind 'as', found 'b'; names are bare or in {braces}", 5, 3 },
		{ "a as null", "expected a name behind 'as', found 'null'; a reserved word is a name in braces: {null}", 5, 4 },
		{ "a as b.c", "expected an operator, as, ',' or the end, found '.'", 6, 1 },
		{ 0 } });
	check("--keyby", (const struct row[]){
		{ "Wildlife Size", "expected an operator, as, ',' or the end, found 'Size'; a name with blanks stands in braces: {Wildlife Size}; "
			"a comma separates columns", 9, 4 },
		{ "*", "expected an expression, found '*'", 0, 1 },
		{ "window as w", "window stands for two columns and takes no name; a column of that name is {window}", 0, 11 },
		{ "a;b", "expected an operator, as, ',' or the end, found ';'", 1, 1 },
		{ 0 } });
}
END_TEST

START_TEST(reduce)
{
	check("--reduce", (const struct row[]){
		{ "", "expected an aggregate such as count or sum(x), found nothing", 0, 0 },
		{ "sum(a)/count", "expected where, as, ',' or the end, found '/'; compute it in --select", 6, 1 },
		{ "sum(a) > 5", "expected where, as, ',' or the end, found '>'; compute it in --select", 7, 1 },
		{ "count as n - 1", "expected where, ',' or the end, found '-'; compute it in --select", 11, 1 },
		{ "100 * sum(a)", "expected an aggregate such as count or sum(x), found '100'; compute it in --select", 0, 3 },
		{ "*", "expected an aggregate such as count or sum(x), found '*'", 0, 1 },
		{ "sum", "'sum' needs its argument in parentheses; only count may stand alone", 0, 3 },
		{ "sum x", "'sum' needs its argument in parentheses; write sum(x)", 0, 3 },
		{ "sum distinct x", "'sum' needs its argument in parentheses; write sum(distinct x)", 0, 3 },
		{ "sum as x", "'sum' needs its argument in parentheses; only count may stand alone", 0, 3 },
		{ "mean", "'mean' needs its argument in parentheses; did you mean avg(x)?", 0, 4 },
		{ "n", "'n' needs its argument in parentheses; did you mean count?", 0, 1 },
		{ "count distinct {a b}", "expected where, as, ',' or the end, found 'distinct'; write count(distinct {a b})", 6, 8 },
		{ "count distinct", "expected where, as, ',' or the end, found 'distinct'; write count(distinct x)", 6, 8 },
		{ "distinct(x)", "expected an aggregate such as count or sum(x), found 'distinct'; write count(distinct x)", 0, 8 },
		{ "avg(Trip Miles)", "expected an operator, ',' or ')', found 'Miles'; a name with blanks stands in braces: {Trip Miles}; "
			"a comma separates arguments", 9, 5 },
		{ "count, cuont", "'cuont' needs its argument in parentheses; did you mean 'count'?", 7, 5 },
		{ "count wehre x", "expected where, as, ',' or the end, found 'wehre'; did you mean 'where'?", 6, 5 },
		{ "count where x adn y", "expected an operator, as, ',' or the end, found 'adn'; did you mean 'and'?", 14, 3 },
		{ "count as n where x y", "expected an operator, ',' or the end, found 'y'; a name with blanks stands in braces: {x y}", 19, 1 },
		{ "count where x as y where z", "expected ',' or the end, found 'where'", 19, 5 },
		{ "count as a as b", "expected where, ',' or the end, found 'as'", 11, 2 },
		{ "count(*, x)", "expected ')' behind '*', found ','", 7, 1 },
		{ "count(distinct)", "expected an expression, found ')'", 14, 1 },
		{ "sum(x, distinct y)", "expected an expression, found 'distinct'; distinct stands in an aggregate: count(distinct x)", 7, 8 },
		{ "sum(/x/)", "expected an expression, found '/'; a regular expression stands behind =~ or !~, or as an argument", 4, 1 },
		{ "sum(x", "expected an operator, ',' or ')', found the end", 5, 0 },
		{ "count where", "expected an expression, found the end", 11, 0 },
		{ "count,", "expected an aggregate such as count or sum(x), found the end", 6, 0 },
		{ 0 } });
}
END_TEST

#define RANKS "expected the ranks (10, 2..4, all, last 1 or a (column)), found "
START_TEST(topn)
{
	check("--topn", (const struct row[]){
		{ "", RANKS "nothing", 0, 0 },
		{ "-1", RANKS "'-'; write: last 1", 0, 1 },
		{ "-3 by x", RANKS "'-'; write: 3 by x desc", 0, 1 },
		{ "-3 by x desc", RANKS "'-'; write: 3 by x", 0, 1 },
		{ "-x", RANKS "'-'", 0, 1 },
		{ "top 3", RANKS "'top'; write: 3", 0, 3 },
		{ "top 3 by x desc", RANKS "'top'; write: 3 by x desc", 0, 3 },
		{ "lsat 3", RANKS "'lsat'; did you mean 'last'?", 0, 4 },
		{ "0", "ranks count from 1", 0, 1 },
		{ "0..3 by x", "ranks count from 1", 0, 1 },
		{ "1.5", "a rank must be a whole number", 0, 3 },
		{ "1e99", "a rank must be a whole number", 0, 4 },
		{ "4..2 by x", "no rank is from 4 to 2", 0, 4 },
		{ "4..", "expected a number, found the end", 3, 0 },
		{ "last", "expected a number, found the end", 4, 0 },
		{ "last 0", "ranks count from 1", 5, 1 },
		{ "(1) by x", "expected a column, found '1'", 1, 1 },
		{ "(a + 1) by x", "expected ')' behind the column, found '+'", 3, 1 },
		{ "10 count desc", "expected rank, dense_rank, by, as or the end, found 'count'; write: 10 by count desc", 3, 5 },
		{ "10 order by ms", "expected rank, dense_rank, by, as or the end, found 'order'; write: 10 by ms", 3, 5 },
		{ "10 ms", "expected rank, dense_rank, by, as or the end, found 'ms'; write: 10 by ms", 3, 2 },
		{ "10 desc", "expected rank, dense_rank, by, as or the end, found 'desc'", 3, 4 },
		{ "10 by Trip Miles desc", "expected an operator, asc, desc, nulls, ',', as or the end, found 'Miles'; a name with blanks stands in braces: "
			"{Trip Miles}; a comma separates columns", 11, 5 },
		{ "10 yb count", "expected rank, dense_rank, by, as or the end, found 'yb'; did you mean 'by'?", 3, 2 },
		{ "10 rank count", "expected by, as or the end, found 'count'; write: 10 rank by count", 8, 5 },
		{ "10 by", "expected an expression, found the end", 5, 0 },
		{ "10 by count descc", "expected an operator, asc, desc, nulls, ',', as or the end, found 'descc'; did you mean 'desc'?", 12, 5 },
		{ "10 by count desc null first", "expected nulls, ',', as or the end, found 'null'", 17, 4 },
		{ "10 by x desc nulls", "expected first or last, found the end", 18, 0 },
		{ "10 by x nulls frist", "expected first or last, found 'frist'; did you mean 'first'?", 14, 5 },
		{ "10 by x nulls last desc", "expected ',', as or the end, found 'desc'", 19, 4 },
		{ "10 by x as", "expected a name behind 'as', found the end", 10, 0 },
		{ "10 by x as r, y", "expected the end, found ','", 12, 1 },
		{ 0 } });
}
END_TEST

START_TEST(short_ones)
{
	check("--minibatch", (const struct row[]){
		{ "", "expected a number of rows or a duration such as 5s, found nothing", 0, 0 },
		{ "0", "the number of rows must be above 0", 0, 1 },
		{ "1.5", "the number of rows must be a whole number", 0, 3 },
		{ "0s", "the duration must be above 0", 0, 2 },
		{ "500us", "the duration must be a whole number of ms", 0, 5 },
		{ "5 5s", "expected ',' or the end, found '5s'", 2, 2 },
		{ "5, 6", "the number of rows is given twice", 3, 1 },
		{ "5s, 6s", "the duration is given twice", 4, 2 },
		{ "5, 6s, 7", "the number of rows is given twice", 7, 1 },
		{ "5, 6s 7", "expected the end, found '7'", 6, 1 },
		{ "5,", "expected a number of rows or a duration such as 5s, found the end", 2, 0 },
		{ "-5", "expected a number of rows or a duration such as 5s, found '-'", 0, 1 },
		{ 0 } });
	check("--ttl", (const struct row[]){
		{ "", "expected a duration such as 5s or 1h30m, found nothing", 0, 0 },
		{ "5", "expected a duration such as 5s or 1h30m, found '5'; the unit is missing", 0, 1 },
		{ "0s", "the duration must be above 0", 0, 2 },
		{ "1ms1us", "the duration must be a whole number of ms", 0, 6 },
		{ "5s 5s", "expected the end, found '5s'", 3, 2 },
		{ "5min", "no unit 'min'; did you mean 'm'? there are: ns, us, ms, s, m, h, d, w", 1, 3 },
		{ 0 } });
	check("--fields", (const struct row[]){
		{ "", "expected a name, found nothing", 0, 0 },
		{ "a b", "expected ',' or the end, found 'b'; a name with blanks stands in braces: {a b}; a comma separates names", 2, 1 },
		{ "a,,b", "expected a name, found ','", 2, 1 },
		{ "a, In", "expected a name, found 'In'; a reserved word is a name in braces: {In}", 3, 2 },
		{ "'a'", "expected a name, found 'a'; names are bare or in {braces}", 0, 3 },
		{ "a,5", "expected a name, found '5'", 2, 1 },
		{ 0 } });
	check("--max-line", (const struct row[]){
		{ "", "expected a size such as 4096, 64K, 16M or 1G, found nothing", 0, 0 },
		{ "64KB", "expected a size such as 4096, 64K, 16M or 1G, found '64KB'", 0, 4 },
		{ "64kb", "expected a size such as 4096, 64K, 16M or 1G, found '64kb'", 0, 4 },
		{ "K", "expected a size such as 4096, 64K, 16M or 1G, found 'K'", 0, 1 },
		{ " 1", "expected a size such as 4096, 64K, 16M or 1G, found ' 1'", 0, 2 },
		{ "0", "the size must be above 0", 0, 1 },
		{ "0G", "the size must be above 0", 0, 2 },
		{ "18446744073709551616", "the size is too large", 0, 20 },
		{ "17179869184G", "the size is too large", 0, 12 },
		{ 0 } });
}
END_TEST

/* `n` times `part` and then `end` as --where; the first line of its error, "" if it is fine. */
static const char *repeated(const char *part, size_t n, const char *end)
{
	static struct err err;
	size_t len = strlen(part);
	char *text = malloc(n * len + strlen(end) + 1);
	for (size_t i = 0; i < n; i++)
		memcpy(text + i * len, part, len);
	memcpy(text + n * len, end, strlen(end) + 1);
	err = (struct err){ .code = ERR_NONE };
	parse("--where", text, &err);
	free(text);
	strtok(err.text, "\n");
	return err.text;
}

START_TEST(limits)
{
	static const char *const nesting[] = { "(", "f(", "-", "not ", "a in (", "a = (-" };
	for (int i = 0; i < 6; i++)
		ck_assert_str_eq(repeated(nesting[i], 100000, "a"), "--where: nested more than 200 deep");
	ck_assert_str_eq(repeated("- ", 199, "a"), "");
	ck_assert_str_eq(repeated("- ", 200, "a"), "--where: nested more than 200 deep");
	ck_assert_str_eq(repeated("a + ", 1999, "a"), "");
	ck_assert_str_eq(repeated("a + ", 2000, "a"), "--where: more than 1999 operators in a row");
	ck_assert_str_eq(repeated("a = 1 or ", 100000, "a"), "--where: more than 1999 operators in a row");
	ck_assert_str_eq(repeated("a || -", 1998, "a"), "");
}
END_TEST

/* Control bytes of the argument reach no terminal. */
START_TEST(control_bytes)
{
	struct err err = { .code = ERR_NONE };
	ck_assert_int_eq(parse("--where", "a {b\x1b[0m}", &err), -1);
	ck_assert_str_eq(err.text, "--where: expected an operator or the end, found '{b\\x1B[0m}'\n  a {b\\x1B[0m}\n    ^~~~~~~~~~");
}
END_TEST

int main(void)
{
	arena_init(&arena, &mem);
	Suite *suite = suite_create("parse_errors");
	TCase *tests = tcase_create("parse_errors");
	tcase_add_test(tests, where);
	tcase_add_test(tests, comparisons);
	tcase_add_test(tests, paths);
	tcase_add_test(tests, lists);
	tcase_add_test(tests, reduce);
	tcase_add_test(tests, topn);
	tcase_add_test(tests, short_ones);
	tcase_add_test(tests, limits);
	tcase_add_test(tests, control_bytes);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	arena_release(&arena);
	return failed || mem.used ? EXIT_FAILURE : EXIT_SUCCESS;
}
