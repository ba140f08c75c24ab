/* Rows in their windows, as a topn with a window gets them: each once in each window that holds it and has not closed. */
#include "ops/op.h"
#include "pane_model.h"

extern const struct op_type window_rows_op;

struct bench {
	struct rig rig;
	struct op_window window;
	struct op late_op;
	struct edge late;
	uint32_t nlate;
};

static int catch_late(struct op *op, const struct batch *in)
{
	struct bench *b = op->conf;
	b->nlate += in->n;
	return 0;
}

/* Rows keep their own time, which column t tells. */
static int catch_timed(struct op *op, const struct batch *in)
{
	for (uint32_t r = 0; in->time && r < in->n; r++)
		ck_assert_int_eq(in->time[r], strtoll(in->col[4].v[r].u.p, NULL, 10));
	return rig_catch(op, in);
}

static const struct op_type late_catcher = { .name = "late", .push = catch_late }, timed_catcher = { .name = "catcher", .push = catch_timed };

/* Columns k, x, t. */
static int begin(struct bench *b, const struct window_ast *window, unsigned kinds, bool timed, uint32_t max)
{
	struct rig *rig = &b->rig;
	struct op *op = &rig->op;
	rig_init(rig, "kxt", kinds);
	rig->in.timed = timed;
	b->window.window = *window;
	*op = (struct op){ .type = &window_rows_op, .flag = "-t", .text = "3", .mem = &rig->mem, .plan = &rig->plan, .err = &rig->err, .out = &rig->out };
	op->before = true;
	op->window = &b->window;
	op->timed = timed;
	op->wm = WM_NONE;
	op->late_last = INT64_MAX;
	op->conf = arena_alloc(&rig->plan, window_rows_op.conf_size);
	op->state = arena_alloc(&rig->plan, window_rows_op.state_size);
	memset(op->conf, 0, window_rows_op.conf_size);
	memset(op->state, 0, window_rows_op.state_size);
	rig->out.stream = rig->in;
	if (window_rows_op.plan(op, &rig->in, &rig->out.stream, &rig->err))
		return -1;
	rig->out.need = arena_alloc(&rig->plan, 8);
	memset(rig->out.need, NEED_VALUE, 8);
	window_rows_op.need(op, rig->out.need, rig->need);
	ck_assert(rig->need[0] && rig->need[1] && rig->need[2]);
	rig->catcher = (struct op){ .type = &timed_catcher, .conf = rig, .err = &rig->err };
	ck_assert(!edge_open(&rig->out, &rig->catcher, &rig->mem, max, &rig->err));
	b->late_op = (struct op){ .type = &late_catcher, .conf = b, .err = &rig->err };
	b->late.stream = rig->in;
	b->late.need = rig->need;
	ck_assert(!edge_open(&b->late, &b->late_op, &rig->mem, BATCH_MAX, &rig->err));
	op->late = &b->late;
	return window_rows_op.open(op);
}

static void finish(struct bench *b)
{
	edge_close(&b->late);
	rig_close(&b->rig);
}

static int push(struct bench *b, const char *rows)
{
	struct rig *rig = &b->rig;
	uint64_t fail_at = rig->mem.fail_at;
	rig->mem.fail_at = 0;
	struct batch batch = rig_batch(rig, rows, true);
	batch.time = arena_alloc(&rig->scratch, BATCH_MAX * sizeof *batch.time);
	rig->mem.fail_at = fail_at;
	for (uint32_t i = 0; i < batch.n; i++)
		batch.time[i] = strtoll(batch.col[2].v[i].u.p, NULL, 10);
	batch.time = rig->op.timed ? batch.time : NULL;
	int status = window_rows_op.push(&rig->op, &batch);
	if (edge_push(&rig->out) || edge_push(&b->late))
		status = -1;
	arena_reset(&rig->scratch);
	return status;
}

static struct window_ast some_window(uint64_t *seed)
{
	struct window_ast w = { .kind = WINDOW_TUMBLE + rig_random(seed, 3), .size = 1 + rig_random(seed, 12) };
	w.step = w.kind == WINDOW_TUMBLE ? w.size : 1 + rig_random(seed, w.kind == WINDOW_HOP ? 15 : (uint32_t)w.size);
	while (w.kind == WINDOW_CUMULATE && w.size % w.step)
		w.step--;
	if (rig_random(seed, 2))
		w.offset = (int64_t)rig_random(seed, 2 * (uint32_t)w.step - 1) - w.step + 1;
	return w;
}

static void put_time(struct buf *out, int64_t t)
{
	struct value v = { .type = V_TIME, .u.i = t };
	rig_put_value(out, &v);
}

/* What a row gives at a watermark (by the clock: at an instant, where nothing is late). */
static void expect(const struct window_ast *w, const char *kind, const char *row, int64_t t, int64_t wm, bool timed, struct buf *want, uint32_t *late)
{
	uint32_t in = 0, open = 0;
	for (int64_t e = t + 1; e <= t + w->size; e++) {
		if (!model_in(w, e, t))
			continue;
		in++;
		if (timed && e - 1 <= wm)
			continue;
		open++;
		buf_puts(want, kind);
		put_time(want, model_start(w, e));
		put_time(want, e);
		buf_printf(want, " %s;", row);
	}
	*late += in && !open;
}

/* The least w > wm at which some window ends at w + 1. */
static int64_t next_due(const struct window_ast *w, int64_t wm)
{
	for (int64_t e = wm + 2;; e++)
		if (model_is_end(w, e) && (w->kind != WINDOW_CUMULATE || model_start(w, e) < e))
			return e - 1;
}

