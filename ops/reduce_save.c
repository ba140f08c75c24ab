#include "ops/reduce.h"
#include "ops/state/snapshot.h"

/* Snapshot: number of keys; each key by first appearance: its bytes, [rows], [written], accumulators. Then the open bundle: number of
 * touched keys; each: its bytes, whether it was there, the values before. */

static void put_entry(const struct op *op, struct entry *entry, struct snap_out *out)
{
	const struct reduce_conf *conf = op->conf;
	uint32_t len;
	const char *key = entry_key(((const struct reduce *)op->state)->table, entry, &len);
	key_save(out, key, len);
	if (conf->accs.retracts)
		snap_put_i64(out, *reduce_count(entry));
	if (op->ttl)
		snap_put_i64(out, *reduce_written(conf, entry));
	accs_save(&conf->accs, reduce_block(conf, entry), out);
}

static void put_touched(const struct op *op, const struct touched *t, uint32_t i, struct snap_out *out)
{
	const struct reduce_conf *conf = op->conf;
	uint32_t len = t->entry ? 0 : t->len[i];
	const char *key = t->entry ? entry_key(((const struct reduce *)op->state)->table, t->entry[i], &len) : t->key[i];
	key_save(out, key, len);
	snap_put_u64(out, !t->fresh[i]);
	for (uint32_t a = 0; !t->fresh[i] && a < conf->accs.nagg; a++)
		snap_put_value(out, &t->before[a * t->n + i]);
}

int reduce_save(const struct op *op, struct snap_out *out)
{
	const struct reduce *reduce = op->state;
	struct entry *entry;
	snap_put_u64(out, table_count(reduce->table));
	for (uint64_t pos = 0; table_next(reduce->table, &pos, &entry);)
		put_entry(op, entry, out);
	snap_put_u64(out, reduce->ntouched);
	for (const struct touched *t = reduce->touched; t; t = t->next)
		for (uint32_t i = 0; i < t->n; i++)
			put_touched(op, t, i, out);
	return out->buf->failed ? err_memory(op->err) : 0;
}

static int get_entry(struct op *op, struct entry *entry, struct snap_in *in)
{
	const struct reduce_conf *conf = op->conf;
	if (conf->accs.retracts)
		*reduce_count(entry) = snap_i64(in);
	if (op->ttl)
		*reduce_written(conf, entry) = snap_i64(in);
	if (conf->closing.on && closing_add(&((struct reduce *)op->state)->closing, entry))
		return -1;
	return accs_load(&conf->accs, reduce_block(conf, entry), in);
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
	struct touched *t = reduce_touched(op, 1);
	if (!t || table_find(reduce->table, 1, &key.hash, &key.bytes, &key.len, false, NULL, &entry, &fresh))
		return -1;
	if (t->entry) {
		t->entry[0] = entry;
	} else {
		t->hash[0] = key.hash;
		t->len[0] = key.len;
		t->key[0] = arena_copy(&reduce->bundle, key.bytes, key.len == KEY_NULL ? 0 : key.len);
		if (!t->key[0])
			return -1;
	}
	t->fresh[0] = snap_u64(in) == 0;
	for (uint32_t a = 0; a < conf->accs.nagg; a++) {
		t->before[a] = value_null();
		if (t->fresh[0])
			continue;
		snap_value(in, &t->before[a]);
		if (value_copy(&t->before[a], &t->before[a], &reduce->bundle))
			return -1;
	}
	if (entry && !entry->mark)
		entry->mark = 1;
	else
		in->bad = true;
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
