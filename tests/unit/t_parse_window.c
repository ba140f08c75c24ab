/* The grammars of time and windows: what good arguments mean, what users see for bad ones. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/lang_dump.h"

static struct mem mem;
static struct arena arena;
static struct buf out;

static const char *const kinds[] = { "--global", "--tumble", "--hop", "--cumulate", "--session" };

/* ---- what was understood, as text ---- */

static void dump_window(const struct window_ast *w)
{
	buf_printf(&out, "%s %lld/%lld%s offset %lld", kinds[w->kind], (long long)w->size, (long long)w->step, w->rows ? " rows" : "", (long long)w->offset);
}

static void dump_delta(const struct value *most, const struct node *expr)
{
	char text[VALUE_TEXT_MAX];
	buf_puts(&out, "delta ");
	buf_put(&out, text, number_print(most, text));
	buf_puts(&out, " of ");
	dump_node(&out, expr);
}

static void dump_trigger(const struct trigger_ast *t)
{
	static const char *const words[] = { "end", "each", "count", "every", "clock" };
	for (uint32_t i = 0; i < t->n; i++) {
		const struct trigger_cond *cond = &t->cond[i];
		buf_puts(&out, i ? " | " : "");
		if (cond->kind == TRIGGER_DELTA)
			dump_delta(&cond->delta, cond->expr);
		else
			buf_printf(&out, "%s %lld", words[cond->kind], (long long)cond->n);
	}
	buf_puts(&out, t->purge ? " purge" : "");
}

static void dump_evict(const struct evict_ast *e)
{
	if (e->kind == EVICT_DELTA)
		dump_delta(&e->delta, e->expr);
	else
		buf_printf(&out, "last %lld %s", (long long)e->n, e->kind == EVICT_ROWS ? "rows" : "ms");
	buf_puts(&out, e->after ? " after" : "");
}

static void dump_time(const struct time_ast *t)
{
	dump_node(&out, t->expr);
	if (t->format) {
		ck_assert_uint_eq(strlen(t->format), t->format_len);
		buf_printf(&out, " %s %s at %zu+%zu", t->pattern ? "pattern" : "format", t->format, t->format_span.at, t->format_span.len);
	}
}

/* Parses the argument of a flag and dumps it. */
static int parse(const char *flag, const char *text, struct err *err)
{
	struct window_ast window;
	struct trigger_ast trigger;
	struct evict_ast evict;
	struct time_ast time;
	struct watermark_ast mark;
	int64_t ms;
	*err = (struct err){ .code = ERR_NONE };
	arena_reset(&arena);
	out.n = 0;
	int status = -1;
	for (enum window_kind kind = WINDOW_TUMBLE; kind <= WINDOW_SESSION; kind++)
		if (!strcmp(flag, kinds[kind]) && !(status = parse_window(kind, flag, text, &arena, &window, err)))
			dump_window(&window);
	if (!strcmp(flag, "--trigger") && !(status = parse_trigger(flag, text, &arena, &trigger, err)))
		dump_trigger(&trigger);
	if (!strcmp(flag, "--evict") && !(status = parse_evict(flag, text, &arena, &evict, err)))
		dump_evict(&evict);
	if (!strcmp(flag, "--time") && !(status = parse_time(flag, text, &arena, &time, err)))
		dump_time(&time);
	if (!strcmp(flag, "--watermark") && !(status = parse_watermark(flag, text, &arena, &mark, err)))
		buf_printf(&out, "%s%lld %lld %lld", mark.input ? "input " : "", (long long)mark.delay, (long long)mark.idle, (long long)mark.ahead);
	if (!strcmp(flag, "--lateness") && !(status = parse_delay(flag, text, &arena, &ms, err)))
		buf_printf(&out, "%lld", (long long)ms);
	buf_putc(&out, '\0');
	return status;
}

/* ---- good ones ---- */

static void good(const char *flag, const char *text, const char *dump)
{
	struct err err;
	ck_assert_msg(!parse(flag, text, &err) && !err.code, "%s", err.text);
	ck_assert_msg(!strcmp(out.p, dump), "%s %s\n   is %s\n  not %s", flag, text, out.p, dump);
}

