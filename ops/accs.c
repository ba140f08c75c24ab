#include "ops/accs.h"

#include <string.h>

#include "ops/accs_distinct.h"
#include "ops/agg/rows.h"

static inline void *acc_of(const struct accs_agg *a, const void *block)
{
	return (char *)(uintptr_t)block + a->at;
}

/* ---- a batch, evaluated ---- */

static int evaluate(const struct accs_agg *a, const struct batch *in, struct value ***arg, uint8_t **pass)
{
	uint32_t passed;
	*arg = arena_alloc(in->mem, (a->agg.narg + 1) * sizeof **arg);
	*pass = a->filter ? arena_alloc(in->mem, in->n + 1) : NULL;
	if (!*arg || (a->filter && (!*pass || expr_true(a->filter, in, *pass, &passed))))
		return -1;
	if (a->whole)
		return a->whole->rows(a->whole->conf, in, &(*arg)[0]);
	for (uint32_t k = 0; k < a->agg.narg; k++)
		if (expr_eval(a->agg.arg[k], in, &(*arg)[k]))
			return -1;
	return 0;
}

int accs_input(const struct accs *accs, const struct batch *in, struct accs_input *out)
{
	*out = (struct accs_input){ .in = in };
	out->arg = arena_alloc(in->mem, (accs->nagg + 1) * sizeof *out->arg);
	out->pass = arena_alloc(in->mem, (accs->nagg + 1) * sizeof *out->pass);
	out->key = arena_alloc(in->mem, (accs->ndistinct + 1) * sizeof *out->key);
	if (!out->arg || !out->pass || !out->key)
		return -1;
	for (uint32_t i = 0; i < accs->nagg; i++)
		if (evaluate(&accs->agg[i], in, &out->arg[i], &out->pass[i]))
			return -1;
	for (uint32_t d = 0; d < accs->ndistinct; d++) {
		out->key[d] = accs_distinct_keys(&accs->distinct[d], in);
		if (!out->key[d])
			return -1;
	}
	return 0;
}

/* ---- rows ---- */

/* Rows on their way into their blocks. Arrays are by row, in the batch's memory. */
struct work {
	const struct accs *accs;
	const struct accs_input *input;
	uint32_t from, n;
	void *const *block;
	const uint8_t *act; /* NULL: all add */
	uint8_t **own;      /* by aggregate: its actions, where it has a filter or distinct; else NULL */
	void **acc;         /* of the aggregate at hand */
};

/* Rows without a block are left out by every aggregate. */
static int leave_out(struct work *w)
{
	uint32_t i = w->input->whole ? w->n : 0;
	while (i < w->n && w->block[i])
		i++;
	if (i == w->n)
		return 0;
	uint8_t *act = arena_alloc(w->input->in->mem, w->n);
	if (!act)
		return -1;
	for (i = 0; i < w->n; i++)
		act[i] = !w->block[i] ? (uint8_t)ACT_SKIP : w->act ? w->act[i] : (uint8_t)ACT_ADD;
	w->act = act;
	return 0;
}

/* Actions of its own for an aggregate: those of the rows, and ACT_SKIP where its filter is not TRUE. */
static uint8_t *own_actions(const struct work *w, const uint8_t *pass)
{
	uint8_t *act = arena_alloc(w->input->in->mem, w->n);
	if (!act)
		return NULL;
	if (w->act)
		memcpy(act, w->act, w->n);
	else
		memset(act, ACT_ADD, w->n);
	for (uint32_t i = 0; pass && i < w->n; i++)
		act[i] |= pass[w->from + i] ? 0 : ACT_SKIP;
	return act;
}

/* Which rows are new to the aggregates of a list. */
static int find_distinct(const struct work *w, uint32_t d)
{
	const struct accs *accs = w->accs;
	uint8_t **own = arena_alloc(w->input->in->mem, accs->nagg * sizeof *own);
	if (!own)
		return -1;
	for (uint32_t i = 0; i < accs->nagg; i++)
		if (accs->agg[i].distinct == (int32_t)d)
			own[accs->agg[i].place] = w->own[i];
	struct distinct_rows rows = { .n = w->n, .key = w->input->key[d] + w->from, .block = w->block, .act = w->act, .own = own };
	return accs_distinct_rows(accs, &accs->distinct[d], &rows);
}

static int find_actions(struct work *w)
{
	const struct accs *accs = w->accs;
	struct arena *mem = w->input->in->mem;
	w->own = arena_alloc(mem, (accs->nagg + 1) * sizeof *w->own);
	w->acc = arena_alloc(mem, (w->n + 1) * sizeof *w->acc);
	if (!w->own || !w->acc || leave_out(w))
		return -1;
	for (uint32_t i = 0; i < accs->nagg; i++) {
		const struct accs_agg *a = &accs->agg[i];
		w->own[i] = NULL;
		if (!a->filter && a->distinct < 0)
			continue;
		w->own[i] = own_actions(w, w->input->pass[i]);
		if (!w->own[i])
			return -1;
	}
	for (uint32_t d = 0; d < accs->ndistinct; d++)
		if (find_distinct(w, d))
			return -1;
	return 0;
}

