/* A bound expression from the inside, and what its evaluation is made of.
 *
 *     status >= 500 and lower(host) =~ /^a/        E_AND
 *                                                 /     \
 *                                     E_CALL(>=)           E_CALL(=~), conf: the compiled pattern
 *                                     /        \              |
 *                           E_NUMBER            E_CONST     E_CALL(lower)
 *                              |                   500        |
 *                          E_COLUMN 3                      E_COLUMN 0
 *
 * Nodes never change once made, so a subtree may hang in several places. A node whose arguments are all constant is itself made E_CONST.
 *
 * Two ways to run over a batch. As values: an array of struct value. As truth: a byte per row, FALSE < UNKNOWN < TRUE, so that AND is the
 * least, OR the greatest, NOT the distance from TRUE (Kleene's logic). Logic and tests make truth, all else makes values; eval.c crosses over. */
#ifndef WEIR_EXPR_TREE_H
#define WEIR_EXPR_TREE_H
#include "core/batch.h"
#include "ops/expr/expr.h"

struct func;

enum expr_kind {
	E_CONST,  /* value */
	E_COLUMN, /* col */
	E_FIELD,  /* field of the V_ROW in col; NULL where the row is shorter */
	E_NUMBER, /* arg[0], raw, read as a number; what is none is NULL (a source column is checked where it is decoded) */
	E_BOOL,   /* arg[0], raw, read as true or false; likewise */
	E_TIME,   /* arg[0], raw or text, read as a time; likewise, but nothing checks a text */
	E_AND, E_OR, E_NOT,
	E_CALL,   /* func of arg[] */
};

struct expr {
	enum expr_kind kind;
	enum type type;
	struct span span;
	struct value value;
	uint32_t col, field;
	struct schema *origin; /* E_FIELD: where it comes from, see schema_place; NULL: unknown */
	uint32_t source;
	const struct func *func;
	const void *conf; /* what func needs besides its arguments, prepared at bind time */
	const struct zone *zone; /* of local times; NULL: UTC */
	uint32_t narg;
	struct expr **arg;
};

/* ---- running ---- */

enum truth { FALSE = 0, UNKNOWN = 1, TRUE = 2 };

static inline uint8_t truth_of(bool b) { return b ? TRUE : FALSE; }

struct run {
	const struct batch *batch;
	const uint8_t *live; /* by row: 0: the result will not be looked at, so costly work may be left out; NULL: all are */
};

/* Values by row: an array, or one constant for all rows. */
struct vec {
	const struct value *v;
	uint32_t mask; /* all ones: v[row]; 0: always v[0] */
};

enum { VEC_ROWS = -1, VEC_ONE = 0 };

static inline const struct value *vec_at(const struct vec *vec, uint32_t row) { return &vec->v[row & vec->mask]; }

/* ---- building ---- */

struct binder {
	struct schema *schema;
	struct arena *mem;
	struct err *err;
	const struct zone *zone; /* that of the schema, goes into every node */
};

/* Each gives NULL with err set if it fails. */

/* The tree for a piece of an argument. */
struct expr *bind_node(const struct binder *b, const struct node *node);

/* The tree for an N_CALL of a function. */
struct expr *bind_function(const struct binder *b, const struct node *node);

/* A copy of *node in b->mem; a constant instead, if all its arguments are and it does not go by the clock. */
struct expr *bind_make(const struct binder *b, const struct expr *node);

/* A call of func: fits the arguments to func->types (arg[] is overwritten), sets the type, then bind_make. Of *call, func, span, conf, narg, arg are read. */
struct expr *bind_call(const struct binder *b, const struct expr *call);

/* left OP right, kind N_EQ to N_GE: how the two compare follows from their types. */
struct expr *bind_compare(const struct binder *b, enum node_kind kind, struct span span, struct expr *left, struct expr *right);

/* arg[0] in (arg[1], ...). */
struct expr *bind_in(const struct binder *b, struct span span, struct expr **arg, uint32_t narg);

/* x like y; x =~ pattern. */
struct expr *bind_like(const struct binder *b, const struct node *node);
struct expr *bind_match(const struct binder *b, const struct node *node);

/* A constant as a tree. */
struct expr *bind_constant(const struct binder *b, struct span span, enum type type, struct value value);

/* A logic node (E_AND, E_OR, E_NOT with right NULL) over operands that are read as booleans. */
struct expr *bind_logic(const struct binder *b, enum expr_kind kind, struct span span, struct expr *left, struct expr *right);

/* Addition and its kin (node->kind) where an operand is a time. arg[] is overwritten. */
struct expr *bind_time_arithmetic(const struct binder *b, const struct node *node, struct expr **arg);

/* If one of n values that meet is a time, those that may be read as one are, in place: raw and quoted texts. -1 with err set. */
int bind_times(const struct binder *b, struct expr **arg, uint32_t n);

/* The word rowtime; an error where rows have no event time. */
struct expr *bind_rowtime(const struct binder *b, struct span span);

/* A time as text, in ISO with the zone. */
struct expr *bind_iso(const struct binder *b, struct expr *time);

/* The one type of n branches, which are converted to it in place: NULL is of any type, raw takes the type of the others. -1 with err set. */
int bind_unify(const struct binder *b, struct expr **arg, uint32_t n, enum type *type);

/* ---- messages ---- */

/* Is it the name of something that works in --reduce only? */
bool bind_is_aggregate(const char *name);

/* Complains that no column has the name of an N_NAME, steps included. */
void bind_unknown(const struct binder *b, const struct node *node, const char *name, size_t len);

/* Adds to that, for operand i of `parent`: a word beside = or in a list may have been meant as a text. */
void bind_unknown_operand(const struct binder *b, const struct node *parent, uint32_t i);

/* Complains (-1) about a date without quotes among the operands of a comparison with what is no number. */
int bind_no_dates(const struct binder *b, const struct node *node, struct expr *const *arg);
#endif
