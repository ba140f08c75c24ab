/* Files of known answers that are not part of this repository: $WEIR_SHARED/data/suites, or ../shared/data/suites. */
#ifndef SUITE_H
#define SUITE_H
#include <stdbool.h>
#include <stdio.h>

/* Opens a file of the suites, its heading read already; NULL, with a line that says so, if it is not there. */
FILE *suite_open(const char *name);

enum { SUITE_FIELDS = 8, SUITE_LINE = 4096 };

struct suite_line {
	char text[SUITE_LINE];
	char *field[SUITE_FIELDS]; /* NULL behind the last */
};

/* The next line, cut at its tabs; false at the end. */
bool suite_next(FILE *file, struct suite_line *line);
#endif
