/* Rows in order, counted: what a topn holds per key when rows can leave from anywhere. Every operation is O(log n).
 *
 * The order is total: `prefix`, then the caller's comparison of rows, then `seq`. Give each row a larger seq than all before it, and
 * equal rows stand by arrival; a row is found again by its seq even among a million equal ones.
 *
 *     small: one leaf that grows 4, 8 .. 64        large: a counted B+tree of such leaves
 *                                                                     +------------------------------+
 *     root -> [ item item item . ]                            root -> | first item, count, child | ..|
 *                                                                     +------------------|-----------+
 *                                                              [ item item item .. ] <---+
 *
 * The set does not own the rows. Its handle may be moved by memcpy; all-zero bytes are an empty set. */
#ifndef WEIR_ORDSET_H
#define WEIR_ORDSET_H
#include <stdbool.h>
#include <stdint.h>

#include "core/mem.h"

struct row;
struct ordset_node;

struct ordset_item {
	uint64_t prefix; /* order-preserving: a smaller one decides; equal ones leave it to `compare` */
	struct row *row;
	uint64_t seq;    /* unique among equal rows */
};

struct ordset {
	struct ordset_node *root; /* NULL: empty */
	uint64_t n;               /* items */
};

struct ordset_order {
	int (*compare)(const void *context, const struct row *a, const struct row *b); /* NULL: the prefix says all */
	const void *context;
};

/* Puts an item in its place, whose position goes to *at (NULL: not wanted). -1 if memory is refused: the set holds what it held. */
int ordset_insert(struct ordset *set, const struct ordset_order *order, const struct ordset_item *item, struct mem *mem, uint64_t *at)
	__attribute__((warn_unused_result));

/* Takes out the item at position at < n and gives it. */
struct ordset_item ordset_remove(struct ordset *set, uint64_t at, struct mem *mem);

/* The item at position at < n; valid until the next change. */
const struct ordset_item *ordset_at(const struct ordset *set, uint64_t at);

/* How many items stand before `item`, which need not be in the set. So with its seq it is the position of an item; with seq 0 that of the first
 * item with an equal or later row; with seq UINT64_MAX that of the first with a later row. */
uint64_t ordset_rank(const struct ordset *set, const struct ordset_order *order, const struct ordset_item *item);

/* Walks without a search per item: the items from position `at` on that lie side by side, and how many they are; NULL at the end.
 *     for (uint64_t at = 0; (run = ordset_run(set, at, &n)); at += n) */
const struct ordset_item *ordset_run(const struct ordset *set, uint64_t at, uint32_t *n);

/* Frees the set's own memory; it is empty again. */
void ordset_clear(struct ordset *set, struct mem *mem);
#endif
