/* core/zone: zones by name, errors, damaged files. */
#include <unistd.h>

#include "tests/unit/zonelaws.h"

static struct mem mem;
static struct arena arena;

/* ---- names */

static void refused(const char *name, enum err_code code, const char *part)
{
	const struct zone *zone = (const void *)name; /* to be cleared */
	struct err err = { .code = ERR_NONE };
	ck_assert_msg(zone_load(&zone, name, &arena, &err) == -1 && err.code == code && strstr(err.text, part), "%s: %s", name, err.text);
	ck_assert_ptr_null(zone);
}

START_TEST(names)
{
	static const char *const utc[] = { "UTC", "UTC0", "<+00>0" };
	static const char *const none[] = { "", ".", "Europe", "Europe/", "../zoneinfo/UTC", "../../../etc/passwd", "Europe/../UTC", "a\033[1mb", "EST5", "UTC+2", "GMT-1:00x", "CET-1CEST",
					    "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J366", "CET-1CEST,M3.5.0,M10.5.0,",
					    "<+01-1", "<x>25", "<+24>-24", "ABC-23:30DEF,M3.5.0,M10.5.0", "<+1>-1:60", "CET-1CEST,M3.5.0/168,M10.5.0", "zone.tab", "..." };
	const struct zone *zone;
	struct err err = { .code = ERR_NONE };
	for (size_t i = 0; i < sizeof utc / sizeof *utc; i++)
		ck_assert_msg(!zone_load(&zone, utc[i], &arena, &err) && !zone, "%s", utc[i]);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		refused(none[i], ERR_USAGE, strcmp(none[i], "zone.tab") ? "no time zone '" : "zone");
	char longest[3000];
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	refused(longest, ERR_USAGE, "no time zone 'xxx");
	refused("a\033b", ERR_USAGE, "'a\\x1Bb'");
	refused("/etc/passwd", ERR_USAGE, "/etc/passwd: not a time zone file");
	refused("/no/such/file", ERR_USAGE, "no time zone file /no/such/file");
	refused("/dev/null", ERR_USAGE, "no time zone file /dev/null");
	refused("/", ERR_USAGE, "no time zone file /");
}
END_TEST

START_TEST(names_of_this_machine)
{
	const struct zone *zone, *other;
	struct err err = { .code = ERR_NONE };
	if (zone_load(&zone, "Europe/Berlin", &arena, &err)) {
		printf("skipped: no zone files here\n");
		return;
	}
	ck_assert(!zone_load(&other, "/usr/share/zoneinfo/Europe/Berlin", &arena, &err));
	for (int64_t t = 0; t < 100 * YEAR; t += YEAR / 7)
		ck_assert_int_eq(zone_offset(zone, t), zone_offset(other, t));
	refused("Europe/Berln", ERR_USAGE, "; did you mean Europe/Berlin?");
	refused("europe/berlin", ERR_USAGE, "; did you mean Europe/Berlin?");
	refused("berlin", ERR_USAGE, "; did you mean Europe/Berlin?");
	refused("Ushuaia", ERR_USAGE, "; did you mean America/Argentina/Ushuaia?");
	refused("Middle/Earth", ERR_USAGE, "; zones are named as in Europe/Berlin");
	ck_assert(!zone_load(&zone, "Etc/UTC", &arena, &err) && !zone);
	ck_assert(!zone_load(&zone, "GMT", &arena, &err) && !zone);
	if (access("/etc/localtime", R_OK) == 0)
		ck_assert_msg(!zone_load(&zone, "/etc/localtime", &arena, &err), "%s", err.text);
	if (access("/usr/share/zoneinfo/right/Europe/Berlin", R_OK) == 0)
		refused("right/Europe/Berlin", ERR_USAGE, "leap seconds");
}
END_TEST

/* ---- memory, damage */

START_TEST(memory_may_be_refused)
{
	static const char *const all[] = { "Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3", "Europe/Berln", "/etc/passwd" };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		for (uint64_t fail = 1; fail < 20; fail++) {
			struct mem short_of = { .fail_at = fail };
			struct arena own;
			struct err err = { .code = ERR_NONE };
			const struct zone *zone;
			arena_init(&own, &short_of);
			int done = zone_load(&zone, all[i], &own, &err);
			ck_assert(done ? err.code != ERR_NONE && !zone : err.code == ERR_NONE && zone);
			arena_release(&own);
			ck_assert_uint_eq(short_of.used, 0);
		}
	}
}
END_TEST

/* What is still a zone must hold the laws. */
static void parse_damaged(const char *name, const uint8_t *bytes, size_t n, bool must_fail)
{
	const struct zone *zone;
	struct err err = { .code = ERR_NONE };
	uint8_t *copy = malloc(n ? n : 1);
	memcpy(copy, bytes, n);
	int done = zone_parse(&zone, copy, n, &arena, &err);
	ck_assert(done ? err.code == ERR_USAGE && !zone : !must_fail);
	if (!done && zone)
		check_laws(name, zone, -300 * YEAR, 600 * YEAR, 2);
	free(copy);
	arena_reset(&arena);
}

START_TEST(damaged_files)
{
	int missing = 0;
	for (int i = 0; i < SOME; i++) {
		char path[100];
		uint8_t bytes[8192];
		snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", some[i]);
		FILE *file = fopen(path, "rb");
		missing += !file;
		if (!file)
			continue;
		size_t n = fread(bytes, 1, sizeof bytes, file);
		fclose(file);
		parse_damaged(some[i], bytes, n, false);
		for (size_t k = 0; k < n; k++)
			parse_damaged(some[i], bytes, k, true);
		for (int k = 0; k < 3000; k++) {
			uint8_t worse[sizeof bytes];
			memcpy(worse, bytes, n);
			for (uint64_t times = 1 + pick(3); times; times--)
				worse[pick(pick(4) ? n : 100)] = (uint8_t)pick(256);
			parse_damaged(some[i], worse, n, false);
		}
	}
	if (missing)
		printf("skipped %d: no such zone here\n", missing);
}
END_TEST

int main(void)
{
	arena_init(&arena, &mem);
	const TTest *const tests[] = { names, names_of_this_machine, memory_may_be_refused, damaged_files };
	int failed = run_tests("zone_load", tests, sizeof tests / sizeof *tests);
	arena_release(&arena);
	return failed || mem.used;
}