START_TEST(windows)
{
	good("--tumble", "5m", "--tumble 300000/300000 offset 0");
	good("--tumble", " 1h30m OFFSET -1m ", "--tumble 5400000/5400000 offset -60000");
	good("--tumble", "5m offset 4m59s999ms", "--tumble 300000/300000 offset 299999");
	good("--tumble", "1w offset 0s", "--tumble 604800000/604800000 offset 0");
	good("--tumble", "1 Rows", "--tumble 1/1 rows offset 0");
	good("--tumble", "1000us", "--tumble 1/1 offset 0");
	good("--tumble", "100000000d", "--tumble 8640000000000000/8640000000000000 offset 0");
	good("--hop", "10m every 1m offset 30s", "--hop 600000/60000 offset 30000");
	good("--hop", "1m EVERY 10m offset -9m", "--hop 60000/600000 offset -540000");
	good("--hop", "5 rows every 3 rows", "--hop 5/3 rows offset 0");
	good("--cumulate", "1d every 1h offset 23h", "--cumulate 86400000/3600000 offset 82800000");
	good("--cumulate", "1h every 1h", "--cumulate 3600000/3600000 offset 0");
	good("--session", "30m", "--session 1800000/0 offset 0");
}
END_TEST

START_TEST(triggers)
{
	good("--trigger", "end", "end 0");
	good("--trigger", "each purge", "each 0 purge");
	good("--trigger", "Count 3 OR every 5s or EVERY 1m clock purge", "count 3 | every 5000 | clock 60000 purge");
	good("--trigger", "delta 0.5 of x or end", "delta 0.5 of x | end 0");
	good("--trigger", "delta 1m of rowtime purge", "delta 60000 of rowtime purge");
	good("--trigger", "delta 0 of a + b * -c or delta 2 of (d or e) or each or each", "delta 0 of (+ a (* b (neg c))) | delta 2 of (or d e) | each 0 | each 0");
	good("--trigger", "delta 3 of purge purge", "delta 3 of purge purge");
	good("--evict", "last 3", "last 3 rows");
	good("--evict", "LAST 3s after", "last 3000 ms after");
	good("--evict", "delta 2 of x - y after", "delta 2 of (- x y) after");
	good("--evict", "delta 2 of after after", "delta 2 of after after");
	good("--lateness", "0s", "0");
	good("--lateness", "1h1ms", "3600001");
}
END_TEST

START_TEST(times)
{
	good("--time", "c1", "c1");
	good("--time", "c1,ms", "c1 format ms at 3+2");
	good("--time", "at, iso", "at format iso at 4+3");
	good("--time", "at || ' ' || {time zone}, \"%d.%m.%Y\\t%H\"", "(|| (|| at \" \") time zone) pattern %d.%m.%Y\t%H at 26+14");
	good("--time", "a.b, '%s'", "a.b pattern %s at 5+4");
	good("--time", "clock", "clock");
	good("--watermark", "5s", "5000 -1 -1");
	good("--watermark", "0s, ahead 3650d, idle 1m", "0 60000 315360000000");
	good("--watermark", "idle 0s", "-1 0 -1");
	good("--watermark", "INPUT", "input -1 -1 -1");
	good("--watermark", "ahead 1h, 10s", "10000 -1 3600000");
}
END_TEST

START_TEST(spans)
{
	struct trigger_ast ast;
	struct err err = { .code = ERR_NONE };
	ck_assert_int_eq(parse_trigger("--trigger", " every 5s clock or delta 2 of (a) purge", &arena, &ast, &err), 0);
	ck_assert_uint_eq(ast.cond[0].span.at, 1);
	ck_assert_uint_eq(ast.cond[0].span.len, strlen("every 5s clock"));
	ck_assert_uint_eq(ast.cond[1].span.len, strlen("delta 2 of (a)"));
	ck_assert_str_eq(ast.cond[1].span.flag, "--trigger");
}
END_TEST

/* ---- bad ones ---- */

struct row { const char *text, *message; size_t at, len; };

