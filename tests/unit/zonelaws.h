/* What holds for every zone. */
#ifndef ZONELAWS_H
#define ZONELAWS_H
#include "tests/unit/timetexts.h"

enum { HOUR = 3600000 };
#define YEAR INT64_C(31556952000)

static const char *const some[] = { "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia", "Africa/Casablanca", "America/St_Johns",
				    "Africa/Cairo", "Europe/Dublin", "America/Nuuk", "Antarctica/Troll", "Pacific/Kwajalein", "Asia/Tehran", "Africa/Monrovia", "America/Sao_Paulo" };
enum { SOME = sizeof some / sizeof *some };

/* Half of them near a change. */
static inline int64_t time_in(const struct zone *zone, int64_t least, int64_t most)
{
	int64_t t = between(least, most), change = pick(2) ? zone_next_change(zone, t) : INT64_MAX;
	return change < most ? change + between(-30, 30) * HOUR / 4 + between(-1, 1) : t;
}

static inline bool changes_are_right(const struct zone *zone, int64_t t)
{
	int64_t next = zone_next_change(zone, t), last = zone_last_change(zone, t), offset = zone_offset(zone, t);
	bool right = next > t && last <= t && offset > -24 * HOUR && offset < 24 * HOUR;
	if (next != INT64_MAX)
		right &= zone_offset(zone, next - 1) == offset && zone_offset(zone, next) != offset && zone_last_change(zone, next) == next && zone_last_change(zone, next - 1) == last;
	if (last != INT64_MIN)
		right &= zone_offset(zone, last) == offset && zone_offset(zone, last - 1) != offset && zone_next_change(zone, last - 1) == last;
	return right;
}

/* Every offset that is ever shown within two days is tried. */
static inline bool instant_is_right(const struct zone *zone, int64_t local)
{
	int64_t first = INT64_MAX, last = INT64_MIN, later, got = zone_instant(zone, local, &later), gap = 0;
	for (int64_t t = local - 2 * DAY_MS; t < local + 2 * DAY_MS; t = zone_next_change(zone, t)) {
		int64_t shown = local - zone_offset(zone, t), change = zone_next_change(zone, t);
		if (zone_offset(zone, shown) == zone_offset(zone, t)) {
			first = shown < first ? shown : first;
			last = shown > last ? shown : last;
		} else if (change < INT64_MAX && shown >= change && local - zone_offset(zone, change) < change) {
			gap = shown;
		}
	}
	if (first == INT64_MAX)
		first = last = gap;
	return got == first && later == last && zone_instant(zone, local, NULL) == got;
}

static inline void check_laws(const char *name, const struct zone *zone, int64_t least, int64_t most, int n)
{
	for (int i = 0; i < n; i++) {
		int64_t t = time_in(zone, least, most), local = t + zone_offset(zone, t), later, first = zone_instant(zone, local, &later);
		ck_assert_msg(changes_are_right(zone, t), "%s at %lld", name, (long long)t);
		ck_assert_msg(first <= t && t <= later && (first == t || later == t || zone_offset(zone, first) != zone_offset(zone, later)), "%s at %lld", name, (long long)t);
		ck_assert_msg(instant_is_right(zone, local) && instant_is_right(zone, local - 2 * HOUR) && instant_is_right(zone, t), "%s around %lld", name, (long long)t);
	}
}
#endif
