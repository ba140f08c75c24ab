/* Comparisons: = <> < <= > >= and in.
 *
 * The types of the two sides say how they compare: as numbers, as times, as bytes, or in the total order (raw with raw, and what has but one way). Each
 * way is one loop for all operators: the order of a pair, -1, 0 or 1, picks the answer from a table of three. */
#include "core/number.h"
#include "ops/expr/func.h"
#include "ops/expr/text.h"

#include <stdio.h>

/* conf of a comparison: the answer where the left side is less, equal, greater. */
struct answers {
	uint8_t of[3];
};

static const struct answers answers[] = {
	[N_EQ] = { { FALSE, TRUE, FALSE } }, [N_NE] = { { TRUE, FALSE, TRUE } },  [N_LT] = { { TRUE, FALSE, FALSE } },
	[N_LE] = { { TRUE, TRUE, FALSE } },  [N_GT] = { { FALSE, FALSE, TRUE } }, [N_GE] = { { FALSE, TRUE, TRUE } },
};

static inline int sign(int64_t a, int64_t b) { return (a > b) - (a < b); }

static inline uint8_t number_answer(const uint8_t *answer, const struct value *a, const struct value *b)
{
	if (a->type == V_DEC && b->type == V_DEC && a->scale == b->scale)
		return answer[sign(a->u.i, b->u.i)];
	return value_is_number(a) && value_is_number(b) ? answer[number_cmp(a, b)] : (uint8_t)UNKNOWN;
}

/* The commonest case has a loop of its own: a column with a constant, most values of the constant's scale. */
static int numbers(const struct call *call, uint8_t *out)
{
	const uint8_t *answer = ((const struct answers *)call->expr->conf)->of + 1;
	const struct value *a = call->arg[0].v, k = call->arg[1].v[0];
	if (call->arg[1].mask || !call->arg[0].mask) {
		for (uint32_t r = 0; r < call->n; r++)
			out[r] = number_answer(answer, arg_at(call, 0, r), arg_at(call, 1, r));
		return 0;
	}
	for (uint32_t r = 0; r < call->n; r++) {
		bool plain = a[r].type == V_DEC && k.type == V_DEC && a[r].scale == k.scale;
		out[r] = plain ? answer[sign(a[r].u.i, k.u.i)] : number_answer(answer, &a[r], &k);
	}
	return 0;
}

/* = and <> need no order: lengths first, then the bytes. */
static int texts_equal(const struct call *call, uint8_t *out)
{
	const uint8_t *answer = ((const struct answers *)call->expr->conf)->of + 1;
	for (uint32_t r = 0; r < call->n; r++) {
		struct bytes a, b;
		bool known = text_of(arg_at(call, 0, r), &a) && text_of(arg_at(call, 1, r), &b);
		out[r] = known ? answer[!bytes_same(a, b)] : (uint8_t)UNKNOWN;
	}
	return 0;
}

static int texts(const struct call *call, uint8_t *out)
{
	const uint8_t *answer = ((const struct answers *)call->expr->conf)->of + 1;
	if (answer[-1] == answer[1])
		return texts_equal(call, out);
	for (uint32_t r = 0; r < call->n; r++) {
		struct bytes a, b;
		bool known = text_of(arg_at(call, 0, r), &a) && text_of(arg_at(call, 1, r), &b);
		out[r] = known ? answer[sign(bytes_cmp(a, b), 0)] : (uint8_t)UNKNOWN;
	}
	return 0;
}

static int ordered(const struct call *call, uint8_t *out)
{
	const uint8_t *answer = ((const struct answers *)call->expr->conf)->of + 1;
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *a = arg_at(call, 0, r), *b = arg_at(call, 1, r);
		out[r] = a->type == V_NULL || b->type == V_NULL ? (uint8_t)UNKNOWN : answer[value_order(a, b)];
	}
	return 0;
}

