#include "ops/emit/live_store.h"

#include <string.h>

static struct live_ends *slot_of(const struct live_store *store, uint64_t hash)
{
	return &store->slot[hash & (store->cap - 1)];
}

static void link_last(struct live_store *store, uint32_t place)
{
	struct live_item *item = &store->item[place];
	struct live_ends *slot = slot_of(store, item->hash);
	item->next = 0;
	if (slot->tail)
		store->item[slot->tail - 1].next = place + 1;
	else
		slot->head = place + 1;
	slot->tail = place + 1;
}

/* Slides the items together and links them anew. */
static void compact(struct live_store *store)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < store->n; i++)
		if (store->item[i].row)
			store->item[n++] = store->item[i];
	store->n = n;
	store->gone = 0;
	memset(store->slot, 0, store->cap * sizeof *store->slot);
	for (uint32_t i = 0; i < n; i++)
		link_last(store, i);
}

/* Room for one more item. */
static int make_room(struct live_store *store)
{
	if (store->n < store->cap)
		return 0;
	if (store->gone > store->n / 2) {
		compact(store);
		return 0;
	}
	if (store->cap > UINT32_MAX / 2)
		return -1;
	uint32_t cap = store->cap ? 2 * store->cap : 64;
	struct live_ends *slot = mem_alloc(store->mem, cap * sizeof *slot);
	struct live_item *item = slot ? mem_resize(store->mem, store->item, store->cap * sizeof *item, cap * sizeof *item) : NULL;
	if (!item) {
		mem_free(store->mem, slot, cap * sizeof *slot);
		return -1;
	}
	mem_free(store->mem, store->slot, store->cap * sizeof *slot);
	store->item = item;
	store->slot = slot;
	store->cap = cap;
	compact(store);
	return 0;
}

static bool same(const struct row *row, const struct live_ident *ident, uint32_t r)
{
	for (uint32_t i = 0; i < ident->batch->ncol; i++)
		if (!value_same(&row->v[ident->at[i]], &ident->batch->col[i].v[r]))
			return false;
	return true;
}

struct live_item *live_find(const struct live_store *store, const struct live_ident *ident, uint32_t r, uint64_t hash)
{
	for (uint32_t at = store->cap ? slot_of(store, hash)->head : 0; at; at = store->item[at - 1].next) {
		struct live_item *item = &store->item[at - 1];
		if (item->hash == hash && same(item->row, ident, r))
			return item;
	}
	return NULL;
}

int live_add(struct live_store *store, struct row *row, uint64_t hash, uint64_t list)
{
	if (make_room(store))
		return -1;
	store->item[store->n] = (struct live_item){ .row = row, .hash = hash, .list = list };
	link_last(store, store->n++);
	return 0;
}

void live_take(struct live_store *store, struct live_item *item)
{
	struct live_ends *slot = slot_of(store, item->hash);
	uint32_t place = (uint32_t)(item - store->item) + 1, last = 0;
	for (uint32_t at = slot->head; at != place; at = store->item[at - 1].next)
		last = at;
	if (last)
		store->item[last - 1].next = item->next;
	else
		slot->head = item->next;
	if (slot->tail == place)
		slot->tail = last;
	row_free(item->row, store->mem);
	item->row = NULL;
	store->gone++;
}

void live_clear(struct live_store *store)
{
	for (uint32_t i = 0; i < store->n; i++)
		row_free(store->item[i].row, store->mem);
	store->n = store->gone = 0;
	if (store->cap)
		memset(store->slot, 0, store->cap * sizeof *store->slot);
}

void live_release(struct live_store *store)
{
	live_clear(store);
	mem_free(store->mem, store->item, store->cap * sizeof *store->item);
	mem_free(store->mem, store->slot, store->cap * sizeof *store->slot);
	*store = (struct live_store){ .mem = store->mem };
}
