/* --reduce keyed by the windows of its input. Over rows that only come (and under --final) it answers once, at the close; over rows that change it writes as
 * any other, and only forgets. */
#include "ops/reduce.h"

int reduce_closing_push(struct op *op, const struct batch *in)
{
	const struct reduce_conf *conf = op->conf;
	struct batch picked;
	closing_tidy(&((struct reduce *)op->state)->closing);
	return closing_late(op, &conf->closing, in, &picked, &in) ? -1 : reduce_push(op, in);
}

/* ---- the close --------------------------------------------------------------------------- */

/* Keys on their way out, of one or more windows: what was written of them borrows from their states. */
struct leaving {
	struct op *op;
	struct entry *entry[BATCH_MAX];
	uint32_t n;
};

/* Sends what was written and lets go of the keys. */
static int let_go(struct leaving *leaving)
{
	if (edge_push(leaving->op->out))
		return -1;
	for (; leaving->n; leaving->n--) {
		struct entry *entry = leaving->entry[leaving->n - 1];
		accs_empty(&((const struct reduce_conf *)leaving->op->conf)->accs, reduce_block(leaving->op->conf, entry));
		table_remove(((struct reduce *)leaving->op->state)->table, entry);
	}
	return 0;
}

/* The next keys of a window, up to n. */
static uint32_t next_keys(const struct closing_window *window, uint64_t *at, struct entry **entry, uint32_t n)
{
	uint32_t found = 0;
	for (; *at < window->n && found < n; ++*at)
		if (window->entry[*at])
			entry[found++] = window->entry[*at];
	return found;
}

static int close_window(struct leaving *leaving, const struct closing_window *window)
{
	struct op *op = leaving->op;
	bool answers = ((const struct reduce_conf *)op->conf)->closing.held;
	for (uint64_t at = 0, left = window->live; left;) {
		if (leaving->n == BATCH_MAX && let_go(leaving))
			return -1;
		uint32_t room = reduce_room(op, BATCH_MAX - leaving->n), n = next_keys(window, &at, leaving->entry + leaving->n, room);
		if (!room || (answers && reduce_emit_now(op, leaving->entry + leaving->n, n)))
			return -1;
		leaving->n += n;
		left -= n;
	}
	return 0;
}

static int close_to(struct op *op, int64_t to)
{
	struct reduce *reduce = op->state;
	struct leaving leaving = { .op = op };
	const struct closing_window *window;
	closing_tidy(&reduce->closing);
	if (!closing_next(&reduce->closing, to))
		return 0;
	if (op->bundled && reduce_flush(op))
		return -1;
	while ((window = closing_next(&reduce->closing, to))) {
		if (close_window(&leaving, window))
			return -1;
		closing_done(&reduce->closing);
	}
	if (let_go(&leaving))
		return -1;
	table_tick(reduce->table, 0);
	return 0;
}

int reduce_closing_watermark(struct op *op, int64_t *wm)
{
	return op->timed || *wm == WM_END ? close_to(op, *wm) : 0;
}

int64_t reduce_closing_due(const struct op *op)
{
	return op->timed ? closing_time(&((const struct reduce *)op->state)->closing) : INT64_MAX;
}

int reduce_closing_timer(struct op *op, int64_t now)
{
	return op->timed ? 0 : close_to(op, now);
}

int64_t reduce_closing_alarm(const struct op *op)
{
	return op->timed ? INT64_MAX : closing_time(&((const struct reduce *)op->state)->closing);
}
