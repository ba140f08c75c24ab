/* The queue of timers against a sorted array. */
#include <stdlib.h>
#include <string.h>

#include "ops/state/timers.h"
#include "state_test.h"

struct model {
	struct timers timers;
	struct mem mem;
	struct timer *item; /* in order, equal ones in any */
	uint64_t n, cap, random;
};

static int order(const void *a, const void *b)
{
	const struct timer *x = a, *y = b;
	return (x->time > y->time) - (x->time < y->time);
}

static struct timer random_timer(struct model *m, uint64_t range)
{
	struct timer timer = { .time = (int64_t)(next_random(&m->random) % range) - (int64_t)(range / 2), .of = m };
	if (next_random(&m->random) % 64 == 0)
		timer.time = next_random(&m->random) % 2 ? INT64_MIN : INT64_MAX;
	return timer;
}

static void insert(struct model *m, struct timer timer)
{
	uint64_t at = m->n;
	if (m->n == m->cap)
		m->item = realloc(m->item, (m->cap = m->cap ? m->cap * 2 : 16) * sizeof *m->item);
	while (at && order(&timer, &m->item[at - 1]) < 0)
		at--;
	memmove(m->item + at + 1, m->item + at, (m->n++ - at) * sizeof *m->item);
	m->item[at] = timer;
}

static struct timer take_first(struct model *m)
{
	struct timer first = m->item[0];
	memmove(m->item, m->item + 1, --m->n * sizeof *m->item);
	return first;
}

static void step(struct model *m, uint64_t range, unsigned adds)
{
	if (!m->n || next_random(&m->random) % 8 < adds) {
		struct timer timer = random_timer(m, range);
		MUST(!timers_add(&m->timers, timer));
		insert(m, timer);
	} else {
		struct timer got = timers_pop(&m->timers), want = take_first(m);
		MUST(!order(&got, &want) && got.of == m);
	}
	const struct timer *first = timers_first(&m->timers);
	MUST(m->n ? first && !order(first, &m->item[0]) : !first);
}

static void end(struct model *m)
{
	timers_release(&m->timers);
	ck_assert_ptr_null(timers_first(&m->timers));
	ck_assert_uint_eq(m->mem.used, 0);
	free(m->item);
}

START_TEST(test_order)
{
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct model m = { .random = seed };
		timers_init(&m.timers, &m.mem);
		for (int i = 0; i < 2000; i++)
			step(&m, seed % 2 ? 50 : 1000000, i < 1000 ? 6 : 2);
		end(&m);
	}
}
END_TEST

/* What came in goes out in order, and the memory goes with it. */
START_TEST(test_memory)
{
	struct model m = { .random = 7 };
	timers_init(&m.timers, &m.mem);
	for (int i = 0; i < 100000; i++)
		MUST(!timers_add(&m.timers, random_timer(&m, 1 << 30)));
	struct timer last = timers_pop(&m.timers);
	while (timers_first(&m.timers)) {
		struct timer timer = timers_pop(&m.timers);
		MUST(order(&last, &timer) <= 0);
		last = timer;
	}
	ck_assert_uint_lt(m.mem.used, 10000);
	end(&m);
}
END_TEST

START_TEST(test_refused)
{
	struct model m = { .random = 3 };
	timers_init(&m.timers, &m.mem);
	for (int i = 0; i < 3000; i++) {
		struct timer timer = random_timer(&m, 100);
		m.mem.fail_at = next_random(&m.random) % 2 ? m.mem.requests + 1 : 0;
		if (!timers_add(&m.timers, timer))
			insert(&m, timer);
	}
	ck_assert_uint_gt(m.n, 0);
	m.mem.fail_at = 1; /* taking out needs no memory */
	while (m.n) {
		struct timer got = timers_pop(&m.timers), want = take_first(&m);
		MUST(!order(&got, &want));
	}
	end(&m);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_order, test_memory, test_refused };
	return RUN_TESTS("timers", tests);
}
