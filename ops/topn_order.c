/* The sort columns of a topn: their order, its first 64 bits as a number, and rows stored with what they are sorted by. */
#include <string.h>

#include "core/number.h"
#include "ops/topn.h"

/* From the prefix of a value to that of its place in this order; 0 is NULL. */
static inline uint64_t turned(const struct sort_col *sort, uint64_t prefix)
{
	if (!prefix)
		return sort->nulls_first ? 0 : UINT64_MAX;
	return sort->desc ? ~prefix : prefix;
}

uint64_t topn_prefix(const struct topn_conf *conf, const struct value *v)
{
	return turned(conf->sort, value_prefix(v));
}

static int compare(const struct sort_col *col, const struct value *a, const struct value *b)
{
	if (a->type == V_NULL || b->type == V_NULL) {
		if (a->type == b->type)
			return 0;
		return (a->type == V_NULL) == col->nulls_first ? -1 : 1;
	}
	int order = value_order(a, b);
	return col->desc ? -order : order;
}

int topn_compare(const void *context, const struct row *a, const struct row *b)
{
	const struct topn_conf *conf = context;
	int order = 0;
	for (uint32_t i = 0; i < conf->nsort && !order; i++)
		order = compare(&conf->sort[i], &a->v[conf->sort[i].at], &b->v[conf->sort[i].at]);
	return order;
}

int topn_compare_in(const struct topn_conf *conf, const struct topn_in *in, uint32_t r, const struct row *row)
{
	int order = 0;
	for (uint32_t i = 0; i < conf->nsort && !order; i++)
		order = compare(&conf->sort[i], &in->sort[i][r], &row->v[conf->sort[i].at]);
	return order;
}

bool topn_same(const struct topn_conf *conf, const struct row *a, const struct row *b)
{
	for (uint32_t i = 0; i < conf->ncol; i++)
		if (!value_same(&a->v[i], &b->v[i]))
			return false;
	return true;
}

/* The columns of a stored row, and those that identify it. */
static int view_in(const struct topn_conf *conf, struct topn_in *in)
{
	struct arena *mem = in->batch->mem;
	uint32_t n = conf->ncol + conf->nextra;
	struct column *view = arena_alloc(mem, n * sizeof *view);
	struct column *ident = arena_alloc(mem, (conf->nident ? conf->nident : 1) * sizeof *ident);
	if (!view || !ident)
		return -1;
	memcpy(view, in->batch->col + conf->base, conf->ncol * sizeof *view);
	if (conf->field && !(view[0].v = arena_alloc(mem, in->batch->n * sizeof *view[0].v)))
		return -1;
	for (uint32_t i = 0; i < conf->nsort; i++)
		if (conf->sort[i].at >= conf->ncol)
			view[conf->sort[i].at] = (struct column){ .v = in->sort[i] };
	for (uint32_t i = 0; i < conf->nident; i++)
		ident[i] = view[conf->ident[i]];
	in->view = *in->batch;
	in->view.ncol = n;
	in->view.col = view;
	in->ident = in->view;
	in->ident.ncol = conf->nident;
	in->ident.col = ident;
	return 0;
}

/* A column as it was read is taken for numbers as long as it holds them: they are read together. */
static int prefixes(const struct topn_conf *conf, const struct value *v, uint32_t n, struct arena *mem, uint64_t *out)
{
	uint32_t numbers = 0;
	struct value *number = arena_alloc(mem, n * sizeof *number);
	if (!number)
		return -1;
	if (expr_type(conf->sort->expr) == T_RAW)
		numbers = number_read_column(v, n, number);
	value_prefixes(number, numbers, out);
	value_prefixes(v + numbers, n - numbers, out + numbers);
	const struct sort_col first = *conf->sort; /* a copy, which the stores cannot change */
	for (uint32_t r = 0; r < n; r++)
		out[r] = turned(&first, out[r]);
	return 0;
}

int topn_order_in(struct op *op, struct topn_in *in)
{
	const struct topn_conf *conf = topn_conf(op);
	struct arena *mem = in->batch->mem;
	uint32_t n = in->batch->n;
	in->sort = arena_alloc(mem, (conf->nsort ? conf->nsort : 1) * sizeof *in->sort);
	in->prefix = arena_alloc(mem, n * sizeof *in->prefix);
	if (!in->sort || !in->prefix)
		return err_memory(op->err);
	for (uint32_t i = 0; i < conf->nsort; i++)
		if (expr_eval(conf->sort[i].expr, in->batch, &in->sort[i]))
			return err_memory(op->err);
	if (!conf->nsort)
		memset(in->prefix, 0, n * sizeof *in->prefix);
	else if (prefixes(conf, in->sort[0], n, mem, in->prefix))
		return err_memory(op->err);
	return view_in(conf, in) ? err_memory(op->err) : 0;
}

int topn_make(struct op *op, const struct topn_in *in, uint32_t r)
{
	const struct topn_conf *conf = topn_conf(op);
	if (!conf->field)
		return 0;
	struct value *cell = arena_alloc(in->batch->mem, conf->width * sizeof *cell);
	if (!cell)
		return err_memory(op->err);
	for (uint32_t i = 0; i < conf->width; i++)
		cell[i] = value_null();
	for (uint32_t i = 0; i < conf->nfield; i++)
		cell[conf->field[i].at] = in->batch->col[conf->field[i].col].v[r];
	in->view.col[0].v[r] = (struct value){ .type = V_ROW, .len = conf->width, .u.row = cell };
	return 0;
}

struct row *topn_store(struct op *op, const struct topn_in *in, uint32_t r)
{
	if (topn_make(op, in, r))
		return NULL;
	struct row *row = row_of_batch(&in->view, r, in->view.ncol, op->mem);
	if (!row)
		err_memory(op->err);
	return row;
}

struct ordset_item topn_item(struct op *op, struct row *row, uint64_t prefix)
{
	struct topn *s = topn_state(op);
	s->seq += topn_conf(op)->later_first ? UINT64_MAX : 1; /* downwards: the later is the smaller */
	return (struct ordset_item){ .prefix = prefix, .row = row, .seq = s->seq };
}
