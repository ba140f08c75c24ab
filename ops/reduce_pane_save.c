#include "ops/reduce_pane.h"
#include "ops/state/snapshot.h"

/* Snapshot: the clock. Number of keys that have nodes; each: its bytes, and where closed nodes are not kept whether it has a total, and that. Number of
 * panes; each by start: start, end, the ends of the first and the last window that hold it, its stage; number of nodes, each by arrival: the number of
 * its key, [rows], its accumulators. Totals of kept nodes, backs and suffixes are merged anew. */

enum { OPEN, CLOSED, PAST }; /* stages of a pane */

/* Does the key have a total that its nodes do not tell? */
static bool has_total(const struct pane_conf *conf, const struct pane_key *key)
{
	return !conf->keeps && conf->value != PANE_ONE && key->oldest;
}

static void put_keys(const struct op *op, struct snap_out *out)
{
	const struct pane_conf *conf = op->conf;
	const struct reduce_pane *state = op->state;
	struct entry *entry;
	uint32_t n = 0, len;
	for (uint64_t pos = 0; table_next(state->table, &pos, &entry);) {
		entry->mark = pane_key_busy(conf, pane_key(entry)) ? ++n : 0;
	}
	snap_put_u64(out, n);
	for (uint64_t pos = 0; table_next(state->table, &pos, &entry);) {
		struct pane_key *key = pane_key(entry);
		if (!entry->mark)
			continue;
		const char *bytes = entry_key(state->table, entry, &len);
		key_save(out, bytes, len);
		if (conf->keeps || conf->value == PANE_ONE)
			continue;
		snap_put_u64(out, has_total(conf, key));
		if (has_total(conf, key))
			accs_save(&conf->accs, pane_total(key), out);
	}
}

static void put_pane(const struct op *op, const struct pane *pane, struct snap_out *out)
{
	const struct pane_conf *conf = op->conf;
	snap_put_i64(out, pane->start);
	snap_put_i64(out, pane->end);
	snap_put_i64(out, pane->first_end);
	snap_put_i64(out, pane->last_end);
	snap_put_u64(out, pane->past ? PAST : pane->closed ? CLOSED : OPEN);
	snap_put_u64(out, pane->live);
	for (uint32_t i = 0; i < pane->n; i++) {
		struct pane_node *node = pane->node[i];
		if (!node)
			continue;
		snap_put_u64(out, node->entry->mark - 1);
		if (conf->accs.retracts)
			snap_put_i64(out, *pane_rows(node));
		accs_save(&conf->accs, pane_block(conf, node), out);
	}
}

/* Numbers the keys by their marks, which mean no more than that a look for keys without nodes has passed; they begin anew. */
int pane_save(const struct op *op, struct snap_out *out)
{
	const struct reduce_pane *state = op->state;
	struct entry *entry;
	snap_put_i64(out, state->clock);
	put_keys(op, out);
	snap_put_u64(out, state->n);
	for (uint32_t i = 0; i < state->n; i++)
		put_pane(op, pane_number(state, i), out);
	for (uint64_t pos = 0; table_next(state->table, &pos, &entry);)
		entry->mark = 0;
	return out->buf->failed ? err_memory(op->err) : 0;
}

/* ---- back -------------------------------------------------------------------------------- */

/* The keys of a snapshot, by number. */
struct keys {
	struct entry **entry;
	uint32_t *hash;
	uint64_t n;
};

static int get_key(struct op *op, struct keys *keys, struct snap_in *in)
{
	const struct pane_conf *conf = op->conf;
	struct reduce_pane *state = op->state;
	struct saved_key key = key_load(in, table_seed(state->table));
	uint8_t fresh;
	if (in->bad)
		return 0;
	if (table_find(state->table, 1, &key.hash, &key.bytes, &key.len, true, NULL, &keys->entry[keys->n], &fresh))
		return -1;
	in->bad = !fresh; /* the same key twice */
	keys->hash[keys->n] = (uint32_t)key.hash;
	struct entry *entry = keys->entry[keys->n++];
	if (in->bad || conf->keeps || conf->value == PANE_ONE || !snap_u64(in))
		return 0;
	pane_key(entry)->stale = 1; /* until its node comes */
	return accs_load(&conf->accs, pane_total(pane_key(entry)), in);
}

