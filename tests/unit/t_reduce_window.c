/* --reduce in windows that may fire more than once against a slow model: random windows, triggers, lateness, evictors, rows out of order and late, in
 * batches of several sizes cut where the operator asks for it, with save and load on the way, and refused memory. */
#include "ops/reduce_pane.h"
#include "window_bench.h"

/* ---- random set-ups ---- */

static struct window_ast some_window(uint64_t *seed)
{
	struct window_ast w = { .kind = (enum window_kind)rig_random(seed, 6), .size = 1 + rig_random(seed, 12) };
	if (w.kind > WINDOW_SESSION)
		w.kind = WINDOW_SESSION;
	w.step = w.kind == WINDOW_TUMBLE ? w.size : 1 + rig_random(seed, w.kind == WINDOW_HOP ? 15 : (uint32_t)w.size);
	while (w.kind == WINDOW_CUMULATE && w.size % w.step)
		w.step--;
	if (w.kind != WINDOW_SESSION && rig_random(seed, 2))
		w.offset = (int64_t)rig_random(seed, 2 * (uint32_t)w.step - 1) - w.step + 1;
	return w;
}

/* x, as an expression. */
static struct node *column(void)
{
	static struct node x = { .kind = N_NAME, .depth = 1, .text = "x", .len = 1 };
	return &x;
}

static void some_trigger(struct op_window *w, struct trigger_cond *cond, uint64_t *seed)
{
	w->trigger.n = rig_random(seed, MODEL_CONDS + 1);
	w->trigger.cond = cond;
	w->trigger.purge = w->trigger.n && rig_random(seed, 3) == 0;
	for (uint32_t i = 0; i < w->trigger.n; i++) {
		cond[i] = (struct trigger_cond){ .kind = (enum trigger_kind)rig_random(seed, 6), .n = 1 + rig_random(seed, 6) };
		if (cond[i].kind == TRIGGER_DELTA && w->window.kind == WINDOW_SESSION)
			cond[i].kind = TRIGGER_END;
		if (cond[i].kind == TRIGGER_DELTA) {
			cond[i].delta = value_int(rig_random(seed, 5));
			cond[i].expr = column();
		}
	}
}

/* The same for a seed each time. */
static void some_setup(struct model *m, struct trigger_cond *cond, uint64_t *seed)
{
	static const char *const lists[] = { "count, sum(x), count where x > 4 as c, min(x)", "count, sum(x), count where x > 4 as c, first(x), last(x)" };
	struct op_window *w = &m->window;
	*m = (struct model){ .wm = WM_NONE };
	m->timed = rig_random(seed, 4) != 0;
	m->keyed = rig_random(seed, 5) != 0;
	m->updating = rig_random(seed, 4) == 0;
	w->window = some_window(seed);
	some_trigger(w, cond, seed);
	if (m->timed && rig_random(seed, 2))
		w->lateness = 1 + rig_random(seed, 12);
	if (!m->updating && rig_random(seed, 3) == 0) {
		w->evict.kind = EVICT_ROWS + rig_random(seed, 3);
		w->evict.n = 1 + rig_random(seed, 6);
		w->evict.after = rig_random(seed, 2);
		w->evict.delta = value_int(rig_random(seed, 5));
		w->evict.expr = column();
	}
	m->reduce = lists[!m->updating && rig_random(seed, 2)];
}

/* One that the plan gives to the other engine, which by and large keeps the same rows. */
static void make_plain(struct model *m, uint64_t *seed)
{
	static struct trigger_cond end = { .kind = TRIGGER_END };
	struct op_window *w = &m->window;
	m->type = &reduce_pane_op;
	m->timed = true;
	m->updating = false;
	m->reduce = "count, sum(x), count where x > 4 as c, min(x)";
	while (w->window.kind == WINDOW_GLOBAL || w->window.kind == WINDOW_SESSION)
		w->window = some_window(seed);
	w->trigger = (struct trigger_ast){ .cond = &end, .n = rig_random(seed, 2) };
	w->evict.kind = EVICT_NONE;
}

