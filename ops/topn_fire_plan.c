/* --topn in windows that may fire several times, at plan time: the reduce within, and what comes of its lists. See ops/topn_fire.c. */
#include "ops/reduce.h"
#include "ops/topn.h"

static const struct topn_fire_conf *fire_conf(const struct op *op) { return op->conf; }

int topn_fire_begin(struct op *op)
{
	struct topn_fire_conf *conf = arena_alloc(op->plan, sizeof *conf);
	if (!conf)
		return -1;
	*conf = (struct topn_fire_conf){ .topn = *topn_conf(op) };
	op->conf = conf;
	return topn_lists_begin(op);
}

/* The operator within. */
static int plan_reduce(struct op *op, const struct stream *in, struct err *err)
{
	struct topn_fire_conf *conf = op->conf;
	struct named *name = arena_alloc(op->plan, sizeof *name);
	struct named_list *list = arena_alloc(op->plan, sizeof *list);
	conf->reduce = arena_alloc(op->plan, sizeof *conf->reduce);
	conf->lists = arena_alloc(op->plan, sizeof *conf->lists);
	conf->edge = arena_alloc(op->plan, sizeof *conf->edge);
	if (!name || !list || !conf->reduce || !conf->lists || !conf->edge)
		return err_memory(err);
	*name = (struct named){ .name = "rows", .len = 4 };
	*list = (struct named_list){ name, 1 };
	*conf->edge = (struct edge){ .to = conf->lists, .stream = *in };
	*conf->reduce = (struct op){ .type = op->window->window.rows ? &reduce_count_op : &reduce_window_op, .flag = op->flag, .text = op->text, .conf = list,
		.key = op->key, .window = op->window, .mem = op->mem, .plan = op->plan, .err = op->err, .out = conf->edge, .timed = op->timed, .before = true,
		.final = op->final, .keeps = op->keeps, .whole = conf->whole };
	struct stream *out = &conf->edge->stream;
	if (conf->reduce->type->plan(conf->reduce, in, out, err))
		return -1;
	uint32_t n = out->schema->n;
	out->before = out->kinds != 0;
	conf->bounds = n - conf->topn.key.n - 1;
	conf->edge->need = arena_alloc(op->plan, n);
	if (!conf->edge->need)
		return err_memory(err);
	for (uint32_t c = 0; c < n; c++)
		conf->edge->need[c] = c < conf->bounds || c == n - 1 ? NEED_VALUE : 0;
	return 0;
}

static int new_schema(struct op *op, const struct stream *in, struct stream *out)
{
	struct topn_fire_conf *conf = op->conf;
	struct topn_conf *topn = &conf->topn;
	struct schema *schema = arena_alloc(op->plan, sizeof *schema);
	if (!schema)
		return -1;
	schema_init(schema, SCHEMA_CLOSED, op->plan);
	if (conf->bounds && (schema_add(schema, "window_start", 12, T_TIME) < 0 || schema_add(schema, "window_end", 10, T_TIME) < 0))
		return -1;
	for (uint32_t c = 0; c < conf->passes; c++) {
		const struct schema_column *col = &in->schema->col[topn->base + c];
		if (schema_add(schema, col->name, col->len, col->type) < 0)
			return -1;
	}
	topn->rank_col = topn->ast.as ? schema_add(schema, topn->ast.as, topn->ast.as_len, T_NUMBER) : -1;
	out->schema = schema;
	return topn->ast.as && topn->rank_col < 0 ? -1 : 0;
}

static bool single(const struct topn_conf *conf)
{
	return conf->ast.rank == RANK_ROW && !conf->variable && conf->ast.from == 1 && conf->ast.to == 1;
}

/* Kinds of what becomes of a list. */
static unsigned out_kinds(const struct op *op, const struct stream *in)
{
	const struct topn_fire_conf *conf = fire_conf(op);
	const struct topn_conf *topn = &conf->topn;
	unsigned lists = conf->edge->stream.kinds;
	bool shrinks = in->kinds || lists & S_D || op->window->evict_flag;
	if (!lists)
		return 0;
	if (topn->ranked)
		return S_U | (shrinks ? S_D : 0);
	return S_D | (topn->ast.rank != RANK_ROW && topn->rank_col >= 0 ? S_U : 0);
}

/* Within a window the key's columns tell its lists apart, if they pass, and a row number the rows of one. */
static int out_unique(struct op *op, const struct stream *in, struct stream *out)
{
	const struct topn_fire_conf *conf = fire_conf(op);
	const struct topn_conf *topn = &conf->topn;
	uint32_t *key = arena_alloc(op->plan, (conf->bounds + topn->key.n + 1) * sizeof *key), n = 0;
	if (!key)
		return -1;
	out->has_key = conf->edge->stream.has_key && topn->ast.rank == RANK_ROW && (single(topn) || topn->rank_col >= 0);
	for (; n < conf->bounds; n++)
		key[n] = n;
	for (uint32_t i = 0; i < topn->key.n; i++) {
		int col = expr_column(topn->key.expr[i]);
		out->has_key = out->has_key && in->schema->kind == SCHEMA_CLOSED && col >= 0;
		key[n++] = conf->bounds + (uint32_t)col;
	}
	if (!single(topn))
		key[n++] = (uint32_t)topn->rank_col;
	out->key = key;
	out->nkey = out->has_key ? n : 0;
	return 0;
}

int topn_fire_plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	struct topn_fire_conf *conf = op->conf;
	struct topn_conf *topn = &conf->topn;
	op->ttl = 0;
	op->bundled = false;
	op->at_once = true;
	conf->passes = topn->ncol;
	conf->lead = topn->nextra + (topn->variable != NULL);
	conf->row_col = -1;
	for (uint32_t c = 0; c < conf->passes; c++)
		if (in->schema->col[topn->base + c].type == T_ROW)
			conf->row_col = (int32_t)c;
	if (plan_reduce(op, in, err))
		return -1;
	topn->ncol += conf->bounds;
	const struct stream *lists = &conf->edge->stream;
	*out = (struct stream){ .timed = lists->timed, .windowed = lists->windowed, .start = 0, .end = 1, .once = lists->once, .lateness = lists->lateness };
	if (new_schema(op, in, out) || out_unique(op, in, out))
		return err_memory(err);
	bool numbers = topn->ast.rank == RANK_ROW, shown = topn->rank_col >= 0;
	topn->ranked = numbers && ((shown && !single(topn)) || topn->ast.from > 1 || (single(topn) && !in->kinds));
	topn->rank = (struct stream_rank){ &topn->ast, op, topn->rank_col };
	out->rank = &topn->rank;
	out->kinds = out_kinds(op, in);
	op->type = &topn_fire_op;
	return 0;
}
