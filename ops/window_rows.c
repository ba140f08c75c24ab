/* Before a topn that has a window: gives each row once for each window that holds it and has not closed, with the bounds in front. It stands in no list of
 * flags: the planner puts it there, and the topn is then keyed by window.
 *
 *     row        1 a           -->   [0,10) 1 a,  [5,15) 1 a      --hop '10s every 5s', at 7s
 *     update     -U 1 a, +U 1 b      -D and +I in each of them: they may be of different windows
 *
 * A row keeps its own event time, so that the topn can sort by it. Rows of one pane are in the same windows, which are looked up once. */
#include <string.h>

#include "ops/late.h"
#include "ops/op.h"
#include "ops/window.h"
#include "ops/window_emit.h"

/* A closed schema passes all its columns; an open one whole rows, and of paths also those that the topn asks for. */
struct conf {
	struct windows windows;
	uint32_t base, ncol; /* columns base .. base+ncol-1 of the input pass */
	bool updates;        /* the input does */
};

enum { BOUNDS = 2 /* columns of the output in front of those that pass */ };

struct state {
	struct window pane;    /* its windows are in `window`, by end */
	struct window *window;
	uint32_t n, cap;
	int64_t clock;         /* on the clock: what it had reached when windows last closed */
};

/* ---- plan -------------------------------------------------------------------------------- */

static int bind_columns(struct conf *conf, struct schema *in)
{
	struct schema_place place;
	conf->ncol = in->n;
	if (in->kind == SCHEMA_CLOSED)
		return 0;
	if (!schema_whole(in, &place))
		return -1;
	conf->base = place.col;
	conf->ncol = 1;
	return 0;
}

/* The column of the input that column c of the output, behind the bounds, comes from. */
static uint32_t source_of(const struct op *op, uint32_t c)
{
	const struct conf *conf = op->conf;
	return c < BOUNDS + conf->ncol ? conf->base + c - BOUNDS : op->out->stream.schema->col[c].pos;
}

static int describe(struct op *op, const struct stream *in, struct stream *out)
{
	const struct conf *conf = op->conf;
	struct schema *schema = arena_alloc(op->plan, sizeof *schema);
	uint32_t *key = arena_alloc(op->plan, (in->nkey + BOUNDS) * sizeof *key);
	if (!schema || !key)
		return -1;
	bool paths = in->schema->kind == SCHEMA_PATHS;
	schema_init(schema, paths ? SCHEMA_PATHS : SCHEMA_CLOSED, op->plan);
	schema->origin = paths ? in->schema : NULL;
	if (schema_add(schema, "window_start", 12, T_TIME) < 0 || schema_add(schema, "window_end", 10, T_TIME) < 0)
		return -1;
	for (uint32_t c = 0; c < conf->ncol; c++) {
		const struct schema_column *col = &in->schema->col[conf->base + c];
		if (schema_add(schema, col->name, col->len, col->type) < 0)
			return -1;
	}
	key[0] = 0;
	key[1] = 1;
	for (uint32_t i = 0; i < in->nkey; i++)
		key[BOUNDS + i] = in->schema->kind == SCHEMA_CLOSED ? BOUNDS + in->key[i] : BOUNDS;
	*out = (struct stream){ .schema = schema, .kinds = in->kinds ? S_D : 0, .timed = in->timed, .windowed = true, .start = 0, .end = 1, .once = !in->kinds,
		.has_key = in->has_key, .nkey = in->has_key ? in->nkey + BOUNDS : 0, .key = key };
	return 0;
}

static int plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	struct conf *conf = op->conf;
	windows_init(&conf->windows, &op->window->window, in->schema->zone);
	conf->updates = in->kinds != 0;
	return bind_columns(conf, in->schema) || describe(op, in, out) ? err_memory(err) : 0;
}

/* A row that is taken back comes as it was. */
static bool before(const struct op *op, bool wanted)
{
	return wanted || ((const struct conf *)op->conf)->updates;
}

static void need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	for (uint32_t c = BOUNDS; c < op->out->stream.schema->n; c++)
		in[source_of(op, c)] |= out[c];
}

static void explain(const struct op *op, struct buf *out)
{
	buf_printf(out, "  variant    a row for each window that holds it%s\n  state      none\n", op->timed ? "" : ", by the clock");
}

/* ---- windows of a row -------------------------------------------------------------------- */

static int add_window(struct op *op, struct window window)
{
	struct state *state = op->state;
	if (state->n == state->cap) {
		uint32_t cap = state->cap ? 2 * state->cap : 8;
		struct window *more = mem_resize(op->mem, state->window, state->cap * sizeof *more, cap * sizeof *more);
		if (!more)
			return err_memory(op->err);
		state->window = more;
		state->cap = cap;
	}
	state->window[state->n++] = window;
	return 0;
}

