/* Times in a LogFormat of Apache: %{FORMAT}t, where FORMAT is a pattern of strftime, or a word. */
#ifndef WEIR_APACHE_TIME_H
#define WEIR_APACHE_TIME_H
#include "parse/format/logshape.h"

/* A time that several directives write together. */
struct apache_time {
	char *pattern;  /* of strptime */
	uint32_t n;
	uint32_t width; /* bytes that it takes */
	bool varies;    /* they are more or less: names in full, zones */
	bool blanks;    /* there are blanks in it */
};

/* Is the text in braces (with begin: or end: before it or not) a count: sec, msec, usec? Then *stamp is set. */
bool apache_time_count(const char *arg, uint32_t narg, struct stamp *stamp);
/* Empty; for a configuration of n bytes. 0, or -1 with err set. */
int apache_time_init(struct apache_time *time, uint32_t n, struct arena *mem, struct err *err);
/* Appends the text in braces: a pattern, msec_frac, usec_frac. -1: a letter that cannot be read. */
int apache_time_add(struct apache_time *time, const char *arg, uint32_t narg, struct span span, struct err *err);
/* Appends a byte as it is. */
void apache_time_literal(struct apache_time *time, char c);
/* What there is to know about it, for the item's width, blanks, stamp. */
void apache_time_item(const struct apache_time *time, struct log_item *item);
#endif
