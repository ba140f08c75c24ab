#include <string.h>

#include "ops/agg/rows.h"
#include "ops/agg/valmap.h"
#include "ops/reduce.h"

bool reduce_expired(const struct op *op, struct entry *entry)
{
	return op->ttl && *reduce_written(op->conf, entry) <= op->now - op->ttl;
}

void reduce_empty(const struct reduce_conf *conf, struct mem *mem, struct entry *entry)
{
	char *state = entry_state(entry);
	for (uint32_t i = 0; i < conf->ndistinct; i++)
		valmap_drop((struct valmap *)(void *)(state + conf->distinct[i].at), conf->distinct[i].words, mem);
	for (uint32_t i = 0; i < conf->nagg; i++)
		agg_empty(&conf->agg[i].agg, state + conf->agg[i].at);
}

void reduce_rows_fail(struct op *op, struct reduce_rows *rows)
{
	for (uint32_t i = 0; rows->removed && i < rows->n; i++)
		if (rows->entry[i] && rows->entry[i]->flags & ENTRY_DEAD)
			reduce_empty(op->conf, op->mem, rows->entry[i]);
}

static int take_arrays(struct reduce_rows *rows, struct arena *mem)
{
	uint32_t n = rows->n;
	rows->bytes = arena_alloc(mem, n * sizeof *rows->bytes);
	rows->len = arena_alloc(mem, n * sizeof *rows->len);
	rows->hash = arena_alloc(mem, n * sizeof *rows->hash);
	rows->entry = arena_alloc(mem, n * sizeof(struct entry *));
	rows->fresh = arena_alloc(mem, n);
	return rows->bytes && rows->len && rows->hash && rows->entry && rows->fresh ? 0 : -1;
}

/* Without --keyby all rows share one key: it is looked up once, and created by the first row that adds. */
static int find_global(struct table *table, const uint8_t *adds, struct reduce_rows *rows)
{
	struct entry *entry;
	uint32_t from = 0;
	if (table_find(table, 1, rows->hash, rows->bytes, rows->len, false, NULL, &entry, rows->fresh))
		return -1;
	memset(rows->fresh, 0, rows->n);
	if (!entry) {
		while (adds && from < rows->n && !adds[from])
			rows->entry[from++] = NULL;
		if (from < rows->n && table_find(table, 1, rows->hash, rows->bytes, rows->len, true, NULL, &entry, &rows->fresh[from]))
			return -1;
	}
	for (uint32_t i = from; i < rows->n; i++)
		rows->entry[i] = entry;
	return 0;
}

static int find_keys(struct op *op, const uint8_t *adds, struct reduce_rows *rows)
{
	const struct reduce_conf *conf = op->conf;
	struct table *table = ((struct reduce *)op->state)->table;
	if (conf->key.n)
		return key_rows(&conf->key, rows->in, table_seed(table), rows->bytes, rows->len, rows->hash)
		       || table_find(table, rows->n, rows->hash, rows->bytes, rows->len, true, adds, rows->entry, rows->fresh) ? -1 : 0;
	struct batch one = *rows->in;
	one.n = 1;
	if (key_rows(&conf->key, &one, table_seed(table), rows->bytes, rows->len, rows->hash))
		return -1;
	for (uint32_t i = 1; i < rows->n; i++) {
		rows->bytes[i] = rows->bytes[0];
		rows->len[i] = rows->len[0];
		rows->hash[i] = rows->hash[0];
	}
	return find_global(table, adds, rows);
}

/* A key that is created anew at row i stands before the keys that were already created for later rows: those are removed (they are still empty) and
 * created again when their row comes. */
static void create_later(struct table *table, struct reduce_rows *rows, uint32_t i)
{
	if (rows->in_turn)
		return;
	rows->in_turn = true;
	while (++i < rows->n)
		if (rows->fresh[i])
			table_remove(table, rows->entry[i]);
}

/* The key of a row anew, after the entry that was found for it has been removed. */
static int find_again(struct op *op, struct reduce_rows *rows, uint32_t i, bool adds)
{
	struct table *table = ((struct reduce *)op->state)->table;
	if (adds)
		create_later(table, rows, i);
	rows->fresh[i] = 0;
	return table_find(table, 1, &rows->hash[i], &rows->bytes[i], &rows->len[i], adds, NULL, &rows->entry[i], &rows->fresh[i]);
}

