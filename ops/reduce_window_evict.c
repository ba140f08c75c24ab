/* Rows that are kept for an evictor. What is kept of a row is what the aggregates take of it, evaluated when it came:
 *
 *     [ arguments of aggregate 0 ][ its filter ] [ of aggregate 1 ] ... [ value of each list with distinct ] [ what `delta` compares ]
 *
 * A firing lets the rows that are still there into an empty block. */
#include <string.h>

#include "ops/reduce_window.h"

/* ---- columns ---- */

static struct value *booleans(const uint8_t *pass, const struct batch *in)
{
	struct value *v = arena_alloc(in->mem, in->n * sizeof *v);
	for (uint32_t r = 0; v && r < in->n; r++)
		v[r] = value_bool(pass[r]);
	return v;
}

int rw_keep_begin(struct rw_push *push)
{
	const struct rw_conf *conf = push->conf;
	const struct accs *accs = &conf->accs;
	struct column *col = arena_alloc(push->in->mem, (conf->nkept + 1) * sizeof *col);
	if (!col)
		return -1;
	memset(col, 0, (conf->nkept + 1) * sizeof *col);
	push->flat = (struct batch){ .n = push->in->n, .ncol = conf->nkept, .col = col, .mem = push->in->mem };
	for (uint32_t i = 0; i < accs->nagg; i++) {
		for (uint32_t k = 0; k < accs->agg[i].agg.narg; k++)
			(col++)->v = push->input.arg[i][k];
		if (accs->agg[i].filter && !((col++)->v = booleans(push->input.pass[i], push->in)))
			return -1;
	}
	for (uint32_t d = 0; d < accs->ndistinct; d++)
		(col++)->v = push->input.key[d];
	return conf->evict_expr ? expr_eval(conf->evict_expr, push->in, &col->v) : 0;
}

/* Rows as the aggregates take them: col[c][r] is value c of row r. */
static int gather(const struct rw_conf *conf, const struct rw_kept *kept, struct batch *batch, struct accs_input *input)
{
	const struct accs *accs = &conf->accs;
	struct value **col = arena_alloc(batch->mem, (conf->nkept + 1) * sizeof *col);
	*input = (struct accs_input){ .in = batch };
	input->arg = arena_alloc(batch->mem, (accs->nagg + 1) * sizeof *input->arg);
	input->pass = arena_alloc(batch->mem, (accs->nagg + 1) * sizeof *input->pass);
	if (!col || !input->arg || !input->pass)
		return -1;
	for (uint32_t c = 0; c < conf->nkept; c++) {
		col[c] = arena_alloc(batch->mem, batch->n * sizeof **col);
		for (uint32_t r = 0; col[c] && r < batch->n; r++)
			col[c][r] = kept[r].row->v[c];
		if (!col[c])
			return -1;
	}
	for (uint32_t i = 0; i < accs->nagg; i++) {
		input->arg[i] = col;
		col += accs->agg[i].agg.narg;
		input->pass[i] = accs->agg[i].filter ? arena_alloc(batch->mem, batch->n) : NULL;
		if (!accs->agg[i].filter)
			continue;
		for (uint32_t r = 0; input->pass[i] && r < batch->n; r++)
			input->pass[i][r] = (*col)[r].u.i != 0;
		if (!input->pass[i])
			return -1;
		col++;
	}
	input->key = col;
	return 0;
}

int rw_kept_take(struct op *op, const struct rw_kept_list *list)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	void *block[BATCH_MAX];
	for (uint32_t r = 0; r < BATCH_MAX; r++)
		block[r] = rw->spare;
	for (uint32_t at = 0, n; at < list->n; at += n) {
		n = list->n - at < BATCH_MAX ? list->n - at : BATCH_MAX;
		struct batch batch = { .n = n, .mem = &rw->scratch };
		struct accs_input input;
		if (gather(conf, list->p + list->from + at, &batch, &input) || accs_update(&conf->accs, &input, 0, n, block, NULL))
			return -1;
	}
	return 0;
}

/* ---- lists ---- */

static bool too_old(const struct rw_conf *conf, const struct rw_kept_list *list, int64_t time)
{
	int64_t limit;
	return !__builtin_sub_overflow(list->newest, conf->evict.n, &limit) && time <= limit;
}

