/* clf, combined, vcombined: the parts of a line, of a request, NULL, escapes; and the cases of the suite. */
#include <check.h>

#include "parse/format/clf_request.h"
#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"
#include "tests/unit/suite.h"

#define ALL "ip ident user time request method url path query proto status bytes referer agent x1 x2"
#define HEAD "10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "
#define WELL(n) "= " #n " records, 0 bad, well\n"

START_TEST(all_columns)
{
	ck_assert_str_eq(SOURCE("combined", ALL, "1.2.3.4 i frank [10/Oct/2000:13:55:36 -0700] \"GET /a/b?x=1?y HTTP/1.0\" 200 2326 \"http://r/\" \"Mozilla (x)\" \"q r\" 7 8\n"),
		"+I|1.2.3.4|i|frank|10/Oct/2000:13:55:36 -0700|GET /a/b?x=1?y HTTP/1.0|GET|/a/b?x=1?y|/a/b|x=1?y|HTTP/1.0|200|2326|http://r/|Mozilla (x)|q r|7\n" WELL(1));
	ck_assert_str_eq(SOURCE("clf", "bytes# x1 x2", HEAD "\"GET / HTTP/1.0\" 200 5\n" HEAD "\"GET / HTTP/1.0\" 200 - \"r\" z\r\n"),
		"+I|5|\\N|\\N\n+I|\\N|r|z\n" WELL(2));
	ck_assert_str_eq(SOURCE("clf", "referer", "\n"), "no column referer\n");
}
END_TEST

START_TEST(null_and_empty)
{
	ck_assert_str_eq(SOURCE("combined", "ident user request method path bytes referer agent", HEAD "\"-\" 408 - \"\" \"-\"\n"),
		"+I|\\N|\\N|\\N|\\N|\\N|\\N||\\N\n" WELL(1));
	ck_assert_str_eq(SOURCE("clf", "request method", HEAD "\"\" 400 0\n"), "+I||\\N\n" WELL(1));
	ck_assert_str_eq(SOURCE("combined", "user status bytes", "1 - \"\" [t] \"GET / HTTP/1.1\" 401 381 \"-\" \"-\"\n"), "+I|\"\"|401|381\n" WELL(1));
	ck_assert_str_eq(SOURCE("clf", "time ip", "- - - [-] \"-\" - -\n"), "+I|\\N|\\N\n" WELL(1));
}
END_TEST

START_TEST(escapes)
{
	ck_assert_str_eq(SOURCE("combined", "url agent", HEAD "\"GET /a\\\"b HTTP/1.1\" 200 1 \"-\" \"say \\\"hi\\\" \\\\ now \\x16\"\n"),
		"+I|/a\"b|say \"hi\" \\ now \\x16\n" WELL(1));
	ck_assert_str_eq(SOURCE("combined", "agent x1", HEAD "\"\\\\\" 200 1 \"-\" \"\\\\\" \"\\\"\n"), "+I|\\|\"\n" WELL(1));
}
END_TEST

START_TEST(bad_lines)
{
	ck_assert_str_eq(SOURCE("combined", "ip", "x\n1 - - t\n1 - - [t \"\n1 - - [t] GET\n1 - - [t] \"GET / HTTP/1.0 1 2\n1 - - [t] \"GET\"200 1\n" HEAD
		"\"GET / HTTP/1.0\" 200 5\n" HEAD "\"GET / HTTP/1.0\" 200 5 - -\n" HEAD "\"-\" 1 2 \"-\" \"agent cut o"),
		"!stdin:1: ip: no ' ' behind it\n!stdin:2: user: no ' [' behind it\n!stdin:3: time: no '] \"' behind it\n!stdin:4: time: no '] \"' behind it\n"
		"!stdin:5: request: a quote is never closed\n!stdin:6: request: no '\" ' behind it\n!stdin:7: bytes: no ' \"' behind it\n"
		"!stdin:8: bytes: no ' \"' behind it\n!stdin:9: agent: a quote is never closed\n"
		"!9 bad records of 9, the first at stdin:1\n= 9 records, 9 bad, all records are bad (9)\n");
	ck_assert_str_eq(SOURCE("combined", "x1 x2", HEAD "\"-\" 1 2 \"-\" \"-\" \"a \"http://b\" 3ms\n" HEAD "\"-\" 1 2 \"-\" \"-\"  \"open\n"),
		"+I|a |http://b\"\n+I|open|\\N\n" WELL(2));
	ck_assert_str_eq(SOURCE("combined", "ip", "1 - - [t] \"-\" 1 2 \"-\"\n1 - - [t] \"-\" 1 2 \"-\" \"-\"x\n1 - john doe [t] \"-\" 1 2 \"-\" \"-\"\n1 - - [t] \"-\" 1 \n"),
		"!stdin:1: referer: no '\" \"' behind it\n!stdin:2: agent: text behind it, where the line should end\n!stdin:3: user: no ' [' behind it\n!stdin:4: the line ends before bytes\n"
		"!4 bad records of 4, the first at stdin:1\n= 4 records, 4 bad, all records are bad (4)\n");
}
END_TEST

START_TEST(virtual_hosts)
{
	ck_assert_str_eq(SOURCE("vcombined", "vhost port ip status agent x1", "www.example.com:443 " HEAD "\"GET / HTTP/1.0\" 200 5 \"-\" \"a\" 7\nwww.example.com  " HEAD
		"\"-\" 200 5 \"-\" \"-\"\n- " HEAD "\"-\" 200 5 \"-\" \"-\"\n[::1]:80 " HEAD "\"-\" 200 5 \"-\" \"-\"\n"),
		"+I|www.example.com|443|10.0.0.1|200|a|7\n+I|www.example.com|\\N|10.0.0.1|200|\\N|\\N\n+I|\\N|\\N|10.0.0.1|200|\\N|\\N\n+I|[::1]|80|10.0.0.1|200|\\N|\\N\n" WELL(4));
}
END_TEST

