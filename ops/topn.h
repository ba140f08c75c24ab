/* --topn, shared by ops/topn*.c only.
 *
 *     topn.c          the descriptor, life of the state, --explain
 *     topn_plan.c     columns, variant, unique key, needs
 *     topn_order.c    sort columns: prefixes and comparison
 *     topn_push.c     a batch: its keys, forgotten keys, then each row through the variant
 *     topn_one.c      variants that keep a counter, or one row
 *     topn_list.c     variants that keep rows in order
 *     topn_index.c    finds a row that is held
 *     topn_emit.c     what a change of the list changes in the output: row numbers
 *     topn_rank.c     the same for rank and dense_rank
 *     topn_bundle.c   mini-batch and --final
 *     topn_closing.c  keyed by window: answers at its close
 *     topn_fire.c     in windows of its own that may fire several times: sessions, triggers, lateness, evictors
 *     topn_fire_plan.c   the same at plan time
 *     topn_lists.c    what such a window shows, as an aggregate of its rows
 *     topn_save.c     snapshots
 *
 * What is held of a key, in order, and what of it is shown:
 *
 *     position   0     1     2     3     4     5
 *              [ row | row | row | row | row | row ]
 *     rank       1     2     3     4     5     6        ranks from..to are shown
 *                    `-- from       `-- to
 *
 * Keyed by window, the state of a key ends with its struct closing_slot (ops/closing.h).
 *
 * A stored row is the columns that pass through, then the computed sort values: v[0 .. ncol-1] and v[ncol .. ncol+nextra-1]. */
#ifndef WEIR_TOPN_H
#define WEIR_TOPN_H
#include "ops/accs.h"
#include "ops/closing.h"
#include "ops/keyed.h"
#include "ops/op.h"
#include "ops/state/ordset.h"
#include "ops/state/row.h"
#include "ops/state/table.h"
#include "parse/lang/ast.h"

enum topn_variant {
	TOPN_FIRST,   /* insert-only, by arrival: a counter; not where each of several runs gives the whole result */
	TOPN_ONE,     /* rank 1..1, no row ever leaves: one row, replaced by a better one */
	TOPN_APPEND,  /* insert-only: the rows of rank <= to */
	TOPN_UPDATE,  /* rows are replaced, and only for the better: the same, found by unique key (where NULL may get worse: all rows) */
	TOPN_RETRACT, /* anything: all rows */
};

struct sort_col {
	struct expr *expr;
	uint32_t at;         /* its value in a stored row */
	bool desc, nulls_first;
};

/* A field of whole rows, and the column of the input that has it. */
struct topn_field { uint32_t at, col; };

struct topn_conf {
	struct topn_ast ast;
	enum topn_variant variant;
	struct key key;
	uint32_t base, ncol, nextra; /* the input's columns base .. base+ncol-1 pass through; sort values are stored behind them */
	int32_t rank_col;    /* of the output; -1: the rank is not shown */
	struct sort_col *sort;
	uint32_t nsort;
	struct ordset_order order;
	bool later_first;    /* of equals the later row stands first (last N) */
	bool ranked;         /* changes are written rank by rank, as -U/+U */
	struct expr *variable; /* N of a key comes from its first row; NULL: constant */
	const uint32_t *ident; /* the stored columns by which a row is found again */
	uint32_t nident;
	struct schema *open; /* of the input, if it is open: whole rows pass; else NULL */
	const struct topn_field *field; /* whole rows are made of these alone, when they are stored; NULL: they come from the input */
	uint32_t nfield, width;         /* width: fields of such a row */
	struct stream_rank rank; /* what the output's readers are told */
	bool updates;        /* the input updates */
	bool keeps_all;      /* rows behind `to` are kept, as they may come back */
	struct closing_conf closing;
};

/* In windows that may fire several times: an operator within the operator, a reduce whose one aggregate is the list that a window shows; see
 * ops/topn_fire.c. */
struct topn_fire_conf {
	struct topn_conf topn; /* its ncol counts the bounds, too */
	uint32_t bounds;       /* columns before those of the input: 2, or 0 */
	uint32_t passes;       /* columns of the input that pass */
	int32_t row_col;       /* which of them is a whole row; -1: none */
	uint32_t lead;         /* values of a packed row before its columns */
	struct accs_whole *whole;
	struct op *reduce, *lists; /* reduce -edge-> lists */
	struct edge *edge;
};

