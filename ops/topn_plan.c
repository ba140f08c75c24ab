/* --topn at plan time: what its columns are, which variant the input allows, what comes out. */
#include "ops/topn.h"

/* ---- columns ----------------------------------------------------------------------------- */

/* A closed schema passes all its columns; an open one whole rows, behind the bounds of their window if they have one. */
static int bind_columns(struct op *op, const struct stream *in)
{
	struct topn_conf *conf = op->conf;
	struct schema_place place;
	conf->base = 0;
	conf->ncol = in->schema->n;
	conf->open = NULL;
	if (in->schema->kind == SCHEMA_CLOSED)
		return 0;
	conf->open = in->schema->kind == SCHEMA_POSITIONS ? in->schema : NULL;
	if (!schema_whole(in->schema, &place))
		return err_memory(op->err);
	conf->base = in->windowed ? 0 : place.col;
	conf->ncol = place.col - conf->base + 1;
	return 0;
}

static int bind_sort(struct op *op, const struct stream *in, struct err *err)
{
	struct topn_conf *conf = op->conf;
	const struct topn_ast *ast = &conf->ast;
	conf->sort = arena_alloc(op->plan, (ast->nby ? ast->nby : 1) * sizeof *conf->sort);
	if (!conf->sort)
		return err_memory(err);
	for (uint32_t i = 0; i < ast->nby; i++) {
		const struct order_by *by = &ast->by[i];
		struct expr *expr = expr_bind(by->expr, in->schema, op->plan, err);
		if (!expr || expr_varies(expr, by->expr, in->schema, err))
			return -1;
		if (expr_type(expr) == T_ROW)
			return err_at(err, expr_span(expr), "a whole row has no order; name a column");
		bool nulls_first = by->nulls == NULLS_DEFAULT ? !by->desc : by->nulls == NULLS_FIRST;
		conf->sort[i] = (struct sort_col){ .expr = expr, .desc = by->desc != ast->last, .nulls_first = nulls_first != ast->last };
	}
	conf->nsort = ast->nby;
	conf->later_first = ast->last;
	conf->order = (struct ordset_order){ conf->nsort ? topn_compare : NULL, conf };
	return 0;
}

/* Where a stored row has its sort values: in the columns that pass through, else behind them. */
static void place_sort(struct topn_conf *conf)
{
	for (uint32_t i = 0; i < conf->nsort; i++) {
		int64_t column = (int64_t)expr_column(conf->sort[i].expr) - conf->base;
		bool passes = column >= 0 && column < conf->ncol;
		conf->sort[i].at = passes ? (uint32_t)column : conf->ncol + conf->nextra++;
	}
}

static int bind_variable(struct op *op, const struct stream *in, struct err *err)
{
	struct topn_conf *conf = op->conf;
	conf->variable = NULL;
	if (!conf->ast.variable)
		return 0;
	struct expr *expr = expr_bind(conf->ast.variable, in->schema, op->plan, err);
	conf->variable = expr ? expr_as(expr, T_NUMBER, op->plan, err) : NULL;
	conf->ast.from = 1;
	return conf->variable ? 0 : -1;
}

/* ---- variant ----------------------------------------------------------------------------- */

static bool in_key(const struct stream *in, int column)
{
	for (uint32_t i = 0; i < in->nkey; i++)
		if (column >= 0 && in->key[i] == (uint32_t)column)
			return true;
	return false;
}

/* Is every record one of a unique key whose columns are among those that are stored, and is all of the key's life in one partition? */
static bool key_in_partition(const struct topn_conf *conf, const struct stream *in)
{
	if (!in->has_key)
		return false;
	for (uint32_t i = 0; i < in->nkey; i++)
		if (in->key[i] < conf->base || in->key[i] - conf->base >= conf->ncol || in->schema->col[in->key[i]].type == T_ROW)
			return false;
	for (uint32_t i = 0; i < conf->key.n; i++)
		if (!in_key(in, expr_column(conf->key.expr[i])))
			return false;
	return true;
}

