/* Running a tree over a batch: column by column, children first. */
#include <string.h>

#include "core/number.h"
#include "core/time.h"
#include "ops/expr/func.h"

/* Evaluates; a column is borrowed, not copied. -1 if memory is refused. */
static int eval_values(const struct expr *expr, const struct run *run, struct vec *out);

/* Evaluates a boolean expression into batch->n bytes (enum truth); rows that are not live get anything. -1 if memory is refused. */
static int eval_truth(const struct expr *expr, const struct run *run, uint8_t *out);

static const struct value null_value; /* all zero: V_NULL */

static struct value *array(const struct run *run)
{
	return arena_alloc(run->batch->mem, run->batch->n * sizeof(struct value));
}

static int rows(struct value *v, struct vec *out)
{
	*out = (struct vec){ v, (uint32_t)VEC_ROWS };
	return v ? 0 : -1;
}

static int one(const struct value *v, struct vec *out)
{
	*out = (struct vec){ v, VEC_ONE };
	return 0;
}

/* A column nobody fills (v NULL) has no values. */
static int column(const struct expr *expr, const struct run *run, struct vec *out)
{
	struct value *v = run->batch->col[expr->col].v;
	return v ? rows(v, out) : one(&null_value, out);
}

static int field(const struct expr *expr, const struct run *run, struct vec *out)
{
	const struct value *row = run->batch->col[expr->col].v;
	struct value *v = array(run);
	if (!row || !v)
		return v ? one(&null_value, out) : -1;
	for (uint32_t r = 0; r < run->batch->n; r++)
		v[r] = row[r].type == V_ROW && expr->field < row[r].len ? row[r].u.row[expr->field] : value_null();
	return rows(v, out);
}

/* The source has read the column as numbers if it was told to; else that is done here. */
static int as_number(const struct expr *expr, const struct run *run, struct vec *out)
{
	const struct expr *raw = expr->arg[0];
	if (raw->kind == E_COLUMN && run->batch->col[raw->col].num)
		return rows(run->batch->col[raw->col].num, out);
	struct vec from;
	struct value *v = array(run);
	if (!v || eval_values(raw, run, &from))
		return -1;
	for (uint32_t r = 0; r < run->batch->n; r++)
		if (!number_of(vec_at(&from, r), &v[r]))
			v[r] = value_null();
	return rows(v, out);
}

static struct value time_of(const struct value *v, const struct zone *zone)
{
	int64_t t;
	bool text = v->type == V_RAW || v->type == V_TEXT;
	return v->type == V_TIME ? *v : text && time_read(v->u.p, v->len, zone, &t) ? value_time(t) : value_null();
}

static int as_time(const struct expr *expr, const struct run *run, struct vec *out)
{
	struct vec from;
	struct value *v = array(run);
	if (!v || eval_values(expr->arg[0], run, &from))
		return -1;
	for (uint32_t r = 0; r < run->batch->n; r++)
		v[r] = time_of(vec_at(&from, r), expr->zone);
	return rows(v, out);
}

static int as_bool(const struct expr *expr, const struct run *run, uint8_t *out)
{
	struct vec from;
	if (eval_values(expr->arg[0], run, &from))
		return -1;
	for (uint32_t r = 0; r < run->batch->n; r++) {
		const struct value *v = vec_at(&from, r);
		bool text = v->type == V_RAW || v->type == V_TEXT;
		if (v->type == V_BOOL)
			out[r] = truth_of(v->u.i);
		else if (text && v->len == 4 && !memcmp(v->u.p, "true", 4))
			out[r] = TRUE;
		else
			out[r] = text && v->len == 5 && !memcmp(v->u.p, "false", 5) ? FALSE : UNKNOWN;
	}
	return 0;
}

/* Evaluates the arguments of a call. */
static int arguments(const struct expr *expr, const struct run *run, struct call *call)
{
	struct vec *arg = arena_alloc(run->batch->mem, expr->narg * sizeof *arg);
	if (!arg)
		return -1;
	for (uint32_t i = 0; i < expr->narg; i++)
		if (eval_values(expr->arg[i], run, &arg[i]))
			return -1;
	*call = (struct call){ .expr = expr, .live = run->live, .n = run->batch->n, .arg = arg, .batch = run->batch, .mem = run->batch->mem };
	return 0;
}

static int call_values(const struct expr *expr, const struct run *run, struct vec *out)
{
	struct call call;
	struct value *v = array(run);
	if (!v || arguments(expr, run, &call) || expr->func->values(&call, v))
		return -1;
	return rows(v, out);
}

