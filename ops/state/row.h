/* A stored row: one allocation that holds the values and the bytes they point to. */
#ifndef WEIR_ROW_H
#define WEIR_ROW_H
#include "core/batch.h"

struct snap_in;
struct snap_out;

struct row {
	uint32_t size;   /* of the allocation */
	uint32_t n : 31; /* values */
	uint32_t pinned : 1; /* the owner's: somebody still points to it; 0 in a new row */
	uint64_t hash;   /* over the printed values; 0 until asked, see row_hash */
	struct value v[]; /* texts point behind the array */
};

/* Copies row r of a batch: columns 0..ncol-1; one that is not read (v NULL) becomes NULL. NULL if memory is refused. */
struct row *row_of_batch(const struct batch *batch, uint32_t r, uint32_t ncol, struct mem *mem);
/* NULL is fine. */
void row_free(struct row *row, struct mem *mem);

/* Equality of whole rows by bytes (value_same), V_ROW values field by field. With a batch, its first a->n columns are compared. */
bool row_same(const struct row *a, const struct row *b);
bool row_same_batch(const struct row *a, const struct batch *batch, uint32_t r);
/* A hash that agrees with that equality, never 0; the same for a stored row and for the row of a batch that it was made of. */
uint64_t row_hash(struct row *row);
uint64_t row_hash_batch(const struct batch *batch, uint32_t r, uint32_t ncol);

/* Snapshot. row_load needs no in->mem. NULL if what it reads is damaged or memory is refused, in->bad is then set: snap_done tells which. */
void row_save(const struct row *row, struct snap_out *out);
struct row *row_load(struct snap_in *in, struct mem *mem);
#endif
