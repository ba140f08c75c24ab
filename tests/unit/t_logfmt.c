/* logfmt: pairs, escapes, NULL, bad lines; random lines; the answers of go-logfmt for its cases and for whole logs. */
#include <check.h>
#include <stdlib.h>

#include "parse/format/logfmt_pair.h"
#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"
#include "tests/unit/suite.h"

#define WELL(n) "= " #n " records, 0 bad, well\n"

START_TEST(values)
{
	ck_assert_str_eq(SOURCE("logfmt", "ns msg flag k gone", "ns= msg=\"a \\\"b\\\" c=d\" flag k=x=y\n"), "+I||\"a \"b\" c=d\"|true|x=y|\\N\n" WELL(1));
	ck_assert_str_eq(SOURCE("logfmt", "a b c", "a=\"\" b=- c=\\N\n\n  \n"), "+I|\"\"|-|\\N\n+I|\\N|\\N|\\N\n" WELL(2));
	ck_assert_str_eq(SOURCE("logfmt", "a b", "a==\tb=\"1\"\r\nb=2\x01" "a=3\n"), "+I|=|\"1\"\n+I|3|2\n" WELL(2));
	ck_assert_str_eq(SOURCE("logfmt", "a b", "a=\"x\"b=1\nb\n", .null_text = "1"), "+I|\"x\"|\\N\n+I|\\N|true\n" WELL(2));
	ck_assert_str_eq(SOURCE("logfmt", "n# ok?", "n=1.50 ok\nn=\"2\" ok=false\nok=true\nn= ok\nn=x ok\nn=3 ok=1\n"),
		"+I|1.5|true\n+I|2|false\n+I|\\N|true\n!stdin:4: n: not a number: \"\"\n!stdin:5: n: not a number: \"x\"\n"
		"!stdin:6: ok: neither true nor false: \"1\"\n!3 bad records of 6, the first at stdin:4\n= 6 records, 3 bad, well\n");
}
END_TEST

START_TEST(keys)
{
	ck_assert_str_eq(SOURCE("logfmt", "a.b a/b a[0] \xc6\x92", "a.b=1 a/b=2 a[0]=3 \xc6\x92=4 a=5\n"), "+I|1|2|3|4\n" WELL(1));
	ck_assert_str_eq(SOURCE("logfmt", "k", "k=1 kk=2 k=3\nk=1 k\nK=1\n"), "+I|3\n+I|true\n+I|\\N\n" WELL(3));
}
END_TEST

START_TEST(whole_records)
{
	ck_assert_str_eq(SOURCE("logfmt", "record b", "a=1 b=\"x y\"\r\n b\n"), "+I|a=1 b=\"x y\"|\"x y\"\n+I| b|true\n" WELL(2));
	ck_assert_str_eq(SOURCE("logfmt", "record", "a\nb=\"\n"), "+I|a\n!stdin:2: a quote is never closed\n!1 bad record of 2, the first at stdin:2\n= 2 records, 1 bad, well\n");
}
END_TEST

START_TEST(bad_lines)
{
	ck_assert_str_eq(SOURCE("logfmt", "a", "=1\na=1 \"b\"\nk\"ey=1\na=b\"c\na=\"1\na=\"1\\\na=\"\\\"\na = 1\nx=\"\\q\" a=1\na=\"\\q\"\na=\"\\u12\"\n"),
		"+I|1\n!stdin:1: no name before =\n!stdin:2: a quote in a name\n!stdin:3: a quote in a name\n!stdin:4: a quote inside a value without quotes\n"
		"!stdin:5: a quote is never closed\n!stdin:6: a quote is never closed\n!stdin:7: a quote is never closed\n!stdin:8: no name before =\n"
		"!stdin:10: a: an escape that is none in the quoted text\n!stdin:11: a: an escape that is none in the quoted text\n"
		"!10 bad records of 11, the first at stdin:1\n= 11 records, 10 bad, well\n");
}
END_TEST

static void unescaped(const char *text, const char *expected)
{
	char got[100];
	int64_t n = logfmt_unescape(text, (uint32_t)strlen(text), got);
	if (!expected) {
		ck_assert_msg(n < 0, "%s", text);
		return;
	}
	ck_assert_msg(n == (int64_t)strlen(expected) && !memcmp(got, expected, (size_t)n), "%s: %.*s", text, (int)n, got);
}

START_TEST(escapes)
{
	unescaped("\\a\\b\\f\\n\\r\\t\\v\\\"\\\\\\/", "\a\b\f\n\r\t\v\"\\/");
	unescaped("x\\x41\\x7e\\101\\377y", "xA~A\377y");
	unescaped("\\u00e9\\u65E5\\U0001F600\\ud83d\\ude00", "\u00e9\u65e5\U0001f600\U0001f600");
	unescaped("\\ud83d|\\ude00|\\ud83d\\u0041|\\ud83d\\n|\\U0000d800", "\ufffd|\ufffd|\ufffdA|\ufffd\n|\ufffd");
	unescaped("plain", "plain");
	static const char *const none[] = { "\\", "a\\q", "\\x4", "\\xg0", "\\u123", "\\u12g4", "\\U0001F60", "\\U00110000", "\\400", "\\08", "\\9", "\\'", NULL };
	for (int i = 0; none[i]; i++)
		unescaped(none[i], NULL);
}
END_TEST