static void check(uint64_t from, uint64_t to, uint32_t max, bool plain)
{
	static struct model_row row[ROWS];
	for (uint64_t s = from; s < to; s++) {
		struct trigger_cond cond[MODEL_CONDS];
		struct model like;
		struct bench b;
		uint64_t seed = s * 7919;
		some_setup(&like, cond, &seed);
		if (plain)
			make_plain(&like, &seed);
		ck_assert_msg(!begin(&b, &like), "seed %" PRIu64 ": %s", s, b.rig.err.text);
		b.max = max;
		b.seed = seed;
		ck_assert_msg(!run(&b, row, true, s), "%s", b.rig.err.text);
		same(&b, "rows", &b.rig.got, &b.model.out, s);
		same(&b, "late rows", &b.late_rows, &b.model.late, s);
		ck_assert_uint_eq(b.rig.op.nlate, b.model.nlate);
		ck_assert_uint_eq(b.rig.op.ignored, b.model.ignored);
		end(&b);
	}
}

START_TEST(test_random)
{
	static const uint32_t size[] = { 1, 2, 7, BATCH_MAX };
	check(1, 500, size[_i], false);
}
END_TEST

START_TEST(test_plain)
{
	static const uint32_t size[] = { 1, 2, 7, BATCH_MAX };
	check(1, 300, size[_i], true);
}
END_TEST

/* Whatever request is refused, the error says so, nothing is lost or freed twice, and the state can still be saved. */
START_TEST(test_refused_memory)
{
	static struct model_row row[ROWS];
	for (uint64_t s = 1; s < 60; s++) {
		bool failed = true;
		for (uint64_t k = 1; failed; k += 1 + k / 10) {
			struct trigger_cond cond[MODEL_CONDS];
			struct model like;
			struct bench b;
			uint64_t seed = s * 7919;
			some_setup(&like, cond, &seed);
			ck_assert(!begin(&b, &like));
			b.max = (uint32_t)(1 + s % 9);
			b.seed = seed;
			b.rig.mem.fail_at = b.rig.mem.requests + k;
			failed = run(&b, row, false, s) != 0;
			b.rig.mem.fail_at = 0;
			ck_assert_int_eq(b.rig.err.code, failed ? ERR_FAILED : ERR_NONE);
			if (failed)
				again(&b);
			end(&b);
		}
	}
}
END_TEST

START_TEST(test_refused_to_open)
{
	struct model like = { .timed = true, .keyed = true, .reduce = "count, max(x)", .window = { .window = { WINDOW_SESSION, .size = 5 } } };
	struct bench b;
	ck_assert(!begin(&b, &like));
	reduce_window_op.close(&b.rig.op);
	for (uint64_t k = 1, failed = 1; failed; k++) {
		b.rig.mem.fail_at = b.rig.mem.requests + k;
		failed = reduce_window_op.open(&b.rig.op) != 0;
		b.rig.mem.fail_at = 0;
		ck_assert_int_eq(b.rig.err.code, failed ? ERR_FAILED : ERR_NONE);
		b.rig.err = (struct err){ 0 };
		if (failed)
			reduce_window_op.close(&b.rig.op);
	}
	end(&b);
}
END_TEST

/* A snapshot that was cut or changed is refused, or gives some other state; it never breaks anything. */
static void damage(struct bench *b, const struct buf *buf)
{
	struct op *op = &b->rig.op;
	for (int i = 0; i < 60; i++) {
		size_t n = i % 2 ? buf->n : rig_random(&b->seed, (uint32_t)buf->n);
		char *copy = malloc(n + 1);
		memcpy(copy, buf->p, n);
		if (i % 2)
			copy[rig_random(&b->seed, (uint32_t)n)] ^= (char)(1 << rig_random(&b->seed, 8));
		reduce_window_op.close(op);
		ck_assert_int_eq(reduce_window_op.open(op), 0);
		struct snap_in in = { .p = copy, .end = copy + n, .mem = &b->rig.scratch };
		if (!reduce_window_op.load(op, &in)) {
			int64_t wm = op->wm;
			push(b);
			watermark(b, wm + 3);
			op->wm = wm;
		}
		b->rig.err = (struct err){ 0 };
		arena_reset(&b->rig.scratch);
		rig_got(&b->rig);
		free(copy);
	}
}

