/* Planning: chain_add and chain_plan. Forwards, each operator resolves its columns against what reaches it and picks its variant; backwards, it
 * is settled who wants -U and which columns are read at all. */
#include <string.h>

#include "ops/chain.h"

static struct op *new_op(struct chain *chain, const struct op_type *type, const char *flag, const char *text)
{
	struct op *op = arena_alloc(&chain->plan, sizeof *op);
	void *conf = arena_alloc(&chain->plan, type->conf_size ? type->conf_size : 1);
	if (!op || !conf) {
		err_memory(chain->err);
		return NULL;
	}
	memset(conf, 0, type->conf_size);
	*op = (struct op){ .type = type, .flag = flag, .text = text, .conf = conf, .mem = chain->mem, .plan = &chain->plan, .err = chain->err };
	op->wm = WM_NONE;
	op->began = WM_NONE;
	op->late_last = INT64_MAX;
	op->final = chain->final;
	op->keeps = chain->keeps;
	op->ttl = chain->settings.ttl;
	op->bundled = chain->settings.bundle != NULL;
	return op;
}

/* Puts an operator and the edge in front of it at the end of the chain. */
static int append(struct chain *chain, struct op *op)
{
	if (chain->n == chain->cap) {
		uint32_t cap = chain->cap ? 2 * chain->cap : 8;
		struct op **ops = arena_alloc(&chain->plan, cap * sizeof *ops);
		struct edge **edges = arena_alloc(&chain->plan, cap * sizeof *edges);
		if (!ops || !edges)
			return err_memory(chain->err);
		if (chain->n) {
			memcpy(ops, chain->op, chain->n * sizeof *ops);
			memcpy(edges, chain->edge, chain->n * sizeof *edges);
		}
		chain->op = ops;
		chain->edge = edges;
		chain->cap = cap;
	}
	struct edge *edge = arena_alloc(&chain->plan, sizeof *edge);
	if (!edge)
		return err_memory(chain->err);
	*edge = (struct edge){ .to = op };
	if (chain->n)
		chain->op[chain->n - 1]->out = edge;
	chain->edge[chain->n] = edge;
	chain->op[chain->n++] = op;
	return 0;
}

/* The first of the window flags that wait for an operator; NULL: none. */
static struct op *first_flag(const struct op_window *w)
{
	struct op *flag[] = { w->window_flag, w->trigger_flag, w->evict_flag, w->lateness_flag, w->late_flag };
	for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
		if (flag[i])
			return flag[i];
	return NULL;
}

static int take_window(struct chain *chain, struct op *op)
{
	struct op_window *waiting = &chain->settings.window;
	if (!first_flag(waiting))
		return 0;
	const struct op *flag = first_flag(waiting);
	if (!waiting->window_flag && !waiting->trigger_flag)
		return err_set(chain->err, ERR_USAGE, "%s '%s': without a window and without a --trigger nothing would ever fire; put a window before it, as in --tumble 1m %s '%s'",
			       flag->flag, flag->text, flag->flag, flag->text);
	struct op_window *window = arena_alloc(&chain->plan, sizeof *window);
	if (!window)
		return err_memory(chain->err);
	*window = *waiting;
	*waiting = (struct op_window){ .window.kind = WINDOW_GLOBAL };
	op->window = window;
	return 0;
}

/* Before an operator that leaves it to another one to give its rows their windows: late rows are that one's. */
static int append_ahead(struct chain *chain, struct op *op, const struct op_type *type)
{
	const struct op *flag = op->window->window_flag;
	struct op *ahead = new_op(chain, type, flag->flag, flag->text);
	struct op_window *rest = arena_alloc(&chain->plan, sizeof *rest);
	if (!ahead || !rest)
		return err_memory(chain->err);
	ahead->window = op->window;
	*rest = *op->window;
	rest->late_flag = NULL;
	op->window = rest;
	return append(chain, ahead);
}