/* How a record may move in the order when it is replaced. */
enum movement { MOVES_UP, UP_BUT_NULL /* up, apart from the one step from NULL to a value */, MOVES };

static enum movement movement_of(const struct sort_col *sort, const struct stream *in)
{
	int column = expr_column(sort->expr);
	if (column < 0)
		return MOVES;
	int trend = in_key(in, column) ? TREND_CONST : in->trend ? in->trend[column] : TREND_NONE;
	if (trend == TREND_CONST)
		return MOVES_UP;
	if (trend == TREND_NONE || (trend == TREND_RISES) != sort->desc)
		return MOVES;
	return sort->nulls_first && trend != TREND_FALLS ? UP_BUT_NULL : MOVES_UP;
}

static enum movement movement(const struct op *op, const struct stream *in)
{
	const struct topn_conf *conf = topn_conf(op);
	enum movement most = conf->nsort || conf->later_first ? MOVES_UP : MOVES; /* by arrival an update arrives anew */
	if ((in->kinds & S_D) || !key_in_partition(conf, in))
		return MOVES;
	for (uint32_t i = 0; i < conf->nsort; i++) {
		enum movement one = movement_of(&conf->sort[i], in);
		most = one > most ? one : most;
	}
	return most;
}

/* Row numbers 1..1: at most one row per key. */
static bool single(const struct topn_conf *conf)
{
	return conf->ast.rank == RANK_ROW && !conf->variable && conf->ast.from == 1 && conf->ast.to == 1;
}

/* TOPN_FIRST keeps no rows, so it cannot give them again in a later run, nor when a window closes. */
static enum topn_variant pick_variant(const struct op *op, const struct stream *in, enum movement movement)
{
	const struct topn_conf *conf = topn_conf(op);
	bool numbers = conf->ast.rank == RANK_ROW, again = (op->final && op->keeps) || conf->closing.held;
	if (!in->kinds) {
		if (numbers && !conf->nsort && !conf->later_first && !conf->variable && !again)
			return TOPN_FIRST;
		return single(conf) ? TOPN_ONE : TOPN_APPEND;
	}
	if (!numbers || movement == MOVES)
		return TOPN_RETRACT;
	return single(conf) && movement == MOVES_UP ? TOPN_ONE : TOPN_UPDATE;
}

/* By what a row is found again: its unique key, or all of it. */
static int set_ident(struct op *op, const struct stream *in)
{
	struct topn_conf *conf = op->conf;
	bool whole = conf->variant == TOPN_RETRACT;
	uint32_t n = !conf->updates ? 0 : whole ? conf->ncol : in->nkey;
	uint32_t *ident = arena_alloc(op->plan, (n ? n : 1) * sizeof *ident);
	if (!ident)
		return err_memory(op->err);
	for (uint32_t i = 0; i < n; i++)
		ident[i] = whole ? i : in->key[i] - conf->base;
	conf->ident = ident;
	conf->nident = n;
	return 0;
}

/* ---- what comes out ---------------------------------------------------------------------- */

static int out_schema(struct op *op, const struct stream *in, struct stream *out)
{
	struct topn_conf *conf = op->conf;
	conf->rank_col = -1;
	bool shared = in->schema->kind == SCHEMA_CLOSED && !conf->ast.as;
	if (shared && in->schema->timed == (conf->closing.on && in->timed)) /* the schema tells whether there is a rowtime */
		return 0;
	struct schema *schema = arena_alloc(op->plan, sizeof *schema);
	if (!schema)
		return err_memory(op->err);
	schema_init(schema, SCHEMA_CLOSED, op->plan);
	for (uint32_t c = 0; c < conf->ncol; c++) {
		const struct schema_column *col = &in->schema->col[conf->base + c];
		if (schema_add(schema, col->name, col->len, col->type) < 0)
			return err_memory(op->err);
	}
	if (conf->ast.as) {
		conf->rank_col = schema_add(schema, conf->ast.as, conf->ast.as_len, T_NUMBER);
		if (conf->rank_col < 0)
			return err_memory(op->err);
	}
	out->schema = schema;
	return 0;
}

