/* --reduce in windows that fire at their end: very many panes, keys, or windows without rows; and when it wants to be called. */
#include "pane_rig.h"

/* What came out since the last look: rows, and the sum of their last column. */
static uint64_t rows_of(struct bench *b, uint64_t *sum)
{
	uint64_t n = 0;
	*sum = 0;
	for (const char *row = rig_got(&b->rig); *row; n++) {
		const char *stop = strchr(row, ';'), *last = stop;
		while (last[-1] != ' ')
			last--;
		*sum += strtoull(last, NULL, 10);
		row = stop + 1;
	}
	return n;
}

/* A row of each of n instants, in an order that a step makes: 1 is in order, n - 1 backwards. */
static void push_times(struct bench *b, uint32_t n, uint32_t step, uint32_t keys)
{
	char text[200 * 40];
	uint64_t t = 0;
	for (uint32_t i = 0; i < n;) {
		char *p = text;
		for (uint32_t k = 0; k < 200 && i < n; k++, i++, t = (t + step) % n)
			p += sprintf(p, "+I k%u 1 %u;", (uint32_t)t * 7 % keys, (uint32_t)t);
		ck_assert(!push(b, text));
	}
}

/* Ten thousand panes, open or in one window, whatever the order of rows. */
START_TEST(many_panes)
{
	static const uint32_t step[] = { 1, 9999, 3331 };
	for (int i = 0; i < 3; i++) {
		struct bench b;
		uint64_t sum;
		struct setup tumble = { .window = { .kind = WINDOW_TUMBLE, .size = 1, .step = 1 }, .reduce = "count", .key = "k", .timed = true, .max = BATCH_MAX };
		ck_assert(!begin(&b, &tumble));
		push_times(&b, 10000, step[i], 3);
		push_times(&b, 10000, step[i], 3);
		ck_assert(!advance(&b, WM_END));
		ck_assert_uint_eq(rows_of(&b, &sum), 10000);
		ck_assert_uint_eq(sum, 20000);
		finish(&b);
		for (int aggs = 0; aggs < 2; aggs++) {
			struct setup hop = { .window = { .kind = WINDOW_HOP, .size = 10000, .step = 1 }, .reduce = aggs ? "max(x), count" : "count", .key = "k", .timed = true };
			hop.max = BATCH_MAX;
			ck_assert(!begin(&b, &hop));
			push_times(&b, 10000, step[i], 1);
			ck_assert(!advance(&b, WM_END));
			ck_assert_uint_eq(rows_of(&b, &sum), 19999);
			ck_assert_uint_eq(sum, 10000 * 10000);
			finish(&b);
		}
	}
}
END_TEST

/* A hundred thousand keys that come once: memory is that of the keys in open panes, and entries that slide keep their nodes. */
START_TEST(many_keys)
{
	struct setup s = { .window = { .kind = _i ? WINDOW_HOP : WINDOW_TUMBLE, .size = 40, .step = _i ? 20 : 40 }, .reduce = "count", .key = "k", .timed = true };
	struct bench b;
	uint64_t rows = 0, all = 0, sum;
	char text[100 * 40];
	s.max = BATCH_MAX;
	ck_assert(!begin(&b, &s));
	size_t before = b.rig.mem.used;
	for (uint32_t i = 0; i < 1000; i++) {
		char *p = text;
		for (uint32_t k = 0; k < 100; k++)
			p += sprintf(p, "+I k%u 1 %u;", k ? i * 100 + k : 0, i); /* and one that always comes */
		ck_assert(!push(&b, text) && !advance(&b, (int64_t)i - 10));
		rows += rows_of(&b, &sum);
		all += sum;
	}
	ck_assert(!advance(&b, WM_END));
	rows += rows_of(&b, &sum);
	ck_assert_uint_eq(all + sum, _i ? 200000 : 100000);
	ck_assert_uint_eq(rows, _i ? 2 * 99000 + 51 : 99000 + 25);
	ck_assert_uint_lt(b.rig.mem.peak - before, 4 << 20);
	finish(&b);
}
END_TEST

/* Of ten thousand windows that have fired a late row changes those that hold it, by a few merges each, and makes one node; it goes with the last one. */
START_TEST(late_rows)
{
	struct setup s = { .window = { .kind = _i ? WINDOW_CUMULATE : WINDOW_HOP, .size = 10000, .step = 1 }, .reduce = "count, max(x)", .key = "k", .timed = true };
	struct bench b;
	uint64_t sum;
	s.lateness = 30000;
	s.max = BATCH_MAX;
	ck_assert(!begin(&b, &s));
	push_times(&b, 10000, 1, 1);
	ck_assert(!advance(&b, 20000));
	ck_assert_uint_eq(rows_of(&b, &sum), _i ? 10000 : 19999);
	const struct reduce_pane *state = b.rig.op.state;
	uint64_t made = state->made;
	for (int i = 0; i < 3; i++)
		ck_assert(!push(&b, "+I k0 1 5000;"));
	ck_assert_uint_eq(rows_of(&b, &sum), 3 * (_i ? 5000 : 10000));
	ck_assert_uint_eq(state->made, made);
	ck_assert(!push(&b, "+I k1 1 5000;"));
	ck_assert_uint_eq(rows_of(&b, &sum), _i ? 5000 : 10000);
	ck_assert_uint_eq(state->made, made + 1);
	ck_assert(!advance(&b, 60000));
	ck_assert_uint_eq(state->n, 0);
	finish(&b);
}
END_TEST

