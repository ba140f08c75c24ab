/* core/zone: rules of real zones and of TZ against the C library's, starts of days, local times that come twice or never. */
#include <dirent.h>
#include <sys/stat.h>
#include <time.h>

#include "tests/unit/zonelaws.h"

static struct mem mem;
static struct arena arena;

/* A zone by name; false, and it is counted, if the machine does not have it. */
static bool zone_of(const char *name, const struct zone **zone, int *missing)
{
	static const struct zone *last;
	static char last_name[64];
	struct err err = { .code = ERR_NONE };
	if (strcmp(last_name, name)) {
		*last_name = '\0';
		if (zone_load(&last, name, &arena, &err)) {
			++*missing;
			return false;
		}
		snprintf(last_name, sizeof last_name, "%s", name);
	}
	*zone = last;
	return true;
}

static void zone_none(int missing)
{
	if (missing)
		printf("skipped %d: no such zone here\n", missing);
}

/* ---- suites */

/* Clocks went back across midnight, one minute after it. Of the two midnights of the next day the suite takes the second for the end of these; here a
 * day begins at the first (DESIGN 3.12). What is disputed is the next day, of which there are two pieces. */
static bool ends_at_second_midnight(const struct suite_line *line)
{
	return !strcmp(line->field[0], "America/St_Johns") &&
	       (!strcmp(line->field[1], "1990-10-27") || !strcmp(line->field[1], "2007-11-03") || !strcmp(line->field[1], "2009-10-31"));
}

START_TEST(days_suite)
{
	struct tally tally = { 0 };
	struct suite_line line;
	int missing = 0, free_choice = 0;
	FILE *file = suite_open("tz/days.tsv");
	while (file && suite_next(file, &line)) {
		const struct zone *zone;
		int y, m, d;
		bool skip = !strcmp(line.field[2], "disputed") || ends_at_second_midnight(&line);
		free_choice += skip;
		if (skip || !zone_of(line.field[0], &zone, &missing))
			continue;
		ck_assert_int_eq(sscanf(line.field[1], "%d-%d-%d", &y, &m, &d), 3);
		int64_t start = zone_instant(zone, civil_days(y, m, d) * DAY_MS, NULL), end = zone_instant(zone, (civil_days(y, m, d) + 1) * DAY_MS, NULL);
		double differ = (double)(end - start) / HOUR - atof(line.field[3]);
		tally.rows++;
		if (start != atoll(line.field[2]) || differ > 0.001 || differ < -0.001) {
			printf("%s %s: %lld and %g hours, not %s and %s\n", line.field[0], line.field[1], (long long)start, (double)(end - start) / HOUR, line.field[2], line.field[3]);
			tally.wrong++;
		}
	}
	zone_none(missing);
	if (file)
		printf("tz/days.tsv: %d days in two pieces left out\n", free_choice);
	tally_end(&tally, "tz/days.tsv", file);
}
END_TEST

START_TEST(local_times_suite)
{
	struct tally tally = { 0 };
	struct suite_line line;
	int missing = 0;
	FILE *file = suite_open("tz/local_times.tsv");
	while (file && suite_next(file, &line)) {
		const struct zone *zone;
		int64_t local, later;
		if (!zone_of(line.field[0], &zone, &missing))
			continue;
		ck_assert(time_read_iso(line.field[1], (uint32_t)strlen(line.field[1]), NULL, &local));
		int64_t first = zone_instant(zone, local, &later);
		bool gap = !strcmp(line.field[2], "gap"); /* moved on: the later of the two readings */
		tally.rows++;
		if (first != atoll(line.field[gap ? 4 : 3]) || later != atoll(line.field[4])) {
			printf("%s %s: %lld, %lld\n", line.field[0], line.field[1], (long long)first, (long long)later);
			tally.wrong++;
		}
	}
	zone_none(missing);
	tally_end(&tally, "tz/local_times.tsv", file);
}
END_TEST

/* ---- laws */

START_TEST(laws_hold)
{
	int missing = 0;
	for (int i = 0; i < SOME; i++) {
		const struct zone *zone;
		if (!zone_of(some[i], &zone, &missing))
			continue;
		check_laws(some[i], zone, -200 * YEAR, 500 * YEAR, 1500);
		check_laws(some[i], zone, TIME_MIN, TIME_MAX, 300);
		ck_assert(zone_next_change(zone, INT64_MAX) == INT64_MAX);
	}
	zone_none(missing);
	int64_t later;
	ck_assert(zone_instant(NULL, INT64_MIN, &later) == INT64_MIN && later == INT64_MIN);
	ck_assert(zone_offset(NULL, 5) == 0 && zone_instant(NULL, 5, &later) == 5 && later == 5);
	ck_assert(zone_next_change(NULL, 5) == INT64_MAX && zone_last_change(NULL, 5) == INT64_MIN);
}
END_TEST

