/* The maps of distinct, shared by ops/accs*.c only. */
#ifndef WEIR_ACCS_DISTINCT_H
#define WEIR_ACCS_DISTINCT_H
#include "ops/accs.h"
#include "ops/agg/valmap.h"

static inline struct valmap *accs_map(const struct accs_distinct *list, const void *block)
{
	return (struct valmap *)(void *)((char *)(uintptr_t)block + list->at);
}

/* What a list looks up for each row of a batch: the argument, or several as one text; NULL if memory is refused. */
struct value *accs_distinct_keys(const struct accs_distinct *list, const struct batch *in);

/* Brings the map of each row's block up to date. act[i] is given for the aggregate of place i: on entry the action of each row (its filter as
 * ACT_SKIP), on return ACT_SKIP also where the value is not new to it, or not the last of its kind. -1 if memory is refused. */
struct distinct_rows {
	uint32_t n;
	const struct value *key;
	void *const *block;   /* NULL: left out */
	const uint8_t *act;   /* before any filter; NULL: all add */
	uint8_t *const *own;  /* by place */
};
int accs_distinct_rows(const struct accs *accs, const struct accs_distinct *list, const struct distinct_rows *rows);

/* Merges the map of list number d, and the accumulators of its aggregates. -1 if memory is refused. */
int accs_distinct_merge(const struct accs *accs, uint32_t d, void *into, const void *from);
#endif
