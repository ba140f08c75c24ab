/* core/strptime, core/strftime: against suites, the C library, and each other. */
#include <time.h>

#include "tests/unit/timetexts.h"

static const struct strptime_env utc;

static bool check_pattern(const char *pattern, bool writing, struct err *err)
{
	uint32_t len = (uint32_t)strlen(pattern);
	struct span span = { "--time", pattern, 0, len };
	*err = (struct err){ .code = ERR_NONE };
	return writing ? !strftime_check(pattern, len, span, err) : !strptime_check(pattern, len, span, err);
}

/* The text of a time, NUL-terminated. */
static const char *written(const char *pattern, int64_t time, const struct zone *zone)
{
	static char text[300];
	text[strftime_print(pattern, (uint32_t)strlen(pattern), time, zone, text, sizeof text - 1)] = '\0';
	return text;
}

static bool read_text(const char *pattern, const char *text, const struct strptime_env *env, int64_t *out)
{
	return read_alone(&(struct reader){ .kind = READ_PATTERN, .pattern = pattern, .env = env }, text, strlen(text), out);
}

/* ---- suites */

/* Where there is no year the suite means 1970: it is January 1st, and all of the year is near enough. */
START_TEST(strptime_suite)
{
	const struct strptime_env env = { .now = 0, .ahead = 364 * (int64_t)DAY_MS };
	struct tally tally = { 0 };
	struct suite_line line;
	FILE *file = suite_open("time/strptime.tsv");
	while (file && suite_next(file, &line)) {
		struct err err;
		const struct reader reader = { .kind = READ_PATTERN, .pattern = line.field[0], .env = &env };
		if (check_pattern(line.field[0], false, &err))
			tally_row(&tally, &reader, unquoted(line.field[1]), line.field[2], 1000);
		else
			ck_assert_str_eq(line.field[2], "refused");
	}
	tally_end(&tally, "time/strptime.tsv", file);
}
END_TEST

/* Informs: how often a reading is that of glibc or of Python, where the two differ. */
START_TEST(disputed_suite)
{
	const struct strptime_env env = { .now = 0, .ahead = 364 * (int64_t)DAY_MS };
	struct suite_line line;
	int rows = 0, glibc = 0, python = 0;
	FILE *file = suite_open("time/strptime_disputed.tsv");
	for (; file && suite_next(file, &line); rows++) {
		struct err err;
		int64_t got = 0;
		bool read = check_pattern(line.field[0], false, &err) && read_text(line.field[0], unquoted(line.field[1]), &env, &got);
		for (int i = 2; i <= 3; i++) {
			bool want = line.field[i][0] == '-' || (line.field[i][0] >= '0' && line.field[i][0] <= '9');
			bool same = want ? read && got == (int64_t)(atof(line.field[i]) * 1000) : !read;
			glibc += i == 2 && same;
			python += i == 3 && same;
		}
	}
	if (file) {
		fclose(file);
		printf("time/strptime_disputed.tsv: of %d rows %d as glibc, %d as Python\n", rows, glibc, python);
	}
}
END_TEST

/* ---- the C library, in the C locale that a program starts with */

START_TEST(written_as_by_the_library)
{
	static const char letters[] = "YymdejbBhHkIlMSpaAuwUVGDFTRrcxXsnt%z";
	for (int i = 0; i < 100000; i++) {
		int64_t t = between(-62000000000, 253402300799) * 1000 + (int64_t)pick(1000);
		time_t s = (time_t)((t - ((t % 1000) + 1000) % 1000) / 1000);
		struct tm tm;
		char want[100], pattern[] = { '<', '%', letters[pick(sizeof letters - 1)], '>', '\0' };
		gmtime_r(&s, &tm);
		want[strftime(want, sizeof want - 1, pattern, &tm)] = '\0';
		if ((pattern[2] == 'Y' || pattern[2] == 'G' || pattern[2] == 'F' || pattern[2] == 'c') && tm.tm_year < -900) /* it writes no zeros in front */
			continue;
		if (strcmp(written(pattern, t, NULL), want))
			ck_abort_msg("%s of %lld: %s, not %s", pattern, (long long)t, written(pattern, t, NULL), want);
	}
}
END_TEST

