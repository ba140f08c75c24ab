/* Rows that come after their last window: counted for the report at the end, and sent to --late-file. */
#ifndef WEIR_LATE_H
#define WEIR_LATE_H
#include "ops/op.h"

/* Counts one; `last` is the last watermark at which it would still have counted (its last window's end - 2 + lateness). */
static inline void late_count(struct op *op, int64_t last)
{
	op->nlate++;
	if (last < op->late_last)
		op->late_last = last;
}

/* Sends rows row[0] < row[1] < ... of the batch to op->late, if it is there. -1 with op->err set. */
int late_send(struct op *op, const struct batch *in, const uint16_t *row, uint32_t n);
#endif
