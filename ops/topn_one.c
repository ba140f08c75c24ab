/* The variants with little state: the first N rows of a key by arrival (a counter), and rank 1 where no row ever leaves (one row). */
#include "ops/topn.h"

int topn_first_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	struct topn *s = topn_state(op);
	const struct topn_conf *conf = topn_conf(op);
	struct topn_counter *state = entry_state(entry);
	if (state->n >= (uint64_t)conf->ast.to)
		return 0;
	state->written = op_time(op);
	int64_t number = (int64_t)++state->n;
	if (number < conf->ast.from)
		return 0;
	if (!op->bundled || op->final)
		return topn_emit_in(op, in, r, number);
	if (topn_touch(op, in, entry, r))
		return -1;
	struct row *row = topn_store(op, in, r);
	if (!row)
		return -1;
	if (!topn_touched_add(op, &s->touched[entry->mark - 1], row, number))
		return 0;
	row_free(row, op->mem);
	return -1;
}

/* Does row r stand before the one that is held? */
static bool precedes(const struct topn_conf *conf, const struct topn_in *in, const struct topn_single *state, uint32_t r)
{
	if (in->prefix[r] != state->held.prefix)
		return in->prefix[r] < state->held.prefix;
	int order = topn_compare_in(conf, in, r, state->held.row);
	return order < 0 || (order == 0 && conf->later_first);
}

/* Is row r the record that is held, by its unique key? */
static bool is_held(const struct topn_conf *conf, const struct topn_in *in, const struct topn_single *state, uint32_t r)
{
	for (uint32_t i = 0; i < conf->nident; i++)
		if (!value_same(&state->held.row->v[conf->ident[i]], &in->ident.col[i].v[r]))
			return false;
	return conf->updates;
}

int topn_one_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	struct topn *s = topn_state(op);
	const struct topn_conf *conf = topn_conf(op);
	struct topn_single *state = entry_state(entry);
	if (state->held.row && !precedes(conf, in, state, r) && !is_held(conf, in, state, r))
		return 0;
	if (topn_reserve(op, 1) || (op->bundled && !op->final && topn_touch(op, in, entry, r)))
		return -1;
	struct row *row = topn_store(op, in, r);
	if (!row)
		return -1;
	struct topn_shown old = { state->held.row, 1 }, new = { row, 1 };
	state->held = topn_item(op, row, in->prefix[r]);
	state->written = op_time(op);
	if (old.row)
		topn_bury(s, old.row);
	if (s->quiet)
		return 0;
	return old.row ? topn_emit_pair(op, &old, &new) : topn_emit(op, K_I, row, 1);
}