/* Windows without rows cost nothing, however many they are. */
START_TEST(years_without_rows)
{
	static const char *const want[] = { "+I 1970-01-01T00:00:00Z 1970-01-01T01:00:00Z k0 1;", "+I 2970-01-07T23:59:59Z 2970-01-08T00:59:59Z k0 1;" };
	struct setup s = { .window = { .kind = WINDOW_HOP, .size = 3600000, .step = 1000 }, .reduce = "count", .key = "k", .timed = true, .max = BATCH_MAX };
	struct bench b;
	ck_assert(!begin(&b, &s));
	ck_assert(!push(&b, "+I k0 1 0;+I k0 1 31557600000000;") && !advance(&b, 31557600000000));
	const char *got = rig_got(&b.rig);
	ck_assert_ptr_nonnull(strstr(got, want[0]));
	ck_assert(!advance(&b, WM_END));
	got = rig_got(&b.rig);
	ck_assert_ptr_nonnull(strstr(got, want[1]));
	finish(&b);
}
END_TEST

/* The watermarks that matter are those at which a window ends or closes, whether it has rows or not. */
START_TEST(due)
{
	struct setup s = { .window = { .kind = WINDOW_HOP, .size = 10, .step = 4 }, .reduce = "count", .key = "k", .timed = true, .max = BATCH_MAX };
	struct bench b;
	ck_assert(!begin(&b, &s));
	struct op *op = &b.rig.op;
	ck_assert_int_eq(reduce_pane_op.due(op), WM_NONE + 1);
	for (op->wm = -20; op->wm < 20; op->wm++) {
		int64_t w = op->wm + 1;
		while ((w + 1 - 10) % 4)
			w++;
		ck_assert_int_eq(reduce_pane_op.due(op), w);
	}
	op->wm = WM_END;
	ck_assert_int_eq(reduce_pane_op.due(op), INT64_MAX);
	finish(&b);
	s.lateness = 7;
	ck_assert(!begin(&b, &s));
	for (op->wm = -20; op->wm < 20; op->wm++) {
		int64_t w = op->wm + 1;
		while ((w + 1 - 10) % 4 && (w + 1 - 7 - 10) % 4)
			w++;
		ck_assert_int_eq(reduce_pane_op.due(op), w);
	}
	finish(&b);
	s.lateness = 0;
	s.timed = false;
	ck_assert(!begin(&b, &s));
	ck_assert_int_eq(reduce_pane_op.due(op), INT64_MAX);
	ck_assert_int_eq(reduce_pane_op.alarm(op), INT64_MAX);
	op->now = 7;
	ck_assert(!push(&b, "+I k0 1 7;"));
	ck_assert_int_eq(reduce_pane_op.alarm(op), 9);
	ck_assert(!advance(&b, 8));
	ck_assert_str_eq(rig_got(&b.rig), "");
	ck_assert(!advance(&b, 9));
	ck_assert_str_eq(rig_got(&b.rig), "+I 1970-01-01T00:00:00Z 1970-01-01T00:00:00.010Z k0 1;");
	ck_assert_int_eq(reduce_pane_op.alarm(op), 13);
	finish(&b);
}
END_TEST

/* What --explain says of the state. */
START_TEST(explained)
{
	static const struct { enum window_kind kind; int64_t size, step; const char *reduce, *want; int64_t lateness; } rows[] = {
		{ WINDOW_TUMBLE, 60000, 60000, "count", "for each key and open window of 1m; ", 0 },
		{ WINDOW_HOP, 3600000, 600000, "count", "; one total for each key\n", 0 },
		{ WINDOW_HOP, 3600000, 600000, "count, max(x)", "; two stacks of panes for each key\n", 0 },
		{ WINDOW_HOP, 3600000, 600000, "count", "for each key and pane (6 for 1h, and the open ones); ", 0 },
		{ WINDOW_CUMULATE, 86400000, 5000, "count", "for each key and open pane of 5s, and once more for its total; ", 0 },
		{ WINDOW_CUMULATE, 86400000, 3600000, "first(x)", "pane (24 for 1d, and the open ones); ", 0 },
		{ WINDOW_HOP, 3600000, 600000, "count, count(distinct x) as d", "; d: every distinct value\n", 0 },
		{ WINDOW_TUMBLE, 60000, 60000, "count", "for each key and open window of 1m, kept 10s longer for late rows; ", 10000 },
		{ WINDOW_CUMULATE, 86400000, 5000, "count", "(17280 for 1d, and the open ones), kept 1500ms longer for late rows; ", 1500 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct setup s = { .window = { .kind = rows[i].kind, .size = rows[i].size, .step = rows[i].step }, .reduce = rows[i].reduce, .timed = true };
		struct bench b;
		struct buf out;
		s.max = BATCH_MAX;
		s.lateness = rows[i].lateness;
		ck_assert(!begin(&b, &s));
		buf_init(&out, &b.rig.mem);
		reduce_pane_op.explain(&b.rig.op, &out);
		buf_putc(&out, '\0');
		ck_assert_msg(strstr(out.p, rows[i].want) != NULL, "%s\nlacks %s", out.p, rows[i].want);
		buf_release(&out);
		finish(&b);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reduce_pane_many");
	TCase *tcase = tcase_create("reduce_pane_many");
	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, many_panes);
	tcase_add_loop_test(tcase, many_keys, 0, 2);
	tcase_add_loop_test(tcase, late_rows, 0, 2);
	tcase_add_test(tcase, years_without_rows);
	tcase_add_test(tcase, due);
	tcase_add_test(tcase, explained);
	suite_add_tcase(suite, tcase);
	return rig_run(suite);
}
