/* A queue of timers, the least first; those of one time come in any order. Entries are not removed from inside: who lets go of a timer remembers that, and
 * passes it over when it comes out.
 *
 *     a heap, each with up to four behind it, of { time, of } */
#ifndef WEIR_TIMERS_H
#define WEIR_TIMERS_H
#include <stdbool.h>
#include <stdint.h>

#include "core/mem.h"

struct timer {
	int64_t time;
	void *of;
};

struct timers {
	struct timer *heap;
	uint64_t n, cap;
	struct mem *mem;
};

/* An empty queue. */
void timers_init(struct timers *timers, struct mem *mem);
/* -1 if memory is refused. */
int timers_add(struct timers *timers, struct timer timer) __attribute__((warn_unused_result));
/* The least one; NULL: none. */
static inline const struct timer *timers_first(const struct timers *timers) { return timers->n ? timers->heap : NULL; }
/* Takes the least one out. There must be one. */
struct timer timers_pop(struct timers *timers);
void timers_release(struct timers *timers);
#endif
