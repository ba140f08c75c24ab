#include "ops/agg/valmap.h"

#include <string.h>

#include "ops/state/snapshot.h"

enum { DEAD = V_ROW /* as the type of an item: cells have no whole rows */ };

struct valmap_slot {
	uint32_t hash;
	uint32_t index; /* of the item, + 1; 0: empty */
};

static size_t stride(unsigned words)
{
	return sizeof(struct cell) + words * sizeof(int64_t);
}

static struct cell *item_at(const struct valmap *map, uint32_t i, unsigned words)
{
	return (struct cell *)(void *)(map->item + i * stride(words));
}

static bool alive(const struct cell *item)
{
	return item->type != DEAD;
}

static int64_t *words_of(struct cell *item)
{
	return (int64_t *)(void *)(item + 1);
}

/* The slot that holds a value, or the empty one where it belongs. */
static uint32_t seek(const struct valmap *map, const struct value *v, uint32_t hash, unsigned words)
{
	uint32_t mask = map->nslot - 1, s = hash & mask;
	for (; map->slot[s].index; s = (s + 1) & mask) {
		if (map->slot[s].hash != hash)
			continue;
		struct value have = cell_value(item_at(map, map->slot[s].index - 1, words));
		if (value_same(&have, v))
			break;
	}
	return s;
}

/* The slot that points to item i, whose hash is known. */
static uint32_t slot_of(const struct valmap *map, uint32_t i, uint32_t hash)
{
	uint32_t mask = map->nslot - 1, s = hash & mask;
	while (map->slot[s].index != i + 1)
		s = (s + 1) & mask;
	return s;
}

int64_t *valmap_get(const struct valmap *map, const struct value *v, unsigned words)
{
	if (map->nslot) {
		uint32_t i = map->slot[seek(map, v, (uint32_t)cell_hash(v), words)].index;
		return i ? words_of(item_at(map, i - 1, words)) : NULL;
	}
	for (uint32_t i = 0; i < map->used; i++) {
		struct cell *item = item_at(map, i, words);
		if (!alive(item))
			continue;
		struct value have = cell_value(item);
		if (value_same(&have, v))
			return words_of(item);
	}
	return NULL;
}

/* Fills empty slots. */
static void point_slots(const struct valmap *map, struct valmap_slot *slot, uint32_t nslot, unsigned words)
{
	for (uint32_t i = 0; i < map->used; i++) {
		if (!alive(item_at(map, i, words)))
			continue;
		struct value v = cell_value(item_at(map, i, words));
		uint32_t hash = (uint32_t)cell_hash(&v), s = hash & (nslot - 1);
		while (slot[s].index)
			s = (s + 1) & (nslot - 1);
		slot[s] = (struct valmap_slot){ hash, i + 1 };
	}
}

/* Slides live items together. */
static void compact(struct valmap *map, unsigned words)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < map->used; i++) {
		struct cell *item = item_at(map, i, words);
		if (alive(item))
			memmove(item_at(map, n++, words), item, stride(words));
	}
	map->used = n;
	if (!map->nslot)
		return;
	memset(map->slot, 0, map->nslot * sizeof *map->slot);
	point_slots(map, map->slot, map->nslot, words);
}

/* Room for one more item. */
static int grow_items(struct valmap *map, unsigned words, struct mem *mem)
{
	if (map->used < map->cap)
		return 0;
	if (map->n <= map->cap / 2 && map->cap) {
		compact(map, words);
		return 0;
	}
	uint32_t cap = map->cap ? 2 * map->cap : 1;
	char *item = mem_resize(mem, map->item, map->cap * stride(words), cap * stride(words));
	if (!item)
		return -1;
	map->item = item;
	map->cap = cap;
	return 0;
}

