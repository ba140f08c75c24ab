/* The FORMAT of --time: words, patterns, and what is guessed. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/stamp.h"

static const struct strptime_env env = { .now = INT64_C(1796000000000), .ahead = DAY_MS }; /* 2026-11-29 */

static struct stamp of(const char *format, bool pattern)
{
	struct stamp stamp;
	struct err err = { .code = ERR_NONE };
	uint32_t len = (uint32_t)strlen(format);
	ck_assert_msg(!stamp_init(&stamp, format, len, pattern, (struct span){ "--time", format, 0, len }, &err), "%s: %s", format, err.text);
	return stamp;
}

/* Reads a text; INT64_MIN: it is no time. */
static int64_t read_text(struct stamp *stamp, const char *text)
{
	struct value v = value_raw(text, (uint32_t)strlen(text));
	const char *why = NULL;
	int64_t time;
	if (stamp_read(stamp, &v, &env, &time, &why))
		return time;
	ck_assert(why && *why);
	return INT64_MIN;
}

START_TEST(test_guesses)
{
	static const struct { const char *text, *name; int64_t time; } rows[] = {
		{ "123456789", "s", INT64_C(123456789000) }, { "1796000000", "s", INT64_C(1796000000000) }, { "1796000000.25", "s", INT64_C(1796000000250) },
		{ "179600000012", "ms", INT64_C(179600000012) }, { "1796000000123", "ms", INT64_C(1796000000123) }, { "179600000012345", "us", INT64_C(179600000012) },
		{ "1796000000123456", "us", INT64_C(1796000000123) }, { "1796000000123456789", "ns", INT64_C(1796000000123) }, { "-123456789", "s", -INT64_C(123456789000) },
		{ "2026-11-29", "iso", INT64_C(1795910400000) }, { "2026-11-29T10:00:00+01:00", "iso", INT64_C(1795942800000) },
		{ "29/Nov/2026:10:00:00 +0000", "clf", INT64_C(1795946400000) }, { "Nov 29 10:00:00", "syslog", INT64_C(1795946400000) },
		{ "Dec 25 10:00:00", "syslog", INT64_C(1766656800000) }, /* of last year: this one's lies ahead */
		{ "2026/11/29 10:00:00", "\"%Y/%m/%d %H:%M:%S\"", INT64_C(1795946400000) }, { "Sun Nov 29 10:00:00 2026", "\"%a %b %e %H:%M:%S %Y\"", INT64_C(1795946400000) },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct stamp stamp = { .kind = STAMP_GUESS };
		char name[64];
		int64_t time = read_text(&stamp, rows[i].text);
		name[stamp_name(&stamp, name, sizeof name - 1)] = 0;
		ck_assert_msg(time == rows[i].time && !strcmp(name, rows[i].name), "%s: %lld, %s", rows[i].text, (long long)time, name);
	}
}
END_TEST

/* What cannot be guessed leaves the guess open for the next value; one that could holds. */
START_TEST(test_guess_waits)
{
	struct stamp stamp = { .kind = STAMP_GUESS };
	static const char *const none[] = { "", "-", "x", "12345678", "12345678901", "12345678901234", "20261129", "29.11.2026", "2026-02-30", "99/Nov/2026:10:00:00 +0000" };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ck_assert_msg(read_text(&stamp, none[i]) == INT64_MIN && stamp.kind == STAMP_GUESS, "%s", none[i]);
	ck_assert_int_eq(read_text(&stamp, "1796000000"), INT64_C(1796000000000));
	ck_assert_int_eq(read_text(&stamp, "12"), 12000);
	ck_assert_int_eq(read_text(&stamp, "2026-11-29"), INT64_MIN);
}
END_TEST

START_TEST(test_words)
{
	struct stamp ns = of("ns", false), iso = of("iso", true), day = of("%d.%m.%Y", true);
	const char *why;
	int64_t time;
	ck_assert_int_eq(read_text(&ns, "1796000000123456789"), INT64_C(1796000000123));
	ck_assert_int_eq(read_text(&iso, "1970-01-02"), DAY_MS);
	ck_assert_int_eq(read_text(&day, "02.01.1970"), DAY_MS);
	ck_assert_int_eq(read_text(&day, "30.02.1970"), INT64_MIN);
	struct value values[] = { { .type = V_TIME, .u.i = 7 }, value_int(INT64_C(7000000)), { .type = V_DEC, .scale = 1, .u.i = -1 } };
	static const int64_t want[] = { 7, 7, -1 };
	for (size_t i = 0; i < 3; i++)
		ck_assert(stamp_read(&ns, &values[i], &env, &time, &why) && time == want[i]);
	struct value null = value_null();
	ck_assert(!stamp_read(&ns, &null, &env, &time, &why));
	static const char *const wrong[] = { "sec", "isoo", "x", "%Q", "%", "%d.%" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct stamp stamp;
		struct err err = { .code = ERR_NONE };
		uint32_t len = (uint32_t)strlen(wrong[i]);
		ck_assert_msg(stamp_init(&stamp, wrong[i], len, true, (struct span){ "--time", wrong[i], 0, len }, &err) && err.code == ERR_USAGE, "%s", wrong[i]);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stamp");
	TCase *tc = tcase_create("stamp");
	tcase_add_test(tc, test_guesses);
	tcase_add_test(tc, test_guess_waits);
	tcase_add_test(tc, test_words);
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
