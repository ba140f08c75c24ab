/* All about one name: a flag, a function, an aggregate, a format. What is said stands in the tables of those; here it is laid out. */
#ifndef WEIR_HELP_TOPIC_H
#define WEIR_HELP_TOPIC_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

enum {
	HELP_WIDTH = 80,
	HELP_FLAGS = 26, /* columns of the flags of weir --help */
	HELP_NAMES = 256, /* what --help NAME can be about, at most */
};

/* A stream over a copy of fd. NULL with err set. */
FILE *help_open(int fd, struct err *err);
/* Closes it; -1 with err set if not all could be written. */
int help_close(FILE *to, struct err *err);

/* A line about a flag: "  -k, --keyby EXPR, ...   help". */
void help_flag(FILE *to, char letter, const char *name, const char *arg, const char *help);
/* Writes about everything of that name ("-r", "reduce", "avg", "csv"); false if there is nothing. */
bool help_topic(FILE *to, const char *name);
/* Everything that --help NAME knows, some of it twice (json reads and writes); their number. The first *flags are long flags, without dashes. */
uint32_t help_names(const char *names[HELP_NAMES], uint32_t *flags);
/* The name most like this one, or NULL; flags come with their dashes. Lives in buf. */
const char *help_nearest(const char *name, char *buf, size_t size);
#endif
