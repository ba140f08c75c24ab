/* A batch comes in: its keys are looked up together, then each row goes through the variant. */
#include "core/number.h"
#include "ops/topn.h"

int64_t topn_time(const struct op *op)
{
	return topn_conf(op)->timed ? op->wm : op->now;
}

/* ---- what the batch is read into --------------------------------------------------------- */

/* Finds (makes) the entries of all rows; rows that take back make none. */
static int find_entries(struct op *op)
{
	struct topn *s = topn_state(op);
	struct topn_in *in = &s->in;
	uint32_t n = in->batch->n;
	uint8_t *adds = NULL, fresh[BATCH_MAX]; /* not of interest: TOPN_STARTED tells more */
	if (topn_conf(op)->updates && in->batch->kind) {
		adds = arena_alloc(in->batch->mem, n);
		if (!adds)
			return err_memory(op->err);
		for (uint32_t r = 0; r < n; r++)
			adds[r] = kind_adds(in->batch->kind[r]);
	}
	if (topn_conf(op)->key.n || adds)
		return table_find(s->table, n, in->keyhash, in->key, in->len, true, adds, in->entry, fresh) ? err_memory(op->err) : 0;
	if (table_find(s->table, 1, in->keyhash, in->key, in->len, true, NULL, in->entry, fresh))
		return err_memory(op->err);
	for (uint32_t r = 1; r < n; r++)
		in->entry[r] = in->entry[0];
	return 0;
}

static int keys_in(struct op *op)
{
	struct topn *s = topn_state(op);
	struct topn_in *in = &s->in;
	struct arena *mem = in->batch->mem;
	uint32_t n = in->batch->n;
	in->key = arena_alloc(mem, n * sizeof *in->key);
	in->len = arena_alloc(mem, n * sizeof *in->len);
	in->keyhash = arena_alloc(mem, n * sizeof *in->keyhash);
	in->entry = arena_alloc(mem, n * sizeof *in->entry);
	if (!in->key || !in->len || !in->keyhash || !in->entry)
		return err_memory(op->err);
	if (key_rows(&topn_conf(op)->key, in->batch, table_seed(s->table), in->key, in->len, in->keyhash))
		return err_memory(op->err);
	return 0;
}

static int hashes_in(struct op *op)
{
	struct topn_in *in = &topn_state(op)->in;
	uint32_t n = in->batch->n;
	in->hash = arena_alloc(in->batch->mem, n * sizeof *in->hash);
	if (!in->hash)
		return err_memory(op->err);
	for (uint32_t r = 0; r < n; r++)
		in->hash[r] = row_hash_batch(&in->ident, r, in->ident.ncol);
	return 0;
}

static int read_in(struct op *op, const struct batch *batch)
{
	struct topn *s = topn_state(op);
	const struct topn_conf *conf = topn_conf(op);
	struct topn_in *in = &s->in;
	*in = (struct topn_in){ .batch = batch, .time = topn_time(op) };
	if (topn_order_in(op, in) || keys_in(op))
		return -1;
	if (s->index && hashes_in(op))
		return -1;
	if (conf->variable && expr_eval(conf->variable, batch, &in->to))
		return err_memory(op->err);
	return find_entries(op);
}

/* ---- keys -------------------------------------------------------------------------------- */

/* The N that a row brings: whole, at least 0; what is no number shows nothing. */
static int64_t variable_to(const struct value *v)
{
	int64_t to = 0;
	struct value whole = value_is_number(v) ? number_floor(*v) : value_null();
	if (number_int(&whole, &to))
		return to < 0 ? 0 : to;
	return whole.type == V_DBL && whole.u.d > 0 ? INT64_MAX : 0;
}

/* The key's first row is r. */
static void start(const struct op *op, struct entry *entry, uint32_t r)
{
	const struct topn_conf *conf = topn_conf(op);
	const struct topn_in *in = &topn_state(op)->in;
	entry->flags |= TOPN_STARTED;
	if (conf->variant == TOPN_FIRST || conf->variant == TOPN_ONE)
		return;
	struct topn_group *group = entry_state(entry);
	group->to = conf->variable ? variable_to(&in->to[r]) : conf->ast.to;
	group->worst = UINT64_MAX;
}

/* A key not written for too long is forgotten as a whole. In an open bundle its entry stays. */
static int forget(struct op *op, struct entry *entry)
{
	if (topn_drop(op, entry))
		return -1;
	if (!entry->mark)
		table_remove(topn_state(op)->table, entry);
	return 0;
}

/* The entry of row r's key, its state set up; NULL: the key is not there, and a row that takes back does not make it. */
static int entry_of(struct op *op, uint32_t r, bool adds, struct entry **out)
{
	struct topn *s = topn_state(op);
	struct topn_in *in = &s->in;
	struct entry *entry = in->entry[r];
	uint8_t fresh;
	if (entry && op->ttl && topn_alive(entry) && topn_expired(op, entry_state(entry), in->time) && forget(op, entry))
		return -1;
	if (entry && (entry->flags & ENTRY_DEAD)) {
		if (table_find(s->table, 1, &in->keyhash[r], &in->key[r], &in->len[r], adds, NULL, &entry, &fresh))
			return err_memory(op->err);
		in->entry[r] = entry;
	}
	*out = entry;
	if (entry && !topn_alive(entry)) {
		if (adds)
			start(op, entry, r);
		else
			*out = NULL;
	}
	return 0;
}

/* Forgets keys that no row has asked for: once per ttl, so it costs little and no key stays longer than twice that. */
static int sweep(struct op *op)
{
	struct topn *s = topn_state(op);
	int64_t time = s->in.time;
	if (!op->ttl || time < s->sweep)
		return 0;
	s->sweep = time > INT64_MAX - op->ttl ? INT64_MAX : time + op->ttl;
	struct entry *entry;
	for (uint64_t pos = 0; table_next(s->table, &pos, &entry);)
		if (!entry->mark && topn_alive(entry) && topn_expired(op, entry_state(entry), time) && forget(op, entry))
			return -1;
	return 0;
}

/* ---- rows -------------------------------------------------------------------------------- */

static int push_row(struct op *op, struct entry *entry, uint32_t r)
{
	switch (topn_conf(op)->variant) {
	case TOPN_FIRST:
		return topn_first_row(op, entry, r);
	case TOPN_ONE:
		return topn_one_row(op, entry, r);
	case TOPN_APPEND:
		return topn_append_row(op, entry, r);
	case TOPN_UPDATE:
		return topn_update_row(op, entry, r);
	case TOPN_RETRACT:
		return topn_retract_row(op, entry, r);
	}
	return 0;
}

/* A row that takes back is of use to TOPN_RETRACT only: where rows are replaced by their unique key, the new one says it all. */
static int push_rows(struct op *op)
{
	struct topn *s = topn_state(op);
	const struct batch *batch = s->in.batch;
	bool retracts = topn_conf(op)->variant == TOPN_RETRACT;
	for (uint32_t r = 0; r < batch->n; r++) {
		bool adds = kind_adds(batch_kind(batch, r));
		struct entry *entry;
		if (!adds && !retracts)
			continue;
		if (entry_of(op, r, adds, &entry))
			return -1;
		if (!entry)
			op->ignored++;
		else if (push_row(op, entry, r))
			return -1;
	}
	return 0;
}

int topn_push(struct op *op, const struct batch *batch)
{
	struct topn *s = topn_state(op);
	topn_free_dead(op);
	if (read_in(op, batch) || push_rows(op) || sweep(op))
		return -1;
	return table_tick(s->table, batch->n);
}
