/* --reduce, shared by ops/reduce*.c only.
 *
 *     reduce.c           the descriptor, life of the state, forgetting
 *     reduce_plan.c      columns, aggregates, needs, --explain
 *     reduce_rows.c      what each row of a batch does to its key
 *     reduce_distinct.c  which rows of a batch are new to an aggregate with distinct
 *     reduce_push.c      aggregates over a batch, column by column; then the changes, row by row
 *     reduce_bundle.c    mini-batch and --final
 *     reduce_save.c      snapshots
 *
 * The state of a key, in the table:
 *
 *     [ rows ][ written ][ map ] ... [ accumulator ] ...
 *       |       |          `-- one per list of arguments with distinct
 *       |       `-- time of the last change; only with --ttl
 *       `-- how many rows the key has; only if the input takes back
 *
 * A key whose rows are all gone is removed at once, so its return is a new key behind all others; in a bundle it stays until the flush, with 0 rows. */
#ifndef WEIR_REDUCE_H
#define WEIR_REDUCE_H
#include "ops/agg/agg.h"
#include "ops/keyed.h"
#include "ops/op.h"
#include "ops/state/table.h"
#include "parse/lang/ast.h"

struct reduce_agg {
	struct agg agg;
	size_t at;           /* its accumulator in the state of a key */
	struct expr *filter; /* NULL: none */
	int32_t distinct;    /* its list; -1: none */
	uint32_t place;      /* among the aggregates of that list */
};

/* A list of arguments with distinct, and the map all its aggregates share: value -> which of them have it (a bit each), or, if the input takes
 * back, how often each of them has it (a word each). */
struct reduce_distinct {
	struct expr **arg; /* as written, not converted: distinct goes by bytes */
	uint32_t narg;
	const char *text;  /* of the list, for finding it again */
	size_t len;
	size_t at;         /* the map in the state of a key */
	uint32_t n;        /* aggregates */
	unsigned words;
};

struct reduce_conf {
	struct named_list list;
	struct key key;
	struct reduce_agg *agg;
	uint32_t nagg;
	struct reduce_distinct *distinct;
	uint32_t ndistinct;
	bool retracts;     /* the input takes back */
	bool heap;         /* some state owns memory */
	size_t written_at, state_size;
};

/* A key touched in the open bundle. */
struct touched {
	uint64_t hash;
	struct entry *entry;  /* where entries stay (reduce_stays), else it is to be found */
	const char *key;      /* where entries stay, the entry's own bytes */
	uint32_t len;
	struct value *before; /* of all aggregates; NULL: the key was not there */
};

struct reduce {
	struct table *table;
	struct arena bundle;      /* keys and values before of the open bundle */
	struct touched *touched;  /* by first appearance; entry->mark is the place + 1 */
	uint32_t ntouched, cap;
	struct keyed_sweep sweep;
};

/* A batch on its way through the operator. All arrays are by row, in the batch's memory. */
struct reduce_rows {
	const struct batch *in;
	uint32_t n;
	struct keyed keys;
	uint8_t *act;         /* ACT_*; NULL: all rows add, and no aggregate minds which is the first */
	bool removed;         /* keys were removed: their accumulators end with ACT_LAST */
};

/* No key is ever removed, so no entry moves. */
static inline bool reduce_stays(const struct op *op) { return !((const struct reduce_conf *)op->conf)->retracts && !op->ttl; }

static inline int64_t *reduce_count(struct entry *entry) { return entry_state(entry); }
static inline int64_t *reduce_written(const struct reduce_conf *conf, struct entry *entry)
{
	return (int64_t *)(void *)((char *)entry_state(entry) + conf->written_at);
}

/* reduce_plan.c: the callbacks of the descriptor. */
int reduce_parse(struct op *op, struct err *err);
int reduce_plan(struct op *op, const struct stream *in, struct stream *out, struct err *err);
bool reduce_before(const struct op *op, bool wanted);
void reduce_need(const struct op *op, const uint8_t *out, uint8_t *in);
void reduce_explain(const struct op *op, struct buf *out);

/* reduce_rows.c: finds the keys of a batch, creates and removes them, and fills the actions. On an error rows->entry may be NULL. */
int reduce_rows_find(struct op *op, const struct batch *in, struct reduce_rows *rows);
/* After an error: empties what the removed keys of the batch may still own. */
void reduce_rows_fail(struct op *op, struct reduce_rows *rows);
/* Empties the accumulators and maps of a key. */
void reduce_empty(const struct reduce_conf *conf, struct mem *mem, struct entry *entry);
/* Drops the state of a key and removes it; for struct keyed_sweep. */
int reduce_forget(struct op *op, struct entry *entry);

/* reduce_distinct.c: for one list, brings its map up to date with the batch. act[i] is given for the aggregate of place i: on entry the action of
 * each row (its filter as ACT_SKIP), on return ACT_SKIP also where the value is not new to it, or not the last of its kind. */
int reduce_distinct_rows(const struct op *op, const struct reduce_distinct *list, const struct reduce_rows *rows, uint8_t *const *act);

/* reduce_push.c: the push of the descriptor. */
int reduce_push(struct op *op, const struct batch *in);
/* Writes a row: the key's columns, then value[i * stride] for each aggregate i. There must be room for it. */
void reduce_emit(const struct op *op, uint8_t kind, const struct value *key, const struct value *value, size_t stride);

/* reduce_bundle.c: notes a key that is not yet in the bundle, with its values before the row that touches it first. -1 if memory is refused. */
int reduce_touch(struct op *op, struct entry *entry, const struct reduce_rows *rows, uint32_t row);
int reduce_flush(struct op *op);
int reduce_result(struct op *op);
/* Room for one more touched key. */
int reduce_touched_room(struct op *op);

/* reduce_save.c: the callbacks of the descriptor. */
int reduce_save(const struct op *op, struct snap_out *out);
int reduce_load(struct op *op, struct snap_in *in);
#endif
