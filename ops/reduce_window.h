/* --reduce in windows that may fire more than once, or that are made by their rows: sessions, triggers, lateness, evictors, global windows. Shared by
 * ops/reduce_window*.c only. (Tumble, hop and cumulate that fire at their end, and for late rows: ops/reduce_pane.h.)
 *
 *     reduce_window.c         the descriptor, life of the state
 *     reduce_window_plan.c    columns, usage errors, the parts of a node, needs, --explain
 *     reduce_window_push.c    rows into tumble, hop, cumulate and global windows
 *     reduce_window_session.c rows into sessions
 *     reduce_window_node.c    nodes: made, merged, let go
 *     reduce_window_open.c    which windows of the grid are open, which of them hold an instant
 *     reduce_window_trigger.c what a row does to the conditions of a trigger; `every D`
 *     reduce_window_time.c    watermark and clock: ends, closes, `every D`
 *     reduce_window_fire.c    results out, and what they change
 *     reduce_window_evict.c   rows that are kept, evictors
 *     reduce_window_save.c    snapshots
 *
 * What a key has in a window is a node. The state of an entry of the table is its first node; an entry lives as long as it has one.
 *
 *     entry --> node [20,30) --> node [5,15) --> node [0,10)       of one key, the latest start first, then the latest end: most rows belong near
 *                 |                |               |                 the newest. Sessions neither overlap nor touch
 *     open      [20,30)          [5,15)          [0,10)            windows of the grid (or the global one), by end, then start (drawn backwards)
 *                                  |               |
 *                                node of b       node of b         nodes of one window, by first arrival
 *
 * Sessions are in no such list: each has one timer in `ends`. A session that grows leaves its timer where it is; when that comes out too early, it is put
 * back at the new end. A timer is added only where one is needed before the one that is there; a node that goes lives on, empty, until its last timer has
 * come out.
 *
 * A node has, besides what struct rw_node says, only what the plan asks for, each at its place in struct rw_conf:
 *
 *     rows      how many it has: only if the input takes back
 *     states    of the conditions: `count` rows since, `every` its next instant, `delta` the value it compares with
 *     beat      time of its timer among the beats, see below
 *     was       what it wrote last; of merged sessions several: only if it can fire again, and then updates
 *     kept      its rows: only with an evictor
 *     block     accumulators: only without one
 *
 * Time makes a window fire at its end, and `every D` at its instants: at a beat. There are two kinds of beats: those of the operator's own time, and those
 * of the clock where the operator goes by event time. A node that has nothing new since it fired (RW_NEW is not set) has no use for a beat and no timer
 * for one; the instants that pass meanwhile are counted when the next row comes.
 *
 * Rows of a batch go into their blocks together, column by column. They wait (struct rw_push) until a node fires or is merged. */
#ifndef WEIR_REDUCE_WINDOW_H
#define WEIR_REDUCE_WINDOW_H
#include "ops/accs.h"
#include "ops/keyed.h"
#include "ops/state/pool.h"
#include "ops/state/row.h"
#include "ops/state/timers.h"
#include "ops/state/wheel.h"
#include "ops/window_emit.h"

enum { RW_OWN, RW_CLOCK, RW_BEATS }; /* kinds of beats */

/* A condition of the trigger. */
struct rw_cond {
	enum trigger_kind kind;
	int64_t n;            /* COUNT: rows; EVERY, CLOCK: ms */
	struct value delta;   /* DELTA: a number */
	struct expr *expr;    /* DELTA */
	size_t at;            /* its state in a node, if it has one */
	int beat;             /* EVERY, CLOCK: which kind; else -1 */
};

struct rw_conf {
	struct named_list list;
	struct key key;
	struct accs accs;
	struct window_emit emit;
	enum window_kind kind;
	struct windows windows;  /* of the grid */
	int64_t gap;             /* of sessions */
	int64_t lateness;
	struct rw_cond *cond;
	uint32_t ncond;
	bool ends;               /* fires at its end */
	bool again;              /* may fire more than once */
	bool updates;            /* and then changes what it wrote */
	bool purge;
	bool watches;            /* rows matter to its conditions, else only its end does */
	bool counts;             /* nodes have `rows` */
	struct evict_ast evict;
	struct expr *evict_expr; /* of EVICT_DELTA */
	uint32_t nkept;          /* values of a row that is kept: see reduce_window_evict.c */
	size_t rows_at, beat_at[RW_BEATS], was_at, kept_at, block_at, node_size; /* 0: not there */
};

