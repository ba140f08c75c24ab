/* Job files (--job FILE): flags, one a line with its argument.
 *
 *     # the ten most frequent pages
 *     -f combined
 *     --keyby path
 *     --reduce count
 *     --topn 10 by count desc
 *
 * The argument is the rest of the line behind the blanks, as it stands: no quotes, no escapes. Blanks at the end of a line are dropped; a line whose first
 * character is # is a comment. */
#ifndef WEIR_JOBFILE_H
#define WEIR_JOBFILE_H
#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/err.h"

struct jobfile {
	const char *name;     /* for messages */
	char *text, *words;   /* the rest of the file, twice; NULL: nothing is left */
	uint32_t line;        /* number of the line given last */
	uint32_t lines;       /* how many there are at most */
};

/* Reads the file at `path` ("-": stdin_fd, to its end) into mem. 0, or -1 with err set. */
int jobfile_read(struct jobfile *file, const char *path, int stdin_fd, struct arena *mem, struct err *err);

struct jobfile_line {
	const char *text;     /* without blanks around it */
	char *word[2];        /* the part before the first blank, and what stands behind; one that has a = (--name=value) is not cut */
	int words;            /* 1 or 2 */
};

/* The next line that is neither blank nor a comment; false at the end. What it gives lives as long as mem. */
bool jobfile_next(struct jobfile *file, struct jobfile_line *line);
#endif
