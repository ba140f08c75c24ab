/* What the files of the keyed table share; nobody else includes this but tests/unit/t_table_slots.c.
 *
 *   table.c        keys: find, create, remove
 *   table_index.c  slots: probing, growth in slices
 *   table_store.c  chunks: room for entries, walking them in order, sliding them together
 *
 * Every key in the chunks has exactly one slot, which points to its youngest entry. So a live entry has one, and a dead one keeps it until the key is
 * created anew, in the same slot, or the entry is slid away, when the slot is cleared: a key that comes and goes does not fill the index.
 *
 * With table_recycle a removed entry goes from `removed` into `free`, its slot is closed, and the next entry of its size takes its place:
 *
 *     alive    mark = hash bits, state                    in one slot
 *     removed  mark = hash bits, state begins with next   in one slot, unless its key was created anew
 *     free     mark = offset,    state begins with next   in no slot */
#ifndef WEIR_TABLE_IN_H
#define WEIR_TABLE_IN_H
#include "ops/state/table.h"

enum { KLEN_NULL = 0xffff, KLEN_LONG = 0xfffe };
enum {
	CHUNK_BYTES = 1 << 20,
	FREE_SIZES = 64, /* larger entries are not recycled, but slid away */
};

/* In the key's place of an entry whose klen is KLEN_LONG. */
struct long_key {
	char *p;
	uint64_t len;
};

struct chunk {
	char *p;
	size_t size, used; /* bytes */
};

/* A slot is (hash >> 32) << 32 | offset; 0: empty (no entry has offset 0). The home of a hash is its top `bits` bits, the next free slot is taken
 * from there on, wrapping. At least one slot is always empty. */
struct index {
	uint64_t *slot;
	uint64_t n; /* slots, a power of two; 0: there is no such index */
	unsigned bits;
};

struct table {
	struct mem *mem;
	uint64_t seed;
	size_t key_at;        /* bytes from an entry to its key */

	struct chunk *chunk;  /* nchunk of them, room for cap; entries lie in the order of their creation */
	uint32_t nchunk, cap;
	unsigned unit_bits;   /* offset = chunk number << unit_bits | place in the chunk, in units of 8 bytes */

	struct index now, old; /* old: being emptied into now; see table_index.c */
	uint64_t start, done;  /* homes start .. start + done - 1 (mod old.n) are looked up in now, the others in old */
	uint32_t moves;        /* changes whenever a slot may have moved */

	uint64_t live, used;   /* entries alive; slots taken */
	uint64_t bytes, dead;  /* of all entries with their long keys; of the dead ones among them */

	bool recycle;                    /* see table_recycle; the lists below are empty without it */
	struct entry *removed;           /* since the last table_tick */
	struct entry *free[FREE_SIZES];  /* by size, in units of 8 bytes */

	void (*moved)(void *ctx, struct entry *entry); /* see table_on_move; NULL: nobody wants to know */
	void *moved_ctx;
};

static inline struct entry *entry_at(const struct table *table, uint32_t offset)
{
	const struct chunk *chunk = &table->chunk[offset >> table->unit_bits];
	size_t unit = offset & ((1u << table->unit_bits) - 1);
	return (void *)(chunk->p + unit * 8);
}

static inline char *key_place(const struct table *table, struct entry *entry) { return (char *)entry + table->key_at; }
static inline struct long_key *long_key(const struct table *table, struct entry *entry) { return (void *)key_place(table, entry); }

/* The entry behind a removed or free one in its list. */
static inline struct entry **next_removed(struct entry *entry) { return entry_state(entry); }

static inline uint64_t home(const struct index *index, uint32_t hash32) { return hash32 >> (32 - index->bits); }

/* Where a hash is looked up and put. */
static inline const struct index *index_of(const struct table *table, uint32_t hash32)
{
	const struct index *old = &table->old;
	if (!old->n || ((home(old, hash32) - table->start) & (old->n - 1)) < table->done)
		return &table->now;
	return old;
}

/* The first index; -1 if memory is refused. */
int index_first(struct table *table);
/* Makes sure that one more slot can be taken; -1 if memory is refused. */
int index_reserve(struct table *table);
/* Puts a slot where it belongs (index_reserve was called). */
void index_put(struct table *table, uint64_t slot);

enum {
	INDEX_SLICE = 4096, /* slots that a tick moves, and more per row so that growth ends long before the next one is due */
	INDEX_SLICE_PER_ROW = 8,
};
/* Moves at least `want` slots of a running resize. */
void index_step(struct table *table, uint64_t want);

/* Takes the slot of an entry away and closes the gap; gives the entry's offset, 0 if it has no slot. No resize may be running. */
uint32_t index_drop(struct table *table, const struct entry *entry, uint32_t hash32);

/* For sliding; no resize may be running. Thread: slots of dead entries are cleared; each live entry lends its `mark` to hold the number of its slot,
 * and the slot keeps the mark in place of the offset. Gives a slot that was empty, which index_tidy needs: it closes the gaps and may shrink the index. */
uint64_t index_thread(struct table *table);
void index_tidy(struct table *table, uint64_t empty);

/* Room for an entry of `size` bytes (a multiple of 8) behind all others; NULL if memory is refused. Not zeroed. Counts it in table->bytes. */
struct entry *store_take(struct table *table, size_t size, uint32_t *offset);
/* Bytes of an entry in its chunk; and with its long key. */
size_t entry_size(const struct table *table, struct entry *entry);
size_t entry_weight(const struct table *table, struct entry *entry);
/* Frees what a removed entry owns and lists its place, known by its offset, as free. */
void store_free(struct table *table, struct entry *entry, uint32_t offset);
/* Slides live entries together, in order, and forgets the dead ones. */
void store_slide(struct table *table);
#endif
