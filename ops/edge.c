#include "ops/edge.h"

#include <string.h>

#include "ops/op.h"

enum { CELLS_MAX = 1 << 18 }; /* of a batch: 4 MiB of values */

/* Rows of a batch: fewer where a row has many columns. */
static uint32_t rows_at_once(const struct edge *edge, uint32_t max)
{
	uint32_t columns = 1;
	for (uint32_t c = 0; c < edge->stream.schema->n; c++)
		columns += edge->need[c] != 0;
	if (max > CELLS_MAX / columns)
		max = CELLS_MAX / columns;
	return max < 2 ? 2 : max;
}

int edge_open(struct edge *edge, struct op *to, struct mem *mem, uint32_t max, struct err *err)
{
	uint32_t ncol = edge->stream.schema->n;
	edge->to = to;
	edge->err = err;
	edge->max = rows_at_once(edge, max);
	arena_init(&edge->scratch, mem);
	struct arena *plan = edge->stream.schema->mem;
	struct batch *b = &edge->batch;
	b->ncol = ncol;
	b->mem = &edge->scratch;
	b->col = arena_alloc(plan, (ncol ? ncol : 1) * sizeof *b->col);
	b->kind = arena_alloc(plan, edge->max);
	b->time = edge->stream.timed ? arena_alloc(plan, edge->max * sizeof *b->time) : NULL;
	if (!b->col || !b->kind || (edge->stream.timed && !b->time))
		return err_memory(err);
	for (uint32_t c = 0; c < ncol; c++) {
		b->col[c] = (struct column){ 0 };
		if (!edge->need[c])
			continue;
		b->col[c].v = arena_alloc(plan, edge->max * sizeof(struct value));
		if (!b->col[c].v)
			return err_memory(err);
	}
	return 0;
}

void edge_close(struct edge *edge)
{
	arena_release(&edge->scratch);
}

/* A batch into an operator, and what it makes of it on, down the chain. The rows it made before an error go out, too; and they may borrow from
 * the batch, so they go before anybody reuses its memory. */
static int deliver(struct op *to, const struct batch *batch)
{
	int status = to->type->push(to, batch);
	if (to->out && edge_push(to->out))
		status = -1;
	return status;
}

int edge_push(struct edge *edge)
{
	struct batch *b = &edge->batch;
	if (!b->n)
		return 0;
	int status = deliver(edge->to, b);
	b->n = 0;
	arena_reset(&edge->scratch);
	return status;
}

int edge_send(struct edge *edge, const struct batch *batch)
{
	if (edge_push(edge))
		return -1;
	if (!batch->n)
		return 0;
	return deliver(edge->to, batch);
}