/* State of a key, in the table. TOPN_FIRST and TOPN_ONE have the short forms. All begin with `written`. */
struct topn_counter {
	int64_t written;     /* time of the last change, kept for --ttl */
	uint64_t n;
};
struct topn_single {
	int64_t written;
	struct ordset_item held; /* row NULL: none yet */
};
struct topn_group {
	int64_t written;
	int64_t to;          /* the last rank shown */
	struct ordset set;
	struct ordset heads; /* dense_rank: one row of each group of equals */
	uint64_t worst;      /* prefix of the last row once the group is full, else UINT64_MAX: a greater one is hopeless */
};

/* Of an entry: its first row has come. */
enum { TOPN_STARTED = ENTRY_USER };

static inline bool topn_alive(const struct entry *entry)
{
	return (entry->flags & (TOPN_STARTED | ENTRY_DEAD)) == TOPN_STARTED;
}

/* A row as it was shown when its bundle began; under TOPN_FIRST a row that waits to be shown. */
struct topn_shown {
	struct row *row;
	int64_t number;
};

/* A key that was touched in the open bundle. */
struct topn_touched {
	const char *key;
	uint32_t len;
	uint64_t hash;
	struct topn_shown *row; /* in order */
	uint64_t n, cap;
	bool owned;          /* the rows are this list's own (TOPN_FIRST, or read from a snapshot) */
};

/* The batch that is pushed. */
struct topn_in {
	const struct batch *batch;
	struct batch view;   /* the columns of a stored row */
	struct batch ident;  /* the columns that identify it */
	struct value **sort; /* [sort column][row] */
	uint64_t *prefix;
	uint64_t *hash;      /* of `ident`; set where there is an index */
	struct keyed keys;
	struct value *to;    /* variable N; NULL: constant */
};

struct topn_index;
struct topn {
	struct table *table;
	struct topn_index *index;  /* TOPN_UPDATE, TOPN_RETRACT */
	uint64_t seq;        /* given to the last row */
	struct keyed_sweep sweep;
	struct row **dead;   /* left the state; freed by the next call, as rows on the way to the consumer borrow their texts */
	size_t ndead, dead_cap;
	size_t npinned;      /* so many of them, in front, are shown in `touched`: they stay until the flush */
	struct topn_touched *touched; /* the open bundle, by first touch */
	uint32_t ntouched, touched_cap;
	struct arena bundle; /* what `touched` points to */
	struct column *scratch; /* conf->ncol columns */
	bool quiet;          /* changes are not sent as they come */
	struct closing closing;
};

static inline const struct topn_conf *topn_conf(const struct op *op) { return op->conf; }
static inline struct topn *topn_state(const struct op *op) { return op->state; }

/* Removes a key that holds nothing any more. */
static inline void topn_remove(struct op *op, struct entry *entry)
{
	struct topn *s = topn_state(op);
	if (s->closing.conf)
		closing_drop(&s->closing, entry);
	table_remove(s->table, entry);
}

struct topn_fire {
	struct topn topn;
	struct buf list;     /* being made */
	struct column *column; /* room for the columns of a row */
};

/* ---- topn.c ---------------------------------------------------------------------------- */

/* Room for n more dead rows; 0, or -1 with op->err set. To be called before a change that lets n rows go. */
int topn_reserve(struct op *op, uint64_t n);
/* Lets go of a row; topn_reserve came first. */
void topn_bury(struct topn *s, struct row *row);
/* Frees the dead rows, apart from those that the open bundle has shown. First thing in each call. */
void topn_free_dead(struct op *op);
/* Forgets all that a key holds; its state is as if no row had come. -1 (err set): nothing was done. */
int topn_drop(struct op *op, struct entry *entry);
/* As op_type has them. */
int topn_open(struct op *op);
void topn_close(struct op *op);
bool topn_before(const struct op *op, bool wanted);
void topn_explain(const struct op *op, struct buf *out);

/* Keyed by the windows of its input. */
extern const struct op_type topn_closing_op;
/* Gives rows their windows, where it has windows of its own; see ops/window_rows.c. */
extern const struct op_type window_rows_op;

/* ---- topn_plan.c ----------------------------------------------------------------------- */

