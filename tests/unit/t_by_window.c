/* What is keyed by window against the same operator without windows: held, it says of each window what that says of the window's rows alone, in the end;
 * over updating windows it writes what that writes. */
#include "by_window_rig.h"

enum { STEPS = 40, ROWS = 2000, SPAN = 12, KEYS = 5 };

struct line {
	char text[60];
	int64_t start, end;
	char k[8], x[8];
	bool gone;
};

struct script {
	struct line line[ROWS]; /* +I rows, later ones of the same key update */
	uint32_t n;
	struct buf rows;        /* since the last step */
	struct mem mem;
};

static void put(struct script *script, const char *kind, const struct line *line, const char *x)
{
	buf_printf(&script->rows, "%s %d %d %s %s;", kind, (int)line->start, (int)line->end, line->k, x);
}

/* One more row of a window that is open at wm; over updating input perhaps a change of one that is there. */
static void some_row(struct script *script, uint64_t *seed, int64_t wm, const struct setup *s)
{
	struct line *line = s->kinds && script->n && rig_random(seed, 2) ? &script->line[rig_random(seed, script->n)] : NULL;
	if (line && (line->gone || line->end - 1 + s->lateness <= wm))
		return;
	if (line) {
		char was[8];
		strcpy(was, line->x);
		sprintf(line->x, "%u", rig_random(seed, 6));
		line->gone = rig_random(seed, 2);
		put(script, line->gone ? "-D" : "-U", line, was);
		if (!line->gone)
			put(script, "+U", line, line->x);
		return;
	}
	line = &script->line[script->n];
	line->end = wm + 2 - s->lateness + (int64_t)rig_random(seed, SPAN);
	line->start = line->end - 1 - (int64_t)rig_random(seed, 4);
	sprintf(line->k, "k%u", s->unique ? script->n : rig_random(seed, KEYS));
	sprintf(line->x, "%u", rig_random(seed, 6));
	line->gone = false;
	put(script, "+I", line, line->x);
	script->n++;
}

/* What the operator without windows makes of rows in the end. */
static void say(const struct setup *s, const char *rows, struct buf *out)
{
	struct bench b;
	struct setup plain = *s;
	plain.plain = plain.final = true;
	plain.timed = plain.own = plain.bundled = false;
	plain.ttl = 0;
	ck_assert_msg(!begin(&b, &plain, 0), "%s", b.rig.err.text);
	ck_assert(!push(&b, rows, BATCH_MAX) && (b.rig.op.at_once || !call(&b, s->type->result)));
	buf_puts(out, rig_got(&b.rig));
	rig_close(&b.rig);
}

/* All rows so far, by window. */
struct past {
	struct { int64_t start, end; struct buf rows; bool closed; } window[ROWS];
	uint32_t n;
};

static void remember(struct past *past, struct script *script)
{
	long start, end;
	buf_putc(&script->rows, '\0');
	for (char *row = script->rows.p, *stop; *row; row = stop + 1) {
		uint32_t i = 0;
		stop = strchr(row, ';');
		ck_assert_int_eq(sscanf(row + 3, "%ld %ld", &start, &end), 2);
		while (i < past->n && (past->window[i].start != start || past->window[i].end != end))
			i++;
		if (i == past->n) {
			past->n++;
			past->window[i].start = start;
			past->window[i].end = end;
			buf_init(&past->window[i].rows, &script->mem);
		}
		buf_put(&past->window[i].rows, row, (size_t)(stop + 1 - row));
	}
	script->rows.n--;
}

/* The windows that close at t, in order. */
static void answer(struct past *past, const struct setup *s, int64_t t, struct buf *want)
{
	for (;;) {
		uint32_t best = past->n;
		for (uint32_t i = 0; i < past->n; i++) {
			int64_t end = past->window[i].end, start = past->window[i].start;
			if (past->window[i].closed || (t != WM_END && end - 1 + s->lateness > t))
				continue;
			if (best == past->n || end < past->window[best].end || (end == past->window[best].end && start < past->window[best].start))
				best = i;
		}
		if (best == past->n)
			return;
		past->window[best].closed = true;
		buf_putc(&past->window[best].rows, '\0');
		say(s, past->window[best].rows.p, want);
	}
}

static int64_t next_end(const struct past *past, const struct setup *s)
{
	int64_t next = INT64_MAX;
	for (uint32_t i = 0; i < past->n; i++)
		if (!past->window[i].closed && past->window[i].end - 1 + s->lateness < next)
			next = past->window[i].end - 1 + s->lateness;
	return next;
}