/* Makes sure that the entry of a row is neither removed nor forgotten. */
static int renew(struct op *op, struct reduce_rows *rows, uint32_t i, bool adds)
{
	struct entry *entry = rows->entry[i];
	if (entry && entry->flags & ENTRY_DEAD) {
		if (find_again(op, rows, i, adds))
			return -1;
		entry = rows->entry[i];
	}
	if (!op->ttl || !entry || rows->fresh[i] || entry->mark || !reduce_expired(op, entry))
		return 0;
	reduce_empty(op->conf, op->mem, entry);
	table_remove(((struct reduce *)op->state)->table, entry);
	return find_again(op, rows, i, adds);
}

/* Counts a row of a key that is there: the action. */
static uint8_t count_row(struct op *op, struct reduce_rows *rows, uint32_t i, bool adds)
{
	const struct reduce_conf *conf = op->conf;
	struct entry *entry = rows->entry[i];
	if (!conf->retracts)
		return rows->fresh[i] ? ACT_FIRST : ACT_ADD;
	int64_t *n = reduce_count(entry);
	if (adds)
		return (*n)++ ? ACT_ADD : ACT_FIRST;
	if (--*n)
		return ACT_SUB;
	if (!entry->mark) {
		table_remove(((struct reduce *)op->state)->table, entry);
		rows->removed = true;
	}
	return ACT_SUB | ACT_LAST;
}

/* One row; sets its action. */
static int act_row(struct op *op, struct reduce_rows *rows, uint32_t i, bool adds)
{
	const struct reduce_conf *conf = op->conf;
	rows->act[i] = ACT_SKIP;
	if (renew(op, rows, i, adds))
		return -1;
	struct entry *entry = rows->entry[i];
	if (!entry || (!adds && !*reduce_count(entry))) {
		rows->entry[i] = NULL;
		op->ignored++;
		return 0;
	}
	if (op->bundled && !op->final && !entry->mark && reduce_touch(op, entry, rows, i))
		return -1;
	if (op->ttl)
		*reduce_written(conf, entry) = op->now;
	rows->act[i] = count_row(op, rows, i, adds);
	return 0;
}

static uint8_t *adding_rows(const struct batch *in)
{
	uint8_t *adds = arena_alloc(in->mem, in->n);
	for (uint32_t i = 0; adds && i < in->n; i++)
		adds[i] = kind_adds(in->kind[i]);
	return adds;
}

/* For a bundle of rows that only add: nothing but which keys it touches. */
static int touch_rows(struct op *op, const struct reduce_rows *rows)
{
	for (uint32_t i = 0; i < rows->n; i++)
		if (!rows->entry[i]->mark && reduce_touch(op, rows->entry[i], rows, i))
			return -1;
	return 0;
}

int reduce_rows_find(struct op *op, const struct batch *in, struct reduce_rows *rows)
{
	const struct reduce_conf *conf = op->conf;
	*rows = (struct reduce_rows){ .in = in, .n = in->n };
	uint8_t *adds = conf->retracts && in->kind ? adding_rows(in) : NULL;
	if ((conf->retracts && in->kind && !adds) || take_arrays(rows, in->mem) || find_keys(op, adds, rows))
		return -1;
	if ((op->final || op->bundled) && !conf->retracts && !op->ttl)
		return op->final ? 0 : touch_rows(op, rows);
	rows->act = arena_alloc(in->mem, rows->n);
	if (!rows->act)
		return -1;
	if (!conf->retracts && !op->ttl) {
		for (uint32_t i = 0; i < rows->n; i++)
			rows->act[i] = rows->fresh[i] ? ACT_FIRST : ACT_ADD;
		return 0;
	}
	memset(rows->act, ACT_SKIP, rows->n);
	for (uint32_t i = 0; i < rows->n; i++)
		if (act_row(op, rows, i, !adds || adds[i]))
			return -1;
	return 0;
}
