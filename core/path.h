/* A path into nested data: a member, then members and elements: req.headers[0].{odd name} */
#ifndef WEIR_PATH_H
#define WEIR_PATH_H
#include <stdint.h>

struct step {            /* .name or [index] */
	const char *name;    /* NULL: an index */
	uint32_t len;
	int64_t index;       /* negative: from the end */
};
#endif