/* at, len: the caret line. */
static void bad(const char *flag, const struct row *row)
{
	for (; row->text; row++) {
		struct err err;
		char want[2000], caret[256] = "";
		memset(caret, ' ', row->at);
		for (size_t i = 0; i < (row->len ? row->len : 1); i++)
			caret[row->at + i] = i ? '~' : '^';
		snprintf(want, sizeof want, "%s: %s\n  %s\n  %s", flag, row->message, row->text, caret);
		ck_assert_msg(parse(flag, row->text, &err) == -1, "%s %s: no error", flag, row->text);
		ck_assert_str_eq(err.text, want);
		ck_assert_int_eq(err.code, ERR_USAGE);
	}
}

#define SIZE "expected a size such as 5m or '100 rows', found "
START_TEST(bad_tumble)
{
	bad("--tumble", (const struct row[]){
		{ "", SIZE "nothing", 0, 0 },
		{ "5", SIZE "'5'; the unit is missing", 0, 1 },
		{ "5 min", SIZE "'5'; write: 5m", 0, 1 },
		{ "5 hours", SIZE "'5'; write: 5h", 0, 1 },
		{ "5 every 3", SIZE "'5'; the unit is missing", 0, 1 },
		{ "-5m", SIZE "'-'", 0, 1 },
		{ "daily", SIZE "'daily'", 0, 5 },
		{ "5min", "no unit 'min'; did you mean 'm'? there are: ns, us, ms, s, m, h, d, w", 1, 3 },
		{ "100 row", "expected rows, found 'row'; did you mean 'rows'?", 4, 3 },
		{ "1.5 rows", "the number of rows must be a whole number", 0, 3 },
		{ "0 rows", "the number of rows must be above 0", 0, 1 },
		{ "0s", "the size must be above 0", 0, 2 },
		{ "500us", "the size must be a whole number of ms", 0, 5 },
		{ "100000000d1ms", "the size is too long", 0, 13 },
		{ "100 rows offset 5s", "windows of rows have no offset: they begin with the first row of a key", 9, 6 },
		{ "100 rows 5s", "expected the end, found '5s'", 9, 2 },
		{ "5m offset 5m", "the offset must be shorter than the size", 10, 2 },
		{ "5m offset - 1h", "the offset must be shorter than the size", 10, 4 },
		{ "5m offset", "expected a duration behind 'offset', found the end", 9, 0 },
		{ "5m offset 3", "expected a duration behind 'offset', found '3'; the unit is missing", 10, 1 },
		{ "5m offset -500us", "the offset must be a whole number of ms", 11, 5 },
		{ "5m ofset 1m", "expected offset or the end, found 'ofset'; did you mean 'offset'?", 3, 5 },
		{ "5m offset 1m 2", "expected the end, found '2'", 13, 1 },
		{ "10m every 5m", "expected offset or the end, found 'every'; write: --hop '10m every 5m'", 4, 5 },
		{ 0 } });
}
END_TEST

START_TEST(bad_hop)
{
	bad("--hop", (const struct row[]){
		{ "", "expected a size such as 10m or '100 rows', found nothing", 0, 0 },
		{ "every 5m", "expected a size such as 10m or '100 rows', found 'every'", 0, 5 },
		{ "10m", "expected every and the slide (10m every 5m), found the end; in quotes, as one word: '10m every ...'", 3, 0 },
		{ "10m, 5m", "expected every, found ','; write: 10m every 5m", 3, 1 },
		{ "10m/5m", "expected every, found '/'; write: 10m every 5m", 3, 1 },
		{ "10m 5m", "expected every, found '5m'; write: 10m every 5m", 4, 2 },
		{ "10m by 5m offset 1m", "expected every, found 'by'; write: 10m every 5m offset 1m", 4, 2 },
		{ "9 rows, 3 rows", "expected every, found ','; write: 9 rows every 3 rows", 6, 1 },
		{ "10m evry", "expected every and the slide (10m every 5m), found 'evry'; did you mean 'every'?", 4, 4 },
		{ "10m every", "expected a duration or a number of rows behind 'every', found the end", 9, 0 },
		{ "10m every 5", "expected a duration or a number of rows behind 'every', found '5'; the unit is missing", 10, 1 },
		{ "10m every 0s", "the slide must be above 0", 10, 2 },
		{ "10m every 3 rows", "the size counts time, so the slide must, too", 10, 6 },
		{ "10 rows every 3m", "the size counts rows, so the slide must, too", 14, 2 },
		{ "10m every 5m offset 5m", "the offset must be shorter than the slide", 20, 2 },
		{ "5m every 10m offset -10m", "the offset must be shorter than the slide", 20, 4 },
		{ 0 } });
}
END_TEST

