/* The picture of --live, as a function of rows and a screen. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/width.h"
#include "ops/emit/live_draw.h"
#include "tests/unit/run_tests.h"

enum { ROWS_MAX = 50 };

/* Rows of a text, a number, and what the bar shows. */
struct bench {
	struct mem mem;
	struct arena words;
	struct schema names;
	struct row *row[ROWS_MAX];
	struct live_picture picture;
	struct live_screen screen;
	struct live_drawn drawn;
	struct buf out;
};

static void start(struct bench *b, uint32_t width, uint32_t height)
{
	memset(b, 0, sizeof *b);
	arena_init(&b->words, &b->mem);
	buf_init(&b->out, &b->mem);
	schema_init(&b->names, SCHEMA_CLOSED, &b->words);
	ck_assert_int_eq(schema_add(&b->names, "path", 4, T_RAW), 0);
	ck_assert_int_eq(schema_add(&b->names, "count", 5, T_NUMBER), 1);
	b->picture = (struct live_picture){ .names = &b->names, .row = (const struct row *const *)b->row, .ncol = 2, .bar = 2 };
	b->screen = (struct live_screen){ .width = width, .height = height };
}

static void add(struct bench *b, const char *text, size_t len, int64_t n)
{
	struct row *row = calloc(1, sizeof *row + 3 * sizeof *row->v);
	row->n = 3;
	row->v[0] = value_raw(text, (uint32_t)len);
	row->v[1] = row->v[2] = value_int(n);
	b->row[b->picture.n++] = row;
	b->picture.total++;
}

#define ADD(b, text, n) add(b, text, sizeof text - 1, n)

static const char *draw(struct bench *b)
{
	b->out.n = 0;
	ck_assert_int_eq(live_draw(&b->picture, &b->screen, &b->out, &b->drawn), 0);
	buf_putc(&b->out, '\0');
	return b->out.p;
}

static void stop(struct bench *b)
{
	for (uint32_t i = 0; i < b->picture.n; i++)
		free(b->row[i]);
	buf_release(&b->out);
	arena_release(&b->words);
	ck_assert_uint_eq(b->mem.used, 0);
}

START_TEST(at_80_columns)
{
	struct bench b;
	start(&b, 80, 24);
	ADD(&b, "/index.html", 912);
	ADD(&b, "/cart", 456);
	ADD(&b, "/p", 1);
	ck_assert_str_eq(draw(&b),
		"path         count\n"
		"/index.html    912  ########################################\n"
		"/cart          456  ####################\n"
		"/p               1  #\n");
	ck_assert_uint_eq(b.drawn.n, 4);
	ck_assert_uint_eq(b.drawn.width[1], 60);
	b.screen.utf8 = true;
	ck_assert_ptr_nonnull(strstr(draw(&b), "/p               1  \xe2\x96\x8f\n"));
	b.picture.bar = -1;
	b.picture.names = NULL;
	ck_assert_str_eq(draw(&b), "/index.html  912\n/cart        456\n/p             1\n");
	stop(&b);
}
END_TEST

START_TEST(at_20_columns)
{
	struct bench b;
	start(&b, 20, 24);
	ADD(&b, "/a/long/path/that/does/not/fit", 7);
	ADD(&b, "/b", 6);
	ck_assert_str_eq(draw(&b), "path           count\n/a/long/path~      7\n/b                 6\n");
	b.screen.utf8 = true;
	ck_assert_ptr_nonnull(strstr(draw(&b), "/a/long/path\xe2\x80\xa6      7\n"));
	stop(&b);
	start(&b, 20, 24);
	ADD(&b, "/a", 7);
	ck_assert_str_eq(draw(&b), "path  count\n/a        7  #######\n");
	stop(&b);
}
END_TEST

START_TEST(at_200_columns)
{
	struct bench b;
	start(&b, 200, 24);
	ADD(&b, "/a/long/path/that/fits/now", 7);
	ADD(&b, "/b", 0);
	const char *text = draw(&b);
	ck_assert_ptr_nonnull(strstr(text, "/a/long/path/that/fits/now      7  #####"));
	ck_assert_ptr_nonnull(strstr(text, "/b                              0\n"));
	ck_assert_uint_eq(b.drawn.width[1], 35 + 100);
	stop(&b);
}
END_TEST

START_TEST(wide_characters_keep_columns)
{
	struct bench b;
	start(&b, 80, 24);
	b.picture.bar = -1;
	ADD(&b, "\xe6\xbc\xa2\xe5\xad\x97", 1);
	ADD(&b, "e\xcc\x81", 2);
	ADD(&b, "\x1b[31m\t", 3);
	ADD(&b, "\xff", 4);
	ck_assert_str_eq(draw(&b),
		"path          count\n"
		"\xe6\xbc\xa2\xe5\xad\x97              1\n"
		"e\xcc\x81                 2\n"
		"\\x1B[31m\\x09      3\n"
		"\\xFF              4\n");
	stop(&b);
	start(&b, 16, 24); /* a wide one that would be cut in half is left out */
	b.picture.bar = -1;
	ADD(&b, "abcdefg\xe6\xbc\xa2\xe5\xad\x97", 1);
	ck_assert_str_eq(draw(&b), "path       count\nabcdefg~       1\n");
	b.screen.width = 17;
	ck_assert_str_eq(draw(&b), "path        count\nabcdefg\xe6\xbc\xa2~      1\n");
	stop(&b);
}
END_TEST