static unsigned out_kinds(const struct topn_conf *conf)
{
	if (conf->closing.held)
		return 0;
	bool shown = conf->rank_col >= 0, numbers = conf->ast.rank == RANK_ROW;
	unsigned renumbered = !numbers && shown ? S_U : 0;
	switch (conf->variant) {
	case TOPN_FIRST:
		return 0;
	case TOPN_ONE:
		return S_U;
	case TOPN_APPEND:
		if (conf->ranked)
			return S_U;
		return renumbered | (conf->variable || conf->ast.to < INT64_MAX ? S_D : 0);
	case TOPN_UPDATE:
		return conf->ranked ? S_U : S_U | S_D;
	case TOPN_RETRACT:
		break;
	}
	return conf->ranked ? S_U | S_D : renumbered | S_D;
}

/* A unique key in the making. */
struct unique {
	uint32_t *col;
	uint32_t n;
};

/* Adds an input column, as the output has it: fields of a row that passes whole are the row. False: it does not pass. */
static bool add_unique(const struct topn_conf *conf, const struct stream *in, struct unique *unique, int column)
{
	if (column < 0)
		return false;
	uint32_t at = (uint32_t)column - conf->base;
	if (in->schema->kind != SCHEMA_CLOSED && ((uint32_t)column < conf->base || at >= conf->ncol))
		at = conf->ncol - 1;
	for (uint32_t i = 0; i < unique->n; i++)
		if (unique->col[i] == at)
			return true;
	if (at >= conf->ncol)
		return false;
	unique->col[unique->n++] = at;
	return true;
}

static int out_unique(struct op *op, const struct stream *in, struct stream *out)
{
	const struct topn_conf *conf = topn_conf(op);
	bool numbers = conf->ast.rank == RANK_ROW, shown = conf->rank_col >= 0;
	bool by_partition = numbers && (single(conf) || shown);
	struct unique unique = { arena_alloc(op->plan, (conf->key.n + in->nkey + 1) * sizeof *unique.col), 0 };
	if (!unique.col)
		return err_memory(op->err);
	out->has_key = by_partition || (in->has_key && !(numbers && conf->ast.from > 1));
	if (by_partition)
		for (uint32_t i = 0; i < conf->key.n; i++)
			out->has_key = out->has_key && add_unique(conf, in, &unique, expr_column(conf->key.expr[i]));
	else
		for (uint32_t i = 0; i < in->nkey; i++)
			out->has_key = out->has_key && add_unique(conf, in, &unique, (int)in->key[i]);
	if (by_partition && !single(conf))
		unique.col[unique.n++] = (uint32_t)conf->rank_col;
	out->key = unique.col;
	out->nkey = out->has_key ? unique.n : 0;
	return 0;
}

/* Windows that are known beforehand and fire once, at their end. */
const struct op_type *topn_ahead(const struct op *op)
{
	const struct op_window *w = op->window;
	if (!w || w->window.rows || w->window.kind == WINDOW_GLOBAL || w->window.kind == WINDOW_SESSION || w->lateness_flag || w->evict_flag)
		return NULL;
	return !w->trigger.n || (w->trigger.n == 1 && w->trigger.cond[0].kind == TRIGGER_END) ? &window_rows_op : NULL;
}

static int bind(struct op *op, const struct stream *in, bool fires, struct err *err)
{
	struct topn_conf *conf = op->conf;
	conf->updates = in->kinds != 0;
	if ((op->window && !fires ? key_bind_window : key_bind)(&conf->key, op, in->schema, err))
		return -1;
	if (bind_sort(op, in, err) || bind_variable(op, in, err) || bind_columns(op, in))
		return -1;
	place_sort(conf);
	return 0;
}

