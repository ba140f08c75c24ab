/* syslog: the ways in which lines are written, what is refused; lines made at random; the answers of go-syslog. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/stamp.h"
#include "parse/format/syslog_line.h"
#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"
#include "tests/unit/suite.h"

#define ALL "time host tag pid pri msg"
#define WELL(n) "= " #n " records, 0 bad, well\n"

/* The parts of a line, divided by |, ~ for one that is not there; or why it is bad. */
static const char *parts(const char *line)
{
	static char out[2000];
	struct piece part[SYSLOG_PARTS];
	size_t len = strlen(line), n = 0;
	char *copy = malloc(len ? len : 1); /* alone in its block: a byte behind it is not to be read */
	memcpy(copy, line, len);
	const char *why = syslog_split(copy, copy + len, part);
	for (int i = 0; i < SYSLOG_PARTS && !why; i++) {
		ck_assert(!part[i].p || (part[i].p >= copy && part[i].p + part[i].len <= copy + len));
		n += (size_t)snprintf(out + n, sizeof out - n, "%s%.*s", i ? "|" : "", part[i].p ? (int)part[i].len : 1, part[i].p ? part[i].p : "~");
	}
	free(copy);
	return why ? why : out;
}

START_TEST(rfc3164)
{
	ck_assert_str_eq(parts("<34>Oct 11 22:14:15 mymachine su: 'su root' failed"), "Oct 11 22:14:15|mymachine|su|~|34|'su root' failed");
	ck_assert_str_eq(parts("Oct  1 22:14:15 m sshd[77]: a: [b] c "), "Oct  1 22:14:15|m|sshd|77|~|a: [b] c ");
	ck_assert_str_eq(parts("oct 1 22:14:15 m sshd(pam_unix)[19939]:x"), "oct 1 22:14:15|m|sshd(pam_unix)|19939|~|x");
	ck_assert_str_eq(parts("Oct 01 22:14:15.123456 m postfix/smtpd[1]:  two"), "Oct 01 22:14:15.123456|m|postfix/smtpd|1|~| two");
	ck_assert_str_eq(parts("Oct 11 2003 22:14:15 m a::b: c"), "Oct 11 2003 22:14:15|m|a::b|~|~|c");
	ck_assert_str_eq(parts("Oct 11 22:14:15 fe80::1 kernel: [12.3] x"), "Oct 11 22:14:15|fe80::1|kernel|~|~|[12.3] x");
	ck_assert_str_eq(parts("Oct 11 22:14:15 m last message repeated 2 times"), "Oct 11 22:14:15|m|~|~|~|last message repeated 2 times");
	ck_assert_str_eq(parts("Oct 11 22:14:15 m com.apple.launchd[1] (com.apple.x): y"), "Oct 11 22:14:15|m|com.apple.launchd|1|~|(com.apple.x): y");
	ck_assert_str_eq(parts("Oct 11 22:14:15 m the[first] word: is no tag"), "Oct 11 22:14:15|m|~|~|~|the[first] word: is no tag");
	ck_assert_str_eq(parts("Oct 11 22:14:15 m app[a.1]: x"), "Oct 11 22:14:15|m|app|a.1|~|x");
	ck_assert_str_eq(parts("Oct 11 22:14:15 m 10:20:30 x"), "Oct 11 22:14:15|m|~|~|~|10:20:30 x");
	ck_assert_str_eq(parts("<13>Oct 11 22:14:15 app[7]: no host"), "Oct 11 22:14:15|~|app|7|13|no host");
	ck_assert_str_eq(parts("Oct 11 22:14:15 app: no host"), "Oct 11 22:14:15|~|app|~|~|no host");
	ck_assert_str_eq(parts("Oct 11 22:14:15 m"), "Oct 11 22:14:15|m|~|~|~|~");
	ck_assert_str_eq(parts("Oct 11 22:14:15 m a:"), "Oct 11 22:14:15|m|a|~|~|~");
	ck_assert_str_eq(parts("Oct 11 22:14:15"), "Oct 11 22:14:15|~|~|~|~|~");
}
END_TEST

