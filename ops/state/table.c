#include "ops/state/table.h"

#include <string.h>

#include "core/batch.h"
#include "ops/state/table_in.h"

/* ---- life ---- */

struct table *table_new(size_t state_size, uint64_t seed, struct mem *mem)
{
	struct table *table = mem_alloc(mem, sizeof *table);
	if (!table)
		return NULL;
	table->mem = mem;
	table->seed = seed;
	table->key_at = sizeof(struct entry) + state_size;
	size_t largest = table->key_at + (1 << 16) + 8; /* the longest inline key, behind the 8 bytes that stay unused */
	table->unit_bits = 17;
	while (((size_t)8 << table->unit_bits) < (size_t)CHUNK_BYTES || ((size_t)8 << table->unit_bits) < largest)
		table->unit_bits++;
	if (table->unit_bits > 31 || index_first(table)) {
		mem_free(mem, table, sizeof *table);
		return NULL;
	}
	return table;
}

static void free_long_keys(struct table *table)
{
	for (uint32_t c = 0; c < table->nchunk; c++) {
		for (size_t at = c ? 0 : 8; at < table->chunk[c].used;) {
			struct entry *entry = (void *)(table->chunk[c].p + at);
			at += entry_size(table, entry);
			if (entry->klen == KLEN_LONG)
				mem_free(table->mem, long_key(table, entry)->p, long_key(table, entry)->len);
		}
	}
}

void table_free(struct table *table)
{
	if (!table)
		return;
	free_long_keys(table);
	for (uint32_t c = 0; c < table->nchunk; c++)
		mem_free(table->mem, table->chunk[c].p, table->chunk[c].size);
	mem_free(table->mem, table->chunk, table->cap * sizeof *table->chunk);
	mem_free(table->mem, table->now.slot, table->now.n * sizeof *table->now.slot);
	mem_free(table->mem, table->old.slot, table->old.n * sizeof *table->old.slot);
	mem_free(table->mem, table, sizeof *table);
}

uint64_t table_seed(const struct table *table)
{
	return table->seed;
}

void table_on_move(struct table *table, void (*moved)(void *ctx, struct entry *entry), void *ctx)
{
	table->moved = moved;
	table->moved_ctx = ctx;
}

void table_recycle(struct table *table)
{
	table->recycle = true;
}

uint64_t table_count(const struct table *table)
{
	return table->live;
}

/* ---- keys ---- */

static inline uint64_t load8(const char *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	return word;
}

static inline uint32_t load4(const char *p)
{
	uint32_t word;
	memcpy(&word, p, sizeof word);
	return word;
}

static inline uint16_t load2(const char *p)
{
	uint16_t word;
	memcpy(&word, p, sizeof word);
	return word;
}

/* memcmp as a call costs more than comparing a short key in words, the last one overlapping. */
static inline bool same_bytes(const char *a, const char *b, uint32_t n)
{
	if (n >= 8) {
		if (n > 64)
			return !memcmp(a, b, n);
		for (uint32_t i = 0; i + 8 < n; i += 8)
			if (load8(a + i) != load8(b + i))
				return false;
		return load8(a + n - 8) == load8(b + n - 8);
	}
	if (n > 4)
		return load4(a) == load4(b) && load4(a + n - 4) == load4(b + n - 4);
	if (n >= 2)
		return load2(a) == load2(b) && load2(a + n - 2) == load2(b + n - 2);
	return !n || a[0] == b[0];
}

static inline uint16_t klen_of(uint32_t len)
{
	return len == KEY_NULL ? KLEN_NULL : len >= KLEN_LONG ? KLEN_LONG : (uint16_t)len;
}

static inline bool same_key(const struct table *table, struct entry *entry, const char *key, uint32_t len)
{
	uint16_t klen = klen_of(len);
	if (entry->klen != klen)
		return false;
	if (klen < KLEN_LONG)
		return same_bytes(key_place(table, entry), key, len);
	if (klen == KLEN_NULL)
		return true;
	const struct long_key *stored = long_key(table, entry);
	return stored->len == len && !memcmp(stored->p, key, len);
}

