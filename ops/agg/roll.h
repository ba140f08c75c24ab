/* Values in order of arrival that may be taken back, the first equal one each time: what first, last and join keep of updating input.
 *
 *     item   [ v | next ] [ v | next ] [ dead ] [ v | next ] ...      by arrival; next: the next item of the same value, + 1
 *               ^            |
 *     index  value -> its first and last item, or how many of it were taken back before they came (debt)
 *
 * Dead items are slid away when they are half. All-zero bytes are an empty roll; it may be moved by memcpy, not duplicated. */
#ifndef WEIR_ROLL_H
#define WEIR_ROLL_H
#include "ops/agg/valmap.h"

struct roll_item {
	struct cell v; /* NULL: dead */
	uint32_t next, unused;
};

struct roll {
	struct valmap index;
	struct roll_item *item;
	uint32_t n, cap;      /* item[n - 1] is alive, if n > start */
	uint32_t start, live; /* item[start] is alive, if n > start */
};

/* Appends a value (not NULL), unless it pays a debt. -1 if memory is refused: nothing has changed. */
int roll_add(struct roll *roll, const struct value *v, struct mem *mem) __attribute__((warn_unused_result));

/* Takes back the first equal one. If there is none: with `debts`, a later roll_add of it is without effect; else nothing happens. */
int roll_remove(struct roll *roll, const struct value *v, bool debts, struct mem *mem) __attribute__((warn_unused_result));

/* The oldest and the newest value (borrowed); NULL if there is none. */
struct value roll_first(const struct roll *roll);
struct value roll_last(const struct roll *roll);

/* Frees everything; the roll is empty again. */
void roll_drop(struct roll *roll, struct mem *mem);

/* Appends the values of `from`, and its debts. On failure part of them are in. */
int roll_merge(struct roll *roll, const struct roll *from, struct mem *mem) __attribute__((warn_unused_result));

/* Snapshot; roll_load fills an empty roll. */
void roll_save(const struct roll *roll, struct snap_out *out);
int roll_load(struct roll *roll, struct snap_in *in, struct mem *mem) __attribute__((warn_unused_result));
#endif
