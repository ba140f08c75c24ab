/* Values in order, each with a count: what min, max and the quantiles keep of what may be taken back, and argmin, argmax (as pairs).
 *
 *     root -> [ node: prefix, weight, child ... ]            levels of nodes; one block alone needs none
 *                               |
 *                               +-> [ block: n, cap, items in order, at most MS_BLOCK ]      first item of a block < all of the next one
 *
 * An item lies in its block as it is. A search looks at the first prefixes that the nodes hold, then into one block; the weights beside them lead
 * to a rank. Counts may be negative (a retraction that came first); an item vanishes when its count is 0. Items are in cell_order; most
 * comparisons end at the 8-byte prefix.
 *
 * All-zero bytes are an empty multiset; it may be moved by memcpy, not duplicated. */
#ifndef WEIR_MULTISET_H
#define WEIR_MULTISET_H
#include "ops/agg/cell.h"

struct multiset {
	void *root;      /* height 0: a block, NULL if there is none; else a node */
	uint32_t height; /* levels of nodes */
	int64_t weight;  /* sum of the counts above 0 */
};

/* Changes the count of v by `by`. -1 if memory is refused: nothing has changed. */
int ms_add(struct multiset *ms, const struct value *v, int64_t by, struct mem *mem) __attribute__((warn_unused_result));

/* The first, the last value with a count above 0 (borrowed); NULL if there is none. */
struct value ms_least(const struct multiset *ms);
struct value ms_most(const struct multiset *ms);

/* The value at a rank, 1..weight, counting each as often as it is there (borrowed). */
struct value ms_rank(const struct multiset *ms, int64_t rank);

/* Adds all counts of `from`. On failure part of them are in. */
int ms_merge(struct multiset *ms, const struct multiset *from, int sign, struct mem *mem) __attribute__((warn_unused_result));

/* Frees everything; the multiset is empty again. */
void ms_drop(struct multiset *ms, struct mem *mem);

/* Snapshot; ms_load fills an empty multiset. */
void ms_save(const struct multiset *ms, struct snap_out *out);
int ms_load(struct multiset *ms, struct snap_in *in, struct mem *mem) __attribute__((warn_unused_result));
#endif