START_TEST(what_does_not_fit_the_height_is_counted)
{
	struct bench b;
	start(&b, 80, 6);
	b.picture.bar = -1;
	for (int i = 0; i < 8; i++)
		ADD(&b, "x", i);
	b.picture.total = 40;
	ck_assert_str_eq(draw(&b), "path  count\nx         0\nx         1\nx         2\n... 37 more\n");
	b.picture.total = 4;
	ck_assert_str_eq(draw(&b), "path  count\nx         0\nx         1\nx         2\nx         3\n");
	b.picture.total = 40;
	b.screen.height = 2;
	ck_assert_str_eq(draw(&b), "... 40 more\n");
	b.screen.height = 1;
	ck_assert_str_eq(draw(&b), "... 40 more\n");
	stop(&b);
}
END_TEST

START_TEST(no_rows_no_lines)
{
	struct bench b;
	start(&b, 80, 24);
	ck_assert_str_eq(draw(&b), "");
	b.screen.escapes = true;
	b.drawn = (struct live_drawn){ .n = 3, .width = { 10, 10, 10 } };
	ck_assert_str_eq(draw(&b), "\r\x1b[3A\x1b[J");
	ck_assert_uint_eq(b.drawn.n, 0);
	ck_assert_str_eq(draw(&b), "\r\x1b[J");
	stop(&b);
}
END_TEST

START_TEST(a_frame_goes_over_the_last_one)
{
	struct bench b;
	start(&b, 10, 24);
	b.screen.escapes = true;
	b.picture.names = NULL;
	b.picture.bar = -1;
	ADD(&b, "abcdefg", 1);
	ADD(&b, "a", 2);
	ck_assert_str_eq(draw(&b), "\rabcdefg  1\r\na        2\r\n\x1b[J"); /* full lines: nothing to erase */
	b.screen.width = 80;
	ck_assert_str_eq(draw(&b), "\r\x1b[2Aabcdefg  1\x1b[K\r\na        2\x1b[K\r\n\x1b[J");
	b.screen.width = 4; /* the terminal has broken each line into three */
	ck_assert(!strncmp(draw(&b), "\r\x1b[6A", 5));
	b.out.n = 0;
	live_erase(80, &b.out, &b.drawn);
	buf_putc(&b.out, '\0');
	ck_assert_str_eq(b.out.p, "\r\x1b[2A\x1b[J");
	ck_assert_uint_eq(b.drawn.n, 0);
	stop(&b);
}
END_TEST

START_TEST(colour_only_if_asked_for)
{
	struct bench b;
	start(&b, 17, 3);
	b.screen.escapes = true;
	ADD(&b, "a", 1);
	ADD(&b, "b", 1);
	ck_assert_ptr_null(strstr(draw(&b), "\x1b[0m"));
	b.screen.height = 4;
	b.screen.colour = true;
	b.drawn.n = 0;
	ck_assert_str_eq(draw(&b), "\r\x1b[1mpath  count\x1b[0m\x1b[K\r\na         1  \x1b[36m####\x1b[0m\r\nb         1  \x1b[36m####\x1b[0m\r\n\x1b[J");
	b.screen.height = 3;
	b.drawn.n = 0;
	ck_assert_str_eq(draw(&b), "\r\x1b[1mpath  count\x1b[0m\x1b[K\r\n\x1b[2m... 2 more\x1b[0m\x1b[K\r\n\x1b[J");
	stop(&b);
}
END_TEST

/* Lines without escapes: none is wider than the screen, there are not more than fit, and what is said to be on the screen is there. */
START_TEST(any_rows_fit_any_screen)
{
	srandom(1);
	for (int round = 0; round < 3000; round++) {
		char text[ROWS_MAX][40];
		struct bench b;
		start(&b, 1 + (uint32_t)random() % (round % 2 ? 30 : 100), 1 + (uint32_t)random() % 20);
		uint32_t n = (uint32_t)random() % ROWS_MAX;
		for (uint32_t i = 0; i < n; i++) {
			size_t len = (size_t)random() % sizeof *text;
			for (size_t k = 0; k < len; k++)
				text[i][k] = (char)(random() % 5 ? 'a' + random() % 26 : random() | 0x80);
			add(&b, text[i], len, random() % 3 ? random() % 1000 : -random());
		}
		b.screen.utf8 = random() % 2;
		b.picture.bar = random() % 2 ? 2 : -1;
		b.picture.names = random() % 2 ? &b.names : NULL;
		const char *p = draw(&b);
		uint32_t lines = 0;
		for (const char *end; (end = strchr(p, '\n')); p = end + 1) {
			uint32_t width = width_of(p, (size_t)(end - p));
			ck_assert_uint_le(width, b.screen.width);
			ck_assert_uint_eq(width, b.drawn.width[lines++]);
			ck_assert(end == p || end[-1] != ' ');
		}
		ck_assert_uint_eq(lines, b.drawn.n);
		ck_assert_uint_lt(lines, b.screen.height > 1 ? b.screen.height : 2);
		stop(&b);
	}
}
END_TEST

START_TEST(refused_memory)
{
	for (uint64_t fail = 1;; fail++) {
		struct bench b;
		start(&b, 80, 24);
		ADD(&b, "a", 1);
		ADD(&b, "b", 2);
		b.mem.fail_at = b.mem.requests + fail;
		int status = live_draw(&b.picture, &b.screen, &b.out, &b.drawn);
		bool refused = b.mem.requests >= b.mem.fail_at;
		ck_assert_int_eq(status, refused ? -1 : 0);
		stop(&b);
		if (!refused)
			break;
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		at_80_columns, at_20_columns, at_200_columns, wide_characters_keep_columns, what_does_not_fit_the_height_is_counted, no_rows_no_lines,
		a_frame_goes_over_the_last_one, colour_only_if_asked_for, any_rows_fit_any_screen, refused_memory,
	};
	return RUN_TESTS("live_draw", tests);
}