START_TEST(iso_stamps)
{
	ck_assert_str_eq(parts("2003-10-11T22:14:15.003+02:00 m su[7]: x"), "2003-10-11T22:14:15.003+02:00|m|su|7|~|x");
	ck_assert_str_eq(parts("<13>2003-10-11T22:14:15+0200 m su: x"), "2003-10-11T22:14:15+0200|m|su|~|13|x");
	ck_assert_str_eq(parts("2003-10-11 22:14:15 m su: x - [y]"), "2003-10-11 22:14:15|m|su|~|~|x - [y]");
	ck_assert_str_eq(parts("Sat 2003-10-11 22:14:15 CEST m su[7]: x"), "2003-10-11 22:14:15|m|su|7|~|x");
	ck_assert_str_eq(parts("2003-10-11T22:14:15Z m disk is full - check"), "2003-10-11T22:14:15Z|m|~|~|~|disk is full - check");
	ck_assert_str_eq(parts("2003-10-11T22:14:15Z m CRON 20 - - (root) CMD"), "2003-10-11T22:14:15Z|m|CRON|20|~|(root) CMD");
	ck_assert_str_eq(parts("2003-10-11T22:14:15Z m NSX - SWITCH [a@1 b=\"]\\\"\"] x"), "2003-10-11T22:14:15Z|m|~|~|~|NSX - SWITCH [a@1 b=\"]\\\"\"] x");
	ck_assert_str_eq(parts("2003-10-11T22:14:15Z m NSX - SWITCH [a@1 b=\"\\]\\\"\"] x"), "2003-10-11T22:14:15Z|m|NSX|-|~|x");
}
END_TEST