static int times(const struct call *call, uint8_t *out)
{
	const uint8_t *answer = ((const struct answers *)call->expr->conf)->of + 1;
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *a = arg_at(call, 0, r), *b = arg_at(call, 1, r);
		out[r] = a->type == V_TIME && b->type == V_TIME ? answer[sign(a->u.i, b->u.i)] : (uint8_t)UNKNOWN;
	}
	return 0;
}

static const struct func by_number = { .name = "a comparison", .types = "nn>b", .truth = numbers };
static const struct func by_time = { .name = "a comparison", .types = "mm>b", .truth = times };
static const struct func by_bytes = { .name = "a comparison", .types = "tt>b", .truth = texts };
static const struct func by_order = { .name = "a comparison", .types = "xx>b", .truth = ordered };
static const struct func by_truth = { .name = "a comparison", .types = "bb>b", .truth = ordered };

static bool counts(enum type type) { return type == T_NUMBER || type == T_DURATION; }

/* How values of two types compare; NULL: they do not. */
static const struct func *way(enum type a, enum type b)
{
	if (a == T_TIME && b == T_TIME)
		return &by_time;
	if (a == T_NULL || b == T_NULL || a == b)
		return counts(a) && counts(b) ? &by_number : a == T_TEXT && b == T_TEXT ? &by_bytes : &by_order;
	if (a != T_RAW && b != T_RAW)
		return counts(a) && counts(b) ? &by_number : NULL;
	enum type other = a == T_RAW ? b : a;
	return counts(other) ? &by_number : other == T_TEXT ? &by_bytes : other == T_BOOL ? &by_truth : NULL;
}

/* A number and a text: the caret marks the side to convert. A text in quotes cannot be but a text, unless the quotes are the mistake. */
static void mixed(const struct binder *b, const char *what, const struct expr *number, const struct expr *text)
{
	struct value read;
	char shown[LEX_SHOWN];
	const struct value *v = &text->value;
	if (text->kind != E_CONST)
		err_at(b->err, text->span, "%s: number(%s) reads the text as a number", what, lex_show_span(shown, text->span));
	else if (text->span.len == (size_t)v->len + 2 && number_read(v->u.p, v->len, &read))
		err_at(b->err, text->span, "%s: without the quotes it is a number: %s", what, lex_show(shown, v->u.p, v->len));
	else
		err_at(b->err, number->span, "%s: text(%s) makes a text of the number", what, lex_show_span(shown, number->span));
}

/* A time and what is none. */
static void no_time(const struct binder *b, const char *what, const struct expr *time, const struct expr *other)
{
	char shown[LEX_SHOWN], shown_other[LEX_SHOWN];
	lex_show_span(shown, time->span);
	lex_show_span(shown_other, other->span);
	if (other->type == T_TEXT)
		err_at(b->err, other->span, "%s: strptime(%s, '%%Y-%%m-%%d') reads a time from the text", what, shown_other);
	else if (other->type == T_NUMBER)
		err_at(b->err, time->span, "%s: epoch(%s) gives its seconds, epoch_ms(%s) its milliseconds", what, shown, shown);
	else if (other->type == T_DURATION)
		err_at(b->err, time->span, "%s: now() - %s is a duration", what, shown);
	else
		err_at(b->err, other->span, "%s", what);
}

static struct expr *incomparable(const struct binder *b, struct span span, const struct expr *left, const struct expr *right)
{
	char what[80];
	snprintf(what, sizeof what, "%s cannot be compared with %s", type_name(left->type), type_name(right->type));
	if (counts(left->type) && right->type == T_TEXT)
		mixed(b, what, left, right);
	else if (left->type == T_TEXT && counts(right->type))
		mixed(b, what, right, left);
	else if (left->type == T_TIME)
		no_time(b, what, left, right);
	else if (right->type == T_TIME)
		no_time(b, what, right, left);
	else
		err_at(b->err, span, "%s", what);
	return NULL;
}

