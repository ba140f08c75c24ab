/* nginx and apache: formats as they stand in configurations, columns, times, escapes, usage errors; random formats against a simple model. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"

#define WELL(n) "= " #n " records, 0 bad, well\n"
#define HEAD "10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "
#define NGINX_COMBINED "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" \"$http_user_agent\""
#define ALL "ip user time request method url path query proto status bytes referer agent"

/* ---- nginx ---------------------------------------------------------------------------------- */

static const char combined_lines[] = "1.2.3.4 - frank [10/Oct/2000:13:55:36 -0700] \"GET /a/b?x=1 HTTP/1.0\" 200 2326 \"http://r/\" \"Mozilla \\\"x\\\" \\x22\"\n"
	HEAD "\"-\" 400 0 \"-\" \"\"\n" HEAD "\"GET /\" 200 1 \"-\" \"a\" more\n" HEAD "\"GET / HTTP/1.0\" 200 1 \"-\" \"cut";

static const char combined_rows[] = "+I|1.2.3.4|frank|10/Oct/2000:13:55:36 -0700|GET /a/b?x=1 HTTP/1.0|GET|/a/b?x=1|/a/b|x=1|HTTP/1.0|200|2326|http://r/|Mozilla \"x\" \\x22\n"
	"+I|10.0.0.1|\\N|10/Oct/2000:13:55:36 -0700|\\N|\\N|\\N|\\N|\\N|\\N|400|0|\\N|\n"
	"!stdin:3: agent: text behind it, where the line should end\n!stdin:4: agent: a quote is never closed\n!2 bad records of 4, the first at stdin:3\n= 4 records, 2 bad, well\n";

START_TEST(nginx_as_pasted)
{
	static const char *const pasted[] = {
		NGINX_COMBINED,
		"  " NGINX_COMBINED "\n",
		"'" NGINX_COMBINED "'",
		"'" NGINX_COMBINED "';",
		"\"$remote_addr - $remote_user [$time_local] \\\"$request\\\" $status $body_bytes_sent \\\"$http_referer\\\" \\\"$http_user_agent\\\"\"",
		"log_format main '$remote_addr - $remote_user [$time_local] \"$request\" '\n\t'$status $body_bytes_sent \"$http_referer\" ' # a comment\n '\"$http_user_agent\"';",
		"log_format  main  escape=default '${remote_addr} - ${remote_user} [$time_local] \"$request\" $status '\"$body_bytes_sent \"'\"$http_referer\" \"$http_user_agent\"'\n;\n",
	};
	for (size_t i = 0; i < sizeof pasted / sizeof *pasted; i++) {
		char format[600];
		snprintf(format, sizeof format, "nginx:%s", pasted[i]);
		ck_assert_msg(!strcmp(SOURCE(format, ALL, combined_lines), combined_rows), "%s: %s", format, SOURCE(format, ALL, combined_lines));
	}
	ck_assert_str_eq(SOURCE("nginx:log_format x $status,$a;", "status a", "200,x y\n"), "+I|200|x y\n" WELL(1));
	ck_assert_str_eq(SOURCE("nginx:\"$a\" \"$b\"", "a b", "\"x\" \"y z\"\n"), "+I|x|y z\n" WELL(1));
	ck_assert_str_eq(SOURCE("nginx:'$a\\t$b'", "a b", "x\ty\n"), "+I|x|y\n" WELL(1));
}
END_TEST

