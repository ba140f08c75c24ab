#include "ops/late.h"

#include "ops/pick.h"

int late_send(struct op *op, const struct batch *in, const uint16_t *row, uint32_t n)
{
	if (!op->late || !n)
		return 0;
	uint8_t *kind = arena_alloc(in->mem, n);
	struct batch late;
	if (!kind)
		return err_memory(op->err);
	for (uint32_t i = 0; i < n; i++)
		kind[i] = batch_kind(in, row[i]) & K_MASK; /* the other half of an update may not be late */
	if (batch_pick(in, row, n, kind, &late))
		return err_memory(op->err);
	return edge_send(op->late, &late);
}
