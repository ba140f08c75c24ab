/* Calendar and texts of times: the suites of other projects, and properties over random times. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/strptime.h"
#include "unit/suite.h"

/* The suite counts one day too many for years before 0 that are no leap years (its own -000001-12-31T23:59:59 is one second before year 0, as it must be). */
static const char *const wrong[] = { "-0001-01-01T00:00:00Z", "-0044-03-15T12:00:00Z", "-4713-11-24T00:00:00Z" };

static bool is_wrong(const char *text)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (!strcmp(text, wrong[i]))
			return true;
	return false;
}

/* A field in double quotes, with \t and \n. */
static char *unquoted(char *text)
{
	char *to = text + 1, *out = to;
	if (*text != '"')
		return text;
	for (char *p = to; *p && *p != '"'; p++)
		*to++ = *p != '\\' ? *p : *++p == 't' ? '\t' : *p == 'n' ? '\n' : *p;
	*to = 0;
	return out;
}

static int check_row(const char *suite, const char *text, bool ok, int64_t got, const char *want, int64_t scale)
{
	bool refused = !strncmp(want, "refuse", 6);
	if (ok == !refused && (refused || got == atoll(want) * scale))
		return 0;
	printf("%s: \"%s\" gives %s%lld, not %s\n", suite, text, ok ? "" : "nothing ", ok ? (long long)got : 0, want);
	return 1;
}

START_TEST(test_iso_suite)
{
	struct suite_line line;
	FILE *file = suite_open("time/iso.tsv");
	int bad = 0, n = 0;
	while (file && suite_next(file, &line)) {
		const char *class = line.field[1], *text = unquoted(line.field[0]);
		if (!strcmp(class, "odd") || !strcmp(class, "refuse-strict") || is_wrong(text))
			continue;
		int64_t got = 0;
		bool ok = time_read_iso(text, (uint32_t)strlen(text), NULL, &got);
		bad += check_row("iso", text, ok, got, line.field[2], 1);
		n++;
	}
	if (file)
		fclose(file);
	printf("time/iso.tsv: %d rows, %d wrong\n", n, bad);
	ck_assert_int_eq(bad, 0);
}
END_TEST

START_TEST(test_clf_suite)
{
	struct suite_line line;
	FILE *file = suite_open("time/clf.tsv");
	int bad = 0, n = 0;
	while (file && suite_next(file, &line)) {
		int64_t got = 0;
		if (!strcmp(line.field[1], "choice"))
			continue;
		bool ok = time_read_clf(line.field[0], (uint32_t)strlen(line.field[0]), NULL, &got);
		bad += check_row("clf", line.field[0], ok, got, line.field[1], 1);
		n++;
	}
	if (file)
		fclose(file);
	printf("time/clf.tsv: %d rows, %d wrong\n", n, bad);
	ck_assert_int_eq(bad, 0);
}
END_TEST

START_TEST(test_count_suite)
{
	struct suite_line line;
	FILE *file = suite_open("time/epoch.tsv");
	int bad = 0, n = 0;
	while (file && suite_next(file, &line)) {
		const char *unit = line.field[1];
		unsigned places = unit[1] == 0 ? 0 : unit[0] == 'm' ? 3 : unit[0] == 'u' ? 6 : 9;
		int64_t got = 0;
		bool ok = time_read_count(line.field[0], (uint32_t)strlen(line.field[0]), places, &got);
		bad += check_row(unit, line.field[0], ok, got, line.field[2], 1);
		n++;
	}
	if (file)
		fclose(file);
	printf("time/epoch.tsv: %d rows, %d wrong\n", n, bad);
	ck_assert_int_eq(bad, 0);
}
END_TEST

START_TEST(test_strptime_suite)
{
	/* Where no year is given the suite means 1970; the clock stands at its end. */
	const struct strptime_env env = { .now = INT64_C(31449600000) };
	struct suite_line line;
	FILE *file = suite_open("time/strptime.tsv");
	int bad = 0, n = 0;
	while (file && suite_next(file, &line)) {
		const char *pattern = line.field[0], *text = unquoted(line.field[1]);
		uint32_t len = (uint32_t)strlen(pattern);
		struct err err = { .code = ERR_NONE };
		int64_t got = 0;
		bool ok = !strptime_check(pattern, len, (struct span){ "--time", pattern, 0, len }, &err) &&
			  strptime_read(pattern, len, text, (uint32_t)strlen(text), &env, &got);
		bad += check_row(pattern, text, ok, got, line.field[2], 1000);
		n++;
	}
	if (file)
		fclose(file);
	printf("time/strptime.tsv: %d rows, %d wrong\n", n, bad);
	ck_assert_int_eq(bad, 0);
}
END_TEST

