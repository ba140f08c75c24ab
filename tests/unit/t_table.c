/* The keyed table against a model: one record per possible key. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/batch.h"
#include "ops/state/table.h"
#include "state_test.h"

/* How keys hash: as they should, or so that much collides. */
enum hashing { GOOD, ALL_EQUAL, FEW, LAST_SLOT, SAME_TOP, HASHINGS };

struct known { /* what the model knows of a key */
	char *key;
	uint32_t len;
	uint64_t hash;
	bool alive;
	uint64_t born;  /* counted over all creations */
	uint64_t value; /* written to its state */
	uint32_t mark;
};

struct model {
	struct table *table;
	struct mem mem;
	size_t state_size;
	uint32_t n;
	struct known *known;
	uint64_t births, alive, random;
};

static uint64_t bend(uint64_t hash, enum hashing hashing)
{
	switch (hashing) {
	case ALL_EQUAL:
		return 0;
	case FEW:
		return (hash & 7) << 61 | (hash & 3) << 32;
	case LAST_SLOT:
		return hash | 0xfff0000000000000u;
	case SAME_TOP:
		return (hash & 0xffff00000000u) | 0x5555000000000000u;
	default:
		return hash;
	}
}

/* Key 0 is NULL, 1 empty; some hold NUL bytes, some are around the limits where the way of storing changes. */
static void make_key(struct known *k, uint32_t id, bool with_long, enum hashing hashing)
{
	static const uint32_t border[] = { 65531, 65532, 65533, 65534, 65535, 65536, 70000, 200000 };
	uint32_t len = id < 2 ? 0 : id < 300 ? 1 + id / 256 + id % 90 : 4 + id % 23;
	if (with_long && id >= 100 && id < 108)
		len = border[id - 100];
	k->key = calloc(len + 1, 1);
	k->len = len;
	memset(k->key, id % 3 ? 'x' : '\0', len);
	if (len >= 4)
		memcpy(k->key + len - 4, &id, 4);
	else if (len >= 1)
		k->key[0] = (char)id;
	k->hash = bend(XXH3_64bits_withSeed(k->key, len, 1), hashing);
	if (id == 0)
		k->len = KEY_NULL;
}

static void model_open(struct model *m, uint32_t n, size_t state_size, bool with_long, enum hashing hashing)
{
	*m = (struct model){ .n = n, .state_size = state_size, .random = n };
	m->known = calloc(n, sizeof *m->known);
	for (uint32_t i = 0; i < n; i++)
		make_key(&m->known[i], i, with_long, hashing);
	m->table = table_new(state_size, 1, &m->mem);
	MUST(m->table);
}

static void model_close(struct model *m)
{
	table_free(m->table);
	MUST(m->mem.used == 0);
	for (uint32_t i = 0; i < m->n; i++)
		free(m->known[i].key);
	free(m->known);
}

static void check_entry(struct model *m, const struct known *k, struct entry *entry)
{
	uint32_t len;
	const char *key = entry_key(m->table, entry, &len);
	MUST(len == k->len);
	MUST(len == KEY_NULL || !memcmp(key, k->key, len));
	MUST(entry->mark == k->mark);
	if (m->state_size) {
		uint64_t *state = entry_state(entry);
		MUST(state[0] == k->value);
		MUST(state[m->state_size / 8 - 1] == k->value);
	}
}

static void write_entry(struct model *m, struct known *k, struct entry *entry)
{
	k->value = next_random(&m->random);
	k->mark = (uint32_t)k->value;
	entry->mark = k->mark;
	if (m->state_size) {
		uint64_t *state = entry_state(entry);
		state[0] = state[m->state_size / 8 - 1] = k->value;
	}
}

