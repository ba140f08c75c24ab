#include <string.h>

#include "core/nearest.h"
#include "ops/accs_distinct.h"
#include "ops/expr/func.h"
#include "parse/lang/lex.h"
#include "parse/lang/synonym.h"

enum { MAX_AGGS = 64 };

/* What binding needs to know everywhere. */
struct binding {
	struct accs *accs;
	const struct op *op;
	const struct key *key;
	const struct stream *in;
	struct err *err;
};

static void *take(const struct binding *b, size_t size)
{
	void *p = arena_alloc(b->op->plan, size ? size : 1);
	if (!p)
		err_memory(b->err);
	else
		memset(p, 0, size);
	return p;
}

/* ---- what cannot be ---- */

/* A function where an aggregate stands: round(avg(x)). */
static int function_here(const struct node *call, struct err *err)
{
	const struct node *arg = call->narg ? call->arg[0] : NULL;
	char shown[LEX_SHOWN];
	if (!arg || arg->kind != N_CALL || !agg_find(arg->text, arg->len))
		return err_at(err, call->span, "%s is a function: it works within an aggregate, or in a --select", call->text);
	return err_at(err, call->span, "%s is a function; name the aggregate (%s as x) and take %s(x) in a --select behind it", call->text,
		      lex_show_span(shown, arg->span), call->text);
}

/* A name of another language for what is here. */
static int synonym_here(const struct node *call, const struct synonym *synonym, struct err *err)
{
	bool function = synonym->kind == SYNONYM_FUNCTION;
	return err_at(err, call->span, "no aggregate \"%s\"; %s%s%s", call->text, function ? "" : "did you mean ", synonym->here,
		      function ? " is for single rows: it works within an aggregate, or in a --select" : "?");
}

static int unknown_aggregate(const struct node *call, struct err *err)
{
	const char *name[MAX_AGGS];
	char names[1000] = "", shown[LEX_SHOWN];
	struct synonym synonym;
	uint32_t n = 0;
	if (function_find(call->text, call->len))
		return function_here(call, err);
	if (synonym_find(call->text, call->len, &synonym))
		return synonym_here(call, &synonym, err);
	for (; n < MAX_AGGS && agg_types[n]; n++) {
		name[n] = agg_types[n]->name;
		strncat(names, n ? ", " : "", sizeof names - strlen(names) - 1);
		strncat(names, name[n], sizeof names - strlen(names) - 1);
	}
	int near = nearest_word(call->text, call->len, name, n);
	lex_show(shown, call->text, call->len);
	if (near >= 0)
		return err_at(err, call->span, "no aggregate \"%s\"; did you mean \"%s\"?", shown, name[near]);
	return err_at(err, call->span, "no aggregate \"%s\"; there are: %s", shown, names);
}

/* count(distinct a, b): pairs are counted as one text. What would need parentheses there is called a and b. */
static int distinct_pairs(const struct node *call, struct err *err)
{
	char first[LEX_SHOWN] = "a", second[LEX_SHOWN] = "b", *shown[] = { first, second };
	for (int i = 0; i < 2; i++) {
		const struct node *arg = call->arg[i];
		if (arg->kind == N_NAME || arg->kind == N_CALL || arg->kind == N_LITERAL)
			lex_show_span(shown[i], arg->span);
	}
	return err_at(err, call->span, "count takes one argument; one way to count pairs: count(distinct %s || '/' || %s)", first, second);
}

static int wrong_arguments(const struct agg_type *type, const struct node *call, struct err *err)
{
	if (!type->min_arg && call->distinct && call->narg == 2)
		return distinct_pairs(call, err);
	if (call->narg && call->arg[0]->kind == N_STAR)
		return err_at(err, call->arg[0]->span, "* is for count alone; %s%s: %s", type->name, type->args, type->help);
	return err_at(err, call->span, "%s has %u argument%s here; %s%s: %s", type->name, call->narg, call->narg == 1 ? "" : "s", type->name, type->args,
		      type->help);
}

/* ---- one aggregate ---- */

static struct expr **bind_arguments(const struct binding *b, const struct node *call)
{
	struct expr **arg = take(b, call->narg * sizeof *arg);
	for (uint32_t i = 0; arg && i < call->narg; i++) {
		arg[i] = expr_bind(call->arg[i], b->in->schema, b->op->plan, b->err);
		if (!arg[i])
			return NULL;
		if (expr_type(arg[i]) == T_ROW) {
			err_at(b->err, call->arg[i]->span, "a whole record has no value; name a column");
			return NULL;
		}
	}
	return arg;
}