struct rw_node {
	struct rw_node *next;        /* of the same key: the next older one */
	struct entry *entry;         /* the key; kept true by table_on_move */
	struct window window;
	uint64_t number;             /* by first arrival */
	union {
		struct rw_node *newer;   /* of the same key; NULL: it is the first of the list. Not for sessions: a key has few of them */
		int64_t due;             /* of a session: time of the timer that counts; others are left over */
	};
	uint32_t timers;             /* that point here */
	uint32_t flags;              /* RW_* */
};
enum {
	RW_NEW = 1,   /* it has changed since it fired */
	RW_ENDED = 2, /* of a session: its end has been, it waits for late rows */
	RW_GONE = 4,  /* let go: only timers know it */
};

#define RW_NO_BEAT INT64_MAX /* as the time of a node's timer among the beats: there is none */

/* What a node wrote, in one allocation with its texts. */
struct rw_was {
	struct rw_was *next;     /* by start */
	struct window window;
	size_t size;
	struct value value[];    /* of the aggregates */
};

/* A row that an evictor may look at. */
struct rw_kept {
	struct row *row;         /* see reduce_window_evict.c */
	int64_t time;
	uint64_t number;         /* by arrival */
};
struct rw_kept_list {
	struct rw_kept *p;       /* p[from] .. p[from + n - 1], by arrival */
	uint32_t from, n, cap;
	int64_t newest;          /* the latest time that was in it since it was empty */
};

/* A window of the grid that has nodes. */
struct rw_open {
	struct window window;
	struct rw_node **node;   /* by first arrival */
	uint64_t n, cap;
	bool ended;              /* its end has been */
};

/* A window that holds the rows at hand. */
struct rw_here {
	struct window window;
	struct rw_open *open;    /* NULL: not asked for so far */
	bool late;
};

/* A node whose time has come. */
struct rw_due {
	int64_t end;             /* of its window */
	struct rw_node *node;
	bool fires;
};

struct rw {
	struct table *table;
	struct pool nodes;
	uint64_t made;                /* nodes so far: the number of the last */
	uint64_t arrived;             /* rows kept so far */
	struct wheel ends;            /* sessions: end, then close */
	struct timers beats[RW_BEATS];
	struct rw_open **open;        /* by end, then start */
	uint32_t nopen, open_cap;
	struct window pane;           /* here[] are the windows that hold it; empty: none was looked for */
	struct rw_here *here;         /* by start, then end */
	uint32_t nhere, here_cap;
	struct rw_node **hit, **fire; /* of the row at hand: its nodes, like here[] (NULL: none); those that it makes fire. One allocation */
	struct rw_due *due;           /* nodes whose time has come, in order; at most all there are */
	uint32_t ndue, due_cap;
	struct arena scratch;         /* of one firing */
	struct value *key, *copy;     /* of the row on its way out; one allocation */
	void *spare;                  /* an empty block, for rows that are kept; NULL: none are */
};

/* A batch on its way. Arrays are by row, in the batch's memory. */
struct rw_push {
	struct op *op;
	const struct rw_conf *conf;
	struct rw *rw;
	const struct batch *in;
	uint32_t n;                  /* its rows; with an evictor: before the first one that takes back */
	struct keyed keys;
	struct accs_input input;
	struct value **delta;        /* of the conditions */
	struct batch flat;           /* with an evictor: what is kept of the rows, as columns */
	/* Rows from `from` on wait for their blocks, up to `cap` of them. One in several windows goes into one block on each layer; as rows that wait together
	 * then lie in one pane, a window has the same layer for all of them, and its rows keep their order. */
	uint32_t from, cap, layers;
	void **block;                /* [layer * cap + row - from]; NULL: none */
	uint8_t *act;                /* the same; NULL: all add */
	uint16_t *late;
	uint32_t nlate;
	bool missed;                 /* a row has come into no window: a key may have been made for it alone */
};

