/* Bump allocation for what dies together: a batch, a plan.
 *
 *     first -> [ chunk | chunk | chunk ]      reset keeps one, and if there were several makes it as large as all of them (up to a limit)
 *
 * Blocks are aligned to 16 bytes and not zeroed. */
#ifndef WEIR_ARENA_H
#define WEIR_ARENA_H
#include <stddef.h>
#include <stdint.h>

#include "core/mem.h"

struct arena_chunk;
struct arena_deferred;
struct arena {
	struct mem *mem;
	struct arena_chunk *first, *now; /* now: the chunk that is being filled */
	char *at, *end;                  /* free part of it */
	size_t room;                     /* bytes that the next chunk should have at least: what was needed before the last reset */
	struct arena_deferred *deferred; /* latest first */
};

/* Ready for use; takes no memory yet. */
void arena_init(struct arena *arena, struct mem *mem);

/* `size` bytes that live until reset or release; NULL if memory is refused. */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((warn_unused_result));

/* A copy of n bytes with a NUL behind it; NULL if memory is refused. */
char *arena_copy(struct arena *arena, const void *bytes, size_t n) __attribute__((warn_unused_result));

/* Calls run(what) at the next reset or release, latest first: for what a block owns elsewhere. -1 if memory is refused: nothing will be called. */
int arena_defer(struct arena *arena, void (*run)(void *what), void *what) __attribute__((warn_unused_result));

/* Forgets every block; keeps memory for the next round, of a few MB at most. */
void arena_reset(struct arena *arena);

/* Gives all memory back; the arena can be used again. */
void arena_release(struct arena *arena);
#endif
