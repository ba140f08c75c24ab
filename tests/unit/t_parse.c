/* What each grammar makes of good arguments: trees, names, spans. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "unit/lang_dump.h"

static struct mem mem;
static struct arena arena;
static struct err err;
static struct buf out;

static void fresh(void)
{
	arena_reset(&arena);
	err = (struct err){ .code = ERR_NONE };
	out.n = 0;
}

static void check_dump(const char *text, const char *dump)
{
	buf_putc(&out, '\0');
	ck_assert_msg(!strcmp(out.p, dump), "%s\n   is %s\n  not %s", text, out.p, dump);
}

static void good(int status, const char *text)
{
	ck_assert_msg(status == 0 && !err.code, "%s: %s", text, err.text);
}

static struct node *where(const char *text)
{
	struct node *node;
	fresh();
	good(parse_expr("--where", text, &arena, &node, &err), text);
	return node;
}

static void expr(const char *text, const char *dump)
{
	dump_node(&out, where(text));
	check_dump(text, dump);
}

typedef int parse_list(const char *flag, const char *text, struct arena *mem, struct named_list *out, struct err *err);

static struct named_list list(parse_list *parse, const char *text, const char *dump)
{
	struct named_list items;
	fresh();
	good(parse("--list", text, &arena, &items, &err), text);
	dump_list(&out, &items);
	check_dump(text, dump);
	for (uint32_t i = 0; i < items.n; i++)
		ck_assert_int_eq(items.item[i].name[items.item[i].len], '\0');
	return items;
}

static void topn(const char *text, const char *dump)
{
	struct topn_ast ast;
	fresh();
	good(parse_topn("--topn", text, &arena, &ast, &err), text);
	dump_topn(&out, &ast);
	check_dump(text, dump);
}

START_TEST(precedence)
{
	expr("a or b and not c = d || e + f * -g", "(or a (and b (not (= c (|| d (+ e (* f (neg g))))))))");
	expr("-a * b + c || d = e and f or g", "(or (and (= (|| (+ (* (neg a) b) c) d) e) f) g)");
	expr("a - b - c", "(- (- a b) c)");
	expr("a / b * c % d", "(% (* (/ a b) c) d)");
	expr("a or b or c", "(or (or a b) c)");
	expr("a - (b - c)", "(- a (- b c))");
	expr("not not a", "(not (not a))");
	expr("- - a", "(neg (neg a))");
	expr("-2 + 3", "(+ (neg 2) 3)");
	expr("a -1", "(- a 1)");
	expr("a-1", "(- a 1)");
	expr("((a))", "a");
	expr("(a = b) = (c < d)", "(= (= a b) (< c d))");
	expr("not a = b", "(not (= a b))");
	expr("not a in (1) and b", "(and (not (in a 1)) b)");
}
END_TEST

START_TEST(tests_of_operands)
{
	expr("a = 1", "(= a 1)");
	expr("a == 1", "(= a 1)");
	expr("a <> 1", "(!= a 1)");
	expr("a != 1", "(!= a 1)");
	expr("a < 1 or a <= 1 or a > 1 or a >= 1", "(or (or (or (< a 1) (<= a 1)) (> a 1)) (>= a 1))");
	expr("a is null", "(null? a)");
	expr("a IS NOT NULL", "(value? a)");
	expr("a + 1 in (1, b + 2, 'x')", "(in (+ a 1) 1 (+ b 2) \"x\")");
	expr("a not in (b = c or d)", "(not-in a (or (= b c) d))");
	expr("a between 1 and 2 and b", "(and (between a 1 2) b)");
	expr("a not between b || c and d + 1", "(not-between a (|| b c) (+ d 1))");
	expr("a like 'x%' or a not like b || '%'", "(or (like a \"x%\") (not-like a (|| b \"%\")))");
	expr("a =~ /x\\/y/i and b !~ 'z'", "(and (=~ a /x/y/i) (!~ b \"z\"))");
	expr("a=~/x/", "(=~ a /x/)");
	expr("a / b / c", "(/ (/ a b) c)");
	expr("f(a) / g(b)", "(/ (f a) (g b))");
}
END_TEST

START_TEST(operands)
{
	expr("null", "null");
	expr("TRUE = false", "(= true false)");
	expr("0.5", "0.5");
	expr("9223372036854775808", "9223372036854776000d");
	expr("5m30s", "330000ms");
	expr("500us", "0.5ms");
	expr("\"a\\x00b\"", "\"a\\x00b\"");
	expr("'it''s'", "\"it's\"");
	expr("now()", "(now)");
	expr("replace(url, /\\/+/, '/')", "(replace url //+/ \"/\")");
	expr("f(/a/x, g(/b/), -c / d)", "(f /a/x (g /b/) (/ (neg c) d))");
	expr("lower (host)", "(lower host)");
	expr("req.headers.host", "req.headers.host");
	expr("tags[0]", "tags[0]");
	expr("a[-1].b[2][3]", "a[-1].b[2][3]");
	expr("a . null.{odd one}", "a.null.odd one");
	expr("{null} = {a}}b}", "(= null a}b)");
	expr("by = as and rank = count or last < nulls", "(or (and (= by as) (= rank count)) (< last nulls))");
	expr("where", "where");
	expr("\n a\t=\r\n1 ", "(= a 1)");
}
END_TEST

/* The piece of the argument that a node covers. */
static void covers(const struct node *node, const char *piece)
{
	ck_assert_uint_eq(node->span.len, strlen(piece));
	ck_assert_msg(!strncmp(node->span.text + node->span.at, piece, strlen(piece)), "%s: not at %zu", piece, node->span.at);
	ck_assert_str_eq(node->span.flag, "--where");
}

