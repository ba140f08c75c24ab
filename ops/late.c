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
	for (uint32_t i = 0; i < n; i++) {
		bool followed = i + 1 < n && row[i + 1] == row[i] + 1; /* the other half of an update may not be late */
		kind[i] = batch_kind(in, row[i]) & (followed ? K_MASK | K_PAIR : K_MASK);
	}
	if (batch_pick(in, row, n, kind, &late))
		return err_memory(op->err);
	return edge_send(op->late, &late);
}