START_TEST(test_damaged)
{
	static struct model_row row[ROWS];
	for (uint64_t s = 1; s < 150; s++) {
		struct trigger_cond cond[MODEL_CONDS];
		struct model like;
		struct bench b;
		struct mem mem = { 0 };
		struct buf buf;
		uint64_t seed = s * 104729;
		some_setup(&like, cond, &seed);
		ck_assert(!begin(&b, &like));
		b.max = 50;
		b.seed = seed;
		for (uint32_t i = 0; i < 60; i++)
			ck_assert(!step(&b, row, i));
		buf_init(&buf, &mem);
		ck_assert(!reduce_window_op.save(&b.rig.op, &(struct snap_out){ &buf }));
		damage(&b, &buf);
		buf_release(&buf);
		end(&b);
	}
}
END_TEST

/* ---- plans ---- */

/* A set-up in words. */
struct plan {
	enum window_kind kind;
	const char *window, *trigger, *evict; /* NULL: none */
	int64_t lateness;
	bool clock, updating;
	/* what it comes to */
	unsigned kinds;
	bool has_key, once;
	const char *error;
};

static void parse_plan(struct bench *b, const struct plan *p, struct model *like, struct op flag[4])
{
	struct op_window *w = &like->window;
	struct err err = { 0 };
	arena_init(&b->rig.scratch, &b->mem);
	*like = (struct model){ .timed = !p->clock, .updating = p->updating, .keyed = true, .reduce = "count" };
	for (int i = 0; i < 4; i++)
		flag[i] = (struct op){ .flag = i == 1 ? "--trigger" : i == 2 ? "--evict" : i == 3 ? "--lateness" : "--window", .text = "" };
	if (p->window)
		ck_assert(!parse_window(p->kind, "-w", p->window, &b->rig.scratch, &w->window, &err));
	if (p->trigger)
		ck_assert(!parse_trigger("--trigger", p->trigger, &b->rig.scratch, &w->trigger, &err));
	if (p->evict)
		ck_assert(!parse_evict("--evict", p->evict, &b->rig.scratch, &w->evict, &err));
	w->lateness = p->lateness;
	w->evict_flag = p->evict ? &flag[2] : NULL;
	w->lateness_flag = p->lateness ? &flag[3] : NULL;
}

static const struct plan plans[] = {
	{ WINDOW_SESSION, "5s", .kinds = 0, .has_key = true, .once = true },
	{ WINDOW_SESSION, "5s", .trigger = "each", .kinds = S_U | S_D },
	{ WINDOW_SESSION, "5s", .trigger = "each purge", .kinds = 0, .once = true },
	{ WINDOW_SESSION, "5s", .lateness = 5, .kinds = S_U | S_D },
	{ WINDOW_TUMBLE, "5s", .trigger = "each", .kinds = S_U, .has_key = true },
	{ WINDOW_TUMBLE, "5s", .trigger = "each", .updating = true, .kinds = S_U | S_D, .has_key = true },
	{ WINDOW_HOP, "5s every 2s", .lateness = 5, .kinds = S_U, .has_key = true },
	{ WINDOW_HOP, "5s every 2s", .trigger = "end purge", .lateness = 5, .kinds = 0 },
	{ WINDOW_TUMBLE, "5s", .evict = "last 3", .kinds = 0, .has_key = true, .once = true },
	{ WINDOW_TUMBLE, "5s", .trigger = "count 3", .evict = "delta 3 of x", .kinds = S_U | S_D, .has_key = true },
	{ WINDOW_GLOBAL, NULL, .trigger = "count 3", .kinds = S_U, .has_key = true },
	{ WINDOW_GLOBAL, NULL, .trigger = "end", .kinds = 0, .has_key = true },
	{ WINDOW_GLOBAL, NULL, .evict = "last 3", .kinds = 0, .has_key = true },
	{ WINDOW_TUMBLE, "5s", .trigger = "every 1s clock", .clock = true, .kinds = S_U, .has_key = true },
	{ WINDOW_TUMBLE, "5s", .evict = "last 3", .updating = true, .error = "--evict: no evictor where rows are taken back" },
	{ WINDOW_TUMBLE, "5s", .lateness = 5, .clock = true, .error = "--lateness: lateness goes by event time" },
	{ WINDOW_SESSION, "5s", .trigger = "end or delta 3 of x", .error = "--trigger: no delta in sessions" },
	{ WINDOW_TUMBLE, "5s", .trigger = "delta 3 of z", .error = "--trigger: no column \"z\"" },
	{ WINDOW_TUMBLE, "5s", .trigger = "delta 3 of lower(x)", .error = "--trigger: " },
	{ WINDOW_TUMBLE, "5s", .evict = "delta 3 of z", .error = "--evict: no column \"z\"" },
};