int chain_add(struct chain *chain, const struct op_type *type, const char *flag, const char *text)
{
	if (chain->n >= OPERATORS_MAX)
		return err_set(chain->err, ERR_USAGE, "%s '%s': there are %d operators already; pipe the result into another weir -f changelog", flag, text, OPERATORS_MAX);
	struct op *op = new_op(chain, type, flag, text);
	if (!op || (type->parse && type->parse(op, chain->err)))
		return -1;
	if (type->apply && type->apply(op, &chain->settings, chain->err))
		return -1;
	if (type->traits & OP_SETTING)
		return 0;
	if (type->traits & OP_KEYED) {
		op->key = chain->settings.key;
		chain->settings.key = NULL;
	}
	if (type->traits & OP_WINDOWED && take_window(chain, op))
		return -1;
	const struct op_type *ahead = type->ahead ? type->ahead(op) : NULL;
	return ahead && append_ahead(chain, op, ahead) ? -1 : append(chain, op);
}

/* A file for the late rows of an operator: a sink of its own, in changelog format. */
static int add_side(struct chain *chain, struct op *from, const struct stream *in)
{
	const struct op *flag = from->window->late_flag;
	if (chain->nside == SIDES_MAX)
		return err_set(chain->err, ERR_USAGE, "%s '%s': there are %d such files already", flag->flag, flag->text, SIDES_MAX);
	struct chain_side *side = arena_alloc(&chain->plan, sizeof *side);
	struct op *sink = new_op(chain, &sink_op, flag->flag, flag->text);
	if (!side || !sink)
		return err_memory(chain->err);
	*side = (struct chain_side){ .flag = flag->flag, .path = flag->text, .sink = sink };
	struct sink_conf *conf = sink->conf;
	*conf = (struct sink_conf){ .opt = { .type = emit_find("changelog", 9), .style = &chain->style }, .out = &side->out, .appends = true };
	side->edge = (struct edge){ .to = sink, .stream = *in };
	sink->final = false;
	chain->side[chain->nside++] = side;
	from->late = &side->edge;
	return sink_op.plan(sink, in, NULL, chain->err);
}

static int plan_op(struct chain *chain, uint32_t i, const struct stream *in)
{
	struct op *op = chain->op[i];
	chain->edge[i]->stream = *in;
	op->timed = in->timed;
	if (op->window && op->window->late_flag && add_side(chain, op, in))
		return -1;
	if (!op->out)
		return op->type->plan ? op->type->plan(op, in, NULL, chain->err) : 0;
	struct stream *out = &op->out->stream;
	*out = *in;
	out->before = out->equal_pairs = false;
	out->rank = NULL;
	if (op->type->plan && op->type->plan(op, &chain->edge[i]->stream, out, chain->err))
		return -1;
	if (out->schema != in->schema) {
		out->schema->zone = in->schema->zone;
		out->schema->timed = out->timed;
	}
	if (out->schema != in->schema && schema_row(out->schema) >= 0)
		out->schema->origin = in->schema->kind == SCHEMA_POSITIONS ? in->schema : in->schema->origin;
	if (op->final && op->type->result) {
		out->kinds = 0;
		out->trend = NULL;
	}
	return 0;
}

/* A result that updates and has nobody who holds it: its rows are kept for --final. */
static bool needs_collect(const struct chain *chain, const struct stream *last)
{
	return chain->final && last->kinds;
}

/* Plans operators from i on; what leaves the last one is in *last. */
static int plan_forwards(struct chain *chain, const struct stream *in, struct stream *last)
{
	struct edge end = { 0 };
	if (chain->n)
		chain->op[chain->n - 1]->out = &end;
	*last = *in;
	int status = 0;
	for (uint32_t i = 0; i < chain->n && !status; i++) {
		status = plan_op(chain, i, last);
		*last = chain->op[i]->out->stream;
	}
	if (chain->n)
		chain->op[chain->n - 1]->out = NULL;
	return status;
}

static int append_planned(struct chain *chain, const struct op_type *type, struct stream *last, const void *conf)
{
	struct op *op = new_op(chain, type, NULL, NULL);
	if (!op)
		return -1;
	if (conf)
		memcpy(op->conf, conf, type->conf_size);
	if (append(chain, op))
		return -1;
	struct edge end = { 0 };
	op->out = type == &sink_op ? NULL : &end;
	int status = plan_op(chain, chain->n - 1, last);
	if (op->out)
		*last = end.stream;
	op->out = NULL;
	return status;
}

