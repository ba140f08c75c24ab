/* What --live shows: the changes of a result applied, row by row, to its rows. Of a result in windows only the newest window is kept.
 *
 * A row that is kept is the shown columns, then what a --topn at the end of the chain sorts by: v[0 .. ncol-1] and v[ncol .. ncol+nsort-1]. */
#ifndef WEIR_LIVE_VIEW_H
#define WEIR_LIVE_VIEW_H
#include "ops/emit/emit.h"
#include "ops/emit/live_record.h"
#include "ops/emit/live_store.h"
#include "ops/key.h"

struct live_sort {
	struct expr *expr;
	bool desc, nulls_first;
};

struct live_view {
	const struct input_options *input;
	const struct stream *in;
	const struct schema *shown;
	struct mem *mem;
	struct err *err;
	struct arena words;      /* dies with the view */
	struct live_store store;
	uint32_t ncol, nsort;
	struct live_sort *sort;
	uint32_t *ident, nident; /* places in a row: its unique key, or all of it */
	bool keyed;
	int32_t window;          /* column of the window's end; -1: none */
	struct value newest;     /* the largest so far; V_NULL: none yet */
	struct key key;          /* tells the lists of the topn apart */
	struct live_record record; /* what both are read from, if they are members of the record that passes ... */
	int32_t text;            /* ... in this column; -1: they are columns */
	struct table *lists;     /* key bytes -> number of the list, from 1 by first appearance; NULL: there is one list */
	uint64_t nlists;
	bool begun, changed;     /* changed: since live_view_top */
	const struct live_item **best;
	const struct row **top;
	uint32_t room;           /* of best and top */
};

/* The emitter, and what it points to, live as long as the view; the zeroed view has to be closed also if this fails (-1, err set). */
int live_view_open(struct live_view *view, const struct emitter *emitter);

/* Applies the changes of a batch. 0, or -1 with view->err set. */
int live_view_apply(struct live_view *view, const struct batch *batch);

/* The first `most` rows, in view->top until the next call: lists by first appearance, ranks inside; without a topn by first appearance. Their number in *n. */
int live_view_top(struct live_view *view, uint32_t most, uint32_t *n);

static inline uint32_t live_view_count(const struct live_view *view) { return live_count(&view->store); }

/* Gives all memory back; a zeroed view is fine. */
void live_view_close(struct live_view *view);

/* The format of --live: the sink keeps a struct live_view, and nothing is written. */
extern const struct emit_type live_emit;
#endif
