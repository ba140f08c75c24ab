/* Prefixes of arguments, damaged arguments and refused memory: the parser fails cleanly. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "parse/lang/parse.h"

static struct mem mem;
static struct arena arena;
static uint64_t seed = 88172645463325252u;

static uint32_t dice(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 33) % n;
}

enum { GRAMMARS = 17 };

/* Grammar number `which` on a text. */
static int parse(int which, const char *text, struct err *err)
{
	struct node *node;
	struct named_list list;
	struct topn_ast topn;
	struct name_list names;
	struct window_ast window;
	struct trigger_ast trigger;
	struct evict_ast evict;
	struct time_ast time;
	struct watermark_ast mark;
	int64_t a, b;
	uint64_t bytes;
	switch (which) {
	case 0:
		return parse_expr("--f", text, &arena, &node, err);
	case 1:
		return parse_select("--f", text, &arena, &list, err);
	case 2:
		return parse_keyby("--f", text, &arena, &list, err);
	case 3:
		return parse_reduce("--f", text, &arena, &list, err);
	case 4:
		return parse_topn("--f", text, &arena, &topn, err);
	case 5:
		return parse_minibatch("--f", text, &arena, &a, &b, err);
	case 6:
		return parse_duration("--f", text, &arena, &a, err);
	case 7:
		return parse_names("--f", text, &arena, &names, err);
	case 8:
		return parse_size("--f", text, &arena, &bytes, err);
	case 9:
		return parse_trigger("--f", text, &arena, &trigger, err);
	case 10:
		return parse_evict("--f", text, &arena, &evict, err);
	case 11:
		return parse_time("--f", text, &arena, &time, err);
	case 12:
		return parse_watermark("--f", text, &arena, &mark, err);
	default:
		return parse_window(WINDOW_TUMBLE + (enum window_kind)(which - 13), "--f", text, &arena, &window, err);
	}
}

static const char *const samples[GRAMMARS] = {
	"not a.b[-1] in (1, 2.5e3, 'x''y', \"\\x41\\n\") and f(/a\\/b/i, {c}}d}) =~ /x/ or g between 1 and 5m30s",
	"*, a as b, lower(c) || 'x' as {d e}, -f[0], x is not null, a, b, c",
	"window, a as b, c % 2, d, e",
	"count, sum(distinct x) where y > 3 as z, sum(x) as z where y > 3, quantile(x, 0.9), count(*)",
	"2..4 dense_rank by a desc nulls last, b asc, c, d, e as r",
	"5000, 5s",
	"1h30m",
	"a, {b c}, d, e, f",
	"16M",
	"end or each or count 5 or every 5s clock or delta 0.5 of a + b.c or every 1m purge",
	"delta 5m of lower(a) after",
	"a || ' ' || {b c}, \"%Y-%m-%d\\t%H\"",
	"10s, idle 1m, ahead 1d",
	"1h30m offset -5m",
	"10 rows every 5 rows",
	"1d every 1h offset 2h",
	"30m",
};

/* An error is one of usage, names the flag and has its caret. */
static void check_outcome(int status, const struct err *err, const char *text)
{
	ck_assert_int_eq(status, err->code ? -1 : 0);
	ck_assert_msg(!status || (err->code == ERR_USAGE && !strncmp(err->text, "--f: ", 5) && strchr(err->text, '^')), "%s: %s", text, err->text);
	arena_reset(&arena);
}

START_TEST(prefixes)
{
	for (int i = 0; i < GRAMMARS; i++)
		for (size_t n = 0; n <= strlen(samples[i]); n++)
			for (int which = 0; which < GRAMMARS; which++) {
				char *text = strndup(samples[i], n); /* so that a sanitizer sees its end */
				struct err err = { .code = ERR_NONE };
				check_outcome(parse(which, text, &err), &err, text);
				free(text);
			}
}
END_TEST

START_TEST(damaged)
{
	static const char *const bits[] = { "(", ")", ",", "'", "\"", "/", "{", "}", "[", "\\", "-", ".", "..", "1", "5s", " not ", " and ", " by ",
					    " as ", "\xc3\xa4", "\x01" };
	for (int round = 0; round < 20000; round++) {
		char text[256];
		int which = (int)dice(GRAMMARS);
		const char *sample = samples[which], *bit = bits[dice(sizeof bits / sizeof *bits)];
		size_t n = strlen(sample), at = dice((uint32_t)n), drop = dice(4);
		snprintf(text, sizeof text, "%.*s%s%s", (int)at, sample, bit, sample + (at + drop < n ? at + drop : n));
		struct err err = { .code = ERR_NONE };
		check_outcome(parse(which, text, &err), &err, text);
	}
}
END_TEST

/* Every single request of the parser is refused once: the arena's chunk has `left` bytes left and gets no second one. */
START_TEST(no_memory)
{
	enum { CHUNK = 60000 };
	for (int which = 0; which < GRAMMARS; which++) {
		int status = -1;
		for (size_t left = 0; status; left += 16) {
			struct err err = { .code = ERR_NONE };
			ck_assert_uint_lt(left, CHUNK);
			arena_release(&arena);
			ck_assert_ptr_nonnull(arena_alloc(&arena, CHUNK));
			ck_assert_ptr_nonnull(arena_alloc(&arena, (size_t)(arena.end - arena.at)));
			arena.at -= left;
			mem.fail_at = 1;
			status = parse(which, samples[which], &err);
			mem.fail_at = 0;
			ck_assert_int_eq(status, err.code ? -1 : 0);
			if (status)
				ck_assert_str_eq(err.text, "out of memory");
			if (status)
				ck_assert_int_eq(err.code, ERR_FAILED);
		}
		arena_release(&arena);
		ck_assert_uint_eq(mem.used, 0);
	}
}
END_TEST

/* A long list takes many chunks, and little more memory than its own size. */
START_TEST(long_list)
{
	struct buf text;
	buf_init(&text, &mem);
	for (int i = 0; i < 20000; i++)
		buf_puts(&text, i ? ",'it''s'" : "a in ('x'");
	buf_puts(&text, ")");
	buf_putc(&text, '\0');
	int status = -1, failures = -1;
	size_t before = mem.used;
	for (uint64_t n = 1; status; n++, failures++) {
		struct err err = { .code = ERR_NONE };
		arena_release(&arena);
		mem.fail_at = mem.requests + n;
		status = parse(0, text.p, &err);
		mem.fail_at = 0;
		ck_assert_str_eq(err.text, status ? "out of memory" : "");
	}
	ck_assert_int_gt(failures, 10);
	ck_assert_uint_lt(mem.used - before, 10 << 20);
	arena_release(&arena);
	buf_release(&text);
}
END_TEST

int main(void)
{
	arena_init(&arena, &mem);
	Suite *suite = suite_create("parse_abuse");
	TCase *tests = tcase_create("parse_abuse");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, prefixes);
	tcase_add_test(tests, damaged);
	tcase_add_test(tests, no_memory);
	tcase_add_test(tests, long_list);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	arena_release(&arena);
	return failed || mem.used ? EXIT_FAILURE : EXIT_SUCCESS;
}
