/* Times by pattern, independent of any locale: English names, the C locale's %c, %x, %X.
 *
 * Reading (as POSIX strptime, but a date must exist): %Y %y %m %d %e %j %b %B %h %H %k %I %l %M %S (with :60) %p %z %Z (UTC, GMT, Z only) %s %f (fraction, any
 * length, also behind %S. or %S,) %a %A %D %F %T %R %r %n %t %%; a blank in the pattern is any blanks, or none; letters in either case. Numbers may be shorter than
 * their width. What has no year takes the latest one that does not lie more than `ahead` ms behind `now` (syslog rule); what has no date is
 * of 1970-01-01.
 * Writing: the same letters, and %L (three digits of ms), %N (nine digits), %u %w %G %V %U. */
#ifndef WEIR_STRPTIME_H
#define WEIR_STRPTIME_H
#include "core/time.h"

struct strptime_env {
	const struct zone *zone;
	int64_t now, ahead;          /* for what has no year */
};

/* Is it a pattern that strptime_read understands? Else -1 with err saying which letter is not known, at the place in span. */
int strptime_check(const char *pattern, uint32_t len, struct span span, struct err *err);
/* The whole text must match. */
bool strptime_read(const char *pattern, uint32_t len, const char *p, uint32_t n, const struct strptime_env *env, int64_t *out);

/* Is it a pattern for writing? */
int strftime_check(const char *pattern, uint32_t len, struct span span, struct err *err);
/* What a letter stands for that is short for others (%T: "%H:%M:%S"), in reading and in writing; NULL: it is none. */
const char *strptime_expansion(char letter);

/* Gives the length; what does not fit into `room` bytes is cut off. */
uint32_t strftime_print(const char *pattern, uint32_t len, int64_t time, const struct zone *zone, char *out, uint32_t room);
#endif
