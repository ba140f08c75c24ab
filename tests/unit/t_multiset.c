/* The multiset against a list of all values it may hold, in order, each with its count. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "ops/agg/multiset.h"
#include "ops/state/snapshot.h"
#include "state_test.h"

enum { VALUES = 30000, TEXTS = 400 };

struct model {
	struct multiset ms;
	struct mem mem;
	struct arena texts;
	uint64_t random;
	uint32_t n; /* values in use */
	int64_t weight;
	struct value value[VALUES];
	int64_t count[VALUES];
};

/* Numbers, whose prefixes differ, and texts, of which TEXTS share one. */
static struct model *new_model(uint64_t seed, uint32_t n, bool texts)
{
	struct model *m = calloc(1, sizeof *m);
	arena_init(&m->texts, &m->mem);
	m->random = seed;
	m->n = n;
	for (uint32_t i = 0; i < n; i++) {
		char text[40];
		int len = snprintf(text, sizeof text, "%06u a longer text %06u", i / TEXTS, i);
		char *copy = texts ? arena_copy(&m->texts, text, (size_t)len) : NULL;
		m->value[i] = texts ? value_text(copy, (uint32_t)len) : value_int((int64_t)i - n / 2);
	}
	return m;
}

static void free_model(struct model *m)
{
	ms_drop(&m->ms, &m->mem);
	arena_release(&m->texts);
	MUST(m->mem.used == 0 && !m->ms.root);
	free(m);
}

static int64_t above_0(int64_t n) { return n > 0 ? n : 0; }

static uint32_t below(struct model *m, uint32_t n) { return (uint32_t)(next_random(&m->random) % n); }

static int add(struct model *m, uint32_t i, int64_t by)
{
	if (ms_add(&m->ms, &m->value[i], by, &m->mem))
		return -1;
	m->weight += above_0(m->count[i] + by) - above_0(m->count[i]);
	m->count[i] += by;
	MUST(m->ms.weight == m->weight);
	return 0;
}

static void must_be(const struct model *m, struct value have, int64_t i)
{
	if (i < 0 || i >= m->n)
		MUST(have.type == V_NULL);
	else
		MUST(have.type != V_NULL && !cell_order(&have, &m->value[i]));
}

/* A rank now and then, the ends, and those outside. */
static void check(const struct model *m)
{
	int64_t rank = 0, least = -1, most = -1, step = 1 + m->weight / 500;
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->count[i] <= 0)
			continue;
		least = least < 0 ? i : least;
		most = i;
		for (int64_t next = rank + 1; next <= rank + m->count[i]; next++)
			if (next % step == 0 || next == rank + 1)
				must_be(m, ms_rank(&m->ms, next), i);
		rank += m->count[i];
	}
	must_be(m, ms_least(&m->ms), least);
	must_be(m, ms_most(&m->ms), most);
	must_be(m, ms_rank(&m->ms, m->weight + 1), -1);
}

/* Growing, changing, and shrinking to nothing, in order or not. */
static void run(uint64_t seed, uint32_t n, bool texts, int order)
{
	struct model *m = new_model(seed, n, texts);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = order == 0 ? k : order == 1 ? n - 1 - k : below(m, n);
		MUST(!add(m, i, 1));
		if (k % (n / 4 + 1) == 0)
			check(m);
	}
	for (uint32_t k = 0; k < 2 * n; k++)
		MUST(!add(m, below(m, n), (int64_t)below(m, 5) - 2 ? 1 : -1));
	check(m);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = order == 0 ? k : order == 1 ? n - 1 - k : (uint32_t)((uint64_t)k * 7919 % n);
		if (m->count[i])
			MUST(!add(m, i, -m->count[i]));
		if (k % (n / 8 + 1) == 0) {
			check(m);
			for (uint32_t again = 0; again < n / 20; again++)
				MUST(!add(m, below(m, n), (int64_t)below(m, 3) - 1 ? 1 : -2));
			check(m);
		}
	}
	for (uint32_t i = 0; i < n; i++)
		if (m->count[i])
			MUST(!add(m, i, -m->count[i]));
	MUST(!m->ms.root && !m->ms.weight);
	free_model(m);
}

START_TEST(test_random)
{
	static const uint32_t size[] = { 1, 2, 3, 127, 129, 300, 5000, VALUES };
	for (uint32_t s = 0; s < sizeof size / sizeof *size; s++)
		for (int texts = 0; texts < 2; texts++)
			for (int order = 0; order < 3; order++)
				run(s * 10 + (uint64_t)order, size[s], texts, order);
}
END_TEST

/* Values taken back before they came count for nothing, however many they are. */
START_TEST(test_below_zero)
{
	struct model *m = new_model(1, VALUES, false);
	for (uint32_t i = 0; i < VALUES; i++)
		MUST(!add(m, i, -1));
	check(m);
	for (int k = 0; k < 20; k++) {
		MUST(!add(m, below(m, VALUES), 3));
		check(m);
	}
	free_model(m);
}
END_TEST

/* Where memory is refused, all is as before; and it goes on once there is some again. */
START_TEST(test_refused_memory)
{
	struct model *m = new_model(2, VALUES, true);
	unsigned refused = 0;
	for (uint32_t k = 0; k < VALUES; k++) {
		uint32_t i = k < VALUES / 2 ? k : below(m, VALUES);
		struct mem *mem = &m->mem;
		for (uint64_t at = 1;; at++) {
			mem->fail_at = mem->requests + at;
			size_t used = mem->used;
			if (!add(m, i, 1))
				break;
			refused++;
			MUST(m->ms.weight == m->weight && mem->used >= used);
			if (at > 1) /* not only the copy of the text: the tree may have split */
				must_be(m, ms_rank(&m->ms, m->weight + 1), -1);
			if (at > 2 || k % 5000 == 0)
				check(m);
		}
		mem->fail_at = 0;
	}
	MUST(refused > VALUES / 2);
	check(m);
	free_model(m);
}
END_TEST

START_TEST(test_save_load_merge)
{
	for (uint32_t n = 1; n <= VALUES; n = n * 5 + 1) {
		struct model *m = new_model(n, n, n % 2);
		for (uint32_t k = 0; k < 2 * n; k++)
			MUST(!add(m, below(m, n), below(m, 3) ? 2 : -1));
		struct buf buf;
		buf_init(&buf, &m->mem);
		ms_save(&m->ms, &(struct snap_out){ &buf });
		struct multiset saved = m->ms;
		m->ms = (struct multiset){ 0 };
		struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &m->texts };
		MUST(!ms_load(&m->ms, &in, &m->mem) && !in.bad && in.p == in.end);
		check(m);
		MUST(!ms_merge(&m->ms, &saved, -1, &m->mem) && !m->ms.root);
		MUST(!ms_merge(&m->ms, &saved, 1, &m->mem));
		check(m);
		ms_drop(&saved, &m->mem);
		buf_release(&buf);
		free_model(m);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_random, test_below_zero, test_refused_memory, test_save_load_merge };
	return RUN_TESTS("multiset", tests);
}
