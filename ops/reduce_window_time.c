/* What the watermark, or the clock, makes windows do. Ends come before beats of the same instant, as windows with a beat end later. Both are ordered by
 * end, then start, then first arrival; but a hop's windows with a beat come from the latest start backwards, as they do when a row comes. Closes write
 * nothing. */
#include <stdlib.h>

#include "ops/reduce_window.h"

enum {
	AHEAD = 64,      /* timers taken out at once, while their nodes are fetched */
	FIRE_ROOM = 256, /* nodes handed on at once */
	NEAR = 16,       /* places that a node may be away from its own, on average, if nodes are to be sorted by insertion */
};

/* A window closes. Behind the end of input the chain goes by the last close, see end_windows in ops/chain.c: not by rows alone, as a window that has nothing
 * new writes none. */
static void note_close(struct op *op, int64_t end)
{
	int64_t close = rw_close(op->conf, end);
	if (close > op->out->at && close < WM_END)
		op->out->at = close;
}

/* ---- nodes whose time has come ---- */

static int due_add(struct op *op, struct rw_node *node)
{
	struct rw *rw = op->state;
	if (rw->ndue == rw->due_cap) {
		uint32_t cap = rw->due_cap ? 2 * rw->due_cap : 64;
		struct rw_due *due = mem_resize(op->mem, rw->due, rw->due_cap * sizeof *due, cap * sizeof *due);
		if (!due)
			return err_memory(op->err);
		rw->due = due;
		rw->due_cap = cap;
	}
	rw->due[rw->ndue++] = (struct rw_due){ node->window.end, node, true };
	return 0;
}