/* Slots for at least one more item, at most half of them full. */
static int grow_slots(struct valmap *map, unsigned words, struct mem *mem)
{
	if (map->used < VALMAP_SMALL || 2 * (map->n + 1) <= map->nslot)
		return 0;
	uint32_t nslot = map->nslot ? 2 * map->nslot : 4 * VALMAP_SMALL;
	struct valmap_slot *slot = mem_alloc(mem, nslot * sizeof *slot);
	if (!slot)
		return -1;
	point_slots(map, slot, nslot, words);
	mem_free(mem, map->slot, map->nslot * sizeof *slot);
	map->slot = slot;
	map->nslot = nslot;
	return 0;
}

int64_t *valmap_put(struct valmap *map, const struct value *v, unsigned words, struct mem *mem)
{
	int64_t *at = valmap_get(map, v, words);
	if (at)
		return at;
	if (grow_items(map, words, mem) || grow_slots(map, words, mem))
		return NULL;
	struct cell *item = item_at(map, map->used, words);
	memset(item, 0, stride(words));
	if (cell_set(item, v, mem))
		return NULL;
	map->used++;
	map->n++;
	if (map->nslot) {
		uint32_t hash = (uint32_t)cell_hash(v);
		map->slot[seek(map, v, hash, words)] = (struct valmap_slot){ hash, map->used };
	}
	return words_of(item);
}

/* Empties a slot and moves those behind it up, so that every search still finds what it seeks (Knuth 6.4, algorithm R). */
static void empty_slot(struct valmap *map, uint32_t s)
{
	uint32_t mask = map->nslot - 1;
	for (uint32_t next = (s + 1) & mask; map->slot[next].index; next = (next + 1) & mask) {
		uint32_t home = map->slot[next].hash & mask;
		if (((next - home) & mask) < ((next - s) & mask))
			continue;
		map->slot[s] = map->slot[next];
		s = next;
	}
	map->slot[s] = (struct valmap_slot){ 0 };
}

void valmap_remove(struct valmap *map, int64_t *at, unsigned words, struct mem *mem)
{
	struct cell *item = (struct cell *)(void *)at - 1;
	if (map->nslot) {
		uint32_t i = (uint32_t)((size_t)((char *)item - map->item) / stride(words));
		struct value v = cell_value(item);
		empty_slot(map, slot_of(map, i, (uint32_t)cell_hash(&v)));
	}
	cell_drop(item, mem);
	item->type = DEAD;
	map->n--;
	while (map->used && !alive(item_at(map, map->used - 1, words)))
		map->used--;
	if (!map->n)
		valmap_drop(map, words, mem);
}

int64_t *valmap_next(const struct valmap *map, uint32_t *place, unsigned words, struct value *v)
{
	while (*place < map->used) {
		struct cell *item = item_at(map, (*place)++, words);
		if (!alive(item))
			continue;
		*v = cell_value(item);
		return words_of(item);
	}
	return NULL;
}

void valmap_drop(struct valmap *map, unsigned words, struct mem *mem)
{
	for (uint32_t i = 0; i < map->used; i++)
		if (alive(item_at(map, i, words)))
			cell_drop(item_at(map, i, words), mem);
	mem_free(mem, map->item, map->cap * stride(words));
	mem_free(mem, map->slot, map->nslot * sizeof *map->slot);
	*map = (struct valmap){ 0 };
}

void valmap_save(const struct valmap *map, unsigned words, struct snap_out *out)
{
	struct value v;
	int64_t *at;
	snap_put_u64(out, map->n);
	for (uint32_t i = 0; (at = valmap_next(map, &i, words, &v));) {
		snap_put_value(out, &v);
		for (unsigned w = 0; w < words; w++)
			snap_put_i64(out, at[w]);
	}
}

int valmap_load(struct valmap *map, unsigned words, struct snap_in *in, struct mem *mem)
{
	for (uint64_t n = snap_count(in); n && !in->bad; n--) {
		struct value v;
		snap_value(in, &v);
		if (in->bad || v.type == V_ROW) {
			in->bad = true;
			break;
		}
		int64_t *at = valmap_put(map, &v, words, mem);
		if (!at)
			return -1;
		for (unsigned w = 0; w < words; w++)
			at[w] = snap_i64(in);
	}
	return 0;
}
