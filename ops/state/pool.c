#include "ops/state/pool.h"

#include <string.h>

enum {
	LINE = 64, /* of the cache; the first object of a piece begins one */
	ROOM_FIRST = 1 << 10, /* each piece has twice the room of the one before, so that few objects take little */
	ROOM_MAX = 1 << 18,
};

/* The objects lie behind it, and behind what is missing to a whole line. */
struct pool_piece {
	struct pool_piece *older;
	size_t size; /* of all */
};

void pool_init(struct pool *pool, size_t size, struct mem *mem)
{
	*pool = (struct pool){ .mem = mem, .size = size };
}

static int add_piece(struct pool *pool)
{
	size_t room = pool->room ? 2 * pool->room : ROOM_FIRST;
	if (room > ROOM_MAX)
		room = ROOM_MAX;
	if (room < pool->size)
		room = pool->size;
	size_t size = sizeof(struct pool_piece) + LINE + room;
	struct pool_piece *piece = mem_alloc(pool->mem, size);
	if (!piece)
		return -1;
	*piece = (struct pool_piece){ pool->piece, size };
	pool->piece = piece;
	pool->next = (char *)(piece + 1);
	pool->next += -(uintptr_t)pool->next % LINE;
	pool->room = pool->left = room;
	return 0;
}

void *pool_get(struct pool *pool)
{
	void *object = pool->free;
	if (object) {
		pool->free = *(void **)object;
		__builtin_prefetch(pool->free, 1);
		return memset(object, 0, pool->size);
	}
	if (pool->left < pool->size && add_piece(pool))
		return NULL;
	object = pool->next; /* still as zeroed as it came */
	pool->next += pool->size;
	pool->left -= pool->size;
	return object;
}

void pool_put(struct pool *pool, void *object)
{
	*(void **)object = pool->free;
	pool->free = object;
}

void pool_release(struct pool *pool)
{
	for (struct pool_piece *piece = pool->piece, *older; piece; piece = older) {
		older = piece->older;
		mem_free(pool->mem, piece, piece->size);
	}
	pool_init(pool, pool->size, pool->mem);
}
