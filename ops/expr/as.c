/* An expression used as a number, a boolean, a time or a text; and what is asked about a bound expression. */
#include "core/time.h"
#include "ops/expr/func.h"

#include <string.h>

/* Does one of the arguments pass through as the result? Then `x` stands in its types; the condition of `if` is none of them. */
static bool passes(const struct expr *expr, uint32_t arg)
{
	const char *types = expr->kind == E_CALL ? expr->func->types : "";
	const char *result = strchr(types, '>');
	if (!result || result[1] != 'x')
		return false;
	return types + arg < result ? types[arg] == 'x' : true;
}

static struct expr *remade(const struct binder *b, const struct expr *node, struct expr **arg, enum type type)
{
	struct expr made = *node;
	made.arg = arg;
	made.type = type;
	return bind_make(b, &made);
}

/* The node that converts what *expr gives. */
static struct expr *above(const struct binder *b, struct expr *expr, enum type type)
{
	enum expr_kind kind = type == T_BOOL ? E_BOOL : type == T_TIME ? E_TIME : E_NUMBER;
	struct expr **arg = arena_alloc(b->mem, sizeof *arg);
	if (!arg) {
		err_memory(b->err);
		return NULL;
	}
	arg[0] = expr;
	return remade(b, &(struct expr){ .kind = kind, .span = expr->span, .narg = 1 }, arg, type);
}

/* expr_as of a raw expression: one that hands an argument on converts what it hands on, any other gets a node above it. */
static struct expr *push_down(const struct binder *b, struct expr *expr, enum type type)
{
	if (type == T_TEXT)
		return expr_text(expr, b->mem, b->err);
	if (!expr->narg || !passes(expr, expr->narg - 1))
		return above(b, expr, type);
	struct expr **arg = arena_alloc(b->mem, expr->narg * sizeof *arg);
	if (!arg) {
		err_memory(b->err);
		return NULL;
	}
	for (uint32_t i = 0; i < expr->narg; i++) {
		arg[i] = passes(expr, i) ? expr_as(expr->arg[i], type, b->mem, b->err) : expr->arg[i];
		if (!arg[i])
			return NULL;
	}
	return remade(b, expr, arg, type);
}

/* NULL is of every type. */
static struct expr *null_as(const struct binder *b, const struct expr *expr, enum type type)
{
	return remade(b, expr, expr->arg, type);
}

/* A constant is read now, and wrong now. Any other text is one that an expression made, not a field: what is no time is NULL, no bad record. */
static struct expr *time_of_text(const struct binder *b, struct expr *expr)
{
	char shown[LEX_SHOWN];
	int64_t t;
	if (expr->kind != E_CONST)
		return above(b, expr, T_TIME);
	if (expr->value.type == V_NULL)
		return null_as(b, expr, T_TIME);
	if (time_read(expr->value.u.p, expr->value.len, b->zone, &t))
		return bind_constant(b, expr->span, T_TIME, value_time(t));
	err_at(b->err, expr->span, "%s is no time: write '2026-11-29', '2026-11-29 10:00:00' or '2026-11-29T10:00:00+01:00'", lex_show_span(shown, expr->span));
	return NULL;
}

static struct expr *refuse(const struct binder *b, const struct expr *expr, enum type type)
{
	const char *is = type_name(expr->type);
	char shown[LEX_SHOWN];
	lex_show_span(shown, expr->span);
	if ((type == T_NUMBER || type == T_DURATION) && expr->type == T_TEXT)
		err_at(b->err, expr->span, "a number is needed here, this is text: number(%s) reads one from it", shown);
	else if ((type == T_NUMBER || type == T_DURATION) && expr->type == T_TIME)
		err_at(b->err, expr->span, "a number is needed here, this is time: epoch(%s) gives its seconds, epoch_ms(%s) its milliseconds", shown, shown);
	else if (type == T_NUMBER || type == T_DURATION)
		err_at(b->err, expr->span, "a number is needed here, this is %s", is);
	else if (type == T_TIME && expr->type == T_NUMBER)
		err_at(b->err, expr->span, "a time is needed here, this is number: strptime(text(%s), '%%s') reads seconds since 1970", shown);
	else if (type == T_TIME)
		err_at(b->err, expr->span, "a time is needed here, this is %s", is);
	else if (type == T_TEXT && expr->type != T_ROW)
		err_at(b->err, expr->span, "text is needed here, this is %s: text(%s) makes a text of it", is, shown);
	else if (type == T_TEXT)
		err_at(b->err, expr->span, "text is needed here, this is %s", is);
	else if (type == T_BOOL)
		err_at(b->err, expr->span, "a condition is needed here, this is %s: compare it with something", is);
	else
		err_at(b->err, expr->span, "%s is needed here, this is %s", type_name(type), is);
	return NULL;
}

struct expr *expr_as(struct expr *expr, enum type type, struct arena *mem, struct err *err)
{
	const struct binder b = { .mem = mem, .err = err, .zone = expr->zone };
	enum type from = expr->type;
	bool counts = type == T_NUMBER || type == T_DURATION;
	if (from == type || type == T_RAW || (counts && (from == T_NUMBER || from == T_DURATION)))
		return expr;
	if (from == T_NULL)
		return null_as(&b, expr, type);
	if (from == T_RAW && (counts || type == T_BOOL || type == T_TIME || type == T_TEXT))
		return push_down(&b, expr, type);
	if (from == T_TEXT && type == T_TIME)
		return time_of_text(&b, expr);
	return refuse(&b, expr, type);
}

