/* Rows of a batch brought together: what stays after a filter. */
#ifndef WEIR_PICK_H
#define WEIR_PICK_H
#include "core/batch.h"

/* *out is the batch of the n rows row[0] < row[1] < ... of `in`, in memory of in->mem; if they are all of its rows the columns are shared.
 * `kind` (n bytes, borrowed) replaces the kinds; NULL: all +I. -1 if memory is refused. */
int batch_pick(const struct batch *in, const uint16_t *row, uint32_t n, uint8_t *kind, struct batch *out);

/* Are rows r and r + 1, the two halves of an update, the same bytes in every column that is there? */
bool batch_pair_same(const struct batch *batch, uint32_t r);

/* Rows from .. from + n - 1 as a batch of their own: the cells are shared, the columns lie in memory of in->mem. -1 if memory is refused. */
int batch_slice(const struct batch *in, uint32_t from, uint32_t n, struct batch *out);
#endif
