#include "ops/state/timers.h"

/* Four children to a node: half as many levels as two, and the children of a node lie on one or two cache lines. */
enum { CHILDREN = 4, ROOM_FIRST = 64 };

void timers_init(struct timers *timers, struct mem *mem)
{
	*timers = (struct timers){ .mem = mem };
}

static int resize(struct timers *timers, uint64_t cap)
{
	struct timer *heap = mem_resize(timers->mem, timers->heap, timers->cap * sizeof *heap, cap * sizeof *heap);
	if (!heap)
		return -1;
	timers->heap = heap;
	timers->cap = cap;
	return 0;
}

int timers_add(struct timers *timers, struct timer timer)
{
	if (timers->n == timers->cap && resize(timers, timers->cap ? 2 * timers->cap : ROOM_FIRST))
		return -1;
	struct timer *heap = timers->heap;
	uint64_t at = timers->n++;
	while (at) {
		uint64_t parent = (at - 1) / CHILDREN;
		if (timer.time >= heap[parent].time)
			break;
		heap[at] = heap[parent];
		at = parent;
	}
	heap[at] = timer;
	return 0;
}

/* The least of the children from `first` on. */
static inline uint64_t least_child(const struct timers *timers, uint64_t first)
{
	uint64_t least = first, end = first + CHILDREN < timers->n ? first + CHILDREN : timers->n;
	for (uint64_t i = first + 1; i < end; i++)
		if (timers->heap[i].time < timers->heap[least].time)
			least = i;
	return least;
}

/* Puts a timer in the place of the least one, and from there where it belongs. */
static void replace_first(struct timers *timers, struct timer timer)
{
	struct timer *heap = timers->heap;
	uint64_t at = 0, first;
	while ((first = at * CHILDREN + 1) < timers->n) {
		uint64_t least = least_child(timers, first);
		if (heap[least].time >= timer.time)
			break;
		heap[at] = heap[least];
		at = least;
	}
	heap[at] = timer;
}

struct timer timers_pop(struct timers *timers)
{
	struct timer first = timers->heap[0];
	struct timer last = timers->heap[--timers->n];
	if (timers->n)
		replace_first(timers, last);
	if (timers->cap > ROOM_FIRST && timers->n < timers->cap / 8)
		(void)!resize(timers, timers->cap / 4); /* to less: if that is refused, nothing is lost */
	return first;
}

void timers_release(struct timers *timers)
{
	mem_free(timers->mem, timers->heap, timers->cap * sizeof *timers->heap);
	timers_init(timers, timers->mem);
}