/* Lets the n oldest rows go. */
static void drop_oldest(struct op *op, struct rw_kept_list *list, uint32_t n)
{
	for (uint32_t r = 0; r < n; r++)
		row_free(list->p[list->from + r].row, op->mem);
	list->from += n;
	list->n -= n;
}

void rw_kept_drop(struct op *op, struct rw_kept_list *list)
{
	drop_oldest(op, list, list->n);
	mem_free(op->mem, list->p, list->cap * sizeof *list->p);
	*list = (struct rw_kept_list){ 0 };
}

int rw_kept_room(struct op *op, struct rw_kept_list *list, uint64_t n)
{
	if (list->from && list->from >= list->n) { /* half is free: each row moves once for one that went */
		memmove(list->p, list->p + list->from, list->n * sizeof *list->p);
		list->from = 0;
	}
	uint64_t cap = list->cap ? list->cap : 4;
	while (cap < list->from + list->n + n)
		cap *= 2;
	if (cap == list->cap)
		return 0;
	struct rw_kept *p = cap > UINT32_MAX / 2 ? NULL : mem_resize(op->mem, list->p, list->cap * sizeof *p, cap * sizeof *p);
	if (!p)
		return -1;
	list->p = p;
	list->cap = (uint32_t)cap;
	return 0;
}

int rw_keep(struct rw_push *push, uint32_t i, struct rw_node *node, int64_t t)
{
	struct op *op = push->op;
	const struct rw_conf *conf = push->conf;
	struct rw_kept_list *list = rw_kept(conf, node);
	struct row *row = row_of_batch(&push->flat, i, conf->nkept, op->mem);
	if (!row)
		return -1;
	if ((list->from + list->n == list->cap) && rw_kept_room(op, list, 1)) {
		row_free(row, op->mem);
		return -1;
	}
	if (!list->n || t > list->newest)
		list->newest = t;
	list->p[list->from + list->n++] = (struct rw_kept){ row, t, ++push->rw->arrived };
	/* What goes before the firing in any case need not wait for it. */
	if (!conf->evict.after && conf->evict.kind == EVICT_ROWS && list->n > conf->evict.n)
		drop_oldest(op, list, 1);
	while (!conf->evict.after && conf->evict.kind == EVICT_TIME && too_old(conf, list, list->p[list->from].time))
		drop_oldest(op, list, 1);
	return 0;
}

int rw_kept_merge(struct op *op, struct rw_kept_list *into, struct rw_kept_list *from)
{
	if (rw_kept_room(op, into, from->n))
		return -1;
	uint32_t a = into->n, b = from->n;
	struct rw_kept *x = into->p + into->from, *y = from->p + from->from;
	while (b) /* from behind, so that nothing is written over */
		if (a && x[a - 1].number > y[b - 1].number) {
			x[a + b - 1] = x[a - 1];
			a--;
		} else {
			x[a + b - 1] = y[b - 1];
			b--;
		}
	if (from->n && (!into->n || from->newest > into->newest))
		into->newest = from->newest;
	into->n += from->n;
	from->n = 0;
	return 0;
}

/* ---- evictors ---- */

static bool goes(const struct rw_conf *conf, const struct rw_kept_list *list, uint32_t r)
{
	const struct rw_kept *kept = list->p + list->from;
	if (conf->evict.kind == EVICT_ROWS)
		return list->n - r > conf->evict.n;
	if (conf->evict.kind == EVICT_TIME)
		return too_old(conf, list, kept[r].time);
	const struct value *v = &kept[r].row->v[conf->nkept - 1], *last = &kept[list->n - 1].row->v[conf->nkept - 1];
	return v->type != V_NULL && last->type != V_NULL && rw_away(*v, *last, &conf->evict.delta, true);
}

bool rw_evict(struct op *op, struct rw_node *node)
{
	const struct rw_conf *conf = op->conf;
	struct rw_kept_list *list = rw_kept(conf, node);
	struct rw_kept *kept = list->p + list->from;
	uint32_t stay = 0, n = list->n;
	for (uint32_t r = 0; r < n; r++) {
		if (goes(conf, list, r)) /* the last one, which others are compared with, is the last to go */
			row_free(kept[r].row, op->mem);
		else
			kept[stay++] = kept[r];
	}
	list->n = stay;
	return stay < n;
}
