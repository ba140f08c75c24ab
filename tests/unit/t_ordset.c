/* The ordered set against a sorted array. Rows are stood for by numbers that `compare` orders. */
#include <stdlib.h>
#include <string.h>

#include "ops/state/ordset.h"
#include "state_test.h"

struct row {
	uint64_t order;
};

static const char CONTEXT[] = "the order's";

static int compare(const void *context, const struct row *a, const struct row *b)
{
	MUST(context == CONTEXT);
	return a->order < b->order ? -1 : a->order > b->order;
}

static const struct ordset_order ORDER = { compare, CONTEXT };

struct model {
	struct ordset set;
	struct mem mem;
	struct ordset_item *item; /* in order */
	uint64_t n, cap, seq, random;
};

static bool before(const struct ordset_item *a, const struct ordset_item *b)
{
	if (a->prefix != b->prefix)
		return a->prefix < b->prefix;
	if (a->row->order != b->row->order)
		return a->row->order < b->row->order;
	return a->seq < b->seq;
}

static uint64_t rank(const struct model *m, const struct ordset_item *item)
{
	uint64_t lo = 0, hi = m->n;
	while (lo < hi) {
		uint64_t mid = (lo + hi) / 2;
		if (before(&m->item[mid], item))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct ordset_item new_item(struct model *m, uint64_t prefix, uint64_t order)
{
	struct row *row = malloc(sizeof *row);
	row->order = order;
	return (struct ordset_item){ prefix, row, ++m->seq };
}

static void insert(struct model *m, uint64_t prefix, uint64_t order)
{
	struct ordset_item item = new_item(m, prefix, order);
	uint64_t at, want = rank(m, &item);
	MUST(ordset_insert(&m->set, &ORDER, &item, &m->mem, &at) == 0);
	MUST(at == want);
	if (m->n == m->cap)
		m->item = realloc(m->item, (m->cap = m->cap ? m->cap * 2 : 16) * sizeof *m->item);
	memmove(m->item + at + 1, m->item + at, (m->n++ - at) * sizeof *m->item);
	m->item[at] = item;
}

/* The row is freed at once: the set must not look at it again. */
static void take(struct model *m, uint64_t at)
{
	struct ordset_item item = ordset_remove(&m->set, at, &m->mem);
	MUST(!memcmp(&item, &m->item[at], sizeof item));
	m->n--;
	memmove(m->item + at, m->item + at + 1, (m->n - at) * sizeof *m->item);
	free(item.row);
}

static void check_all(const struct model *m)
{
	uint64_t at = 0;
	uint32_t n;
	const struct ordset_item *run;
	MUST(m->set.n == m->n);
	for (; (run = ordset_run(&m->set, at, &n)); at += n) {
		MUST(n > 0);
		MUST(!memcmp(run, m->item + at, n * sizeof *run));
	}
	MUST(at == m->n);
}

/* Positions, and the bounds of the group of equals. */
static void check_at(const struct model *m, uint64_t at)
{
	struct ordset_item key = m->item[at];
	uint32_t n;
	MUST(!memcmp(ordset_at(&m->set, at), &key, sizeof key));
	MUST(!memcmp(ordset_run(&m->set, at, &n), &key, sizeof key));
	MUST(ordset_rank(&m->set, &ORDER, &key) == at);
	key.seq = 0;
	MUST(ordset_rank(&m->set, &ORDER, &key) == rank(m, &key));
	key.seq = UINT64_MAX;
	MUST(ordset_rank(&m->set, &ORDER, &key) == rank(m, &key));
}

static void drain(struct model *m)
{
	ordset_clear(&m->set, &m->mem);
	MUST(m->mem.used == 0);
	for (uint64_t i = 0; i < m->n; i++)
		free(m->item[i].row);
	free(m->item);
}

/* Grows to `size`, stays there for a while, shrinks to nothing, grows again; keys from 0 .. range - 1 in prefix and row. */
static void run(uint64_t size, uint64_t range, uint64_t steps)
{
	struct model m = { .random = size * 31 + range };
	for (int phase = 0; phase < 4; phase++) {
		uint64_t adds = phase == 0 || phase == 3 ? 90 : phase == 1 ? 50 : 8;
		for (uint64_t i = 0; i < steps; i++) {
			uint64_t r = next_random(&m.random);
			if (m.n == 0 || (r % 100 < adds && m.n < size))
				insert(&m, (r >> 8) % range, (r >> 32) % range);
			else
				take(&m, (r >> 8) % m.n);
			if (m.n)
				check_at(&m, (r >> 16) % m.n);
			if (i % 997 == 0)
				check_all(&m);
		}
		check_all(&m);
	}
	drain(&m);
}

START_TEST(random_operations)
{
	for (uint64_t size = 1; size < 300; size += 1 + size / 5) {
		run(size, 1, 4 * size + 50);
		run(size, 3, 4 * size + 50);
		run(size, 1000000, 4 * size + 50);
	}
	run(20000, 1, 15000);
	run(20000, 20, 15000);
	run(20000, 1000000, 15000);
}
END_TEST

/* In order from either end, as time goes; taken from either end. */
START_TEST(ends)
{
	for (int way = 0; way < 4; way++) {
		struct model m = { 0 };
		for (uint64_t i = 0; i < 20000; i++)
			insert(&m, way & 1 ? i : 20000 - i, i % 7);
		check_all(&m);
		MUST(m.mem.used < (uint64_t)(20000 * (way & 1 ? 30 : 32))); /* nodes are left full */
		while (m.n) {
			take(&m, way & 2 ? m.n - 1 : 0);
			if (m.n % 997 == 1)
				check_all(&m);
		}
		MUST(m.mem.used == 0);
		drain(&m);
	}
}
END_TEST

START_TEST(hundred_thousand_equals)
{
	struct model m = { .random = 5 };
	for (uint64_t i = 0; i < 100000; i++)
		insert(&m, 7, 7);
	for (uint64_t i = 0; i < 1000; i++)
		check_at(&m, next_random(&m.random) % m.n);
	for (uint64_t i = 0; i < 2000; i++)
		take(&m, next_random(&m.random) % m.n);
	check_all(&m);
	drain(&m);
}
END_TEST

/* Whatever is taken out, what is left stays within a fixed factor of what it needs. */
START_TEST(memory_comes_back)
{
	struct model m = { .random = 9 };
	for (uint64_t i = 0; i < 30000; i++)
		insert(&m, next_random(&m.random), 0);
	while (m.n > 300) {
		take(&m, next_random(&m.random) % m.n);
		if (m.n % 1000 == 0)
			MUST(m.mem.used < m.n * 100 + 10000);
	}
	while (m.n > 1)
		take(&m, 0);
	MUST(m.mem.used <= 200);
	drain(&m);
}
END_TEST

START_TEST(refused_memory)
{
	struct model m = { .random = 11 };
	for (uint64_t i = 0; i < 20000; i++) {
		struct ordset_item item = new_item(&m, next_random(&m.random) % 500, 1);
		struct mem was = m.mem;
		m.mem.fail_at = m.mem.requests + 1 + i % 3;
		uint64_t at;
		if (ordset_insert(&m.set, &ORDER, &item, &m.mem, &at)) {
			m.mem.fail_at = 0;
			MUST(m.mem.used >= was.used);
			if (m.n < 500 || i % 100 == 0)
				check_all(&m);
		} else {
			m.mem.fail_at = 0;
			ordset_remove(&m.set, at, &m.mem);
		}
		free(item.row);
		insert(&m, next_random(&m.random) % 500, next_random(&m.random) % 5);
	}
	check_all(&m);
	drain(&m);
}
END_TEST

START_TEST(prefix_alone)
{
	struct ordset set = { 0 };
	struct mem mem = { 0 };
	struct ordset_order order = { 0 };
	for (uint64_t i = 0; i < 100; i++) {
		struct ordset_item item = { .prefix = i % 10, .seq = i + 1 };
		uint64_t at;
		MUST(ordset_insert(&set, &order, &item, &mem, i % 2 ? &at : NULL) == 0);
	}
	for (uint64_t i = 0; i < 100; i++)
		MUST(ordset_at(&set, i)->prefix == i / 10 && ordset_at(&set, i)->seq == i % 10 * 10 + i / 10 + 1);
	ordset_clear(&set, &mem);
	MUST(mem.used == 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { random_operations, ends, hundred_thousand_equals, memory_comes_back, refused_memory, prefix_alone };
	return RUN_TESTS("ordset", tests);
}
