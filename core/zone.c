#include "core/zone_table.h"

/* The whole cycles that lie between t and the time in the table that stands for it, ms. */
static inline int64_t cycles_to(const struct zone *zone, int64_t t)
{
	return t < zone->end ? 0 : ((t - zone->end) / ZONE_CYCLE + 1) * ZONE_CYCLE;
}

/* How many changes are at or before t; without branches that depend on t. */
static inline uint32_t changes_until(const struct zone *zone, int64_t t)
{
	const int64_t *base = zone->at;
	uint32_t n = zone->n;
	if (!n)
		return 0;
	while (n > 1) {
		uint32_t half = n / 2;
		base += base[half - 1] <= t ? half : 0;
		n -= half;
	}
	return (uint32_t)(base - zone->at) + (*base <= t);
}

int64_t zone_offset(const struct zone *zone, int64_t instant)
{
	return zone ? zone->offset[changes_until(zone, instant - cycles_to(zone, instant))] : 0;
}

/* Near changes: all segments that can hold the instant are tried. In a gap the clock of the segment before it runs on:
 *
 *     instant      ------------ at[i] ------------
 *     local time   offset[i]  |  gap  |  offset[i + 1] */
static int64_t instant_near_changes(const struct zone *zone, int64_t local, int64_t *last)
{
	int64_t first = local, before = INT64_MIN;
	bool found = false;
	for (uint32_t i = changes_until(zone, local - ZONE_OFFSET_MAX); i <= zone->n; i++) {
		int64_t t = local - zone->offset[i];
		if (i && t < zone->at[i - 1]) {
			if (!found && before >= zone->at[i - 1])
				first = *last = before;
			if (zone->at[i - 1] > local + ZONE_OFFSET_MAX)
				break;
		} else if (i == zone->n || t < zone->at[i]) {
			first = found ? first : t;
			*last = t;
			found = true;
		}
		before = t;
	}
	return first;
}

int64_t zone_instant(const struct zone *zone, int64_t local, int64_t *later)
{
	int64_t first = local, last = local;
	if (zone) {
		int64_t cycles = cycles_to(zone, local);
		local -= cycles;
		uint32_t i = changes_until(zone, local);
		if ((i && local - zone->at[i - 1] < ZONE_OFFSET_MAX) || (i < zone->n && zone->at[i] - local < ZONE_OFFSET_MAX))
			first = instant_near_changes(zone, local, &last);
		else
			first = last = local - zone->offset[i];
		first += cycles;
		last += cycles;
	}
	if (later)
		*later = last;
	return first;
}

int64_t zone_next_change(const struct zone *zone, int64_t t)
{
	int64_t cycles = zone ? cycles_to(zone, t) : 0, change;
	uint32_t i = zone ? changes_until(zone, t - cycles) : 0;
	if (!zone || i == zone->n || __builtin_add_overflow(zone->at[i], cycles, &change))
		return INT64_MAX;
	return change;
}

int64_t zone_last_change(const struct zone *zone, int64_t t)
{
	int64_t cycles = zone ? cycles_to(zone, t) : 0;
	uint32_t i = zone ? changes_until(zone, t - cycles) : 0;
	return i ? zone->at[i - 1] + cycles : INT64_MIN;
}
