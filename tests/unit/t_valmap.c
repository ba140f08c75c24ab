/* The map of values against an array: what is in it, in which order, with which words; snapshots; refused memory. */
#include <stdio.h>
#include <stdlib.h>

#include "core/arena.h"
#include "core/buf.h"
#include "ops/agg/valmap.h"
#include "ops/state/snapshot.h"
#include "state_test.h"

enum { WORDS = 2, VALUES = 300 };

/* Values by number, some of them longer than a cell; the model has their numbers in order, and the second word of each. */
struct model {
	int at[VALUES], n;
	int64_t word[VALUES];
};

static struct value value_no(int i, char text[40])
{
	if (i == 0)
		return value_null();
	if (i % 3 == 0)
		return value_int(i);
	int n = snprintf(text, 40, i % 3 == 1 ? "%d" : "a text that is long, number %d", i);
	return i % 2 ? value_raw(text, (uint32_t)n) : value_text(text, (uint32_t)n);
}

static void model_remove(struct model *m, int i)
{
	int at = 0;
	while (m->at[at] != i)
		at++;
	for (m->n--; at < m->n; at++)
		m->at[at] = m->at[at + 1];
	m->word[i] = 0;
}

static void check(const struct valmap *map, const struct model *m)
{
	struct value v;
	char text[40];
	int64_t *words;
	int n = 0;
	MUST(map->n == (uint32_t)m->n);
	for (uint32_t i = 0; (words = valmap_next(map, &i, WORDS, &v)); n++) {
		struct value want = value_no(m->at[n], text);
		MUST(value_same(&v, &want) && words[1] == m->word[m->at[n]]);
		MUST(valmap_get(map, &want, WORDS) == words);
	}
	MUST(n == m->n);
}

/* One change; few values come often, so that a small map comes and goes. */
static void change(struct valmap *map, struct model *m, int range, uint64_t *random, struct mem *mem)
{
	char text[40];
	int i = (int)(next_random(random) % (uint64_t)range);
	struct value v = value_no(i, text);
	int64_t *words = valmap_get(map, &v, WORDS);
	MUST((words != NULL) == (m->word[i] != 0));
	if (words && next_random(random) % 2) {
		valmap_remove(map, words, WORDS, mem);
		model_remove(m, i);
		return;
	}
	words = valmap_put(map, &v, WORDS, mem);
	if (!words)
		return;
	if (!m->word[i])
		m->at[m->n++] = i;
	m->word[i] += 1 + i;
	MUST(!words[0]);
	words[1] += 1 + i;
}

START_TEST(test_as_an_array)
{
	static const int ranges[] = { 2, 6, 12, 40, VALUES };
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct mem mem = { 0 };
		struct valmap map = { 0 };
		struct model m = { 0 };
		uint64_t random = seed;
		for (int k = 0; k < 1000; k++) {
			change(&map, &m, ranges[seed % 5], &random, &mem);
			if (k % 16 == 0)
				check(&map, &m);
		}
		check(&map, &m);
		valmap_drop(&map, WORDS, &mem);
		MUST(!mem.used);
	}
}
END_TEST

/* A refused change changes nothing. */
START_TEST(test_refused_memory)
{
	for (uint64_t nth = 1; nth < 200; nth++) {
		struct mem mem = { .fail_at = nth };
		struct valmap map = { 0 };
		struct model m = { 0 };
		uint64_t random = nth;
		for (int k = 0; k < 300; k++)
			change(&map, &m, 40, &random, &mem);
		check(&map, &m);
		valmap_drop(&map, WORDS, &mem);
		MUST(!mem.used);
	}
}
END_TEST

START_TEST(test_snapshot)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct mem mem = { 0 };
		struct arena arena;
		struct valmap map = { 0 }, loaded = { 0 };
		struct model m = { 0 };
		struct buf buf;
		struct snap_out out = { &buf };
		uint64_t random = seed;
		arena_init(&arena, &mem);
		buf_init(&buf, &mem);
		for (uint64_t k = 0; k < seed * 20; k++)
			change(&map, &m, VALUES, &random, &mem);
		valmap_save(&map, WORDS, &out);
		struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &arena };
		MUST(!valmap_load(&loaded, WORDS, &in, &mem) && !in.bad && in.p == in.end);
		check(&loaded, &m);
		valmap_drop(&map, WORDS, &mem);
		valmap_drop(&loaded, WORDS, &mem);
		buf_release(&buf);
		arena_release(&arena);
		MUST(!mem.used);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_as_an_array, test_refused_memory, test_snapshot };
	return RUN_TESTS("valmap", tests);
}