static int bind_list(const struct binding *b, const struct node *call, struct accs_distinct *list)
{
	list->arg.n = call->narg;
	list->arg.expr = bind_arguments(b, call);
	list->arg.type = take(b, call->narg * sizeof *list->arg.type);
	if (!list->arg.expr || !list->arg.type)
		return -1;
	for (uint32_t i = 0; i < call->narg; i++)
		list->arg.type[i] = expr_type(list->arg.expr[i]);
	return 0;
}

/* The list of arguments with distinct that is written like this one, or a new one. The order of a map's values is that in which every aggregate has
 * taken them (accs_merge relies on it): one that minds the order has a list of its own, if another could keep a value there or bring it in sooner. */
static struct accs_distinct *distinct_list(const struct binding *b, const struct node *call, const struct accs_agg *a)
{
	struct accs *accs = b->accs;
	const struct span *first = &call->arg[0]->span, *last = &call->arg[call->narg - 1]->span;
	const char *text = first->text + first->at;
	size_t len = last->at + last->len - first->at;
	bool alone = a->agg.type->can & A_ORDERED && (a->filter || accs->retracts);
	for (uint32_t i = 0; !alone && i < accs->ndistinct; i++) {
		struct accs_distinct *list = &accs->distinct[i];
		if (!list->alone && list->len == len && !memcmp(list->text, text, len))
			return list;
	}
	struct accs_distinct *list = &accs->distinct[accs->ndistinct];
	if (bind_list(b, call, list))
		return NULL;
	list->text = text;
	list->len = len;
	list->alone = alone;
	accs->ndistinct++;
	return list;
}

/* Does an update of the input never move its row from one of our keys to another? */
static bool key_stays(const struct key *key, const struct stream *in)
{
	for (uint32_t i = 0; i < key->n; i++) {
		int column = expr_column(key->expr[i]);
		if (column < 0 || in->trend[column] != TREND_CONST)
			return false;
	}
	return true;
}

/* A value that only moves the way the aggregate looks needs no taking back, if no row of the input goes for good, to another key or window, and every
 * row counts. */
static bool absorbed(const struct binding *b, const struct accs_agg *a)
{
	const struct stream *in = b->in;
	int column = a->agg.type->absorbs && !a->filter ? expr_column(a->agg.arg[0]) : -1;
	if (column < 0 || !in->trend || in->kinds & S_D || b->op->window || !key_stays(b->key, in))
		return false;
	int8_t trend = in->trend[column];
	return trend == a->agg.type->absorbs || trend == TREND_CONST;
}

static int bind_filter(const struct binding *b, const struct named *item, struct accs_agg *a)
{
	if (!item->where)
		return 0;
	struct expr *filter = expr_bind(item->where, b->in->schema, b->op->plan, b->err);
	a->filter = filter ? expr_as(filter, T_BOOL, b->op->plan, b->err) : NULL;
	return a->filter ? 0 : -1;
}

static int bind_distinct(const struct binding *b, const struct node *call, struct accs_agg *a)
{
	a->distinct = -1;
	if (!call->distinct || a->agg.type->can & A_SET)
		return 0;
	struct accs_distinct *list = distinct_list(b, call, a);
	if (!list)
		return -1;
	a->distinct = (int32_t)(list - b->accs->distinct);
	a->place = list->n++;
	return 0;
}

static int bind_agg(const struct binding *b, const struct named *item, struct accs_agg *a)
{
	const struct node *call = item->expr;
	const struct agg_type *type = agg_find(call->text, call->len);
	if (!type)
		return unknown_aggregate(call, b->err);
	struct node plain = *call;
	if (!type->min_arg && plain.narg == 1 && plain.arg[0]->kind == N_STAR)
		plain.narg = 0;
	if (plain.narg < type->min_arg || plain.narg > type->max_arg || (plain.narg && plain.arg[0]->kind == N_STAR))
		return wrong_arguments(type, call, b->err);
	struct agg *agg = &a->agg;
	*agg = (struct agg){ .type = type, .mem = b->op->mem, .narg = plain.narg, .result = T_NUMBER };
	agg->conf = take(b, type->conf_size);
	agg->arg = bind_arguments(b, &plain);
	if (!agg->conf || !agg->arg || bind_filter(b, item, a) || bind_distinct(b, &plain, a))
		return -1;
	agg->retracts = b->accs->retracts && !absorbed(b, a);
	return type->plan ? type->plan(agg, b->op->plan, b->err) : 0;
}

