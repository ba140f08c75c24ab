/* core/civil, core/iso, core/time: the calendar, and texts of times. */
#include <ctype.h>

#include "tests/unit/timetexts.h"

/* ---- suites */

/* The suite counts 366 days in years before 0 that have 365 (so its own -000001-12-31T23:59:59 would not be one second before year 0, as it is). */
static bool is_wrong(const char *text)
{
	return !strcmp(text, "-0001-01-01T00:00:00Z") || !strcmp(text, "-0044-03-15T12:00:00Z") || !strcmp(text, "-4713-11-24T00:00:00Z");
}

/* Of the rows that only RFC 3339 refuses, :60 in any minute is the next second here. */
START_TEST(iso_suite)
{
	const struct reader iso = { .kind = READ_ISO };
	struct tally tally = { 0 };
	struct suite_line line;
	FILE *file = suite_open("time/iso.tsv");
	while (file && suite_next(file, &line)) {
		const char *text = unquoted(line.field[0]);
		if (!strcmp(line.field[1], "odd") || !strcmp(line.field[1], "refuse-strict"))
			tally_choice(&tally, &iso, text);
		else if (!is_wrong(text))
			tally_row(&tally, &iso, text, line.field[2], 1);
	}
	tally_end(&tally, "time/iso.tsv", file);
}
END_TEST

START_TEST(clf_suite)
{
	const struct reader clf = { .kind = READ_CLF };
	struct tally tally = { 0 };
	struct suite_line line;
	FILE *file = suite_open("time/clf.tsv");
	while (file && suite_next(file, &line)) {
		if (!strcmp(line.field[1], "choice"))
			tally_choice(&tally, &clf, line.field[0]);
		else
			tally_row(&tally, &clf, line.field[0], line.field[1], 1);
	}
	tally_end(&tally, "time/clf.tsv", file);
}
END_TEST

START_TEST(count_suite)
{
	struct tally tally = { 0 };
	struct suite_line line;
	FILE *file = suite_open("time/epoch.tsv");
	while (file && suite_next(file, &line)) {
		const char *unit = line.field[1];
		struct reader count = { .kind = READ_COUNT, .places = !unit[1] ? 0 : *unit == 'm' ? 3 : *unit == 'u' ? 6 : 9 };
		tally_row(&tally, &count, line.field[0], line.field[2], 1);
	}
	tally_end(&tally, "time/epoch.tsv", file);
}
END_TEST

/* ---- calendar */

