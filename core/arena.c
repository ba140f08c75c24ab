#include "core/arena.h"

#include <string.h>

enum { ALIGN = 16, CHUNK = 64 << 10, KEEP = 4 << 20 /* bytes that survive a reset, at most */ };

struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* of the whole chunk, this header included */
};
struct arena_deferred {
	struct arena_deferred *next;
	void (*run)(void *what);
	void *what;
};
enum { HEAD = (sizeof(struct arena_chunk) + ALIGN - 1) / ALIGN * ALIGN };

void arena_init(struct arena *arena, struct mem *mem)
{
	*arena = (struct arena){ .mem = mem };
}

static void enter(struct arena *arena, struct arena_chunk *chunk)
{
	arena->now = chunk;
	arena->at = chunk ? (char *)chunk + HEAD : NULL;
	arena->end = chunk ? (char *)chunk + chunk->size : NULL;
}

/* Makes the next chunk one with room for `size` bytes. */
static int advance(struct arena *arena, size_t size)
{
	struct arena_chunk *next = arena->now ? arena->now->next : arena->first;
	if (next && next->size - HEAD >= size) {
		enter(arena, next);
		return 0;
	}
	size_t usual = arena->room > CHUNK ? arena->room : CHUNK;
	size_t whole = size + HEAD > usual ? size + HEAD : usual;
	arena->room = 0;
	struct arena_chunk *chunk = mem_alloc(arena->mem, whole);
	if (!chunk)
		return -1;
	chunk->size = whole;
	chunk->next = next;
	if (arena->now)
		arena->now->next = chunk;
	else
		arena->first = chunk;
	enter(arena, chunk);
	return 0;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (size > (size_t)(arena->end - arena->at) || !arena->now)
		if (advance(arena, size))
			return NULL;
	void *block = arena->at;
	arena->at += size;
	return block;
}

char *arena_copy(struct arena *arena, const void *bytes, size_t n)
{
	char *copy = arena_alloc(arena, n + 1);
	if (!copy)
		return NULL;
	if (n)
		memcpy(copy, bytes, n);
	copy[n] = '\0';
	return copy;
}

int arena_defer(struct arena *arena, void (*run)(void *what), void *what)
{
	struct arena_deferred *deferred = arena_alloc(arena, sizeof *deferred);
	if (!deferred)
		return -1;
	*deferred = (struct arena_deferred){ .next = arena->deferred, .run = run, .what = what };
	arena->deferred = deferred;
	return 0;
}

static void run_deferred(struct arena *arena)
{
	struct arena_deferred *next = arena->deferred;
	arena->deferred = NULL;
	for (; next; next = next->next)
		next->run(next->what);
}

/* Frees all chunks; how many bytes they had. */
static size_t free_chunks(struct arena *arena)
{
	size_t bytes = 0;
	while (arena->first) {
		struct arena_chunk *next = arena->first->next;
		bytes += arena->first->size;
		mem_free(arena->mem, arena->first, arena->first->size);
		arena->first = next;
	}
	enter(arena, NULL);
	return bytes;
}

/* Several chunks become one, so that blocks whose sizes drift cannot leave ever more chunks behind that are a little too small. */
void arena_reset(struct arena *arena)
{
	run_deferred(arena);
	if (arena->first && !arena->first->next && arena->first->size <= KEEP) {
		enter(arena, arena->first);
		return;
	}
	size_t bytes = free_chunks(arena);
	arena->room = bytes < KEEP ? bytes : KEEP;
}

void arena_release(struct arena *arena)
{
	run_deferred(arena);
	free_chunks(arena);
	arena->room = 0;
}