/* As op_type has them. */
const struct op_type *topn_ahead(const struct op *op);
int topn_plan(struct op *op, const struct stream *in, struct stream *out, struct err *err);
void topn_need(const struct op *op, const uint8_t *out, uint8_t *in);
/* Settles which fields the whole rows are made of, once all needs are known. 0, or -1 with op->err set. */
int topn_set_fields(struct op *op);

/* ---- topn_order.c ---------------------------------------------------------------------- */

/* The prefix of a value of the first sort column: order(a, b) < 0 implies prefix(a) <= prefix(b); 0 if there is no sort column. */
uint64_t topn_prefix(const struct topn_conf *conf, const struct value *v);
/* Compares stored rows by all sort columns; for struct ordset_order, the context is the conf. */
int topn_compare(const void *conf, const struct row *a, const struct row *b);
/* The same of row r of the batch with a stored row. */
int topn_compare_in(const struct topn_conf *conf, const struct topn_in *in, uint32_t r, const struct row *row);
/* Are the rows equal by bytes, in the columns that pass through? */
bool topn_same(const struct topn_conf *conf, const struct row *a, const struct row *b);
/* Evaluates what the batch is sorted by, and sets up in->view and in->ident. */
int topn_order_in(struct op *op, struct topn_in *in);
/* Makes the whole row r of in->view, if it does not come from the input. 0, or -1 with op->err set. */
int topn_make(struct op *op, const struct topn_in *in, uint32_t r);
/* Stores row r of the batch; NULL if memory is refused (err set). */
struct row *topn_store(struct op *op, const struct topn_in *in, uint32_t r);
/* The item of a row that arrives now. */
struct ordset_item topn_item(struct op *op, struct row *row, uint64_t prefix);

/* ---- topn_push.c ----------------------------------------------------------------------- */

/* As op_type has it. */
int topn_push(struct op *op, const struct batch *batch);
/* The N that a row brings: whole, at least 0; what is no number shows nothing. */
int64_t topn_variable_to(const struct value *v);
/* Forgets a key as a whole; in an open bundle its entry stays. 0, or -1 with op->err set; for struct keyed_sweep. */
int topn_forget(struct op *op, struct entry *entry);
/* Is the key forgotten, though its state is still there? */
static inline bool topn_expired(const struct op *op, struct entry *entry)
{
	return op_expired(op, *(const int64_t *)entry_state(entry));
}

/* ---- the variants ------------------------------------------------------------------------ */

/* Takes row r of the batch, of a key whose entry is alive; sends what changes. 0, or -1 with op->err set. Only the last takes rows back. */
int topn_first_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r);   /* TOPN_FIRST */
int topn_one_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r);     /* TOPN_ONE */
int topn_append_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r);  /* TOPN_APPEND */
int topn_update_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r);  /* TOPN_UPDATE */
int topn_retract_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r); /* TOPN_RETRACT */

/* Lets go of rows behind `to`, and sets `worst`. */
int topn_trim(struct op *op, struct topn_group *group);

/* ---- topn_index.c: rows by the bytes of the columns conf->ident ---------------------------- */

/* An empty index; NULL if memory is refused. */
struct topn_index *topn_index_new(const struct topn_conf *conf, struct mem *mem);
/* Frees it, not the rows. */
void topn_index_free(struct topn_index *index);
/* Adds an item behind all that are equal to it. -1 if memory is refused: nothing has changed. */
int topn_index_add(struct topn_index *index, const struct ordset_item *item, uint64_t hash) __attribute__((warn_unused_result));
/* The earliest added of the items equal to row r of the batch; NULL: none. It may be overwritten by an equal one in place. */
struct ordset_item *topn_index_find(const struct topn_index *index, const struct batch *ident, uint32_t r, uint64_t hash);
/* Removes the earliest added of the items equal to `row`. */
void topn_index_remove(struct topn_index *index, const struct row *row, uint64_t hash);
/* The hash by which a stored row is filed; scratch: room for conf->nident columns. */
uint64_t topn_index_hash(const struct topn_conf *conf, const struct row *row, struct column *scratch);

/* ---- topn_emit.c ------------------------------------------------------------------------- */

