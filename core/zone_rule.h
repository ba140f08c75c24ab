/* The rule of a zone for all years to come, as the last line of its file says it, or TZ (POSIX, with the hours of RFC 9636): CET-1CEST,M3.5.0,M10.5.0/3. */
#ifndef WEIR_ZONE_RULE_H
#define WEIR_ZONE_RULE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A day of the year and a time on it, which may lie outside of it. */
struct zone_date {
	enum {
		DATE_WEEKDAY, /* the week-th `day` (0 Sunday) of the month, 5: the last */
		DATE_JULIAN,  /* day 1..365; 29 February is not counted */
		DATE_DAY,     /* day 0..365 */
	} kind;
	int month, week, day;
	int64_t time;         /* ms since midnight */
};

struct zone_rule {
	int32_t standard, summer;    /* offsets, ms, less than ZONE_OFFSET_MAX either way */
	bool changes;                /* begin and end come every year; else it is always standard */
	struct zone_date begin, end; /* begin: on the standard clock, end: on that of summer */
};

/* False if the n bytes are not of that form. */
bool zone_rule_read(const char *p, size_t n, struct zone_rule *out);

/* The instants of a year at which summer time begins and ends. */
int64_t zone_rule_begin(const struct zone_rule *rule, int64_t year);
int64_t zone_rule_end(const struct zone_rule *rule, int64_t year);
#endif
