/* The slots of the keyed table, and how their number changes without a pause.
 *
 * A resize empties `old` into `now`, in the order of old's slots, from an empty slot on, whole runs of taken slots at a time. The cursor always
 * stands on an empty slot, so a hash whose home lies behind the cursor has all its slots in `now`, one before it all in `old`: every hash is
 * looked up, and put, in one place only.
 *
 *     old   [ ........ moved: empty ........ | run | run |  run  ]         start = the empty slot where it began
 *                                            ^ start + done
 *     now   [ moved and new ones, in nearly the same order                               ]
 *
 * A run at the end of old may have grown past `start` meanwhile; the pass goes on until it meets an empty slot there. */
#include "ops/state/table_in.h"

enum {
	BITS_MIN = 6,
	BITS_MAX = 31,
	SPARSE_BITS = 13, /* up to this size memory does not matter, but every second look into a slot does */
};

/* Slots that may be taken before the index grows. */
static uint64_t limit(const struct index *index)
{
	return index->bits <= SPARSE_BITS ? index->n / 4 : index->n / 4 * 3;
}

static int index_new(struct table *table, struct index *index, unsigned bits)
{
	if (bits > BITS_MAX)
		return -1;
	uint64_t n = (uint64_t)1 << bits;
	uint64_t *slot = mem_alloc(table->mem, n * sizeof *slot);
	if (!slot)
		return -1;
	*index = (struct index){ slot, n, bits };
	return 0;
}

int index_first(struct table *table)
{
	return index_new(table, &table->now, BITS_MIN);
}

static void put(const struct index *index, uint64_t slot)
{
	uint64_t mask = index->n - 1, i = home(index, (uint32_t)(slot >> 32));
	while (index->slot[i])
		i = (i + 1) & mask;
	index->slot[i] = slot;
}

void index_put(struct table *table, uint64_t slot)
{
	put(index_of(table, (uint32_t)(slot >> 32)), slot);
	table->used++;
}

static uint64_t first_empty(const struct index *index)
{
	uint64_t i = 0;
	while (index->slot[i])
		i++;
	return i;
}

void index_step(struct table *table, uint64_t want)
{
	struct index *old = &table->old;
	uint64_t mask = old->n - 1, i = table->done, stop = i + want;
	table->moves++;
	for (;; i++) {
		uint64_t *slot = &old->slot[(table->start + i) & mask];
		if (*slot) {
			put(&table->now, *slot);
			*slot = 0;
		} else if (i >= old->n) {
			mem_free(table->mem, old->slot, old->n * sizeof *old->slot);
			*old = (struct index){ 0 };
			return;
		} else if (i >= stop) {
			table->done = i;
			return;
		}
	}
}

static int resize(struct table *table, unsigned bits)
{
	struct index bigger;
	if (index_new(table, &bigger, bits))
		return -1;
	table->old = table->now;
	table->now = bigger;
	table->start = first_empty(&table->old);
	table->done = 0;
	index_step(table, INDEX_SLICE);
	return 0;
}

int index_reserve(struct table *table)
{
	const struct index *old = &table->old;
	for (;;) {
		bool old_full = old->n && table->used >= old->n - old->n / 8;
		if (table->used < limit(&table->now) && !old_full)
			return 0;
		if (old->n)
			index_step(table, old->n);
		else if (resize(table, table->now.bits + 1))
			return -1;
	}
}

uint32_t index_drop(struct table *table, const struct entry *entry, uint32_t hash32)
{
	const struct index *index = &table->now;
	uint64_t mask = index->n - 1, gap = home(index, hash32);
	while (index->slot[gap] && (index->slot[gap] >> 32 != hash32 || entry_at(table, (uint32_t)index->slot[gap]) != entry))
		gap = (gap + 1) & mask;
	uint32_t offset = (uint32_t)index->slot[gap];
	if (!offset)
		return 0;
	/* What may stand in the gap, as its home is not behind it, moves there, and leaves the next gap. */
	for (uint64_t i = (gap + 1) & mask; index->slot[i]; i = (i + 1) & mask) {
		uint64_t from_home = (i - home(index, (uint32_t)(index->slot[i] >> 32))) & mask;
		if (from_home < ((i - gap) & mask))
			continue;
		index->slot[gap] = index->slot[i];
		gap = i;
	}
	index->slot[gap] = 0;
	table->used--;
	return offset;
}

uint64_t index_thread(struct table *table)
{
	enum { AHEAD = 16 };
	uint64_t n = table->now.n, *slot = table->now.slot;
	uint64_t empty = first_empty(&table->now);
	for (uint64_t i = 0; i < n; i++) {
		if (i + AHEAD < n && slot[i + AHEAD])
			__builtin_prefetch(entry_at(table, (uint32_t)slot[i + AHEAD]), 1);
		if (!slot[i])
			continue;
		struct entry *entry = entry_at(table, (uint32_t)slot[i]);
		if (entry->flags & ENTRY_DEAD) {
			slot[i] = 0;
			table->used--;
			continue;
		}
		slot[i] = slot[i] >> 32 << 32 | entry->mark;
		entry->mark = (uint32_t)i;
	}
	return empty;
}

/* Taking the slots in order from one that was empty all along, each can only go back towards its home: nothing behind the cursor moves any more. */
void index_tidy(struct table *table, uint64_t empty)
{
	const struct index *index = &table->now;
	for (uint64_t i = 0; i < index->n; i++) {
		uint64_t *at = &index->slot[(empty + i) & (index->n - 1)];
		uint64_t slot = *at;
		if (!slot)
			continue;
		*at = 0;
		put(index, slot);
	}
	table->moves++;
	unsigned bits = index->bits;
	while (bits > SPARSE_BITS && table->used * 8 < (uint64_t)1 << bits)
		bits--;
	if (bits < index->bits)
		resize(table, bits); /* refused: it stays as large as it is */
}
