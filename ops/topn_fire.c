/* --topn in windows of its own that are made by their rows, or may fire several times: sessions, windows of rows, global windows; triggers, lateness, evictors.
 *
 * Within it works a reduce whose one aggregate is the list that a window shows (ops/topn_lists.c). What that writes of a window's lists is turned into what
 * it means for their rows: the first list is all +I, from one to the next it is the difference, as after a bundle.
 *
 *     rows --> [ reduce ] --edge--> [ lists ] --> rows
 *              window, key, list    old list, new list */
#include <string.h>

#include "ops/reduce.h"
#include "ops/state/snapshot.h"
#include "ops/topn.h"

static const struct topn_fire_conf *fire_conf(const struct op *op) { return op->conf; }
static struct topn_fire *fire_state(const struct op *op) { return op->state; }

/* ---- lists into rows --------------------------------------------------------------------- */

/* The rows of the list in row r of what the reduce writes; nothing if it is not there. */
static int read_list(struct op *op, const struct batch *in, uint32_t r, bool there, struct topn_touched *to)
{
	const struct value *list = &in->col[in->ncol - 1].v[r];
	struct value bounds[2];
	*to = (struct topn_touched){ .n = 0 };
	for (uint32_t i = 0; i < fire_conf(op)->bounds; i++)
		bounds[i] = in->col[i].v[r];
	return there ? topn_lists_read(op, list, bounds, in->mem, to) : 0;
}

static int push_lists(struct op *lists, const struct batch *in)
{
	struct op *op = lists->conf;
	struct arena *mem = &fire_state(op)->topn.bundle;
	for (uint32_t r = 0; r < in->n; r++) {
		uint8_t kind = batch_kind(in, r);
		bool adds = kind_adds(kind), pair = kind & K_PAIR;
		struct topn_touched old, new;
		arena_reset(mem);
		if (read_list(op, in, r, !adds, &old) || read_list(op, in, r + pair, adds || pair, &new))
			return -1;
		if (in->time)
			op->out->at = in->time[r + pair];
		if (topn_send_difference(op, &old, &new))
			return -1;
		r += pair;
	}
	return 0;
}

static const struct op_type lists_op = { .name = "lists", .push = push_lists };

/* ---- what the plan asks ------------------------------------------------------------------ */

static void need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	const struct topn_fire_conf *conf = fire_conf(op);
	const struct topn_conf *topn = &conf->topn;
	for (uint32_t c = 0; c < conf->passes; c++)
		in[topn->base + c] |= NEED_VALUE | out[conf->bounds + c];
	for (uint32_t i = 0; i < topn->nsort; i++)
		expr_need(topn->sort[i].expr, NEED_VALUE, in);
	if (topn->variable)
		expr_need(topn->variable, NEED_VALUE, in);
	conf->reduce->type->need(conf->reduce, conf->edge->need, in);
}

static bool before(const struct op *op, bool wanted)
{
	const struct op *reduce = fire_conf(op)->reduce;
	return reduce->type->before(reduce, wanted);
}

static void explain(const struct op *op, struct buf *out)
{
	const struct op *reduce = fire_conf(op)->reduce;
	const struct topn_conf *topn = topn_conf(op);
	reduce->type->explain(reduce, out);
	if (topn->updates || topn->variable || topn->ast.to == INT64_MAX || topn->ast.rank == RANK_DENSE)
		buf_puts(out, "  lists      all rows of a window\n");
	else
		buf_printf(out, "  lists      rows of rank %lld at most\n", (long long)topn->ast.to);
}

/* ---- the operator within ----------------------------------------------------------------- */

/* It sees what this one sees. */
static struct op *enter(const struct op *op)
{
	struct op *reduce = fire_conf(op)->reduce;
	reduce->timed = op->timed;
	reduce->wm = op->wm;
	reduce->now = op->now;
	reduce->late = op->late;
	reduce->nlate = op->nlate;
	reduce->late_last = op->late_last;
	reduce->ignored = op->ignored;
	return reduce;
}

