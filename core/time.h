/* Times and their texts: civil calendar (proleptic Gregorian), ISO 8601, the stamps of web servers, counts since the epoch.
 *
 * A time is ms since 1970-01-01T00:00Z; fractions below are cut off downwards (floor). Valid are TIME_MIN..TIME_MAX, what four-digit years hold and
 * far more, so that sums of a time and a window's size never overflow. What is no valid date (30 February, 24:00:01) is refused. A leap second
 * (:60) is the second behind it. What has no offset is local time in `zone`. The whole text must be the time; no blanks around it but in a count. */
#ifndef WEIR_TIME_H
#define WEIR_TIME_H
#include "core/zone.h"

#define TIME_MAX INT64_C(8640000000000000) /* 275 thousand years */
#define TIME_MIN (-TIME_MAX)
/* Counts of ms may say more, up to what is left below the end of time; without a zone windows and sums of them saturate. */
#define TIME_COUNT_MAX (INT64_MAX - 1)
enum { DAY_MS = 86400000 };

struct civil {
	int64_t year;
	int month, day;              /* 1..12, 1..31 */
	int hour, minute, second, ms;
	int weekday, yearday;        /* 0 Sunday .. 6; 0..365 */
};

/* Days since 1970-01-01 of a date; it must be one (civil_valid), of a year within a million of 0. */
int64_t civil_days(int64_t year, int month, int day);
bool civil_valid(int64_t year, int month, int day);
/* 0 Sunday .. 6 of such a day. */
int civil_weekday(int64_t days);
/* Takes a local time, any, apart. */
void civil_of(int64_t local, struct civil *out);

/* 2026-11-29, 2026-11-29 10:00, 2026-11-29T10:00:00.123456+01:00, ...Z. Between date and clock T, t or a blank; the clock from the hour alone on; a
 * fraction behind a point or a comma; offsets Z, z, +hh, +hhmm, +hh:mm, +hh:mm:ss, a blank before them or not. 24:00 is the end of the day. Also without
 * dashes and colons, 2026, 2026-11, days of the year (2026-333), weeks (2026-W48-7), and years of up to six digits with a sign. */
bool time_read_iso(const char *p, uint32_t n, const struct zone *zone, int64_t *out);
/* 10/Oct/2000:13:55:36 -0700, in brackets or not; with a fraction or not, with an offset or not (haproxy). */
bool time_read_clf(const char *p, uint32_t n, const struct zone *zone, int64_t *out);
/* Where a raw or quoted text is wanted as a time: iso, or clf as servers log it. */
static inline bool time_read(const char *p, uint32_t n, const struct zone *zone, int64_t *out)
{
	return time_read_iso(p, n, zone, out) || time_read_clf(p, n, zone, out);
}

/* A number as number_read takes it, in units of 10^-places s (0 s, 3 ms, 6 us, 9 ns): exactly, whatever its digits and exponent. */
bool time_read_count(const char *p, uint32_t n, unsigned places, int64_t *out);

/* How times are written. */
struct time_style {
	enum { STYLE_ISO, STYLE_S, STYLE_MS, STYLE_PATTERN } kind;
	const char *pattern;         /* STYLE_PATTERN: NUL-terminated, for strftime */
	const struct zone *zone;
};
enum { TIME_TEXT_MAX = 256 /* bytes that any style needs */ };

/* 2026-11-29T10:00:00Z, .123 only where it is not whole; with a zone its offset (+01:00, with seconds where it has some), also where that is +00:00.
 * Years beyond four digits have a sign. time_read_iso reads it back. Gives the length, at most 40. */
uint32_t time_print_iso(int64_t time, const struct zone *zone, char *out);
/* In any style (NULL: ISO in UTC); STYLE_S with a fraction where it is not whole. Gives the length, at most TIME_TEXT_MAX. */
uint32_t time_print(int64_t time, const struct time_style *style, char *out);
/* A duration: 90000 ms as 1m30s, as the language reads it. NUL-terminated, in `room` bytes (DURATION_TEXT_MAX are enough); gives `out`. */
const char *duration_text(int64_t ms, char *out, size_t room);
enum { DURATION_TEXT_MAX = 40 };
#endif
