/* --reduce in windows that fire at their end against a slow model: random rows, out of order and late, with and without lateness, in batches of several
 * sizes, with save and load on the way, and refused memory. */
#include "pane_model.h"
#include "pane_rig.h"

static void same(const struct setup *s, const char *what, struct buf *got, struct buf *want)
{
	buf_putc(got, '\0');
	buf_putc(want, '\0');
	size_t at = 0, from = 0;
	for (; got->p[at] && got->p[at] == want->p[at]; at++)
		if (got->p[at] == ';')
			from = at + 1;
	ck_assert_msg(got->p[at] == want->p[at], "%s: kind %d, size %d, step %d, offset %d, lateness %d, -r '%s'%s: row\n  %.80s\nnot\n  %.80s", what,
		(int)s->window.kind, (int)s->window.size, (int)s->window.step, (int)s->window.offset, (int)s->lateness, s->reduce, s->updating ? " updating" : "",
		got->p + from, want->p + from);
	got->n--;
	want->n--;
}

/* ---- random input ------------------------------------------------------------------------ */

/* Rows as one text, cut by watermarks; what the model makes of them. */
enum { STEPS = 60, STEP_TEXT = 8000 };
struct script {
	char rows[STEPS][STEP_TEXT];
	int64_t wm[STEPS]; /* after the rows */
	struct model model;
};

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

/* One row more: mostly near `now`; one that takes back is an equal row, or of a key that has nothing in its pane. */
static void some_row(struct script *script, uint64_t *seed, bool updating, int64_t now, char **text)
{
	struct model *m = &script->model;
	uint32_t key = rig_random(seed, m->keys), spread = rig_random(seed, 8) ? 6 : 40;
	int x = (int)rig_random(seed, 10);
	int64_t time = m->timed ? now + (int64_t)rig_random(seed, spread) - spread / 2 : now;
	bool adds = !updating || rig_random(seed, 5) > 1;
	if (!adds && m->n && rig_random(seed, 10)) {
		const struct model_row *row = &m->row[rig_random(seed, m->n)];
		adds = row->gone;
		key = row->key;
		x = row->x;
		time = row->time;
	} else if (!adds) {
		for (uint32_t i = 0; i < m->n; i++)
			adds = adds || (!m->row[i].gone && m->row[i].key == key && m->row[i].pane == model_pane(&m->window, time));
	}
	model_row(m, adds, key, x, time);
	*text += sprintf(*text, "%s k%u %d %" PRId64 ";", adds ? "+I" : "-D", key, x, time);
}

static void write_script(struct script *script, const struct setup *s, int aggs, uint64_t *seed)
{
	static struct mem mem;
	struct model *m = &script->model;
	memset(script, 0, sizeof *script);
	*m = (struct model){ .window = s->window, .aggs = aggs, .timed = s->timed, .done = INT64_MIN / 2, .keys = s->key ? MODEL_KEYS : 1 };
	m->lateness = s->lateness;
	m->before = s->before;
	m->columns = !s->key ? 0 : strchr(s->key, ',') ? 2 : 1;
	buf_init(&m->out, &mem);
	buf_init(&m->late, &mem);
	int64_t now = (int64_t)rig_random(seed, 100) - 50, pace = 1 + rig_random(seed, 8);
	for (int i = 0; i < STEPS; i++) {
		char *text = script->rows[i];
		for (uint32_t n = rig_random(seed, 12); n; n--) {
			now += m->timed ? rig_random(seed, (uint32_t)pace) : 0;
			some_row(script, seed, s->updating, now, &text);
		}
		if (rig_random(seed, 25) == 0)
			now += 1000000;
		if (!m->timed)
			now += 1 + rig_random(seed, (uint32_t)pace * 4);
		int64_t w = m->timed ? now - (int64_t)rig_random(seed, 15) : now - 1;
		script->wm[i] = w > m->done ? w : m->done;
		model_fire(m, script->wm[i]);
	}
	model_fire(m, INT64_MAX);
}

static void script_release(struct script *script)
{
	buf_release(&script->model.out);
	buf_release(&script->model.late);
}

/* Runs a script in batches of at most `size`; -1 as soon as a call fails. */
static int run(struct bench *b, const struct script *script, uint32_t size, uint64_t *seed)
{
	for (int i = 0; i < STEPS; i++) {
		const char *rows = script->rows[i];
		while (*rows) {
			const char *stop = rows;
			for (uint32_t k = 0; k < size && *stop; k++)
				stop = strchr(stop, ';') + 1;
			char part[STEP_TEXT];
			snprintf(part, sizeof part, "%.*s", (int)(stop - rows), rows);
			b->rig.op.now = b->rig.op.timed ? 0 : strtoll(strrchr(part, ' '), NULL, 10);
			if (push(b, part))
				return -1;
			rows = stop;
			if (seed && rig_random(seed, 8) == 0)
				again(b);
		}
		if (script->wm[i] > b->rig.op.wm && advance(b, script->wm[i]))
			return -1;
		if (seed && rig_random(seed, 4) == 0)
			again(b);
	}
	return advance(b, WM_END);
}