static int order(const void *x, const void *y)
{
	const struct rw_due *p = x, *q = y;
	if (p->end != q->end)
		return p->end < q->end ? -1 : 1;
	const struct rw_node *a = p->node, *b = q->node;
	if (a->window.start != b->window.start)
		return a->window.start < b->window.start ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int order_backwards(const void *x, const void *y)
{
	const struct rw_node *a = ((const struct rw_due *)x)->node, *b = ((const struct rw_due *)y)->node;
	return a->window.start != b->window.start ? (a->window.start > b->window.start ? -1 : 1) : order(x, y);
}

/* Timers come out nearly in order: an insertion costs less than a sort, which takes over if they do not. */
static void sort_due(struct rw *rw, int (*compare)(const void *, const void *))
{
	uint64_t moves = 0;
	for (uint32_t i = 1; i < rw->ndue; i++) {
		struct rw_due due = rw->due[i];
		uint32_t at = i;
		for (; at && compare(&due, &rw->due[at - 1]) < 0; at--)
			rw->due[at] = rw->due[at - 1];
		rw->due[at] = due;
		moves += i - at;
		if (moves > (uint64_t)NEAR * rw->ndue) {
			qsort(rw->due, rw->ndue, sizeof *rw->due, compare);
			return;
		}
	}
}

static int fire_due(struct op *op)
{
	struct rw *rw = op->state;
	struct rw_node *fire[FIRE_ROOM];
	for (uint32_t i = 0; i < rw->ndue;) {
		uint32_t n = 0;
		for (; i < rw->ndue && n < FIRE_ROOM; i++)
			if (rw->due[i].fires)
				fire[n++] = rw->due[i].node;
		if (n && rw_fire(op, fire, n))
			return -1;
	}
	return 0;
}

/* One timer less points to the node; true if it is the one that counts. */
static bool timer_counts(struct op *op, struct rw_node *node, int64_t time, int64_t set)
{
	node->timers--;
	if (!(node->flags & RW_GONE))
		return time == set;
	rw_node_free(op, node);
	return false;
}

/* ---- ends of sessions ---- */

/* Sessions whose end or close is not later than `limit`; the others get their timer back, at their new end. */
static int find_sessions(struct op *op, int64_t limit)
{
	struct rw *rw = op->state;
	struct wheel_timer timer[AHEAD];
	int n;
	rw->ndue = 0;
	while ((n = wheel_take(&rw->ends, limit, timer, AHEAD)) > 0) {
		for (int i = 0; i < n; i++)
			__builtin_prefetch(timer[i].of, 1);
		for (int i = 0; i < n; i++) {
			struct rw_node *node = timer[i].of;
			if (!timer_counts(op, node, timer[i].time, node->due))
				continue;
			__builtin_prefetch(node->entry);
			node->due = INT64_MAX;
			if (rw_session_due(op->conf, node) <= limit ? due_add(op, node) : rw_session_timer(op, node))
				return err_memory(op->err);
		}
	}
	sort_due(rw, order);
	return n < 0 ? err_memory(op->err) : 0;
}

/* A session fires at its end; one that does not, if it closes at a beat of the clock. */
static bool fires_now(const struct rw_conf *conf, struct rw_node *node, bool end_of_input)
{
	if (conf->ends)
		return !(node->flags & RW_ENDED);
	return conf->beat_at[RW_OWN] && rw_beat_take(conf, node, RW_OWN, rw_close(conf, node->window.end), end_of_input);
}

/* A session that has ended is closed, or waits for its close. */
static int end_session(struct op *op, struct rw_node *node, int64_t limit)
{
	node->flags |= RW_ENDED;
	if (rw_close(op->conf, node->window.end) > limit)
		return rw_session_timer(op, node);
	note_close(op, node->window.end);
	rw_node_drop(op, node);
	return 0;
}

static int end_sessions(struct op *op, int64_t limit, bool end_of_input)
{
	struct rw *rw = op->state;
	if (find_sessions(op, limit))
		return -1;
	for (uint32_t i = 0; i < rw->ndue; i++)
		rw->due[i].fires = fires_now(op->conf, rw->due[i].node, end_of_input);
	if (fire_due(op))
		return -1;
	for (uint32_t i = 0; i < rw->ndue; i++)
		if (end_session(op, rw->due[i].node, limit))
			return err_memory(op->err);
	return 0;
}

/* ---- ends of windows of the grid ---- */

static int fire_open(struct op *op, const struct rw_open *open)
{
	for (uint64_t k = 0; k < open->n;) {
		struct rw_node *fire[FIRE_ROOM];
		uint32_t n = 0;
		for (; k < open->n && n < FIRE_ROOM; k++) {
			rw_open_fetch(open, k);
			fire[n++] = open->node[k];
		}
		if (rw_fire(op, fire, n))
			return -1;
	}
	return 0;
}

static int end_windows(struct op *op, int64_t limit)
{
	struct rw *rw = op->state;
	for (uint32_t i = 0; i < rw->nopen && rw->open[i]->window.end - 1 <= limit; i++) {
		if (rw->open[i]->ended)
			continue;
		if (fire_open(op, rw->open[i]))
			return -1;
		rw->open[i]->ended = true;
	}
	return 0;
}

static void close_windows(struct op *op, int64_t limit)
{
	const struct rw *rw = op->state;
	uint32_t n = 0;
	while (n < rw->nopen && rw_close(op->conf, rw->open[n]->window.end) <= limit)
		n++;
	if (n)
		note_close(op, rw->open[n - 1]->window.end);
	rw_open_close(op, n);
}

/* ---- beats ---- */

static int find_beats(struct op *op, int beat, int64_t instant)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	struct timers *beats = &rw->beats[beat];
	rw->ndue = 0;
	while (timers_first(beats) && timers_first(beats)->time <= instant) {
		struct timer timer = timers_pop(beats);
		struct rw_node *node = timer.of;
		int64_t *set = rw_beat(conf, node, beat);
		if (!timer_counts(op, node, timer.time, *set))
			continue;
		*set = RW_NO_BEAT;
		if (node->flags & RW_NEW && due_add(op, node))
			return -1;
	}
	sort_due(rw, conf->kind == WINDOW_HOP ? order_backwards : order);
	return 0;
}

