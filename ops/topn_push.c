/* A batch comes in: its keys are looked up together, then each row goes through the variant. */
#include "core/number.h"
#include "ops/topn.h"

/* ---- what the batch is read into --------------------------------------------------------- */

static int hashes_in(struct op *op, struct topn_in *in)
{
	uint32_t n = in->batch->n;
	in->hash = arena_alloc(in->batch->mem, n * sizeof *in->hash);
	if (!in->hash)
		return err_memory(op->err);
	for (uint32_t r = 0; r < n; r++)
		in->hash[r] = row_hash_batch(&in->ident, r, in->ident.ncol);
	return 0;
}

static int read_in(struct op *op, const struct batch *batch, struct topn_in *in)
{
	struct topn *s = topn_state(op);
	const struct topn_conf *conf = topn_conf(op);
	*in = (struct topn_in){ .batch = batch };
	if (topn_order_in(op, in) || (s->index && hashes_in(op, in)))
		return -1;
	if (conf->variable && expr_eval(conf->variable, batch, &in->to))
		return err_memory(op->err);
	return keyed_find(&in->keys, s->table, &conf->key, batch, conf->updates) ? err_memory(op->err) : 0;
}

/* ---- keys -------------------------------------------------------------------------------- */

int64_t topn_variable_to(const struct value *v)
{
	int64_t to = 0;
	struct value whole = value_is_number(v) ? number_floor(*v) : value_null();
	if (number_int(&whole, &to))
		return to < 0 ? 0 : to;
	return whole.type == V_DBL && whole.u.d > 0 ? INT64_MAX : 0;
}

/* The key's first row is r. */
static int start(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	const struct topn_conf *conf = topn_conf(op);
	int64_t *written = entry_state(entry);
	entry->flags |= TOPN_STARTED;
	*written = op_time(op); /* an N of 0 keeps no row, but holds as long */
	if (conf->closing.on && closing_add(&topn_state(op)->closing, entry))
		return err_memory(op->err);
	if (conf->variant == TOPN_FIRST || conf->variant == TOPN_ONE)
		return 0;
	struct topn_group *group = entry_state(entry);
	group->to = conf->variable ? topn_variable_to(&in->to[r]) : conf->ast.to;
	group->worst = UINT64_MAX;
	return 0;
}

int topn_forget(struct op *op, struct entry *entry)
{
	if (topn_drop(op, entry))
		return -1;
	if (!entry->mark)
		topn_remove(op, entry);
	return 0;
}

/* The entry of row r's key, its state set up; NULL: the key is not there, and a row that takes back does not make it. */
static int entry_of(struct op *op, struct topn_in *in, uint32_t r, struct entry **out)
{
	struct entry *entry = in->keys.entry[r];
	if (entry && op->ttl && topn_alive(entry) && topn_expired(op, entry) && topn_forget(op, entry))
		return -1;
	if (entry && (entry->flags & ENTRY_DEAD)) {
		if (keyed_again(&in->keys, r))
			return err_memory(op->err);
		entry = in->keys.entry[r];
	}
	*out = entry;
	if (!entry || topn_alive(entry))
		return 0;
	if (keyed_adds(&in->keys, r))
		return start(op, in, entry, r);
	*out = NULL;
	return 0;
}

/* ---- rows -------------------------------------------------------------------------------- */

static int push_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	switch (topn_conf(op)->variant) {
	case TOPN_FIRST:
		return topn_first_row(op, in, entry, r);
	case TOPN_ONE:
		return topn_one_row(op, in, entry, r);
	case TOPN_APPEND:
		return topn_append_row(op, in, entry, r);
	case TOPN_UPDATE:
		return topn_update_row(op, in, entry, r);
	case TOPN_RETRACT:
		return topn_retract_row(op, in, entry, r);
	}
	return 0;
}

/* Most rows of TOPN_APPEND stand behind a full list. */
static inline bool is_behind(const struct topn_in *in, uint32_t r)
{
	struct entry *entry = in->keys.entry[r];
	return topn_alive(entry) && in->prefix[r] > ((const struct topn_group *)entry_state(entry))->worst;
}

/* A row that takes back is of use to TOPN_RETRACT only: where rows are replaced by their unique key, the new one says it all. */
static int push_rows(struct op *op, struct topn_in *in)
{
	bool retracts = topn_conf(op)->variant == TOPN_RETRACT, appends = topn_conf(op)->variant == TOPN_APPEND && !op->ttl;
	const int64_t *time = topn_conf(op)->closing.on ? in->batch->time : NULL; /* else no row that is sent has one */
	for (uint32_t r = 0; r < in->batch->n; r++) {
		struct entry *entry = NULL;
		if (appends && is_behind(in, r))
			continue;
		if (!retracts && !keyed_adds(&in->keys, r))
			continue;
		if (time)
			op->out->at = time[r];
		if (entry_of(op, in, r, &entry))
			return -1;
		if (!entry)
			op->ignored++;
		else if (push_row(op, in, entry, r))
			return -1;
	}
	return 0;
}

int topn_push(struct op *op, const struct batch *batch)
{
	struct topn *s = topn_state(op);
	struct topn_in in;
	topn_free_dead(op);
	if (read_in(op, batch, &in) || push_rows(op, &in) || keyed_sweep(op, &s->sweep, s->table, batch->n))
		return -1;
	table_tick(s->table, batch->n);
	return 0;
}