START_TEST(spans)
{
	struct node *node = where("  (a.b[1] + 2) * f( x , 'y' )  or not d in (1, 2) ");
	covers(node, "(a.b[1] + 2) * f( x , 'y' )  or not d in (1, 2)");
	covers(node->arg[0], "(a.b[1] + 2) * f( x , 'y' )");
	covers(node->arg[0]->arg[0], "a.b[1] + 2");
	covers(node->arg[0]->arg[0]->arg[0], "a.b[1]");
	covers(node->arg[0]->arg[1], "f( x , 'y' )");
	covers(node->arg[0]->arg[1]->arg[1], "'y'");
	covers(node->arg[1], "not d in (1, 2)");
	covers(node->arg[1]->arg[0], "d in (1, 2)");
	covers(node->arg[1]->arg[0]->arg[2], "2");
	node = where("a not between 1 and 2 and b is not null and {c d} !~ /x/i");
	covers(node->arg[0]->arg[0], "a not between 1 and 2");
	covers(node->arg[0]->arg[1], "b is not null");
	covers(node->arg[1], "{c d} !~ /x/i");
	covers(node->arg[1]->arg[0], "{c d}");
	covers(node->arg[1]->arg[1], "/x/i");
}
END_TEST

/* The automatic name of an expression. */
static void name(const char *text, const char *want)
{
	struct named_list items;
	fresh();
	good(parse_select("--select", text, &arena, &items, &err), text);
	ck_assert_str_eq(items.item[0].name, want);
	ck_assert_uint_eq(items.item[0].len, strlen(want));
	ck_assert(!items.item[0].given);
}

