/* The source: the same rows whatever the sizes of reads and batches; several files; bad records; refused memory; waiting. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"

/* ---- random input --------------------------------------------------------------------------- */

/* Pieces that make lines of every kind; per format so that many are good and all that is special comes up. */
struct grammar {
	const char *format, *columns;
	const char *piece[16];
	int header;
};

static const struct grammar grammars[] = {
	{ "tsv", "c2 c1# *", { "\t", "\n", "a", "1", "2.5", "\\N", "\r\n", "\r", "", "\t\t", "-7", "x y" }, 0 },
	{ "tsv", "b# a", { "\t", "\n", "a", "1", "\t1\n", "\r\n", "\\N", "5\t6\n" }, 1 },
	{ "csv", "b a#", { ",", "\n", "\"", "\"\"", "a", "1", "\r\n", ",\"x\ny\"\n", "\"1\",2\n", "1,\"\"\n", "\"3\n\",4\r\n", " " }, 1 },
	{ "csv", "* c1?", { ",", "\n", "\"", "\"\"", "true", "false,", "\r\n", "\"true\"\n", "\\" }, 2 },
	{ "space", "c2# c1 *", { " ", "\t", "\n", "a", "1", "  ", "\r\n", " 5\n", "\\N" }, 0 },
	{ "lines", "line", { "\n", "\r", "a", "\\N", "\r\n", "\n\n" }, 0 },
	{ "combined", "ip time path query bytes# agent x1", { "1 - - [t] \"GET /a?b HTTP/1.0\" 200 5 \"-\" \"a\"", "\n", " ", "\"", "-", "\\", "\n1 i u [t] \"-\" 1 x \"\" \"\\\"q\"\n", "]", "x" }, 0 },
	{ "nginx:$a [$time_iso8601] \"$b\" $upstream_c", "a time b upstream_c#", { "x [2026-11-29T10:00:00+00:00] \"", "\" ", "5\n", "x", "\\", "\"", "\\\"", ", ", "\n", "-", "[" }, 0 },
	{ "syslog", "host tag pid# msg", { "<1>1 - h t 5 - - ", "Nov 29 10:00:00 h ", "a[5]: ", "a: ", "\n", " ", "x", "[", "]", "2026-11-29T10:00:00Z h a - - " }, 0 },
	{ "regex:(?<a>x+)(?<b>,[^,]*)?", "a b#", { "x", ",", "1", "\n", "\r\n", "x,2\n", "\xff" }, 0 },
	{ "changelog", "c1 c2# *", { "+I\t", "-U\ta\t1\n", "+U\ta\t2\n", "-D\t", "a\n", "\t3\n", "\\N\t", "\\t", "@wm 5\n", "@pt 1\n", "\n", "x", "\\" }, 0 },
	{ "changelog", "k v#", { "+I\ta\t1\n", "-U\ta\t1\n", "+U\ta\t2\n", "-U\tb\t\\N\n", "+U\tb\tx\n", "@wm\t5\n", "@key\tk\n@names\tk\tv\n", "\n" }, 0 },
	{ "csv", "a", { "\x1f", "\x8b", "\x08", "\xef", "\xbb", "\xbf", "a", "\n", "\xfd", "\"" }, 1 },
};

static size_t make_text(const struct grammar *g, char *to, size_t room)
{
	unsigned pieces = 0;
	while (pieces < 16 && g->piece[pieces])
		pieces++;
	unsigned n = (unsigned)rand() % 60, top = 1 + (unsigned)rand() % pieces;
	size_t len = 0;
	if (g->header == 1 && rand() % 8)
		len = (size_t)sprintf(to, !strcmp(g->format, "csv") ? "a,b\n" : "a\tb\n");
	for (unsigned i = 0; i < n; i++) {
		const char *piece = g->piece[rand() % 3 ? (unsigned)rand() % pieces : (unsigned)rand() % top];
		if (len + strlen(piece) < room)
			len += (size_t)sprintf(to + len, "%s", piece);
	}
	return len;
}

/* One after the other. What PCRE2 compiles at run time reads words in part uninitialised, which valgrind takes for a fault. */
static const struct grammar *pick(int round)
{
	const struct grammar *g = &grammars[(unsigned)round % (sizeof grammars / sizeof *grammars)];
	return getenv("VALGRIND") && !strncmp(g->format, "regex", 5) ? grammars : g;
}

