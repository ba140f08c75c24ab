/* Time zones: starts of days and local times that come twice or never, from real rules. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/time.h"
#include "unit/suite.h"

static struct mem mem;
static struct arena arena;

/* A zone by name; false if the machine does not have it. */
static bool zone_of(const char *name, const struct zone **zone)
{
	static const struct zone *last;
	static char last_name[64];
	struct err err = { .code = ERR_NONE };
	if (strcmp(last_name, name)) {
		last_name[0] = 0;
		if (zone_load(&last, name, &arena, &err))
			return false;
		snprintf(last_name, sizeof last_name, "%s", name);
	}
	*zone = last;
	return true;
}

/* The clock went back across midnight, so two pieces of time bear the date; the suite adds them up, here a day begins at the first of two midnights. */
static bool in_two_pieces(const char *zone, const char *day)
{
	return !strcmp(zone, "America/St_Johns") && (!strcmp(day, "1990-10-27") || !strcmp(day, "2007-11-03") || !strcmp(day, "2009-10-31"));
}

START_TEST(test_days)
{
	struct suite_line line;
	FILE *file = suite_open("tz/days.tsv");
	int bad = 0, n = 0, missing = 0;
	while (file && suite_next(file, &line)) {
		const struct zone *zone;
		int y, m, d;
		if (!strcmp(line.field[3], "disputed") || in_two_pieces(line.field[0], line.field[1]))
			continue;
		if (!zone_of(line.field[0], &zone)) {
			missing++;
			continue;
		}
		ck_assert(sscanf(line.field[1], "%d-%d-%d", &y, &m, &d) == 3);
		int64_t start = zone_instant(zone, civil_days(y, m, d) * DAY_MS, NULL), end = zone_instant(zone, (civil_days(y, m, d) + 1) * DAY_MS, NULL);
		double hours = (double)(end - start) / 3600000, want = atof(line.field[3]);
		if (start != atoll(line.field[2]) || hours - want > 0.001 || want - hours > 0.001) {
			printf("%s %s: %lld and %g hours, not %s and %s\n", line.field[0], line.field[1], (long long)start, hours, line.field[2], line.field[3]);
			bad++;
		}
		n++;
	}
	if (file)
		fclose(file);
	printf("tz/days.tsv: %d days, %d wrong, %d skipped: no such zone here\n", n, bad, missing);
	ck_assert_int_eq(bad, 0);
}
END_TEST

START_TEST(test_local_times)
{
	struct suite_line line;
	FILE *file = suite_open("tz/local_times.tsv");
	int bad = 0, n = 0, missing = 0;
	while (file && suite_next(file, &line)) {
		const struct zone *zone;
		int64_t local, later;
		if (!zone_of(line.field[0], &zone)) {
			missing++;
			continue;
		}
		ck_assert(time_read_iso(line.field[1], (uint32_t)strlen(line.field[1]), NULL, &local));
		int64_t first = zone_instant(zone, local, &later);
		bool gap = !strcmp(line.field[2], "gap"); /* moved on by the gap: the later reading */
		if (gap ? first != atoll(line.field[4]) : first != atoll(line.field[3]) || later != atoll(line.field[4])) {
			printf("%s %s: %lld, %lld\n", line.field[0], line.field[1], (long long)first, (long long)later);
			bad++;
		}
		n++;
	}
	if (file)
		fclose(file);
	printf("tz/local_times.tsv: %d times, %d wrong, %d skipped: no such zone here\n", n, bad, missing);
	ck_assert_int_eq(bad, 0);
}
END_TEST

/* Offsets change at the changes and nowhere else; an instant is found again from its local time, unless that comes twice. */
START_TEST(test_properties)
{
	static const char *const names[] = { "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia", "Africa/Casablanca", "America/St_Johns" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct zone *zone;
		if (!zone_of(names[i], &zone))
			continue;
		for (int64_t t = -INT64_C(3000000000000), step = 30 * INT64_C(86399977); t < INT64_C(6000000000000); t += step) {
			int64_t next = zone_next_change(zone, t), last = zone_last_change(zone, t), later;
			ck_assert(next > t && last <= t);
			ck_assert_int_eq(zone_offset(zone, next == INT64_MAX ? t : next - 1), zone_offset(zone, t));
			ck_assert(next == INT64_MAX || zone_offset(zone, next) != zone_offset(zone, t));
			ck_assert(last == INT64_MIN || (zone_offset(zone, last) == zone_offset(zone, t) && zone_offset(zone, last - 1) != zone_offset(zone, last)));
			ck_assert(last == INT64_MIN || zone_next_change(zone, last - 1) == last);
			int64_t first = zone_instant(zone, t + zone_offset(zone, t), &later);
			ck_assert(first == t || later == t);
		}
	}
}
END_TEST

START_TEST(test_names)
{
	const struct zone *zone;
	struct err err = { .code = ERR_NONE };
	ck_assert(!zone_load(&zone, "UTC", &arena, &err) && !zone);
	static const char *const none[] = { "", "Europe/Berln", "../../etc/passwd", "/etc/passwd", "Europe" };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		err = (struct err){ .code = ERR_NONE };
		ck_assert_msg(zone_load(&zone, none[i], &arena, &err) && err.code != ERR_NONE && *err.text, "%s", none[i]);
	}
}
END_TEST

int main(void)
{
	arena_init(&arena, &mem);
	Suite *suite = suite_create("zone");
	TCase *tc = tcase_create("zone");
	tcase_add_test(tc, test_days);
	tcase_add_test(tc, test_local_times);
	tcase_add_test(tc, test_properties);
	tcase_add_test(tc, test_names);
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	arena_release(&arena);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