/* Fires the nodes that have a beat at this instant. It may have been their end, too: then they have fired. */
static int fire_beats(struct op *op, int beat, int64_t instant, bool end_of_input)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	if (find_beats(op, beat, instant))
		return -1;
	for (uint32_t i = 0; i < rw->ndue; i++) {
		struct rw_node *node = rw->due[i].node;
		bool has_fired = beat == RW_OWN && conf->ends && node->window.end - 1 == instant;
		rw->due[i].fires = rw_beat_take(conf, node, beat, instant, end_of_input) && !has_fired;
	}
	if (fire_due(op))
		return -1;
	for (uint32_t i = 0; i < rw->ndue; i++)
		if (rw->due[i].node->flags & RW_NEW && rw_beat_set(op, rw->due[i].node, beat))
			return err_memory(op->err);
	return 0;
}

/* ---- time goes on ---- */

static int end_all(struct op *op, int64_t limit, bool end_of_input)
{
	const struct rw_conf *conf = op->conf;
	if (conf->kind == WINDOW_SESSION)
		return end_sessions(op, limit, end_of_input);
	return conf->ends ? end_windows(op, limit) : 0;
}

/* Beat by beat: what ends up to it, what closes before it, then what has it. */
static int advance(struct op *op, int64_t to)
{
	struct rw *rw = op->state;
	const struct timers *beats = &rw->beats[RW_OWN];
	bool end_of_input = to == WM_END;
	rw->pane = (struct window){ 0 };
	while (timers_first(beats) && timers_first(beats)->time <= to) {
		int64_t instant = timers_first(beats)->time;
		if (end_all(op, instant, end_of_input))
			return -1;
		close_windows(op, instant - 1);
		if (fire_beats(op, RW_OWN, instant, end_of_input))
			return -1;
	}
	if (end_all(op, to, end_of_input))
		return -1;
	close_windows(op, to);
	return 0;
}

int rw_watermark(struct op *op, int64_t *wm)
{
	return op->timed || *wm == WM_END ? advance(op, *wm) : 0;
}

int rw_timer(struct op *op, int64_t now)
{
	const struct timers *beats = &((struct rw *)op->state)->beats[RW_CLOCK];
	if (!op->timed)
		return advance(op, now);
	while (timers_first(beats) && timers_first(beats)->time <= now)
		if (fire_beats(op, RW_CLOCK, timers_first(beats)->time, false))
			return -1;
	return 0;
}

int64_t rw_alarm(const struct op *op)
{
	const struct rw_conf *conf = op->conf;
	const struct rw *rw = op->state;
	const struct timer *beat = timers_first(&rw->beats[op->timed ? RW_CLOCK : RW_OWN]);
	int64_t at = beat ? beat->time : INT64_MAX, end;
	if (op->timed)
		return at;
	if (conf->kind == WINDOW_SESSION && wheel_next(&rw->ends, &end) && end < at)
		at = end;
	if (conf->kind != WINDOW_GLOBAL && rw->nopen && rw->open[0]->window.end - 1 < at)
		at = rw->open[0]->window.end - 1;
	return at;
}

/* The least watermark above `wm` that is an end - 1 + lateness. */
static int64_t next_close(const struct rw_conf *conf, int64_t wm, int64_t lateness)
{
	return windows_next_end(&conf->windows, wm - lateness + 1) - 1 + lateness;
}

int64_t rw_due(const struct op *op)
{
	const struct rw_conf *conf = op->conf;
	if (!op->timed || op->wm == WM_END || (conf->kind == WINDOW_GLOBAL && !conf->beat_at[RW_OWN]))
		return INT64_MAX;
	int64_t room = INT64_MAX / 4; /* beyond it, sums would have to be watched */
	if (conf->kind == WINDOW_SESSION || conf->beat_at[RW_OWN] || op->wm < -room || op->wm > room || conf->lateness > room)
		return op->wm + 1;
	int64_t end = next_close(conf, op->wm, 0), close = next_close(conf, op->wm, conf->lateness);
	return end < close ? end : close;
}
