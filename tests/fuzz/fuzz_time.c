/* Times: every reader takes any bytes; what is read prints and reads back; a zone from any bytes answers every question. */
#include <assert.h>
#include <string.h>

#include "core/stamp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask_zone(const struct zone *zone)
{
	for (int64_t t = TIME_MIN; t < TIME_MAX; t += TIME_MAX / 37) {
		int64_t later, next = zone_next_change(zone, t), last = zone_last_change(zone, t);
		assert(next > t && last <= t);
		assert(zone_instant(zone, t, &later) <= later);
	}
}

static void guess(const char *p, uint32_t n, const struct strptime_env *env)
{
	struct stamp stamp = { .kind = STAMP_GUESS };
	struct value v = value_raw(p, n);
	const char *why;
	int64_t time, again;
	if (!stamp_read(&stamp, &v, env, &time, &why))
		return;
	assert(time >= TIME_MIN && time <= TIME_COUNT_MAX);
	char text[TIME_TEXT_MAX];
	uint32_t len = time_print_iso(time, NULL, text);
	assert(time_read_iso(text, len, NULL, &again) && again == time);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem mem = { 0 };
	struct arena arena;
	struct strptime_env env = { .now = INT64_C(1796000000000), .ahead = DAY_MS };
	const char *p = (const char *)data;
	char out[TIME_TEXT_MAX];
	int64_t time = 0;
	if (size < 2 || size > 4096)
		return 0;
	arena_init(&arena, &mem);
	const struct zone *zone = zone_parse(data, size, &arena);
	if (zone)
		ask_zone(zone);
	uint32_t n = (uint32_t)size, split = data[0] % n; /* pattern, text */
	struct err err = { .code = ERR_NONE };
	char pattern[4097];
	memcpy(pattern, p, split);
	pattern[split] = 0;
	struct span span = { "--time", pattern, 0, split };
	if (!memchr(pattern, 0, split) && !strptime_check(pattern, split, span, &err))
		strptime_read(pattern, split, p + split, n - split, &env, &time);
	err = (struct err){ .code = ERR_NONE };
	if (!memchr(pattern, 0, split) && !strftime_check(pattern, split, span, &err))
		assert(strftime_print(pattern, split, time, zone, out, sizeof out) <= sizeof out);
	for (unsigned places = 0; places <= 9; places += 3)
		time_read_count(p, n, places, &time);
	guess(p, n, &env);
	arena_release(&arena);
	assert(!mem.used);
	return 0;
}
