#include "ops/pick.h"

static struct value *pick_values(const struct batch *in, const struct value *from, const uint16_t *row, uint32_t n)
{
	struct value *to = arena_alloc(in->mem, n * sizeof *to);
	for (uint32_t i = 0; to && i < n; i++)
		to[i] = from[row[i]];
	return to;
}

static int pick_column(const struct batch *in, struct column *col, const uint16_t *row, uint32_t n)
{
	if (col->v && !(col->v = pick_values(in, col->v, row, n)))
		return -1;
	if (col->num && !(col->num = pick_values(in, col->num, row, n)))
		return -1;
	return 0;
}

int batch_pick(const struct batch *in, const uint16_t *row, uint32_t n, uint8_t *kind, struct batch *out)
{
	*out = *in;
	out->n = n;
	out->kind = kind;
	if (n == in->n || !n)
		return 0;
	out->col = arena_alloc(in->mem, in->ncol * sizeof *out->col);
	if (!out->col)
		return -1;
	for (uint32_t c = 0; c < in->ncol; c++) {
		out->col[c] = in->col[c];
		if (pick_column(in, &out->col[c], row, n))
			return -1;
	}
	if (in->time) {
		out->time = arena_alloc(in->mem, n * sizeof *out->time);
		if (!out->time)
			return -1;
		for (uint32_t i = 0; i < n; i++)
			out->time[i] = in->time[row[i]];
	}
	return 0;
}

bool batch_pair_same(const struct batch *batch, uint32_t r)
{
	for (uint32_t c = 0; c < batch->ncol; c++) {
		const struct column *col = &batch->col[c];
		const struct value *v = col->v ? col->v : col->num;
		if (v && !value_same(&v[r], &v[r + 1]))
			return false;
	}
	return true;
}

int batch_slice(const struct batch *in, uint32_t from, uint32_t n, struct batch *out)
{
	*out = *in;
	out->n = n;
	out->col = arena_alloc(in->mem, in->ncol * sizeof *out->col);
	if (!out->col)
		return -1;
	for (uint32_t c = 0; c < in->ncol; c++) {
		out->col[c].v = in->col[c].v ? in->col[c].v + from : NULL;
		out->col[c].num = in->col[c].num ? in->col[c].num + from : NULL;
	}
	out->time = in->time ? in->time + from : NULL;
	out->kind = in->kind ? in->kind + from : NULL;
	return 0;
}
