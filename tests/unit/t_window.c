/* Windows: in UTC against all windows there are; in zones against a clock on the wall that is read minute by minute. Days against known answers. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/window.h"
#include "unit/suite.h"

enum { MINUTE = 60000, HOUR = 60 * MINUTE };
static const int64_t day = DAY_MS, week = 7 * (int64_t)DAY_MS;

static struct mem mem;
static struct arena arena;
static uint64_t seed = 88172645463325252u;

static int64_t dice(int64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (int64_t)(seed >> 33) % n;
}

static struct windows make(enum window_kind kind, int64_t size, int64_t step, int64_t offset, const struct zone *zone)
{
	struct window_ast ast = { .kind = kind, .size = size, .step = step, .offset = offset };
	struct windows windows;
	windows_init(&windows, &ast, zone);
	return windows;
}

static int64_t floor_mod(int64_t a, int64_t b) { return (a % b + b) % b; }

/* ---- what is asked of all of them ---- */

struct many { struct window *p; uint32_t n, cap; };

static void put(struct many *many, int64_t start, int64_t end)
{
	if (many->n == many->cap) {
		many->cap = many->cap ? 2 * many->cap : 64;
		many->p = realloc(many->p, many->cap * sizeof *many->p);
	}
	many->p[many->n++] = (struct window){ start, end };
}

/* The functions at t against all windows that begin or end anywhere near. */
static void check_at(const struct windows *windows, const struct many *all, int64_t t, const char *what)
{
	int64_t next = INT64_MAX, last = INT64_MIN, holding = 0, low = INT64_MIN, high = INT64_MAX;
	for (uint32_t i = 0; i < all->n; i++) {
		struct window w = all->p[i];
		const int64_t border[] = { w.start, w.end };
		for (int k = 0; k < 2; k++) {
			low = border[k] <= t && border[k] > low ? border[k] : low;
			high = border[k] > t && border[k] < high ? border[k] : high;
		}
		next = w.end > t && w.end < next ? w.end : next;
		if (t < w.start || t >= w.end)
			continue;
		holding++;
		last = w.end > last ? w.end : last;
		ck_assert_msg(windows_start(windows, w.end) == w.start, "%s: t %lld: the window that ends at %lld", what, (long long)t, (long long)w.end);
	}
	struct window pane;
	bool inside = windows_pane(windows, t, &pane);
	ck_assert_msg(inside == (holding > 0), "%s: t %lld: in %lld windows", what, (long long)t, (long long)holding);
	ck_assert_msg(windows_next_end(windows, t) == next, "%s: t %lld: next end %lld, not %lld", what, (long long)t, (long long)next,
		      (long long)windows_next_end(windows, t));
	ck_assert_int_le(holding, windows_panes(windows));
	if (!inside)
		return;
	ck_assert_msg(pane.start == low && pane.end == high, "%s: t %lld: pane %lld-%lld, not %lld-%lld", what, (long long)t, (long long)low, (long long)high,
		      (long long)pane.start, (long long)pane.end);
	ck_assert_msg(windows_last_end(windows, t) == last, "%s: t %lld: last end %lld, not %lld", what, (long long)t, (long long)last,
		      (long long)windows_last_end(windows, t));
}

/* Ends grow, wherever one looks from. */
static void check_ends(const struct windows *windows)
{
	ck_assert_int_eq(windows_next_end(windows, INT64_MAX - 1), INT64_MAX);
	int64_t last = windows_next_end(windows, INT64_MIN + 1);
	ck_assert_int_lt(last, TIME_MIN);
	for (int64_t t = TIME_MIN; t < TIME_MAX; t += TIME_MAX / 50) {
		int64_t end = windows_next_end(windows, t);
		ck_assert_int_gt(end, t);
		ck_assert_int_ge(end, last);
		ck_assert_int_le(windows_start(windows, end), end - 1);
		ck_assert_int_eq(windows_next_end(windows, end - 1), end);
		last = end;
	}
}

/* ---- UTC ---- */

