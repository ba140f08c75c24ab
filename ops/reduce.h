/* --reduce, shared by ops/reduce*.c only.
 *
 *     reduce.c           the descriptors, life of the state
 *     reduce_plan.c      columns, aggregates, needs, --explain
 *     reduce_rows.c      what each row of a batch does to its key
 *     reduce_push.c      a batch, and the changes that it makes
 *     reduce_emit.c      changes of keys as rows, column by column
 *     reduce_bundle.c    mini-batch and --final
 *     reduce_closing.c   keyed by window: answers at its close
 *     reduce_save.c      snapshots
 *
 * The state of a key, in the table:
 *
 *     [ rows ][ written ][ slot ][ block of accumulators, ops/accs.h ]
 *       |       |          `-- where its window has it, ops/closing.h; only if the key is one of windows
 *       |       `-- time of the last change; only with --ttl
 *       `-- how many rows the key has; only if the input takes back
 *
 * A key whose rows are all gone is removed at once, so its return is a new key behind all others; in a bundle it stays until the flush, with 0 rows. */
#ifndef WEIR_REDUCE_H
#define WEIR_REDUCE_H
#include "ops/closing.h"
#include "ops/keyed.h"
#include "ops/window_emit.h"

struct reduce_conf {
	struct named_list list;
	struct key key;
	struct accs accs;
	struct window_emit emit; /* without a window */
	struct closing_conf closing;
	bool quiet;              /* changes are not sent as they come */
	size_t written_at, slot_at, block_at, state_size;
};

/* Keys of the open bundle that one batch was the first to touch, by first appearance. */
struct touched {
	struct touched *next;
	uint32_t n;
	struct entry **entry; /* where entries stay (reduce_stays); NULL: they are to be found */
	uint64_t *hash;       /* what they are found by; else NULL, all three */
	const char **key;
	uint32_t *len;
	uint8_t *fresh;       /* the key was not there before: its value is that of nothing */
	struct value *before; /* [aggregate * n + key] */
};

struct reduce {
	struct table *table;
	struct arena bundle;            /* the touched keys */
	struct touched *touched, *last; /* of the open bundle; entry->mark is set in each key */
	uint64_t ntouched;
	struct keyed_sweep sweep;
	struct closing closing;
};

/* A batch on its way through the operator. All arrays are by row, in the batch's memory. */
struct reduce_rows {
	const struct batch *in;
	uint32_t n;
	struct keyed keys;
	uint8_t *act;         /* ACT_*; NULL: all rows add, and no aggregate minds which is the first */
	uint16_t *touched;    /* not by row: those that are the first of their key in the bundle; NULL: nobody asked */
	uint32_t ntouched;
	bool removed;         /* keys were removed: their accumulators end with ACT_LAST */
};

/* Keys and their values: before[aggregate * nbefore + key]. */
struct reduce_keys {
	struct entry *const *entry;
	const struct value *before, *after;
	size_t nbefore, nafter;
};

/* What becomes of some of them. */
struct reduce_changes {
	struct reduce_keys keys;
	uint32_t n;
	uint16_t at[BATCH_MAX];  /* which of the keys */
	uint8_t kind[BATCH_MAX]; /* K_I, K_D or K_UA, which stands for an update: -U and +U */
};

static inline void reduce_change(struct reduce_changes *changes, uint32_t at, uint8_t kind)
{
	changes->at[changes->n] = (uint16_t)at;
	changes->kind[changes->n++] = kind;
}

/* No key is ever removed, so no entry moves, and every row has one. */
static inline bool reduce_stays(const struct op *op)
{
	const struct reduce_conf *conf = op->conf;
	return !conf->accs.retracts && !op->ttl && !conf->closing.on;
}

static inline int64_t *reduce_count(struct entry *entry) { return entry_state(entry); }
static inline int64_t *reduce_written(const struct reduce_conf *conf, struct entry *entry)
{
	return (int64_t *)(void *)((char *)entry_state(entry) + conf->written_at);
}
static inline void *reduce_block(const struct reduce_conf *conf, struct entry *entry) { return (char *)entry_state(entry) + conf->block_at; }

/* Removes a key whose block is empty. */
static inline void reduce_remove(const struct op *op, struct entry *entry)
{
	struct reduce *reduce = op->state;
	if (reduce->closing.conf)
		closing_drop(&reduce->closing, entry);
	table_remove(reduce->table, entry);
}

/* The variants in windows: of rows; of time that fire at their end, and for late rows; all others. The one that is keyed by windows of the input. */
extern const struct op_type reduce_count_op, reduce_pane_op, reduce_window_op, reduce_closing_op;

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
/* Drops the state of a key and removes it; for struct keyed_sweep. */
int reduce_forget(struct op *op, struct entry *entry);

/* reduce_push.c: the push of the descriptor. */
int reduce_push(struct op *op, const struct batch *in);

/* reduce_emit.c: the values of all aggregates for n <= BATCH_MAX keys, [aggregate * n + key]; texts are borrowed from the keys or in mem. -1 if memory is
 * refused. */
int reduce_values(const struct op *op, struct entry *const *entry, uint32_t n, struct value *out, struct arena *mem);
/* How many keys can be emitted next, at most `most`, once what has collected was pushed if there was little room. 0: that failed. */
uint32_t reduce_room(const struct op *op, uint32_t most);
/* Writes the changes as rows; there must be room for them. Texts are borrowed from the keys. */
int reduce_emit(const struct op *op, const struct reduce_changes *changes);
/* Writes +I rows of n keys as they are now; there must be room for two each. Texts are borrowed from the keys. */
int reduce_emit_now(const struct op *op, struct entry *const *entry, uint32_t n);

/* reduce_bundle.c: notes the keys that a batch touches first in the bundle, with their values before it. -1 if memory is refused. */
int reduce_touch(struct op *op, const struct reduce_rows *rows);
/* Appends n keys to the open bundle, the arrays allocated but not set; NULL if memory is refused. */
struct touched *reduce_touched(struct op *op, uint32_t n);
/* The callbacks of the descriptor. */
int reduce_flush(struct op *op);
int reduce_result(struct op *op);

/* reduce_closing.c: the callbacks of the descriptor of what is keyed by window. */
int reduce_closing_push(struct op *op, const struct batch *in);
int reduce_closing_watermark(struct op *op, int64_t *wm);
int64_t reduce_closing_due(const struct op *op);
int reduce_closing_timer(struct op *op, int64_t now);
int64_t reduce_closing_alarm(const struct op *op);

/* reduce_save.c: the callbacks of the descriptor. */
int reduce_save(const struct op *op, struct snap_out *out);
int reduce_load(struct op *op, struct snap_in *in);
#endif