/* Sends one row. */
int topn_emit(struct op *op, uint8_t kind, const struct row *row, int64_t number);
/* Sends a pair; nothing if its rows are equal (they are written all the same under --ttl). */
int topn_emit_pair(struct op *op, const struct topn_shown *old, const struct topn_shown *new);
/* Sends row r of the input as +I. It borrows from the batch. */
int topn_emit_in(struct op *op, const struct topn_in *in, uint32_t r, int64_t number);
/* Row numbers: the item at position p has come in. The set may hold one more than `to` rows. */
int topn_came(struct op *op, const struct topn_group *group, uint64_t p);
/* Row numbers: `row` has gone from position p. */
int topn_went(struct op *op, const struct topn_group *group, uint64_t p, struct row *row);
/* Row numbers: `old` has gone from position o, and its successor has come in at p. */
int topn_moved(struct op *op, const struct topn_group *group, uint64_t o, struct row *old, uint64_t p);

/* ---- topn_rank.c ------------------------------------------------------------------------- */

/* Where a group of equals begins, and its rank. */
struct topn_place {
	uint64_t at;
	int64_t number;
};

/* Moves a place on to the first group of a rank >= least; false: there is none. { 0, 1 } is the first of all groups. */
bool topn_rank_seek(const struct topn_conf *conf, const struct topn_group *group, struct topn_place *place, int64_t least);
/* Moves a place on to the next group; its `at` is then set.n at the end. */
void topn_rank_next(const struct topn_conf *conf, const struct topn_group *group, struct topn_place *place);

/* Keeps the heads of dense_rank in step: the item at p has come in; the item at p is about to go. *shifts: the ranks behind it change.
 * -1 if memory is refused (err set): nothing has changed. */
int topn_rank_came(struct op *op, struct topn_group *group, uint64_t p, bool *shifts);
int topn_rank_leaves(struct op *op, struct topn_group *group, uint64_t p, bool *shifts);
/* Sends what has changed, once the item has come in (the set may hold groups behind `to`) or has gone. */
int topn_rank_send_came(struct op *op, const struct topn_group *group, const struct ordset_item *item, bool shifts);
int topn_rank_send_went(struct op *op, const struct topn_group *group, const struct ordset_item *item, bool shifts);

/* ---- topn_bundle.c ----------------------------------------------------------------------- */

/* Puts the key of row r into the bundle, with what it shows now, if it is not yet there. */
int topn_touch(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r);
/* Appends a row to what a key of the bundle shows. */
int topn_touched_add(struct op *op, struct topn_touched *touched, struct row *row, int64_t number);
/* A new key of the bundle; NULL if memory is refused (err set). */
struct topn_touched *topn_touched_new(struct op *op, const char *key, uint32_t len, uint64_t hash);
/* Sends what a key shows as +I; no bundle is open. 0, or -1 with op->err set. */
int topn_send_shown(struct op *op, struct entry *entry);
/* Sends what makes one list of rows that are shown another, of the same key. 0, or -1 with op->err set. */
int topn_send_difference(struct op *op, const struct topn_touched *old, const struct topn_touched *new);
/* Frees what the bundle owns, and forgets it. */
void topn_bundle_drop(struct op *op);
/* As op_type has them. */
int topn_flush(struct op *op);
int topn_result(struct op *op);

/* ---- topn_fire_plan.c, topn_lists.c -------------------------------------------------------- */

/* In windows of its own that topn_ahead does not make. */
extern const struct op_type topn_fire_op;
/* Gives the operator the conf of one that fires, its topn as parsed. -1 if memory is refused. */
int topn_fire_begin(struct op *op);
/* Plans it, once columns, sort and N are bound. 0, or -1 with err set. */
int topn_fire_plan(struct op *op, const struct stream *in, struct stream *out, struct err *err);

/* Sets up the aggregate of whole rows. -1 if memory is refused. */
int topn_lists_begin(struct op *op);
/* Appends the rows of a list, as the aggregate gives it, with their bounds in front; their texts are borrowed from it, the rest is in mem. 0, or -1 with
 * op->err set. */
int topn_lists_read(struct op *op, const struct value *list, const struct value *bounds, struct arena *mem, struct topn_touched *to);

/* ---- topn_save.c ------------------------------------------------------------------------- */

/* As op_type has them. */
int topn_save(const struct op *op, struct snap_out *out);
int topn_load(struct op *op, struct snap_in *in);
#endif
