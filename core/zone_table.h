/* A zone in memory: its changes in order, those of the coming centuries, too, so that every question is one search.
 *
 *     at[]            at[0]       at[1]             at[n-1]
 *     ----------------|-----------|----- ... -------|---------------
 *     offset[]  [0]        [1]         [2]               [n]
 *
 * The calendar repeats itself every 400 years, to the weekday. If a rule goes on for ever, the last 400 years before `end` stand for all that follow:
 *
 *     ... | changes of the file | changes by the rule          end       at[n-1]
 *                               |<------- CYCLE ----------------|-->|-->  a time from `end` on is moved back by whole cycles */
#ifndef WEIR_ZONE_TABLE_H
#define WEIR_ZONE_TABLE_H
#include "core/zone.h"

#define ZONE_CYCLE (INT64_C(146097) * 86400000) /* 400 years, ms */
enum { ZONE_OFFSET_MAX = 24 * 3600000 /* less than this are offsets of zones, ms, as those that are read in times */ };

struct zone {
	uint32_t n;
	const int64_t *at;     /* n instants, ms, rising strictly; offset[i] is from at[i - 1] until at[i], and differs from its neighbours */
	const int32_t *offset; /* n + 1 */
	int64_t end;           /* INT64_MAX: the last offset stays */
};

/* The zone of a rule alone, of the n bytes of `text`, as zone_load takes it. 1: made; 0: it is no such rule; -1: memory. */
int zone_of_rule(const struct zone **zone, const char *text, size_t n, struct arena *mem);

/* Writes the full name of the zone that comes nearest to `name` to out; false if none does. */
bool zone_nearest(const char *name, struct mem *mem, char *out, size_t room);

#define ZONE_FOLDER "/usr/share/zoneinfo"
#endif