START_TEST(nginx_names)
{
	ck_assert_str_eq(SOURCE("nginx:$host$request_uri $request_time $status $status", "host request_uri request_time status status_2", "h:80/a?b 0.003 200 201\n- - 200 201\n"),
		"+I|h:80|/a?b|0.003|200|201\n+I|\\N|\\N|\\N|200|201\n" WELL(2));
	ck_assert_str_eq(SOURCE("nginx:$a $upstream_addr $upstream_status $b", "upstream_addr upstream_status b", "x 10.0.0.1:80, 10.0.0.2:80 502, 200 0.1\nx - - 1\n"
		"x unix:/a : 10.0.0.1:80 200 : 200 y\nx a, b 2\n"),
		"+I|10.0.0.1:80, 10.0.0.2:80|502, 200|0.1\n+I|\\N|\\N|1\n+I|unix:/a : 10.0.0.1:80|200 : 200|y\n"
		"!stdin:4: upstream_status: no ' ' behind it\n!1 bad record of 4, the first at stdin:4\n= 4 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("nginx:$time_local $msec $http_x_forwarded_for $request $status", "time time_2 http_x_forwarded_for path status",
		"10/Oct/2000:13:55:36 -0700 1.5 1.1.1.1, 2.2.2.2 GET /a b HTTP/1.1 200\n10/Oct/2000:13:55:36 -0700 1.5 - - 400\n"),
		"+I|10/Oct/2000:13:55:36 -0700|1.5|1.1.1.1, 2.2.2.2|/a b|200\n+I|10/Oct/2000:13:55:36 -0700|1.5|\\N|\\N|400\n" WELL(2));
	ck_assert_str_eq(SOURCE("nginx:<$a>[$b]", "a b", "<x>[y]\n<x>[y\nx>[y]\n<x>[y]]\n<x\n<>[]\n"),
		"+I|x|y\n+I|x|y]\n+I||\n!stdin:2: b: no ']' behind it\n!stdin:3: the line does not begin with '<'\n!stdin:5: a: no '>[' behind it\n"
		"!3 bad records of 6, the first at stdin:2\n= 6 records, 3 bad, well\n");
}
END_TEST

START_TEST(nginx_escapes)
{
	static const char json[] = "nginx:log_format j escape=json '{\"t\":\"$time_iso8601\",' '\"s\":$status,\"r\":\"$request\",\"a\":\"$http_user_agent\"}';";
	ck_assert_str_eq(SOURCE(json, "time status path agent", "{\"t\":\"2026-11-29T10:00:00+00:00\",\"s\":200,\"r\":\"GET /\\u00e9\\\"x HTTP/1.1\",\"a\":\"\"}\n"
		"{\"t\":\"2026-11-29T10:00:00+00:00\",\"s\":-,\"r\":\"\",\"a\":\"x\\q\"}\n"),
		"+I|2026-11-29T10:00:00+00:00|200|/\u00e9\"x|\\N\n!stdin:2: agent: an escape that is none in the field\n!1 bad record of 2, the first at stdin:2\n= 2 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("nginx:escape=none '\"$a\" \"$b\"'", "a b", "\"say \"hi\" \\\\\" \"\"\n"), "+I|say \"hi\" \\\\|\\N\n" WELL(1));
	ck_assert_str_eq(SOURCE("nginx:\"$a\" $b", "a b", "\"say \\\"hi\\\" \\\\\" \\x22\\\"\n\"a\\\" x\n"), "+I|say \"hi\" \\|\\x22\"\n!stdin:2: a: a quote is never closed\n"
		"!1 bad record of 2, the first at stdin:2\n= 2 records, 1 bad, well\n");
}
END_TEST

/* ---- apache --------------------------------------------------------------------------------- */

START_TEST(apache_as_pasted)
{
	static const char *const pasted[] = {
		"%h %l %u %t \\\"%r\\\" %>s %b \\\"%{Referer}i\\\" \\\"%{User-Agent}i\\\"",
		"%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"",
		"\"%h %l %u %t \\\"%r\\\" %>s %b \\\"%{Referer}i\\\" \\\"%{User-Agent}i\\\"\"",
		"'%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"'",
		"LogFormat \"%h %l %u %t \\\"%r\\\" %>s %O \\\"%{Referer}i\\\" \\\"%{User-Agent}i\\\"\" combined",
		"  logformat \"%a %l %u %t \\\"%r\\\" %<s \\\n%B \\\"%!200,304{referer}i\\\" \\\"%400,501{User-agent}i\\\"\"  combined\n",
	};
	for (size_t i = 0; i < sizeof pasted / sizeof *pasted; i++) {
		char format[600];
		snprintf(format, sizeof format, "apache:%s", pasted[i]);
		ck_assert_msg(!strcmp(SOURCE(format, ALL, combined_lines), combined_rows), "%s: %s", format, SOURCE(format, ALL, combined_lines));
	}
	ck_assert_str_eq(SOURCE("apache:\"%r\" \"%{Referer}i\" x", "path referer", "\"GET / HTTP/1.1\" \"-\" x\n"), "+I|/|\\N\n" WELL(1));
}
END_TEST