START_TEST(test_plan)
{
	const struct plan *p = &plans[_i];
	struct bench words = { 0 }, b;
	struct op flag[4];
	struct model like;
	parse_plan(&words, p, &like, flag);
	int status = begin(&b, &like);
	ck_assert_msg(!p->error == !status && (!status || !strncmp(b.rig.err.text, p->error, strlen(p->error))), "plan %d: \"%s\"", _i, b.rig.err.text);
	if (!status) {
		const struct stream *out = &b.rig.out.stream;
		ck_assert_msg(out->kinds == p->kinds && out->has_key == p->has_key && out->once == p->once, "plan %d: kinds %u, key %d, once %d", _i, out->kinds,
			      out->has_key, out->once);
		ck_assert_int_eq(out->timed, !p->clock && p->kind != WINDOW_GLOBAL);
		bool moves = p->kind == WINDOW_SESSION && (p->trigger || p->lateness); /* its end does, behind rows that have gone out */
		ck_assert_int_eq(out->windowed, p->kind != WINDOW_GLOBAL && !moves);
		ck_assert_uint_eq(out->schema->n, p->kind == WINDOW_GLOBAL ? 2 : 4);
		reduce_window_op.explain(&b.rig.op, &b.rig.got);
		ck_assert(strstr(rig_got(&b.rig), "  state      "));
	}
	end(&b);
	arena_release(&words.rig.scratch);
}
END_TEST

/* Somebody else's changelog may take back, but need not: then an evictor is fine. What came before goes out. */
START_TEST(test_evict_changelog)
{
	struct model like = { .timed = true, .keyed = true, .updating = true, .reduce = "count", .window = { .window = { WINDOW_TUMBLE, .size = 5, .step = 5 } } };
	const struct model_row row[] = { { true, 0, 1, 1, 1 }, { true, 0, 1, 2, 2 }, { false, 0, 1, 3, 1 }, { true, 0, 1, 4, 1 } };
	struct op flag = { .flag = "--evict", .text = "last 1" };
	struct trigger_cond each = { .kind = TRIGGER_EACH };
	struct bench b;
	like.window.evict = (struct evict_ast){ .kind = EVICT_ROWS, .n = 1 };
	like.window.evict_flag = &flag;
	like.window.trigger = (struct trigger_ast){ .cond = &each, .n = 1, .purge = true };
	ck_assert(begin(&b, &like) < 0);
	end(&b);
	like.foreign = true;
	ck_assert(!begin(&b, &like));
	for (int i = 0; i < 4; i++)
		b.wait[b.nwait++] = row[i];
	ck_assert(push(&b) < 0);
	ck_assert(!strncmp(b.rig.err.text, "--evict 'last 1': no evictor where rows are taken back", 50));
	ck_assert_str_eq(rig_got(&b.rig), "+I 0 5 k0 1;+I 0 5 k0 1;");
	end(&b);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reduce window");
	TCase *tc = tcase_create("window");
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, test_random, 0, 4);
	tcase_add_loop_test(tc, test_plain, 0, 4);
	tcase_add_test(tc, test_refused_memory);
	tcase_add_test(tc, test_refused_to_open);
	tcase_add_test(tc, test_damaged);
	tcase_add_loop_test(tc, test_plan, 0, sizeof plans / sizeof *plans);
	tcase_add_test(tc, test_evict_changelog);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
