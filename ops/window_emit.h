/* What a reduce writes: [ window_start, window_end, ] the key's columns, the aggregates. Without a window of time there are no bounds. */
#ifndef WEIR_WINDOW_EMIT_H
#define WEIR_WINDOW_EMIT_H
#include "ops/accs.h"
#include "ops/window.h"

struct window_emit {
	const struct op *op;
	const struct key *key;
	const struct accs *accs;
	bool bounds;
};

/* Describes the output: schema, event time (end - 1 of windows of time), bounds, unique key (bounds and key columns). kinds are S_U, S_D and `once` as the caller
 * says; lateness is that of op->window. */
int window_describe(const struct window_emit *emit, unsigned kinds, bool once, struct stream *out, struct err *err);

/* Given what is read of each output column, adds what is read of the input for keys and aggregates. */
void window_need(const struct window_emit *emit, const uint8_t *out, uint8_t *in);

/* Adds one row to op->out (edge_room is the caller's): bounds, key->n values, value[i * stride] for each aggregate i. Event time is window.end - 1. */
void window_row(const struct window_emit *emit, uint8_t kind, struct window window, const struct value *key, const struct value *value, size_t stride);

/* Adds n rows +I of one window: the key of entry[i], value[aggregate * n + i]. There is room for them. Texts are borrowed from the entries and values.
 * -1 if memory is refused: none is added. */
int window_rows(const struct window_emit *emit, struct window window, const struct table *table, struct entry *const *entry, const struct value *value, uint32_t n);

/* The bounds as values. */
static inline struct value window_value(int64_t t) { return (struct value){ .type = V_TIME, .u.i = t }; }
#endif
