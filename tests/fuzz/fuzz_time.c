/* Times: the bytes as a zone file; as a pattern and a text, with a line feed between; as a text for every reader. What is read prints and reads
 * back, also in the zone of a rule that the first line may be; a zone answers every question by its laws. */
#include <stdlib.h>
#include <string.h>

#include "core/stamp.h"
#include "core/zone_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* n bytes in a block of their own, so that none behind them can be touched. */
static char *alone(const uint8_t *data, size_t n)
{
	char *copy = malloc(n ? n : 1);
	must(copy != NULL);
	if (n)
		memcpy(copy, data, n);
	return copy;
}

static void ask_at(const struct zone *zone, int64_t t)
{
	int64_t later, next = zone_next_change(zone, t), last = zone_last_change(zone, t), offset = zone_offset(zone, t);
	must(next > t && last <= t && offset > -DAY_MS && offset < DAY_MS);
	must(next == INT64_MAX || (zone_offset(zone, next - 1) == offset && zone_offset(zone, next) != offset && zone_last_change(zone, next) == next));
	must(last == INT64_MIN || (zone_offset(zone, last) == offset && zone_next_change(zone, last - 1) == last));
	int64_t first = zone_instant(zone, t + offset, &later);
	must(first <= t && t <= later);
	must(zone_instant(zone, t, &later) <= later);
}

static void ask_zone(const struct zone *zone)
{
	for (int64_t t = TIME_MIN; t <= TIME_MAX; t += TIME_MAX / 16)
		ask_at(zone, t);
	for (int64_t t = zone_next_change(zone, TIME_MIN), n = 0; t < TIME_MAX && n < 20; t = zone_next_change(zone, t), n++) {
		ask_at(zone, t - 1);
		ask_at(zone, t);
		ask_at(zone, t + 3600000);
	}
}

static void reads_back(int64_t time, const struct zone *zone)
{
	char text[TIME_TEXT_MAX];
	int64_t again;
	bool far = time < TIME_MIN || time > TIME_MAX;
	must(time >= -TIME_COUNT_MAX && time <= TIME_COUNT_MAX);
	uint32_t n = time_print_iso(time, far ? NULL : zone, text);
	must(n <= 40);
	/* the local time near the ends of the calendar may be beyond them */
	must((time_read_iso(text, n, NULL, &again) && again == time) || time < TIME_MIN + 2 * (int64_t)DAY_MS || time > TIME_MAX - 2 * (int64_t)DAY_MS);
	static const struct time_style s = { .kind = STYLE_S }, ms = { .kind = STYLE_MS };
	n = time_print(time, &s, text);
	must((time_read_count(text, n, 0, &again) && again == time) || far);
	n = time_print(time, &ms, text);
	must(time_read_count(text, n, 3, &again) && again == time);
}

static void read_text(const char *p, uint32_t n, const struct strptime_env *env)
{
	int64_t time, more;
	const char *why;
	if (time_read_iso(p, n, env->zone, &time) || time_read_clf(p, n, env->zone, &time))
		reads_back(time, env->zone);
	for (unsigned places = 0; places <= 9; places += 3)
		if (time_read_count(p, n, places, &time)) {
			reads_back(time, env->zone);
			must(places == 9 || !time_read_count(p, n, places + 3, &more) || (time < 0 ? more >= time : more <= time));
		}
	struct stamp stamp = { .kind = STAMP_GUESS };
	struct value v = value_raw(p, n);
	if (stamp_read(&stamp, &v, env, &time, &why))
		reads_back(time, env->zone);
	else
		must(why && *why);
}

/* `pattern` is NUL-terminated and holds no NUL. */
static void read_by_pattern(const char *pattern, const char *p, uint32_t n, const struct strptime_env *env)
{
	uint32_t len = (uint32_t)strlen(pattern);
	struct err err = { .code = ERR_NONE };
	struct span span = { "--time", pattern, 0, len };
	char out[TIME_TEXT_MAX];
	int64_t time = n;
	struct stamp stamp;
	if (!strptime_check(pattern, len, span, &err) && strptime_read(pattern, len, p, n, env, &time))
		reads_back(time, env->zone);
	err = (struct err){ .code = ERR_NONE };
	if (!strftime_check(pattern, len, span, &err))
		must(strftime_print(pattern, len, time, env->zone, out, sizeof out) <= sizeof out);
	err = (struct err){ .code = ERR_NONE };
	must(stamp_init(&stamp, pattern, len, true, span, &err) == (err.code ? -1 : 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem mem = { 0 };
	struct arena arena;
	struct err err = { .code = ERR_NONE };
	struct strptime_env env = { .now = INT64_C(1796000000000), .ahead = DAY_MS };
	const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
	size_t first = line ? (size_t)(line - data) : size, second = line ? size - first - 1 : 0;
	char *all = alone(data, size), *text = alone(data + size - second, second), *pattern = alone((const uint8_t *)"", 0);
	arena_init(&arena, &mem);
	if (zone_parse(&env.zone, all, size, &arena, &err) == 0)
		ask_zone(env.zone);
	if (!memchr(data, 0, first)) {
		free(pattern);
		pattern = strndup((const char *)data, first);
		must(pattern != NULL);
		const struct zone *zone;
		if (zone_of_rule(&zone, pattern, first, &arena) == 1)
			ask_zone(env.zone = zone);
		read_by_pattern(pattern, text, (uint32_t)second, &env);
	}
	read_text(all, (uint32_t)size, &env);
	read_text(text, (uint32_t)second, &env);
	free(all);
	free(text);
	free(pattern);
	arena_release(&arena);
	must(mem.used == 0);
	return 0;
}