const char *entry_key(const struct table *table, const struct entry *entry, uint32_t *len)
{
	const char *p = (const char *)entry + table->key_at;
	if (entry->klen == KLEN_LONG) {
		const struct long_key *stored = (const void *)p;
		*len = (uint32_t)stored->len;
		return stored->p;
	}
	*len = entry->klen == KLEN_NULL ? (uint32_t)KEY_NULL : entry->klen;
	return p;
}

/* Not 0 if one of the 8 bytes is c. (Mycroft's test for a zero byte.) */
static inline uint64_t holds(uint64_t word, char c)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	word ^= ones * (uint8_t)c;
	return (word - ones) & ~word & ones << 7;
}

static inline bool is_clean_word(uint64_t word)
{
	return !(holds(word, '\t') | holds(word, '\n') | holds(word, '\r') | holds(word, '\\'));
}

static bool is_clean(const char *key, uint32_t len)
{
	uint64_t last = 0;
	if (!len)
		return true;
	if (len < 8) {
		memcpy(&last, key, len);
		return is_clean_word(last);
	}
	for (uint32_t i = 0; i + 8 < len; i += 8)
		if (!is_clean_word(load8(key + i)))
			return false;
	return is_clean_word(load8(key + len - 8));
}

/* ---- finding ---- */

/* The first slot from `at` on that has these hash bits, or an empty one. */
static inline uint64_t scan(const struct index *index, uint64_t at, uint32_t hash32)
{
	uint64_t mask = index->n - 1;
	while (index->slot[at] && index->slot[at] >> 32 != hash32)
		at = (at + 1) & mask;
	return at;
}

/* The slot of a key, from `at` on, and its entry, which may be dead; NULL: it has none. */
static inline struct entry *match(const struct table *table, uint64_t at, uint32_t hash32, const char *key, uint32_t len, uint64_t **slot)
{
	const struct index *index = index_of(table, hash32);
	for (;;) {
		at = scan(index, at, hash32);
		if (!index->slot[at])
			return NULL;
		struct entry *entry = entry_at(table, (uint32_t)index->slot[at]);
		if (same_key(table, entry, key, len)) {
			*slot = &index->slot[at];
			return entry;
		}
		at = (at + 1) & (index->n - 1);
	}
}

/* Copies a key behind the state; a long one into its own allocation, which the caller has made. */
static void set_key(const struct table *table, struct entry *entry, const char *key, uint32_t len, char *own)
{
	uint16_t klen = klen_of(len);
	*entry = (struct entry){ .klen = klen };
	if (klen == KLEN_NULL) {
		entry->flags = ENTRY_CLEAN;
		return;
	}
	if (is_clean(key, len))
		entry->flags = ENTRY_CLEAN;
	if (own) {
		memcpy(own, key, len);
		*long_key(table, entry) = (struct long_key){ own, len };
	} else if (len) {
		memcpy(key_place(table, entry), key, len);
	}
}

/* `slot`: the one that a dead entry of this key gives up; NULL: a new one is taken. */
static struct entry *create_entry(struct table *table, uint64_t hash, const char *key, uint32_t len, uint64_t *slot)
{
	uint16_t klen = klen_of(len);
	char *own = NULL;
	struct entry shape = { .klen = klen };
	size_t size = entry_size(table, &shape);
	if (!slot && index_reserve(table))
		return NULL;
	if (klen == KLEN_LONG && !(own = mem_alloc(table->mem, len)))
		return NULL;
	uint32_t offset;
	struct entry *entry = store_take(table, size, &offset);
	if (!entry) {
		mem_free(table->mem, own, len);
		return NULL;
	}
	memset(entry_state(entry), 0, table->key_at - sizeof *entry);
	set_key(table, entry, key, len, own);
	if (table->recycle)
		entry->mark = (uint32_t)(hash >> 32);
	if (own)
		table->bytes += len;
	uint64_t filled = hash >> 32 << 32 | offset;
	if (slot)
		*slot = filled;
	else
		index_put(table, filled);
	table->live++;
	return entry;
}