static bool is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int month_length(int64_t year, int month)
{
	return month == 2 ? 28 + is_leap(year) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

static bool day_is(int64_t days, int64_t year, int month, int day, int yearday)
{
	struct civil c;
	int64_t clock = between(0, DAY_MS - 1);
	civil_of(days * DAY_MS + clock, &c);
	return c.year == year && c.month == month && c.day == day && c.yearday == yearday && civil_days(year, month, day) == days && civil_valid(year, month, day) &&
	       c.weekday == (((days + 4) % 7) + 7) % 7 && civil_weekday(days) == c.weekday && /* 1970-01-01 was a Thursday */
	       ((c.hour * 60 + c.minute) * 60 + c.second) * 1000 + c.ms == clock && c.hour < 24 && c.minute < 60 && c.second < 60 && c.ms < 1000;
}

/* First, last and another day of each month; gives the days of the year, 0 if one is wrong. */
static int check_year(int64_t first, int64_t year)
{
	int yearday = 0;
	for (int month = 1; month <= 12; month++) {
		int length = month_length(year, month), day = (int)between(1, length);
		if (!day_is(first + yearday, year, month, 1, yearday) || !day_is(first + yearday + day - 1, year, month, day, yearday + day - 1) ||
		    !day_is(first + yearday + length - 1, year, month, length, yearday + length - 1))
			return 0;
		if (civil_valid(year, month, 0) || civil_valid(year, month, length + 1) || civil_valid(year, month, -1))
			return 0;
		yearday += length;
	}
	return yearday;
}

/* Year by year from 1970 to both ends, by the lengths of the months alone. */
START_TEST(days_are_counted_right)
{
	int64_t after = 0, before = 0, i = 0;
	for (bool right = true; right && i < 300000; i += right) {
		int days = check_year(after, 1970 + i);
		after += days;
		before -= 365 + is_leap(1969 - i);
		right = days && check_year(before, 1969 - i);
	}
	ck_assert_int_eq(i, 300000);
	ck_assert(!civil_valid(2026, 0, 1) && !civil_valid(2026, 13, 1));
}
END_TEST

/* ---- what is printed reads back */

START_TEST(iso_is_read_back)
{
	const struct reader iso = { .kind = READ_ISO };
	for (int i = 0; i < 100000; i++) {
		int64_t t = random_time(), back = 0;
		char text[40];
		uint32_t n = time_print_iso(t, NULL, text);
		ck_assert_uint_le(n, sizeof text);
		ck_assert_msg(read_alone(&iso, text, n, &back) && back == t, "%lld: %.*s", (long long)t, (int)n, text);
		ck_assert_uint_eq(n > 20 && text[n - 5] == '.', t % 1000 != 0);
	}
}
END_TEST

START_TEST(ends_of_the_calendar)
{
	static const char *const in[] = { "+275760-09-13", "-271821-04-20", "+275760-09-13T01:00+01:00", "-271821-04-19T23:00-01:00", "+0000-01-01", "-000000-12-31" };
	static const char *const out[] = { "+275760-09-13T00:00:00.001", "-271821-04-19T23:59:59.999", "+999999-12-31", "-999999-01-01", "+275760-09-13T00:00-00:01", "+400000-01-01",
					   "-400000-01-01", "-271821-04-20T00:00+00:01", "+0100000-01-01" };
	const struct reader iso = { .kind = READ_ISO };
	char text[TIME_TEXT_MAX];
	int64_t t;
	for (size_t i = 0; i < sizeof in / sizeof *in; i++)
		ck_assert_msg(read_alone(&iso, in[i], strlen(in[i]), &t), "%s", in[i]);
	for (size_t i = 0; i < sizeof out / sizeof *out; i++)
		ck_assert_msg(!read_alone(&iso, out[i], strlen(out[i]), &t), "%s", out[i]);
	ck_assert(time_print_iso(TIME_COUNT_MAX, NULL, text) == 30 && !memcmp(text, "+292278994-08-17T07:12:55.806Z", 30)); /* as Java has it */
	ck_assert(time_print_iso(INT64_MAX, NULL, text) == 30 && !memcmp(text, "+292278994-08-17T07:12:55.807Z", 30));
	ck_assert(time_print_iso(INT64_MIN, NULL, text) == 30 && !memcmp(text, "-292275055-05-16T16:47:04.192Z", 30));
}
END_TEST

/* By every offset there is, without a zone file: rules with a name in <>. */
START_TEST(offsets_are_read_back)
{
	const struct reader iso = { .kind = READ_ISO }, pattern = { .kind = READ_PATTERN, .pattern = "%Y-%m-%d %H:%M:%S%z" };
	struct mem mem = { 0 };
	struct arena arena;
	arena_init(&arena, &mem);
	for (int i = 0; i < 3000; i++) {
		int64_t offset = between(-86399, 86399), t = between(-INT64_C(50000000000000), INT64_C(200000000000000)), back = 0;
		if (i % 2)
			offset -= offset % 900;
		struct err err = { .code = ERR_NONE };
		const struct zone *zone;
		char rule[60], text[80];
		long long west = offset < 0 ? -offset : offset;
		snprintf(rule, sizeof rule, "<abc>%s%lld:%lld:%lld", offset > 0 ? "-" : "", west / 3600, west / 60 % 60, west % 60);
		ck_assert_msg(!zone_load(&zone, rule, &arena, &err), "%s", err.text);
		ck_assert_int_eq(zone_offset(zone, t), offset * 1000);
		uint32_t n = time_print_iso(t, zone, text);
		ck_assert_uint_le(n, 40);
		ck_assert_msg(read_alone(&iso, text, n, &back) && back == t, "%.*s", (int)n, text);
		n = strftime_print(pattern.pattern, (uint32_t)strlen(pattern.pattern), t, zone, text, sizeof text);
		ck_assert_msg(read_alone(&pattern, text, n, &back) && t - back < 1000 && t >= back, "%.*s", (int)n, text);
		arena_reset(&arena);
	}
	arena_release(&arena);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(styles)
{
	struct time_style style = { .kind = STYLE_S };
	for (int i = 0; i < 30000; i++) {
		int64_t t = random_time(), back = 0;
		char text[TIME_TEXT_MAX];
		for (unsigned places = 0; places <= 3; places += 3) {
			style.kind = places ? STYLE_MS : STYLE_S;
			uint32_t n = time_print(t, &style, text);
			ck_assert_msg(read_alone(&(struct reader){ .kind = READ_COUNT, .places = places }, text, n, &back) && back == t, "%.*s", (int)n, text);
		}
	}
	char text[TIME_TEXT_MAX];
	style = (struct time_style){ .kind = STYLE_PATTERN, .pattern = "%d.%m.%Y" };
	ck_assert(time_print(0, &style, text) == 10 && !memcmp(text, "01.01.1970", 10));
	ck_assert(time_print(-1, NULL, text) == 24 && !memcmp(text, "1969-12-31T23:59:59.999Z", 24));
	style.kind = STYLE_ISO;
	ck_assert(time_print(TIME_MAX, &style, text) == 23 && !memcmp(text, "+275760-09-13T00:00:00Z", 23));
	ck_assert(time_print(TIME_MIN, &style, text) == 23 && !memcmp(text, "-271821-04-20T00:00:00Z", 23));
}
END_TEST

START_TEST(durations)
{
	static const struct { int64_t ms; const char *text; } rows[] = {
		{ 0, "0s" }, { 1, "1ms" }, { 90000, "1m30s" }, { 86400000, "1d" }, { 90061001, "1d1h1m1s1ms" }, { 3600000, "1h" }, { INT64_MAX, "106751991167d7h12m55s807ms" },
	};
	char text[DURATION_TEXT_MAX];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_str_eq(duration_text(rows[i].ms, text, sizeof text), rows[i].text);
}
END_TEST

/* ---- damaged texts */

/* Some change to a text of n bytes; gives the new length. */
static size_t damage(char *text, size_t n)
{
	static const char bytes[] = "0123456789-+:.,TtZz /[]WnNoOvVeE\t\n\0\x80";
	size_t at = pick(n);
	switch (pick(4)) {
	case 0:
		memmove(text + at, text + at + 1, n - at - 1);
		return n - 1;
	case 1:
		memmove(text + at + 1, text + at, n - at);
		text[at] = bytes[pick(sizeof bytes)];
		return n + 1;
	default:
		text[at] = bytes[pick(sizeof bytes)];
		return n;
	}
}

/* A plus before the year says nothing, but keeps the text from the quick way. */
START_TEST(quick_and_slow_iso_agree)
{
	static const char *const patterns[] = { "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dt%H:%M:%S.%f%z", "%Y-%m-%d %H:%M:%S,%L %z", "%Y%m%dT%H%M%S", "%Y-%m-%d" };
	const struct reader iso = { .kind = READ_ISO };
	int taken = 0;
	for (int i = 0; i < 200000; i++) {
		char text[64] = "+", *p = text + 1;
		const char *pattern = patterns[pick(sizeof patterns / sizeof *patterns)];
		size_t n = strftime_print(pattern, (uint32_t)strlen(pattern), between(-62000000, 250000000) * 1000000 + between(0, 999999), NULL, p, 50);
		for (uint64_t times = pick(3); times && n; times--)
			n = damage(p, n);
		int run = 0;
		while (run < (int)n && isdigit((unsigned char)p[run]))
			run++;
		if (!run || run > 4) /* with a sign it would be another year */
			continue;
		int64_t quick = 0, slow = 0;
		bool read = read_alone(&iso, p, n, &quick);
		ck_assert_msg(read == read_alone(&iso, text, n + 1, &slow) && quick == slow, "%.*s", (int)n, p);
		taken += read;
	}
	ck_assert_int_gt(taken, 50000);
}
END_TEST

/* The pattern takes more, but never another time. */
START_TEST(clf_and_its_pattern_agree)
{
	const struct reader clf = { .kind = READ_CLF }, pattern = { .kind = READ_PATTERN, .pattern = "%d/%b/%Y:%H:%M:%S %z" }, local = { .kind = READ_PATTERN, .pattern = "%d/%b/%Y:%H:%M:%S" };
	int taken = 0;
	for (int i = 0; i < 100000; i++) {
		char text[64] = "[", *p = text + 1;
		int64_t t = between(-62000000, 250000000) * 1000000 + between(0, 999), got = 0, want = 0;
		size_t n = strftime_print(pattern.pattern, (uint32_t)strlen(pattern.pattern), t, NULL, p, 50);
		uint64_t damages = pick(3);
		for (uint64_t times = damages; times; times--)
			n = damage(p, n);
		bool read = read_alone(&clf, p, n, &got), is = read_alone(&pattern, p, n, &want) || read_alone(&local, p, n, &want);
		ck_assert_msg(read || damages, "%.*s", (int)n, p);
		if (read && n > 20 && p[20] == '.')
			continue;
		ck_assert_msg(!read || (is && got == want), "%.*s", (int)n, p);
		text[n + 1] = ']';
		if (*p != '[' && p[n - 1] != ']') {
			ck_assert_msg(read_alone(&clf, text, n + 2, &want) == read && (!read || got == want), "%.*s", (int)n, p);
			ck_assert(!read_alone(&clf, text, n + 1, &want) && !(n && read_alone(&clf, p, n + 1, &want)));
		}
		taken += read;
	}
	ck_assert_int_gt(taken, 30000);
}
END_TEST

START_TEST(clf_with_a_fraction)
{
	const struct reader clf = { .kind = READ_CLF };
	int64_t t;
	ck_assert(read_alone(&clf, "25/Feb/2019:16:19:48.143", 24, &t) && t == INT64_C(1551111588143));
	ck_assert(read_alone(&clf, "25/Feb/2019:16:19:48.5 +0100", 28, &t) && t == INT64_C(1551107988500));
	ck_assert(!read_alone(&clf, "25/Feb/2019:16:19:48.", 21, &t) && !read_alone(&clf, "25/Feb/2019:16:19:48. +0100", 27, &t));
}
END_TEST

/* ---- counts */

typedef __int128 i128;

/* floor(m * 10^shift) */
static i128 model(i128 m, int shift)
{
	for (; shift > 0; shift--)
		m *= 10;
	for (; shift < 0 && m && m != -1; shift++)
		m = m / 10 - (m % 10 < 0);
	return m;
}

START_TEST(counts_are_exact)
{
	int taken = 0;
	for (int i = 0; i < 200000; i++) {
		struct reader count = { .kind = READ_COUNT, .places = (unsigned)pick(4) * 3 };
		int64_t m = random_time(), got = 0; /* the count without its point */
		int scale = pick(2) ? 0 : (int)pick(18), exponent = pick(4) ? 0 : (int)between(-20, 12), digits = (int)between(1, 19);
		char whole[64], text[100];
		if (pick(2)) /* any 19 digits */
			m = (int64_t)((pick(UINT64_C(1) << 40) << 23 | pick(1 << 23)) & INT64_MAX);
		for (; digits < 19; digits++)
			m /= 10;
		if (pick(3) == 0)
			m = -m;
		int n = snprintf(whole, sizeof whole, "%0*lld", scale + 1, m < 0 ? -(long long)m : (long long)m);
		n = snprintf(text, sizeof text, "%s%.*s%s%s", m < 0 ? "-" : pick(8) ? "" : "+", n - scale, whole, scale || !pick(8) ? "." : "", whole + n - scale);
		if (exponent)
			snprintf(text + n, sizeof text - (size_t)n, "e%d", exponent);
		i128 want = model(m, exponent - scale + 3 - (int)count.places);
		i128 most = count.places == 3 ? TIME_COUNT_MAX : TIME_MAX; /* either way */
		bool read = read_alone(&count, text, strlen(text), &got);
		ck_assert_msg(read == (want >= -most && want <= most) && (!read || got == want), "%s at %u: %lld", text, count.places, (long long)got);
		taken += read;
	}
	ck_assert_int_gt(taken, 80000);
}
END_TEST

START_TEST(counts_of_any_length)
{
	static const struct { const char *text; unsigned places; int64_t want; } rows[] = {
		{ "-0.0001", 0, -1 }, { "-0.0000000000000000000000000000000001", 0, -1 }, { "0.9999999999999999999999999999999999999", 0, 999 },
		{ "1332151919.123999999999999999999999999", 0, INT64_C(1332151919123) }, { "-5", 9, -1 }, { "+7", 3, 7 }, { " 7 ", 3, 7 }, { "7.", 0, 7000 },
		{ "1e3", 3, 1000 }, { ".5", 0, 500 }, { "-.5", 3, -1 }, { "1384216367111222333", 9, INT64_C(1384216367111) },
		{ "0000000000000000000000000000001", 0, 1000 }, { "9223372036854775806", 3, TIME_COUNT_MAX }, { "-8640000000000000", 3, TIME_MIN },
		{ "9223372036854775806.999", 3, TIME_COUNT_MAX }, { "8640000000000000000", 6, TIME_MAX }, { "8640000000000000999999.9999", 9, TIME_MAX }, { "9007199254740993", 6, INT64_C(9007199254740) },
		{ "0e999", 0, 0 }, { "-0", 0, 0 }, { "-0.0", 0, 0 }, { "12345678901234567890123e-13", 0, INT64_C(1234567890123) }, { "1e-300", 0, 0 }, { "-1e-300", 0, -1 },
		{ "0.000000000000000000000000000000000000000000000000013839876543219e60", 0, INT64_C(13839876543219) },
	};
	static const char *const refused[] = { "", ".", "-", "+", "e5", "1 2", "8640000000000.001", "99999999999999999999999999", "1e300", "0x1", "1e", "1e+", "--1", "1.2.3", "1-", " ",
					       "-8640000000000.0000000001", "18446744073709551616", "18446744073709551617" };
	int64_t got = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct reader count = { .kind = READ_COUNT, .places = rows[i].places };
		ck_assert_msg(read_alone(&count, rows[i].text, strlen(rows[i].text), &got) && got == rows[i].want, "%s: %lld", rows[i].text, (long long)got);
	}
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		ck_assert_msg(!read_alone(&(struct reader){ .kind = READ_COUNT }, refused[i], strlen(refused[i]), &got), "%s", refused[i]);
	static const char *const too_many[] = { "9223372036854775807", "9223372036854775806e1", "922337203685477580.7e1", "-9223372036854775807", "-9223372036854775806.1", "1e19", "-1e19" };
	for (size_t i = 0; i < sizeof too_many / sizeof *too_many; i++)
		ck_assert_msg(!read_alone(&(struct reader){ .kind = READ_COUNT, .places = 3 }, too_many[i], strlen(too_many[i]), &got), "%s", too_many[i]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { iso_suite, clf_suite, count_suite, days_are_counted_right, iso_is_read_back, ends_of_the_calendar, offsets_are_read_back, styles, durations,
				       quick_and_slow_iso_agree, clf_and_its_pattern_agree, clf_with_a_fraction, counts_are_exact, counts_of_any_length };
	return run_tests("time", tests, sizeof tests / sizeof *tests);
}
