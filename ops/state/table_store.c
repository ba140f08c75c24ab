/* The chunks of the keyed table: entries one behind the other, in the order of their creation. */
#include <string.h>

#include "ops/state/table_in.h"

enum { CHUNK_FIRST = 4 << 10 /* the first chunks are smaller, each four times the one before, so that small tables stay small */ };

size_t entry_size(const struct table *table, struct entry *entry)
{
	size_t len = entry->klen == KLEN_NULL ? 0 : entry->klen == KLEN_LONG ? sizeof(struct long_key) : entry->klen;
	return table->key_at + ((len + 7) & ~(size_t)7);
}

size_t entry_weight(const struct table *table, struct entry *entry)
{
	return entry_size(table, entry) + (entry->klen == KLEN_LONG ? (size_t)long_key(table, entry)->len : 0);
}

static int add_chunk(struct table *table, size_t need)
{
	size_t full = (size_t)8 << table->unit_bits;
	size_t size = table->nchunk < 4 ? (size_t)CHUNK_FIRST << 2 * table->nchunk : full;
	while (size < need)
		size *= 4;
	if (size > full)
		size = full;
	if (table->nchunk >> (32 - table->unit_bits))
		return -1;
	if (!table->chunk || table->nchunk == table->cap) {
		uint32_t cap = table->cap ? table->cap * 2 : 4;
		struct chunk *chunk = mem_resize(table->mem, table->chunk, table->cap * sizeof *chunk, cap * sizeof *chunk);
		if (!chunk)
			return -1;
		table->chunk = chunk;
		table->cap = cap;
	}
	char *p = mem_alloc(table->mem, size);
	if (!p)
		return -1;
	/* 8 bytes of the first chunk stay unused: offset 0 would look like an empty slot */
	table->chunk[table->nchunk] = (struct chunk){ p, size, table->nchunk ? 0 : 8 };
	table->nchunk++;
	return 0;
}

static struct entry *take_free(struct table *table, size_t size, uint32_t *offset)
{
	struct entry *entry = size / 8 < FREE_SIZES ? table->free[size / 8] : NULL;
	if (!entry)
		return NULL;
	table->free[size / 8] = *next_removed(entry);
	__builtin_prefetch(table->free[size / 8], 1);
	table->dead -= size;
	*offset = entry->mark;
	return entry;
}

struct entry *store_take(struct table *table, size_t size, uint32_t *offset)
{
	struct entry *place = take_free(table, size, offset);
	if (place)
		return place;
	struct chunk *last = table->nchunk ? &table->chunk[table->nchunk - 1] : NULL;
	if (!last || last->size - last->used < size) {
		if (add_chunk(table, size + 8))
			return NULL;
		last = &table->chunk[table->nchunk - 1];
	}
	*offset = (table->nchunk - 1) << table->unit_bits | (uint32_t)(last->used / 8);
	struct entry *entry = (void *)(last->p + last->used);
	last->used += size;
	table->bytes += size;
	return entry;
}

/* *pos is offset of the next entry, or the end of its chunk; then it goes on in the next chunk once there is one. */
bool table_next(const struct table *table, uint64_t *pos, struct entry **out)
{
	uint64_t unit_mask = ((uint64_t)1 << table->unit_bits) - 1;
	for (;;) {
		uint64_t c = *pos >> table->unit_bits, at = (*pos & unit_mask) * 8;
		if (c >= table->nchunk)
			return false;
		if (!*pos)
			at = 8;
		if (at >= table->chunk[c].used) {
			if (c + 1 == table->nchunk)
				return false;
			*pos = (c + 1) << table->unit_bits;
			continue;
		}
		struct entry *entry = (void *)(table->chunk[c].p + at);
		*pos = (c << table->unit_bits) + (at + entry_size(table, entry)) / 8;
		if (entry->flags & ENTRY_DEAD)
			continue;
		*out = entry;
		return true;
	}
}

/* Where the next live entry is put while sliding: never behind the place it comes from, as what lay before it took at least that much room. */
struct target {
	uint32_t c;
	size_t used;
};

static void slide_entry(struct table *table, struct entry *entry, struct target *to)
{
	size_t size = entry_size(table, entry);
	while (table->chunk[to->c].size - to->used < size) {
		table->chunk[to->c++].used = to->used;
		to->used = 0;
	}
	uint64_t *slot = &table->now.slot[entry->mark];
	entry->mark = (uint32_t)*slot;
	*slot = *slot >> 32 << 32 | to->c << table->unit_bits | to->used / 8;
	struct entry *place = (void *)(table->chunk[to->c].p + to->used);
	to->used += size;
	if (place == entry)
		return;
	memmove(place, entry, size);
	if (table->moved)
		table->moved(table->moved_ctx, place);
}

static void forget(struct table *table, struct entry *entry)
{
	size_t weight = entry_weight(table, entry);
	table->bytes -= weight;
	table->dead -= weight;
	if (entry->klen == KLEN_LONG)
		mem_free(table->mem, long_key(table, entry)->p, long_key(table, entry)->len);
}

void store_free(struct table *table, struct entry *entry, uint32_t offset)
{
	size_t size = entry_size(table, entry);
	if (entry->klen == KLEN_LONG) {
		struct long_key *key = long_key(table, entry);
		mem_free(table->mem, key->p, key->len);
		table->bytes -= key->len;
		table->dead -= key->len;
		*key = (struct long_key){ 0 };
	}
	if (size / 8 >= FREE_SIZES)
		return;
	entry->mark = offset;
	*next_removed(entry) = table->free[size / 8];
	table->free[size / 8] = entry;
}

void store_slide(struct table *table)
{
	uint64_t empty = index_thread(table);
	memset(table->free, 0, sizeof table->free);
	struct target to = { 0, 8 };
	for (uint32_t c = 0; c < table->nchunk; c++) {
		size_t end = table->chunk[c].used;
		for (size_t at = c ? 0 : 8; at < end;) {
			struct entry *entry = (void *)(table->chunk[c].p + at);
			at += entry_size(table, entry);
			if (entry->flags & ENTRY_DEAD)
				forget(table, entry);
			else
				slide_entry(table, entry, &to);
		}
	}
	if (table->nchunk)
		table->chunk[to.c].used = to.used;
	while (table->nchunk > to.c + 1) {
		struct chunk *last = &table->chunk[--table->nchunk];
		mem_free(table->mem, last->p, last->size);
	}
	index_tidy(table, empty);
}
