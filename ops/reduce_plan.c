#include <string.h>

#include "core/nearest.h"
#include "ops/agg/valmap.h"
#include "ops/expr/func.h"
#include "ops/reduce.h"
#include "parse/lang/lex.h"
#include "parse/lang/parse.h"
#include "parse/lang/synonym.h"

enum { MAX_AGGS = 64 };

int reduce_parse(struct op *op, struct err *err)
{
	struct reduce_conf *conf = op->conf;
	return parse_reduce(op->flag, op->text, op->plan, &conf->list, err);
}

static void *take(struct op *op, size_t size, struct err *err)
{
	void *p = arena_alloc(op->plan, size ? size : 1);
	if (!p)
		err_memory(err);
	else
		memset(p, 0, size);
	return p;
}

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
	return err_at(err, call->span, "%s has %u argument%s here; %s%s: %s", type->name, call->narg, call->narg == 1 ? "" : "s", type->name, type->args,
		      type->help);
}

static struct expr **bind_arguments(struct op *op, const struct node *call, struct schema *schema, struct err *err)
{
	struct expr **arg = take(op, call->narg * sizeof *arg, err);
	for (uint32_t i = 0; arg && i < call->narg; i++) {
		arg[i] = expr_bind(call->arg[i], schema, op->plan, err);
		if (!arg[i])
			return NULL;
		if (expr_type(arg[i]) == T_ROW) {
			err_at(err, call->arg[i]->span, "a whole record has no value; name a column");
			return NULL;
		}
	}
	return arg;
}

/* The list of arguments with distinct that is written like this one, or a new one. */
static struct reduce_distinct *distinct_list(struct op *op, const struct node *call, struct schema *schema, struct err *err)
{
	struct reduce_conf *conf = op->conf;
	const struct span *first = &call->arg[0]->span, *last = &call->arg[call->narg - 1]->span;
	const char *text = first->text + first->at;
	size_t len = last->at + last->len - first->at;
	for (uint32_t i = 0; i < conf->ndistinct; i++)
		if (conf->distinct[i].len == len && !memcmp(conf->distinct[i].text, text, len))
			return &conf->distinct[i];
	struct reduce_distinct *list = &conf->distinct[conf->ndistinct];
	list->arg = bind_arguments(op, call, schema, err);
	if (!list->arg)
		return NULL;
	list->narg = call->narg;
	list->text = text;
	list->len = len;
	conf->ndistinct++;
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

/* A value that only moves the way the aggregate looks needs no taking back, if no row of the input goes for good or to another key, and every
 * row counts. */
static bool absorbed(const struct reduce_agg *a, const struct key *key, const struct stream *in)
{
	int column = a->agg.type->absorbs && !a->filter ? expr_column(a->agg.arg[0]) : -1;
	if (column < 0 || !in->trend || in->kinds & S_D || !key_stays(key, in))
		return false;
	int8_t trend = in->trend[column];
	return trend == a->agg.type->absorbs || trend == TREND_CONST;
}

static int bind_filter(struct op *op, const struct named *item, struct schema *schema, struct reduce_agg *a, struct err *err)
{
	if (!item->where)
		return 0;
	struct expr *filter = expr_bind(item->where, schema, op->plan, err);
	a->filter = filter ? expr_as(filter, T_BOOL, op->plan, err) : NULL;
	return a->filter ? 0 : -1;
}

static int bind_distinct(struct op *op, const struct node *call, struct schema *schema, struct reduce_agg *a, struct err *err)
{
	struct reduce_conf *conf = op->conf;
	a->distinct = -1;
	if (!call->distinct || a->agg.type->can & A_SET)
		return 0;
	struct reduce_distinct *list = distinct_list(op, call, schema, err);
	if (!list)
		return -1;
	a->distinct = (int32_t)(list - conf->distinct);
	a->place = list->n++;
	return 0;
}

static int bind_agg(struct op *op, const struct named *item, const struct stream *in, struct reduce_agg *a, struct err *err)
{
	const struct reduce_conf *conf = op->conf;
	const struct node *call = item->expr;
	const struct agg_type *type = agg_find(call->text, call->len);
	if (!type)
		return unknown_aggregate(call, err);
	struct node plain = *call;
	if (!type->min_arg && plain.narg == 1 && plain.arg[0]->kind == N_STAR)
		plain.narg = 0;
	if (plain.narg < type->min_arg || plain.narg > type->max_arg || (plain.narg && plain.arg[0]->kind == N_STAR))
		return wrong_arguments(type, call, err);
	struct agg *agg = &a->agg;
	*agg = (struct agg){ .type = type, .mem = op->mem, .narg = plain.narg, .result = T_NUMBER };
	agg->conf = take(op, type->conf_size, err);
	agg->arg = bind_arguments(op, &plain, in->schema, err);
	if (!agg->conf || !agg->arg || bind_filter(op, item, in->schema, a, err) || bind_distinct(op, &plain, in->schema, a, err))
		return -1;
	agg->retracts = in->kinds && !absorbed(a, &conf->key, in);
	return type->plan ? type->plan(agg, op->plan, err) : 0;
}

static size_t grow(size_t *size, size_t by)
{
	size_t at = *size;
	*size += by;
	return at;
}

/* Places in the state of a key. */
static void lay_out(struct op *op)
{
	struct reduce_conf *conf = op->conf;
	size_t size = conf->retracts ? sizeof(int64_t) : 0;
	conf->written_at = grow(&size, op->ttl ? sizeof(int64_t) : 0);
	for (uint32_t i = 0; i < conf->ndistinct; i++) {
		struct reduce_distinct *list = &conf->distinct[i];
		list->at = grow(&size, sizeof(struct valmap));
		list->words = conf->retracts ? list->n : (list->n + 63) / 64;
	}
	conf->heap = conf->ndistinct > 0;
	for (uint32_t i = 0; i < conf->nagg; i++) {
		const struct agg_type *type = conf->agg[i].agg.type;
		conf->agg[i].at = grow(&size, type->size);
		conf->heap = conf->heap || type->can & A_HEAP;
	}
	conf->state_size = size;
}

static int describe(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	const struct reduce_conf *conf = op->conf;
	uint32_t nkey = conf->key.n, n = nkey + conf->nagg;
	struct schema *schema = take(op, sizeof *schema, err);
	uint32_t *key = take(op, nkey * sizeof *key, err);
	int8_t *trend = take(op, n, err);
	if (!schema || !key || !trend)
		return -1;
	schema_init(schema, SCHEMA_CLOSED, op->plan);
	for (uint32_t i = 0; i < nkey; i++) {
		key[i] = i;
		trend[i] = TREND_CONST;
		if (schema_add(schema, conf->key.name[i], conf->key.name_len[i], conf->key.type[i]) < 0)
			return err_memory(err);
	}
	for (uint32_t i = 0; i < conf->nagg; i++) {
		trend[nkey + i] = in->kinds ? TREND_NONE : conf->agg[i].agg.trend;
		if (schema_add(schema, conf->list.item[i].name, conf->list.item[i].len, conf->agg[i].agg.result) < 0)
			return err_memory(err);
	}
	*out = (struct stream){ .schema = schema, .kinds = in->kinds ? S_U | S_D : S_U, .nkey = nkey, .has_key = true, .key = key, .trend = trend };
	return 0;
}

int reduce_plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	struct reduce_conf *conf = op->conf;
	conf->retracts = in->kinds != 0;
	if (key_bind(&conf->key, op, in->schema, err))
		return -1;
	conf->nagg = conf->list.n;
	conf->ndistinct = 0;
	conf->agg = take(op, conf->nagg * sizeof *conf->agg, err);
	conf->distinct = take(op, conf->nagg * sizeof *conf->distinct, err);
	if (!conf->agg || !conf->distinct)
		return -1;
	for (uint32_t i = 0; i < conf->nagg; i++)
		if (bind_agg(op, &conf->list.item[i], in, &conf->agg[i], err))
			return -1;
	lay_out(op);
	return describe(op, in, out, err);
}