static int get_keys(struct op *op, struct keys *keys, struct snap_in *in)
{
	uint64_t n = snap_count(in);
	keys->entry = arena_alloc(in->mem, (n + 1) * sizeof(struct entry *));
	keys->hash = arena_alloc(in->mem, (n + 1) * sizeof *keys->hash);
	if (!keys->entry || !keys->hash)
		return -1;
	for (; n && !in->bad; n--)
		if (get_key(op, keys, in))
			return -1;
	return 0;
}

/* Is the key in this pane already, or in a closed one where there can be but one? Panes come by start, so a key's newest node was the last one made. */
static bool twice(const struct op *op, struct pane_key *key, const struct pane *pane)
{
	if (!pane->closed)
		return key->open && key->open->pane == pane;
	return key->newest && (key->newest->pane == pane || !((const struct pane_conf *)op->conf)->keeps);
}

static int get_node(struct op *op, const struct keys *keys, struct pane *pane, struct snap_in *in)
{
	const struct pane_conf *conf = op->conf;
	uint64_t i = snap_u64(in);
	in->bad = in->bad || i >= keys->n || twice(op, pane_key(keys->entry[i]), pane);
	if (in->bad)
		return 0;
	struct pane_key *key = pane_key(keys->entry[i]);
	struct pane_node *node = pane_node_new(op, keys->entry[i], keys->hash[i], pane);
	if (!node)
		return -1;
	if (pane->closed) {
		in->bad = !conf->keeps && !key->stale;
		pane_chain_append(op, node);
		if (!pane->past)
			key->stale = conf->keeps;
	} else {
		pane_open_link(node);
		key->last = node;
		key->last_pane = pane;
	}
	if (conf->accs.retracts)
		*pane_rows(node) = snap_i64(in);
	in->bad = in->bad || (conf->accs.retracts && *pane_rows(node) < 1);
	return accs_load(&conf->accs, pane_block(conf, node), in);
}

static int get_pane(struct op *op, const struct keys *keys, struct snap_in *in)
{
	const struct pane_conf *conf = op->conf;
	const struct reduce_pane *state = op->state;
	const struct pane *before = state->n ? pane_number(state, state->n - 1) : NULL;
	struct pane bounds = { .start = snap_i64(in), .end = 0 };
	bounds.end = snap_i64(in);
	bounds.first_end = snap_i64(in);
	bounds.last_end = snap_i64(in);
	uint64_t stage = snap_u64(in);
	bounds.closed = stage != OPEN;
	bounds.past = stage == PAST;
	in->bad = in->bad || bounds.start >= bounds.end || bounds.end > bounds.first_end || bounds.first_end > bounds.last_end ||
		(before && (bounds.start < before->end || (bounds.closed && !before->closed) || (bounds.past && !before->past))) ||
		stage > PAST || (stage == CLOSED && conf->value == PANE_ONE) || (stage == PAST && !conf->lateness);
	uint64_t n = snap_count(in);
	if (in->bad)
		return 0;
	struct pane *pane = pane_append(op, &bounds);
	if (!pane)
		return -1;
	for (; n && !in->bad; n--)
		if (get_node(op, keys, pane, in))
			return -1;
	return 0;
}

int pane_load(struct op *op, struct snap_in *in)
{
	struct reduce_pane *state = op->state;
	struct keys keys = { 0 };
	state->clock = snap_i64(in);
	if (get_keys(op, &keys, in))
		return err_memory(op->err);
	for (uint64_t n = in->bad ? 0 : snap_count(in); n && !in->bad; n--)
		if (get_pane(op, &keys, in))
			return err_memory(op->err);
	for (uint64_t i = 0; i < keys.n; i++)
		in->bad = in->bad || (pane_key(keys.entry[i])->stale && !((const struct pane_conf *)op->conf)->keeps);
	return in->bad ? snap_done(in, op->flag, op->err) : 0;
}