/* What the library writes is read by the same pattern. */
START_TEST(read_as_the_library_writes)
{
	static const char *const patterns[] = { "%Y-%m-%d %H:%M:%S", "%c", "%a, %d %b %Y %T %z", "%A %e %B %Y, %r", "%D %T", "%x %X", "%F %R:%S", "%j/%Y %k.%M.%S", "%s", "%y%m%d%H%M%S",
						"%h %d %l:%M:%S%p %Y", "%u %w %U %Y%m%d%n%T%%", "%d/%b/%Y:%T +0000" };
	for (int i = 0; i < 100000; i++) {
		const char *pattern = patterns[pick(sizeof patterns / sizeof *patterns)];
		bool century = strstr(pattern, "%y") || strstr(pattern, "%D") || strstr(pattern, "%x");
		time_t s = century ? between(0, 3124223999) : strcmp(pattern, "%s") ? between(-30600000000, 253402300799) : between(0, 253402300799);
		struct tm tm;
		char text[100];
		int64_t got = 0;
		gmtime_r(&s, &tm);
		text[strftime(text, sizeof text - 1, pattern, &tm)] = '\0';
		if (!read_text(pattern, text, &utc, &got) || got != s * 1000)
			ck_abort_msg("%s by %s: %lld, not %lld000", text, pattern, (long long)got, (long long)s);
	}
}
END_TEST

/* ---- laws */

/* With a zone, and letters that the library has not. */
START_TEST(read_as_written)
{
	static const char *const patterns[] = { "%Y-%m-%dT%H:%M:%S.%f%z", "%d.%m.%Y %H:%M:%S,%f %z", "%s.%f" };
	struct mem mem = { 0 };
	struct arena arena;
	struct err err = { .code = ERR_NONE };
	struct strptime_env env = { .now = 0 };
	arena_init(&arena, &mem);
	ck_assert(!zone_load(&env.zone, "CET-1CEST,M3.5.0,M10.5.0/3", &arena, &err));
	for (int i = 0; i < 50000; i++) {
		const char *pattern = patterns[pick(3)];
		int64_t t = *pattern == '%' && pattern[1] == 's' ? between(0, 253402214400000) : between(-62000000000000, 253402214400000), got = 0;
		const char *text = written(pattern, t, env.zone);
		if (!read_text(pattern, text, &env, &got) || got != t)
			ck_abort_msg("%s by %s: %lld, not %lld", text, pattern, (long long)got, (long long)t);
	}
	int64_t first = 0, gap = 0;
	ck_assert(read_text("%F %T", "2026-10-25 02:30:00", &env, &first) && first == INT64_C(1792888200000)); /* comes twice: the first */
	ck_assert(read_text("%F %T", "2026-03-29 02:30:00", &env, &gap) && gap == INT64_C(1774747800000)); /* never: 03:30 */
	ck_assert_str_eq(written("%H:%M %z %Z", first, env.zone), "02:30 +0200 +02:00");
	ck_assert_str_eq(written("%z %Z", first, NULL), "+0000 UTC");
	arena_release(&arena);
}
END_TEST

START_TEST(letters_of_fractions)
{
	ck_assert_str_eq(written("%L %f %N %s", -1, NULL), "999 999000 999000000 -1");
	ck_assert_str_eq(written("%L %f %N %s", 1007, NULL), "007 007000 007000000 1");
	ck_assert_str_eq(written("%L %f %N %s", TIME_MAX, NULL), "000 000000 000000000 8640000000000");
	ck_assert_str_eq(written("%Y %G %y %j", TIME_MIN, NULL), "-271821 -271821 79 110");
	ck_assert_str_eq(written("%G-W%V %s", TIME_COUNT_MAX, NULL), "292278994-W33 9223372036854775");
	ck_assert_str_eq(written("%G %s", INT64_MIN, NULL), "-292275055 -9223372036854776");
}
END_TEST