static void release(struct past *past, struct script *script)
{
	for (uint32_t i = 0; i < past->n; i++)
		buf_release(&past->window[i].rows);
	buf_release(&script->rows);
	ck_assert_uint_eq(script->mem.used, 0);
}

static void same(const struct setup *s, struct buf *got, struct buf *want)
{
	buf_putc(got, '\0');
	buf_putc(want, '\0');
	ck_assert_msg(!strcmp(got->p, want->p), "%s '%s' by '%s': got\n%s\nnot\n%s", s->type->name, s->text, s->key ? s->key : "", got->p, want->p);
	got->n = want->n = 0;
}

static void held(const struct setup *s, uint64_t seed)
{
	struct bench b;
	struct script script = { 0 };
	struct past *past = calloc(1, sizeof *past);
	struct buf want, got;
	int64_t t = -20;
	buf_init(&script.rows, &script.mem);
	buf_init(&want, &script.mem);
	buf_init(&got, &script.mem);
	ck_assert_msg(!begin(&b, s, 0), "%s", b.rig.err.text);
	ck_assert(b.rig.out.stream.windowed && b.rig.out.stream.timed == s->timed && !b.rig.out.stream.kinds);
	for (int step = 0; step < STEPS; step++) {
		script.rows.n = 0;
		for (uint32_t i = rig_random(&seed, 30); i; i--)
			some_row(&script, &seed, t, s);
		remember(past, &script);
		ck_assert(!push(&b, script.rows.p, 1 + rig_random(&seed, 9)));
		ck_assert_str_eq(rig_got(&b.rig), "");
		if (rig_random(&seed, 4) == 0)
			ck_assert_msg(!again(&b), "%s", b.rig.err.text);
		if (!s->kinds) /* a window whose keys are all gone is no window any more */
			ck_assert_int_eq(next_close(&b), next_end(past, s));
		t = step == STEPS - 1 ? WM_END : t + rig_random(&seed, 5);
		ck_assert(!advance(&b, t));
		answer(past, s, t, &want);
		buf_puts(&got, rig_got(&b.rig));
		same(s, &got, &want);
	}
	ck_assert(next_close(&b) == INT64_MAX && !b.rig.op.nlate && !b.rig.op.ignored);
	rig_close(&b.rig);
	buf_release(&want);
	buf_release(&got);
	release(past, &script);
	free(past);
}

static const struct setup held_setup[] = {
	{ &reduce_op, "window", "count, sum(x) as s, first(x), last(x)", 0, .timed = true },
	{ &reduce_op, "window, k", "count, min(x), count(distinct x)", 0, .timed = true, .max = 2, .ttl = 1 },
	{ &reduce_op, "k, window_end", "count, max(x)", 0, .timed = true, .lateness = 3, .bundled = true },
	{ &reduce_op, "window_end", "count, join(x)", 0, .timed = false },
	{ &reduce_op, "window, k", "count, sum(x)", S_U | S_D, .timed = true, .final = true },
	{ &reduce_op, "window, k", "count, min(x), count(distinct x)", S_U | S_D, .final = true, .max = 4 },
	{ &topn_op, "window", "2 by x desc as rank", 0, .timed = true, .bundled = true },
	{ &topn_op, "window, k", "1 by x", 0, .timed = true, .ttl = 1, .max = 2 },
	{ &topn_op, "window", "1", 0, .timed = true },
	{ &topn_op, "k, window", "last 1", 0, .timed = false },
	{ &topn_op, "window", "2..3", 0, .timed = true, .lateness = 2 },
	{ &topn_op, "window", "2 rank by x as r", 0, .timed = true },
	{ &topn_op, "window", "2 dense_rank by x as r", 0, .timed = false },
	{ &topn_op, "window", "all by x, k", 0, .timed = true, .max = 3 },
	{ &topn_op, "window", "(x) by k as r", 0, .timed = true },
	{ &topn_op, "k", "2 by x as r", 0, .timed = true, .own = true },
	{ &topn_op, NULL, "2 by x, k", S_D | S_U, .timed = true, .own = true, .unique = true },
	{ &topn_op, "window", "3 by x, k as r", S_U | S_D, .timed = true, .final = true, .unique = true },
};
enum { HELD = sizeof held_setup / sizeof *held_setup };