static bool makes_truth(const struct expr *expr)
{
	return expr->kind == E_BOOL || expr->kind == E_AND || expr->kind == E_OR || expr->kind == E_NOT || (expr->kind == E_CALL && expr->func->truth);
}

static int truth_as_values(const struct expr *expr, const struct run *run, struct vec *out)
{
	uint32_t n = run->batch->n;
	struct value *v = array(run);
	uint8_t *truth = arena_alloc(run->batch->mem, n);
	if (!v || !truth || eval_truth(expr, run, truth))
		return -1;
	for (uint32_t r = 0; r < n; r++)
		v[r] = truth[r] == UNKNOWN ? value_null() : value_bool(truth[r] == TRUE);
	return rows(v, out);
}

static int eval_values(const struct expr *expr, const struct run *run, struct vec *out)
{
	if (makes_truth(expr))
		return truth_as_values(expr, run, out);
	switch (expr->kind) {
	case E_CONST:
		return one(&expr->value, out);
	case E_COLUMN:
		return column(expr, run, out);
	case E_FIELD:
		return field(expr, run, out);
	case E_NUMBER:
		return as_number(expr, run, out);
	case E_TIME:
		return as_time(expr, run, out);
	default:
		return call_values(expr, run, out);
	}
}

static int values_as_truth(const struct expr *expr, const struct run *run, uint8_t *out)
{
	struct vec v;
	if (eval_values(expr, run, &v))
		return -1;
	for (uint32_t r = 0; r < run->batch->n; r++) {
		const struct value *value = vec_at(&v, r);
		out[r] = value->type == V_BOOL ? truth_of(value->u.i) : UNKNOWN;
	}
	return 0;
}

/* AND and OR. The right side counts only where the left one has not decided (FALSE for AND, TRUE for OR): those rows are live there, and if
 * there are none it is not run. */
static int logic(const struct expr *expr, const struct run *run, uint8_t *out)
{
	bool is_and = expr->kind == E_AND;
	uint8_t decided = is_and ? FALSE : TRUE;
	uint32_t n = run->batch->n, open = 0;
	uint8_t *right = arena_alloc(run->batch->mem, n), *live = arena_alloc(run->batch->mem, n);
	if (!right || !live || eval_truth(expr->arg[0], run, out))
		return -1;
	for (uint32_t r = 0; r < n; r++) {
		live[r] = out[r] != decided;
		open += live[r];
	}
	if (run->live)
		for (uint32_t r = 0; r < n; r++)
			live[r] &= run->live[r];
	if (!open)
		return 0;
	if (eval_truth(expr->arg[1], &(struct run){ run->batch, live }, right))
		return -1;
	for (uint32_t r = 0; r < n; r++) {
		uint8_t less = out[r] < right[r] ? out[r] : right[r], more = out[r] < right[r] ? right[r] : out[r];
		out[r] = is_and ? less : more;
	}
	return 0;
}

static int call_truth(const struct expr *expr, const struct run *run, uint8_t *out)
{
	struct call call;
	return arguments(expr, run, &call) || expr->func->truth(&call, out) ? -1 : 0;
}

static int eval_truth(const struct expr *expr, const struct run *run, uint8_t *out)
{
	if (!makes_truth(expr))
		return values_as_truth(expr, run, out);
	switch (expr->kind) {
	case E_BOOL:
		return as_bool(expr, run, out);
	case E_NOT:
		if (eval_truth(expr->arg[0], run, out))
			return -1;
		for (uint32_t r = 0; r < run->batch->n; r++)
			out[r] = (uint8_t)(TRUE - out[r]);
		return 0;
	case E_CALL:
		return call_truth(expr, run, out);
	default:
		return logic(expr, run, out);
	}
}

int expr_eval(const struct expr *expr, const struct batch *batch, struct value **out)
{
	struct run run = { .batch = batch };
	struct vec vec;
	if (eval_values(expr, &run, &vec))
		return -1;
	if (vec.mask) {
		*out = (struct value *)vec.v; /* an array of this batch, or the column itself, which the caller may not write */
		return 0;
	}
	*out = array(&run);
	if (!*out)
		return -1;
	for (uint32_t r = 0; r < batch->n; r++)
		(*out)[r] = vec.v[0];
	return 0;
}

int expr_true(const struct expr *expr, const struct batch *batch, uint8_t *pass, uint32_t *n)
{
	if (eval_truth(expr, &(struct run){ .batch = batch }, pass))
		return -1;
	uint32_t count = 0;
	for (uint32_t r = 0; r < batch->n; r++) {
		pass[r] = pass[r] == TRUE;
		count += pass[r];
	}
	*n = count;
	return 0;
}