static void compare(const struct setup *s, struct script *script, uint32_t size, uint64_t *seed)
{
	struct bench b;
	ck_assert(!begin(&b, s));
	ck_assert_msg(!run(&b, script, size, seed), "%s", b.rig.err.text);
	same(s, "late", &b.late_rows, &script->model.late);
	same(s, "out", &b.rig.got, &script->model.out);
	ck_assert_uint_eq(b.rig.op.nlate, script->model.nlate);
	ck_assert_uint_eq(b.rig.op.ignored, script->model.ignored);
	ck_assert_int_eq(reduce_pane_op.alarm(&b.rig.op), INT64_MAX);
	finish(&b);
}

static struct setup some_setup(uint64_t *seed, int aggs)
{
	static const char *const key[] = { NULL, "k", "k", "k", "k, k as j" };
	struct setup s = { .window = some_window(seed), .key = key[rig_random(seed, 5)], .reduce = model_reduce[aggs], .timed = true };
	s.updating = rig_random(seed, 2);
	s.lateness = rig_random(seed, 2) ? 1 + rig_random(seed, 15) : 0;
	s.before = rig_random(seed, 3);
	s.max = rig_random(seed, 2) ? BATCH_MAX : 2 + rig_random(seed, 6);
	return s;
}

START_TEST(random_rows)
{
	static struct script script;
	static const uint32_t size[] = { 1, 2, 7, BATCH_MAX };
	for (uint64_t seed = 1; seed < 150; seed++) {
		uint64_t random = seed * 7919 + (uint64_t)_i;
		struct setup s = some_setup(&random, _i);
		write_script(&script, &s, _i, &random);
		for (int i = 0; i < 4; i++) {
			compare(&s, &script, size[i], NULL);
			compare(&s, &script, size[i], &random);
		}
		script_release(&script);
	}
}
END_TEST

/* Windows that go by the clock: nothing is late, alarms say when. */
START_TEST(by_the_clock)
{
	static struct script script;
	for (uint64_t seed = 1; seed < 60; seed++) {
		uint64_t random = seed * 104729 + (uint64_t)_i;
		struct setup s = some_setup(&random, _i);
		s.timed = s.updating = false;
		s.lateness = 0;
		write_script(&script, &s, _i, &random);
		ck_assert_uint_eq(script.model.nlate, 0);
		compare(&s, &script, 3, NULL);
		compare(&s, &script, BATCH_MAX, &random);
		script_release(&script);
	}
}
END_TEST

/* Whatever request is refused, nothing is lost or freed twice, and the operator can still be closed. */
START_TEST(refused_memory)
{
	static struct script script;
	for (uint64_t seed = 1; seed < 12; seed++) {
		uint64_t random = seed * 15485863 + (uint64_t)_i;
		struct setup s = some_setup(&random, _i);
		write_script(&script, &s, _i, &random);
		bool failed = true;
		for (uint64_t k = 1; failed; k += 1 + k / 20) {
			struct bench b;
			failed = begin(&b, &s) != 0;
			ck_assert(!failed);
			b.rig.mem.fail_at = b.rig.mem.requests + k;
			failed = run(&b, &script, 7, NULL) != 0;
			ck_assert(!failed || b.rig.err.code == ERR_FAILED);
			b.rig.mem.fail_at = 0;
			finish(&b);
		}
		script_release(&script);
	}
}
END_TEST

/* A snapshot cut short or with a byte changed is refused, or means something else; nothing is lost or freed twice. */
START_TEST(damaged_snapshot)
{
	static struct script script;
	for (uint64_t seed = 1; seed < 6; seed++) {
		uint64_t random = seed * 32452843 + (uint64_t)_i;
		struct setup s = some_setup(&random, _i);
		struct bench b;
		struct buf buf;
		struct snap_out out = { &buf };
		write_script(&script, &s, _i, &random);
		ck_assert(!begin(&b, &s));
		for (int i = 0; i < 10; i++)
			ck_assert((!*script.rows[i] || !push(&b, script.rows[i])) && !advance(&b, script.wm[i]));
		buf_init(&buf, &b.rig.mem);
		ck_assert(!reduce_pane_op.save(&b.rig.op, &out));
		for (size_t i = 0; i < 2 * buf.n; i++) {
			size_t n = i < buf.n ? i : buf.n;
			reduce_pane_op.close(&b.rig.op);
			ck_assert(!reduce_pane_op.open(&b.rig.op));
			char *copy = arena_copy(&b.rig.scratch, buf.p, n);
			if (i >= buf.n)
				copy[i - buf.n] ^= (char)(1 << rig_random(&random, 8));
			struct snap_in in = { .p = copy, .end = copy + n, .mem = &b.rig.scratch };
			bool loaded = !reduce_pane_op.load(&b.rig.op, &in) && !in.bad && in.p == in.end;
			ck_assert(!loaded || i >= buf.n);
			arena_reset(&b.rig.scratch);
			b.rig.err.code = ERR_NONE;
		}
		buf_release(&buf);
		finish(&b);
		script_release(&script);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reduce_pane");
	TCase *tcase = tcase_create("reduce_pane");
	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, random_rows, 0, 4);
	tcase_add_loop_test(tcase, by_the_clock, 0, 4);
	tcase_add_loop_test(tcase, refused_memory, 0, 4);
	tcase_add_loop_test(tcase, damaged_snapshot, 0, 4);
	suite_add_tcase(suite, tcase);
	return rig_run(suite);
}
