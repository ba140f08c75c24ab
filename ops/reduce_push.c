#include <string.h>

#include "ops/reduce.h"

/* What the aggregates make of a batch. */
struct work {
	struct reduce_rows rows;
	uint8_t **act;        /* by aggregate: its actions; shared with rows.act where it has neither filter nor distinct */
	void **acc;           /* by row: the accumulator of the aggregate at hand */
	struct value *before; /* [aggregate * n + row]; NULL: not asked for */
	struct value *after;
	uint8_t *changed;     /* by row: some value is not the same after it */
};

/* Actions of its own for an aggregate: those of the batch, and ACT_SKIP where its filter is not TRUE. */
static int own_actions(struct work *w, const struct reduce_agg *a, uint8_t **out)
{
	const struct batch *in = w->rows.in;
	uint32_t n = w->rows.n, passed;
	uint8_t *act = arena_alloc(in->mem, n), *pass = a->filter ? arena_alloc(in->mem, n) : NULL;
	if (!act || (a->filter && (!pass || expr_true(a->filter, in, pass, &passed))))
		return -1;
	if (w->rows.act)
		memcpy(act, w->rows.act, n);
	else
		memset(act, ACT_ADD, n);
	for (uint32_t i = 0; pass && i < n; i++)
		act[i] |= pass[i] ? 0 : ACT_SKIP;
	*out = act;
	return 0;
}

static int find_actions(struct op *op, struct work *w)
{
	const struct reduce_conf *conf = op->conf;
	w->act = arena_alloc(w->rows.in->mem, conf->nagg * sizeof *w->act);
	if (!w->act)
		return -1;
	for (uint32_t i = 0; i < conf->nagg; i++) {
		const struct reduce_agg *a = &conf->agg[i];
		w->act[i] = w->rows.act;
		if ((a->filter || a->distinct >= 0) && own_actions(w, a, &w->act[i]))
			return -1;
	}
	for (uint32_t d = 0; d < conf->ndistinct; d++) {
		uint8_t **act = arena_alloc(w->rows.in->mem, conf->nagg * sizeof *act);
		if (!act)
			return -1;
		for (uint32_t i = 0; i < conf->nagg; i++)
			if (conf->agg[i].distinct == (int32_t)d)
				act[conf->agg[i].place] = w->act[i];
		if (reduce_distinct_rows(op, &conf->distinct[d], &w->rows, act))
			return -1;
	}
	return 0;
}

static void compare(const struct value *before, const struct value *after, uint32_t n, uint8_t *changed)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct value *a = &before[i], *b = &after[i];
		if (a->type == V_DEC && b->type == V_DEC)
			changed[i] |= a->u.i != b->u.i || a->scale != b->scale;
		else
			changed[i] |= !value_same(a, b);
	}
}

static int run_agg(struct op *op, struct work *w, uint32_t which)
{
	const struct reduce_conf *conf = op->conf;
	const struct reduce_agg *a = &conf->agg[which];
	struct reduce_rows *rows = &w->rows;
	struct value *arg[AGG_ARGS_MAX];
	for (uint32_t k = 0; k < a->agg.narg; k++)
		if (expr_eval(a->agg.arg[k], rows->in, &arg[k]))
			return -1;
	for (uint32_t i = 0; i < rows->n; i++)
		w->acc[i] = rows->keys.entry[i] ? (char *)entry_state(rows->keys.entry[i]) + a->at : NULL;
	struct agg_rows r = { .n = rows->n, .acc = w->acc, .act = w->act[which], .mem = rows->in->mem };
	r.arg = a->agg.narg ? (const struct value *const *)arg : NULL;
	if (!w->before)
		return a->agg.type->update(&a->agg, &r);
	struct value *before = w->before + (size_t)which * rows->n, *after = w->after + (size_t)which * rows->n;
	if (agg_step(&a->agg, &r, before, after))
		return -1;
	compare(before, after, rows->n, w->changed);
	return 0;
}

static int run(struct op *op, struct work *w, bool values)
{
	const struct reduce_conf *conf = op->conf;
	struct arena *mem = w->rows.in->mem;
	uint32_t n = w->rows.n;
	w->acc = arena_alloc(mem, n * sizeof(void *));
	if (!w->acc)
		return -1;
	if (values) {
		w->before = arena_alloc(mem, (size_t)conf->nagg * n * sizeof(struct value));
		w->after = arena_alloc(mem, (size_t)conf->nagg * n * sizeof(struct value));
		w->changed = arena_alloc(mem, n);
		if (!w->before || !w->after || !w->changed)
			return -1;
		memset(w->changed, op->ttl != 0, n); /* with --ttl an unchanged result is written again */
	}
	for (uint32_t i = 0; i < conf->nagg; i++)
		if (run_agg(op, w, i))
			return -1;
	return 0;
}

void reduce_emit(const struct op *op, uint8_t kind, const struct value *key, const struct value *value, size_t stride)
{
	const struct reduce_conf *conf = op->conf;
	struct edge *out = op->out;
	uint32_t r = edge_add(out, kind), nkey = conf->key.n;
	for (uint32_t c = 0; c < nkey; c++) {
		struct value *col = edge_col(out, c);
		if (col)
			col[r] = key[c];
	}
	for (uint32_t i = 0; i < conf->nagg; i++) {
		struct value *col = edge_col(out, nkey + i);
		if (col)
			col[r] = value[i * stride];
	}
}

static int emit_change(const struct op *op, const struct work *w, uint32_t i, const struct value *key)
{
	uint8_t act = w->rows.act[i];
	uint32_t n = w->rows.n;
	if (edge_room(op->out, 2))
		return -1;
	if (act & ACT_FIRST) {
		reduce_emit(op, K_I, key, w->after + i, n);
	} else if (act & ACT_LAST) {
		reduce_emit(op, K_D, key, w->before + i, n);
	} else {
		if (op->before)
			reduce_emit(op, K_UB | K_PAIR, key, w->before + i, n);
		reduce_emit(op, K_UA, key, w->after + i, n);
	}
	return 0;
}

static int emit_changes(const struct op *op, const struct work *w)
{
	const struct reduce_conf *conf = op->conf;
	const struct reduce_rows *rows = &w->rows;
	struct value *key = arena_alloc(rows->in->mem, (conf->key.n + 1) * sizeof *key);
	if (!key)
		return err_memory(op->err);
	for (uint32_t i = 0; i < rows->n; i++) {
		uint8_t act = rows->act[i];
		if (act & ACT_SKIP || (!w->changed[i] && !(act & (ACT_FIRST | ACT_LAST))))
			continue;
		key_values(&conf->key, rows->keys.bytes[i], rows->keys.len[i], rows->keys.entry[i]->flags & ENTRY_CLEAN, key);
		if (emit_change(op, w, i, key))
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
	bool changes = !op->final && !op->bundled;
	if (reduce_rows_find(op, in, &w.rows) || find_actions(op, &w) || run(op, &w, changes)) {
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
