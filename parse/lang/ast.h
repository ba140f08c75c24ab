/* What the parser makes of a flag's argument: trees with spans, no types yet. Everything lives in the arena given to the parser. */
#ifndef WEIR_AST_H
#define WEIR_AST_H
#include "core/arena.h"
#include "core/err.h"
#include "core/path.h"
#include "core/value.h"

enum node_kind {
	N_LITERAL, /* value; type tells number, duration, text, bool, null */
	N_REGEX,   /* text: the pattern, flags: letters behind it */
	N_NAME,    /* text: a name; children: none; steps: what follows it (paths) */
	N_CALL,    /* text: the function; arg[] */
	N_STAR,    /* the * of count(*) */
	/* operators: arg[0], arg[1] */
	N_OR, N_AND, N_NOT, N_NEG,
	N_EQ, N_NE, N_LT, N_LE, N_GT, N_GE,
	N_MATCH, N_NOMATCH,      /* =~ !~ ; arg[1] is N_REGEX or a text literal */
	N_ISNULL, N_NOTNULL,
	N_IN, N_NOTIN,           /* arg[0] in (arg[1], ...) */
	N_BETWEEN, N_NOTBETWEEN, /* arg[0] between arg[1] and arg[2] */
	N_LIKE, N_NOTLIKE,
	N_CAT, N_ADD, N_SUB, N_MUL, N_DIV, N_MOD,
};

/* Trees are never deeper than this, so they may be walked by recursion. */
enum { NODE_DEPTH_MAX = 2000 };

struct node {
	enum node_kind kind;
	uint32_t depth;      /* levels, itself included */
	struct span span;    /* from its first word to its last; of N_NAME the steps, too */
	bool duration;       /* N_LITERAL: written with units; value is ms */
	bool distinct;       /* N_CALL: f(distinct x) */
	bool bare;           /* N_CALL: count without parentheses */
	struct value value;  /* N_LITERAL */
	const char *text;    /* N_NAME, N_CALL, N_REGEX; NUL-terminated, may hold any byte but NUL */
	uint32_t len;
	const char *flags;   /* N_REGEX */
	uint32_t narg, nstep;
	struct node **arg;
	struct step *step;
};

/* EXPR as NAME; the name is always set: given, or made of the words and numbers of the expression joined by _ (without distinct). */
struct named {
	struct node *expr;
	const char *name;
	uint32_t len;
	bool given;
	struct node *where;  /* reduce only; NULL: none */
	bool star;           /* select only: * = all columns */
	bool window;         /* keyby only: the word `window` bare (two columns) */
	struct span span;
};
struct named_list { struct named *item; uint32_t n; };

/* --topn */
struct order_by { struct node *expr; bool desc; enum { NULLS_DEFAULT, NULLS_FIRST, NULLS_LAST } nulls; };
struct topn_ast {
	enum { RANK_ROW, RANK_RANK, RANK_DENSE } rank;
	int64_t from, to;          /* ranks from..to; `all`: to = INT64_MAX */
	bool last;                 /* last N */
	struct node *variable;     /* (column): N from the row; else NULL */
	struct order_by *by;
	uint32_t nby;              /* 0: by arrival */
	const char *as;            /* NULL: the rank is not shown */
	uint32_t as_len;
};

/* --tumble, --hop, --cumulate, --session. A global window is what triggers and evictors act on without one of these. */
struct window_ast {
	enum window_kind { WINDOW_GLOBAL, WINDOW_TUMBLE, WINDOW_HOP, WINDOW_CUMULATE, WINDOW_SESSION } kind;
	bool rows;            /* size and step count rows, else ms */
	int64_t size, step;   /* both > 0. Tumble: step is size. Session: size is the gap, step 0 */
	int64_t offset;       /* ms, |offset| < step (cumulate: < size) */
};

/* --trigger: fires when one of the conditions is met. */
struct trigger_cond {
	enum trigger_kind { TRIGGER_END, TRIGGER_EACH, TRIGGER_COUNT, TRIGGER_EVERY, TRIGGER_CLOCK, TRIGGER_DELTA } kind;
	int64_t n;            /* rows of count, ms of every (CLOCK: every D clock); > 0 */
	struct value delta;   /* a number, of delta X of EXPR; >= 0 */
	struct node *expr;
	struct span span;
};
struct trigger_ast {
	struct trigger_cond *cond;
	uint32_t n;
	bool purge;
};

/* --evict */
struct evict_ast {
	enum { EVICT_NONE, EVICT_ROWS, EVICT_TIME, EVICT_DELTA } kind;
	int64_t n;            /* rows or ms that stay */
	struct value delta;   /* a number >= 0 */
	struct node *expr;
	bool after;           /* after the firing, else before it */
};

/* --time */
struct time_ast {
	struct node *expr;
	const char *format;   /* NULL: to be guessed */
	uint32_t format_len;
	bool pattern;         /* format came in quotes: a strptime pattern, else a word */
	struct span format_span;
};

/* --watermark; what is not given is -1. */
struct watermark_ast {
	bool input;           /* only @wm lines move it */
	int64_t delay, idle, ahead; /* ms */
};
#endif
