/* All about one name: a flag, a function, an aggregate, a format. What is said stands in the tables of those; here it is laid out. */
#ifndef WEIR_HELP_TOPIC_H
#define WEIR_HELP_TOPIC_H
#include <stdbool.h>
#include <stdio.h>

enum {
	HELP_WIDTH = 80,
	HELP_FLAGS = 26, /* columns of the flags of weir --help */
};

/* The same for a flag: "  -k, --keyby EXPR, ...   help". */
void help_flag(FILE *to, char letter, const char *name, const char *arg, const char *help);
/* Writes about everything of that name ("-r", "reduce", "avg", "csv"); false if there is nothing. */
bool help_topic(FILE *to, const char *name);
/* The name most like this one, or NULL; flags come with their dashes. Lives in buf. */
const char *help_nearest(const char *name, char *buf, size_t size);
#endif