/* The last year at whose date and clock it was not later than now + ahead. */
START_TEST(latest_year)
{
	for (int i = 0; i < 20000; i++) {
		struct strptime_env env = { .now = between(-20000000000, 100000000000) * 1000 / 10, .ahead = pick(3) ? DAY_MS : (int64_t)pick(1000) * DAY_MS };
		int64_t t = between(0, 9999999999) * 1000, got = 0, want = INT64_MIN;
		const char *pattern = pick(4) ? "%b %e %H:%M:%S" : "%j %T", *text = written(pattern, t, NULL);
		struct civil c, last;
		civil_of(t, &c);
		civil_of(env.now + env.ahead, &last);
		for (int64_t year = last.year; want == INT64_MIN; year--) {
			int64_t days = *(pattern + 1) == 'j' ? civil_days(year, 1, 1) + c.yearday : civil_days(year, c.month, c.day);
			bool there = *(pattern + 1) == 'j' ? c.yearday < 365 || civil_valid(year, 2, 29) : civil_valid(year, c.month, c.day);
			int64_t time = days * DAY_MS + ((c.hour * 60 + c.minute) * 60 + c.second) * 1000;
			if (there && time <= env.now + env.ahead)
				want = time;
		}
		if (!read_text(pattern, text, &env, &got) || got != want)
			ck_abort_msg("%s at %lld: %lld, not %lld", text, (long long)env.now, (long long)got, (long long)want);
	}
	int64_t got;
	ck_assert(read_text("%b %d", "Jan 1", &(struct strptime_env){ .now = TIME_MAX, .ahead = INT64_MAX }, &got));
}
END_TEST

START_TEST(no_date)
{
	struct mem mem = { 0 };
	struct arena arena;
	struct err err = { .code = ERR_NONE };
	struct strptime_env env = { .now = INT64_C(1795989600000), .ahead = DAY_MS }; /* 2026-11-29T22:00Z */
	int64_t got = 0;
	arena_init(&arena, &mem);
	ck_assert(read_text("%H:%M", "23:30", &env, &got) && got == 84600000);
	ck_assert(read_text("%H:%M %z", "01:30 +0300", &env, &got) && got == -5400000);
	ck_assert(!zone_load(&env.zone, "<+03>-3", &arena, &err));
	ck_assert(read_text("%H:%M", "01:30", &env, &got) && got == -5400000);
	ck_assert(read_text("%d.%m.", "30.11.", &env, &got) && got == INT64_C(1795986000000)); /* it is the 30th there */
	arena_release(&arena);
}
END_TEST

/* ---- what matches */

START_TEST(matches)
{
	static const struct { const char *pattern, *text; int64_t want; } rows[] = {
		{ "%Y-%m-%d", "2024-2-9", INT64_C(1707436800000) }, { "%d %B %Y", "09 fEBRUARY 2024", INT64_C(1707436800000) }, { "%d%b%Y", "09feb2024", INT64_C(1707436800000) },
		{ "%d %b %Y", "9 February 2024", INT64_C(1707436800000) }, { "%A %d %b %Y", "fri 9 Feb 2024", INT64_C(1707436800000) }, { "%Y %m", "2024   02", INT64_C(1706745600000) },
		{ "%Y %m", "202402", INT64_C(1706745600000) }, { "%Y", "2024", INT64_C(1704067200000) }, { "%Y%%", "2024%", INT64_C(1704067200000) },
		{ "%F %T.%f", "2024-02-09 00:00:00.9999", INT64_C(1707436800999) }, { "%F %T,%f", "2024-02-09 00:00:00,5", INT64_C(1707436800500) },
		{ "%F %T", "2024-02-29 23:59:60", INT64_C(1709251200000) }, { "%F %I:%M %p", "2024-02-09 12:05 am", INT64_C(1707437100000) },
		{ "%F %p %I", "2024-02-09 PM 1", INT64_C(1707483600000) }, { "%F %H %p", "2024-02-09 13 AM", INT64_C(1707483600000) }, { "%FT%T%z", "2024-02-09T00:00:00Z", INT64_C(1707436800000) },
		{ "%F %Z", "2024-02-09 UTC", INT64_C(1707436800000) }, { "%F %Z", "2024-02-09 Z", INT64_C(1707436800000) }, { "%s", "1707436800", INT64_C(1707436800000) },
		{ "%s.%f", "1707436800.25", INT64_C(1707436800250) }, { "%Y-%j", "2024-040", INT64_C(1707436800000) }, { "%tT", "\t \nT", 0 }, { "", "", 0 },
		{ "x\xc3\xa9%Y", "x\xc3\xa9" "1970", 0 },
	};
	static const struct { const char *pattern, *text; } none[] = {
		{ "%Y-%m-%d", "2023-02-29" }, { "%Y-%m-%d", "2024-02-30" }, { "%Y-%m-%d", "2024-01-01x" }, { "%Y-%m-%d", "2024-01-" }, { "%Y-%m-%d", "2024-01-01 " }, { "%Y-%j", "2023-366" },
		{ "%Y-%j", "2024-000" }, { "%d/%b", "30/Feb" }, { "%H", "24" }, { "%M", "60" }, { "%S", "61" }, { "%I", "0" }, { "%I", "13" }, { "%p", "xm" }, { "%p", "a" }, { "%Z", "EST" },
		{ "%Z", "U" }, { "%z", "+1" }, { "%z", "" }, { "%z", "+24:00" }, { "%s", "-1" }, { "%s", "8640000000001" }, { "%s", "99999999999999999999999999" }, { "%f", "" }, { "%f", "x" },
		{ "%b", "Foo" }, { "%b", "Ja" }, { "%a", "Xon" }, { "%a", "Su" }, { "T", "t" }, { "%%", "x" }, { "", "x" }, { "x", "" }, { "%d %b %Y", "1 Janvier 2024" }, { "%u", "8" }, { "%u", "0" },
		{ "%w", "7" }, { "%U", "54" }, { "%s.%f", "8640000000000.5" },
	};
	int64_t got = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_msg(read_text(rows[i].pattern, rows[i].text, &utc, &got) && got == rows[i].want, "%s by %s: %lld", rows[i].text, rows[i].pattern, (long long)got);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ck_assert_msg(!read_text(none[i].pattern, none[i].text, &utc, &got), "%s by %s: %lld", none[i].text, none[i].pattern, (long long)got);
}
END_TEST

