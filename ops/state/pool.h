/* Objects of one size that come and go: cut from larger pieces, given back to a list; they never move. One whose size is a multiple
 * of the cache's lines (64 bytes) begins a line. */
#ifndef WEIR_POOL_H
#define WEIR_POOL_H
#include "core/mem.h"

struct pool_piece;
struct pool {
	struct mem *mem;
	size_t size;          /* of an object, a multiple of 8 */
	void *free;           /* the first of those given back; each begins with a pointer to the next */
	struct pool_piece *piece;
	char *next;           /* the unused end of the newest piece */
	size_t room, left;    /* its bytes for objects, and those that are unused */
};

/* An empty pool of objects of `size` bytes, a multiple of 8; takes no memory yet. */
void pool_init(struct pool *pool, size_t size, struct mem *mem);
/* A zeroed object; NULL if memory is refused. */
void *pool_get(struct pool *pool);
void pool_put(struct pool *pool, void *object);
/* Frees all pieces; what the objects own was dropped before. */
void pool_release(struct pool *pool);
#endif
