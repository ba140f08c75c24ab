/* Functions and the operators that work like one. A function is one row in functions.def and its body in a func_*.c.
 *
 * Types, one letter an argument (the last one repeats), then > and the result:
 *     n  number; raw is read as one (its source column is then checked)
 *     t  text or raw, by its bytes           p  anything, as it prints
 *     b  boolean; raw is read as one         v  text, raw or number
 *     m  moment: a time; raw and text are read as one
 *     r  (a result) raw
 *     x  one type for all x, raw takes that of the others; as a result: that type
 *     a  anything */
#ifndef WEIR_EXPR_FUNC_H
#define WEIR_EXPR_FUNC_H
#include "ops/expr/tree.h"
#include "parse/lang/lex.h"

/* One call for all rows of a batch. */
struct call {
	const struct expr *expr;
	const uint8_t *live; /* see struct run */
	uint32_t n;          /* rows */
	const struct vec *arg;
	const struct batch *batch;
	struct arena *mem;   /* of the batch */
};

enum { ARGS_ANY = 255 };

struct func {
	const char *name, *usage, *help;
	uint8_t min, max; /* arguments; max ARGS_ANY: any number */
	const char *types;
	/* Exactly one of the first two runs, bind apart: every row's value, or its truth. -1 if memory is refused. */
	int (*values)(const struct call *call, struct value *out);
	int (*truth)(const struct call *call, uint8_t *out);
	/* Builds the tree itself, as for a pattern that must be constant. NULL: bind_call with the types above. */
	struct expr *(*bind)(const struct binder *b, const struct node *call);
	bool by_clock; /* what it gives for constants may change from batch to batch */
};

/* All functions, in the order of functions.def; the last name is NULL. */
extern const struct func functions[];

/* By name; NULL if there is none. */
const struct func *function_find(const char *name, size_t len);

/* What the rows of functions.def refer to; contracts are those of struct func. */
#define VALUES(name, min, max, types, usage, help) int fn_##name(const struct call *call, struct value *out);
#define TRUTHS(name, min, max, types, usage, help) int fn_##name(const struct call *call, uint8_t *out);
#define BINDS(name, min, max, usage, help) struct expr *fn_##name(const struct binder *b, const struct node *call);
#include "ops/expr/functions.def"
#undef VALUES
#undef TRUTHS
#undef BINDS

/* Operators: + - * / % and the sign; ||; is null. */
extern const struct func op_add, op_sub, op_mul, op_div, op_mod, op_neg, op_cat, op_isnull;

/* Row r of argument i. */
static inline const struct value *arg_at(const struct call *call, uint32_t i, uint32_t r) { return vec_at(&call->arg[i], r); }

/* Is the result of row r of no interest? */
static inline bool call_skips(const struct call *call, uint32_t r) { return call->live && !call->live[r]; }
#endif
