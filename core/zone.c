#include "core/zone.h"

#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/time.h"
#include "core/zone_rule.h"

enum { HEADER = 44, FILE_MAX = 1 << 20, OFFSET_MAX = 26 * 3600 /* s */ };

struct zone {
	uint32_t n;
	const int64_t *at;     /* instants (ms) at which the offset changes, rising */
	const int32_t *offset; /* offset[i]: from at[i] on, ms; n of them */
	int32_t first;         /* before at[0] */
	struct zone_rule rule; /* from the last change on */
};

/* ---- the file (RFC 8536) ----------------------------------------------------------------------- */

struct tzif { const uint8_t *p; uint32_t isutcnt, isstdcnt, leapcnt, timecnt, typecnt, charcnt; };

static uint32_t be32(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof v);
	return be32toh(v);
}

static int64_t be64(const uint8_t *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return (int64_t)be64toh(v);
}

/* Reads a header; gives how many bytes header and data take with times of `width` bytes, 0 if it is none. */
static size_t read_header(const uint8_t *p, size_t n, unsigned width, struct tzif *out)
{
	if (n < HEADER || memcmp(p, "TZif", 4))
		return 0;
	*out = (struct tzif){ p + HEADER, be32(p + 20), be32(p + 24), be32(p + 28), be32(p + 32), be32(p + 36), be32(p + 40) };
	if (out->timecnt > 100000 || out->typecnt > 256 || !out->typecnt || out->charcnt > 10000 || out->leapcnt > 10000 || out->isstdcnt > 256 || out->isutcnt > 256)
		return 0;
	size_t size = HEADER + out->timecnt * (width + 1) + out->typecnt * 6 + out->charcnt + out->leapcnt * (width + 4) + out->isstdcnt + out->isutcnt;
	return size <= n ? size : 0;
}

/* The offset of a type, ms; false if it is none that a clock can have. */
static bool type_offset(const struct tzif *t, unsigned width, uint32_t type, int32_t *ms)
{
	int32_t s = type < t->typecnt ? (int32_t)be32(t->p + t->timecnt * (width + 1) + type * 6) : INT32_MAX;
	if (s > OFFSET_MAX || s < -OFFSET_MAX)
		return false;
	*ms = s * 1000;
	return true;
}

/* Version 2 and later hold the data twice, with 4 and with 8 byte times; the second is read. */
const struct zone *zone_parse(const uint8_t *p, size_t n, struct arena *mem)
{
	struct tzif t;
	unsigned width = 4;
	size_t size = read_header(p, n, width, &t);
	if (!size)
		return NULL;
	if (p[4] >= '2') {
		p += size;
		n -= size;
		width = 8;
		size = read_header(p, n, width, &t);
		if (!size)
			return NULL;
	}
	struct zone *zone = arena_alloc(mem, sizeof *zone);
	int64_t *at = arena_alloc(mem, (t.timecnt + 1) * sizeof *at);
	int32_t *offset = arena_alloc(mem, (t.timecnt + 1) * sizeof *offset);
	if (!zone || !at || !offset)
		return NULL;
	for (uint32_t i = 0; i < t.timecnt; i++) {
		int64_t s = width == 8 ? be64(t.p + i * 8) : (int32_t)be32(t.p + i * 4);
		at[i] = s < TIME_MIN / 1000 ? TIME_MIN : s > TIME_MAX / 1000 ? TIME_MAX : s * 1000;
		if (!type_offset(&t, width, t.p[t.timecnt * width + i], &offset[i]) || (i && at[i] < at[i - 1]))
			return NULL;
	}
	*zone = (struct zone){ .n = t.timecnt, .at = at, .offset = offset };
	if (!type_offset(&t, width, 0, &zone->first))
		return NULL;
	zone->rule.standard = zone->n ? offset[zone->n - 1] : zone->first;
	if (width == 8 && n > size + 2 && p[size] == '\n') {
		const char *text = (const char *)p + size + 1, *end = memchr(text, '\n', n - size - 1);
		if (!end || (end > text && !zone_rule_read(text, (size_t)(end - text), &zone->rule)))
			return NULL;
	}
	return zone;
}