struct expr *expr_text(struct expr *expr, struct arena *mem, struct err *err)
{
	const struct binder b = { .mem = mem, .err = err, .zone = expr->zone };
	struct expr **arg = arena_alloc(mem, sizeof *arg);
	if (!arg) {
		err_memory(err);
		return NULL;
	}
	arg[0] = expr;
	return bind_call(&b, &(struct expr){ .func = function_find("text", 4), .span = expr->span, .narg = 1, .arg = arg });
}

int bind_times(const struct binder *b, struct expr **arg, uint32_t n)
{
	bool time = false;
	for (uint32_t i = 0; i < n; i++)
		time = time || arg[i]->type == T_TIME;
	for (uint32_t i = 0; time && i < n; i++) {
		bool quoted = arg[i]->type == T_TEXT && arg[i]->kind == E_CONST;
		if (arg[i]->type == T_RAW || quoted)
			arg[i] = expr_as(arg[i], T_TIME, b->mem, b->err);
		if (!arg[i])
			return -1;
	}
	return 0;
}

struct expr *bind_logic(const struct binder *b, enum expr_kind kind, struct span span, struct expr *left, struct expr *right)
{
	struct expr **arg = arena_alloc(b->mem, 2 * sizeof *arg);
	if (!arg) {
		err_memory(b->err);
		return NULL;
	}
	arg[0] = expr_as(left, T_BOOL, b->mem, b->err);
	arg[1] = arg[0] && right ? expr_as(right, T_BOOL, b->mem, b->err) : NULL;
	if (!arg[0] || (right && !arg[1]))
		return NULL;
	return bind_make(b, &(struct expr){ .kind = kind, .type = T_BOOL, .span = span, .narg = right ? 2 : 1, .arg = arg });
}

/* The type of two branches together; -1 if they have none. */
static int together(enum type a, enum type b)
{
	if (a == b || b == T_NULL || (b == T_RAW && a != T_NULL))
		return (int)a;
	if (a == T_NULL || a == T_RAW)
		return (int)b;
	bool numbers = (a == T_NUMBER || a == T_DURATION) && (b == T_NUMBER || b == T_DURATION);
	return numbers ? T_NUMBER : -1;
}

/* A value whose type is not that of those before it. */
static int disunited(const struct binder *b, const struct expr *expr, enum type before)
{
	const char *is = type_name(expr->type), *was = type_name(before);
	char shown[LEX_SHOWN];
	const char *convert = before == T_TEXT ? "text" : before == T_NUMBER && expr->type == T_TEXT && expr->kind != E_CONST ? "number" : NULL;
	if (!convert)
		return err_at(b->err, expr->span, "the values are of one type, but this is %s and the one before it is %s%s", is, was,
			      expr->type == T_TEXT ? "; text(...) makes a text of that" : "");
	return err_at(b->err, expr->span, "the values are of one type, but this is %s and the one before it is %s; %s(%s) converts it%s", is, was, convert,
		      lex_show_span(shown, expr->span), before == T_TEXT && expr->type == T_NUMBER ? ", number(...) what stands before it" : "");
}

int bind_unify(const struct binder *b, struct expr **arg, uint32_t n, enum type *type)
{
	enum type so_far = T_NULL;
	if (bind_times(b, arg, n))
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		int both = together(so_far, arg[i]->type);
		if (both < 0)
			return disunited(b, arg[i], so_far);
		so_far = (enum type)both;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (arg[i]->type == T_NULL)
			continue;
		arg[i] = expr_as(arg[i], so_far, b->mem, b->err);
		if (!arg[i])
			return -1;
	}
	*type = so_far;
	return 0;
}

enum type expr_type(const struct expr *expr)
{
	return expr->type;
}

int expr_column(const struct expr *expr)
{
	return expr->kind == E_COLUMN ? (int)expr->col : -1;
}

struct span expr_span(const struct expr *expr)
{
	return expr->span;
}

void expr_need(const struct expr *expr, uint8_t use, uint8_t *in)
{
	bool converts = expr->kind == E_NUMBER || expr->kind == E_BOOL || expr->kind == E_TIME;
	const struct expr *from = converts ? expr->arg[0] : expr;
	if (converts)
		use = expr->kind == E_NUMBER ? NEED_NUMBER : expr->kind == E_BOOL ? NEED_BOOL : from->type == T_RAW ? NEED_TIME : NEED_VALUE;
	if (from->kind == E_FIELD && from->origin)
		from->origin->col[from->source].use |= NEED_FIELDS | (use & (NEED_NUMBER | NEED_BOOL | NEED_TIME));
	if (from->kind == E_COLUMN)
		in[from->col] |= use;
	else if (from->kind == E_FIELD)
		in[from->col] |= from->origin ? NEED_FIELDS : NEED_VALUE;
	else
		for (uint32_t i = 0; i < expr->narg; i++)
			expr_need(expr->arg[i], passes(expr, i) ? use | NEED_VALUE : NEED_VALUE, in);
}

bool expr_constant(const struct expr *expr, struct value *out)
{
	if (expr->kind == E_CONST)
		*out = expr->value;
	return expr->kind == E_CONST;
}
