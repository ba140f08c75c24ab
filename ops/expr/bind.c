/* From what was parsed to a tree: names become columns, operators and functions get operands of the types they work on. */
#include "core/buf.h"
#include "ops/expr/func.h"

#include <string.h>

static struct expr *fail(const struct binder *b)
{
	err_memory(b->err);
	return NULL;
}

static struct expr *copy(const struct binder *b, const struct expr *node)
{
	struct expr *made = arena_alloc(b->mem, sizeof *made);
	if (!made)
		return fail(b);
	*made = *node;
	made->zone = b->zone;
	return made;
}

/* Runs a node without columns once, over a batch of one row whose memory is the plan's. */
static struct expr *fold(const struct binder *b, const struct expr *node)
{
	struct batch batch = { .n = 1, .mem = b->mem };
	struct expr zoned = *node;
	struct value *value;
	zoned.zone = b->zone;
	if (expr_eval(&zoned, &batch, &value))
		return fail(b);
	return bind_constant(b, node->span, node->type, *value);
}

struct expr *bind_constant(const struct binder *b, struct span span, enum type type, struct value value)
{
	return copy(b, &(struct expr){ .kind = E_CONST, .type = type, .span = span, .value = value });
}

struct expr *bind_make(const struct binder *b, const struct expr *node)
{
	bool constant = node->narg > 0 && !(node->kind == E_CALL && node->func->by_clock);
	for (uint32_t i = 0; i < node->narg; i++)
		constant = constant && node->arg[i]->kind == E_CONST;
	return constant ? fold(b, node) : copy(b, node);
}

/* Texts that hold nothing to escape are marked, so that what is made of them is, too. */
static struct value marked(struct value v)
{
	if (v.type != V_TEXT)
		return v;
	for (uint32_t i = 0; i < v.len; i++)
		if (v.u.p[i] == '\t' || v.u.p[i] == '\n' || v.u.p[i] == '\r' || v.u.p[i] == '\\')
			return v;
	v.flags |= VF_CLEAN;
	return v;
}

static struct expr *literal(const struct binder *b, const struct node *node)
{
	static const enum type type[] = { [V_NULL] = T_NULL, [V_BOOL] = T_BOOL, [V_DEC] = T_NUMBER, [V_DBL] = T_NUMBER, [V_TEXT] = T_TEXT };
	return bind_constant(b, node->span, node->duration ? T_DURATION : type[node->value.type], marked(node->value));
}

/* The name as one text, steps included: a.b[0]. */
static char *whole_name(const struct binder *b, const struct node *node, size_t *len)
{
	struct buf buf;
	buf_init(&buf, b->mem->mem);
	buf_put(&buf, node->text, node->len);
	for (uint32_t i = 0; i < node->nstep; i++) {
		if (node->step[i].name)
			buf_printf(&buf, ".%.*s", (int)node->step[i].len, node->step[i].name);
		else
			buf_printf(&buf, "[%lld]", (long long)node->step[i].index);
	}
	*len = buf.n;
	char *name = buf.failed ? NULL : arena_copy(b->mem, buf.p, buf.n);
	buf_release(&buf);
	return name;
}

/* The word as written, not {rowtime}. */
static bool is_rowtime(const struct node *node)
{
	return !node->nstep && !strcmp(node->text, "rowtime") && !(node->span.text && node->span.text[node->span.at] == '{');
}

/* Every path exists where members are free. */
static bool find_path(const struct binder *b, const struct node *node, struct schema_place *place)
{
	struct step *step = arena_alloc(b->mem, (node->nstep + 1) * sizeof *step);
	if (!step)
		return false;
	step[0] = (struct step){ .name = node->text, .len = node->len };
	for (uint32_t i = 0; i < node->nstep; i++)
		step[i + 1] = node->step[i];
	return schema_path(b->schema, step, node->nstep + 1, place);
}

static struct expr *name(const struct binder *b, const struct node *node)
{
	size_t len;
	struct schema_place place;
	const char *text = whole_name(b, node, &len);
	if (!text)
		return fail(b);
	if (b->schema->kind == SCHEMA_PATHS) {
		if (is_rowtime(node))
			return bind_rowtime(b, node->span);
		if (!find_path(b, node, &place))
			return fail(b);
	} else if (!schema_find(b->schema, text, len, &place)) {
		if (is_rowtime(node))
			return bind_rowtime(b, node->span);
		bind_unknown(b, node, text, len);
		return NULL;
	}
	enum type type = b->schema->col[place.col].type;
	struct expr found = { .kind = E_COLUMN, .type = type == T_RECORD ? T_RAW : type, .span = node->span, .col = place.col };
	if (place.field >= 0) {
		found.kind = E_FIELD;
		found.type = T_RAW;
		found.field = (uint32_t)place.field;
		found.origin = place.source >= 0 ? b->schema->origin : NULL;
		found.source = place.source >= 0 ? (uint32_t)place.source : 0;
	} else if (found.type == T_ROW) {
		err_at(b->err, node->span, "a whole row cannot be part of an expression; its fields are c1, c2, ...");
		return NULL;
	}
	return copy(b, &found);
}