static void request(const char *text, const char *expected)
{
	char got[200];
	struct request r = request_split(text, (uint32_t)strlen(text));
	const struct piece *piece[] = { &r.method, &r.url, &r.path, &r.query, &r.proto };
	size_t n = 0;
	for (int i = 0; i < 5; i++)
		n += (size_t)sprintf(got + n, "%s%.*s", i ? "|" : "", piece[i]->p ? (int)piece[i]->len : 1, piece[i]->p ? piece[i]->p : "~");
	ck_assert_str_eq(got, expected);
}

START_TEST(requests)
{
	request("GET / HTTP/1.1", "GET|/|/|~|HTTP/1.1");
	request("GET /a HTTP/1?b/", "GET|/a|/a|~|HTTP/1?b/"); /* what stands in PROTO is no query */
	request("GET http://h HTTP/1.1/?b", "GET|http://h|/|~|HTTP/1.1/?b");
	request("GET /a?b HTTP/1?c", "GET|/a?b|/a|b|HTTP/1?c");
	request("GET /a? HTTP/1.1", "GET|/a?|/a||HTTP/1.1");
	request("GET /a b?c d HTTP/1.1", "GET|/a b?c d|/a b|c d|HTTP/1.1");
	request("GET http://x.example/login?b=1 HTTP/1.1", "GET|http://x.example/login?b=1|/login|b=1|HTTP/1.1");
	request("GET http://x.example?b=/ HTTP/1.1", "GET|http://x.example?b=/|/|b=/|HTTP/1.1");
	request("GET svn+ssh://h/p HTTP/1.1", "GET|svn+ssh://h/p|/p|~|HTTP/1.1");
	request("GET /go?u=http://y/z HTTP/2.0", "GET|/go?u=http://y/z|/go|u=http://y/z|HTTP/2.0");
	request("GET /http://y/z HTTP/2.0", "GET|/http://y/z|/http://y/z|~|HTTP/2.0");
	request("CONNECT h:443 HTTP/1.1", "CONNECT|h:443|h:443|~|HTTP/1.1");
	request("OPTIONS * RTSP/1.0", "OPTIONS|*|*|~|RTSP/1.0");
	const char *other[] = { "", "-", "GET /", "GET  HTTP/1.1", " / HTTP/1.1", "- - - ", "GET / http", "GET / HTTP/", "GET /a /b", "\\x16\\x03 a HTTP/x", NULL };
	for (int i = 0; other[i]; i++)
		request(other[i], "~|~|~|~|~");
}
END_TEST

/* "NAME": null or "text" of a JSON object, as the rig shows it (with \ before quotes and \ gone); false if it is not there. */
static bool member(const char *object, const char *name, struct buf *out)
{
	char key[40];
	snprintf(key, sizeof key, "\"%s\": ", name);
	const char *p = strstr(object, key);
	if (!p)
		return false;
	p += strlen(key);
	if (*p == 'n') {
		buf_puts(out, "\\N");
		return true;
	}
	for (p++; *p != '"'; p++) {
		p += *p == '\\';
		buf_putc(out, *p);
	}
	return true;
}

START_TEST(known_lines)
{
	FILE *file = suite_open("clf/cases.tsv");
	struct suite_line line;
	struct mem mem = { 0 };
	int ran = 0;
	while (file && suite_next(file, &line)) {
		bool combined = !strcmp(line.field[0], "combined"), bad = !strncmp(line.field[2], "bad", 3);
		if (!strcmp(line.field[1], "\"\"") || !strncmp(line.field[2], "bad or", 6) || strstr(line.field[3], "blank (Apache"))
			continue; /* a blank line is skipped; where the suite leaves a choice */
		struct buf text, got, expected;
		buf_init(&text, &mem);
		buf_init(&got, &mem);
		buf_init(&expected, &mem);
		char object[SUITE_LINE];
		snprintf(object, sizeof object, "{\"line\": %s", line.field[1]);
		member(object, "line", &text);
		static const char *const key[] = { "host", "ident", "user", "time", "request", "status", "bytes", "referer", "agent" };
		source_run(&(struct source_case){ .format = line.field[0], .quiet = true, .in = { { text.p, text.n } },
			.columns = combined ? "ip ident user time request status bytes referer agent" : "ip ident user time request status bytes" }, &got);
		buf_puts(&expected, bad ? "" : "+I");
		for (int i = 0; !bad && i < (combined ? 9 : 7); i++) {
			buf_putc(&expected, '|');
			member(line.field[2], key[i], &expected);
		}
		buf_puts(&expected, bad ? "= 1 records, 1 bad, all records are bad (1)\n" : "\n= 1 records, 0 bad, well\n");
		ck_assert_msg(got.n == expected.n && !memcmp(got.p, expected.p, got.n), "%s: %.*s instead of %.*s", line.field[1], (int)got.n, got.p, (int)expected.n, expected.p);
		buf_release(&text);
		buf_release(&got);
		buf_release(&expected);
		ran++;
	}
	if (file)
		fclose(file);
	printf("clf suite: %d\n", ran);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { all_columns, null_and_empty, escapes, bad_lines, virtual_hosts, requests, known_lines };
	return RUN_TESTS("clf", tests);
}