static inline void *rw_at(const struct rw_node *node, size_t at) { return (char *)(uintptr_t)node + at; }
static inline int64_t *rw_rows(const struct rw_conf *conf, const struct rw_node *node) { return rw_at(node, conf->rows_at); }
static inline int64_t *rw_beat(const struct rw_conf *conf, const struct rw_node *node, int beat) { return rw_at(node, conf->beat_at[beat]); }
static inline struct rw_was **rw_was(const struct rw_conf *conf, const struct rw_node *node) { return rw_at(node, conf->was_at); }
static inline struct rw_kept_list *rw_kept(const struct rw_conf *conf, const struct rw_node *node) { return rw_at(node, conf->kept_at); }
static inline struct rw_node **rw_first(struct entry *entry) { return entry_state(entry); }
/* Where the list of a key goes on behind a node; NULL: where it begins. */
static inline struct rw_node **rw_behind(struct entry *entry, struct rw_node *newer) { return newer ? &newer->next : rw_first(entry); }

/* By start, then end. */
static inline bool rw_before(struct window a, struct window b) { return a.start != b.start ? a.start < b.start : a.end < b.end; }

/* The watermark that closes a window; INT64_MAX: only the end of input does. */
static inline int64_t rw_close(const struct rw_conf *conf, int64_t end)
{
	int64_t close;
	return __builtin_add_overflow(end - 1, conf->lateness, &close) ? INT64_MAX : close;
}
/* Does it come too late for a window with this end? On the clock nothing does. */
static inline bool rw_late(const struct op *op, int64_t end) { return op->timed && rw_close(op->conf, end) <= op->wm; }
/* Has this end been, as rows see it? */
static inline bool rw_ended(const struct op *op, int64_t end) { return op->timed && end - 1 <= op->wm; }

/* Node k of a window is next: those that come after it, their keys and neighbours are fetched meanwhile. */
static inline void rw_open_fetch(const struct rw_open *open, uint64_t k)
{
	enum { NODES_AHEAD = 16, KEYS_AHEAD = 8 };
	if (k + NODES_AHEAD >= open->n)
		return;
	__builtin_prefetch(open->node[k + NODES_AHEAD], 1);
	__builtin_prefetch(open->node[k + KEYS_AHEAD]->entry, 1);
	__builtin_prefetch(open->node[k + KEYS_AHEAD]->newer, 1);
}

/* ---- reduce_window_plan.c: callbacks of the descriptor ---- */
int rw_plan(struct op *op, const struct stream *in, struct stream *out, struct err *err);
void rw_need(const struct op *op, const uint8_t *out, uint8_t *in);
void rw_explain(const struct op *op, struct buf *out);

/* ---- reduce_window_push.c ---- */
int rw_push(struct op *op, const struct batch *in);
/* Lets rows up to the one before `to` into their blocks. -1 if memory is refused. */
int rw_settle(struct rw_push *push, uint32_t to);
/* Row i, of time t, goes into a node, which may hold it: it is counted, and kept or waits, on a layer. -1 if memory is refused. */
int rw_take(struct rw_push *push, uint32_t i, int64_t t, struct rw_node *node, uint32_t layer);
/* Row i came too late; `end` is that of its last window. */
void rw_note_late(struct rw_push *push, uint32_t i, int64_t end);

/* ---- reduce_window_session.c: row i, of time t, into its session. -1 with op->err set. ---- */
int rw_session_row(struct rw_push *push, uint32_t i, int64_t t);
/* Adds the timer that the session needs, if the one that is there comes too late. -1 if memory is refused. */
int rw_session_timer(struct op *op, struct rw_node *node);
/* When time next matters to a session: its end, then its close. */
int64_t rw_session_due(const struct rw_conf *conf, const struct rw_node *node);

/* ---- reduce_window_node.c ---- */
/* A node of a key, behind `newer` in its list (NULL: the first). NULL if memory is refused. */
struct rw_node *rw_node_new(struct op *op, struct entry *entry, struct rw_node *newer, struct window window);
/* Takes a node out of its key's list and lets it go, with what it owns. An entry without nodes is removed. */
void rw_node_drop(struct op *op, struct rw_node *node);
/* Drops the node's memory, once no timer points to it. */
void rw_node_free(struct op *op, struct rw_node *node);
/* Nothing is in it any more: accumulators, rows that are kept. */
void rw_node_clear(struct op *op, struct rw_node *node);
/* Adds what `from` holds to `into`, a session that came first: content, states of conditions, results. Windows and lists are the caller's; `from` is
 * to be dropped. -1 if memory is refused. */
