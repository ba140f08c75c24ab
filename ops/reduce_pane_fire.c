#include <string.h>

#include "ops/reduce_pane.h"

/* Rows of one window that go out together. */
struct firing {
	struct op *op;
	struct window window;
	uint32_t n, room;      /* rows; how many the batch behind takes */
	struct entry **entry;  /* by row */
	void **block;
	char *spare;           /* two stacks: a block by row, empty where it is not in use */
	struct value *value;   /* [aggregate * n + row] */
};

/* ---- rows out ---------------------------------------------------------------------------- */

static int start(struct firing *f, struct op *op)
{
	const struct pane_conf *conf = op->conf;
	struct arena *mem = &((struct reduce_pane *)op->state)->scratch;
	uint32_t max = op->out->max;
	arena_reset(mem);
	*f = (struct firing){ .op = op, .entry = arena_alloc(mem, max * sizeof(struct entry *)), .block = arena_alloc(mem, max * sizeof *f->block) };
	f->value = arena_alloc(mem, (size_t)conf->accs.nagg * max * sizeof *f->value);
	if (conf->value == PANE_STACKS) {
		f->spare = arena_alloc(mem, max * conf->accs.size);
		if (f->spare)
			memset(f->spare, 0, max * conf->accs.size);
	}
	return f->entry && f->block && f->value && (f->spare || conf->value != PANE_STACKS) ? 0 : err_memory(op->err);
}

/* Room for at least one row. */
static int make_room(struct firing *f)
{
	struct edge *out = f->op->out;
	if (edge_room(out, 1))
		return -1;
	f->room = out->max - out->batch.n;
	f->n = 0;
	return 0;
}

static void *spare(const struct firing *f, uint32_t i)
{
	return f->spare ? f->spare + i * ((const struct pane_conf *)f->op->conf)->accs.size : NULL;
}

static void empty_spares(struct firing *f)
{
	const struct pane_conf *conf = f->op->conf;
	for (uint32_t i = 0; f->spare && i < f->n; i++)
		if (f->block[i] == spare(f, i))
			accs_empty(&conf->accs, f->block[i]);
}

/* Writes the rows; those that borrow from blocks leave at once, so that blocks may change. */
static int send(struct firing *f)
{
	struct op *op = f->op;
	const struct pane_conf *conf = op->conf;
	if (!f->n)
		return 0;
	if (accs_values(&conf->accs, f->block, f->n, f->value, op->out->batch.mem) ||
	    window_rows(&conf->emit, f->window, ((struct reduce_pane *)op->state)->table, f->entry, f->value, f->n))
		return err_memory(op->err);
	return conf->borrows ? edge_push(op->out) : 0;
}

/* ---- windows of one pane ----------------------------------------------------------------- */

static void free_nodes(struct op *op, struct pane *pane, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		struct pane_node *node = pane->node[i];
		if (!node)
			continue;
		pane_open_unlink(node);
		pane_node_free(op, node);
	}
}

static int fire_pane(struct firing *f)
{
	struct op *op = f->op;
	const struct pane_conf *conf = op->conf;
	struct pane *pane = pane_number(op->state, ((struct reduce_pane *)op->state)->npast);
	f->window = (struct window){ pane->start, pane->end };
	pane_index_free(op, pane);
	for (uint32_t i = 0, from = 0, end = pane->n; i < end; from = i) {
		if (make_room(f))
			return -1;
		for (; i < end && f->n < f->room; i++) {
			struct pane_node *node = pane->node[i];
			if (!node)
				continue;
			f->entry[f->n] = node->entry;
			f->block[f->n++] = pane_block(conf, node);
		}
		if (send(f))
			return -1;
		if (!conf->lateness)
			free_nodes(op, pane, from, i);
	}
	if (conf->lateness)
		pane_late_keep(op, pane);
	else
		pane_drop(op, 0);
	return 0;
}

/* ---- windows of several panes ------------------------------------------------------------ */

static int close_panes(struct op *op, int64_t end)
{
	struct reduce_pane *state = op->state;
	while (state->nclosed < state->n && pane_number(state, state->nclosed)->first_end <= end)
		if (pane_close(op, pane_number(state, state->nclosed)))
			return err_memory(op->err);
	return 0;
}

static int send_spares(struct firing *f)
{
	int status = send(f);
	empty_spares(f);
	return status;
}

