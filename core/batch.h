/* Rows on their way: up to BATCH_MAX of them, as columns. A batch is borrowed for the call that gets it; who keeps a row copies it.
 *
 *        col[0]     col[1]        col[2]
 *        .v         .v NULL       .v          NULL: nobody behind this edge reads the column
 *      +------+    .num          +------+
 *    0 | k856 |   +------+       | web  |     kind[0]  K_I
 *    1 | k91  |   | 3.74 |       | web  |     kind[1]  K_UB|K_PAIR   <- rows 1 and 2 are one update
 *    2 | k91  |   | 6.96 |       | ios  |     kind[2]  K_UA
 *      +------+   +------+       +------+
 */
#ifndef WEIR_BATCH_H
#define WEIR_BATCH_H
#include "core/arena.h"
#include "core/value.h"

enum { BATCH_MAX = 1024 };

/* +I, -U, +U, -D. K_PAIR is set on a -U whose +U (same unique key) is the next row of the same batch. */
enum kind { K_I = 0, K_UB = 1, K_UA = 2, K_D = 3, K_PAIR = 4, K_MASK = 3 };

static inline bool kind_adds(uint8_t kind) { return (kind & K_MASK) == K_I || (kind & K_MASK) == K_UA; }

/* Kinds beyond +I that a stream may hold: updates (-U, +U), deletions. 0: insert-only. */
enum { S_U = 1, S_D = 2 };

/* Where the values of a column go within one unique key, row by row. RISES: from NULL, too. FALLS_NULL: falls, but may come from NULL. */
enum { TREND_FALLS_NULL = -2, TREND_FALLS = -1, TREND_NONE = 0, TREND_RISES = 1, TREND_CONST = 2 };

struct column {
	struct value *v;   /* the values as they are; NULL: not read by anybody */
	struct value *num; /* the same read as numbers (V_DEC, V_DBL, V_NULL); NULL: nobody asked, or convert v yourself */
};

struct batch {
	uint32_t n, ncol;
	struct column *col;
	uint8_t *kind;     /* NULL: all +I */
	int64_t *time;     /* event time of the row, ms; NULL: none */
	int64_t now;       /* processing time, ms: one reading per batch */
	struct arena *mem; /* scratch that dies with the batch */
};

static inline uint8_t batch_kind(const struct batch *batch, uint32_t row) { return batch->kind ? batch->kind[row] : (uint8_t)K_I; }
#endif
