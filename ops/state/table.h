/* The keyed table: key bytes -> a fixed-size state that the operator owns, entries in order of first appearance (but see table_recycle).
 *
 *   slots (hash table)                  chunks of 1 MiB, filled from left to right
 *   +-----------------------+           +--------------------------------------------------+
 *   | 32 hash bits | offset | --------> | entry | state | key bytes | entry | state | ...  |
 *   +-----------------------+           +--------------------------------------------------+
 *   index = TOP hash bits, so growth is one sequential pass, done in slices by table_tick
 *
 * offset counts 8 bytes. Keys longer than 64 KiB - 3 lie in an allocation of their own. Removal marks the entry dead; memory is reused by sliding
 * live entries together, which happens in table_tick only, never during a push, and keeps the order of first appearance. So entries stay put
 * during a push, and an operator that removes any must not keep a struct entry * over a table_tick, unless it is told of every move (table_on_move).
 * Where the order does not matter (table_recycle), places of removed entries are taken again, and sliding is left for a table that has shrunk.
 * State is relocatable: no pointers into itself.
 * The hash seed is per process and never visible in results. */
#ifndef WEIR_TABLE_H
#define WEIR_TABLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/mem.h"

struct table;

enum { KEY_NULL = UINT32_MAX }; /* as a length: the NULL key */

struct entry {        /* 8 bytes, then state (8-aligned), then the key bytes */
	uint32_t mark;    /* the operator's: place in the bundle + 1; 0: not in it. Cleared by table_find when the entry is created */
	uint16_t klen;    /* 0xffff: NULL key; 0xfffe: long key, see entry_key */
	uint16_t flags;
};
enum {
	ENTRY_DEAD = 1,  /* removed */
	ENTRY_CLEAN = 2, /* the key needs no escaping on output; set at creation (a key of several columns may lack it without need) */
	ENTRY_USER = 4,  /* this bit and higher ones are the operator's */
};

/* An empty table whose entries carry state_size bytes (a multiple of 8), zeroed at creation. NULL if memory is refused. `seed` is for table_seed. */
struct table *table_new(size_t state_size, uint64_t seed, struct mem *mem);
/* Frees everything; states that own memory were dropped by the caller before (table_next). */
void table_free(struct table *table);
uint64_t table_seed(const struct table *table);
/* Live entries. */
uint64_t table_count(const struct table *table);

/* Finds n <= BATCH_MAX keys (len KEY_NULL: the NULL key) with hashes made with table_seed; out[i] is NULL where the key is not there and was not
 * created. With create, fresh[i] is 1 exactly for the first row of a key that was not there before (without, fresh may be NULL). -1 if memory is
 * refused: what this call had created is removed again.
 * create_mask (NULL: all): with create, only rows with create_mask[i] != 0 may create. */
int table_find(struct table *table, uint32_t n, const uint64_t *hash, const char *const *key, const uint32_t *len,
	bool create, const uint8_t *create_mask, struct entry **out, uint8_t *fresh);

static inline void *entry_state(struct entry *entry) { return entry + 1; }
/* The key's bytes and length (KEY_NULL for the NULL key). */
const char *entry_key(const struct table *table, const struct entry *entry, uint32_t *len);

/* Marks an entry dead; its place and its key bytes stay until table_tick. The key can be created anew at once. What its state owns was dropped before. */
void table_remove(struct table *table, struct entry *entry);

/* Between pushes: moves a slice of a running resize, or slides entries together when half of the memory is dead. `rows`: how many passed since the last call.
 * Needs no memory to do its work. */
void table_tick(struct table *table, uint32_t rows);

/* Gives up the order of first appearance, for keys that come and go: the places of removed entries are taken again. The marks of the entries are the
 * table's from now on, and so is the state of a removed one. To be called while the table is empty; entries must carry a state. */
void table_recycle(struct table *table);

/* From now on moved(ctx, entry) is called for each live entry that table_tick has slid to a new place, for those who keep pointers to entries. It may
 * read and write the entry's state and look at its key; it must not find, create or remove, as the others are still on their way. */
void table_on_move(struct table *table, void (*moved)(void *ctx, struct entry *entry), void *ctx);

/* Live entries in order of first appearance (with table_recycle: in any): start with *pos = 0; false at the end. Entries created meanwhile come, too. Not across a table_tick. */
bool table_next(const struct table *table, uint64_t *pos, struct entry **out);
#endif