static int add_chain(struct firing *f, struct entry *entry)
{
	struct op *op = f->op;
	if (f->n == f->room && (send_spares(f) || make_room(f)))
		return -1;
	f->entry[f->n] = entry;
	f->block[f->n] = pane_chain_value(op, pane_key(entry), spare(f, f->n));
	if (f->block[f->n++])
		return 0;
	f->block[f->n - 1] = spare(f, f->n - 1); /* it may hold a part of the value */
	return err_memory(op->err);
}

/* The keys whose oldest node is in the pane, by arrival. */
static int add_firsts(struct firing *f, const struct pane *pane)
{
	for (uint32_t i = 0, left = pane->nfirst; left; i++) {
		for (uint64_t bits = pane->first[i]; bits; bits &= bits - 1, left--)
			if (add_chain(f, pane->node[i * 64 + (uint32_t)__builtin_ctzll(bits)]->entry))
				return -1;
	}
	return 0;
}

static int send_chains(struct firing *f)
{
	const struct reduce_pane *state = f->op->state;
	if (make_room(f))
		return -1;
	uint64_t left = state->nchain;
	int status = 0;
	for (uint32_t i = state->npast; left && i < state->n && !status; i++) {
		left -= pane_number(state, i)->nfirst;
		status = add_firsts(f, pane_number(state, i));
	}
	if (status)
		empty_spares(f);
	return status ? -1 : send_spares(f);
}

/* The panes that no window behind this one holds leave. */
static int slide_on(struct op *op, int64_t end)
{
	struct reduce_pane *state = op->state;
	while (state->nclosed > state->npast && pane_number(state, state->npast)->last_end <= end)
		if (pane_shift(op, pane_number(state, state->npast)))
			return err_memory(op->err);
	return 0;
}

static int fire_window(struct firing *f, int64_t end)
{
	const struct pane_conf *conf = f->op->conf;
	f->window = (struct window){ windows_start(&conf->windows, end), end };
	return close_panes(f->op, end) || send_chains(f) || slide_on(f->op, end) ? -1 : 0;
}

/* ---- when -------------------------------------------------------------------------------- */

/* The end of the next window that has rows, if windows have fired up to `fired`. */
static bool next_end(const struct op *op, int64_t fired, int64_t *end)
{
	const struct pane_conf *conf = op->conf;
	const struct reduce_pane *state = op->state;
	if (state->npast == state->n)
		return false;
	const struct pane *pane = pane_number(state, state->npast);
	*end = pane->closed ? windows_next_end(&conf->windows, fired + 1) : pane->first_end;
	return true;
}

/* Fires all windows whose last instant is not behind `to`. */
static int fire(struct op *op, int64_t to)
{
	struct firing f;
	int64_t fired = pane_fired(op), end;
	bool started = false;
	for (; next_end(op, fired, &end) && end - 1 <= to; fired = end - 1) {
		if (!started && start(&f, op))
			return -1;
		started = true;
		if (((const struct pane_conf *)op->conf)->value == PANE_ONE ? fire_pane(&f) : fire_window(&f, end))
			return -1;
	}
	return 0;
}

int pane_watermark(struct op *op, int64_t *wm)
{
	if (!op->timed && *wm != WM_END)
		return 0;
	if (fire(op, *wm))
		return -1;
	pane_late_forget(op, *wm);
	return 0;
}

/* The end and the close of every window, with rows or without, is where lateness is judged otherwise. */
int64_t pane_due(const struct op *op)
{
	const struct pane_conf *conf = op->conf;
	const int64_t room = INT64_MAX / 4; /* beyond it, sums would have to be watched */
	if (!op->timed || op->wm == WM_END)
		return INT64_MAX;
	if (op->wm == WM_NONE || (conf->lateness && (op->wm < -room || op->wm > room || conf->lateness > room)))
		return op->wm + 1;
	int64_t end = windows_next_end(&conf->windows, op->wm + 1) - 1;
	if (!conf->lateness)
		return end;
	int64_t close = windows_next_end(&conf->windows, op->wm - conf->lateness + 1) - 1 + conf->lateness;
	return end < close ? end : close;
}

int pane_timer(struct op *op, int64_t now)
{
	struct reduce_pane *state = op->state;
	if (op->timed)
		return 0;
	if (fire(op, now))
		return -1;
	if (now > state->clock)
		state->clock = now;
	return 0;
}

int64_t pane_alarm(const struct op *op)
{
	int64_t end;
	return !op->timed && next_end(op, pane_fired(op), &end) ? end - 1 : INT64_MAX;
}
