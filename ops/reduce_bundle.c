#include <string.h>

#include "ops/reduce.h"

/* Values of all aggregates of a key; texts are borrowed from it or in mem. */
static int values_of(const struct op *op, struct entry *entry, struct value *out, struct arena *mem)
{
	const struct reduce_conf *conf = op->conf;
	for (uint32_t i = 0; i < conf->nagg; i++) {
		const struct agg *agg = &conf->agg[i].agg;
		if (agg->type->value(agg, (char *)entry_state(entry) + conf->agg[i].at, &out[i], mem))
			return -1;
	}
	return 0;
}

int reduce_touched_room(struct op *op)
{
	struct reduce *reduce = op->state;
	if (reduce->ntouched < reduce->cap)
		return 0;
	uint32_t cap = reduce->cap ? 2 * reduce->cap : 64;
	struct touched *more = mem_resize(op->mem, reduce->touched, reduce->cap * sizeof *more, cap * sizeof *more);
	if (!more)
		return -1;
	reduce->touched = more;
	reduce->cap = cap;
	return 0;
}

int reduce_touch(struct op *op, struct entry *entry, const struct reduce_rows *rows, uint32_t row)
{
	struct reduce *reduce = op->state;
	const struct reduce_conf *conf = op->conf;
	struct touched t = { .hash = rows->keys.hash[row], .entry = entry, .len = rows->keys.len[row] };
	if (reduce_stays(op))
		t.key = entry_key(reduce->table, entry, &t.len);
	else
		t.key = arena_copy(&reduce->bundle, rows->keys.bytes[row], t.len == KEY_NULL ? 0 : t.len);
	if (!t.key || reduce_touched_room(op))
		return -1;
	if (!rows->keys.fresh[row]) {
		t.before = arena_alloc(&reduce->bundle, conf->nagg * sizeof *t.before);
		if (!t.before || values_of(op, entry, t.before, &reduce->bundle))
			return -1;
		for (uint32_t i = 0; i < conf->nagg; i++)
			if (t.before[i].type != V_DEC && value_copy(&t.before[i], &t.before[i], &reduce->bundle))
				return -1;
	}
	reduce->touched[reduce->ntouched++] = t;
	entry->mark = reduce->ntouched;
	return 0;
}

static bool same(const struct value *a, const struct value *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		bool decimals = a[i].type == V_DEC && b[i].type == V_DEC;
		if (decimals ? a[i].u.i != b[i].u.i || a[i].scale != b[i].scale : !value_same(&a[i], &b[i]))
			return false;
	}
	return true;
}

/* The one change that a key's rows of the bundle come to. */
static int flush_key(struct op *op, const struct touched *t, struct entry *entry, struct value *row)
{
	const struct reduce_conf *conf = op->conf;
	struct value *key = row, *after = row + conf->key.n;
	bool gone = conf->retracts && !*reduce_count(entry);
	entry->mark = 0;
	if (gone)
		table_remove(((struct reduce *)op->state)->table, entry);
	else if (op->ttl)
		*reduce_written(conf, entry) = op_time(op);
	if (gone && !t->before)
		return 0;
	if (edge_room(op->out, 2))
		return -1;
	if (!gone && values_of(op, entry, after, op->out->batch.mem))
		return err_memory(op->err);
	if (!gone && t->before && !op->ttl && same(t->before, after, conf->nagg))
		return 0;
	key_values(&conf->key, t->key, t->len, entry->flags & ENTRY_CLEAN, key);
	if (gone) {
		reduce_emit(op, K_D, key, t->before, 1);
	} else if (!t->before) {
		reduce_emit(op, K_I, key, after, 1);
	} else {
		if (op->before)
			reduce_emit(op, K_UB | K_PAIR, key, t->before, 1);
		reduce_emit(op, K_UA, key, after, 1);
	}
	return 0;
}

/* The entries of up to BATCH_MAX touched keys. */
static int find_touched(struct op *op, uint32_t from, uint32_t n, struct entry **entry)
{
	const struct reduce *reduce = op->state;
	if (reduce_stays(op)) {
		for (uint32_t i = 0; i < n; i++)
			entry[i] = reduce->touched[from + i].entry;
		return 0;
	}
	uint64_t hash[BATCH_MAX];
	const char *key[BATCH_MAX];
	uint32_t len[BATCH_MAX];
	uint8_t fresh[BATCH_MAX];
	for (uint32_t i = 0; i < n; i++) {
		const struct touched *t = &reduce->touched[from + i];
		hash[i] = t->hash;
		key[i] = t->key;
		len[i] = t->len;
	}
	return table_find(reduce->table, n, hash, key, len, false, NULL, entry, fresh);
}

static struct value *row_buffer(struct op *op)
{
	const struct reduce_conf *conf = op->conf;
	struct reduce *reduce = op->state;
	return arena_alloc(&reduce->bundle, (conf->key.n + conf->nagg) * sizeof(struct value));
}

int reduce_flush(struct op *op)
{
	struct reduce *reduce = op->state;
	struct entry *entry[BATCH_MAX];
	uint32_t rows = reduce->ntouched;
	struct value *row = rows ? row_buffer(op) : NULL;
	if (!rows)
		return 0;
	if (!row)
		return err_memory(op->err);
	for (uint32_t from = 0, n; from < rows; from += n) {
		n = rows - from < BATCH_MAX ? rows - from : BATCH_MAX;
		if (find_touched(op, from, n, entry))
			return err_memory(op->err);
		for (uint32_t i = 0; i < n; i++)
			if (flush_key(op, &reduce->touched[from + i], entry[i], row))
				return -1;
	}
	if (edge_push(op->out))
		return -1;
	reduce->ntouched = 0;
	arena_reset(&reduce->bundle);
	table_tick(reduce->table, rows);
	return 0;
}

/* Without a key the result is a row even of nothing. */
static int empty_result(struct op *op, struct value *row)
{
	const struct reduce_conf *conf = op->conf;
	struct reduce *reduce = op->state;
	struct entry *none = arena_alloc(&reduce->bundle, sizeof *none + conf->state_size);
	if (!none)
		return err_memory(op->err);
	memset(none, 0, sizeof *none + conf->state_size);
	if (edge_room(op->out, 1))
		return -1;
	if (values_of(op, none, row, op->out->batch.mem))
		return err_memory(op->err);
	reduce_emit(op, K_I, NULL, row, 1);
	return 0;
}

int reduce_result(struct op *op)
{
	const struct reduce_conf *conf = op->conf;
	struct reduce *reduce = op->state;
	struct value *row = row_buffer(op);
	struct entry *entry;
	bool some = false;
	if (!row)
		return err_memory(op->err);
	for (uint64_t pos = 0; table_next(reduce->table, &pos, &entry);) {
		if (op_expired(op, *reduce_written(conf, entry)))
			continue;
		uint32_t len;
		const char *key = entry_key(reduce->table, entry, &len);
		some = true;
		if (edge_room(op->out, 1))
			return -1;
		key_values(&conf->key, key, len, entry->flags & ENTRY_CLEAN, row);
		if (values_of(op, entry, row + conf->key.n, op->out->batch.mem))
			return err_memory(op->err);
		reduce_emit(op, K_I, row, row + conf->key.n, 1);
	}
	if (!some && !conf->key.n && empty_result(op, row))
		return -1;
	return edge_push(op->out);
}