/* ---- random lines --------------------------------------------------------------------------- */

/* A line of random pairs goes to line, the pairs as (key, value) to wanted: key = value LF, of equal keys all. */
static void random_line(uint64_t *state, struct buf *line, struct buf *wanted)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz._-{}[]0123456789", text[] = "abc =\"\\\t\n{}:\xc3\xa9";
	for (uint64_t pairs = numgen_below(state, 8); pairs; pairs--) {
		for (uint64_t n = numgen_below(state, 3); n; n--)
			buf_putc(line, "  \t\r\x01"[numgen_below(state, 5)]);
		for (uint64_t n = 1 + numgen_below(state, numgen_below(state, 4) ? 6 : 40); n; n--) {
			char c = name[numgen_below(state, sizeof name - 1)];
			buf_putc(line, c);
			buf_putc(wanted, c);
		}
		buf_putc(wanted, '=');
		uint64_t how = numgen_below(state, 3);
		if (!how)
			buf_puts(wanted, "true");
		if (how)
			buf_puts(line, how == 1 ? "=" : "=\"");
		for (uint64_t n = how ? numgen_below(state, numgen_below(state, 4) ? 8 : 50) : 0; n; n--) {
			char c = how == 1 ? name[numgen_below(state, sizeof name - 1)] : text[numgen_below(state, sizeof text - 1)];
			if (c == '"' || c == '\\' || c == '\n')
				buf_putc(line, '\\');
			buf_putc(line, c == '\n' ? 'n' : c);
			buf_putc(wanted, c);
		}
		buf_puts(line, how == 2 ? "\"" : " ");
		buf_putc(wanted, '\n');
	}
}

/* All pairs of the line in that form; false if it is bad. */
static bool all_pairs(const char *p, size_t n, struct buf *out)
{
	const char *end = p + n, *why = NULL;
	struct logfmt_pair pair;
	enum logfmt status;
	while ((status = logfmt_next(&p, end, &pair, &why)) == LOGFMT_PAIR) {
		ck_assert_uint_gt(pair.key_len, 0);
		buf_put(out, pair.key, pair.key_len);
		buf_putc(out, '=');
		if (pair.escaped) {
			char *copy = malloc(pair.len);
			int64_t len = logfmt_unescape(pair.value, pair.len, copy);
			if (len >= 0)
				buf_put(out, copy, (size_t)len);
			free(copy);
			if (len < 0)
				return false;
		} else {
			buf_put(out, pair.value, pair.len);
		}
		buf_putc(out, '\n');
	}
	ck_assert(status == LOGFMT_END ? p == end : why != NULL);
	return status == LOGFMT_END;
}