int rw_node_merge(struct op *op, struct rw_node *into, struct rw_node *from);
/* For table_on_move. */
void rw_moved(void *ctx, struct entry *entry);
/* Drops all nodes of all keys; for close. */
void rw_node_drop_all(struct op *op);

/* ---- reduce_window_open.c ---- */
/* Makes here[] the windows that hold t, and `pane` the instants they all hold; nhere 0 in a gap. -1 if memory is refused. */
int rw_here_find(struct op *op, int64_t t);
/* An open window, opened if it is not; NULL if memory is refused. */
struct rw_open *rw_open_get(struct op *op, struct window window);
/* Room for one node more in a window; -1 if memory is refused. */
int rw_open_room(struct op *op, struct rw_open *open);
/* Closes open[0] .. open[n - 1]: their nodes go. */
void rw_open_close(struct op *op, uint32_t n);
/* Frees the lists of all open windows; for close. */
void rw_open_free(struct op *op);

/* ---- reduce_window_trigger.c ---- */
/* A row is about to change a node: counts the instants of `every` that have passed while it had nothing new. */
void rw_wake(struct op *op, struct rw_node *node);
/* What row i, of time t, does to the conditions: *fires if one of them is met. -1 if memory is refused. */
int rw_trigger_row(struct rw_push *push, uint32_t i, int64_t t, struct rw_node *node, bool *fires);
/* |a - b| > delta, or >=. Both are numbers. */
bool rw_away(struct value a, struct value b, const struct value *delta, bool or_equal);
/* Conditions of a session into those of another one it is merged with. */
void rw_trigger_merge(const struct rw_conf *conf, struct rw_node *into, const struct rw_node *from);
/* Adds the timer for the next beat, if there is one and its timer is not there. -1 if memory is refused. */
int rw_beat_set(struct op *op, struct rw_node *node, int beat);
/* An instant of this beat: moves on what is due up to it; true if a condition is met. `end_of_input`: those of the clock are not, and never will be. */
bool rw_beat_take(const struct rw_conf *conf, struct rw_node *node, int beat, int64_t instant, bool end_of_input);
/* The states of a new node's conditions, and their snapshot. */
void rw_trigger_init(const struct rw_conf *conf, struct rw_node *node);
void rw_trigger_save(const struct rw_conf *conf, const struct rw_node *node, struct snap_out *out);
void rw_trigger_load(const struct rw_conf *conf, struct rw_node *node, struct snap_in *in);

/* ---- reduce_window_time.c: callbacks of the descriptor ---- */
int rw_watermark(struct op *op, int64_t *wm);
int64_t rw_due(const struct op *op);
int rw_timer(struct op *op, int64_t now);
int64_t rw_alarm(const struct op *op);

/* ---- reduce_window_fire.c ---- */
/* Fires n nodes in this order; no row waits for them. -1 with op->err set. */
int rw_fire(struct op *op, struct rw_node *const *node, uint32_t n);
/* A list of its own, of one; NULL if memory is refused. */
struct rw_was *rw_was_new(struct op *op, struct window window, const struct value *value, size_t stride);
/* Frees a list; NULL is fine. */
void rw_was_free(struct op *op, struct rw_was *was);

/* ---- reduce_window_evict.c ---- */
/* Sets push->flat. -1 if memory is refused. */
int rw_keep_begin(struct rw_push *push);
/* Row i, of time t, is kept. -1 if memory is refused. */
int rw_keep(struct rw_push *push, uint32_t i, struct rw_node *node, int64_t t);
/* Evicts; true if rows have gone. */
bool rw_evict(struct op *op, struct rw_node *node);
/* The rows that are kept into rw->spare, in order. -1 if memory is refused. */
int rw_kept_take(struct op *op, const struct rw_kept_list *list);
void rw_kept_drop(struct op *op, struct rw_kept_list *list);
/* Room for n more. -1 if memory is refused. */
int rw_kept_room(struct op *op, struct rw_kept_list *list, uint64_t n);
/* Rows of both, by arrival, into `into`; `from` is empty then. -1 if memory is refused. */
int rw_kept_merge(struct op *op, struct rw_kept_list *into, struct rw_kept_list *from);

/* ---- reduce_window_save.c: callbacks of the descriptor ---- */
int rw_save(const struct op *op, struct snap_out *out);
int rw_load(struct op *op, struct snap_in *in);

extern const struct op_type reduce_window_op;
#endif
