/* Windows of rows, shared by ops/reduce_count*.c only.
 *
 *     reduce_count.c        the descriptor: plan, --explain, life of the state, snapshots
 *     reduce_count_push.c   rows into panes; the windows that they fill
 *     reduce_count_panes.c  the panes of overlapping windows
 *
 * The rows of a key are numbered as they come, whatever their kind. Window j has `size` rows from j * step on; it is written when it is full, and only
 * then. Rows are cut into panes where a window begins or ends:
 *
 *     '5 rows every 3 rows'    0 1|2|3 4|5|6 7|8|9 ...      windows [0, 4], [3, 7], [6, 10], ...: 3 panes each, of which 2 go with it
 *                                      ^end of window 0, 2 rows behind a border
 *     '2 rows every 3 rows'    0 1|.|3 4|.|6 7|.|            a row in a gap is in no window
 *
 * The state of a key is where it is within a step, the open pane, and the closed panes of windows that are not yet full. A key that is at a border and has
 * neither is forgotten in time: it would begin anew as any other. --ttl is not for windows. */
#ifndef WEIR_REDUCE_COUNT_H
#define WEIR_REDUCE_COUNT_H
#include "ops/accs.h"
#include "ops/keyed.h"
#include "ops/state/pool.h"
#include "ops/window_emit.h"

struct count_conf {
	struct named_list list;
	struct key key;
	struct accs accs;
	struct window_emit emit;
	int64_t size, step;
	int64_t end;        /* a window ends behind this many rows of a step, 1 .. step; the next one begins behind `step` */
	int64_t panes;      /* of a window */
	uint32_t goes;      /* how many of its panes no later window has */
};

struct row_pane {
	int64_t rows;       /* that are in it; not those taken back */
	/* a block of accumulators follows */
};
static inline void *row_pane_block(struct row_pane *pane) { return pane + 1; }

/* Closed panes of one key, the oldest first. A window is full when the last of its panes closes: it has all of them then.
 *
 * Two stacks make every window two merges, however many panes it has:
 *
 *     pane [ 0 + 1 + 2 ][ 1 + 2 ][ 2 ] | [ 3 ][ 4 ]      back: 3 + 4      window 0 .. 4 = pane[from] + back
 *            ^from                       ^flip
 *
 * Once the panes before flip are gone, those behind it are merged from the last one on. Where blocks grow with what is in them (accs.grows) a merged one
 * is as much work as its parts, and keeping it for every pane would take the square of their room: there flip stays at from, and each window merges all. */
struct row_panes {
	struct row_pane **pane;
	uint32_t from, flip, n, cap;
	struct row_pane *back;  /* NULL: nothing behind flip, or not in use */
};

struct count_key {
	int64_t at;         /* rows of the step that have come, below step */
	struct row_pane *open;  /* NULL: none */
	struct row_panes panes;
};

struct count {
	struct table *table;
	struct pool pool;   /* panes */
	uint64_t borders;   /* how often a key came to a border since keys were looked through */
};

/* reduce_count_push.c */
int reduce_count_push(struct op *op, const struct batch *in);

/* reduce_count_panes.c. Empties a pane and gives it back; NULL is fine. */
void row_pane_free(const struct op *op, struct row_pane *pane);
/* Adds a closed pane. -1 if memory is refused: the pane is still the caller's. */
int row_panes_add(const struct op *op, struct row_panes *panes, struct row_pane *pane);
/* Makes a pane of all panes, and drops those that no later window has. NULL if memory is refused. */
struct row_pane *row_panes_window(const struct op *op, struct row_panes *panes);
void row_panes_free(const struct op *op, struct row_panes *panes);
void row_panes_save(const struct op *op, const struct row_panes *panes, struct snap_out *out);
int row_panes_load(const struct op *op, struct row_panes *panes, struct snap_in *in);
void row_pane_save(const struct op *op, struct row_pane *pane, struct snap_out *out);
/* NULL if memory is refused or the snapshot is damaged. */
struct row_pane *row_pane_load(const struct op *op, struct snap_in *in);
#endif