START_TEST(auto_names)
{
	name("host", "host");
	name("{odd name}", "odd name");
	name("lower(host)", "lower_host");
	name("req.headers.host", "req_headers_host");
	name("tags[0]", "tags_0");
	name("tags[-1].x", "tags_1_x");
	name("a + 1.50", "a_1.50");
	name("floor_time(t, 5m30s)", "floor_time_t_5m30s");
	name("(a + b) * -c", "a_b_c");
	name("if(a > 5, 'x', null)", "if_a_5_null");
	name("a is null", "a_is_null");
	name("a is not null", "a_is_not_null");
	name("not a = b or c and d", "not_a_b_or_c_and_d");
	name("a in (1, 2) or b not in (3)", "a_in_1_2_or_b_not_in_3");
	name("a between 1 and 2", "a_between_1_and_2");
	name("a not between 1 and 2", "a_not_between_1_and_2");
	name("a like 'x' or b not like c", "a_like_or_b_not_like_c");
	name("replace(a, /b/, 'c')", "replace_a");
	name("'x'", "text");
	name("'x' || \"y\"", "text");
	name("now()", "now");
}
END_TEST

START_TEST(selects)
{
	struct named_list items = list(parse_select, "*, a as b, c + 1 as {d e}, f", "~*:<all>, b:a, d e:(+ c 1), ~f:f");
	ck_assert_uint_eq(items.item[2].span.at, 11);
	ck_assert_uint_eq(items.item[2].span.len, 14);
	list(parse_select, "*", "~*:<all>");
	list(parse_select, "as as as", "as:as");
	list(parse_select, "a AS b", "b:a");
	list(parse_select, "a, a, a, a, a, a, a, a, a", "~a:a, ~a:a, ~a:a, ~a:a, ~a:a, ~a:a, ~a:a, ~a:a, ~a:a");
}
END_TEST

START_TEST(keys)
{
	list(parse_keyby, "window", "~window:window<window>");
	list(parse_keyby, "window, a as b, lower(c)", "~window:window<window>, b:a, ~lower_c:(lower c)");
	list(parse_keyby, "{window}, window.x, window + 1, Window", "~window:window, ~window_x:window.x, ~window_1:(+ window 1), ~Window:Window");
	list(parse_keyby, "{window} as window", "window:window");
}
END_TEST

START_TEST(reduces)
{
	list(parse_reduce, "count", "~count:(count bare)");
	list(parse_reduce, "count()", "~count:(count)");
	list(parse_reduce, "count(*)", "~count:(count *)");
	list(parse_reduce, "count(x), count(distinct x)", "~count_x:(count x), ~count_x:(count distinct x)");
	list(parse_reduce, "sum(bytes), p95(ms), count(DISTINCT uid)", "~sum_bytes:(sum bytes), ~p95_ms:(p95 ms), ~count_uid:(count distinct uid)");
	list(parse_reduce, "sum(x) where y > 3 as z", "z:(sum x) where (> y 3)");
	list(parse_reduce, "sum(x) as z where y > 3", "z:(sum x) where (> y 3)");
	list(parse_reduce, "quantile(x, 0.9)", "~quantile_x_0.9:(quantile x 0.9)");
	list(parse_reduce, "count where status >= 500 as errors, max(a + b)", "errors:(count bare) where (>= status 500), ~max_a_b:(max (+ a b))");
	list(parse_reduce, "count where where as where", "where:(count bare) where where");
	list(parse_reduce, "first(count) as last", "last:(first count)");
	list(parse_reduce, "join(distinct lower(x), ', ')", "~join_lower_x:(join distinct (lower x) \", \")");
}
END_TEST

START_TEST(topns)
{
	topn("10 by count desc as rank", "1-10 row by count desc as rank");
	topn("2..4 by x", "2-4 row by x asc");
	topn("2 .. 2 by x", "2-2 row by x asc");
	topn("all by x", "all row by x asc");
	topn("3 rank by x", "1-3 rank by x asc");
	topn("3 dense_rank by x as r", "1-3 dense by x asc as r");
	topn("1", "1-1 row");
	topn("2 as rank", "1-2 row as rank");
	topn("last 1", "1-1 row last");
	topn("last 2 by x desc", "1-2 row last by x desc");
	topn("(c2) by c3 asc as rank", "c2 row by c3 asc as rank");
	topn("(a.b[0]) by c", "a.b[0] row by c asc");
	topn("1 by by desc, desc asc nulls first, nulls nulls last as as", "1-1 row by by desc, desc asc nulls-first, nulls asc nulls-last as as");
	topn("1 by a + b desc nulls last", "1-1 row by (+ a b) desc nulls-last");
	topn("ALL BY x DESC NULLS FIRST AS R", "all row by x desc nulls-first as R");
	topn("9223372036854775807", "all row");
}
END_TEST