struct expr *bind_compare(const struct binder *b, enum node_kind kind, struct span span, struct expr *left, struct expr *right)
{
	struct expr **arg = arena_alloc(b->mem, 2 * sizeof *arg);
	if (!arg) {
		err_memory(b->err);
		return NULL;
	}
	arg[0] = left;
	arg[1] = right;
	if (bind_times(b, arg, 2))
		return NULL;
	const struct func *func = way(arg[0]->type, arg[1]->type);
	if (!func)
		return incomparable(b, span, left, right);
	return bind_call(b, &(struct expr){ .func = func, .span = span, .conf = &answers[kind], .narg = 2, .arg = arg });
}

/* ---- in ---- */

/* conf of x in (constants), all compared in one way. */
struct set {
	uint32_t n;
	bool has_null; /* then what is not found is unknown */
	const struct value *v;
};

static int in_numbers(const struct call *call, uint8_t *out)
{
	const struct set *set = call->expr->conf;
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *x = arg_at(call, 0, r);
		bool found = false;
		for (uint32_t i = 0; i < set->n && !found; i++) {
			const struct value *v = &set->v[i];
			if (x->type == V_DEC && v->type == V_DEC) /* canonical: equal means equal parts */
				found = x->u.i == v->u.i && x->scale == v->scale;
			else
				found = value_is_number(x) && number_cmp(x, v) == 0;
		}
		out[r] = found ? TRUE : set->has_null || !value_is_number(x) ? UNKNOWN : FALSE;
	}
	return 0;
}

static int in_texts(const struct call *call, uint8_t *out)
{
	const struct set *set = call->expr->conf;
	for (uint32_t r = 0; r < call->n; r++) {
		struct bytes x;
		bool known = text_of(arg_at(call, 0, r), &x), found = false;
		for (uint32_t i = 0; i < set->n && known && !found; i++)
			found = bytes_same(x, (struct bytes){ set->v[i].u.p, set->v[i].len });
		out[r] = found ? TRUE : set->has_null || !known ? UNKNOWN : FALSE;
	}
	return 0;
}

static const struct func numbers_set = { .name = "in", .types = "n>b", .truth = in_numbers };
static const struct func texts_set = { .name = "in", .types = "t>b", .truth = in_texts };

/* The one way in which x compares with every item, all of them constants; NULL if there is none. */
static const struct func *one_way(struct expr **arg, uint32_t narg)
{
	const struct func *all = NULL;
	for (uint32_t i = 1; i < narg; i++) {
		if (arg[i]->kind != E_CONST)
			return NULL;
		if (arg[i]->type == T_NULL)
			continue;
		const struct func *func = way(arg[0]->type, arg[i]->type);
		if ((func != &by_number && func != &by_bytes) || (all && func != all))
			return NULL;
		all = func;
	}
	return all == &by_number ? &numbers_set : all ? &texts_set : NULL;
}

static struct expr *in_set(const struct binder *b, struct span span, const struct func *func, struct expr **arg, uint32_t narg)
{
	struct set *set = arena_alloc(b->mem, sizeof *set);
	struct value *v = arena_alloc(b->mem, narg * sizeof *v);
	if (!set || !v) {
		err_memory(b->err);
		return NULL;
	}
	*set = (struct set){ .v = v };
	for (uint32_t i = 1; i < narg; i++) {
		if (arg[i]->value.type == V_NULL)
			set->has_null = true;
		else
			v[set->n++] = arg[i]->value;
	}
	return bind_call(b, &(struct expr){ .func = func, .span = span, .conf = set, .narg = 1, .arg = arg });
}

struct expr *bind_in(const struct binder *b, struct span span, struct expr **arg, uint32_t narg)
{
	if (bind_times(b, arg, narg))
		return NULL;
	const struct func *func = one_way(arg, narg);
	if (func)
		return in_set(b, span, func, arg, narg);
	struct expr *any = NULL;
	for (uint32_t i = 1; i < narg; i++) {
		struct expr *equal = bind_compare(b, N_EQ, span, arg[0], arg[i]);
		any = equal && any ? bind_logic(b, E_OR, span, any, equal) : equal;
		if (!any)
			return NULL;
	}
	return any;
}