/* The rows as aggregate i sees them; arg has room for its arguments. */
static struct agg_rows rows_of(const struct work *w, uint32_t i, const struct value *arg[AGG_ARGS_MAX])
{
	const struct accs_agg *a = &w->accs->agg[i];
	for (uint32_t k = 0; k < a->agg.narg; k++)
		arg[k] = w->input->arg[i][k] + w->from;
	struct agg_rows rows = { .n = w->n, .acc = w->acc, .act = w->own[i] ? w->own[i] : w->act, .mem = w->input->in->mem };
	rows.arg = a->agg.narg ? arg : NULL;
	if (!a->at) {
		rows.acc = w->block;
		return rows;
	}
	for (uint32_t r = 0; r < w->n; r++)
		w->acc[r] = w->block[r] ? acc_of(a, w->block[r]) : NULL;
	return rows;
}

int accs_update(const struct accs *accs, const struct accs_input *input, uint32_t from, uint32_t n, void *const *block, const uint8_t *act)
{
	struct work w = { .accs = accs, .input = input, .from = from, .n = n, .block = block, .act = act };
	const struct value *arg[AGG_ARGS_MAX];
	if (find_actions(&w))
		return -1;
	for (uint32_t i = 0; i < accs->nagg; i++) {
		struct agg_rows rows = rows_of(&w, i, arg);
		if (accs->agg[i].agg.type->update(&accs->agg[i].agg, &rows))
			return -1;
	}
	return 0;
}

void accs_compare(const struct value *before, const struct value *after, uint32_t n, uint8_t *changed)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct value *a = &before[i], *b = &after[i];
		if (a->type == V_DEC && b->type == V_DEC)
			changed[i] |= a->u.i != b->u.i || a->scale != b->scale;
		else
			changed[i] |= !value_same(a, b);
	}
}

int accs_step(const struct accs *accs, const struct accs_input *input, uint32_t from, uint32_t n, void *const *block, const uint8_t *act,
	struct value *before, struct value *after, uint8_t *changed)
{
	struct work w = { .accs = accs, .input = input, .from = from, .n = n, .block = block, .act = act };
	const struct value *arg[AGG_ARGS_MAX];
	if (find_actions(&w))
		return -1;
	memset(changed, 0, n);
	for (uint32_t i = 0; i < accs->nagg; i++, before += n, after += n) {
		struct agg_rows rows = rows_of(&w, i, arg);
		if (agg_step(&accs->agg[i].agg, &rows, before, after))
			return -1;
		accs_compare(before, after, n, changed);
	}
	return 0;
}

/* ---- whole blocks ---- */

int accs_values(const struct accs *accs, void *const *block, uint32_t n, struct value *out, struct arena *mem)
{
	void *acc[BATCH_MAX];
	for (uint32_t i = 0; i < accs->nagg; i++) {
		const struct accs_agg *a = &accs->agg[i];
		for (uint32_t from = 0, m; from < n; from += m, out += m) {
			m = n - from < BATCH_MAX ? n - from : BATCH_MAX;
			for (uint32_t r = 0; a->at && r < m; r++)
				acc[r] = acc_of(a, block[from + r]);
			if (agg_values(&a->agg, a->at ? acc : block + from, m, out, mem))
				return -1;
		}
	}
	return 0;
}

int accs_merge(const struct accs *accs, void *into, const void *from)
{
	for (uint32_t i = 0; i < accs->nagg; i++) {
		const struct accs_agg *a = &accs->agg[i];
		if (a->distinct < 0 && a->agg.type->merge(&a->agg, acc_of(a, into), acc_of(a, from)))
			return -1;
	}
	for (uint32_t d = 0; d < accs->ndistinct; d++)
		if (accs_distinct_merge(accs, d, into, from))
			return -1;
	return 0;
}

void accs_empty(const struct accs *accs, void *block)
{
	for (uint32_t d = 0; d < accs->ndistinct; d++)
		valmap_drop(accs_map(&accs->distinct[d], block), accs->distinct[d].words, accs->mem);
	for (uint32_t i = 0; i < accs->nagg; i++)
		agg_empty(&accs->agg[i].agg, acc_of(&accs->agg[i], block));
}

void accs_save(const struct accs *accs, const void *block, struct snap_out *out)
{
	for (uint32_t d = 0; d < accs->ndistinct; d++)
		valmap_save(accs_map(&accs->distinct[d], block), accs->distinct[d].words, out);
	for (uint32_t i = 0; i < accs->nagg; i++)
		accs->agg[i].agg.type->save(&accs->agg[i].agg, acc_of(&accs->agg[i], block), out);
}

int accs_load(const struct accs *accs, void *block, struct snap_in *in)
{
	for (uint32_t d = 0; d < accs->ndistinct; d++)
		if (valmap_load(accs_map(&accs->distinct[d], block), accs->distinct[d].words, in, accs->mem))
			return -1;
	for (uint32_t i = 0; i < accs->nagg; i++)
		if (accs->agg[i].agg.type->load(&accs->agg[i].agg, acc_of(&accs->agg[i], block), in))
			return -1;
	return 0;
}
