/* Snapshots of a topn: its keys in order of first appearance with their rows, then the open bundle.
 *
 *     last seq | keys: key, started, written, to | n, rows: seq, row | bundle: key | n, rows: rank, row
 *
 * Rows go by arrival, so that equal ones are filed again in that order; prefixes and hashes are made anew. */
#include "ops/state/snapshot.h"
#include "ops/topn.h"

static void put_item(struct snap_out *out, const struct ordset_item *item)
{
	snap_put_u64(out, item->seq);
	row_save(item->row, out);
}

static void put_group(const struct topn_conf *conf, struct snap_out *out, const struct topn_group *group)
{
	uint64_t n = group->set.n;
	snap_put_i64(out, group->to);
	snap_put_u64(out, n);
	for (uint64_t i = 0; i < n; i++)
		put_item(out, ordset_at(&group->set, conf->later_first ? n - 1 - i : i));
}

static void put_state(const struct topn_conf *conf, struct snap_out *out, struct entry *entry)
{
	const int64_t *written = entry_state(entry);
	snap_put_i64(out, *written);
	if (conf->variant == TOPN_FIRST) {
		snap_put_u64(out, ((const struct topn_counter *)entry_state(entry))->n);
	} else if (conf->variant == TOPN_ONE) {
		const struct topn_single *state = entry_state(entry);
		snap_put_u64(out, state->held.row != NULL);
		if (state->held.row)
			put_item(out, &state->held);
	} else {
		put_group(conf, out, entry_state(entry));
	}
}

int topn_save(const struct op *op, struct snap_out *out)
{
	const struct topn *s = topn_state(op);
	struct entry *entry;
	snap_put_u64(out, s->seq);
	snap_put_u64(out, table_count(s->table));
	for (uint64_t pos = 0; table_next(s->table, &pos, &entry);) {
		uint32_t len;
		const char *key = entry_key(s->table, entry, &len);
		key_save(out, key, len);
		snap_put_u64(out, topn_alive(entry));
		put_state(topn_conf(op), out, entry);
	}
	snap_put_u64(out, s->ntouched);
	for (uint32_t i = 0; i < s->ntouched; i++) {
		const struct topn_touched *touched = &s->touched[i];
		key_save(out, touched->key, touched->len);
		snap_put_u64(out, touched->n);
		for (uint64_t k = 0; k < touched->n; k++) {
			snap_put_i64(out, touched->row[k].number);
			row_save(touched->row[k].row, out);
		}
	}
	return 0;
}

/* ---- and back ---------------------------------------------------------------------------- */

/* A stored row of the right width; NULL: damaged, or memory is refused, in->bad is set. */
static struct row *get_row(struct op *op, struct snap_in *in)
{
	const struct topn_conf *conf = topn_conf(op);
	struct row *row = row_load(in, op->mem);
	if (!row || row->n == conf->ncol + conf->nextra)
		return row;
	in->bad = true;
	row_free(row, op->mem);
	return NULL;
}

static int get_item(struct op *op, struct snap_in *in, struct ordset_item *item)
{
	const struct topn_conf *conf = topn_conf(op);
	item->seq = snap_u64(in);
	item->row = get_row(op, in);
	if (!item->row)
		return -1;
	item->prefix = conf->nsort ? topn_prefix(conf, &item->row->v[conf->sort[0].at]) : 0;
	return 0;
}

/* Puts a row back into its list. */
static int put_back(struct op *op, struct topn_group *group, const struct ordset_item *item)
{
	struct topn *s = topn_state(op);
	const struct topn_conf *conf = topn_conf(op);
	uint64_t at;
	bool shifts;
	if (ordset_insert(&group->set, &conf->order, item, op->mem, &at)) {
		row_free(item->row, op->mem);
		return err_memory(op->err);
	}
	if (conf->ast.rank != RANK_ROW && topn_rank_came(op, group, at, &shifts))
		return -1;
	if (s->index && topn_index_add(s->index, item, topn_index_hash(conf, item->row, s->scratch)))
		return err_memory(op->err);
	return 0;
}

static int get_group(struct op *op, struct snap_in *in, struct topn_group *group)
{
	group->to = snap_i64(in);
	group->worst = UINT64_MAX;
	for (uint64_t n = snap_count(in); n; n--) {
		struct ordset_item item;
		if (get_item(op, in, &item) || put_back(op, group, &item))
			return -1;
	}
	if (group->to < 0 || (group->to == 0 && group->set.n && !topn_conf(op)->keeps_all))
		in->bad = true;
	return in->bad ? 0 : topn_trim(op, group);
}

static int get_state(struct op *op, struct snap_in *in, struct entry *entry)
{
	enum topn_variant variant = topn_conf(op)->variant;
	int64_t *written = entry_state(entry);
	*written = snap_i64(in);
	if (variant == TOPN_FIRST) {
		((struct topn_counter *)entry_state(entry))->n = snap_u64(in);
		return 0;
	}
	if (variant == TOPN_ONE)
		return snap_u64(in) ? get_item(op, in, &((struct topn_single *)entry_state(entry))->held) : 0;
	return get_group(op, in, entry_state(entry));
}

static int load_key(struct op *op, struct snap_in *in)
{
	struct topn *s = topn_state(op);
	struct saved_key key = key_load(in, table_seed(s->table));
	struct entry *entry;
	uint8_t fresh;
	if (in->bad)
		return -1;
	if (table_find(s->table, 1, &key.hash, &key.bytes, &key.len, true, NULL, &entry, &fresh))
		return err_memory(op->err);
	if (!fresh) {
		in->bad = true;
		return -1;
	}
	if (snap_u64(in)) {
		entry->flags |= TOPN_STARTED;
		if (topn_conf(op)->closing.on && closing_add(&s->closing, entry))
			return err_memory(op->err);
	}
	return get_state(op, in, entry);
}

static int load_touched(struct op *op, struct snap_in *in)
{
	struct topn *s = topn_state(op);
	struct saved_key key = key_load(in, table_seed(s->table));
	struct entry *entry;
	uint8_t fresh;
	if (in->bad)
		return -1;
	struct topn_touched *touched = topn_touched_new(op, key.bytes, key.len, key.hash);
	if (!touched)
		return -1;
	touched->owned = true;
	for (uint64_t n = snap_count(in); n; n--) {
		int64_t number = snap_i64(in);
		struct row *row = get_row(op, in);
		if (!row)
			return -1;
		if (topn_touched_add(op, touched, row, number)) {
			row_free(row, op->mem);
			return -1;
		}
	}
	if (table_find(s->table, 1, &key.hash, &key.bytes, &key.len, false, NULL, &entry, &fresh))
		return err_memory(op->err);
	if (entry)
		entry->mark = s->ntouched;
	return 0;
}

int topn_load(struct op *op, struct snap_in *in)
{
	struct topn *s = topn_state(op);
	int status = 0;
	s->seq = snap_u64(in);
	for (uint64_t n = snap_count(in); n && !status; n--)
		status = load_key(op, in);
	for (uint64_t n = status ? 0 : snap_count(in); n && !status; n--)
		status = load_touched(op, in);
	return in->bad ? snap_done(in, "topn", op->err) : status;
}