/* One batch of random keys. Gives what table_find gave. */
static int step_find(struct model *m, uint32_t n, bool create, bool masked)
{
	uint32_t id[BATCH_MAX], len[BATCH_MAX] = { 0 };
	uint64_t hash[BATCH_MAX] = { 0 };
	const char *key[BATCH_MAX] = { 0 };
	uint8_t mask[BATCH_MAX] = { 0 }, fresh[BATCH_MAX];
	struct entry *out[BATCH_MAX];
	for (uint32_t i = 0; i < n; i++) {
		id[i] = (uint32_t)(next_random(&m->random) % m->n);
		const struct known *k = &m->known[id[i]];
		hash[i] = k->hash;
		key[i] = k->key;
		len[i] = k->len;
		mask[i] = next_random(&m->random) & 1;
	}
	int status = table_find(m->table, n, hash, key, len, create, masked ? mask : NULL, out, fresh);
	for (uint32_t i = 0; !status && i < n; i++) {
		struct known *k = &m->known[id[i]];
		bool born = !k->alive && create && (!masked || mask[i]);
		MUST(!create || fresh[i] == born);
		MUST((out[i] != NULL) == (k->alive || born));
		if (born) {
			k->alive = true;
			k->born = ++m->births;
			k->value = k->mark = 0;
			m->alive++;
			check_entry(m, k, out[i]);
		}
		for (uint32_t j = i; born && j < n; j++)
			MUST(id[j] != id[i] || out[j] == out[i]);
	}
	for (uint32_t i = 0; !status && i < n; i++)
		if (out[i] && next_random(&m->random) % 4 == 0)
			write_entry(m, &m->known[id[i]], out[i]);
	return status;
}

static struct entry *look_up(struct model *m, const struct known *k)
{
	struct entry *entry;
	MUST(table_find(m->table, 1, &k->hash, (const char *const *)&k->key, &k->len, false, NULL, &entry, NULL) == 0);
	return entry;
}

static void step_remove(struct model *m, uint32_t n)
{
	while (n--) {
		struct known *k = &m->known[next_random(&m->random) % m->n];
		if (!k->alive)
			continue;
		table_remove(m->table, look_up(m, k));
		MUST(!look_up(m, k));
		k->alive = false;
		m->alive--;
	}
}

static int by_birth(const void *a, const void *b)
{
	const struct known *x = *(struct known *const *)a, *y = *(struct known *const *)b;
	return x->born < y->born ? -1 : x->born > y->born;
}

/* Every key, and the order of all. */
static void check_all(struct model *m)
{
	struct known **order = malloc((m->alive + 1) * sizeof(struct known *));
	uint64_t n = 0, pos = 0;
	MUST(table_count(m->table) == m->alive);
	for (uint32_t i = 0; i < m->n; i++) {
		struct entry *entry = look_up(m, &m->known[i]);
		MUST((entry != NULL) == m->known[i].alive);
		if (!entry)
			continue;
		check_entry(m, &m->known[i], entry);
		order[n++] = &m->known[i];
	}
	qsort(order, n, sizeof *order, by_birth);
	struct entry *entry;
	for (uint64_t i = 0; i < n; i++) {
		MUST(table_next(m->table, &pos, &entry));
		check_entry(m, order[i], entry);
	}
	MUST(!table_next(m->table, &pos, &entry));
	free(order);
}

static void run(uint32_t keys, size_t state_size, enum hashing hashing, uint32_t rounds, uint32_t batch)
{
	struct model m;
	model_open(&m, keys, state_size, keys >= 108 && state_size < 1000, hashing);
	for (uint32_t i = 0; i < rounds; i++) {
		uint64_t what = next_random(&m.random) % 8;
		uint32_t n = (uint32_t)(next_random(&m.random) % batch) + 1;
		bool shrinking = i / 50 % 2;
		MUST(step_find(&m, n, what > 1, what == 2) == 0);
		if (what == 3 || shrinking)
			step_remove(&m, shrinking ? 2 * n : n / 2);
		if (what != 4)
			table_tick(m.table, n);
		if (i % 16 == 0)
			check_all(&m);
	}
	check_all(&m);
	model_close(&m);
}

START_TEST(random_operations)
{
	for (int h = 0; h < HASHINGS; h++) {
		run(2, 8, (enum hashing)h, 200, 4);
		run(150, 0, (enum hashing)h, 200, 64);
		run(400, 16, (enum hashing)h, 200, 200);
		run(h == GOOD ? 20000 : 900, 8, (enum hashing)h, 100, BATCH_MAX);
	}
	run(300, 5000, GOOD, 200, 100);
	run(12, 3 << 20, GOOD, 60, 4);
}
END_TEST

/* Many keys, with all that goes wrong only while both indexes are there. */
START_TEST(growth_in_slices)
{
	struct model m;
	model_open(&m, 300000, 8, false, GOOD);
	for (uint32_t i = 0; i < 1500; i++) {
		MUST(step_find(&m, BATCH_MAX, true, i % 5 == 0) == 0);
		if (i % 7 == 0)
			step_remove(&m, 500);
		table_tick(m.table, 0);
	}
	check_all(&m);
	for (uint32_t i = 0; i < 400; i++) { /* and back */
		step_remove(&m, 4 * BATCH_MAX);
		table_tick(m.table, BATCH_MAX);
	}
	check_all(&m);
	model_close(&m);
}
END_TEST

