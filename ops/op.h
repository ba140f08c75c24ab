/* Operators: one file, one exported descriptor each; listed in ops/ops.def.
 *
 * The chain at run time:
 *
 *     source -> [op] -edge-> [op] -edge-> [op] -edge-> sink
 *
 * Data and control travel apart. push, flush, timer, watermark are separate calls; the chain walks them operator by operator, an
 * operator only ever calls its edge to send rows on. Operators never read the clock, the environment, files, and never exit or print.
 * Every callback that returns int gives 0, or -1 with op->err set. On an error, rows already made still go out. */
#ifndef WEIR_OP_H
#define WEIR_OP_H
#include "core/batch.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/schema.h"
#include "ops/edge.h"
#include "parse/lang/ast.h"

struct op;
struct snap_in;
struct snap_out;
struct op_settings;
struct table;

enum {
	OP_KEYED = 1,   /* takes the -k before it */
	OP_SETTING = 2, /* no place in the chain: sets something for later operators; only `parse` and `apply` are called */
	OP_BUNDLES = 4, /* holds rows back behind --minibatch and under --final: flush is there */
	OP_WINDOWED = 8, /* takes the window flags before it */
};

struct op_type {
	const char *name;  /* long flag without dashes: "reduce" */
	char letter;       /* short flag, 0: none */
	unsigned traits;
	const char *arg;   /* shown in --help: "AGG, ..." */
	const char *help;  /* one line */
	const char *more;  /* lines that --help NAME adds */
	size_t conf_size;  /* what parse fills; arrives zeroed */
	size_t state_size; /* what push works on; arrives zeroed; 0: stateless */

	/* Reads the flag's argument into op->conf: grammar only, columns are not known yet. */
	int (*parse)(struct op *op, struct err *err);
	/* OP_SETTING: changes what later operators get. */
	int (*apply)(struct op *op, struct op_settings *settings, struct err *err);

	/* OP_WINDOWED, once it has its window: what must stand ahead of it and gives rows this window (op->window->window_flag is there then); NULL: nothing. */
	const struct op_type *(*ahead)(const struct op *op);

	/* Resolves names and types against *in, picks the variant, describes *out (already a copy of *in: schema shared, traits kept). */
	int (*plan)(struct op *op, const struct stream *in, struct stream *out, struct err *err);
	/* Is -U needed on the input, if the consumer wants it or not on the output? NULL: as the consumer wants. */
	bool (*before)(const struct op *op, bool wanted);
	/* Adds (|=) what is read of each input column, given what is read of each output column. NULL: all that is read of the output. */
	void (*need)(const struct op *op, const uint8_t *out, uint8_t *in);
	/* One or more lines for --explain: variant, state and what bounds it. */
	void (*explain)(const struct op *op, struct buf *out);

	int (*open)(struct op *op);
	int (*push)(struct op *op, const struct batch *in);
	int (*flush)(struct op *op);                  /* sends what a bundle holds back; NULL: holds nothing */
	int (*result)(struct op *op);                 /* --final, last call: sends the whole result as +I; NULL: has sent it already */
	int (*timer)(struct op *op, int64_t now);     /* the clock has passed now (ms); NULL: does not care */
	int64_t (*alarm)(const struct op *op);        /* next clock time wanted; INT64_MAX or NULL: none */
	int (*watermark)(struct op *op, int64_t *wm); /* event time has reached *wm > op->wm; what is behind gets what it leaves there. WM_END: the end of input, for
	                                                 windows on the clock, too. NULL: does not care */
	int64_t (*due)(const struct op *op);          /* least w > op->wm at which it may fire, close or judge lateness otherwise; INT64_MAX or NULL: none */
	int (*save)(const struct op *op, struct snap_out *out);
	int (*load)(struct op *op, struct snap_in *in); /* after open */
	void (*close)(struct op *op);                 /* frees the state's memory; also after a failed open. The schema of an input is gone by then */
};

