/* Expressions as text, bound to a schema of four columns and run over a batch of a few rows: for the tests of ops/expr.
 *
 *     a raw    b raw    n number    t text    r a whole row; rows have event time, where a test sets batch.time */
#ifndef EXPRS_H
#define EXPRS_H
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "ops/expr/expr.h"
#include "parse/lang/parse.h"
#include "tests/unit/run_tests.h"

enum { COL_A, COL_B, COL_N, COL_T, COL_ROW, NCOL };

struct exprs {
	struct mem mem;
	struct arena plan, scratch;
	struct schema schema;
	struct err err;
	struct column col[NCOL];
	struct batch batch;
};

static inline void exprs_open(struct exprs *x)
{
	static const char *const name[NCOL] = { "a", "b", "n", "t", "*" };
	static const enum type type[NCOL] = { T_RAW, T_RAW, T_NUMBER, T_TEXT, T_ROW };
	*x = (struct exprs){ 0 };
	arena_init(&x->plan, &x->mem);
	arena_init(&x->scratch, &x->mem);
	schema_init(&x->schema, SCHEMA_CLOSED, &x->plan);
	for (int i = 0; i < NCOL; i++)
		ck_assert_int_eq(schema_add(&x->schema, name[i], strlen(name[i]), type[i]), i);
	x->schema.timed = true;
	x->batch = (struct batch){ .ncol = NCOL, .col = x->col, .mem = &x->scratch };
}

/* Nothing may be left behind. */
static inline void exprs_close(struct exprs *x)
{
	arena_release(&x->scratch);
	arena_release(&x->plan);
	ck_assert_uint_eq(x->mem.used, 0);
}

/* NULL with x->err set if it does not parse or bind. */
static inline struct expr *exprs_bind(struct exprs *x, const char *text)
{
	struct node *node;
	return parse_expr("-w", text, &x->plan, &node, &x->err) ? NULL : expr_bind(node, &x->schema, &x->plan, &x->err);
}

/* The same, which must work. */
static inline struct expr *exprs_bound(struct exprs *x, const char *text)
{
	struct expr *expr = exprs_bind(x, text);
	ck_assert_msg(expr != NULL, "%s: %s", text, x->err.text);
	return expr;
}

static inline struct value raw(const char *text)
{
	return text ? value_raw(text, (uint32_t)strlen(text)) : value_null();
}

/* A value as a test writes it: NULL for nothing, else as it prints. */
static inline const char *shown(const struct value *v, char *out)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p;
	uint32_t n = value_print(v, scratch, &p);
	if (v->type == V_NULL)
		return "NULL";
	memcpy(out, p, n);
	out[n] = '\0';
	return out;
}

/* What a constant expression is, as it prints. */
static inline const char *exprs_constant(const char *text, char *out)
{
	struct exprs x;
	struct value v;
	exprs_open(&x);
	struct expr *expr = exprs_bound(&x, text);
	ck_assert_msg(expr_constant(expr, &v), "%s is not constant", text);
	const char *result = shown(&v, out);
	exprs_close(&x);
	return result;
}
#endif