START_TEST(utc)
{
	for (int round = 0; round < 1000; round++) {
		enum window_kind kind = WINDOW_TUMBLE + (enum window_kind)dice(3);
		int64_t unit = dice(3) ? 1 : dice(2) ? day : HOUR;
		int64_t step = (1 + dice(15)) * unit, size = kind == WINDOW_TUMBLE ? step : kind == WINDOW_HOP ? (1 + dice(60)) * unit : step * (1 + dice(6));
		int64_t most = kind == WINDOW_CUMULATE ? size : step, offset = dice(2 * most - 1) - most + 1, origin = offset;
		struct windows windows = make(kind, size, step, offset, NULL);
		struct many all = { 0 };
		if (most % week == 0)
			origin -= 3 * day; /* a Monday */
		for (int64_t k = -150; k < 150; k++) {
			if (kind != WINDOW_CUMULATE)
				put(&all, origin + k * step, origin + k * step + size);
			for (int64_t end = step; kind == WINDOW_CUMULATE && end <= size; end += step)
				put(&all, origin + k * size, origin + k * size + end);
		}
		for (int i = 0; i < 30; i++)
			check_at(&windows, &all, dice(100 * unit) - 50 * unit, "utc");
		check_ends(&windows);
		free(all.p);
	}
}
END_TEST

static void is_pane(struct windows windows, int64_t t, int64_t start, int64_t end)
{
	struct window pane;
	ck_assert(windows_pane(&windows, t, &pane));
	ck_assert_int_eq(pane.start, start);
	ck_assert_int_eq(pane.end, end);
}

START_TEST(facts)
{
	is_pane(make(WINDOW_TUMBLE, 5, 5, 0, NULL), -1, -5, 0);
	is_pane(make(WINDOW_TUMBLE, 10, 10, 3, NULL), 7, 3, 13);
	is_pane(make(WINDOW_TUMBLE, 10, 10, -3, NULL), 7, 7, 17);
	is_pane(make(WINDOW_TUMBLE, day, day, 0, NULL), -1, -day, 0);
	is_pane(make(WINDOW_TUMBLE, 2 * day, 2 * day, 0, NULL), day, 0, 2 * day);
	is_pane(make(WINDOW_TUMBLE, week, week, 0, NULL), 0, -3 * day, 4 * day);
	is_pane(make(WINDOW_TUMBLE, 2 * week, 2 * week, 0, NULL), 0, -3 * day, 11 * day);
	is_pane(make(WINDOW_TUMBLE, week, week, day, NULL), 0, -2 * day, 5 * day); /* from Tuesday */
	is_pane(make(WINDOW_HOP, 5, 2, 0, NULL), 6, 6, 7);
	is_pane(make(WINDOW_HOP, 5, 2, 0, NULL), 7, 7, 8);
	struct windows gaps = make(WINDOW_HOP, 2, 5, 1, NULL);
	struct window pane;
	is_pane(gaps, 2, 1, 3);
	ck_assert(!windows_pane(&gaps, 3, &pane) && !windows_pane(&gaps, 5, &pane));
	ck_assert_int_eq(windows_panes(&gaps), 1);
	ck_assert_int_eq(windows_next_end(&gaps, 3), 8);
	ck_assert_int_eq(windows_start(&gaps, 8), 6);
	struct windows hop = make(WINDOW_HOP, 10, 5, 0, NULL);
	ck_assert_int_eq(windows_panes(&hop), 2);
	ck_assert_int_eq(windows_last_end(&hop, 7), 15);
	struct windows grows = make(WINDOW_CUMULATE, 30, 10, 0, NULL);
	ck_assert_int_eq(windows_panes(&grows), 3);
	ck_assert_int_eq(windows_start(&grows, 20), 0);
	ck_assert_int_eq(windows_last_end(&grows, 12), 30);
}
END_TEST

/* The last windows of all end with time. */
START_TEST(end_of_time)
{
	struct windows windows = make(WINDOW_TUMBLE, 1000, 1000, 0, NULL);
	is_pane(windows, INT64_MAX - 1750, INT64_MAX - 1807, INT64_MAX - 807);
	ck_assert_int_eq(windows_next_end(&windows, INT64_MAX - 1750), INT64_MAX - 807);
	is_pane(windows, INT64_MAX - 1, INT64_MAX - 807, INT64_MAX);
	windows = make(WINDOW_HOP, 3000, 1000, 0, NULL);
	ck_assert_int_eq(windows_last_end(&windows, INT64_MAX - 1750), INT64_MAX);
	ck_assert_int_eq(windows_start(&windows, INT64_MAX), INT64_MAX - 2807);
	is_pane(make(WINDOW_HOP, 1500, 1000, 0, NULL), INT64_MAX - 1, INT64_MAX - 307, INT64_MAX);
}
END_TEST

/* ---- zones ---- */

/* A clock on the wall: local time at each minute. */
enum { MINUTES = 70 * 24 * 60, CHECKED = 12 * 24 * 60 };
static int64_t first_minute, wall[MINUTES];

static int64_t minute(int i) { return first_minute + (int64_t)i * MINUTE; }