#define WM_NONE INT64_MIN /* no watermark yet */
#define WM_END INT64_MAX  /* the end of input */

/* The window of an operator: what the window flags before it say. */
struct op_window {
	struct window_ast window;   /* kind WINDOW_GLOBAL: none was given, the rest acts on one global window */
	struct trigger_ast trigger; /* n 0: none */
	struct evict_ast evict;
	int64_t lateness;           /* ms */
	struct op *window_flag, *trigger_flag, *evict_flag, *lateness_flag, *late_flag; /* for messages; NULL: not given */
};

/* What stands between operators and holds for those behind it. */
struct op_settings {
	struct op *key;       /* the -k not yet taken; NULL: none */
	struct op_window window; /* the window flags not yet taken */
	struct op *bundle;    /* the last -m, NULL: none */
	int64_t ttl;          /* ms; 0: none */
};

struct op {
	const struct op_type *type;
	const char *flag;     /* as typed: "-r" or "--reduce"; for messages */
	const char *text;     /* its argument */
	void *conf, *state;
	struct op *key;       /* OP_KEYED: the -k it took (its conf is a struct keyby); NULL: one global key */
	const struct op_window *window; /* OP_WINDOWED: NULL: none */
	const struct accs_whole *whole; /* of a reduce within another operator: what it makes of whole rows, instead of a list (ops/accs.h); NULL: none */
	struct edge *late;    /* where late rows go: to a sink with the schema of the input; NULL: they are only counted */
	uint64_t nlate;       /* rows that came too late */
	int64_t late_last;    /* the least watermark that would have been the last in time for one of them; INT64_MAX: none since chain_late asked */
	struct edge *out;     /* the only way to send rows on */
	struct mem *mem;      /* state memory: accounted, may refuse */
	struct arena *plan;   /* lives as long as the chain: what parse and plan build */
	struct err *err;
	int64_t wm;           /* this operator's watermark; the chain sets it after `watermark`. The end of input is none: behind it this is where the last window
	                         closed (out->at), and a later run over the state goes on from there */
	int64_t began;        /* the first one it got; WM_NONE: none came yet */
	bool timed;           /* rows that reach it carry event time: then that is its time, else the clock */
	bool steps;           /* set by plan: what it lets through of the watermark also flushes what is behind (-m LATENCY in event time) */
	bool lags;            /* set by plan: it may be told of a watermark late, once rows have come that are ahead of it (see ops/watermark.h) */
	int64_t ttl;          /* forget a key not written for this long, ms; 0: never */
	int64_t now;          /* the clock, set by the chain before push, timer and watermark; at the end of input it is the last of these */
	bool bundled;         /* behind --minibatch: rows are held until flush */
	bool final;           /* under --final: `result` is called once at the end; push sends nothing if result is there */
	bool keeps;           /* the run has --state: a later one goes on, and under --final gives the result so far anew */
	bool at_once;         /* set by plan: under --final, too, rows are sent as they come, and `result` has nothing to send */
	bool before;          /* -U is wanted on its output; set after plan */
	uint64_t ignored;     /* retractions of what was never there, for the closing line on stderr */
	const struct table *keys; /* that it has state for, for --progress; set by open, good until close. NULL: it knows no keys */
};

/* Time as windows and --ttl have it. */
static inline int64_t op_time(const struct op *op) { return op->timed ? op->wm : op->now; }
/* Is a key that was last written then forgotten? Only with --ttl. What was written before the first watermark ages from that on. */
static inline bool op_expired(const struct op *op, int64_t written)
{
	if (op->timed && written == WM_NONE)
		written = op->began;
	return op->ttl && op_time(op) >= INT64_MIN + op->ttl && written <= op_time(op) - op->ttl;
}

/* All descriptors, in the order of ops.def; ends with NULL. */
extern const struct op_type *const op_types[];
#endif
