/* Times by pattern, independent of any locale: English names, the C locale's %c, %x, %X.
 *
 *     letter           reading                                         writing
 *     %Y %y            up to 4 digits; 2 digits, 1969 to 2068          at least 4 digits; 2
 *     %m %d %e %j      month, day, day, day of the year                2 digits, 2, blank for the first, 3
 *     %b %h %B         Nov or November                                 Nov, Nov, November
 *     %a %A            Sun or Sunday; says nothing                     Sun, Sunday
 *     %u %w %U         a number; says nothing                          weekday 1 Monday .. 7, 0 Sunday .. 6; weeks of the year from its first Sunday on
 *     %H %k %I %l      hour 0..23, 0..23, 1..12, 1..12                 0 or (k, l) a blank in front
 *     %M %S %p         %S up to 60; AM or PM                           2 digits, 2, AM or PM
 *     %f               digits of a fraction, as many as there are      6 digits
 *     %s               seconds since 1970; all else but %f is idle     the same, rounded down
 *     %z               Z or an offset as in ISO 8601                   +0100
 *     %Z               UTC, GMT, Z                                     UTC, or the offset of the zone: +01:00
 *     %D %x %F %R %T %X %r %c    %m/%d/%y, the same, %Y-%m-%d, %H:%M, %H:%M:%S, the same, %I:%M:%S %p, %a %b %e %H:%M:%S %Y
 *     %n %t            any blanks or none                              line feed, TAB
 *     %L %N %G %V      -                                               ms, ns; year and week of ISO 8601
 *
 * When reading, letters of names may be small or capital, numbers shorter than their width, with blanks before them; a blank in the pattern is any
 * blanks or none. The date must exist. What has no year takes the latest one that does not lie more than `ahead` ms ahead of `now` (syslog rule); what has no date
 * is of 1970-01-01; of month and day, what is not given is the first. What has neither %z nor %Z is local time in `zone`. */
#ifndef WEIR_STRPTIME_H
#define WEIR_STRPTIME_H
#include "core/time.h"

struct strptime_env {
	const struct zone *zone;
	int64_t now, ahead;          /* for what has no year */
};

/* Is it a pattern for reading? Else -1 with err saying which letter is not known, at the place in span. */
int strptime_check(const char *pattern, uint32_t len, struct span span, struct err *err);
/* By a pattern that was checked; the whole text must match. */
bool strptime_read(const char *pattern, uint32_t len, const char *p, uint32_t n, const struct strptime_env *env, int64_t *out);

/* Is it a pattern for writing? */
int strftime_check(const char *pattern, uint32_t len, struct span span, struct err *err);
/* By a pattern that was checked. Gives the length; what does not fit into `room` bytes is cut off. */
uint32_t strftime_print(const char *pattern, uint32_t len, int64_t time, const struct zone *zone, char *out, uint32_t room);

/* What a letter stands for that is short for others (%T: "%H:%M:%S"), in reading and in writing; NULL: it is none. */
const char *strptime_expansion(char letter);
#endif