/* Operands, bound; NULL if one fails. */
static struct expr **operands(const struct binder *b, const struct node *node)
{
	struct expr **arg = arena_alloc(b->mem, node->narg * sizeof *arg);
	if (!arg)
		fail(b);
	for (uint32_t i = 0; arg && i < node->narg; i++) {
		arg[i] = bind_node(b, node->arg[i]);
		if (!arg[i]) {
			bind_unknown_operand(b, node, i);
			return NULL;
		}
	}
	return arg;
}

/* What comes of durations: a duration, unless they cancel out or there are none. */
static enum type result_of(enum node_kind kind, const struct expr *const *arg)
{
	bool left = arg[0]->type == T_DURATION, right = arg[1]->type == T_DURATION;
	bool duration = kind == N_MUL ? left != right : kind == N_DIV ? left && !right : left || right;
	return duration ? T_DURATION : T_NUMBER;
}

static struct expr *arithmetic(const struct binder *b, const struct node *node, struct expr **arg)
{
	static const struct func *const op[] = { [N_NEG] = &op_neg, [N_CAT] = &op_cat, [N_ADD] = &op_add,
						 [N_SUB] = &op_sub, [N_MUL] = &op_mul, [N_DIV] = &op_div, [N_MOD] = &op_mod };
	if (node->kind != N_CAT && (arg[0]->type == T_TIME || (node->narg > 1 && arg[1]->type == T_TIME)))
		return bind_time_arithmetic(b, node, arg);
	enum type type = node->kind == N_CAT ? T_TEXT : node->kind == N_NEG ? arg[0]->type : result_of(node->kind, (const struct expr *const *)arg);
	struct expr *made = bind_call(b, &(struct expr){ .func = op[node->kind], .span = node->span, .narg = node->narg, .arg = arg });
	if (made && type == T_DURATION)
		made->type = T_DURATION;
	return made;
}

static struct expr *negated(const struct binder *b, struct span span, bool negate, struct expr *expr)
{
	return expr && negate ? bind_logic(b, E_NOT, span, expr, NULL) : expr;
}

static struct expr *between(const struct binder *b, const struct node *node, struct expr **arg)
{
	if (bind_times(b, arg, node->narg))
		return NULL;
	struct expr *low = bind_compare(b, N_GE, node->span, arg[0], arg[1]);
	struct expr *high = low ? bind_compare(b, N_LE, node->span, arg[0], arg[2]) : NULL;
	struct expr *both = high ? bind_logic(b, E_AND, node->span, low, high) : NULL;
	return negated(b, node->span, node->kind == N_NOTBETWEEN, both);
}

static struct expr *is_null(const struct binder *b, const struct node *node, struct expr **arg)
{
	struct expr *made = bind_call(b, &(struct expr){ .func = &op_isnull, .span = node->span, .narg = 1, .arg = arg });
	return negated(b, node->span, node->kind == N_NOTNULL, made);
}

static bool is_comparison(enum node_kind kind)
{
	return (kind >= N_EQ && kind <= N_GE) || (kind >= N_IN && kind <= N_NOTBETWEEN);
}

/* An operator whose operands are plain expressions. */
static struct expr *operator(const struct binder *b, const struct node *node)
{
	struct expr **arg = operands(b, node);
	if (!arg || (is_comparison(node->kind) && bind_no_dates(b, node, arg)))
		return NULL;
	switch (node->kind) {
	case N_OR:
		return bind_logic(b, E_OR, node->span, arg[0], arg[1]);
	case N_AND:
		return bind_logic(b, E_AND, node->span, arg[0], arg[1]);
	case N_NOT:
		return bind_logic(b, E_NOT, node->span, arg[0], NULL);
	case N_EQ: case N_NE: case N_LT: case N_LE: case N_GT: case N_GE:
		return bind_compare(b, node->kind, node->span, arg[0], arg[1]);
	case N_ISNULL: case N_NOTNULL:
		return is_null(b, node, arg);
	case N_IN: case N_NOTIN:
		return negated(b, node->span, node->kind == N_NOTIN, bind_in(b, node->span, arg, node->narg));
	case N_BETWEEN: case N_NOTBETWEEN:
		return between(b, node, arg);
	default:
		return arithmetic(b, node, arg);
	}
}

struct expr *bind_node(const struct binder *b, const struct node *node)
{
	switch (node->kind) {
	case N_LITERAL:
		return literal(b, node);
	case N_NAME:
		return name(b, node);
	case N_CALL:
		return bind_function(b, node);
	case N_LIKE: case N_NOTLIKE:
		return negated(b, node->span, node->kind == N_NOTLIKE, bind_like(b, node));
	case N_MATCH: case N_NOMATCH:
		return negated(b, node->span, node->kind == N_NOMATCH, bind_match(b, node));
	case N_REGEX:
		err_at(b->err, node->span, "a regular expression has no place here: it stands behind =~ or !~, and in extract and replace");
		return NULL;
	case N_STAR:
		err_at(b->err, node->span, "* stands for all columns in --select, and for all rows in count(*)");
		return NULL;
	default:
		return operator(b, node);
	}
}

struct expr *expr_bind(const struct node *node, struct schema *schema, struct arena *mem, struct err *err)
{
	return bind_node(&(struct binder){ schema, mem, err, schema->zone }, node);
}