START_TEST(sizes_do_not_show)
{
	static const size_t reads[] = { 0, 1, 2, 7 };
	static const uint32_t batches[] = { 0, 1, 2, 7 };
	struct mem mem = { 0 };
	srand(11);
	for (int round = 0; round < 2500; round++) {
		const struct grammar *g = pick(round);
		char text[2000];
		size_t n = make_text(g, text, sizeof text);
		struct source_case c = { .format = g->format, .columns = g->columns, .header = g->header, .in = { { text, n } } };
		c.max_line = rand() % 3 ? 0 : 1 + (unsigned)rand() % 40;
		c.ragged = g->header == 1 && rand() % 4 == 0;
		c.null_text = rand() % 4 ? NULL : "a";
		c.clock_input = rand() % 2;
		c.max_bad_given = rand() % 4 == 0;
		c.max_bad = (unsigned)rand() % 4;
		struct buf whole;
		buf_init(&whole, &mem);
		source_run(&c, &whole);
		for (unsigned r = 0; r < 4; r++)
			for (unsigned b = 0; b < 4; b++) {
				c.read_max = reads[r];
				c.batch_max = batches[b];
				c.pipe = rand() % 2;
				struct buf again;
				buf_init(&again, &mem);
				source_run(&c, &again);
				ck_assert_msg(whole.n == again.n && !memcmp(whole.p, again.p, whole.n), "%s, reads of %d, batches of %d, max_line %d:\n%.*s---\n%.*s--- instead of\n%.*s",
					g->format, (int)c.read_max, (int)c.batch_max, (int)c.max_line, (int)n, text, (int)again.n, again.p, (int)whole.n, whole.p);
				buf_release(&again);
			}
		buf_release(&whole);
	}
}
END_TEST

START_TEST(bytes_never_crash)
{
	struct mem mem = { 0 };
	srand(12);
	for (int round = 0; round < 2000; round++) {
		const struct grammar *g = pick(round);
		char text[300];
		size_t n = (unsigned)rand() % sizeof text;
		for (size_t i = 0; i < n; i++)
			text[i] = (char)(rand() % 4 ? "\t\n\r \"\\,1"[rand() % 8] : rand());
		struct buf out;
		buf_init(&out, &mem);
		source_run(&(struct source_case){ .format = g->format, .columns = g->columns, .header = g->header, .in = { { text, n } }, .max_line = (unsigned)rand() % 100,
			.read_max = (unsigned)rand() % 9 }, &out);
		buf_release(&out);
	}
}
END_TEST

START_TEST(refused_memory)
{
	struct mem mem = { 0 };
	srand(13);
	for (int round = 0; round < 20; round++) {
		const struct grammar *g = pick(round);
		char text[2000];
		size_t n = make_text(g, text, sizeof text);
		struct source_case c = { .format = g->format, .columns = g->columns, .header = g->header, .in = { { text, n } } };
		struct buf out;
		buf_init(&out, &mem);
		uint64_t requests = source_run(&c, &out);
		for (c.fail_at = 1; c.fail_at <= requests; c.fail_at++)
			source_run(&c, &out);
		buf_release(&out);
	}
}
END_TEST

/* ---- several files --------------------------------------------------------------------------- */

#define FILES(format_, columns_, a, b, c, ...) \
	source_text(&(struct source_case){ .format = format_, .columns = columns_, .in = { { a, sizeof(a) - 1 }, { b, sizeof(b) - 1 }, { c, sizeof(c) - 1 } }, __VA_ARGS__ })

START_TEST(files_in_order)
{
	ck_assert_str_eq(FILES("tsv", "c1", "x\ny", "z\n", "w"), "+I|x\n+I|y\n+I|z\n+I|w\n= 4 records, 0 bad, well\n");
	const char *out = FILES("tsv", "c1#", "1\nx\n", "", "\n\n3\ny");
	ck_assert(!strncmp(out, "+I|1\n+I|3\n!file1:2: c1: not a number: \"x\"\n!file3:4: c1: not a number: \"y\"\n!2 bad records of 4, the first at ", 95));
	ck_assert_str_eq(FILES("lines", "line", "\xef\xbb\xbf" "a\n", "\xef\xbb\xbf" "b\n", "c\xef\xbb\xbf\n"), "+I|a\n+I|b\n+I|c\xef\xbb\xbf\n= 3 records, 0 bad, well\n");
}
END_TEST