START_TEST(bad_others)
{
	bad("--cumulate", (const struct row[]){
		{ "1d", "expected every and the step (1d every 1h), found the end; in quotes, as one word: '1d every ...'", 2, 0 },
		{ "10m every 3m", "the step must divide the size, and 10m is no multiple of 3m", 10, 2 },
		{ "10m every 20m", "the step must divide the size, and 10m is no multiple of 20m", 10, 3 },
		{ "9 rows every 3 rows", "the size is a duration here; --tumble and --hop count rows", 0, 6 },
		{ "9m every 3 rows", "the step is a duration here; --tumble and --hop count rows", 9, 6 },
		{ "10m every 5m offset 10m", "the offset must be shorter than the size", 20, 3 },
		{ 0 } });
	bad("--session", (const struct row[]){
		{ "", "expected a gap such as 30m, found nothing", 0, 0 },
		{ "30", "expected a gap such as 30m, found '30'; the unit is missing", 0, 2 },
		{ "0s", "the gap must be above 0", 0, 2 },
		{ "5 rows", "the gap is a duration here; --tumble and --hop count rows", 0, 6 },
		{ "5m offset 1m", "expected the end, found 'offset'; a session begins with its first row", 3, 6 },
		{ "5m every 1m", "expected the end, found 'every'", 3, 5 },
		{ 0 } });
	bad("--lateness", (const struct row[]){
		{ "", "expected a duration such as 5s or 1h30m, found nothing", 0, 0 },
		{ "5", "expected a duration such as 5s or 1h30m, found '5'; the unit is missing", 0, 1 },
		{ "1us", "the duration must be a whole number of ms", 0, 3 },
		{ 0 } });
}
END_TEST

#define COND "expected end, each, count N, every D or delta X of EXPR, found "
START_TEST(bad_trigger)
{
	bad("--trigger", (const struct row[]){
		{ "", COND "nothing", 0, 0 },
		{ "5s", COND "'5s'; write: every 5s", 0, 2 },
		{ "10", COND "'10'; write: count 10", 0, 2 },
		{ "ech", COND "'ech'; did you mean 'each'?", 0, 3 },
		{ "purge", COND "'purge'; write: end purge", 0, 5 },
		{ "count 3 or purge", COND "'purge'; purge stands behind the last condition, without or", 11, 5 },
		{ "end or", COND "the end", 6, 0 },
		{ "count", "expected a number of rows behind 'count', found the end", 5, 0 },
		{ "count 5s", "expected a number of rows behind 'count', found '5s'; a time stands behind every", 6, 2 },
		{ "count 0", "the number of rows must be above 0", 6, 1 },
		{ "count 1.5", "the number of rows must be a whole number", 6, 3 },
		{ "every", "expected a duration behind 'every', found the end", 5, 0 },
		{ "every 5", "expected a duration behind 'every', found '5'; the unit is missing, or write count for rows", 6, 1 },
		{ "every 0s", "the interval must be above 0", 6, 2 },
		{ "every 5s clok", "expected clock, or, purge or the end, found 'clok'; did you mean 'clock'?", 9, 4 },
		{ "each, end", "expected or, purge or the end, found ','; conditions are joined by or: the first that is met fires", 4, 1 },
		{ "each and end", "expected or, purge or the end, found 'and'; conditions are joined by or: the first that is met fires", 5, 3 },
		{ "end purge or each", "expected the end, found 'or'; purge stands last", 10, 2 },
		{ "end purge 5", "expected the end, found '5'", 10, 1 },
		{ "delta", "expected a number behind 'delta', found the end", 5, 0 },
		{ "delta -5 of x", "expected a number behind 'delta', found '-'; a difference has no sign", 6, 1 },
		{ "delta 5 x", "expected of and an expression, found 'x'; write: delta 5 of x", 8, 1 },
		{ "delta 5", "expected of and an expression, found the end; write: delta 5 of x", 7, 0 },
		{ "delta 5 of", "expected an expression, found the end", 10, 0 },
		{ "delta 5 of x > 3", "expected an operator, or, purge or the end, found '>'", 13, 1 },
		{ 0 } });
	bad("--evict", (const struct row[]){
		{ "", "expected last N, last D or delta X of EXPR, found nothing", 0, 0 },
		{ "5", "expected last N, last D or delta X of EXPR, found '5'; write: last 5", 0, 1 },
		{ "lsat 5", "expected last N, last D or delta X of EXPR, found 'lsat'; did you mean 'last'?", 0, 4 },
		{ "last", "expected a number of rows or a duration behind 'last', found the end", 4, 0 },
		{ "last 0", "the number of rows must be above 0", 5, 1 },
		{ "last 0s", "the time must be above 0", 5, 2 },
		{ "last 5 before", "expected after or the end, found 'before'; without a word it is before the firing", 7, 6 },
		{ "last 5 after 3", "expected the end, found '3'", 13, 1 },
		{ "delta 5 of x x", "expected an operator, after or the end, found 'x'", 13, 1 },
		{ 0 } });
}
END_TEST