/* ---- patterns */

START_TEST(patterns_are_checked)
{
	static const char *const wrong[][2] = {
		{ "%Y-%Q", "\n  %Y-%Q\n     ^~" }, { "%", "\n  %\n  ^" }, { "100%", "\n  100%\n     ^" }, { "%E", "^~" }, { "%-d", "^~" }, { "%5Y", "^~" }, { "%%%", "  %%%\n    ^" }, { "%C", "^~" },
	};
	struct err err;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		for (int writing = 0; writing < 2; writing++)
			ck_assert_msg(!check_pattern(wrong[i][0], writing, &err) && err.code == ERR_USAGE && strstr(err.text, wrong[i][1]), "%s: %s", wrong[i][0], err.text);
	}
	static const char *const writing[] = { "%L", "%N", "%G", "%V" };
	for (size_t i = 0; i < sizeof writing / sizeof *writing; i++)
		ck_assert(check_pattern(writing[i], true, &err) && !check_pattern(writing[i], false, &err));
	ck_assert(check_pattern("no letters", true, &err) && check_pattern("", false, &err));
	ck_assert(strptime_check("%\0", 2, (struct span){ .flag = NULL }, &err) == -1);
}
END_TEST

/* Every byte behind a percent sign: what is checked is read and written. */
START_TEST(checked_letters_work)
{
	for (int c = 1; c < 128; c++) {
		char pattern[] = { '%', (char)c, '\0' };
		struct err err;
		int64_t got = 0;
		bool writes = check_pattern(pattern, true, &err), reads = check_pattern(pattern, false, &err);
		const char *text = written(pattern, INT64_C(1795989600000), NULL);
		ck_assert_msg(writes == (*text != '\0'), "%s", pattern);
		ck_assert_msg(!reads || writes, "%s", pattern);
		ck_assert_msg(!reads || read_text(pattern, text, &(struct strptime_env){ .now = INT64_C(1795989600000), .ahead = 0 }, &got), "%s: %s", pattern, text);
	}
}
END_TEST

START_TEST(room_is_kept)
{
	static const char pattern[] = "%A, %d. %B %Y %c %N %z|";
	char all[300];
	uint32_t n = strftime_print(pattern, sizeof pattern - 1, 0, NULL, all, sizeof all);
	for (uint32_t room = 0; room <= n + 1; room++) {
		char *text = malloc(room ? room : 1);
		ck_assert_uint_eq(strftime_print(pattern, sizeof pattern - 1, 0, NULL, text, room), room < n ? room : n);
		ck_assert_int_eq(memcmp(text, all, room < n ? room : n), 0);
		free(text);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { strptime_suite, disputed_suite, written_as_by_the_library, read_as_the_library_writes, read_as_written, letters_of_fractions, latest_year, no_date,
				       matches, patterns_are_checked, checked_letters_work, room_is_kept };
	return run_tests("strptime", tests, sizeof tests / sizeof *tests);
}
