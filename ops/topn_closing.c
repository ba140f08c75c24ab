/* --topn keyed by the windows of its input. Over rows that only come, in windows of its own, and under --final it answers once, at the close, in order of
 * rank; over rows that change it writes as any other, and only forgets. */
#include "ops/topn.h"

enum { DEAD_MOST = 4096 /* rows that were let go of and wait to be freed */ };

static int push(struct op *op, const struct batch *in)
{
	struct batch picked;
	closing_tidy(&topn_state(op)->closing);
	if (closing_late(op, &topn_conf(op)->closing, in, &picked, &in))
		return -1;
	return in->n ? topn_push(op, in) : 0;
}

/* ---- the close --------------------------------------------------------------------------- */

static int close_key(struct op *op, struct entry *entry)
{
	struct topn *s = topn_state(op);
	if (topn_conf(op)->closing.held && topn_send_shown(op, entry))
		return -1;
	if (topn_drop(op, entry))
		return -1;
	table_remove(s->table, entry);
	if (s->ndead < DEAD_MOST)
		return 0;
	if (edge_push(op->out))
		return -1;
	topn_free_dead(op);
	return 0;
}

static int close_window(struct op *op, const struct closing_window *window)
{
	op->out->at = window->end - 1;
	for (uint64_t i = 0; i < window->n; i++)
		if (window->entry[i] && close_key(op, window->entry[i]))
			return -1;
	return 0;
}

static int close_to(struct op *op, int64_t to)
{
	struct topn *s = topn_state(op);
	const struct closing_window *window;
	closing_tidy(&s->closing);
	topn_free_dead(op);
	if (!closing_next(&s->closing, to))
		return 0;
	if (op->bundled && topn_flush(op))
		return -1;
	while ((window = closing_next(&s->closing, to))) {
		if (close_window(op, window))
			return -1;
		closing_done(&s->closing);
	}
	table_tick(s->table, 0);
	return 0;
}

static int watermark(struct op *op, int64_t *wm)
{
	return op->timed || *wm == WM_END ? close_to(op, *wm) : 0;
}

static int64_t due(const struct op *op)
{
	return op->timed ? closing_time(&topn_state(op)->closing) : INT64_MAX;
}

static int timer(struct op *op, int64_t now)
{
	return op->timed ? 0 : close_to(op, now);
}

static int64_t alarm(const struct op *op)
{
	return op->timed ? INT64_MAX : closing_time(&topn_state(op)->closing);
}

const struct op_type topn_closing_op = {
	.name = "topn",
	.traits = OP_KEYED | OP_BUNDLES,
	.state_size = sizeof(struct topn),
	.before = topn_before,
	.need = topn_need,
	.explain = topn_explain,
	.open = topn_open,
	.push = push,
	.flush = topn_flush,
	.timer = timer,
	.alarm = alarm,
	.watermark = watermark,
	.due = due,
	.save = topn_save,
	.load = topn_load,
	.close = topn_close,
};