#define FORMAT "expected a format (s, ms, us, ns, iso, clf, syslog) or a pattern in quotes, found "
#define DELAY "expected a delay such as 10s, input, idle D or ahead D, found "
START_TEST(bad_time)
{
	bad("--time", (const struct row[]){
		{ "", "expected an expression, found nothing", 0, 0 },
		{ "c1,", FORMAT "the end", 3, 0 },
		{ "c1, 5", FORMAT "'5'", 4, 1 },
		{ "c1, %Y-%m-%d", FORMAT "'%'; write: \"%Y-%m-%d\"", 4, 1 },
		{ "c1, %d \"%b\"", FORMAT "'%'; write: '%d \"%b\"'", 4, 1 },
		{ "c1 ms", "expected an operator, ',' or the end, found 'ms'; write: c1, ms", 3, 2 },
		{ "c1 '%Y'", "expected an operator, ',' or the end, found '%Y'; write: c1, '%Y'", 3, 4 },
		{ "odd name, ms", "expected an operator, ',' or the end, found 'name'; a name with blanks stands in braces: {odd name}", 4, 4 },
		{ "c1, ms, ns", "expected the end, found ','", 6, 1 },
		{ 0 } });
	bad("--watermark", (const struct row[]){
		{ "", DELAY "nothing", 0, 0 },
		{ "5", DELAY "'5'; the unit is missing", 0, 1 },
		{ "idel 5s", DELAY "'idel'; did you mean 'idle'?", 0, 4 },
		{ "5s,", DELAY "the end", 3, 0 },
		{ "5s, 6s", "the delay is given twice", 4, 2 },
		{ "idle 5s, idle 6s", "idle is given twice", 14, 2 },
		{ "idle", "expected a duration behind 'idle', found the end", 4, 0 },
		{ "ahead 5", "expected a duration behind 'ahead', found '5'; the unit is missing", 6, 1 },
		{ "5s idle 6s", "expected ',' or the end, found 'idle'", 3, 4 },
		{ "input, 5s", "with input only the @wm lines move the watermark: there is no delay", 7, 2 },
		{ "5s, input", "with input only the @wm lines move the watermark: leave the delay out", 4, 5 },
		{ "500us", "the delay must be a whole number of ms", 0, 5 },
		{ 0 } });
}
END_TEST

int main(void)
{
	arena_init(&arena, &mem);
	buf_init(&out, &mem);
	Suite *suite = suite_create("parse_window");
	TCase *tests = tcase_create("parse_window");
	tcase_add_test(tests, windows);
	tcase_add_test(tests, triggers);
	tcase_add_test(tests, times);
	tcase_add_test(tests, spans);
	tcase_add_test(tests, bad_tumble);
	tcase_add_test(tests, bad_hop);
	tcase_add_test(tests, bad_others);
	tcase_add_test(tests, bad_trigger);
	tcase_add_test(tests, bad_time);
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