/* Finds the windows that hold t; none if it lies in a gap. */
static int find_windows(struct op *op, int64_t t)
{
	const struct windows *windows = &((const struct conf *)op->conf)->windows;
	struct state *state = op->state;
	if (t >= state->pane.start && t < state->pane.end)
		return 0;
	state->n = 0;
	if (!windows_pane(windows, t, &state->pane)) {
		state->pane = (struct window){ 0, 0 };
		return 0;
	}
	int64_t last = windows_last_end(windows, t);
	for (int64_t end = windows_next_end(windows, t);; end = windows_next_end(windows, end)) {
		if (add_window(op, (struct window){ windows_start(windows, end), end }))
			return -1;
		if (end >= last)
			return 0;
	}
}

/* The first of the windows that have not closed; n: none. On the clock no row comes late. */
static uint32_t first_open(const struct op *op)
{
	const struct state *state = op->state;
	int64_t closed = op->timed ? op->wm : state->clock;
	uint32_t i = 0;
	while (i < state->n && state->window[i].end - 1 <= closed)
		i++;
	return op->timed || i < state->n || !state->n ? i : state->n - 1;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Rows of a batch in windows, to be written together. */
struct placed {
	struct op *op;
	const struct batch *in;
	uint32_t n, room;
	uint16_t row[BATCH_MAX];
	struct window window[BATCH_MAX];
};

static void fill(const struct placed *placed, struct value *out, const struct value *in)
{
	for (uint32_t i = 0; out && i < placed->n; i++)
		out[i] = in[placed->row[i]];
}

static int send(struct placed *placed)
{
	struct op *op = placed->op;
	struct edge *out = op->out;
	struct value *start = edge_col(out, 0), *end = edge_col(out, 1);
	for (uint32_t i = 0; i < placed->n; i++) {
		uint32_t row = placed->row[i];
		if (placed->in->time)
			out->at = placed->in->time[row];
		uint32_t r = edge_add(out, kind_adds(batch_kind(placed->in, row)) ? K_I : K_D);
		if (start)
			start[r] = window_value(placed->window[i].start);
		if (end)
			end[r] = window_value(placed->window[i].end);
	}
	for (uint32_t c = BOUNDS; c < out->batch.ncol; c++) {
		struct value *v = edge_col(out, c);
		fill(placed, v ? v + out->batch.n - placed->n : NULL, placed->in->col[source_of(op, c)].v);
	}
	placed->n = 0;
	return edge_push(out);
}

static int place(struct placed *placed, uint32_t row, struct window window)
{
	if (placed->n == placed->room && send(placed))
		return -1;
	placed->row[placed->n] = (uint16_t)row;
	placed->window[placed->n++] = window;
	return 0;
}

static int push(struct op *op, const struct batch *in)
{
	const struct state *state = op->state;
	struct placed placed = { .op = op, .in = in, .room = op->out->max < BATCH_MAX ? op->out->max : BATCH_MAX };
	uint16_t late[BATCH_MAX];
	uint32_t nlate = 0;
	for (uint32_t r = 0; r < in->n; r++) {
		if (find_windows(op, op->timed ? in->time[r] : op->now))
			return -1;
		uint32_t i = first_open(op);
		if (state->n && i == state->n) {
			late_count(op, state->window[i - 1].end - 2);
			late[nlate++] = (uint16_t)r;
		}
		for (; i < state->n; i++)
			if (place(&placed, r, state->window[i]))
				return -1;
	}
	return send(&placed) ? -1 : late_send(op, in, late, nlate);
}

/* ---- time -------------------------------------------------------------------------------- */

/* The end of every window is where lateness is judged otherwise. */
static int64_t due(const struct op *op)
{
	if (!op->timed || op->wm == WM_END)
		return INT64_MAX;
	return op->wm == WM_NONE ? WM_NONE + 1 : windows_next_end(&((const struct conf *)op->conf)->windows, op->wm + 1) - 1;
}

static int timer(struct op *op, int64_t now)
{
	struct state *state = op->state;
	if (now > state->clock)
		state->clock = now;
	return 0;
}

/* ---- life -------------------------------------------------------------------------------- */

static int open(struct op *op)
{
	((struct state *)op->state)->clock = WM_NONE;
	return 0;
}

static void close(struct op *op)
{
	struct state *state = op->state;
	mem_free(op->mem, state->window, state->cap * sizeof *state->window);
	*state = (struct state){ 0 };
}

const struct op_type window_rows_op = {
	.name = "window",
	.conf_size = sizeof(struct conf),
	.state_size = sizeof(struct state),
	.plan = plan,
	.before = before,
	.need = need,
	.explain = explain,
	.open = open,
	.push = push,
	.timer = timer,
	.due = due,
	.close = close,
};