/* A row that may go to the file for late rows is read whole. */
static int need_late(struct chain *chain, struct op *op, struct edge *in)
{
	uint32_t n = in->stream.schema->n;
	uint8_t *need = arena_alloc(&chain->plan, n ? n : 1);
	if (!need)
		return err_memory(chain->err);
	memset(need, 0, n);
	sink_op.need(op->late->to, NULL, need);
	for (uint32_t c = 0; c < n; c++)
		in->need[c] |= need[c];
	op->late->need = need;
	op->late->stream.before = in->stream.before;
	return 0;
}

static int plan_backwards(struct chain *chain)
{
	bool wanted = true;
	for (uint32_t i = chain->n; i-- > 0;) {
		struct op *op = chain->op[i];
		struct edge *in = chain->edge[i];
		op->before = op->out ? wanted : true;
		wanted = op->type->before ? op->type->before(op, wanted) : wanted;
		in->stream.before = in->stream.kinds && wanted;
		uint32_t n = in->stream.schema->n;
		in->need = arena_alloc(&chain->plan, n ? n : 1);
		if (!in->need)
			return err_memory(chain->err);
		memset(in->need, 0, n);
		const uint8_t *out = op->out ? op->out->need : NULL;
		if (op->type->need)
			op->type->need(op, out, in->need);
		else if (out)
			memcpy(in->need, out, n);
		if (op->late && need_late(chain, op, in))
			return -1;
		for (uint32_t c = 0; i == 0 && c < n; c++)
			in->need[c] |= in->stream.schema->col[c].use & (uint8_t)~NEED_FIELDS;
	}
	return 0;
}

/* A flag that stands before its operator is left over. `bare`: operators that could have taken one like it, and have none. */
static int left_over(struct chain *chain, const struct op *flag, bool (*bare)(const struct op *op), const char *what, const char *use)
{
	for (uint32_t i = chain->n; i-- > 0;) {
		const struct op *op = chain->op[i];
		if (bare(op))
			return err_set(chain->err, ERR_USAGE, "%s '%s': a %s stands before its operator: %s '%s' %s '%s'", flag->flag, flag->text, what, flag->flag,
				       flag->text, op->flag, op->text);
	}
	return err_set(chain->err, ERR_USAGE, "%s '%s': no operator behind it %s this %s; put --reduce or --topn there", flag->flag, flag->text, use, what);
}

static bool without_key(const struct op *op)
{
	return op->type->traits & OP_KEYED && !op->key;
}

static bool without_window(const struct op *op)
{
	return op->type->traits & OP_WINDOWED && !op->window;
}

static int check_left_over(struct chain *chain)
{
	const struct op *window = first_flag(&chain->settings.window);
	if (chain->settings.key && left_over(chain, chain->settings.key, without_key, "key", "uses"))
		return -1;
	return window ? left_over(chain, window, without_window, "window", "has") : 0;
}

/* Does anything in the chain go by event time? If not, rows need none, and a record without a valid one is not bad. */
static void find_time(struct chain *chain, bool wanted)
{
	chain->needs_time = chain->edge[0]->stream.timed && wanted;
	for (uint32_t i = 0; i < chain->n; i++) {
		const struct op *op = chain->op[i];
		if (op->timed && ((op->window && !op->window->window.rows) || op->ttl || op->steps || chain->edge[i]->stream.schema->reads_time))
			chain->needs_time = true;
	}
	for (uint32_t i = 0; i < chain->n && !chain->needs_time; i++)
		chain->op[i]->timed = chain->edge[i]->stream.timed = false;
}

/* Only the first operator that goes by the watermark can lag: what reaches the others comes at a watermark, not ahead of it. */
static void find_lag(struct chain *chain)
{
	bool first = true;
	for (uint32_t i = 0; i < chain->n; i++) {
		struct op *op = chain->op[i];
		op->lags &= first;
		chain->lags |= op->lags;
		first &= !op->type->watermark;
	}
}

int chain_plan(struct chain *chain, const struct stream *in, const struct sink_conf *sink)
{
	if (check_left_over(chain))
		return -1;
	in->schema->timed = in->timed;
	struct stream last;
	if (plan_forwards(chain, in, &last))
		return -1;
	if (needs_collect(chain, &last) && append_planned(chain, &collect_op, &last, NULL))
		return -1;
	if (append_planned(chain, &sink_op, &last, sink))
		return -1;
	find_time(chain, sink->opt.type->watermark);
	find_lag(chain);
	return plan_backwards(chain);
}

const uint8_t *chain_need(const struct chain *chain)
{
	return chain->edge[0]->need;
}