START_TEST(apache_directives)
{
	static const char format[] = "apache:%v:%p %V %{canonical}p %{local}p %{remote}p %a %{c}a %A %I %O %S %D %T %{ms}T %{us}T %m %U%q %H %f %P %{tid}P %X %R %k %L %s %{X-Forwarded-For}i "
		"%{Cookie}i %{SID}C %{Content-Type}o %{UNIQUE_ID}e %{mod}n %{SSL_PROTOCOL}x %^FB %{X-Trail}^ti 5%% %B";
	static const char line[] = "v:80 w 81 82 83 1.1.1.1 2.2.2.2 3.3.3.3 1 2 3 4 5 6 7 GET /a?b=c HTTP/1.1 /f 8 9 - h 10 l 200 a, b c d e f g h 11 i 5% 12\n";
	ck_assert_str_eq(SOURCE(format, "vhost port vhost_2 port_2 local_port remote_port ip peer local_ip bytes_in bytes bytes_total duration_us duration_s duration_ms duration_us_2", line),
		"+I|v|80|w|81|82|83|1.1.1.1|2.2.2.2|3.3.3.3|1|2|3|4|5|6|7\n" WELL(1));
	ck_assert_str_eq(SOURCE(format, "method path query proto file pid tid connection handler keepalive log_id status x_forwarded_for", line),
		"+I|GET|/a|b=c|HTTP/1.1|/f|8|9|-|h|10|l|200|a, b\n" WELL(1));
	ck_assert_str_eq(SOURCE(format, "cookie SID content_type UNIQUE_ID mod SSL_PROTOCOL first_byte_us x_trail bytes_2", line), "+I|c|d|e|f|g|h|11|i|12\n" WELL(1));
	ck_assert_str_eq(SOURCE("apache:%m %U%q %s", "path query status", "GET /a 1\nGET /a? 2\nGET * 3\nGET - 4\n"), "+I|/a|\\N|1\n+I|/a||2\n+I|*|\\N|3\n+I|\\N|\\N|4\n" WELL(4));
	ck_assert_str_eq(SOURCE("apache:%h %r", "ip method", "h GET /a b HTTP/1.1\nh -\n"), "+I|h|GET\n+I|h|\\N\n" WELL(2));
}
END_TEST

/* ---- times ---------------------------------------------------------------------------------- */

struct wanted_time {
	const char *format, *column;
	enum stamp_kind kind;
	unsigned places;
	const char *pattern;
};

START_TEST(times)
{
	static const struct wanted_time wanted[] = {
		{ "nginx:$a $time_local", "time", STAMP_CLF, 0, NULL }, { "nginx:$time_iso8601", "time", STAMP_ISO, 0, NULL }, { "nginx:$msec $time_local", "time", STAMP_COUNT, 0, NULL },
		{ "nginx:$a", NULL, STAMP_GUESS, 0, NULL }, { "nginx:$time $msec", "time_2", STAMP_COUNT, 0, NULL }, { "apache:%h", NULL, STAMP_GUESS, 0, NULL },
		{ "apache:%h %t", "time", STAMP_CLF, 0, NULL }, { "apache:%{sec}t", "time", STAMP_COUNT, 0, NULL }, { "apache:%{end:msec}t %t", "time", STAMP_COUNT, 3, NULL },
		{ "apache:%{begin:usec}t", "time", STAMP_COUNT, 6, NULL }, { "apache:%h %{%Y-%m-%d %T}t %s", "time", STAMP_PATTERN, 0, "%Y-%m-%d %T" },
		{ "apache:[%{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t] %h", "time", STAMP_PATTERN, 0, "%d/%b/%Y %T.%f %z" },
		{ "apache:%{begin:%F}t%%%{begin:%T}t %h", "time", STAMP_PATTERN, 0, "%F" }, { "apache:%{%F}t %{msec}t", "time", STAMP_PATTERN, 0, "%F" },
	};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		const struct wanted_time *want = &wanted[i];
		struct mem mem = { 0 };
		struct arena arena;
		struct err err = { 0 };
		arena_init(&arena, &mem);
		struct input_options in = { .format = format_find(want->format, strcspn(want->format, ":")), .spec = strchr(want->format, ':') + 1 };
		ck_assert_msg(!in.format->prepare(&in, &arena, &err), "%s: %s", want->format, err.text);
		ck_assert_msg(want->column ? in.time && !strcmp(in.time, want->column) : !in.time, "%s: %s", want->format, in.time);
		ck_assert_msg(in.time_stamp.kind == want->kind && in.time_stamp.places == want->places, "%s", want->format);
		ck_assert_msg(!want->pattern || (in.time_stamp.len == strlen(want->pattern) && !memcmp(in.time_stamp.pattern, want->pattern, in.time_stamp.len)), "%s: %.*s", want->format,
			(int)in.time_stamp.len, in.time_stamp.pattern);
		arena_release(&arena);
	}
	ck_assert_str_eq(SOURCE("apache:%{%e %b %Y %H:%M:%S}t.%{usec_frac}t %{%z}t %h", "time ip", " 1 Nov 2026 10:00:00.123456 +0100 h\n11 Nov 2026 10:00:00.123456 +0100 h\n1 Nov 2026 1 h\n"),
		"+I| 1 Nov 2026 10:00:00.123456 +0100|h\n+I|11 Nov 2026 10:00:00.123456 +0100|h\n!stdin:3: time: no ' ' behind it\n!1 bad record of 3, the first at stdin:3\n= 3 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("apache:[%{%A, %d %B %Y}t] %h", "time ip", "[Sunday, 29 November 2026] h\n"), "+I|Sunday, 29 November 2026|h\n" WELL(1));
}
END_TEST

