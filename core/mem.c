#include "core/mem.h"

#include <stdbool.h>
#include <stdlib.h>

/* Accounts for `more` bytes, or refuses them. */
static bool grant(struct mem *mem, size_t more)
{
	mem->requests++;
	if (mem->fail_at && mem->requests >= mem->fail_at)
		return false;
	if (mem->limit && (more > mem->limit || mem->used > mem->limit - more))
		return false;
	mem->used += more;
	if (mem->used > mem->peak)
		mem->peak = mem->used;
	return true;
}

void *mem_alloc(struct mem *mem, size_t size)
{
	if (!grant(mem, size))
		return NULL;
	void *block = calloc(1, size ? size : 1);
	if (!block)
		mem->used -= size;
	return block;
}

void *mem_resize(struct mem *mem, void *block, size_t old, size_t size)
{
	if (size > old && !grant(mem, size - old))
		return NULL;
	void *moved = realloc(block, size ? size : 1);
	if (!moved) {
		if (size > old)
			mem->used -= size - old;
		return NULL;
	}
	if (size < old)
		mem->used -= old - size;
	return moved;
}

void mem_free(struct mem *mem, void *block, size_t size)
{
	if (!block)
		return;
	mem->used -= size;
	free(block);
}
