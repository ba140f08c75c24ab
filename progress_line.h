/* How --progress says how far a run is: facts in, one line of text out. */
#ifndef WEIR_PROGRESS_LINE_H
#define WEIR_PROGRESS_LINE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress_facts {
	uint64_t bytes;    /* read so far */
	uint64_t size;     /* of the whole input; 0: unknown */
	double rate;       /* rows a second */
	bool keyed;        /* some operator has keys */
	uint64_t keys;
	size_t state;      /* bytes */
	int64_t elapsed;   /* ms */
};

enum { PROGRESS_TEXT_MAX = 160 };

/* As in "1.21 GiB (27%), 2.13M rows/s, 51234 keys, 12.3 MiB of state, 1m12s". ASCII, NUL-terminated, no line end. */
void progress_line(const struct progress_facts *facts, char out[PROGRESS_TEXT_MAX]);
#endif
