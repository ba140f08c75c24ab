#include "ops/agg/valmap.h"
#include "ops/reduce.h"
#include "ops/state/snapshot.h"

/* Snapshot: number of keys; each key by first appearance: its bytes, [rows], [written], maps, accumulators. Then the open bundle: number of
 * touched keys; each: its bytes, whether it was there, the values before. */

static void put_entry(const struct op *op, struct entry *entry, struct snap_out *out)
{
	const struct reduce_conf *conf = op->conf;
	const char *state = entry_state(entry);
	uint32_t len;
	const char *key = entry_key(((const struct reduce *)op->state)->table, entry, &len);
	key_save(out, key, len);
	if (conf->retracts)
		snap_put_i64(out, *reduce_count(entry));
	if (op->ttl)
		snap_put_i64(out, *reduce_written(conf, entry));
	for (uint32_t i = 0; i < conf->ndistinct; i++)
		valmap_save((const struct valmap *)(const void *)(state + conf->distinct[i].at), conf->distinct[i].words, out);
	for (uint32_t i = 0; i < conf->nagg; i++)
		conf->agg[i].agg.type->save(&conf->agg[i].agg, state + conf->agg[i].at, out);
}

int reduce_save(const struct op *op, struct snap_out *out)
{
	const struct reduce_conf *conf = op->conf;
	const struct reduce *reduce = op->state;
	struct entry *entry;
	snap_put_u64(out, table_count(reduce->table));
	for (uint64_t pos = 0; table_next(reduce->table, &pos, &entry);)
		put_entry(op, entry, out);
	snap_put_u64(out, reduce->ntouched);
	for (uint32_t i = 0; i < reduce->ntouched; i++) {
		const struct touched *t = &reduce->touched[i];
		key_save(out, t->key, t->len);
		snap_put_u64(out, t->before != NULL);
		for (uint32_t a = 0; t->before && a < conf->nagg; a++)
			snap_put_value(out, &t->before[a]);
	}
	return out->buf->failed ? err_memory(op->err) : 0;
}

static int get_entry(struct op *op, struct entry *entry, struct snap_in *in)
{
	const struct reduce_conf *conf = op->conf;
	char *state = entry_state(entry);
	if (conf->retracts)
		*reduce_count(entry) = snap_i64(in);
	if (op->ttl)
		*reduce_written(conf, entry) = snap_i64(in);
	for (uint32_t i = 0; i < conf->ndistinct; i++)
		if (valmap_load((struct valmap *)(void *)(state + conf->distinct[i].at), conf->distinct[i].words, in, op->mem))
			return -1;
	for (uint32_t i = 0; i < conf->nagg; i++)
		if (conf->agg[i].agg.type->load(&conf->agg[i].agg, state + conf->agg[i].at, in))
			return -1;
	return 0;
}

static int get_touched(struct op *op, struct snap_in *in)
{
	const struct reduce_conf *conf = op->conf;
	struct reduce *reduce = op->state;
	struct saved_key key = key_load(in, table_seed(reduce->table));
	struct entry *entry;
	uint8_t fresh;
	if (in->bad)
		return 0;
	if (table_find(reduce->table, 1, &key.hash, &key.bytes, &key.len, false, NULL, &entry, &fresh) || reduce_touched_room(op))
		return -1;
	struct touched t = { .hash = key.hash, .len = key.len };
	t.key = arena_copy(&reduce->bundle, key.bytes, key.len == KEY_NULL ? 0 : key.len);
	bool there = snap_u64(in) != 0;
	if (there)
		t.before = arena_alloc(&reduce->bundle, conf->nagg * sizeof *t.before);
	if (!t.key || (there && !t.before))
		return -1;
	for (uint32_t a = 0; there && a < conf->nagg; a++) {
		snap_value(in, &t.before[a]);
		if (value_copy(&t.before[a], &t.before[a], &reduce->bundle))
			return -1;
	}
	if (!entry || entry->mark) {
		in->bad = true;
		return 0;
	}
	t.entry = entry;
	reduce->touched[reduce->ntouched++] = t;
	entry->mark = reduce->ntouched;
	return 0;
}

int reduce_load(struct op *op, struct snap_in *in)
{
	struct reduce *reduce = op->state;
	for (uint64_t n = snap_count(in); n && !in->bad; n--) {
		struct saved_key key = key_load(in, table_seed(reduce->table));
		struct entry *entry;
		uint8_t fresh;
		if (in->bad)
			break;
		if (table_find(reduce->table, 1, &key.hash, &key.bytes, &key.len, true, NULL, &entry, &fresh))
			return err_memory(op->err);
		in->bad = in->bad || !fresh; /* the same key twice */
		if (!in->bad && get_entry(op, entry, in))
			return err_memory(op->err);
	}
	for (uint64_t n = in->bad ? 0 : snap_count(in); n && !in->bad; n--)
		if (get_touched(op, in))
			return err_memory(op->err);
	return in->bad ? snap_done(in, op->flag, op->err) : 0;
}