static int leave(struct op *op, int status)
{
	const struct op *reduce = fire_conf(op)->reduce;
	op->nlate = reduce->nlate;
	op->late_last = reduce->late_last;
	op->ignored = reduce->ignored;
	return edge_push(fire_conf(op)->edge) ? -1 : status;
}

static int push(struct op *op, const struct batch *in)
{
	struct op *reduce = enter(op);
	return leave(op, reduce->type->push(reduce, in));
}

/* The time of the last row or close is that of the reduce within: see ops/chain.c, end_windows. */
static int watermark(struct op *op, int64_t *wm)
{
	struct op *reduce = enter(op);
	reduce->out->at = op->out->at;
	int status = reduce->type->watermark ? leave(op, reduce->type->watermark(reduce, wm)) : 0;
	if (reduce->out->at > op->out->at)
		op->out->at = reduce->out->at;
	return status;
}

static int timer(struct op *op, int64_t now)
{
	struct op *reduce = enter(op);
	return reduce->type->timer ? leave(op, reduce->type->timer(reduce, now)) : 0;
}

static int64_t due(const struct op *op)
{
	const struct op *reduce = enter(op);
	return reduce->type->due ? reduce->type->due(reduce) : INT64_MAX;
}

static int64_t alarm(const struct op *op)
{
	const struct op *reduce = enter(op);
	return reduce->type->alarm ? reduce->type->alarm(reduce) : INT64_MAX;
}

static int save(const struct op *op, struct snap_out *out)
{
	const struct op *reduce = enter(op);
	snap_put_u64(out, fire_state(op)->topn.seq);
	return reduce->type->save(reduce, out);
}

static int load(struct op *op, struct snap_in *in)
{
	struct op *reduce = enter(op);
	fire_state(op)->topn.seq = snap_u64(in);
	return reduce->type->load(reduce, in);
}

/* ---- life -------------------------------------------------------------------------------- */

static int open(struct op *op)
{
	const struct topn_fire_conf *conf = fire_conf(op);
	struct topn_fire *state = fire_state(op);
	struct op *reduce = enter(op);
	arena_init(&state->topn.bundle, op->mem);
	buf_init(&state->list, op->mem);
	state->topn.seq = UINT64_MAX / 2;
	state->topn.scratch = arena_alloc(op->plan, (conf->topn.ncol + 1) * sizeof *state->topn.scratch);
	state->column = arena_alloc(op->plan, (conf->passes + conf->topn.nextra + 1) * sizeof *state->column);
	reduce->state = arena_alloc(op->plan, reduce->type->state_size);
	if (!state->topn.scratch || !state->column || !reduce->state)
		return err_memory(op->err);
	memset(reduce->state, 0, reduce->type->state_size);
	memset(state->column, 0, (conf->passes + conf->topn.nextra + 1) * sizeof *state->column);
	*conf->lists = (struct op){ .type = &lists_op, .conf = op, .out = op->out, .mem = op->mem, .plan = op->plan, .err = op->err };
	if (edge_open(conf->edge, conf->lists, op->mem, op->out->max, op->err))
		return -1;
	int status = reduce->type->open(reduce);
	op->keys = reduce->keys;
	return status;
}

static void close(struct op *op)
{
	struct topn_fire *state = op->state;
	struct op *reduce = fire_conf(op)->reduce;
	if (!state)
		return;
	if (reduce->state)
		reduce->type->close(reduce);
	reduce->state = NULL;
	edge_close(fire_conf(op)->edge);
	buf_release(&state->list);
	arena_release(&state->topn.bundle);
	*state = (struct topn_fire){ 0 };
}

const struct op_type topn_fire_op = {
	.name = "topn",
	.traits = OP_KEYED | OP_WINDOWED,
	.state_size = sizeof(struct topn_fire),
	.before = before,
	.need = need,
	.explain = explain,
	.open = open,
	.push = push,
	.timer = timer,
	.alarm = alarm,
	.watermark = watermark,
	.due = due,
	.save = save,
	.load = load,
	.close = close,
};
