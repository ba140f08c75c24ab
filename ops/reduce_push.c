#include "ops/reduce.h"

/* What the aggregates make of a batch. Arrays are in its memory. */
struct work {
	struct reduce_rows rows;
	struct value *before; /* [aggregate * n + row] */
	struct value *after;
	uint8_t *changed;     /* by row: some value is not the same after it */
};

/* `values`: before and after each row, and what changed, are wanted. */
static int run(struct op *op, struct work *w, bool values)
{
	const struct reduce_conf *conf = op->conf;
	const struct accs *accs = &conf->accs;
	const struct reduce_rows *rows = &w->rows;
	struct arena *mem = rows->in->mem;
	struct accs_input input;
	uint32_t n = rows->n;
	void **block = arena_alloc(mem, n * sizeof *block);
	if (!block || accs_input(accs, rows->in, &input))
		return -1;
	input.whole = reduce_stays(op);
	for (uint32_t i = 0; i < n; i++)
		block[i] = input.whole || rows->keys.entry[i] ? reduce_block(conf, rows->keys.entry[i]) : NULL;
	if (!values)
		return accs_update(accs, &input, 0, n, block, rows->act);
	w->before = arena_alloc(mem, (size_t)accs->nagg * n * sizeof *w->before);
	w->after = arena_alloc(mem, (size_t)accs->nagg * n * sizeof *w->after);
	w->changed = arena_alloc(mem, n);
	if (!w->before || !w->after || !w->changed)
		return -1;
	return accs_step(accs, &input, 0, n, block, rows->act, w->before, w->after, w->changed);
}

static int emit_changes(const struct op *op, const struct work *w)
{
	const struct reduce_rows *rows = &w->rows;
	struct reduce_changes changes;
	for (uint32_t from = 0, n; from < rows->n; from += n) {
		n = reduce_room(op, rows->n - from);
		if (!n)
			return -1;
		changes.keys = (struct reduce_keys){ rows->keys.entry + from, w->before + from, w->after + from, rows->n, rows->n };
		changes.n = 0;
		for (uint32_t i = 0; i < n; i++) {
			uint8_t act = rows->act[from + i];
			if (act & ACT_SKIP)
				continue;
			if (act & (ACT_FIRST | ACT_LAST))
				reduce_change(&changes, i, act & ACT_FIRST ? K_I : K_D);
			else if (w->changed[from + i] || op->ttl) /* with --ttl an unchanged result is written again */
				reduce_change(&changes, i, K_UA);
		}
		if (reduce_emit(op, &changes))
			return -1;
	}
	return 0;
}

int reduce_push(struct op *op, const struct batch *in)
{
	if (!in->n)
		return 0;
	struct reduce *reduce = op->state;
	struct work w = { 0 };
	bool changes = !((const struct reduce_conf *)op->conf)->quiet;
	if (reduce_rows_find(op, in, &w.rows) || run(op, &w, changes)) {
		reduce_rows_fail(op, &w.rows);
		return err_memory(op->err);
	}
	/* Rows sent borrow their texts from the batch and the states: they must be out before either changes. */
	if (changes && (emit_changes(op, &w) || edge_push(op->out)))
		return -1;
	if (keyed_sweep(op, &reduce->sweep, reduce->table, in->n))
		return -1;
	table_tick(reduce->table, in->n);
	return 0;
}
