/* The rule of a zone for all years to come, as the last line of its file says it (POSIX TZ: CET-1CEST,M3.5.0,M10.5.0/3). */
#ifndef WEIR_ZONE_RULE_H
#define WEIR_ZONE_RULE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A day of the year, and a time of that day in ms (may lie outside of it). */
struct zone_date { enum { DATE_MONTH, DATE_JULIAN, DATE_DAY } kind; int month, week, day; int64_t time; };

struct zone_rule {
	int32_t standard, summer; /* offsets, ms */
	bool changes;             /* summer time begins and ends every year; else it is always standard */
	struct zone_date begin, end; /* begin: on the standard clock, end: on that of summer */
};

/* False if the text is not of that form. */
bool zone_rule_read(const char *p, size_t n, struct zone_rule *out);
int32_t zone_rule_offset(const struct zone_rule *rule, int64_t instant);
/* The first change > t, INT64_MAX: none; the last one <= t, INT64_MIN: none. */
int64_t zone_rule_next(const struct zone_rule *rule, int64_t t);
int64_t zone_rule_last(const struct zone_rule *rule, int64_t t);
#endif
