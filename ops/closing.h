/* What is keyed by window: the keys of each open window, to answer for and to forget when it closes. (Windows of their own are ops/reduce_*.h.)
 *
 *     windows    [0,10) --- [5,10) --- [0,15)         by end, then start
 *                  |
 *     its keys   [ k1 | k2 |  . | k4 ]                entries of the operator's table, in order of first arrival; one was removed
 *                   ^
 *     state of k1   `--- { window, place }            its slot, at slot_at in the state: zeroed until closing_add
 *
 * A window [start, end) closes when the watermark reaches end - 1 + lateness, of the window operator above; on the clock when that has passed end - 1. */
#ifndef WEIR_CLOSING_H
#define WEIR_CLOSING_H
#include "ops/key.h"
#include "ops/state/ordset.h"

/* Settled when the operator is planned. */
struct closing_conf {
	bool on;            /* the operator is keyed by window */
	bool held;          /* it answers at the close and writes nothing before; else it updates and forgets without a word */
	uint32_t col;       /* of the input: window_end */
	uint32_t end, start; /* columns of the key; start NO_START: not among them, all windows of one end are one */
	int64_t lateness;   /* ms */
	const struct key *key;
};

enum { NO_START = UINT32_MAX };

/* Tells whether the key is one of windows, and what follows of it. Where it is, a held operator is not bundled, none goes by --ttl, and under --final, too,
 * rows are sent as they come. `own`: the windows are the operator's own, so it answers for them once, whatever is taken back before. */
void closing_bind(struct closing_conf *conf, struct op *op, const struct key *key, const struct stream *in, bool own);

/* Describes event time and bounds of an output whose rows are of the same windows as those of the input; end, start: its columns. */
void closing_describe(const struct stream *in, uint32_t end, uint32_t start, struct stream *out);

struct closing_window {
	int64_t start, end; /* ms */
	uint64_t n, cap, live;
	struct entry **entry; /* NULL: it was removed */
	struct closing_window *next; /* of those that are to be freed */
};

struct closing_slot {
	struct closing_window *window;
	uint64_t place;
};

struct closing {
	const struct closing_conf *conf;
	struct table *table;
	struct mem *mem;
	size_t slot_at;
	struct ordset open;            /* windows; an item's `row` is the window */
	struct closing_window *last;   /* the one last added to; NULL: none */
	struct closing_window *gone;   /* empty before they closed: slots of this call may still point to them */
	struct value *key;             /* room for the values of a key */
};

/* For an operator whose table is there; slot_at: where a state has its struct closing_slot. Takes the table's table_on_move. -1 if memory is refused. */
int closing_init(struct closing *closing, const struct closing_conf *conf, struct table *table, size_t slot_at, struct mem *mem);
void closing_release(struct closing *closing);

static inline struct closing_slot *closing_slot(const struct closing *closing, struct entry *entry)
{
	return (struct closing_slot *)(void *)((char *)entry_state(entry) + closing->slot_at);
}

/* The end of an entry's window; also just after closing_drop, until closing_tidy. */
static inline int64_t closing_end(const struct closing *closing, struct entry *entry) { return closing_slot(closing, entry)->window->end; }

/* Files an entry that is new: its window is told by its key. Does nothing if it is filed already. -1 if memory is refused. */
int closing_add(struct closing *closing, struct entry *entry) __attribute__((warn_unused_result));
/* Takes an entry out that is about to be removed. */
void closing_drop(struct closing *closing, struct entry *entry);
/* First thing in each call of the operator: frees windows that have lost all their keys. */
void closing_tidy(struct closing *closing);

/* The next window that closes when time reaches `to`; NULL: there is none. The caller deals with its keys, removes them without closing_drop, and calls
 * closing_done. */
struct closing_window *closing_next(const struct closing *closing, int64_t to);
void closing_done(struct closing *closing);

/* The time at which the next window closes; INT64_MAX: none is open. */
int64_t closing_time(const struct closing *closing);

/* The batch without rows of windows that have closed, in *out (`picked` if there were any): these are counted, and sent to op->late. -1 with op->err set. */
int closing_late(struct op *op, const struct closing_conf *conf, const struct batch *in, struct batch *picked, const struct batch **out);

/* For --explain. */
void closing_explain(const struct closing_conf *conf, struct buf *out);
#endif
