/* A path into nested data: a member, then members and elements: req.headers[0].{odd name} */
#ifndef WEIR_PATH_H
#define WEIR_PATH_H
#include <stdint.h>

#include "core/arena.h"

struct step {            /* .name or [index] */
	const char *name;    /* NULL: an index */
	uint32_t len;
	int64_t index;       /* negative: from the end */
};

/* How many of the first steps are names. */
static inline uint32_t path_names(const struct step *step, uint32_t n)
{
	uint32_t names = 0;
	while (names < n && step[names].name)
		names++;
	return names;
}

/* n > 0 names joined by dots, in mem: a.b.c. NULL if memory is refused. */
const char *path_join(const struct step *step, uint32_t n, struct arena *mem, uint32_t *len);
#endif
