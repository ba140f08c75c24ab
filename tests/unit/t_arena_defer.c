/* arena_defer; the rest of the arena is in t_mem_arena.c. */
#include "unit/exprs.h"

static char order[20];

static void note(void *what) { strcat(order, what); }

/* What was deferred runs once, latest first, at the next reset or release. */
START_TEST(test_defer)
{
	static char a[] = "a", b[] = "b", c[] = "c";
	struct mem mem = { 0 };
	struct arena arena;
	arena_init(&arena, &mem);
	ck_assert_int_eq(arena_defer(&arena, note, a), 0);
	ck_assert_int_eq(arena_defer(&arena, note, b), 0);
	arena_reset(&arena);
	ck_assert_str_eq(order, "ba");
	arena_reset(&arena);
	ck_assert_str_eq(order, "ba");
	ck_assert_int_eq(arena_defer(&arena, note, c), 0);
	arena_release(&arena);
	arena_release(&arena);
	ck_assert_str_eq(order, "bac");
	mem.fail_at = 1;
	ck_assert_int_eq(arena_defer(&arena, note, a), -1);
	arena_release(&arena);
	ck_assert_str_eq(order, "bac");
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_defer };
	return RUN_TESTS("arena_defer", tests);
}
