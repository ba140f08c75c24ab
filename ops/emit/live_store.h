/* The rows of a picture that is kept up to date: found by hash, walked in the order in which they came.
 *
 *     slot[] (by hash)      item[] (by arrival)
 *     +---+                 +-----+------+
 *     | 1 |---------------->| row | next |--+      of equal rows the first is found first
 *     | . |                 | gone|      |  |
 *     | . |                 | row | next |<-+
 *     +---+                 +-----+------+
 *
 * An item whose row is gone leaves its chain at once, and item[] when half of it is gone. Numbers in slot and next are places in item[] + 1; 0 ends a chain. */
#ifndef WEIR_LIVE_STORE_H
#define WEIR_LIVE_STORE_H
#include "ops/state/row.h"

struct live_item {
	struct row *row; /* NULL: gone */
	uint64_t hash;
	uint64_t list;   /* the user's: which of several lists it is in */
	uint32_t next;
};

struct live_ends {
	uint32_t head, tail;
};

struct live_store {
	struct mem *mem;
	struct live_item *item;
	uint32_t n, cap, gone;
	struct live_ends *slot; /* cap of them, a power of two */
};

/* How the row r of a batch is found: values v[at[i]] of a stored row equal column i of the batch. */
struct live_ident {
	const struct batch *batch;
	const uint32_t *at;
};

/* The first item of that hash and those values; NULL: none. Good until the next live_add. */
struct live_item *live_find(const struct live_store *store, const struct live_ident *ident, uint32_t r, uint64_t hash);

/* Appends a row and owns it from then on. -1 if memory is refused: it is still the caller's. */
int live_add(struct live_store *store, struct row *row, uint64_t hash, uint64_t list) __attribute__((warn_unused_result));

/* Frees the row of an item of the store. */
void live_take(struct live_store *store, struct live_item *item);

static inline uint32_t live_count(const struct live_store *store) { return store->n - store->gone; }

/* Frees all rows; the store can be used again. */
void live_clear(struct live_store *store);
/* The same, and gives all memory back. */
void live_release(struct live_store *store);
#endif
