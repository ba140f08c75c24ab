/* Values, each with a few words of its own: the map of distinct, the index of an arrival list.
 *
 *     item  [ value | words ][ dead ][ value | words ] ...      in the order in which they were put in
 *     slot  [ hash, index + 1 ] ...                             open addressing; none while there are at most VALMAP_SMALL items: those are looked through
 *
 * Items that were removed are dead until at least half are: then the others slide together.
 *
 * Values are equal if they print the same bytes (value_same); NULL is a value like any other. All-zero bytes are an empty map; it may be moved by
 * memcpy, not duplicated. The number of words is the same in every call on a map. */
#ifndef WEIR_VALMAP_H
#define WEIR_VALMAP_H
#include "ops/agg/cell.h"

enum { VALMAP_SMALL = 8 };

struct valmap_slot;
struct valmap {
	char *item;
	struct valmap_slot *slot;
	uint32_t n;         /* values */
	uint32_t used, cap; /* items; item[used - 1] is alive */
	uint32_t nslot;     /* a power of two; 0: no slots */
};

/* The words of a value; NULL if it is not there. They stay put until the next put or removal. */
int64_t *valmap_get(const struct valmap *map, const struct value *v, unsigned words);

/* The same; a value that is not there is added with zeroed words. NULL if memory is refused: nothing has changed. */
int64_t *valmap_put(struct valmap *map, const struct value *v, unsigned words, struct mem *mem);

/* Removes a value that is there, by its words. */
void valmap_remove(struct valmap *map, int64_t *at, unsigned words, struct mem *mem);

/* Walks all values in the order in which they were put in, from *place = 0 on: the words of the next one, and its value (borrowed); NULL at the end. */
int64_t *valmap_next(const struct valmap *map, uint32_t *place, unsigned words, struct value *v);

/* Frees everything; the map is empty again. */
void valmap_drop(struct valmap *map, unsigned words, struct mem *mem);

/* Snapshot; valmap_load fills an empty map. */
void valmap_save(const struct valmap *map, unsigned words, struct snap_out *out);
int valmap_load(struct valmap *map, unsigned words, struct snap_in *in, struct mem *mem) __attribute__((warn_unused_result));
#endif