/* A row that changed has to be taken back, whoever wants what of the result. */
bool reduce_before(const struct op *op, bool wanted)
{
	(void)op;
	(void)wanted;
	return true;
}

void reduce_need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	const struct reduce_conf *conf = op->conf;
	key_need(&conf->key, out, in);
	for (uint32_t i = 0; i < conf->nagg; i++) {
		const struct reduce_agg *a = &conf->agg[i];
		uint8_t use = out[conf->key.n + i];
		for (uint32_t k = 0; k < a->agg.narg; k++)
			expr_need(a->agg.arg[k], (uint8_t)(NEED_VALUE | (a->agg.type->passes && !k ? use : 0)), in);
		if (a->filter)
			expr_need(a->filter, NEED_VALUE, in);
	}
	for (uint32_t i = 0; i < conf->ndistinct; i++)
		for (uint32_t k = 0; k < conf->distinct[i].narg; k++)
			expr_need(conf->distinct[i].arg[k], NEED_VALUE, in);
}

void reduce_explain(const struct op *op, struct buf *out)
{
	const struct reduce_conf *conf = op->conf;
	buf_printf(out, "  variant    %s", op->final ? "one result at the end" : op->bundled ? "one change per key and bundle" : "a change per row");
	buf_puts(out, conf->retracts ? ", over updating input\n" : ", over insert-only input\n");
	buf_printf(out, "  state      %zu bytes and the key, for each key", conf->state_size + sizeof(struct entry));
	for (uint32_t i = 0; i < conf->nagg; i++) {
		const struct reduce_agg *a = &conf->agg[i];
		if (a->distinct >= 0)
			buf_printf(out, "; %.*s: every distinct value", (int)conf->list.item[i].len, conf->list.item[i].name);
		else if (conf->retracts && a->agg.type->absorbs && !a->agg.retracts)
			buf_printf(out, "; %.*s: the argument only moves one way, nothing is taken back", (int)conf->list.item[i].len, conf->list.item[i].name);
	}
	buf_putc(out, '\n');
}