/* ---- usage errors --------------------------------------------------------------------------- */

START_TEST(usage_errors)
{
	static const char *const wrong[][2] = {
		{ "nginx:plain", "no $variable in it\n  plain\n  ^~~~~" }, { "nginx:$a $", "a name belongs behind $\n  $a $\n     ^" }, { "nginx:${a", "the brace of ${name} is never closed\n  ${a\n  ^~~" },
		{ "nginx:$a$b", "nothing stands between the two: where one ends cannot be seen\n  $a$b\n  ^~~~" }, { "nginx:escape=x '$a'", "escape is default, json or none\n  escape=x '$a'\n         ^" },
		{ "nginx:$http_user_agent $a", "agent has blanks in it, and no quotes around it: where it ends cannot be seen\n  $http_user_agent $a\n  ^~~~~~~~~~~~~~~~" },
		{ "nginx:log_format x '$a", "a quote is never closed\n  log_format x '$a\n               ^" },
		{ "nginx:log_format x $a; }", "the statement should end with this semicolon\n  log_format x $a; }\n                 ^" },
		{ "nginx:log_format x", "no $variable in it\n  log_format x\n  ^~~~~~~~~~~~" }, { "nginx:$a\n$b", "a line end inside the format; a record is one line\n" },
		{ "nginx:$host$uri$request_uri", "nothing stands between the two: where one ends cannot be seen\n  $host$uri$request_uri\n  ^~~~~~~~~~~~~~~~~~~~~" },
		{ "apache:combined", "no %directive in it\n" }, { "apache:%h%l", "nothing stands between the two: where one ends cannot be seen\n  %h%l\n  ^~~~" },
		{ "apache:%h %Z", "weir knows no such directive; -f regex:PATTERN reads lines of any kind\n  %h %Z\n     ^~" }, { "apache:%{a", "this brace is never closed\n  %{a\n   ^~" },
		{ "apache:%h %", "a letter belongs behind %; the sign itself is %%\n  %h %\n     ^" }, { "apache:%i", "this directive needs a name: %{NAME}i\n  %i\n  ^~" },
		{ "apache:%{x}h", "%h is not known with these braces\n  %{x}h\n  ^~~~~" }, { "apache:%{%Q}t", "no such letter in a pattern of times" },
		{ "apache:LogFormat %h", "behind LogFormat stands a format in quotes, and perhaps a nickname\n  LogFormat %h\n            ^~" },
		{ "apache:LogFormat \"%h\" a b", "behind LogFormat stands a format in quotes" }, { "apache:%{%A %d}t %h", "time has blanks in it, and no quotes around it" },
		{ "apache:\"%h \\\"%Z\\\"\"", "weir knows no such directive; -f regex:PATTERN reads lines of any kind\n  \"%h \\\"%Z\\\"\"\n        ^~" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ck_assert_msg(strstr(SOURCE(wrong[i][0], "a", "x\n"), wrong[i][1]) != NULL, "%s: %s", wrong[i][0], SOURCE(wrong[i][0], "a", "x\n"));
}
END_TEST

/* ---- random formats ------------------------------------------------------------------------- */

enum { FIELDS = 6 };

/* What stands behind a field, the first of them in quotes or not. A value without quotes holds no byte of any of these. */
static const char *const behind_bare[] = { " ", "|", " - ", "\t", ", ", "=", " \"", "[\"" }, *const behind_quoted[] = { "\" ", "\" \"", "\"|", "\",\"" };

static const char *random_value(uint64_t *state, bool quoted, char *value, char *shown)
{
	static const char *const written[] = { "a", "0", "/", "\xff", "x1", "\\x20", " ", "\\\"", "\\\\" }, *const means[] = { "a", "0", "/", "\xff", "x1", "\\x20", " ", "\"", "\\" };
	*value = *shown = '\0';
	for (uint64_t n = 1 + numgen_below(state, 20); n; n--) {
		uint64_t i = numgen_below(state, quoted ? 9 : 6);
		strcat(value, written[i]);
		strcat(shown, means[i]);
	}
	return value;
}

/* A format of random fields, a line of it: what was written is read; with a byte taken away it is read in another way or bad, but within its bounds. */
START_TEST(random_formats)
{
	uint64_t state = 3;
	for (int round = 0; round < 4000; round++) {
		uint64_t n = 1 + numgen_below(&state, FIELDS);
		char format[300] = "nginx:", line[2000] = "", expected[2000] = "+I", columns[100] = "", name[20], value[200], shown[200];
		bool quoted = false;
		for (uint64_t i = 0; i < n; i++) {
			const char *text = !i ? numgen_below(&state, 2) ? "<\"" : "<" : quoted ? behind_quoted[numgen_below(&state, 4)] : behind_bare[numgen_below(&state, 8)];
			quoted = text[1] && text[strlen(text) - 1] == '"';
			snprintf(name, sizeof name, "$f%d", (int)i);
			strcat(strcat(format, text), name);
			strcat(strcat(columns, i ? " " : ""), name + 1);
			strcat(strcat(line, text), random_value(&state, quoted, value, shown));
			strcat(strcat(expected, "|"), shown);
		}
		strcat(format, quoted ? "\"" : ".");
		strcat(line, quoted ? "\"\n" : ".\n");
		strcat(expected, "\n" WELL(1));
		struct source_case run = { .format = format, .columns = columns, .in = { { line, strlen(line) } }, .quiet = true };
		ck_assert_msg(!strcmp(source_text(&run), expected), "%s: %s: %s instead of %s", format, line, source_text(&run), expected);
		line[numgen_below(&state, strlen(line))] = "\" \\]"[numgen_below(&state, 4)];
		source_text(&run);
	}
}
END_TEST

/* Any specification is taken or is a usage error, and any lines are then read. */
START_TEST(random_specifications)
{
	static const char *const piece[] = { "$a", "$request", "${b}", "$time_local", "$", "{", "}", "%", "%t", "%{%d/%e}t", "%{%T}t", "%{msec_frac}t", "%{%c %A}t", "%r", "%{Referer}i", "%>s", "%^FB",
		"%!200,3", "\"", "'", "\\", "\\\"", " ", "\n", ";", "#", "log_format x ", "escape=json ", "escape=none ", "LogFormat ", "-", "[", "]", "%U%q", "$host$uri", "%%", "^" };
	uint64_t state = 9;
	int taken = 0;
	for (int round = 0; round < 20000; round++) {
		char format[400], line[] = "x \"GET / HTTP/1.1\" [29/Nov/2026:10:00:00 +0000] - \\ 200\n\n\"";
		strcpy(format, numgen_below(&state, 2) ? "nginx:" : "apache:");
		for (uint64_t n = 1 + numgen_below(&state, 9); n; n--)
			strcat(format, piece[numgen_below(&state, sizeof piece / sizeof *piece)]);
		char *exact = strdup(format); /* a byte behind it is not to be read */
		struct source_case run = { .format = exact, .columns = "", .in = { { line, sizeof line - 1 } }, .quiet = true };
		taken += strstr(source_text(&run), "records") != NULL;
		free(exact);
	}
	ck_assert_int_gt(taken, 2000);
}
END_TEST

START_TEST(refused_memory)
{
	static const char *const format[] = { "nginx:$time \"$request\" $msec", "apache:\"%{%F}t %{%T}t \\\"%{X-Y}i\\\"\"" }, *const columns[] = { "time_2 path", "time x_y" };
	static const char *const line[] = { "a \"GET /\\\" HTTP/1.1\" 1\n", "2026-11-29 10:00:00 \"\\\"\"\n" };
	for (int i = 0; i < 2; i++) {
		struct source_case run = { .format = format[i], .columns = columns[i], .in = { { line[i], strlen(line[i]) } } };
		source_refuse(&run, NULL);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		nginx_as_pasted, nginx_names, nginx_escapes, apache_as_pasted, apache_directives, times, usage_errors, random_formats,
		random_specifications, refused_memory,
	};
	return RUN_TESTS("logformat", tests);
}