static void minibatch(const char *text, int64_t size, int64_t latency)
{
	int64_t n = -1, ms = -1;
	fresh();
	good(parse_minibatch("--minibatch", text, &arena, &n, &ms, &err), text);
	ck_assert_int_eq(n, size);
	ck_assert_int_eq(ms, latency);
}

static void duration(const char *text, int64_t ms)
{
	int64_t got = -1;
	fresh();
	good(parse_duration("--ttl", text, &arena, &got, &err), text);
	ck_assert_int_eq(got, ms);
}

static void size(const char *text, uint64_t bytes)
{
	uint64_t got = 0;
	fresh();
	good(parse_size("--max-line", text, &arena, &got, &err), text);
	ck_assert_uint_eq(got, bytes);
}

START_TEST(quantities)
{
	minibatch("5000", 5000, 0);
	minibatch("5s", 0, 5000);
	minibatch("5000, 5s", 5000, 5000);
	minibatch("1m , 1", 1, 60000);
	duration("1h30m", 5400000);
	duration(" 1000us ", 1);
	duration("1w", 604800000);
	size("1", 1);
	size("4096", 4096);
	size("64K", 65536);
	size("64k", 65536);
	size("2m", 2 << 20);
	size("1g", 1 << 30);
	size("16M", 16777216);
	size("1G", 1073741824);
	size("18446744073709551615", UINT64_MAX);
	size("17179869183G", 17179869183u * (UINT64_C(1) << 30));
}
END_TEST

START_TEST(name_lists)
{
	static const char *const want[] = { "a", "odd, one", "by", "c", "d", "null" };
	struct name_list names;
	fresh();
	good(parse_names("--fields", "a,{odd, one}, by ,c,d,{null}", &arena, &names, &err), "names");
	ck_assert_uint_eq(names.n, 6);
	for (uint32_t i = 0; i < names.n; i++) {
		ck_assert_str_eq(names.name[i], want[i]);
		ck_assert_uint_eq(names.len[i], strlen(want[i]));
	}
	ck_assert_uint_eq(names.span[1].at, 2);
	ck_assert_uint_eq(names.span[1].len, 10);
}
END_TEST

/* The argument may be gone afterwards. */
START_TEST(owns_its_text)
{
	char text[] = "abc = 'x' and f(d.e) =~ /y/i";
	struct node *node = where(text);
	memset(text, '#', sizeof text - 1);
	dump_node(&out, node);
	check_dump("gone", "(and (= abc \"x\") (=~ (f d.e) /y/i))");
	ck_assert_str_eq(node->span.text, "abc = 'x' and f(d.e) =~ /y/i");
}
END_TEST

int main(void)
{
	arena_init(&arena, &mem);
	buf_init(&out, &mem);
	Suite *suite = suite_create("parse");
	TCase *tests = tcase_create("parse");
	tcase_add_test(tests, precedence);
	tcase_add_test(tests, tests_of_operands);
	tcase_add_test(tests, operands);
	tcase_add_test(tests, spans);
	tcase_add_test(tests, auto_names);
	tcase_add_test(tests, selects);
	tcase_add_test(tests, keys);
	tcase_add_test(tests, reduces);
	tcase_add_test(tests, topns);
	tcase_add_test(tests, quantities);
	tcase_add_test(tests, name_lists);
	tcase_add_test(tests, owns_its_text);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	buf_release(&out);
	arena_release(&arena);
	return failed || mem.used ? EXIT_FAILURE : EXIT_SUCCESS;
}
