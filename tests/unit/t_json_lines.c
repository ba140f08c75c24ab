/* -f json and -f debezium through the source: rows, bad records, and the same for every size of reads and batches. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"

static const char events[] =
	"{\"op\":\"c\",\"after\":{\"id\":1,\"w\":1.5,\"t\":\"a\\tb\"}}\n"
	" {\"schema\":{},\"payload\":{\"op\":\"r\",\"before\":null,\"after\":{\"id\":2,\"w\":2}}} \r\n"
	"null\n\n"
	"{\"op\":\"u\",\"before\":{\"id\":1,\"w\":1.5},\"after\":{\"id\":1,\"w\":3}}\n"
	"{\"op\":\"u\",\"before\":{\"id\":1,\"w\":\"x\"},\"after\":{\"id\":1,\"w\":4}}\n"
	"{\"op\":\"u\",\"before\":{\"id\":1,\"w\":3},\"after\":{\"id\":1,\"w\":[]}}\n"
	"{\"op\":\"u\",\"after\":{\"id\":1,\"w\":4}}\n"
	"{\"op\":\"d\",\"before\":{\"id\":2}}\n"
	" null \n"
	"{\"op\":\"x\"}\n"
	"{\"op\":\"c\",\"after\":{}";
static const char event_rows[] =
	"+I|1|1.5|\"a\\x09b\"|{\"id\":1,\"w\":1.5,\"t\":\"a\\tb\"}\n"
	"+I|2|2|\\N|{\"id\":2,\"w\":2}\n"
	"-U*|1|1.5|\\N|{\"id\":1,\"w\":1.5}\n"
	"+U|1|3|\\N|{\"id\":1,\"w\":3}\n"
	"-D|2|\\N|\\N|{\"id\":2}\n"
	"!stdin:6: w: not a number: \"x\"\n"
	"!stdin:7: w: not a number: \"[]\"\n"
	"!stdin:8: no \"before\", which op \"u\" needs\n"
	"!stdin:11: an \"op\" that is none of c, r, u, d\n"
	"!stdin:12: not JSON at byte 21: it ends too early\n"
	"!5 bad records of 9, the first at stdin:6\n"
	"= 9 records, 5 bad, well\n";

static const char lines[] =
	"{\"a\":\"x\\u00e9\",\"n\":1}\n{\"a\":null,\"n\":\"2\"}\n\n[1]\n\"x\"\n  {\"n\":3,\"a\":{\"b\":1}}\t\r\n{\"n\":\"y\"}\n{\"n\":1\n \n{\"a\":\"\\\\\"}";
static const char line_rows[] =
	"+I|\"x\xc3\xa9\"|1|{\"a\":\"x\\u00e9\",\"n\":1}\n"
	"+I|\\N|2|{\"a\":null,\"n\":\"2\"}\n"
	"+I|\\N|\\N|[1]\n"
	"+I|\\N|\\N|\"x\"\n"
	"+I|{\"b\":1}|3|{\"n\":3,\"a\":{\"b\":1}}\n"
	"+I|\"\\\"|\\N|{\"a\":\"\\\\\"}\n"
	"!stdin:7: n: not a number: \"y\"\n"
	"!stdin:8: not JSON at byte 7: it ends too early\n"
	"!stdin:9: not JSON at byte 2: it ends too early\n"
	"!3 bad records of 9, the first at stdin:7\n"
	"= 9 records, 3 bad, well\n";

START_TEST(rows)
{
	ck_assert_str_eq(SOURCE("json", "a n# record", lines), line_rows);
	ck_assert_str_eq(SOURCE("debezium", "id w# t record", events), event_rows);
}
END_TEST

START_TEST(any_read_size_any_batch)
{
	static const size_t reads[] = { 1, 2, 3, 7, 40, 0 };
	static const uint32_t batches[] = { 1, 2, 3, 4, 7, 0 };
	for (size_t i = 0; i < 36; i++) {
		ck_assert_str_eq(SOURCE("json", "a n# record", lines, .read_max = reads[i % 6], .batch_max = batches[i / 6]), line_rows);
		ck_assert_str_eq(SOURCE("debezium", "id w# t record", events, .read_max = reads[i % 6], .batch_max = batches[i / 6]), event_rows);
	}
}
END_TEST

/* Lines longer than a piece, up to --max-line and beyond it. */
START_TEST(long_lines)
{
	enum { LONG = 50000 };
	static char text[3 * LONG];
	size_t n = 0;
	for (int i = 0; i < 2; i++) {
		n += (size_t)sprintf(text + n, "{\"a\":\"");
		memset(text + n, 'x', (size_t)(LONG + i - 14));
		n += (size_t)(LONG + i - 14);
		n += (size_t)sprintf(text + n, "\",\"n\":%d}\n", i);
	}
	n += (size_t)sprintf(text + n, "{\"n\":2}");
	for (size_t read = 0; read < 20000; read += 9999) {
		struct source_case run = { .format = "json", .columns = "n", .in = { { text, n } }, .max_line = LONG, .read_max = read };
		ck_assert_str_eq(source_text(&run), "+I|0\n+I|2\n!stdin:2: the line is longer than --max-line\n!1 bad record of 3, the first at stdin:2\n= 3 records, 1 bad, well\n");
		run.format = "debezium";
		ck_assert_str_eq(source_text(&run), "!stdin:1: no \"op\": not an event of Debezium\n!stdin:2: the line is longer than --max-line\n"
						    "!stdin:3: no \"op\": not an event of Debezium\n!3 bad records of 3, the first at stdin:1\n= 3 records, 3 bad, all records are bad (3)\n");
	}
}
END_TEST

START_TEST(refused_memory)
{
	static const char *const format[] = { "json", "debezium" };
	for (int f = 0; f < 2; f++) {
		struct source_case run = { .format = format[f], .columns = "a b.c record", .in = { { lines, sizeof lines - 1 } }, .quiet = true };
		if (f)
			run.in[0].p = events, run.in[0].len = sizeof events - 1;
		source_refuse(&run, f ? "3 bad" : NULL); /* a reason for which there is no memory is left out */
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { rows, any_read_size_any_batch, long_lines, refused_memory };
	return RUN_TESTS("json_lines", tests);
}
