#include <string.h>

#include "ops/reduce_window.h"

static struct span whole(const struct op *flag)
{
	return (struct span){ flag->flag, flag->text, 0, strlen(flag->text) };
}

/* ---- what the flags say ---- */

static int refuse(const struct op *op, const struct stream *in, struct err *err)
{
	const struct op_window *w = op->window;
	if (w->evict.kind != EVICT_NONE && in->kinds && !in->equal_pairs) /* somebody else's changelog need not take back what it may: rw_push watches */
		return err_at(err, whole(w->evict_flag), "no evictor where rows are taken back: what it has dropped could not be");
	if (w->lateness_flag && !op->timed)
		return err_at(err, whole(w->lateness_flag), "lateness goes by event time, and there is none here: nothing comes late on the clock");
	for (uint32_t i = 0; i < w->trigger.n; i++)
		if (w->trigger.cond[i].kind == TRIGGER_DELTA && w->window.kind == WINDOW_SESSION)
			return err_at(err, w->trigger.cond[i].span, "no delta in sessions: two that merge would each compare with a value of their own");
	return 0;
}

static struct expr *bind_number(const struct op *op, const struct node *node, struct schema *schema, struct err *err)
{
	struct expr *expr = expr_bind(node, schema, op->plan, err);
	return expr ? expr_as(expr, T_NUMBER, op->plan, err) : NULL;
}

static int bind_cond(const struct op *op, const struct trigger_cond *ast, struct schema *schema, struct rw_cond *cond, struct err *err)
{
	*cond = (struct rw_cond){ .kind = ast->kind, .n = ast->n, .delta = ast->delta, .beat = -1 };
	if (ast->kind == TRIGGER_EVERY)
		cond->beat = RW_OWN;
	if (ast->kind == TRIGGER_CLOCK)
		cond->beat = op->timed ? RW_CLOCK : RW_OWN;
	if (ast->kind != TRIGGER_DELTA)
		return 0;
	cond->expr = bind_number(op, ast->expr, schema, err);
	return cond->expr ? 0 : -1;
}

/* Without --trigger a window fires at its end, the global one never. */
static int bind_trigger(struct op *op, struct schema *schema, struct err *err)
{
	static struct trigger_cond end = { .kind = TRIGGER_END };
	struct rw_conf *conf = op->conf;
	struct trigger_ast ast = op->window->trigger;
	if (!ast.n && conf->kind != WINDOW_GLOBAL)
		ast = (struct trigger_ast){ .cond = &end, .n = 1 };
	conf->ncond = ast.n;
	conf->cond = arena_alloc(op->plan, (ast.n + 1) * sizeof *conf->cond);
	if (!conf->cond)
		return err_memory(err);
	bool only_end = true;
	for (uint32_t i = 0; i < ast.n; i++) {
		enum trigger_kind kind = ast.cond[i].kind;
		if (bind_cond(op, &ast.cond[i], schema, &conf->cond[i], err))
			return -1;
		conf->ends |= kind == TRIGGER_END || kind == TRIGGER_EVERY;
		only_end &= kind == TRIGGER_END;
	}
	conf->again = conf->watches = ast.n && (!only_end || conf->lateness);
	op->lags = conf->kind == WINDOW_SESSION && !conf->watches; /* a row ahead of the watermark touches no session that is due */
	conf->purge = ast.purge;
	conf->updates = conf->again && !conf->purge;
	return 0;
}

static int bind_evict(struct op *op, struct schema *schema, struct err *err)
{
	struct rw_conf *conf = op->conf;
	conf->evict = op->window->evict;
	if (conf->evict.kind != EVICT_DELTA)
		return 0;
	conf->evict_expr = bind_number(op, conf->evict.expr, schema, err);
	return conf->evict_expr ? 0 : -1;
}

/* ---- the parts of a node ---- */

static size_t grow(size_t *size, bool wanted, size_t by)
{
	size_t at = *size;
	if (!wanted)
		return 0;
	*size += by;
	return at;
}

static size_t state_size(enum trigger_kind kind)
{
	return kind == TRIGGER_DELTA ? sizeof(struct value) : kind == TRIGGER_END || kind == TRIGGER_EACH ? 0 : sizeof(int64_t);
}

/* Values of a row that is kept. */
static uint32_t count_kept(const struct rw_conf *conf)
{
	uint32_t n = conf->accs.ndistinct + (conf->evict_expr != NULL);
	for (uint32_t i = 0; i < conf->accs.nagg; i++)
		n += conf->accs.agg[i].agg.narg + (conf->accs.agg[i].filter != NULL);
	return n;
}