int topn_plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	bool fires = op->window && !topn_ahead(op);
	if (fires && topn_fire_begin(op))
		return err_memory(err);
	if (bind(op, in, fires, err))
		return -1;
	if (fires)
		return topn_fire_plan(op, in, out, err);
	struct topn_conf *conf = op->conf;
	closing_bind(&conf->closing, op, &conf->key, in, op->window != NULL);
	enum movement moves = movement(op, in);
	conf->variant = pick_variant(op, in, moves);
	conf->keeps_all = conf->variant == TOPN_RETRACT || (conf->variant == TOPN_UPDATE && moves == UP_BUT_NULL);
	op->at_once = conf->variant == TOPN_FIRST || conf->closing.on;
	if (set_ident(op, in) || out_schema(op, in, out))
		return -1;
	bool numbers = conf->ast.rank == RANK_ROW, shown = conf->rank_col >= 0;
	bool replaced = single(conf) && conf->variant != TOPN_RETRACT;
	conf->ranked = numbers && ((shown && !single(conf)) || conf->ast.from > 1 || replaced);
	conf->rank = (struct stream_rank){ &conf->ast, op, conf->rank_col };
	out->rank = &conf->rank;
	out->kinds = out_kinds(conf);
	out->trend = NULL;
	out->timed = out->windowed = false;
	out->lateness = 0;
	if (conf->closing.on) {
		op->type = &topn_closing_op;
		closing_describe(in, in->end, in->start, out);
	}
	return out_unique(op, in, out);
}

/* ---- what is read ------------------------------------------------------------------------ */

enum { WIDTH_MAX = 64 /* fields of a row that is made of columns */ };

static bool reads(const struct schema_column *col)
{
	return col->use & NEED_FIELDS;
}

/* Can whole rows be left to the few that are stored, made of the columns that are read of them? Not where two rows may be compared: under --final
 * alone no change is sent. `out`: what is read of the output. */
static bool by_fields(const struct op *op, const uint8_t *out)
{
	const struct topn_conf *conf = topn_conf(op);
	if (!op->final || conf->updates || !conf->open || out[0] != NEED_FIELDS)
		return false;
	for (uint32_t c = 0; c < conf->open->n; c++)
		if (reads(&conf->open->col[c]) && conf->open->col[c].pos >= WIDTH_MAX)
			return false;
	return true;
}

int topn_set_fields(struct op *op)
{
	struct topn_conf *conf = op->conf;
	if (!by_fields(op, op->out->need))
		return 0;
	struct topn_field *field = arena_alloc(op->plan, conf->open->n * sizeof *field);
	if (!field)
		return err_memory(op->err);
	for (uint32_t c = 0; c < conf->open->n; c++) {
		const struct schema_column *col = &conf->open->col[c];
		if (!reads(col))
			continue;
		field[conf->nfield++] = (struct topn_field){ col->pos, c };
		conf->width = col->pos >= conf->width ? col->pos + 1 : conf->width;
	}
	conf->field = field;
	return 0;
}

void topn_need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	const struct topn_conf *conf = topn_conf(op);
	if (by_fields(op, out)) {
		for (uint32_t c = 0; c < conf->open->n; c++)
			in[c] |= reads(&conf->open->col[c]) ? NEED_VALUE : 0;
	} else {
		for (uint32_t c = 0; c < conf->ncol; c++)
			in[conf->base + c] |= NEED_VALUE | out[c];
	}
	for (uint32_t i = 0; i < conf->key.n; i++)
		expr_need(conf->key.expr[i], NEED_VALUE, in);
	for (uint32_t i = 0; i < conf->nsort; i++)
		expr_need(conf->sort[i].expr, NEED_VALUE, in);
	if (conf->variable)
		expr_need(conf->variable, NEED_VALUE, in);
}