enum {
	LINE = 64,          /* bytes that one prefetch brings */
	NEAR = 256 << 10,   /* bytes of a table that stays in the second level cache: there is nothing to wait for */
};

/* First two passes: asks for the slots, then finds the likely slot of each row and asks for its entry, so that the cache misses overlap. */
static void fetch(const struct table *table, uint32_t n, const uint64_t *hash, const uint32_t *len, uint64_t *at)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct index *index = index_of(table, (uint32_t)(hash[i] >> 32));
		__builtin_prefetch(&index->slot[home(index, (uint32_t)(hash[i] >> 32))]);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t hash32 = (uint32_t)(hash[i] >> 32);
		const struct index *index = index_of(table, hash32);
		at[i] = scan(index, home(index, hash32), hash32);
		if (!index->slot[at[i]])
			continue;
		struct entry *entry = entry_at(table, (uint32_t)index->slot[at[i]]);
		__builtin_prefetch(entry, 1);
		__builtin_prefetch(key_place(table, entry) + (len[i] < LINE ? len[i] : LINE)); /* its end: a short key lies on this line and the first */
	}
}

int table_find(struct table *table, uint32_t n, const uint64_t *hash, const char *const *key, const uint32_t *len,
	bool create, const uint8_t *create_mask, struct entry **out, uint8_t *fresh)
{
	uint64_t at[BATCH_MAX];
	bool ahead = table->bytes + table->now.n * sizeof *table->now.slot > NEAR;
	if (ahead)
		fetch(table, n, hash, len, at);
	uint32_t moves = table->moves;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t hash32 = (uint32_t)(hash[i] >> 32);
		uint64_t from = ahead && table->moves == moves ? at[i] : home(index_of(table, hash32), hash32);
		uint64_t *slot = NULL;
		struct entry *entry = match(table, from, hash32, key[i], len[i], &slot);
		bool alive = entry && !(entry->flags & ENTRY_DEAD);
		out[i] = alive ? entry : NULL;
		if (!create)
			continue;
		fresh[i] = 0;
		if (alive || (create_mask && !create_mask[i]))
			continue;
		out[i] = create_entry(table, hash[i], key[i], len[i], slot);
		if (!out[i]) {
			while (i--)
				if (fresh[i])
					table_remove(table, out[i]);
			return -1;
		}
		fresh[i] = 1;
	}
	return 0;
}

void table_remove(struct table *table, struct entry *entry)
{
	entry->flags |= ENTRY_DEAD;
	table->live--;
	table->dead += entry_weight(table, entry);
	if (table->recycle) {
		*next_removed(entry) = table->removed;
		table->removed = entry;
	}
}

/* ---- between pushes ---- */

/* Entries that were removed become free, some at a time, so that the cache misses overlap. One whose key was created anew stays until it is slid away. */
static void recycle(struct table *table)
{
	enum { ROUND = 32 };
	struct entry *entry[ROUND];
	while (table->removed) {
		uint32_t n = 0;
		for (; n < ROUND && table->removed; table->removed = *next_removed(entry[n++])) {
			entry[n] = table->removed;
			__builtin_prefetch(&table->now.slot[home(&table->now, entry[n]->mark)], 1);
		}
		for (uint32_t i = 0; i < n; i++) {
			uint32_t offset = index_drop(table, entry[i], entry[i]->mark);
			if (offset)
				store_free(table, entry[i], offset);
		}
	}
}

void table_tick(struct table *table, uint32_t rows)
{
	if (table->old.n) {
		index_step(table, INDEX_SLICE + (uint64_t)INDEX_SLICE_PER_ROW * rows);
		return;
	}
	recycle(table);
	if (table->dead && table->dead >= table->bytes / 2)
		store_slide(table);
}