/* Dates one after the other, by the rules of the calendar alone. */
START_TEST(test_calendar)
{
	static const int length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int64_t year = -801, days = civil_days(year, 1, 1);
	int month = 1, day = 1, weekday = -1, yearday = 0;
	ck_assert_int_eq(civil_days(1970, 1, 1), 0);
	for (; year < 3200; days++) {
		struct civil c;
		civil_of(days * DAY_MS + 86399999, &c);
		ck_assert(c.year == year && c.month == month && c.day == day && c.yearday == yearday);
		ck_assert(c.hour == 23 && c.minute == 59 && c.second == 59 && c.ms == 999);
		ck_assert(civil_valid(year, month, day) && civil_days(year, month, day) == days);
		ck_assert(weekday < 0 || c.weekday == (weekday + 1) % 7);
		weekday = c.weekday;
		bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
		int last = length[month - 1] + (month == 2 && leap);
		ck_assert(!civil_valid(year, month, last + 1));
		yearday++;
		if (++day > last) {
			day = 1;
			if (++month > 12) {
				month = 1;
				yearday = 0;
				year++;
			}
		}
	}
	struct civil c;
	civil_of(civil_days(2026, 11, 29) * DAY_MS, &c);
	ck_assert_int_eq(c.weekday, 0);
}
END_TEST

START_TEST(test_print_reads_back)
{
	uint64_t rng = 1;
	for (int i = 0; i < 200000; i++) {
		uint64_t r = rng = rng * UINT64_C(6364136223846793005) + 1442695040888963407;
		int64_t span = i % 2 ? INT64_C(400000000000000) : INT64_C(30000000000000), t = (int64_t)((r >> 8) % (uint64_t)span) - span / 2;
		char text[TIME_TEXT_MAX];
		int64_t back;
		uint32_t n = time_print_iso(t, NULL, text);
		ck_assert_msg(time_read_iso(text, n, NULL, &back) && back == t, "%.*s", (int)n, text);
		static const char pattern[] = "%d.%m.%Y %H:%M:%S.%f", out[] = "%d.%m.%Y %H:%M:%S.%L";
		if (t < -INT64_C(62135596800000) || t > INT64_C(253402300799999))
			continue;
		n = strftime_print(out, sizeof out - 1, t, NULL, text, sizeof text);
		ck_assert_msg(strptime_read(pattern, sizeof pattern - 1, text, n, &(struct strptime_env){ 0 }, &back) && back == t, "%.*s", (int)n, text);
	}
}
END_TEST

START_TEST(test_counts)
{
	static const struct { const char *text; unsigned places; int64_t want; } rows[] = {
		{ "-0.0001", 0, -1 }, { "-0.0000000000000000000000000000000001", 0, -1 }, { "0.9999999999999999999999999999999999999", 0, 999 },
		{ "1332151919.123999999999999999999999999", 0, INT64_C(1332151919123) }, { "-5", 9, -1 }, { "+7", 3, 7 }, { " 7 ", 3, 7 }, { "7.", 0, 7000 }, { "1e3", 3, 1000 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t got;
		ck_assert_msg(time_read_count(rows[i].text, (uint32_t)strlen(rows[i].text), rows[i].places, &got) && got == rows[i].want, "%s: %lld", rows[i].text, (long long)got);
	}
	int64_t out;
	static const char *const refused[] = { "", ".", "-", "1 2", "8640000000000.001", "99999999999999999999999999", "1e300", "0x1" };
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		ck_assert_msg(!time_read_count(refused[i], (uint32_t)strlen(refused[i]), 0, &out), "%s", refused[i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("time");
	TCase *tc = tcase_create("time");
	tcase_add_test(tc, test_iso_suite);
	tcase_add_test(tc, test_clf_suite);
	tcase_add_test(tc, test_count_suite);
	tcase_add_test(tc, test_strptime_suite);
	tcase_add_test(tc, test_calendar);
	tcase_add_test(tc, test_print_reads_back);
	tcase_add_test(tc, test_counts);
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
