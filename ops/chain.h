/* The chain: operators in order, an edge in front of each, the sink at the end.
 *
 *     source -edge[0]-> op[0] -edge[1]-> op[1] ... -edge[n-1]-> op[n-1], the sink
 *
 * Life: chain_init, chain_add (each flag), chain_plan (with the schema of the input), chain_open, then pushes and control calls, chain_close. */
#ifndef WEIR_CHAIN_H
#define WEIR_CHAIN_H
#include "core/time.h"
#include "ops/edge.h"
#include "ops/emit/emit.h"
#include "ops/op.h"

/* Operators that are no flags of the chain: --upsert puts one first, --final one last where the result updates and nobody holds it. */
extern const struct op_type upsert_op, collect_op;

/* A file for late rows: --late-file. */
struct chain_side {
	const char *flag, *path;
	struct op *sink;          /* changelog format; its conf->out is &out */
	struct edge edge;         /* to it */
	struct out out;           /* opened by the caller between chain_plan and chain_open, and closed */
	bool opened;
};

enum {
	SIDES_MAX = 16,
	OPERATORS_MAX = 100, /* of flags: each calls the next, with up to 30 KiB on the stack */
};

struct chain {
	uint32_t n, cap;
	struct op **op;
	struct edge **edge;       /* edge[i] leads to op[i] */
	struct chain_side *side[SIDES_MAX];
	uint32_t nside;
	struct op_settings settings;
	struct time_style style;  /* how times are written; set before chain_plan */
	int64_t wm;               /* the last watermark given */
	bool needs_time;          /* set by chain_plan: the input's rows must have event time */
	bool lags;                /* set by chain_plan: one of the operators may lag, see op.lags */
	bool final;
	bool keeps;               /* the run has --state; to be set before chain_add */
	struct mem *mem;          /* of state */
	struct arena plan;        /* dies with the chain */
	struct err *err;
	uint32_t batch_max;
	uint32_t opened;          /* operators whose open was called */
};

/* An empty chain. mem accounts for state; batch_max: rows per batch (BATCH_MAX; less in tests). */
void chain_init(struct chain *chain, struct mem *mem, uint32_t batch_max, struct err *err);

/* Appends an operator (or applies a setting) with its argument as typed; parses it. */
int chain_add(struct chain *chain, const struct op_type *type, const char *flag, const char *text);

/* Resolves everything against the input: appends what the chain needs besides the flags (rows kept under --final) and the sink, picks variants forwards, then -U and columns backwards. */
int chain_plan(struct chain *chain, const struct stream *in, const struct sink_conf *sink);

/* NEED_* per column of the input's schema, after chain_plan. */
const uint8_t *chain_need(const struct chain *chain);

/* Allocates states and edges. */
int chain_open(struct chain *chain);

/* A batch of input through the whole chain. `now`: the clock, ms. */
int chain_push(struct chain *chain, const struct batch *batch, int64_t now);

/* The clock has passed now: due alarms fire, operator by operator. */
int chain_timer(struct chain *chain, int64_t now);
/* The next clock time at which chain_timer has something to do; INT64_MAX: none. */
int64_t chain_alarm(const struct chain *chain);

/* Event time has reached wm, operator by operator: each fires what is due, its rows go on, then the next one gets what it leaves of the watermark. Does
 * nothing unless wm is above the last one. `now`: the clock, ms. */
int chain_watermark(struct chain *chain, int64_t wm, int64_t now);
/* The highest watermark that any operator judges rows by. */
int64_t chain_passed(const struct chain *chain);
/* The least watermark above the last one at which chain_watermark may matter to any operator; INT64_MAX: none. */
int64_t chain_due(const struct chain *chain);
/* The same for operators that may not lag. */
int64_t chain_due_now(const struct chain *chain);

/* The end of input, operator by operator: each flushes, closes its windows (`windows`; not at a pause under --state), and sends its result under --final. chain_settle
 * goes as far as nothing has to be sent that a snapshot must still hold; chain_result does the rest. Watermarks are then those of the last windows that closed:
 * see op.wm. */
int chain_settle(struct chain *chain, bool windows);
int chain_result(struct chain *chain, bool windows);

/* Rows that came too late, over all operators. *last: the least watermark that would have been the last in time for one of those since the last call; INT64_MAX:
 * there were none. */
uint64_t chain_late(struct chain *chain, int64_t *last);

/* Flushes what bundles hold back in the operators behind `from`, one after the other. */
int chain_flush(struct op *from);

struct snap_out;
struct snap_in;
/* Every operator's state, a section each (under --final: of the first that has a result; the rest is made anew from it). */
int chain_save(struct chain *chain, struct snap_out *out);
int chain_load(struct chain *chain, struct snap_in *file);

/* Watermarks of the chain and its operators. */
void chain_save_time(const struct chain *chain, struct snap_out *out);
void chain_load_time(struct chain *chain, struct snap_in *in);

/* Keys that its operators have state for, all together, in *n; false: none of them knows keys. */
bool chain_keys(const struct chain *chain, uint64_t *n);

/* Rows that the result has, for --alert. */
uint64_t chain_rows(const struct chain *chain);

/* What --explain prints: operators, variants, columns, changes, state. */
void chain_explain(struct chain *chain, struct buf *out);

/* Retractions of what was never there, over all operators. */
uint64_t chain_ignored(const struct chain *chain);

/* Closes operators that were opened and frees everything. */
void chain_close(struct chain *chain);
#endif