static void read_wall(const struct zone *zone, int64_t middle)
{
	first_minute = (middle / MINUTE - MINUTES / 2) * MINUTE;
	for (int i = 0; i < MINUTES; i++)
		wall[i] = minute(i) + zone_offset(zone, minute(i));
}

/* Does the clock show a time that is x behind a multiple of `step`, or does it leave one out just then? */
static bool shows(int i, int64_t step, int64_t x)
{
	int64_t over = floor_mod(wall[i] - x, step);
	return over == 0 || wall[i] - over > wall[i - 1];
}

static bool shown_before(int i, int64_t step, int64_t x)
{
	int64_t multiple = wall[i] - floor_mod(wall[i] - x, step);
	for (int k = i - 1; k > 0 && k > i - 3 * 24 * 60; k--)
		if (wall[k] == multiple || (wall[k - 1] < multiple && wall[k] > multiple))
			return true;
	return false;
}

static bool local_step(int64_t step) { return day % step == 0 || step % day == 0; }

/* Minutes that are borders; the number of them. `local`: on the wall. */
static int borders(int64_t step, int64_t x, bool local, int at[MINUTES])
{
	int n = 0;
	for (int i = 1; i < MINUTES; i++) {
		bool border = local ? shows(i, step, x) : floor_mod(minute(i) - x, step) == 0;
		if (border && (!local || step < day || !shown_before(i, step, x)))
			at[n++] = i;
	}
	return n;
}

/* Where a hop ends in the cell of these two minutes. */
static int cut_minute(int from, int to, int64_t step, int64_t x, int64_t rest, bool local)
{
	int i = from + 1;
	while (i < to && !(local ? shows(i, step, x + rest) : floor_mod(minute(i) - x - rest, step) == 0))
		i++;
	int elapsed = from + (int)(rest / MINUTE);
	return i < to ? i : elapsed < to ? elapsed : to;
}

static void slow_windows(enum window_kind kind, int64_t size, int64_t step, int64_t offset, struct many *all)
{
	static int at[MINUTES], end[MINUTES];
	int64_t base = kind == WINDOW_CUMULATE ? size : step, x = offset - (base % week ? 0 : 3 * day), rest = size % step;
	bool local = local_step(base);
	int n = borders(base, x, local, at), cells = kind == WINDOW_CUMULATE ? 0 : (int)(size / step);
	int nend = kind == WINDOW_CUMULATE ? borders(step, x, local, end) : 0;
	for (int i = 0; i + cells + 1 < n; i++) {
		int last = at[i + cells];
		if (kind == WINDOW_HOP && rest)
			last = cut_minute(last, at[i + cells + 1], step, x, rest, local);
		if (kind != WINDOW_CUMULATE)
			put(all, minute(at[i]), minute(last));
		for (int k = 0; k < nend; k++)
			if (end[k] > at[i] && end[k] <= at[i + 1])
				put(all, minute(at[i]), minute(end[k]));
	}
}

static void check_zone(const struct zone *zone, enum window_kind kind, int64_t size, int64_t step, int64_t offset, const char *name)
{
	struct windows windows = make(kind, size, step, offset, zone);
	struct many all = { 0 };
	char what[100];
	snprintf(what, sizeof what, "%s %d: %lldm every %lldm offset %lldm", name, (int)kind, (long long)size / MINUTE, (long long)step / MINUTE,
		 (long long)offset / MINUTE);
	slow_windows(kind, size, step, offset, &all);
	/* Only what lies near is looked at. */
	int64_t near = size + 3 * step + 3 * day, middle = minute(MINUTES / 2);
	uint32_t n = 0;
	for (uint32_t i = 0; i < all.n; i++)
		if (all.p[i].end > middle - near - (int64_t)CHECKED / 2 * MINUTE && all.p[i].start < middle + near + (int64_t)CHECKED / 2 * MINUTE)
			all.p[n++] = all.p[i];
	all.n = n;
	for (int i = 0; i < 60; i++) {
		int64_t t = minute((MINUTES - CHECKED) / 2 + (int)dice(CHECKED));
		t = i % 2 ? middle + (t - middle) / 40 / MINUTE * MINUTE : t;
		check_at(&windows, &all, t, what);
		check_at(&windows, &all, t - 1, what);
	}
	check_ends(&windows);
	free(all.p);
}

static const struct zone *load(const char *name)
{
	const struct zone *zone = NULL;
	struct err err = { .code = ERR_NONE };
	ck_assert_msg(!zone_load(&zone, name, &arena, &err), "%s", err.text);
	return zone;
}

static const int64_t steps_of_a_day[] = { 15, 20, 30, 60, 90, 120, 180, 240, 360, 480, 720 };