/* What is read is what was written; a line cut off anywhere (its bytes alone in their block) is read up to there, or bad. */
START_TEST(random_pairs)
{
	struct mem mem = { 0 };
	uint64_t state = 7;
	for (int round = 0; round < 3000; round++) {
		struct buf line, wanted, got;
		buf_init(&line, &mem);
		buf_init(&wanted, &mem);
		buf_init(&got, &mem);
		random_line(&state, &line, &wanted);
		ck_assert_msg(all_pairs(line.p, line.n, &got), "%.*s", (int)line.n, line.p);
		ck_assert_msg(got.n == wanted.n && (!got.n || !memcmp(got.p, wanted.p, got.n)), "%.*s:\n%.*s", (int)line.n, line.p, (int)got.n, got.p);
		size_t cut = numgen_below(&state, line.n + 1);
		char *part = malloc(cut + 1);
		if (cut)
			memcpy(part, line.p, cut);
		got.n = 0;
		all_pairs(part, cut, &got);
		free(part);
		buf_release(&line);
		buf_release(&wanted);
		buf_release(&got);
	}
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(any_read_size_any_batch)
{
	static const char text[] = "a=1 b=\"x \\\"y\\\"\"\r\n\nb=2 a=\"\\u00e9\"\na=\"1\nb\nlong=0123456789012345678901234567890 a=5";
	static const char expected[] = "+I|1|\"x \"y\"\"|a=1 b=\"x \\\"y\\\"\"\n+I|\"\u00e9\"|2|b=2 a=\"\\u00e9\"\n+I|\\N|true|b\n"
		"+I|5|\\N|long=0123456789012345678901234567890 a=5\n!stdin:4: a quote is never closed\n!1 bad record of 5, the first at stdin:4\n= 5 records, 1 bad, well\n";
	for (size_t read = 0; read < 20; read++)
		for (uint32_t batch = 1; batch < 5; batch++)
			ck_assert_str_eq(SOURCE("logfmt", "a b record", text, .read_max = read, .batch_max = batch), expected);
}
END_TEST

START_TEST(refused_memory)
{
	struct source_case run = { .format = "logfmt", .columns = "a b record", .in = { { "a=\"\\n\" b=\"\\t\"\n", 14 } } };
	source_refuse(&run, NULL);
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------ */

/* Reads a JSON text at p, which is behind its quote, as Python writes bytes (\udcXX: the byte XX). What follows it. */
static const char *json_text(const char *p, struct buf *out, bool *bytes)
{
	char plain[12];
	while (*p != '"') {
		if (*p != '\\') {
			buf_putc(out, *p++);
			continue;
		}
		uint32_t n = p[1] != 'u' ? 2 : !strncmp(p + 6, "\\ud", 3) ? 12 : 6; /* a pair of them is one */
		if (!strncmp(p, "\\udc", 4)) {
			buf_putc(out, (char)strtol((char[]){ p[4], p[5], '\0' }, NULL, 16));
			*bytes = true;
			n = 6;
		} else {
			int64_t len = logfmt_unescape(p, n, plain);
			ck_assert_int_ge(len, 0);
			buf_put(out, plain, (size_t)len);
		}
		p += n;
	}
	return p + 1;
}

/* [["k","v"],["k",null]] in the form of all_pairs; with null as what the pair in `ours` has there: true or nothing. */
static void json_pairs(const char *p, const struct buf *ours, struct buf *out)
{
	bool bytes;
	while ((p = strstr(p, "[\"")) != NULL) {
		p = json_text(p + 2, out, &bytes);
		buf_putc(out, '=');
		if (*++p == '"')
			p = json_text(p + 1, out, &bytes);
		else if (ours->n >= out->n + 4 && !memcmp(ours->p + out->n, "true", 4))
			buf_puts(out, "true");
		buf_putc(out, '\n');
	}
}

/* Where we read what go-logfmt refuses: a = is data, escapes of Go, names are bytes. */
static bool read_nevertheless(const char *input)
{
	static const char *const known[] = { "\"a==\"", "\"k=b=ar\"", "\"a=1,b=2\"", "\"a=1;b=2\"", "\"a=1|b=2\"", "\"a=\\\"\\\\x41\\\"\"", "\"a\\ufffd=bar\"",
		"\"\\udc80=bar\"", "\"\\udc80\"", NULL };
	for (int i = 0; known[i]; i++)
		if (!strcmp(input, known[i]))
			return true;
	return false;
}

START_TEST(known_cases)
{
	FILE *file = suite_open("logfmt/cases.tsv");
	struct suite_line line;
	struct mem mem = { 0 };
	int ran = 0;
	for (; file && suite_next(file, &line); ran++) {
		struct buf text, got, expected;
		buf_init(&text, &mem);
		buf_init(&got, &mem);
		buf_init(&expected, &mem);
		bool bytes = false, refused = !strcmp(line.field[1], "ERR");
		json_text(line.field[0] + 1, &text, &bytes);
		bool well = all_pairs(text.p, text.n, &got);
		ck_assert_msg(well == (!refused || read_nevertheless(line.field[0])), "%s", line.field[0]);
		json_pairs(line.field[1], &got, &expected);
		if (!refused && !bytes) /* go-logfmt puts U+FFFD in the place of bad bytes */
			ck_assert_msg(got.n == expected.n && (!got.n || !memcmp(got.p, expected.p, got.n)), "%s: %.*s", line.field[0], (int)got.n, got.p);
		buf_release(&text);
		buf_release(&got);
		buf_release(&expected);
	}
	if (file)
		fclose(file);
	printf("logfmt suite: %d cases\n", ran);
}
END_TEST

START_TEST(known_logs)
{
	static const char *const name[] = { "agent", "ingester", "vkubelet" };
	struct mem mem = { 0 };
	int ran = 0;
	for (int i = 0; i < 3; i++) {
		char path[100], text[SUITE_LINE], answer[SUITE_LINE];
		snprintf(path, sizeof path, "logfmt/logfmt_%s.expected.jsonl", name[i]);
		FILE *expected = suite_open(path);
		snprintf(path, sizeof path, "../sys/logfmt_%s.log", name[i]);
		FILE *log = suite_open(path);
		if (log)
			rewind(log);
		if (expected)
			rewind(expected);
		for (; log && expected && fgets(text, sizeof text, log) && fgets(answer, sizeof answer, expected); ran++) {
			struct buf got, want;
			buf_init(&got, &mem);
			buf_init(&want, &mem);
			ck_assert_msg(all_pairs(text, strcspn(text, "\n"), &got), "%s", text);
			json_pairs(answer, &got, &want);
			ck_assert_msg(got.n == want.n && !memcmp(got.p, want.p, got.n), "%s: %.*s", text, (int)got.n, got.p);
			buf_release(&got);
			buf_release(&want);
		}
		if (log)
			fclose(log);
		if (expected)
			fclose(expected);
	}
	printf("logfmt suite: %d lines of logs\n", ran);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		values, keys, whole_records, bad_lines, escapes, random_pairs, any_read_size_any_batch, refused_memory, known_cases, known_logs,
	};
	return RUN_TESTS("logfmt", tests);
}
