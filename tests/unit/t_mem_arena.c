/* core/mem, core/arena, core/buf, core/err: what all others stand on. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "core/buf.h"
#include "core/err.h"
#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"

START_TEST(memory_is_counted)
{
	struct mem mem = { 0 };
	char *a = mem_alloc(&mem, 100), *b = mem_alloc(&mem, 0);
	for (int i = 0; i < 100; i++)
		ck_assert_int_eq(a[i], 0);
	ck_assert(b && b != a);
	ck_assert_uint_eq(mem.used, 100);
	memset(a, 'x', 100);
	a = mem_resize(&mem, a, 100, 1000);
	ck_assert_uint_eq(mem.used, 1000);
	ck_assert_int_eq(a[99], 'x');
	a = mem_resize(&mem, a, 1000, 10);
	ck_assert_uint_eq(mem.used, 10);
	ck_assert_uint_eq(mem.peak, 1000);
	ck_assert_int_eq(a[9], 'x');
	mem_free(&mem, a, 10);
	mem_free(&mem, b, 0);
	mem_free(&mem, NULL, 7);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(memory_has_a_limit)
{
	struct mem mem = { .limit = 1000 };
	void *a = mem_alloc(&mem, 600);
	ck_assert(a != NULL);
	ck_assert(mem_alloc(&mem, 401) == NULL);
	ck_assert(mem_alloc(&mem, SIZE_MAX) == NULL);
	ck_assert(mem_resize(&mem, a, 600, 1001) == NULL);
	ck_assert_uint_eq(mem.used, 600);
	void *b = mem_alloc(&mem, 400);
	ck_assert(b != NULL);
	mem_free(&mem, a, 600);
	mem_free(&mem, b, 400);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(memory_fails_when_told)
{
	struct mem mem = { .fail_at = 3 };
	void *a = mem_alloc(&mem, 1), *b = mem_resize(&mem, NULL, 0, 1);
	ck_assert(a && b);
	ck_assert(mem_alloc(&mem, 1) == NULL);
	ck_assert(mem_resize(&mem, a, 1, 2) == NULL);
	ck_assert_uint_eq(mem.used, 2);
	ck_assert_uint_eq(mem.requests, 4);
	mem_free(&mem, a, 1);
	mem_free(&mem, b, 1);
}
END_TEST

/* Blocks of random sizes, each filled with its own byte, must keep what is in them. */
START_TEST(blocks_of_an_arena_do_not_touch)
{
	enum { N = 300 };
	struct mem mem = { 0 };
	struct arena arena;
	uint64_t state = 1;
	arena_init(&arena, &mem);
	for (int round = 0; round < 20; round++) {
		unsigned char *block[N];
		size_t size[N];
		for (int i = 0; i < N; i++) {
			size[i] = numgen_below(&state, i % 50 == 7 ? 200000 : 600);
			block[i] = arena_alloc(&arena, size[i]);
			ck_assert(block[i] && (uintptr_t)block[i] % 16 == 0);
			memset(block[i], i % 251, size[i]);
		}
		for (int i = 0; i < N; i++) {
			size_t kept = 0;
			while (kept < size[i] && block[i][kept] == i % 251)
				kept++;
			ck_assert_uint_eq(kept, size[i]);
		}
		if (round % 7 == 6)
			arena_release(&arena);
		else
			arena_reset(&arena);
	}
	arena_release(&arena);
	arena_release(&arena);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(an_arena_keeps_one_chunk)
{
	struct mem mem = { 0 };
	struct arena arena;
	arena_init(&arena, &mem);
	ck_assert_uint_eq(mem.used, 0);
	uint64_t requests = 0;
	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < 1000; i++)
			ck_assert(arena_alloc(&arena, 500) != NULL);
		if (round < 2)
			requests = mem.requests;
		ck_assert_uint_eq(mem.requests, requests);
		arena_reset(&arena);
	}
	for (size_t size = 66000; size < 600000; size += 500) { /* each a little too large for what the one before left */
		ck_assert(arena_alloc(&arena, size) != NULL);
		arena_reset(&arena);
	}
	ck_assert_uint_lt(mem.peak, 4 << 20);
	ck_assert(arena_alloc(&arena, 100 << 20) != NULL); /* far larger than usual: given back */
	ck_assert_uint_gt(mem.used, 100 << 20);
	arena_reset(&arena);
	ck_assert_uint_lt(mem.used, 5 << 20);
	arena_release(&arena);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(an_arena_may_be_refused)
{
	struct mem mem = { .fail_at = 1 };
	struct arena arena;
	arena_init(&arena, &mem);
	ck_assert(arena_alloc(&arena, 0) == NULL);
	ck_assert(arena_copy(&arena, "abc", 3) == NULL);
	mem.fail_at = 0;
	ck_assert(arena_alloc(&arena, SIZE_MAX) == NULL);
	ck_assert(arena_alloc(&arena, SIZE_MAX - 15) == NULL);
	char *copy = arena_copy(&arena, "a\0c", 3), *empty = arena_copy(&arena, NULL, 0);
	ck_assert(memcmp(copy, "a\0c", 4) == 0 && *empty == '\0');
	mem.fail_at = mem.requests + 1;
	ck_assert(arena_alloc(&arena, 1 << 20) == NULL);
	ck_assert(arena_alloc(&arena, 16) != NULL); /* what is there can still be used */
	arena_release(&arena);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(a_buffer_grows)
{
	struct mem mem = { 0 };
	struct buf buf;
	buf_init(&buf, &mem);
	buf_put(&buf, NULL, 0);
	ck_assert_uint_eq(mem.used, 0);
	for (int i = 0; i < 1000; i++) {
		buf_putc(&buf, 'a');
		buf_puts(&buf, "bc");
		buf_put(&buf, "d\0", 2);
		buf_printf(&buf, "%03d%s", i, "");
	}
	ck_assert_uint_eq(buf.n, 8000);
	for (size_t i = 0; i < 1000; i++) {
		char want[9];
		snprintf(want, sizeof want, "abcd.%03zu", i);
		want[4] = '\0';
		ck_assert(memcmp(buf.p + 8 * i, want, 8) == 0);
	}
	buf_printf(&buf, "%*s", 10000, "x");
	ck_assert_uint_eq(buf.n, 18000);
	ck_assert(!buf.failed);
	buf_release(&buf);
	ck_assert(buf.n == 0 && buf.p == NULL);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(a_failure_of_a_buffer_sticks)
{
	struct mem mem = { 0 };
	struct buf buf;
	buf_init(&buf, &mem);
	buf_puts(&buf, "kept");
	mem.fail_at = mem.requests + 1;
	while (!buf.failed)
		buf_putc(&buf, 'x');
	size_t n = buf.n;
	ck_assert_uint_eq(n, buf.cap);
	mem.fail_at = 0;
	buf_puts(&buf, "no more");
	buf_put(&buf, "no more", 7);
	buf_printf(&buf, "no %s", "more");
	buf_putc(&buf, 'x');
	ck_assert_uint_eq(buf.n, n);
	ck_assert(buf_room(&buf, 1) == NULL);
	ck_assert(memcmp(buf.p, "kept", 4) == 0);
	buf_release(&buf);
	ck_assert(!buf.failed);
	ck_assert(buf_room(&buf, SIZE_MAX) == NULL && buf.failed);
	buf_release(&buf);
	ck_assert(buf_room(&buf, SIZE_MAX / 2 + 2) == NULL);
	buf_release(&buf);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(the_first_error_stays)
{
	struct err err = { 0 };
	ck_assert_int_eq(err_before(&err, "nothing"), -1);
	ck_assert_int_eq(err.code, ERR_NONE);
	ck_assert_int_eq(err_set(&err, ERR_FAILED, "line %d", 7), -1);
	ck_assert_int_eq(err_memory(&err), -1);
	ck_assert_int_eq(err_at(&err, (struct span){ 0 }, "second"), -1);
	ck_assert_int_eq(err.code, ERR_FAILED);
	ck_assert_str_eq(err.text, "line 7");
	err_before(&err, "%s", "a.tsv");
	ck_assert_str_eq(err.text, "a.tsv: line 7");
	for (int i = 0; i < 1000; i++)
		err_before(&err, "%s", "a.tsv");
	ck_assert_uint_lt(strlen(err.text), sizeof err.text);
	err = (struct err){ 0 };
	err_memory(&err);
	ck_assert_str_eq(err.text, "out of memory");
}
END_TEST

static const char *at(const char *text, size_t from, size_t len)
{
	static struct err err;
	err = (struct err){ 0 };
	err_at(&err, (struct span){ .flag = "--where", .text = text, .at = from, .len = len }, "bad %s", "thing");
	ck_assert_int_eq(err.code, ERR_USAGE);
	return err.text;
}

START_TEST(the_caret_stands_under_the_piece)
{
	ck_assert_str_eq(at("stauts >= 500", 0, 6), "--where: bad thing\n  stauts >= 500\n  ^~~~~~");
	ck_assert_str_eq(at("a + b", 4, 1), "--where: bad thing\n  a + b\n      ^");
	ck_assert_str_eq(at("a +", 3, 0), "--where: bad thing\n  a +\n     ^");
	ck_assert_str_eq(at("", 0, 0), "--where: bad thing\n  \n  ^");
	ck_assert_str_eq(at("a\tb", 2, 1), "--where: bad thing\n  a\\x09b\n       ^");
	ck_assert_str_eq(at("\xc3\xa4 b", 3, 1), "--where: bad thing\n  \xc3\xa4 b\n    ^");
	ck_assert_str_eq(at("a", 9, 1), "--where: bad thing\n  a\n   ^"); /* behind the end: at the end */
}
END_TEST

START_TEST(long_arguments_are_cut)
{
	char text[5000];
	uint64_t state = 2;
	for (int i = 0; i < 3000; i++) { /* any bytes, also such as are no UTF-8, and any piece of them */
		size_t n = numgen_below(&state, sizeof text - 1);
		for (size_t k = 0; k < n; k++)
			text[k] = (char)(i % 3 == 0 ? 0x80 : i % 3 == 1 ? 1 : 1 + numgen_below(&state, 255));
		text[n] = '\0';
		size_t from = numgen_below(&state, n + 1);
		const char *shown = at(text, from, numgen_below(&state, n - from + 1));
		ck_assert_uint_lt(strlen(shown), 1300);
	}
	memset(text, 'a', 1000);
	text[1000] = '\0';
	const char *shown = at(text, 500, 3), *line = strchr(shown, '\n') + 3, *under = strchr(line, '\n') + 3;
	ck_assert(strncmp(line, "...aaa", 6) == 0 && strncmp(under - 6, "...", 3) == 0);
	ck_assert_uint_eq(strspn(under, " "), 3 + 60);
	ck_assert_str_eq(strchr(under, '^'), "^~~");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		memory_is_counted, memory_has_a_limit, memory_fails_when_told, blocks_of_an_arena_do_not_touch, an_arena_keeps_one_chunk,
		an_arena_may_be_refused, a_buffer_grows, a_failure_of_a_buffer_sticks, the_first_error_stays, the_caret_stands_under_the_piece,
		long_arguments_are_cut,
	};
	return RUN_TESTS("mem_arena", tests);
}
