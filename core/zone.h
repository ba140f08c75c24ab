/* Time zones: what the clock on the wall shows at an instant, and back. Rules come from the system's zone files (TZif, RFC 8536), read once.
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

/* The zone of that name (Europe/Berlin) from the system's folder, or of that path; *zone is NULL for UTC. -1 with err: no such zone, a damaged file,
 * memory. Lives in mem. */
int zone_load(const struct zone **zone, const char *name, struct arena *mem, struct err *err);

/* The same from the bytes of a zone file; NULL: damaged, or memory is refused. */
const struct zone *zone_parse(const uint8_t *p, size_t n, struct arena *mem);

/* Local time minus instant, ms. */
int64_t zone_offset(const struct zone *zone, int64_t instant);

/* The instant of a local time: of two the earlier; one that does not exist is moved on by the gap. *later: the second of two, else the same. */
int64_t zone_instant(const struct zone *zone, int64_t local, int64_t *later);

/* The first instant > t at which the offset changes; INT64_MAX: never again. And the last one <= t; INT64_MIN: none. */
int64_t zone_next_change(const struct zone *zone, int64_t t);
int64_t zone_last_change(const struct zone *zone, int64_t t);
#endif
