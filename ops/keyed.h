/* What operators with a state per key have in common: the keys of a batch in their table, and keys that --ttl forgets.
 *
 * The keys of a batch are looked up together, so that cache misses overlap; new ones are made at once, ahead of their row. A table keeps its keys by
 * first appearance, and that must not depend on where a batch ends:
 *
 *     row  0  +I k1    k1 is made
 *          1  -D k1    the operator removes it: its last row has gone
 *          2  +I k1    keyed_again makes it anew; before that it removes k2, which is still empty and would else stand before k1
 *          3  +I k2    keyed_again makes it anew */
#ifndef WEIR_KEYED_H
#define WEIR_KEYED_H
#include "ops/key.h"

/* A batch and the entries of its rows. Arrays are by row, in the batch's memory. */
struct keyed {
	struct table *table;
	uint32_t n;
	const char **bytes;
	uint32_t *len;
	uint64_t *hash;
	struct entry **entry; /* NULL: the key is not there, and the row does not add */
	uint8_t *fresh;       /* the row made its key */
	const uint8_t *adds;  /* +I and +U; other rows make no key. NULL: all rows add */
	bool in_turn;         /* no key has been made ahead of its row any more */
};

/* An empty table for an operator whose state has been allocated, which then is op->keys, too; NULL if memory is refused. */
struct table *keyed_table(struct op *op, size_t state_size);

/* Finds and makes the keys of a batch that has rows. retracts: its rows may take back; else their kind does not matter. -1 if memory is refused. */
int keyed_find(struct keyed *keyed, struct table *table, const struct key *key, const struct batch *batch, bool retracts) __attribute__((warn_unused_result));

/* Finds (if the row adds: makes) the key of row r once more, after its entry has been removed. -1 if memory is refused. */
int keyed_again(struct keyed *keyed, uint32_t r) __attribute__((warn_unused_result));

static inline bool keyed_adds(const struct keyed *keyed, uint32_t r) { return !keyed->adds || keyed->adds[r]; }

/* Looks through a table for keys to forget, once half as many rows have passed as there are keys: two looks for each row, and never many more keys
 * than are alive. */
struct keyed_sweep {
	size_t written_at;    /* in the state: an int64_t, the time of the last change */
	int (*forget)(struct op *op, struct entry *entry); /* drops the state and removes the entry; 0, or -1 with op->err set */
	uint64_t rows;        /* since the last look */
	int64_t oldest;       /* no key was written before this */
};

/* To be called with the rows of each batch; does nothing without --ttl. Keys of an open bundle (mark) are left alone. 0, or -1 with op->err set. */
int keyed_sweep(struct op *op, struct keyed_sweep *sweep, struct table *table, uint32_t rows);
#endif
