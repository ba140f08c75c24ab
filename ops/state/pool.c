#include "ops/state/pool.h"

#include <string.h>

enum {
	ROOM_FIRST = 1 << 10, /* each piece has twice the room of the one before, so that few objects take little */
	ROOM_MAX = 1 << 18,
};

/* The objects lie behind it. */
struct pool_piece {
	struct pool_piece *older;
	size_t size; /* with this head */
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
	struct pool_piece *piece = mem_alloc(pool->mem, sizeof *piece + room);
	if (!piece)
		return -1;
	*piece = (struct pool_piece){ pool->piece, sizeof *piece + room };
	pool->piece = piece;
	pool->used = 0;
	pool->room = room;
	return 0;
}

void *pool_get(struct pool *pool)
{
	void *object = pool->free;
	if (object) {
		pool->free = *(void **)object;
		return memset(object, 0, pool->size);
	}
	if (pool->room - pool->used < pool->size && add_piece(pool))
		return NULL;
	object = (char *)(pool->piece + 1) + pool->used; /* still as zeroed as it came */
	pool->used += pool->size;
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
