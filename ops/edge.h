/* An edge between two operators: what flows there (decided at plan time), and the batch in which rows for the consumer collect.
 *
 * Sending rows:
 *     if (edge_room(op->out, 2)) return -1;            pairs are never split
 *     uint32_t r = edge_add(op->out, K_UB | K_PAIR);   ... fill edge_col(op->out, c)[r] for each column c that is needed
 *     r = edge_add(op->out, K_UA);
 * The chain pushes what has collected after each call into the operator; edge_room pushes when the batch is full. */
#ifndef WEIR_EDGE_H
#define WEIR_EDGE_H
#include "core/batch.h"
#include "core/err.h"
#include "core/schema.h"

struct op;
struct topn_ast;

/* Rows that a --topn ranks. */
struct stream_rank {
	const struct topn_ast *ast; /* how */
	const struct op *op; /* whose key tells the lists apart */
	int32_t col;         /* of the rank; -1: it is not shown */
};

/* What flows on an edge. Arrays live in the plan's arena. */
struct stream {
	struct schema *schema;
	unsigned kinds;      /* S_U | S_D; 0: insert-only */
	bool before;         /* -U is sent; set backwards from the consumers, see op_type.before */
	bool equal_pairs;    /* an update may leave its row as it was: the stream is somebody else's changelog */
	bool timed;          /* rows carry event time */
	bool windowed;       /* rows carry the bounds of the window they belong to */
	uint32_t start, end; /* the columns of these (start is that of the end if the start is not there); their time is end - 1 */
	bool once;           /* with windowed: no row of a window comes after the watermark has reached end - 1, and none is taken back */
	int64_t lateness;    /* with windowed: of the window operator above, ms; rows of a window come until the watermark has reached end - 1 + lateness */
	uint32_t nkey;       /* unique key: columns (a T_ROW column: some of its fields); has_key with nkey 0: at most one row in all */
	bool has_key;
	const uint32_t *key;
	const struct stream_rank *rank; /* the rows are what a --topn shows, and nothing has made others of them; NULL: they are not */
	const int8_t *trend; /* per column, within one unique key: TREND_*; NULL: none known */
};

struct edge {
	struct stream stream;
	struct op *to;       /* the consumer */
	uint8_t *need;       /* per column: NEED_*; a column with 0 has v NULL and must not be filled */
	struct batch batch;  /* being filled; batch.mem is the scratch for its texts */
	struct arena scratch;
	struct err *err;
	uint32_t max;        /* rows per batch: BATCH_MAX, less in tests */
	int64_t at;          /* event time of the rows that edge_add starts, where the stream is timed; the producer sets it. Behind the end of input it is
	                        the watermark at which the producer's last window closed: see op.wm */
};

/* Allocates the columns once planning is done. */
int edge_open(struct edge *edge, struct op *to, struct mem *mem, uint32_t max, struct err *err);
void edge_close(struct edge *edge);

/* Starts a row and gives its index; its cells are not yet set, its time is edge->at. */
static inline uint32_t edge_add(struct edge *edge, uint8_t kind)
{
	struct batch *b = &edge->batch;
	b->kind[b->n] = kind;
	if (b->time)
		b->time[b->n] = edge->at;
	return b->n++;
}

/* The cells of a column; NULL: nobody reads it. May be asked once per batch, but not across an edge_room. */
static inline struct value *edge_col(struct edge *edge, uint32_t col) { return edge->batch.col[col].v; }

/* Sends a whole batch of the same schema, as it is: what has collected goes first. The consumer borrows it for the call. */
int edge_send(struct edge *edge, const struct batch *batch);

/* Pushes what has collected. The chain calls this after every call into the producer. */
int edge_push(struct edge *edge);

/* Makes sure that the next `rows` (1 or 2) edge_add go into one batch: pushes the full one first. 0 or -1. */
static inline int edge_room(struct edge *edge, uint32_t rows)
{
	return edge->batch.n + rows <= edge->max ? 0 : edge_push(edge);
}
#endif
