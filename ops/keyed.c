#include "ops/keyed.h"

#include <string.h>

struct table *keyed_table(struct op *op, size_t state_size)
{
	/* Where memory lies differs from run to run, and nothing that depends on the seed shows. */
	struct table *table = table_new(state_size, (uint64_t)(uintptr_t)op->state * UINT64_C(0x9e3779b97f4a7c15), op->mem);
	op->keys = table;
	return table;
}

/* ---- the keys of a batch ----------------------------------------------------------------- */

static int take_arrays(struct keyed *keyed, struct arena *mem)
{
	uint32_t n = keyed->n;
	keyed->bytes = arena_alloc(mem, n * sizeof *keyed->bytes);
	keyed->len = arena_alloc(mem, n * sizeof *keyed->len);
	keyed->hash = arena_alloc(mem, n * sizeof *keyed->hash);
	keyed->entry = arena_alloc(mem, n * sizeof(struct entry *));
	keyed->fresh = arena_alloc(mem, n);
	return keyed->bytes && keyed->len && keyed->hash && keyed->entry && keyed->fresh ? 0 : -1;
}

static int find_adding(struct keyed *keyed, const struct batch *batch)
{
	uint8_t *adds = arena_alloc(batch->mem, batch->n);
	for (uint32_t r = 0; adds && r < batch->n; r++)
		adds[r] = kind_adds(batch->kind[r]);
	keyed->adds = adds;
	return adds ? 0 : -1;
}

static int find_one(struct keyed *keyed, uint32_t r, bool create)
{
	return table_find(keyed->table, 1, &keyed->hash[r], &keyed->bytes[r], &keyed->len[r], create, NULL, &keyed->entry[r], &keyed->fresh[r]);
}

/* Without --keyby all rows share one key: it is looked up once, and made by the first row that adds. */
static int find_global(struct keyed *keyed, const struct key *key, const struct batch *batch)
{
	struct batch one = *batch;
	one.n = 1;
	if (key_rows(key, &one, table_seed(keyed->table), keyed->bytes, keyed->len, keyed->hash) || find_one(keyed, 0, false))
		return -1;
	struct entry *entry = keyed->entry[0];
	memset(keyed->fresh, 0, keyed->n);
	for (uint32_t r = 0; r < keyed->n; r++) {
		keyed->bytes[r] = keyed->bytes[0];
		keyed->len[r] = keyed->len[0];
		keyed->hash[r] = keyed->hash[0];
		if (!entry && keyed_adds(keyed, r)) {
			if (find_one(keyed, r, true))
				return -1;
			entry = keyed->entry[r];
		}
		keyed->entry[r] = entry;
	}
	return 0;
}

int keyed_find(struct keyed *keyed, struct table *table, const struct key *key, const struct batch *batch, bool retracts)
{
	*keyed = (struct keyed){ .table = table, .n = batch->n };
	if (take_arrays(keyed, batch->mem) || (retracts && batch->kind && find_adding(keyed, batch)))
		return -1;
	if (!key->n)
		return find_global(keyed, key, batch);
	if (key_rows(key, batch, table_seed(table), keyed->bytes, keyed->len, keyed->hash))
		return -1;
	return table_find(table, keyed->n, keyed->hash, keyed->bytes, keyed->len, true, keyed->adds, keyed->entry, keyed->fresh);
}

/* Keys that were made ahead for rows behind r make room: each is made anew when its row comes. */
static void make_in_turn(struct keyed *keyed, uint32_t r)
{
	if (keyed->in_turn)
		return;
	keyed->in_turn = true;
	while (++r < keyed->n)
		if (keyed->fresh[r])
			table_remove(keyed->table, keyed->entry[r]);
}

int keyed_again(struct keyed *keyed, uint32_t r)
{
	bool adds = keyed_adds(keyed, r);
	if (adds)
		make_in_turn(keyed, r);
	keyed->fresh[r] = 0;
	return find_one(keyed, r, adds);
}

/* ---- --ttl ------------------------------------------------------------------------------- */

int keyed_sweep(struct op *op, struct keyed_sweep *sweep, struct table *table, uint32_t rows)
{
	if (!op->ttl)
		return 0;
	sweep->rows += rows;
	if (2 * sweep->rows < table_count(table) || !op_expired(op, sweep->oldest))
		return 0;
	struct entry *entry;
	int64_t oldest = op_time(op);
	for (uint64_t pos = 0; table_next(table, &pos, &entry);) {
		int64_t written = *(const int64_t *)(const void *)((const char *)entry_state(entry) + sweep->written_at);
		if (entry->mark || !op_expired(op, written))
			oldest = written < oldest ? written : oldest;
		else if (sweep->forget(op, entry))
			return -1;
	}
	sweep->oldest = oldest;
	sweep->rows = 0;
	return 0;
}