/* A topn that holds the end alone as its key ranks over all starts, so its windows are not those of `answer`. */
START_TEST(held_keys_answer_at_the_close)
{
	struct setup s = held_setup[_i % HELD];
	if (s.key && strstr(s.key, "window_end")) {
		for (uint64_t seed = 1; seed < 4; seed++) {
			struct bench b;
			ck_assert(!begin(&b, &s, 0));
			ck_assert(!push(&b, "+I 0 9 a 1;+I 3 9 a 2;+I 0 5 a 3;", (uint32_t)seed) && !advance(&b, 8 + s.lateness));
			const char *got = rig_got(&b.rig);
			ck_assert_int_eq(strncmp(got, "+I", 2), 0);
			ck_assert_ptr_eq(strchr(strchr(strchr(got, ';') + 1, ';') + 1, ';'), NULL);
			rig_close(&b.rig);
		}
		return;
	}
	held(&s, 100 + (uint64_t)_i);
}
END_TEST

/* ---- over updating windows --------------------------------------------------------------- */

static void updating(const struct setup *s, uint64_t seed)
{
	struct bench b, plain;
	struct script script = { 0 };
	struct setup other = *s;
	int64_t t = -20;
	other.plain = true;
	other.timed = other.bundled = false;
	other.ttl = 0;
	buf_init(&script.rows, &script.mem);
	ck_assert(!begin(&b, s, 0) && !begin(&plain, &other, 0));
	ck_assert_uint_eq(b.rig.out.stream.kinds, plain.rig.out.stream.kinds);
	for (int step = 0; step < STEPS; step++) {
		script.rows.n = 0;
		for (uint32_t i = rig_random(&seed, 30); i; i--)
			some_row(&script, &seed, t, s);
		buf_putc(&script.rows, '\0');
		ck_assert(!push(&b, script.rows.p, 1 + rig_random(&seed, 9)) && !push(&plain, script.rows.p, 1 + rig_random(&seed, 9)));
		if (rig_random(&seed, 4) == 0)
			ck_assert_msg(!again(&b), "%s", b.rig.err.text);
		char *want = strdup(rig_got(&plain.rig));
		ck_assert_str_eq(rig_got(&b.rig), want);
		free(want);
		t = step == STEPS - 1 ? WM_END : t + rig_random(&seed, 5);
		ck_assert(!advance(&b, t));
		ck_assert_str_eq(rig_got(&b.rig), "");
	}
	ck_assert(next_close(&b) == INT64_MAX && !b.rig.op.nlate && !b.rig.op.ignored);
	struct buf buf, empty;
	struct snap_out out = { &buf }, none = { &empty };
	buf_init(&buf, &script.mem);
	buf_init(&empty, &script.mem);
	ck_assert(!b.rig.op.type->save(&b.rig.op, &out));
	rig_close(&b.rig);
	ck_assert(!begin(&b, s, 0) && !b.rig.op.type->save(&b.rig.op, &none));
	ck_assert_uint_lt(buf.n, empty.n + 12); /* the keys are gone; a counter may be longer */
	rig_close(&b.rig);
	rig_close(&plain.rig);
	buf_release(&buf);
	buf_release(&empty);
	buf_release(&script.rows);
}

static const struct setup updating_setup[] = {
	{ &reduce_op, "window, k", "count, sum(x), min(x)", S_U | S_D, .timed = true },
	{ &reduce_op, "window", "count, count(distinct x) as d", S_U | S_D, .timed = true, .lateness = 3, .ttl = 1 },
	{ &reduce_op, "window", "sum(x)", S_U | S_D, .max = 2 },
	{ &topn_op, "window", "2 by x, k as rank", S_U | S_D, .timed = true, .unique = true },
	{ &topn_op, "window", "2 by x, k", S_U | S_D, .timed = true, .lateness = 2 },
	{ &topn_op, "window, k", "1 by x", S_U | S_D, .max = 2, .ttl = 1 },
	{ &topn_op, "window", "2 rank by x as r", S_U | S_D, .timed = true, .unique = true },
	{ &topn_op, "window, k", "1 by window_end", S_U, .timed = true, .unique = true },
};
enum { UPDATING = sizeof updating_setup / sizeof *updating_setup };

START_TEST(over_updating_windows_keys_are_forgotten)
{
	struct setup s = updating_setup[_i % UPDATING];
	if (s.kinds == S_U) /* some_row deletes */
		s.kinds = S_U | S_D;
	updating(&s, 7 + (uint64_t)_i);
}
END_TEST