/* No tick at all: the index must grow in the middle of a batch. */
START_TEST(growth_without_ticks)
{
	struct model m;
	model_open(&m, 50000, 8, false, GOOD);
	for (uint32_t i = 0; i < 150; i++)
		MUST(step_find(&m, BATCH_MAX, true, false) == 0);
	check_all(&m);
	model_close(&m);
}
END_TEST

START_TEST(memory_comes_back)
{
	struct model m;
	model_open(&m, 40000, 64, false, GOOD);
	for (uint32_t i = 0; i < 200; i++)
		MUST(step_find(&m, BATCH_MAX, true, false) == 0);
	size_t full = m.mem.used;
	for (uint32_t i = 0; i < 400; i++) {
		step_remove(&m, BATCH_MAX);
		table_tick(m.table, BATCH_MAX);
	}
	MUST(m.alive < 100);
	MUST(m.mem.used < full / 20);
	check_all(&m);
	model_close(&m);
}
END_TEST

/* An iteration that has come to the end goes on with what is created afterwards. */
START_TEST(entries_created_meanwhile)
{
	struct model m;
	model_open(&m, 30000, 8, false, GOOD);
	uint64_t pos = 0, seen = 0;
	struct entry *entry;
	for (uint32_t i = 0; i < 100; i++) {
		MUST(step_find(&m, BATCH_MAX, true, false) == 0);
		while (table_next(m.table, &pos, &entry))
			seen++;
		MUST(seen == m.alive);
	}
	model_close(&m);
}
END_TEST

START_TEST(clean_keys)
{
	struct mem mem = { 0 };
	struct table *table = table_new(8, 5, &mem);
	static const char *const key[] = { "abc", "a\tb", "a\\", "\r", "\n", "", "" };
	static const uint32_t len[] = { 3, 3, 2, 1, 1, 0, KEY_NULL };
	static const bool clean[] = { true, false, false, false, false, true, true };
	uint64_t hash[7] = { 1, 2, 3, 4, 5, 6, 7 };
	struct entry *out[7];
	uint8_t fresh[7];
	MUST(table_seed(table) == 5);
	MUST(table_find(table, 7, hash, key, len, true, NULL, out, fresh) == 0);
	for (int i = 0; i < 7; i++)
		MUST(((out[i]->flags & ENTRY_CLEAN) != 0) == clean[i]);
	table_free(table);
}
END_TEST

/* Each request in turn is refused, and all later ones for that batch; the table is then as it was, and goes on. */
START_TEST(refused_memory)
{
	for (uint64_t after = 0; after < 60; after++) {
		struct model m;
		model_open(&m, 6000, 8, true, GOOD);
		m.mem.fail_at = m.mem.requests + 1 + after;
		int refused = 0;
		for (uint32_t i = 0; i < 60; i++) {
			if (step_find(&m, 200, true, false)) {
				check_all(&m);
				m.mem.fail_at = 0;
				refused++;
			}
			if (i % 10 == 9)
				step_remove(&m, 3000);
			table_tick(m.table, 200);
		}
		MUST(refused <= 1);
		check_all(&m);
		model_close(&m);
	}
	struct mem mem = { .fail_at = 1 };
	MUST(!table_new(8, 1, &mem));
	mem = (struct mem){ .fail_at = 2 };
	MUST(!table_new(8, 1, &mem));
	MUST(mem.used == 0);
}
END_TEST

/* What ENGINE.md promises of memory: 1.08 million keys of 8 bytes with 8 bytes of state. */
START_TEST(bytes_per_key)
{
	struct mem mem = { 0 };
	struct table *table = table_new(8, 1, &mem);
	for (uint64_t i = 0; i < 1080000; i++) {
		char text[8];
		memcpy(text, &i, sizeof text);
		const char *key = text;
		uint32_t len = 8;
		uint64_t hash = XXH3_64bits(text, 8);
		struct entry *out;
		uint8_t fresh;
		MUST(!table_find(table, 1, &hash, &key, &len, true, NULL, &out, &fresh) && fresh);
		if (i % 1000 == 0)
			table_tick(table, 1000);
	}
	MUST(mem.peak < 60u << 20);
	table_free(table);
	MUST(mem.used == 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { random_operations, growth_in_slices, growth_without_ticks, memory_comes_back, entries_created_meanwhile,
		clean_keys, refused_memory, bytes_per_key };
	return RUN_TESTS("table", tests);
}