START_TEST(names_of_each_file)
{
	ck_assert_str_eq(FILES("csv", "k v", "\xef\xbb\xbf\"k\",v\na,1\n", "\xef\xbb\xbfv,x,k\r\n2,9,b\r\n", "k,v\n"), "+I|a|1\n+I|b|2\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(FILES("csv", "k v", "", "k,v\n1,2\n", "k,v\n3,4"), "+I|1|2\n+I|3|4\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(FILES("csv", "k v", "k,v\n1,2\n", "", "k,v\n3,4"), "+I|1|2\n+I|3|4\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(FILES("csv", "k", "", "", "\n"), "empty\n");
	ck_assert_str_eq(FILES("csv", "k v", "k,v\n1,2\n", "v,k\n3,4\n", "w,k\n5,6\n", .ragged = true), "+I|1|2\n+I|4|3\n+I|6|\\N\n= 3 records, 0 bad, well\n");
	ck_assert_str_eq(FILES("csv", "y", "k,v\n1,2\n", "v,k\n3,4\n", "a,b\n5,6\n", .fields = "x,y", .header = 1), "+I|2\n+I|4\n+I|6\n= 3 records, 0 bad, well\n");
	const char *missing = FILES("csv", "k", "k,v\n1,2\n", "k,v\n", "k,w\n5,6\n");
	ck_assert(!strncmp(missing, "= /dev/fd/", 10) && strstr(missing, "no column \"v\", which the first file has"));
}
END_TEST

START_TEST(changelogs)
{
	ck_assert_str_eq(FILES("changelog", "a", "@names a b\n@key a\n-U\t1\t2\n", "+U\t1\t3\n", "@names b a\n@kinds +I\n+I\t4\t5\n"),
		"-U|1\n+U|1\n+I|5\n= 3 records, 0 bad, well\n");
	ck_assert_str_eq(FILES("changelog", "a", "", "@names b a\n+I\t4\t5\n", "@wm 3\n"), "+I|5\n@wm 3\n= 1 records, 0 bad, well\n");
}
END_TEST

START_TEST(cannot_be_read)
{
	struct mem mem = { 0 };
	struct err err = { 0 };
	struct arena plan;
	struct source *s;
	const char *files[][2] = { { "/dev/null", "/no/such" }, { "/dev/null", "/" } };
	const char *why[] = { "/no/such: No such file or directory", "/: Is a directory" };
	for (int i = 0; i < 2; i++) {
		struct source_options opt = { .input = { .format = format_find("tsv", 3), .header = -1 }, .nfile = 2, .file = files[i], .max_bad = UINT64_MAX };
		arena_init(&plan, &mem);
		err.code = ERR_NONE;
		ck_assert_int_eq(source_open(&s, &opt, &plan, &mem, &err), -1);
		ck_assert_str_eq(err.text, why[i]);
		arena_release(&plan);
	}
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(compressed)
{
	for (size_t read_max = 0; read_max < 3; read_max++) {
		ck_assert_str_eq(SOURCE("tsv", "c1", "\x1f\x8b\x08\0more", .read_max = read_max),
			"= 0 records, 0 bad, stdin: compressed input (gzip); add -z\n");
		ck_assert_str_eq(SOURCE("csv", "c1", "\xfd" "7zXZ\0", .read_max = read_max), "= stdin: compressed input (xz); add -z\n");
		ck_assert_str_eq(SOURCE("lines", "line", "\xfd" "7zXZ\n", .read_max = read_max), "+I|\xfd" "7zXZ\n= 1 records, 0 bad, well\n");
	}
}
END_TEST

/* ---- bad records ------------------------------------------------------------------------------ */

START_TEST(numbers_and_booleans)
{
	ck_assert_str_eq(SOURCE("tsv", "c1# c1 c2?", "1.50\ttrue\n x\ttrue\n\t\n2\tTRUE\n 3 \tfalse\n"),
		"+I|1.5|1.50|true\n+I|\\N|\\N|\\N\n+I|3| 3 |false\n!stdin:2: c1: not a number: \" x\"\n!stdin:4: c2: neither true nor false: \"TRUE\"\n"
		"!2 bad records of 5, the first at stdin:2\n= 5 records, 2 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "c1#", "a\x01\x1b[31m\0z\n1\n"),
		"+I|1\n!stdin:1: c1: not a number: \"a\\x01\\x1B[31m\\x00z\"\n!1 bad record of 2, the first at stdin:1\n= 2 records, 1 bad, well\n");
}
END_TEST

/* The values stay as they came. */
START_TEST(times)
{
	ck_assert_str_eq(SOURCE("tsv", "c1@", "2026-11-29\n2026-02-30\n\\N\n2026-11-29T10:00:00.5+01:00\n29/Nov/2026:10:00:00 +0000\n1795946400\n"),
		"+I|2026-11-29\n+I|\\N\n+I|2026-11-29T10:00:00.5+01:00\n+I|29/Nov/2026:10:00:00 +0000\n!stdin:2: c1: not a time: \"2026-02-30\"\n"
		"!stdin:6: c1: not a time: \"1795946400\"\n!2 bad records of 6, the first at stdin:2\n= 6 records, 2 bad, well\n");
	ck_assert_str_eq(SOURCE("clf", "time@", "1 - - [29/Nov/2026:10:00:00 +0100] \"GET / HTTP/1.0\" 200 5\n1 - - [soon] \"GET / HTTP/1.0\" 200 5\n"),
		"+I|29/Nov/2026:10:00:00 +0100\n!stdin:2: time: not a time: \"soon\"\n!1 bad record of 2, the first at stdin:2\n= 2 records, 1 bad, well\n");
}
END_TEST

START_TEST(only_ten_are_told)
{
	char text[60] = "";
	for (int i = 0; i < 12; i++)
		strcat(text, "x\n");
	strcat(text, "5\n");
	struct source_case c = { .format = "tsv", .columns = "c1#", .in = { { text, strlen(text) } } };
	const char *out = source_text(&c), *last = strstr(out, "!stdin:10:");
	ck_assert(last && !strstr(out, "!stdin:11:") && strstr(out, "!12 bad records of 13, the first at stdin:1\n"));
	c.quiet = true;
	ck_assert_str_eq(source_text(&c), "+I|5\n= 13 records, 12 bad, well\n");
}
END_TEST

START_TEST(too_many)
{
	for (uint32_t batch = 0; batch < 5; batch++) {
		ck_assert_str_eq(SOURCE("tsv", "c1#", "1\nx\n2\ny\n3\n", .quiet = true, .max_bad_given = true, .max_bad = 1, .batch_max = batch),
			"+I|1\n+I|2\n= 4 records, 2 bad, more than 1 bad record (--max-bad)\n");
		ck_assert_str_eq(SOURCE("tsv", "c1#", "1\nx\n2\n", .quiet = true, .max_bad_given = true, .max_bad = 1, .batch_max = batch), "+I|1\n+I|2\n= 3 records, 1 bad, well\n");
		ck_assert_str_eq(SOURCE("tsv", "c1#", "x\nx\n", .quiet = true, .max_bad_given = true, .max_bad = 2, .batch_max = batch), "= 2 records, 2 bad, well\n");
	}
	ck_assert_str_eq(SOURCE("tsv", "c1#", "1\nx\n2\n", .quiet = true, .percent = 30), "+I|1\n+I|2\n= 3 records, 1 bad, 1 of 3 records are bad, more than --max-bad 30%\n");
	ck_assert_str_eq(SOURCE("tsv", "c1#", "1\nx\n", .quiet = true, .percent = 50), "+I|1\n= 2 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "c1#", "x\n", .quiet = true), "= 1 records, 1 bad, all records are bad (1)\n");
}
END_TEST

START_TEST(bad_file)
{
	char path[] = "/tmp/weir_bad_XXXXXX", text[200];
	close(mkstemp(path));
	for (size_t read_max = 0; read_max < 8; read_max++) {
		ck_assert_int_eq(truncate(path, 0), 0);
		SOURCE("csv", "a#", "a\n\"x\ny\"\r\n1\n\x01\r\n\"open\nmuch too long for a line\r\n\nlast", .header = 1, .max_line = 15, .bad_file = path, .read_max = read_max, .quiet = true);
		SOURCE("csv", "a#", "a\ny", .header = 1, .bad_file = path, .quiet = true);
		FILE *file = fopen(path, "r");
		size_t n = fread(text, 1, sizeof text - 1, file);
		fclose(file);
		text[n] = '\0';
		ck_assert_str_eq(text, "\"x\ny\"\r\n\x01\r\n\"open\nmuch too long for a line\r\nlasty");
	}
	unlink(path);
	ck_assert_str_eq(SOURCE("tsv", "c1#", "x\n1\n", .quiet = true, .bad_file = "/dev/full"), "+I|1\n= 2 records, 1 bad, /dev/full: No space left on device\n");
	ck_assert_str_eq(SOURCE("tsv", "c1#", "x\n1\n", .bad_file = "/no/such"), "= --bad-file /no/such: No such file or directory\n");
}
END_TEST

START_TEST(long_line_is_one_bad_record)
{
	for (size_t read_max = 0; read_max < 20; read_max++) {
		ck_assert_str_eq(SOURCE("tsv", "c1#", "1\n1234567890123\n2\n123456789\n\n1234567890", .max_line = 9, .read_max = read_max),
			"+I|1\n+I|2\n+I|123456789\n!stdin:2: the line is longer than --max-line\n!stdin:6: the line is longer than --max-line\n"
			"!2 bad records of 5, the first at stdin:2\n= 5 records, 2 bad, well\n");
		ck_assert_str_eq(SOURCE("tsv", "c1", "a\n1234567890123\nb\n", .max_line = 9, .read_max = read_max, .quiet = true, .max_bad_given = true),
			"+I|a\n= 2 records, 1 bad, more than 0 bad records (--max-bad)\n");
	}
}
END_TEST

/* ---- waiting ----------------------------------------------------------------------------------- */

START_TEST(a_pipe_is_not_waited_for)
{
	struct mem mem = { 0 };
	struct err err = { 0 };
	struct arena plan;
	struct source *s;
	struct batch *batch;
	int fd[2];
	ck_assert_int_eq(pipe(fd), 0);
	struct source_options opt = { .input = { .format = format_find("tsv", 3), .header = -1 }, .stdin_fd = fd[0], .max_bad = UINT64_MAX, .max_bad_percent = -1 };
	arena_init(&plan, &mem);
	ck_assert_int_eq(source_open(&s, &opt, &plan, &mem, &err), 0);
	struct schema_place place;
	ck_assert(schema_find(source_schema(s), "c1", 2, &place));
	ck_assert_int_eq(source_start(s, (uint8_t[]){ 1 }), 0);
	ck_assert_int_eq(source_next(s, &batch), SOURCE_BLOCK);
	uint32_t nfd;
	ck_assert_int_eq(source_fds(s, &nfd)->fd, fd[0]);
	ck_assert_uint_eq(nfd, 1);
	ck_assert_int_eq((int)write(fd[1], "ab\nc", 4), 4);
	ck_assert_int_eq(source_next(s, &batch), SOURCE_ROWS);
	ck_assert_uint_eq(batch->n, 1);
	ck_assert_int_eq(source_next(s, &batch), SOURCE_BLOCK);
	ck_assert_int_eq((int)write(fd[1], "d\n", 2), 2);
	ck_assert_int_eq(source_next(s, &batch), SOURCE_ROWS);
	ck_assert(batch->n == 1 && batch->col[0].v[0].len == 2 && !memcmp(batch->col[0].v[0].u.p, "cd", 2));
	close(fd[1]);
	ck_assert_int_eq(source_next(s, &batch), SOURCE_END);
	ck_assert_int_eq(source_next(s, &batch), SOURCE_END);
	ck_assert_int_eq(source_finish(s, &err), 0);
	source_close(s);
	arena_release(&plan);
	close(fd[0]);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		sizes_do_not_show, bytes_never_crash, refused_memory, files_in_order, names_of_each_file, changelogs, cannot_be_read, compressed,
		numbers_and_booleans, times, only_ten_are_told, too_many, bad_file, long_line_is_one_bad_record, a_pipe_is_not_waited_for,
	};
	return RUN_TESTS("source", tests);
}
