/* Nanoseconds per row and bytes per key of the keyed table and the ordered set. Prints; judges nothing.
 *
 *     cc -O2 -D_GNU_SOURCE -I. tests/bench/bench_table.c build/.../libweir.a -lxxhash && ./a.out */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/batch.h"
#include "ops/state/ordset.h"
#include "ops/state/table.h"

enum { KEY_ROOM = 24 };

static double cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t next_random(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15u;
	uint64_t z = *state;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* rows of keys 0..keys-1 in random order, `width` bytes each */
struct rows {
	uint32_t n, width;
	char (*text)[KEY_ROOM];
	const char **key;
	uint32_t *len;
	uint64_t *hash;
};

static struct rows make_rows(uint32_t n, uint32_t keys, uint32_t width)
{
	struct rows rows = { n, width, malloc(n * sizeof *rows.text), malloc(n * sizeof *rows.key), malloc(n * sizeof *rows.len), malloc(n * sizeof *rows.hash) };
	uint64_t state = 1;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t k = next_random(&state) % keys;
		snprintf(rows.text[i], KEY_ROOM, "%0*" PRIu64, (int)width, k);
		rows.key[i] = rows.text[i];
		rows.len[i] = width;
		rows.hash[i] = XXH3_64bits_withSeed(rows.key[i], width, 7);
	}
	return rows;
}

static void pass(struct table *table, const struct rows *rows, double *worst)
{
	struct entry *out[BATCH_MAX];
	uint8_t fresh[BATCH_MAX];
	for (uint32_t i = 0; i < rows->n; i += BATCH_MAX) {
		uint32_t n = rows->n - i < BATCH_MAX ? rows->n - i : BATCH_MAX;
		double t0 = cpu_ns();
		if (table_find(table, n, rows->hash + i, rows->key + i, rows->len + i, true, NULL, out, fresh))
			abort();
		for (uint32_t r = 0; r < n; r++)
			++*(uint64_t *)entry_state(out[r]);
		table_tick(table, n);
		double t = cpu_ns() - t0;
		*worst = t > *worst ? t : *worst;
	}
}

static void bench_table(uint32_t n, uint32_t keys, uint32_t width, int repeat)
{
	struct rows rows = make_rows(n, keys, width);
	struct mem mem = { 0 };
	double create = 1e18, find = 1e18, worst = 0, idle = 0;
	uint64_t count = 0;
	for (int k = 0; k < repeat; k++) {
		struct table *table = table_new(8, 7, &mem);
		double t0 = cpu_ns();
		pass(table, &rows, &worst);
		double t1 = cpu_ns();
		pass(table, &rows, &idle);
		double t2 = cpu_ns();
		create = t1 - t0 < create ? t1 - t0 : create;
		find = t2 - t1 < find ? t2 - t1 : find;
		count = table_count(table);
		if (k + 1 == repeat)
			printf("%8" PRIu64 " keys of %2u bytes: first pass %5.1f, second %5.1f ns/row; worst batch %.2f ms; %.1f MB = %.1f B/key, peak %.1f MB\n",
				count, width, create / n, find / n, worst / 1e6, (double)mem.used / 1e6, (double)mem.used / (double)count, (double)mem.peak / 1e6);
		table_free(table);
	}
	free(rows.text);
	free(rows.key);
	free(rows.len);
	free(rows.hash);
}

static void bench_ordset(uint64_t n)
{
	struct mem mem = { 0 };
	struct ordset set = { 0 };
	struct ordset_order order = { 0 };
	uint64_t state = 1, at;
	double t0 = cpu_ns();
	for (uint64_t i = 0; i < n; i++) {
		struct ordset_item item = { .prefix = next_random(&state), .seq = i + 1 };
		if (ordset_insert(&set, &order, &item, &mem, &at))
			abort();
	}
	double t1 = cpu_ns();
	size_t used = mem.used;
	for (uint64_t i = 0; i < n; i++)
		ordset_remove(&set, next_random(&state) % set.n, &mem);
	double t2 = cpu_ns();
	printf("%8" PRIu64 " items: insert %5.1f, remove %5.1f ns; %.1f bytes per item\n", n, (t1 - t0) / (double)n, (t2 - t1) / (double)n, (double)used / (double)n);
}

int main(void)
{
	bench_table(1 << 15, 1000, 8, 50);
	bench_table(1 << 15, 1000, 20, 50);
	bench_table(4 << 20, 1080000, 8, 2);
	bench_table(4 << 20, 1080000, 20, 2);
	bench_table(8 << 20, 570000, 20, 1);
	bench_ordset(10);
	bench_ordset(60);
	bench_ordset(1000);
	bench_ordset(100000);
	bench_ordset(1000000);
	return 0;
}