static void same(const struct window_ast *w, const char *got, const char *want)
{
	size_t at = 0, from = 0;
	for (; got[at] && got[at] == want[at]; at++)
		if (got[at] == ';')
			from = at + 1;
	ck_assert_msg(got[at] == want[at], "kind %d, size %d, step %d, offset %d: row\n  %.80s\nnot\n  %.80s", (int)w->kind, (int)w->size, (int)w->step,
		(int)w->offset, got + from, want + from);
}

START_TEST(each_row_comes_in_each_of_its_windows)
{
	uint64_t seed = 5 + (uint64_t)_i;
	bool timed = _i % 3, updates = _i % 4 == 1;
	struct window_ast w = some_window(&seed);
	struct bench b = { 0 };
	struct mem mem = { 0 };
	struct buf rows, want;
	uint32_t late = 0;
	buf_init(&rows, &mem);
	buf_init(&want, &mem);
	ck_assert_msg(!begin(&b, &w, updates ? S_U | S_D : 0, timed, 2 + rig_random(&seed, 40)), "%s", b.rig.err.text);
	const struct stream *out = &b.rig.out.stream;
	ck_assert(out->windowed && out->timed == timed && out->once == !updates && out->kinds == (updates ? S_D : 0) && out->start == 0 && out->end == 1);
	ck_assert_str_eq(out->schema->col[1].name, "window_end");
	for (int64_t wm = -40, step = 0; step < 60; step++) {
		rows.n = want.n = 0;
		b.rig.op.now = wm + 1;
		b.rig.op.wm = wm;
		for (uint32_t i = rig_random(&seed, 20); i; i--) {
			char row[60];
			int64_t t = timed ? wm + (int64_t)rig_random(&seed, 30) - 15 : wm + 1;
			bool pair = updates && rig_random(&seed, 2);
			sprintf(row, "k%u %u %d", rig_random(&seed, 9), rig_random(&seed, 9), (int)t);
			buf_printf(&rows, "%s %s;", pair ? "-U" : "+I", row);
			expect(&w, pair ? "-D" : "+I", row, t, wm, timed, &want, &late);
			if (!pair)
				continue;
			t += timed ? rig_random(&seed, 4) : 0;
			sprintf(row, "k%u %u %d", rig_random(&seed, 9), rig_random(&seed, 9), (int)t);
			buf_printf(&rows, "+U %s;", row);
			expect(&w, "+I", row, t, wm, timed, &want, &late);
		}
		buf_putc(&rows, '\0');
		buf_putc(&want, '\0');
		ck_assert(!push(&b, rows.p));
		same(&w, rig_got(&b.rig), want.p);
		ck_assert(b.rig.op.nlate == late && b.nlate == late);
		wm += rig_random(&seed, 5);
		b.rig.op.wm = wm;
		ck_assert(window_rows_op.due(&b.rig.op) == (timed ? next_due(&w, wm) : INT64_MAX));
	}
	finish(&b);
	buf_release(&rows);
	buf_release(&want);
}
END_TEST

/* Windows that have closed at an instant of the clock get no more rows at that instant, unless nobody else would. */
START_TEST(by_the_clock_nothing_is_lost)
{
	struct window_ast hop = { .kind = WINDOW_HOP, .size = 10, .step = 5 };
	struct bench b = { 0 };
	ck_assert(!begin(&b, &hop, 0, false, 9));
	b.rig.op.now = 9;
	ck_assert(!push(&b, "+I a 1 0;"));
	ck_assert_str_eq(rig_got(&b.rig), "+I 1970-01-01T00:00:00Z 1970-01-01T00:00:00.010Z a 1 0;+I 1970-01-01T00:00:00.005Z 1970-01-01T00:00:00.015Z a 1 0;");
	ck_assert(!window_rows_op.timer(&b.rig.op, 9) && !push(&b, "+I b 2 0;"));
	ck_assert_str_eq(rig_got(&b.rig), "+I 1970-01-01T00:00:00.005Z 1970-01-01T00:00:00.015Z b 2 0;");
	ck_assert(!window_rows_op.timer(&b.rig.op, 50) && !push(&b, "+I c 3 0;"));
	ck_assert_str_eq(rig_got(&b.rig), "+I 1970-01-01T00:00:00.005Z 1970-01-01T00:00:00.015Z c 3 0;");
	ck_assert(!b.rig.op.nlate);
	finish(&b);
}
END_TEST

/* An instant that lies in thousands of windows. */
START_TEST(refused_memory_is_an_error)
{
	struct window_ast hop = { .kind = WINDOW_HOP, .size = 3000, .step = 1 };
	for (uint64_t fail = 0; fail < 12; fail++) {
		struct bench b = { 0 };
		ck_assert(!begin(&b, &hop, 0, true, BATCH_MAX));
		b.rig.mem.fail_at = fail ? b.rig.mem.requests + fail : 0;
		int status = push(&b, "+I a 1 7;");
		if (status)
			ck_assert(fail && strstr(b.rig.err.text, "memory"));
		else
			ck_assert_uint_eq(b.rig.batches, 3);
		finish(&b);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("window rows");
	TCase *tcase = tcase_create("window rows");
	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, each_row_comes_in_each_of_its_windows, 0, 120);
	tcase_add_test(tcase, by_the_clock_nothing_is_lost);
	tcase_add_test(tcase, refused_memory_is_an_error);
	suite_add_tcase(suite, tcase);
	return rig_run(suite);
}
