/* Output formats: one file, one exported descriptor each; listed in ops/emit/emits.def. The sink (ops/emit/sink.c) is the last operator of every
 * chain; it owns what they share: the bytes (core/out.h), names, NULL, --no-before, --alert. */
#ifndef WEIR_EMIT_H
#define WEIR_EMIT_H
#include "core/batch.h"
#include "core/out.h"
#include "core/time.h"
#include "ops/op.h"

struct input_options;

enum {
	E_FINAL = 1,         /* implies --final (table) */
	E_NAMES = 2,         /* a first line of names by default (csv, table) */
	E_NAMES_ALLOWED = 4,
};

struct emit_options {
	const struct emit_type *type;
	bool final;          /* rows only, no kinds */
	bool names;          /* write a first line of names */
	bool no_before;      /* -U is left out */
	bool terminal;       /* control bytes are shown as \xHH */
	const struct time_style *style; /* how times are written; NULL: ISO, UTC */
	const struct input_options *input; /* how records were read that pass whole; NULL: nobody asks */
};

struct emitter {
	const struct emit_type *type;
	const struct emit_options *opt;
	const struct stream *in;
	const struct schema *shown; /* the columns that `rows` gets: those of in, or of an open schema the T_ROW column alone */
	bool named;                 /* every field has a name: no T_ROW column among them */
	struct out *out;
	bool goes_on;        /* what stands before the rows is there already, from an earlier run over the same --state */
	struct mem *mem;
	void *state;                /* type->state_size bytes, zeroed at the start */
	struct err *err;
};

/* Is a line of names to be written? */
static inline bool emit_names(const struct emitter *emitter) { return emitter->opt->names && emitter->named && !emitter->goes_on; }

struct emit_type {
	const char *name, *help;    /* help: one line */
	const char *more;           /* lines that --help NAME adds; NULL: none */
	unsigned traits;
	size_t state_size;
	int (*begin)(struct emitter *emitter);                            /* once, right before the first rows: names, control lines */
	int (*rows)(struct emitter *emitter, const struct batch *batch);
	int (*watermark)(struct emitter *emitter, int64_t wm);            /* NULL: not written */
	int (*end)(struct emitter *emitter);                              /* --final, behind the last row; not without rows. NULL: nothing to add */
	void (*close)(struct emitter *emitter);                           /* frees what state holds; NULL: nothing */
};

/* All formats, in the order of emits.def; ends with NULL. */
extern const struct emit_type *const emit_types[];
/* The format of that name, or NULL. */
const struct emit_type *emit_find(const char *name, size_t len);

/* value_print, but times in the style; a pattern may give any bytes. */
uint32_t emit_print(const struct emitter *emitter, const struct value *v, char scratch[TIME_TEXT_MAX], const char **p);

/* Writes full blocks. -1 with emitter->err set if memory or the write failed. */
int emit_write(struct emitter *emitter);

/* To be called after each row: emit_write once there is a full block. */
static inline int emit_push(struct emitter *emitter)
{
	const struct buf *buf = &emitter->out->buf;
	return buf->n < OUT_BLOCK && !buf->failed ? 0 : emit_write(emitter);
}

/* The conf of the sink operator; filled by the plan, not by a flag. Input that never had a row gives no output at all, not even names. */
struct sink_conf {
	struct emit_options opt;
	struct out *out;
	bool appends;        /* to --out: what is there already goes on */
	/* set by the sink's plan: */
	struct stream in;
	const struct schema *shown;
	uint32_t first;      /* place of the first shown column */
	bool named;
};
extern const struct op_type sink_op;

/* The state of the sink's format: struct emitter.state. */
void *sink_format(const struct op *op);

/* Rows that the result has, by the changes so far (earlier runs over the same --state included). */
uint64_t sink_rows(const struct op *op);
#endif
