/* --reduce in windows that fire at their end, on its own: rows in as text, with their time in column t; late rows and the output as text. */
#ifndef PANE_RIG_H
#define PANE_RIG_H
#include "ops/reduce_pane.h"
#include "ops/state/snapshot.h"
#include "parse/lang/parse.h"
#include "rig.h"

extern const struct op_type keyby_op;

/* How the operator stands in its chain. */
struct setup {
	struct window_ast window;
	const char *key; /* NULL: none */
	const char *reduce;
	bool updating, timed, before; /* before: -U is wanted */
	int64_t lateness;
	uint32_t max; /* rows per batch that it sends */
};

/* The operator, and where its late rows go. */
struct bench {
	struct rig rig;
	struct op_window window;
	struct named_list list;
	struct op late_op;
	struct edge late;
	struct buf late_rows;
};

static int catch_late(struct op *op, const struct batch *in)
{
	struct buf *out = op->conf;
	for (uint32_t r = 0; r < in->n; r++) {
		buf_puts(out, rig_kinds[in->kind[r] & K_MASK]);
		for (uint32_t c = 0; c < in->ncol; c++)
			rig_put_value(out, &in->col[c].v[r]);
		buf_putc(out, ';');
	}
	return 0;
}

static const struct op_type late_catcher = { .name = "late", .push = catch_late };

static void open_late(struct bench *b)
{
	struct rig *rig = &b->rig;
	buf_init(&b->late_rows, &rig->mem);
	b->late_op = (struct op){ .type = &late_catcher, .conf = &b->late_rows, .err = &rig->err };
	b->late.stream = rig->in;
	b->late.need = arena_alloc(&rig->plan, 4);
	memset(b->late.need, NEED_VALUE, 4);
	ck_assert(!edge_open(&b->late, &b->late_op, &rig->mem, BATCH_MAX, &rig->err));
	rig->op.late = &b->late;
}

/* Plans and opens; columns k, x, t (the time of the row). */
static inline int begin(struct bench *b, const struct setup *s)
{
	struct rig *rig = &b->rig;
	struct op *op = &rig->op, *key;
	memset(b, 0, sizeof *b);
	rig_init(rig, "kxt", s->updating ? S_U | S_D : 0);
	rig->in.timed = s->timed;
	key = arena_alloc(&rig->plan, sizeof *key);
	b->window.window = s->window;
	b->window.lateness = s->lateness;
	*key = (struct op){ .type = &keyby_op, .flag = "-k", .text = s->key, .plan = &rig->plan, .err = &rig->err };
	*op = (struct op){ .type = &reduce_pane_op, .flag = "-r", .text = s->reduce, .mem = &rig->mem, .plan = &rig->plan, .err = &rig->err, .out = &rig->out };
	op->window = &b->window;
	op->timed = s->timed;
	op->before = s->before;
	op->wm = WM_NONE;
	op->now = INT64_MIN / 2;
	key->conf = arena_alloc(&rig->plan, keyby_op.conf_size);
	op->state = arena_alloc(&rig->plan, reduce_pane_op.state_size);
	memset(op->state, 0, reduce_pane_op.state_size);
	ck_assert((!s->key || !keyby_op.parse(key, &rig->err)) && !parse_reduce("-r", s->reduce, &rig->plan, &b->list, &rig->err));
	op->key = s->key ? key : NULL;
	op->conf = &b->list;
	rig->out.stream = rig->in;
	if (reduce_pane_op.plan(op, &rig->in, &rig->out.stream, &rig->err))
		return -1;
	ck_assert(rig->out.stream.windowed && rig->out.stream.has_key && rig->out.stream.once == !s->lateness && rig->out.stream.timed == s->timed);
	ck_assert_uint_eq(rig->out.stream.kinds, !s->lateness ? 0 : s->updating ? S_U | S_D : S_U);
	ck_assert_int_eq(rig->out.stream.lateness, s->lateness);
	uint32_t n = rig->out.stream.schema->n;
	rig->out.need = arena_alloc(&rig->plan, n + 1);
	memset(rig->out.need, NEED_VALUE, n);
	reduce_pane_op.need(op, rig->out.need, rig->need);
	rig->catcher = (struct op){ .type = &rig_catcher, .conf = rig, .err = &rig->err };
	ck_assert(!edge_open(&rig->out, &rig->catcher, &rig->mem, s->max, &rig->err));
	open_late(b);
	return reduce_pane_op.open(op);
}

static inline void finish(struct bench *b)
{
	edge_close(&b->late);
	buf_release(&b->late_rows);
	rig_close(&b->rig);
}

/* Rows "+I k0 5 17;", as one batch. */
static inline int push(struct bench *b, const char *rows)
{
	struct rig *rig = &b->rig;
	uint64_t fail_at = rig->mem.fail_at;
	rig->mem.fail_at = 0;
	struct batch batch = rig_batch(rig, rows, true);
	batch.time = arena_alloc(&rig->scratch, BATCH_MAX * sizeof *batch.time);
	rig->mem.fail_at = fail_at;
	for (uint32_t i = 0; i < batch.n; i++)
		batch.time[i] = strtoll(batch.col[2].v[i].u.p, NULL, 10);
	if (!rig->op.timed)
		batch.time = NULL;
	int status = reduce_pane_op.push(&rig->op, &batch);
	if (edge_push(&rig->out) || edge_push(&b->late))
		status = -1;
	arena_reset(&rig->scratch);
	return status;
}

/* Time has reached w: the watermark, or the clock; WM_END: the end of input. */
static inline int advance(struct bench *b, int64_t w)
{
	struct op *op = &b->rig.op;
	int status = op->timed || w == WM_END ? reduce_pane_op.watermark(op, &w) : reduce_pane_op.timer(op, w);
	if (edge_push(&b->rig.out))
		status = -1;
	op->wm = op->timed ? w : op->wm;
	return status;
}

/* Saves the state, closes the operator, opens it anew and loads. */
static inline void again(struct bench *b)
{
	struct rig *rig = &b->rig;
	struct buf buf;
	struct snap_out out = { &buf };
	buf_init(&buf, &rig->mem);
	ck_assert(!reduce_pane_op.save(&rig->op, &out) && !buf.failed);
	reduce_pane_op.close(&rig->op);
	ck_assert(!reduce_pane_op.open(&rig->op));
	struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &rig->scratch };
	ck_assert_msg(!reduce_pane_op.load(&rig->op, &in), "%s", rig->err.text);
	ck_assert_msg(!snap_done(&in, "reduce", &rig->err), "%s", rig->err.text);
	buf_release(&buf);
	arena_reset(&rig->scratch);
}
#endif