/* A bundle ends where one of its windows closes. */
START_TEST(a_close_flushes_the_bundle)
{
	static const struct op_type *const type[] = { &reduce_op, &topn_op };
	static const char *const text[] = { "count", "1 by x" };
	static const char *const want[] = { "+I 1970-01-01T00:00:00Z 1970-01-01T00:00:00.009Z 2;+I 1970-01-01T00:00:00Z 1970-01-01T00:00:00.020Z 1;",
		"+I 1970-01-01T00:00:00Z 1970-01-01T00:00:00.009Z a 1;+I 1970-01-01T00:00:00Z 1970-01-01T00:00:00.020Z a 3;" };
	for (int i = 0; i < 2; i++) {
		struct bench b;
		struct setup s = { type[i], "window", text[i], S_U | S_D, .timed = true, .bundled = true };
		ck_assert(!begin(&b, &s, 0) && !push(&b, "+I 0 9 a 1;+I 0 9 a 2;+I 0 20 a 3;", 2));
		ck_assert_str_eq(rig_got(&b.rig), "");
		ck_assert(!again(&b) && !advance(&b, 7));
		ck_assert_str_eq(rig_got(&b.rig), "");
		ck_assert(!advance(&b, 8));
		ck_assert_str_eq(rig_got(&b.rig), want[i]);
		ck_assert(!push(&b, "-D 0 20 a 3;+I 0 20 a 3;", 2) && !call(&b, b.rig.op.type->flush) && !advance(&b, WM_END));
		ck_assert_str_eq(rig_got(&b.rig), "");
		rig_close(&b.rig);
	}
}
END_TEST

START_TEST(late_rows_are_counted)
{
	struct bench b;
	struct setup s = { &topn_op, "window", "2 by x", 0, .timed = true, .lateness = 4 };
	ck_assert(!begin(&b, &s, 0) && !push(&b, "+I 0 9 a 1;", 1) && !advance(&b, 11));
	ck_assert(!push(&b, "+I 0 8 a 2;+I 0 9 a 3;", 2));
	ck_assert(b.rig.op.nlate == 1 && b.rig.op.late_last == 8 - 2 + 4);
	ck_assert(!advance(&b, 12) && !push(&b, "+I 0 9 a 2;+I 1 9 a 0;", 2) && b.rig.op.nlate == 3 && !advance(&b, WM_END));
	ck_assert_str_eq(rig_got(&b.rig), "+I 1970-01-01T00:00:00Z 1970-01-01T00:00:00.009Z a 1;+I 1970-01-01T00:00:00Z 1970-01-01T00:00:00.009Z a 3;");
	rig_close(&b.rig);
}
END_TEST

START_TEST(without_the_end_it_is_no_window)
{
	static const char *const key[] = { "window_start", "window_end + 0s as window_end", "k", NULL };
	for (int i = 0; i < 8; i++) {
		struct bench b;
		struct setup s = { i % 2 ? &topn_op : &reduce_op, key[i / 2], i % 2 ? "1 by x" : "count", 0, .timed = true };
		ck_assert(!begin(&b, &s, 0));
		ck_assert(!b.rig.out.stream.timed && !b.rig.out.stream.windowed && !b.rig.out.stream.schema->timed && b.rig.schema.timed);
		ck_assert(!push(&b, "+I 0 9 a 1;", 1));
		ck_assert_int_eq(strncmp(rig_got(&b.rig), "+I", 2), 0);
		rig_close(&b.rig);
	}
}
END_TEST

START_TEST(refused_memory_is_an_error)
{
	static const char rows[] = "+I 0 9 a 1;+I 0 9 b 5;+I 3 9 a 2;+I 0 12 a 3;-D 0 12 a 3;+I 0 12 c 4;-U 0 9 a 1;+U 0 9 a 7;";
	struct setup s = _i % 2 ? held_setup[_i / 2 % HELD] : updating_setup[_i / 2 % UPDATING];
	bool failed = true;
	for (uint64_t fail = 1; failed; fail++) {
		struct bench b;
		failed = begin(&b, &s, fail) || push(&b, s.kinds ? rows : "+I 0 9 a 1;+I 0 9 b 5;+I 3 9 a 2;+I 0 12 a 3;", 3) || again(&b) || advance(&b, 9) ||
			 push(&b, "+I 0 20 a 1;", 1) || advance(&b, WM_END);
		if (failed)
			ck_assert_msg(strstr(b.rig.err.text, "memory"), "%s", b.rig.err.text);
		rig_close(&b.rig);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("by window");
	TCase *tcase = tcase_create("by window");
	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, held_keys_answer_at_the_close, 0, 3 * HELD);
	tcase_add_loop_test(tcase, over_updating_windows_keys_are_forgotten, 0, 3 * UPDATING);
	tcase_add_test(tcase, a_close_flushes_the_bundle);
	tcase_add_test(tcase, late_rows_are_counted);
	tcase_add_test(tcase, without_the_end_it_is_no_window);
	tcase_add_loop_test(tcase, refused_memory_is_an_error, 0, 2 * HELD);
	suite_add_tcase(suite, tcase);
	return rig_run(suite);
}
