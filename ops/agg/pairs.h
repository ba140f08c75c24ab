/* Pairs (x, y) of which the one with the least (greatest) y is wanted, the earliest of equals: what argmin and argmax keep of updating input.
 *
 * A heap by y and arrival. A pair taken back is not looked for: its debt is noted, and it goes when it comes to the top. As equal pairs leave the
 * heap in order of arrival, it is the earliest that goes. When the debts may be half of the heap it is swept.
 *
 * The first of the heap is never owed. All-zero bytes are empty; it may be moved by memcpy, not duplicated. `sign` is 1 for the greatest y, -1 for
 * the least, the same in every call. */
#ifndef WEIR_PAIRS_H
#define WEIR_PAIRS_H
#include "ops/agg/valmap.h"

struct pair;
struct pairs {
	struct pair *heap;
	uint32_t n, cap;
	int64_t seq;        /* of the next pair */
	int64_t noted;      /* debts noted since the last sweep */
	struct valmap debt; /* digest of a pair -> how often it was taken back but is still in the heap, or has not come yet */
};

/* Adds a pair, takes one back; neither x nor y is NULL. -1 if memory is refused: nothing has changed. */
int pairs_add(struct pairs *pairs, const struct value *x, const struct value *y, int sign, struct mem *mem) __attribute__((warn_unused_result));
int pairs_remove(struct pairs *pairs, const struct value *x, const struct value *y, int sign, struct mem *mem) __attribute__((warn_unused_result));

/* The x of the best pair (borrowed); NULL if there is none. */
struct value pairs_best(const struct pairs *pairs);

/* Adds the pairs of `from` as later ones, and its debts. On failure part of them are in. */
int pairs_merge(struct pairs *pairs, const struct pairs *from, int sign, struct mem *mem) __attribute__((warn_unused_result));

/* Frees everything; it is empty again. */
void pairs_drop(struct pairs *pairs, struct mem *mem);

/* Snapshot; pairs_load fills an empty one. */
void pairs_save(const struct pairs *pairs, struct snap_out *out);
int pairs_load(struct pairs *pairs, int sign, struct snap_in *in, struct mem *mem) __attribute__((warn_unused_result));
#endif