static void bind_whole(const struct binding *b, const struct accs_whole *whole, struct accs_agg *a)
{
	*a = (struct accs_agg){ .whole = whole, .distinct = -1 };
	a->agg = (struct agg){ .type = whole->type, .conf = whole->conf, .mem = b->op->mem, .retracts = b->accs->retracts, .narg = 1, .result = T_RAW };
}

/* ---- all of them ---- */

static size_t grow(size_t *size, size_t by)
{
	size_t at = *size;
	*size += by;
	return at;
}

/* Places in a block. */
static void lay_out(struct accs *accs)
{
	for (uint32_t i = 0; i < accs->ndistinct; i++) {
		struct accs_distinct *list = &accs->distinct[i];
		list->at = grow(&accs->size, sizeof(struct valmap));
		list->words = accs->retracts ? list->n : (list->n + 63) / 64;
	}
	accs->heap = accs->grows = accs->ndistinct > 0;
	for (uint32_t i = 0; i < accs->nagg; i++) {
		const struct agg *agg = &accs->agg[i].agg;
		accs->agg[i].at = grow(&accs->size, agg->type->size);
		accs->heap = accs->heap || agg->type->can & A_HEAP;
		accs->grows = accs->grows || agg->type->can & (agg->retracts ? A_KEEPS | A_KEEPS_BACK : A_KEEPS);
	}
}

int accs_bind(struct accs *accs, const struct op *op, const struct named_list *list, const struct key *key, const struct stream *in, struct err *err)
{
	const struct binding b = { accs, op, key, in, err };
	*accs = (struct accs){ .list = list, .nagg = list->n, .retracts = in->kinds != 0, .mem = op->mem };
	accs->agg = take(&b, accs->nagg * sizeof *accs->agg);
	accs->distinct = take(&b, accs->nagg * sizeof *accs->distinct);
	if (!accs->agg || !accs->distinct)
		return -1;
	if (op->whole)
		bind_whole(&b, op->whole, &accs->agg[0]);
	for (uint32_t i = 0; !op->whole && i < accs->nagg; i++)
		if (bind_agg(&b, &list->item[i], &accs->agg[i]))
			return -1;
	lay_out(accs);
	return 0;
}

int accs_describe(const struct accs *accs, struct schema *schema)
{
	for (uint32_t i = 0; i < accs->nagg; i++)
		if (schema_add(schema, accs->list->item[i].name, accs->list->item[i].len, accs->agg[i].agg.result) < 0)
			return -1;
	return 0;
}

void accs_need(const struct accs *accs, const uint8_t *out, uint8_t *in)
{
	for (uint32_t i = 0; i < accs->nagg; i++) {
		const struct accs_agg *a = &accs->agg[i];
		for (uint32_t k = 0; !a->whole && k < a->agg.narg; k++)
			expr_need(a->agg.arg[k], (uint8_t)(NEED_VALUE | (a->agg.type->passes && !k ? out[i] : 0)), in);
		if (a->filter)
			expr_need(a->filter, NEED_VALUE, in);
	}
	for (uint32_t i = 0; i < accs->ndistinct; i++)
		for (uint32_t k = 0; k < accs->distinct[i].arg.n; k++)
			expr_need(accs->distinct[i].arg.expr[k], NEED_VALUE, in);
}

void accs_explain(const struct accs *accs, struct buf *out)
{
	for (uint32_t i = 0; i < accs->nagg; i++) {
		const struct accs_agg *a = &accs->agg[i];
		const struct named *item = &accs->list->item[i];
		if (a->distinct >= 0)
			buf_printf(out, "; %.*s: every distinct value", (int)item->len, item->name);
		else if (accs->retracts && a->agg.type->absorbs && !a->agg.retracts)
			buf_printf(out, "; %.*s: the argument only moves one way, nothing is taken back", (int)item->len, item->name);
	}
}