static int64_t random_step(void)
{
	if (dice(2))
		return steps_of_a_day[dice(11)] * MINUTE;
	return dice(3) ? (1 + dice(3)) * day : dice(2) ? week : (7 + dice(30)) * 10 * MINUTE;
}

/* Cumulate: of many steps some divide a size. */
static int64_t random_size(enum window_kind kind, int64_t step)
{
	if (kind == WINDOW_TUMBLE)
		return step;
	if (kind == WINDOW_CUMULATE)
		return step < day && day % step == 0 && dice(3) ? day * (1 + dice(2)) : step >= day ? step * (1 + dice(3)) : step * (1 + dice(8));
	if (step <= 20 * MINUTE && !dice(3))
		return step * (1 + dice(600));
	return dice(2) ? step * (1 + dice(step < day ? 8 : 3)) : step / 4 * (1 + dice(12)) / MINUTE * MINUTE;
}

START_TEST(zones)
{
	static const struct { const char *zone; int64_t s; } change[] = {
		{ "Europe/Berlin", 1711846800 }, { "Europe/Berlin", 1729990800 }, { "America/New_York", 1710054000 }, { "America/New_York", 1699164000 },
		{ "Australia/Lord_Howe", 1712415600 }, { "Australia/Lord_Howe", 1728142200 }, { "Asia/Kolkata", 1700000000 }, { "Pacific/Apia", 1325239200 },
		{ "America/Sao_Paulo", 1541300400 }, { "America/Sao_Paulo", 1518919200 }, { "America/Havana", 1730610000 }, { "America/St_Johns", 1162092660 },
		{ "Antarctica/Troll", 1711846800 }, { "Antarctica/Troll", 1729990800 }, { "Asia/Kathmandu", 504901800 }, { "Africa/Casablanca", 1710036000 },
	};
	for (size_t z = 0; z < sizeof change / sizeof *change; z++) {
		const struct zone *zone = load(change[z].zone);
		read_wall(zone, change[z].s * 1000);
		for (int round = 0; round < 40; round++) {
			enum window_kind kind = WINDOW_TUMBLE + (enum window_kind)dice(3);
			int64_t step = random_step(), size = random_size(kind, step), most = kind == WINDOW_CUMULATE ? size : step;
			int64_t offset = dice(2) ? 0 : (dice(2 * most / MINUTE - 1) - most / MINUTE + 1) * MINUTE;
			check_zone(zone, kind, size, step, offset, change[z].zone);
		}
		arena_reset(&arena);
	}
}
END_TEST

/* ---- known days ---- */

/* (Of days that the clock leaves for the day before, when it goes back across midnight, the suite says that they are disputed.) */
START_TEST(known_days)
{
	FILE *file = suite_open("tz/days.tsv");
	struct suite_line line;
	char name[64] = "";
	const struct zone *zone = NULL;
	int n = 0;
	while (file && suite_next(file, &line)) {
		if (!strcmp(line.field[2], "disputed"))
			continue;
		if (strcmp(name, line.field[0])) {
			snprintf(name, sizeof name, "%s", line.field[0]);
			arena_reset(&arena);
			zone = load(name);
		}
		int64_t start = atoll(line.field[2]);
		double length = atof(line.field[3]); /* hours, rounded */
		struct windows windows = make(WINDOW_TUMBLE, day, day, 0, zone);
		ck_assert_msg(windows_next_end(&windows, start - 1) == start, "%s %s begins", name, line.field[1]);
		n++;
		if (length == 0)
			continue;
		struct window pane;
		ck_assert(windows_pane(&windows, start, &pane) && pane.start == start);
		int64_t again; /* where the midnight comes twice it is the first for us, and for others the second */
		zone_instant(zone, pane.end + zone_offset(zone, pane.end), &again);
		ck_assert_msg(fabs((double)(pane.end - start) / HOUR - length) < 0.01 || fabs((double)(again - start) / HOUR - length) < 0.01, "%s %s: %lld-%lld", name,
			      line.field[1], (long long)pane.start, (long long)pane.end);
	}
	if (file) {
		fclose(file);
		ck_assert_int_gt(n, 1000);
	}
}
END_TEST

int main(void)
{
	arena_init(&arena, &mem);
	Suite *suite = suite_create("window");
	TCase *tests = tcase_create("window");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, utc);
	tcase_add_test(tests, facts);
	tcase_add_test(tests, end_of_time);
	tcase_add_test(tests, zones);
	tcase_add_test(tests, known_days);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	arena_release(&arena);
	return failed || mem.used ? EXIT_FAILURE : EXIT_SUCCESS;
}
