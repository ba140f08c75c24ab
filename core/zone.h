/* Time zones: what the clock on the wall shows at an instant, and back. Rules come from the system's zone files (TZif, RFC 9636), read once.
 *
 * Instants are ms since 1970-01-01T00:00Z. A local time is the same count for what a wall clock shows: instant + offset. A NULL zone is UTC. */
#ifndef WEIR_ZONE_H
#define WEIR_ZONE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/err.h"

struct zone;

/* The zone of that name: a file in the zone folder ("Europe/Berlin"); a file by its absolute path; or a rule as POSIX has it for TZ, where it cannot be
 * taken for something else: with changes (CET-1CEST,M3.5.0,M10.5.0/3), with a name in <> or without an offset (UTC0), but not EST5 or UTC+2. *zone is
 * NULL for what is UTC at all times. -1 with err: no such zone (the nearest name is named), a damaged file, memory. Lives in mem. */
int zone_load(const struct zone **zone, const char *name, struct arena *mem, struct err *err);

/* The zone that the n bytes of a zone file make, as above. -1 with err: damaged, or it counts leap seconds; memory. */
int zone_parse(const struct zone **zone, const void *bytes, size_t n, struct arena *mem, struct err *err);

/* Local time minus instant, ms; less than a day. */
int64_t zone_offset(const struct zone *zone, int64_t instant);

/* The instant of a local time: the first that shows it; one that no clock ever shows is moved on by the gap. *later (may be NULL): the last that shows
 * it, else the same. */
int64_t zone_instant(const struct zone *zone, int64_t local, int64_t *later);

/* The first instant > t at which the offset changes; INT64_MAX: never again. And the last one <= t; INT64_MIN: none. */
int64_t zone_next_change(const struct zone *zone, int64_t t);
int64_t zone_last_change(const struct zone *zone, int64_t t);
#endif
