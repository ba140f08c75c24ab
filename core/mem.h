/* Accounted memory. Every allocation that outlives a call goes through one struct mem, so that state has a limit
 * and tests can make the nth request fail.
 *
 * The caller remembers sizes; there is no header in front of a block. Nothing here prints or exits. */
#ifndef WEIR_MEM_H
#define WEIR_MEM_H
#include <stddef.h>
#include <stdint.h>

struct mem {
	size_t used, peak;       /* bytes handed out now, and at most so far */
	size_t limit;            /* 0: none; else a request that would pass it is refused */
	uint64_t requests;       /* counted over the whole run */
	uint64_t fail_at;        /* tests: this request (counted from 1) and all later ones are refused; 0: never */
};

/* A block of `size` bytes, zeroed; NULL if refused. size 0 gives a unique block. */
void *mem_alloc(struct mem *mem, size_t size) __attribute__((warn_unused_result));

/* Moves `block` (NULL or of `old` bytes) to `size` bytes; the added part is NOT zeroed. NULL if refused: the block is untouched. */
void *mem_resize(struct mem *mem, void *block, size_t old, size_t size) __attribute__((warn_unused_result));

/* Gives back a block of `size` bytes; NULL is fine. */
void mem_free(struct mem *mem, void *block, size_t size);
#endif