static int read_file(const char *path, uint8_t *buf, size_t room, size_t *n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	*n = 0;
	for (ssize_t got; *n < room && (got = read(fd, buf + *n, room - *n)) > 0;)
		*n += (size_t)got;
	close(fd);
	return 0;
}

int zone_load(const struct zone **zone, const char *name, struct arena *mem, struct err *err)
{
	char path[400];
	*zone = NULL;
	if (!strcmp(name, "UTC") || !strcmp(name, "Z") || !strcmp(name, "Etc/UTC"))
		return 0;
	bool odd = !*name || strstr(name, "..") || strlen(name) > 300;
	snprintf(path, sizeof path, "%s%.300s", *name == '/' ? "" : "/usr/share/zoneinfo/", name);
	uint8_t *buf = arena_alloc(mem, FILE_MAX);
	size_t n;
	if (!buf)
		return err_memory(err);
	if (odd || read_file(path, buf, FILE_MAX, &n))
		return err_set(err, ERR_USAGE, "no time zone '%.300s'; a zone is named as in Europe/Berlin, America/New_York, UTC (see /usr/share/zoneinfo)", name);
	*zone = zone_parse(buf, n, mem);
	return *zone ? 0 : err_set(err, ERR_FAILED, "%.300s: not a time zone file", path);
}

/* ---- questions ----------------------------------------------------------------------------------- */

/* How many changes are at or before t. */
static uint32_t changes_until(const struct zone *zone, int64_t t)
{
	uint32_t low = 0, high = zone->n;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (zone->at[mid] <= t)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int64_t zone_offset(const struct zone *zone, int64_t t)
{
	if (!zone)
		return 0;
	uint32_t i = changes_until(zone, t);
	if (i == zone->n)
		return zone_rule_offset(&zone->rule, t);
	return i ? zone->offset[i - 1] : zone->first;
}

int64_t zone_instant(const struct zone *zone, int64_t local, int64_t *later)
{
	if (!zone) {
		if (later)
			*later = local;
		return local;
	}
	int64_t before = zone_offset(zone, local - 36 * 3600000), behind = zone_offset(zone, local + 36 * 3600000);
	int64_t a = local - before, b = local - behind;
	bool is_a = zone_offset(zone, a) == before, is_b = zone_offset(zone, b) == behind;
	if (!is_a && !is_b) { /* in a gap: the clock as it was before goes on */
		if (later)
			*later = a;
		return a;
	}
	int64_t first = is_a ? a : b, second = is_b ? b : a;
	if (later)
		*later = second > first ? second : first;
	return first < second ? first : second;
}

int64_t zone_next_change(const struct zone *zone, int64_t t)
{
	if (!zone)
		return INT64_MAX;
	for (uint32_t i = changes_until(zone, t); i < zone->n; i++)
		if (zone->offset[i] != (i ? zone->offset[i - 1] : zone->first))
			return zone->at[i];
	int64_t last = zone->n ? zone->at[zone->n - 1] : TIME_MIN;
	return zone_rule_next(&zone->rule, t > last ? t : last);
}

int64_t zone_last_change(const struct zone *zone, int64_t t)
{
	if (!zone)
		return INT64_MIN;
	int64_t last = zone->n ? zone->at[zone->n - 1] : TIME_MIN;
	if (t > last) {
		int64_t at = zone_rule_last(&zone->rule, t);
		if (at > last)
			return at;
	}
	for (uint32_t i = changes_until(zone, t); i-- > 0;)
		if (zone->offset[i] != (i ? zone->offset[i - 1] : zone->first))
			return zone->at[i];
	return INT64_MIN;
}