static void lay_out(struct rw_conf *conf)
{
	bool beats[RW_BEATS] = { false }, evicts = conf->evict.kind != EVICT_NONE;
	size_t size = sizeof(struct rw_node);
	conf->rows_at = grow(&size, conf->counts, sizeof(int64_t));
	for (uint32_t i = 0; i < conf->ncond; i++) {
		struct rw_cond *cond = &conf->cond[i];
		cond->at = grow(&size, state_size(cond->kind) > 0, state_size(cond->kind));
		if (cond->beat >= 0)
			beats[cond->beat] = true;
	}
	for (int i = 0; i < RW_BEATS; i++)
		conf->beat_at[i] = grow(&size, beats[i], sizeof(int64_t));
	conf->was_at = grow(&size, conf->updates, sizeof(struct rw_was *));
	conf->kept_at = grow(&size, evicts, sizeof(struct rw_kept_list));
	conf->block_at = grow(&size, !evicts, conf->accs.size);
	conf->node_size = size;
	conf->nkept = evicts ? count_kept(conf) : 0;
}

/* ---- callbacks ---- */

static unsigned kinds_of(const struct rw_conf *conf)
{
	bool goes = conf->counts || conf->kind == WINDOW_SESSION || conf->evict.kind == EVICT_DELTA;
	return !conf->updates ? 0 : goes ? S_U | S_D : S_U;
}

static int describe(struct op *op, struct stream *out, struct err *err)
{
	struct rw_conf *conf = op->conf;
	conf->emit = (struct window_emit){ .op = op, .key = &conf->key, .accs = &conf->accs, .bounds = conf->kind != WINDOW_GLOBAL };
	if (window_describe(&conf->emit, kinds_of(conf), !conf->updates && !conf->lateness, out, err))
		return -1;
	if (conf->again && (conf->purge || conf->kind == WINDOW_SESSION)) { /* several rows, or a row whose bounds change */
		out->has_key = false;
		out->nkey = 0;
		out->trend = NULL;
	}
	/* A session that has written early and then grows takes its row back behind the end that the row has: nobody may close its window before. */
	if (conf->again && conf->kind == WINDOW_SESSION)
		out->windowed = false;
	return 0;
}

int rw_plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	const struct op_window *w = op->window;
	struct rw_conf *conf = arena_alloc(op->plan, sizeof *conf);
	if (!conf)
		return err_memory(err);
	*conf = (struct rw_conf){ .list = *(const struct named_list *)op->conf, .kind = w->window.kind };
	conf->lateness = conf->kind == WINDOW_GLOBAL ? 0 : w->lateness; /* nothing is late there */
	conf->counts = in->kinds && w->evict.kind == EVICT_NONE;
	op->conf = conf;
	if (conf->kind == WINDOW_SESSION)
		conf->gap = w->window.size;
	else if (conf->kind != WINDOW_GLOBAL)
		windows_init(&conf->windows, &w->window, in->schema->zone);
	if (refuse(op, in, err) || key_bind(&conf->key, op, in->schema, err) || accs_bind(&conf->accs, op, &conf->list, &conf->key, in, err))
		return -1;
	if (bind_trigger(op, in->schema, err) || bind_evict(op, in->schema, err))
		return -1;
	lay_out(conf);
	return describe(op, out, err);
}

void rw_need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	const struct rw_conf *conf = op->conf;
	window_need(&conf->emit, out, in);
	for (uint32_t i = 0; i < conf->ncond; i++)
		if (conf->cond[i].expr)
			expr_need(conf->cond[i].expr, NEED_VALUE, in);
	if (conf->evict_expr)
		expr_need(conf->evict_expr, NEED_VALUE, in);
}

void rw_explain(const struct op *op, struct buf *out)
{
	static const char *const kind[] = { "one global window", "tumbling windows", "sliding windows", "cumulating windows", "sessions" };
	const struct rw_conf *conf = op->conf;
	const char *firings = !conf->again ? "fired once" : conf->updates ? "each firing changes the one before" : "each firing a row of its own";
	buf_printf(out, "  variant    %s%s, %s, over %s input\n", kind[conf->kind], op->timed ? "" : " on the clock", firings,
		   conf->accs.retracts ? "updating" : "insert-only");
	buf_printf(out, "  state      %zu bytes for each key and open window, and the key", conf->node_size);
	if (conf->updates)
		buf_printf(out, "; what it wrote, %zu bytes and texts", sizeof(struct rw_was) + conf->accs.nagg * sizeof(struct value));
	if (conf->kept_at)
		buf_printf(out, "; its rows, %zu bytes and texts each", sizeof(struct rw_kept) + sizeof(struct row) + conf->nkept * sizeof(struct value));
	if (conf->kind == WINDOW_GLOBAL)
		buf_puts(out, "; a key stays until the end of input");
	accs_explain(&conf->accs, out);
	buf_putc(out, '\n');
}
