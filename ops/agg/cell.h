/* A value that an accumulator owns: 16 bytes, may be moved by memcpy, not duplicated. Texts of up to 8 bytes lie inside; longer ones in a
 * block of their own. All-zero bytes are NULL. */
#ifndef WEIR_CELL_H
#define WEIR_CELL_H
#include "core/mem.h"
#include "core/value.h"

struct snap_in;
struct snap_out;

enum { CELL_INLINE = 8 };

struct cell {
	uint8_t type, scale; /* as in struct value; V_ROW does not occur */
	uint16_t flags;
	uint32_t len;
	union {
		char in[CELL_INLINE]; /* a text of len <= CELL_INLINE */
		char *p;
		int64_t i;
		double d;
	} u;
};
_Static_assert(sizeof(struct cell) == sizeof(struct value), "cell");

/* Replaces what the cell holds by a copy of *v. -1 if memory is refused: the cell is then as before. */
int cell_set(struct cell *cell, const struct value *v, struct mem *mem) __attribute__((warn_unused_result));

/* Gives the memory back; the cell is NULL again. */
void cell_drop(struct cell *cell, struct mem *mem);

/* The value; its text is borrowed from the cell. */
struct value cell_value(const struct cell *cell);

static inline bool cell_is_null(const struct cell *cell) { return cell->type == V_NULL; }

/* Snapshot; cell_load fills a NULL cell. -1 if memory is refused. */
void cell_save(const struct cell *cell, struct snap_out *out);
int cell_load(struct cell *cell, struct snap_in *in, struct mem *mem) __attribute__((warn_unused_result));

/* A hash of value_key: values that are value_same have the same. */
uint64_t cell_hash(const struct value *v);

/* Orders by value_order, then by the bytes of value_key: 0 only for values that are value_same. */
int cell_order(const struct value *a, const struct value *b);
#endif
