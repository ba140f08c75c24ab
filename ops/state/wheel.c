#include "ops/state/wheel.h"

enum { CHUNK_TIMERS = 15, DIGIT = 8 };

struct wheel_chunk {
	struct wheel_chunk *next; /* of its slot, full; or free */
	uint64_t n;
	struct wheel_timer timer[CHUNK_TIMERS];
};

void wheel_init(struct wheel *wheel, struct mem *mem)
{
	*wheel = (struct wheel){ .mem = mem };
	pool_init(&wheel->chunks, sizeof(struct wheel_chunk), mem);
}

static inline uint64_t shifted(int64_t time)
{
	return (uint64_t)time ^ UINT64_C(1) << 63;
}

struct place {
	unsigned level, slot;
};

static inline struct place place_of(const struct wheel *wheel, uint64_t time)
{
	uint64_t differs = time ^ wheel->base;
	unsigned level = differs ? (63 - (unsigned)__builtin_clzll(differs)) / DIGIT : 0;
	return (struct place){ level, (unsigned)(time >> level * DIGIT) % WHEEL_SLOTS };
}

static inline struct wheel_chunk **slot_at(const struct wheel *wheel, struct place at)
{
	return &wheel->slot[at.level * WHEEL_SLOTS + at.slot];
}

/* ---- chunks ---- */

static struct wheel_chunk *get_chunk(struct wheel *wheel)
{
	struct wheel_chunk *chunk = wheel->free;
	if (!chunk)
		return pool_get(&wheel->chunks);
	wheel->free = chunk->next;
	return chunk;
}

static inline struct wheel_timer last_of(const struct wheel_chunk *chunk)
{
	return chunk->timer[chunk->n - 1];
}

/* Drops that one of a slot; clears its bit with the last of all. */
static void drop_last(struct wheel *wheel, struct place at)
{
	struct wheel_chunk **slot = slot_at(wheel, at), *chunk = *slot;
	if (--chunk->n)
		return;
	*slot = chunk->next;
	chunk->next = wheel->free;
	wheel->free = chunk;
	if (!*slot)
		wheel->used[at.level][at.slot / 64] &= ~(UINT64_C(1) << at.slot % 64);
}

static int put(struct wheel *wheel, struct place at, struct wheel_timer timer)
{
	struct wheel_chunk **slot = slot_at(wheel, at), *chunk = *slot;
	if (!chunk || chunk->n == CHUNK_TIMERS) {
		chunk = get_chunk(wheel);
		if (!chunk)
			return -1;
		chunk->n = 0;
		chunk->next = *slot;
		*slot = chunk;
		wheel->used[at.level][at.slot / 64] |= UINT64_C(1) << at.slot % 64;
	}
	chunk->timer[chunk->n++] = timer;
	return 0;
}

int wheel_add(struct wheel *wheel, struct wheel_timer timer)
{
	uint64_t time = shifted(timer.time);
	if (!wheel->slot)
		wheel->slot = mem_alloc(wheel->mem, (size_t)WHEEL_LEVELS * WHEEL_SLOTS * sizeof *wheel->slot);
	if (!wheel->slot)
		return -1;
	return put(wheel, place_of(wheel, time < wheel->base ? wheel->base : time), timer);
}

/* ---- what is due ---- */

/* The slot with the earliest timers, and the first time that it can hold. */
static bool find_first(const struct wheel *wheel, struct place *at, uint64_t *from)
{
	for (unsigned level = 0; level < WHEEL_LEVELS; level++) {
		for (unsigned i = 0; i < WHEEL_SLOTS / 64; i++) {
			if (!wheel->used[level][i])
				continue;
			*at = (struct place){ level, i * 64 + (unsigned)__builtin_ctzll(wheel->used[level][i]) };
			uint64_t above = level + 1 < WHEEL_LEVELS ? wheel->base >> (level + 1) * DIGIT << (level + 1) * DIGIT : 0;
			*from = above | (uint64_t)at->slot << level * DIGIT;
			return true;
		}
	}
	return false;
}

/* Spreads a slot over the levels below. */
static int spread(struct wheel *wheel, struct place at, uint64_t from)
{
	wheel->base = from;
	for (; *slot_at(wheel, at); drop_last(wheel, at))
		if (wheel_add(wheel, last_of(*slot_at(wheel, at))))
			return -1;
	return 0;
}

int wheel_take(struct wheel *wheel, int64_t limit, struct wheel_timer *out, int most)
{
	struct place at;
	uint64_t from, to = shifted(limit);
	int n = 0;
	while (n < most && find_first(wheel, &at, &from) && from <= to) {
		uint64_t last = from + ((UINT64_C(1) << at.level * DIGIT) - 1);
		if (last <= to) {
			for (; n < most && *slot_at(wheel, at); drop_last(wheel, at))
				out[n++] = last_of(*slot_at(wheel, at));
		} else if (spread(wheel, at, from)) {
			return -1;
		}
	}
	return n;
}

bool wheel_next(const struct wheel *wheel, int64_t *time)
{
	struct place at;
	uint64_t from;
	if (!find_first(wheel, &at, &from))
		return false;
	*time = (int64_t)(from ^ UINT64_C(1) << 63);
	return true;
}

void wheel_release(struct wheel *wheel)
{
	if (wheel->slot)
		mem_free(wheel->mem, wheel->slot, (size_t)WHEEL_LEVELS * WHEEL_SLOTS * sizeof *wheel->slot);
	pool_release(&wheel->chunks);
	wheel_init(wheel, wheel->mem);
}
