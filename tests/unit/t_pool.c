/* The pool against what was written into its objects: none moves, none is given twice. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ops/state/pool.h"
#include "state_test.h"

enum { OBJECTS = 4000 };

static bool all_bytes(const unsigned char *p, size_t n, unsigned char byte)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != byte)
			return false;
	return true;
}

static void come_and_go(size_t size)
{
	struct mem mem = { 0 };
	struct pool pool;
	unsigned char *object[OBJECTS] = { 0 };
	uint64_t random = size;
	pool_init(&pool, size, &mem);
	MUST(mem.used == 0);
	for (uint32_t i = 0; i < 40000; i++) {
		uint32_t which = (uint32_t)(next_random(&random) % OBJECTS);
		if (object[which]) {
			MUST(all_bytes(object[which], size, (unsigned char)which));
			pool_put(&pool, object[which]);
			object[which] = NULL;
			continue;
		}
		object[which] = pool_get(&pool);
		MUST(object[which] && (uintptr_t)object[which] % 8 == 0 && all_bytes(object[which], size, 0));
		memset(object[which], (int)(unsigned char)which, size);
	}
	MUST(mem.peak < size * OBJECTS + (1u << 19)); /* what was given back is used again */
	pool_release(&pool);
	MUST(mem.used == 0);
}

START_TEST(objects_come_and_go)
{
	come_and_go(8);
	come_and_go(72);
	come_and_go(5000);
}
END_TEST

START_TEST(larger_than_a_piece)
{
	struct mem mem = { 0 };
	struct pool pool;
	pool_init(&pool, 1 << 20, &mem);
	void *a = pool_get(&pool), *b = pool_get(&pool);
	MUST(a && b && a != b);
	pool_put(&pool, a);
	MUST(pool_get(&pool) == a);
	pool_release(&pool);
	MUST(mem.used == 0);
}
END_TEST

/* A refused request changes nothing, and the pool goes on. */
START_TEST(refused_memory)
{
	struct mem mem = { 0 };
	struct pool pool;
	uint32_t refused = 0;
	pool_init(&pool, 64, &mem);
	for (uint32_t i = 0; i < 20000; i++) {
		mem.fail_at = i % 2 ? 0 : mem.requests + 1;
		refused += !pool_get(&pool);
	}
	MUST(refused > 0);
	pool_release(&pool);
	MUST(mem.used == 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { objects_come_and_go, larger_than_a_piece, refused_memory };
	return RUN_TESTS("pool", tests);
}