START_TEST(rfc5424)
{
	ck_assert_str_eq(parts("<34>1 2003-10-11T22:14:15.003Z m su 77 ID47 [a@1 k=\"v\"][b] text"), "2003-10-11T22:14:15.003Z|m|su|77|34|text");
	ck_assert_str_eq(parts("<0>1 - - - - - - "), "-|-|-|-|0|~");
	ck_assert_str_eq(parts("<191>1 - - - - - -  x"), "-|-|-|-|191| x");
	ck_assert_str_eq(parts("1 2003-10-11T22:14:15Z m su - - - x"), "2003-10-11T22:14:15Z|m|su|-|~|x");
	ck_assert_str_eq(parts("<1>1 - - - - - [a b=\"C:\\temp\\\\\"] x"), "-|-|-|-|1|x");
	static const char *const bad[][2] = {
		{ "<192>1 - - - - - -", "no priority" }, { "<01>1 - - - - - -", "no priority" }, { "<>1", "no priority" }, { "<1", "no priority" }, { "<1x>", "no priority" },
		{ "", "no time" }, { "x", "no time" }, { "<1>", "no time" }, { "Oct 11 22:14", "no time" }, { "Okt 11 22:14:15 m a: x", "no time" }, { "Oct 11 22:14:15x", "no time" },
		{ "1 - - - - - -", "no stamp" }, { "<1>1 -- - - - - -", "no stamp" }, { "<1>1 2003-02-30T22:14:15Z - - - - -", "no stamp" }, { "<1>1 2003-10-11t22:14:15Z - - - - -", "no stamp" },
		{ "<1>1 -", "ends" }, { "<1>1 - - - - -", "ends" }, { "<1>1 -  - - - -", "two blanks" }, { "<1>1 - - - - - x", "structured" }, { "<1>1 - - - - - -x", "structured" },
		{ "<1>1 - - - - - [a][a]", "structured" }, { "<1>1 - - - - - [a b=\"]\"]", "structured" }, { "<1>1 - - - - - [a b=\"\"", "structured" }, { "<1>1 - - - - - []", "structured" },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(strstr(parts(bad[i][0]), bad[i][1]) != NULL, "%s: %s", bad[i][0], parts(bad[i][0]));
}
END_TEST

START_TEST(records)
{
	ck_assert_str_eq(SOURCE("syslog", ALL, "<7>1 - - t - - - -\n\nOct 11 22:14:15 m a[1]: b\tc\\\r\n\tmore\n"),
		"+I|\\N|\\N|t|\\N|7|\\N\n+I|Oct 11 22:14:15|m|a|1|\\N|b\\x09c\\\n!stdin:4: no time (Nov 29 10:00:00 or ISO) at the beginning of the line\n"
		"!1 bad record of 3, the first at stdin:4\n= 3 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("syslog", "pri# pid#", "<34>1 - h t 5 - - x\n<34>1 - h t a - - x\n"),
		"+I|34|5\n!stdin:2: pid: not a number: \"a\"\n!1 bad record of 2, the first at stdin:2\n= 2 records, 1 bad, well\n");
	for (size_t read = 0; read < 20; read++)
		ck_assert_str_eq(SOURCE("syslog", "tag msg", "Oct 11 22:14:15 m a: b\nOct 11 22:14:15 m c: d", .read_max = read, .batch_max = 2), "+I|a|b\n+I|c|d\n" WELL(2));
}
END_TEST

/* ---- random lines --------------------------------------------------------------------------- */

/* A header of RFC 5424 from random words: its parts come back, and no prefix of it reads beyond its end. */
START_TEST(random_lines)
{
	uint64_t state = 5;
	static const char *const word[] = { "-", "a", "su", "10.0.0.1", "[x]", "a:", "7" }, *const data[] = { "-", "[a]", "[a b=\"\\\"\"][c]", "[a b=\"x\" c=\"\\]\"]" };
	for (int round = 0; round < 3000; round++) {
		const char *w[4], *msg = numgen_below(&state, 2) ? " x - [y]" : "";
		char line[300], expected[300];
		for (int i = 0; i < 4; i++)
			w[i] = word[numgen_below(&state, 7)];
		snprintf(line, sizeof line, "<%d>1 2003-10-11T22:14:15Z %s %s %s %s %s%s", round % 192, w[0], w[1], w[2], w[3], data[numgen_below(&state, 4)], msg);
		snprintf(expected, sizeof expected, "2003-10-11T22:14:15Z|%s|%s|%s|%d|%s", w[0], w[1], w[2], round % 192, *msg ? msg + 1 : "~");
		ck_assert_str_eq(parts(line), expected);
		line[numgen_below(&state, strlen(line))] = " <>[]\"=\\-:"[numgen_below(&state, 10)];
		for (size_t n = strlen(line); n; line[--n] = '\0')
			parts(line);
	}
}
END_TEST

/* ---- the suite ------------------------------------------------------------------------------ */

enum { INPUT, ERROR, TIME, HOST, APP, PROCID, PRIORITY, MSG, MEMBERS };

static struct json *reader(struct arena *mem)
{
	static struct step step[MEMBERS] = { { .name = "input" }, { .name = "error" }, { .name = "time_ms" }, { .name = "host" }, { .name = "app" }, { .name = "procid" },
		{ .name = "priority" }, { .name = "msg" } };
	static struct json_path path[MEMBERS];
	for (int i = 0; i < MEMBERS; i++) {
		step[i].len = (uint32_t)strlen(step[i].name);
		path[i] = (struct json_path){ &step[i], 1 };
	}
	return json_new(path, MEMBERS, mem);
}

static bool same(const struct value *v, struct piece piece)
{
	bool null = !piece.p || (piece.len == 1 && *piece.p == '-');
	return null ? v->type == V_NULL : v->type == V_RAW && v->len == piece.len && !memcmp(v->u.p, piece.p, v->len);
}

/* Where go-syslog reads oddly: an IPv6 address as a tag, a bracket without a blank behind it, a host that is alone. */
static bool is_odd(const char *p, uint32_t n)
{
	static const char *const odd[] = { " fe80::1 app", " h app[1]", " 00:00:00 h", NULL };
	for (int i = 0; odd[i]; i++) {
		size_t len = strlen(odd[i]);
		const char *at = memmem(p, n, odd[i], len);
		if (at && (i == 0 || at + len == p + n || (i == 1 && p + n > at + len + 1 && at[len] == ':' && at[len + 1] != ' ')))
			return true;
	}
	return false;
}

/* Where we read what go-syslog refuses: a backslash that escapes nothing is data (RFC 5424, 6.3.3), bytes that are no UTF-8 are taken, and fractions of any length,
 * as in all times. */
static bool read_nevertheless(const char *p, uint32_t n)
{
	static const char *const known[] = { "escape=\"\\n\"", "15.000000003-07:00", "<1>1 - - - - - - ", "<1>2 - - - - - - ", NULL };
	for (int i = 0; known[i]; i++)
		if (memmem(p, n, known[i], strlen(known[i])))
			return true;
	return false;
}

/* One line of the fields, as go-syslog has them, against ours. */
static bool check_fields(const struct value v[MEMBERS], bool may_take)
{
	struct piece part[SYSLOG_PARTS];
	const char *p = v[INPUT].u.p;
	if (memchr(p, '\n', v[INPUT].len) || is_odd(p, v[INPUT].len))
		return false;
	const char *why = syslog_split(p, p + v[INPUT].len, part);
	if (v[ERROR].type != V_NULL) {
		ck_assert_msg(may_take || why || read_nevertheless(p, v[INPUT].len), "%.*s", (int)v[INPUT].len, p);
		return !may_take;
	}
	ck_assert_msg(!why, "%.*s: %s", (int)v[INPUT].len, p, why);
	static const struct { int member; enum syslog_part part; } pair[] = { { HOST, SYSLOG_HOST }, { APP, SYSLOG_TAG }, { PROCID, SYSLOG_PID }, { PRIORITY, SYSLOG_PRI }, { MSG, SYSLOG_MSG } };
	bool header_only = v[PRIORITY].type == V_NULL; /* it gives nothing at all for a stamp alone */
	for (size_t i = 0; i < sizeof pair / sizeof *pair && !header_only; i++)
		ck_assert_msg(same(&v[pair[i].member], part[pair[i].part]), "%.*s: %zu", (int)v[INPUT].len, p, i);
	if (v[TIME].type == V_NULL)
		return true;
	struct stamp stamp = { .kind = STAMP_SYSLOG };
	struct strptime_env env = { .now = INT64_C(1735689599999), .ahead = 0 }; /* the last ms of 2024: that is the year */
	struct value text = value_raw(part[SYSLOG_TIME].p, part[SYSLOG_TIME].len);
	int64_t time;
	ck_assert_msg(stamp_read(&stamp, &text, &env, &time, &why) && time == strtoll(v[TIME].u.p, NULL, 10), "%.*s: %lld", (int)text.len, text.u.p, (long long)time);
	return true;
}

/* The lines of a file of the suite, `check` for each; how many it said counted. */
static int fields_of(const char *name, bool may_take)
{
	FILE *file = suite_open(name);
	struct mem mem = { 0 };
	struct arena arena;
	char line[8192];
	int ran = 0;
	arena_init(&arena, &mem);
	struct json *json = reader(&arena);
	if (file)
		rewind(file);
	while (file && fgets(line, sizeof line, file)) {
		size_t n = strcspn(line, "\n");
		struct value v[MEMBERS];
		ck_assert_msg(!json_read(json, line, n, n), "%s", line);
		for (uint32_t i = 0; i < MEMBERS; i++)
			ck_assert_int_eq(json_value(json, i, &arena, &v[i]), 0);
		ran += check_fields(v, may_take);
	}
	if (file)
		fclose(file);
	arena_release(&arena);
	return ran;
}

START_TEST(known_fields)
{
	printf("syslog suite: %d lines of RFC 3164\n", fields_of("syslog/rfc3164_fields.jsonl", true)); /* it refuses much that files have */
	printf("syslog suite: %d lines of RFC 5424\n", fields_of("syslog/rfc5424_fields.jsonl", false));
}
END_TEST

START_TEST(known_messages)
{
	FILE *file = suite_open("syslog/rfc5424_messages.tsv");
	struct suite_line line;
	struct mem mem = { 0 };
	struct arena arena;
	struct piece part[SYSLOG_PARTS];
	int ran = 0;
	arena_init(&arena, &mem);
	struct json *json = reader(&arena);
	while (file && suite_next(file, &line)) {
		char object[SUITE_LINE + 20];
		struct value text;
		size_t n = (size_t)snprintf(object, sizeof object, "{\"input\":%s}", line.field[1]);
		ck_assert(!json_read(json, object, n, n) && !json_value(json, INPUT, &arena, &text));
		bool refused = line.field[0][0] == '0';
		if (memchr(text.u.p, '\n', text.len) || (refused && read_nevertheless(text.u.p, text.len)))
			continue;
		const char *why = syslog_split(text.u.p, text.u.p + text.len, part);
		ck_assert_msg(refused == (why != NULL), "%s: %s", line.field[1], why ? why : "taken");
		ran++;
	}
	if (file)
		fclose(file);
	arena_release(&arena);
	printf("syslog suite: %d messages of RFC 5424\n", ran);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { rfc3164, iso_stamps, rfc5424, records, random_lines, known_fields, known_messages };
	return RUN_TESTS("syslog", tests);
}