/* ---- the C library */

static bool library_agrees(const struct zone *zone, int64_t t)
{
	time_t s = (time_t)((t - ((t % 1000) + 1000) % 1000) / 1000);
	struct tm tm;
	return !localtime_r(&s, &tm) || tm.tm_gmtoff * 1000 == zone_offset(zone, t);
}

static int compared;

static void compare_with_library(const char *name, int64_t least, int64_t most, int n)
{
	const struct zone *zone;
	struct err err = { .code = ERR_NONE };
	ck_assert_msg(!zone_load(&zone, name, &arena, &err), "%s: %s", name, err.text);
	setenv("TZ", name, 1);
	tzset();
	for (int i = 0; i < n; i++) {
		int64_t t = time_in(zone, least, most);
		if (!library_agrees(zone, t))
			ck_abort_msg("%s at %lld: %lld", name, (long long)t, (long long)zone_offset(zone, t));
	}
	compared++;
	unsetenv("TZ");
	tzset();
	arena_reset(&arena);
}

static void compare_folder(const char *folder)
{
	char path[600];
	snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", folder);
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		struct stat st;
		char name[400];
		snprintf(name, sizeof name, "%s%s", folder, entry->d_name);
		snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", name);
		if (*entry->d_name < 'A' || *entry->d_name > 'Z' || stat(path, &st))
			continue;
		if (S_ISDIR(st.st_mode)) {
			strcat(name, "/");
			compare_folder(name);
		} else {
			compare_with_library(name, -150 * YEAR, 600 * YEAR, 60);
		}
	}
	if (dir)
		closedir(dir);
}

START_TEST(files_are_as_the_library_has_them)
{
	compared = 0;
	compare_folder("");
	printf("%d zones as in the C library\n", compared);
}
END_TEST

/* A rule that changes twice a year, well within it. */
static void random_rule(char *text, size_t room)
{
	static const char *const hours[] = { "", "/2", "/0", "/3:30", "/-1", "/24", "/26", "/1:00:01" };
	int standard = (int)between(-12, 12);
	char date[2][40];
	for (int i = 0; i < 2; i++) {
		int month = (int)between(2, 5) + (i ? 5 : 0);
		const char *hour = hours[pick(sizeof hours / sizeof *hours)];
		if (pick(2))
			snprintf(date[i], sizeof date[i], "M%d.%d.%d%s", month, (int)between(1, 5), (int)between(0, 6), hour);
		else
			snprintf(date[i], sizeof date[i], "%s%d%s", pick(2) ? "J" : "", month * 30, hour);
	}
	bool south = pick(2);
	char summer[16] = "";
	if (pick(2))
		snprintf(summer, sizeof summer, "%d:30", standard - 1);
	snprintf(text, room, "%s%d%s%s,%s,%s", pick(2) ? "ABC" : "<+01>", standard, pick(2) ? "DEF" : "<-x9>", summer, date[south], date[!south]);
}

START_TEST(rules_are_as_the_library_has_them)
{
	static const char *const rules[] = { "CET-1CEST,M3.5.0,M10.5.0/3", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "EST5EDT,M3.2.0,M11.1.0", "IST-1GMT0,M10.5.0,M3.5.0/1",
					     "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "<+0330>-3:30<+0430>,J79/24,J263/24", "<-03>3", "UTC0" };
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		compare_with_library(rules[i], 2 * YEAR, 500 * YEAR, 300);
	for (int i = 0; i < 300; i++) {
		char rule[120];
		random_rule(rule, sizeof rule);
		compare_with_library(rule, 2 * YEAR, 500 * YEAR, 100);
	}
}
END_TEST

/* Summer all year round, as RFC 9636 has it: the begin of each year is the end of the last. */
START_TEST(summer_for_ever)
{
	const struct zone *zone;
	struct err err = { .code = ERR_NONE };
	ck_assert(!zone_load(&zone, "XXX3EDT4,0/0,J365/23", &arena, &err));
	ck_assert_int_eq(zone_offset(zone, 0), -4 * HOUR);
	ck_assert_int_eq(zone_next_change(zone, 0), INT64_MAX);
	ck_assert_int_eq(zone_offset(zone, TIME_MAX), -4 * HOUR);
	arena_reset(&arena);
}
END_TEST

int main(void)
{
	arena_init(&arena, &mem);
	const TTest *const tests[] = { days_suite, local_times_suite, laws_hold, files_are_as_the_library_has_them, rules_are_as_the_library_has_them, summer_for_ever };
	int failed = run_tests("zone", tests, sizeof tests / sizeof *tests);
	arena_release(&arena);
	return failed || mem.used;
}
