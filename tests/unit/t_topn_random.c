/* topn against a model that keeps all rows and sorts them anew: at every point, applying what was sent gives what the model shows. */
#include "topn_model.h"

static struct model model;

static void start_model(int i)
{
	memset(&model, 0, sizeof model);
	model.v = &variants[i / 4];
	model.shape = (enum shape)(i % 4);
}

START_TEST(stream_is_batch)
{
	start_model(_i / 2);
	bool bundled = _i % 2;
	uint64_t seed = 12345 + (uint64_t)_i;
	struct job job = job_of(model.v, model.shape);
	struct top top;
	struct buf rows, set, want, have;
	job.bundled = bundled;
	ck_assert_int_eq(top_open(&top, &job), 0);
	struct mem mem = { 0 };
	buf_init(&rows, &mem), buf_init(&set, &mem), buf_init(&want, &mem), buf_init(&have, &mem);
	for (int round = 0; round < 150; round++) {
		rows.n = 0;
		for (uint32_t k = bundled ? rig_random(&seed, 12) : 1; k; k--)
			step(&model, &seed, &rows);
		buf_putc(&rows, '\0');
		ck_assert_int_eq(top_push(&top, rows.p, 1 + rig_random(&seed, 5)), 0);
		ck_assert(!bundled || !top.rig.got.n);
		ck_assert_int_eq(top_flush(&top), 0);
		apply(&set, rig_got(&top.rig));
		compare(&model, &set, &want, &have);
	}
	ck_assert_uint_eq(top.rig.op.ignored, model.stray);
	buf_release(&rows), buf_release(&set), buf_release(&want), buf_release(&have);
	top_close(&top);
}
END_TEST

/* Batches of every size, a state that goes through a snapshot after each of them, and a consumer without -U: all the same rows. */
START_TEST(batches_and_snapshots_do_not_show)
{
	start_model(_i / 2);
	bool bundled = _i % 2;
	struct job job = job_of(model.v, model.shape);
	struct mem mem = { 0 };
	struct buf one, other, rows;
	job.bundled = bundled;
	buf_init(&one, &mem), buf_init(&other, &mem), buf_init(&rows, &mem);
	uint64_t seed = 777 + (uint64_t)_i;
	struct top whole, part, next;
	struct top *saved = &part, *fresh = &next;
	ck_assert_int_eq(top_open(&whole, &job), 0);
	ck_assert_int_eq(top_open(saved, &job), 0);
	for (int round = 0; round < 40; round++) {
		rows.n = 0;
		for (int k = 0; k < 6; k++)
			step(&model, &seed, &rows);
		buf_putc(&rows, '\0');
		ck_assert_int_eq(top_push(&whole, rows.p, 1024), 0);
		ck_assert_int_eq(top_push(saved, rows.p, 1 + (uint32_t)round % 3), 0);
		ck_assert_int_eq(top_open(fresh, &job), 0);
		ck_assert_int_eq(top_move(saved, fresh), 0);
		buf_puts(&other, rig_got(&saved->rig));
		top_close(saved);
		struct top *t = saved;
		saved = fresh, fresh = t;
		if (round % 2) {
			ck_assert_int_eq(top_flush(&whole), 0);
			ck_assert_int_eq(top_flush(saved), 0);
		}
		buf_puts(&one, rig_got(&whole.rig));
	}
	buf_puts(&other, rig_got(&saved->rig));
	buf_puts(&one, rig_got(&whole.rig));
	buf_putc(&other, '\0');
	buf_putc(&one, '\0');
	ck_assert_msg(!strcmp(one.p, other.p), "-t '%s' shape %d\n  one   %s\n  other %s", model.v->text, model.shape, one.p, other.p);
	top_close(&whole);
	top_close(saved);
	buf_release(&one), buf_release(&other), buf_release(&rows);
}
END_TEST

START_TEST(the_result_is_what_is_shown)
{
	start_model(_i);
	struct job job = job_of(model.v, model.shape);
	struct mem mem = { 0 };
	struct buf rows, set, want, have;
	uint64_t seed = 99 + (uint64_t)_i;
	job.final = true;
	buf_init(&rows, &mem), buf_init(&set, &mem), buf_init(&want, &mem), buf_init(&have, &mem);
	struct top top;
	ck_assert_int_eq(top_open(&top, &job), 0);
	for (int k = 0; k < 200; k++)
		step(&model, &seed, &rows);
	buf_putc(&rows, '\0');
	ck_assert_int_eq(top_push(&top, rows.p, 50), 0);
	ck_assert_int_eq(top_result(&top), 0);
	apply(&set, rig_got(&top.rig));
	compare(&model, &set, &want, &have);
	buf_release(&rows), buf_release(&set), buf_release(&want), buf_release(&have);
	top_close(&top);
}
END_TEST

/* A snapshot that ends too early is refused, wherever it is cut. */
START_TEST(damaged_state)
{
	start_model(_i / 2);
	struct job job = job_of(model.v, model.shape);
	struct mem mem = { 0 };
	struct buf rows, buf;
	struct arena arena;
	uint64_t seed = 41 + (uint64_t)_i;
	job.bundled = _i % 2;
	buf_init(&rows, &mem), buf_init(&buf, &mem), arena_init(&arena, &mem);
	for (int k = 0; k < 12; k++)
		step(&model, &seed, &rows);
	buf_putc(&rows, '\0');
	struct top top, copy;
	ck_assert_int_eq(top_open(&top, &job), 0);
	ck_assert_int_eq(top_push(&top, rows.p, 50), 0);
	struct snap_out out = { .buf = &buf };
	ck_assert_int_eq(topn_op.save(&top.rig.op, &out), 0);
	for (size_t cut = 0; cut < buf.n; cut++) {
		ck_assert_int_eq(top_open(&copy, &job), 0);
		struct snap_in in = { .p = buf.p, .end = buf.p + cut, .mem = &arena };
		ck_assert_int_eq(topn_op.load(&copy.rig.op, &in), -1);
		ck_assert_int_eq(copy.rig.err.code, ERR_FAILED);
		top_close(&copy);
	}
	top_close(&top);
	arena_release(&arena);
	buf_release(&rows), buf_release(&buf);
}
END_TEST

/* Every request for memory fails once, and all after it: an error with a text, nothing lost, nothing half-made that close trips over. */
START_TEST(refused_memory)
{
	start_model(_i / 2);
	struct job job = job_of(model.v, model.shape);
	struct mem mem = { 0 };
	struct buf rows;
	uint64_t seed = 5 + (uint64_t)_i;
	int status = -1;
	job.bundled = _i % 2;
	buf_init(&rows, &mem);
	for (int k = 0; k < 60; k++)
		step(&model, &seed, &rows);
	buf_putc(&rows, '\0');
	for (uint64_t fail = 4; status; fail += 1 + fail / 8) {
		struct top top;
		rig_init(&top.rig, job.columns, job.kinds);
		memset(top.unique, 0, sizeof top.unique);
		memset(top.trend, 0, sizeof top.trend);
		buf_room(&top.rig.got, 1 << 16);
		ck_assert(arena_alloc(&top.rig.scratch, 1 << 19));
		arena_reset(&top.rig.scratch);
		top.rig.mem.fail_at = top.rig.mem.requests + fail;
		status = top_plan(&top, &job) || top_start(&top, &job);
		status = status || top_push(&top, rows.p, 1024) || top_flush(&top);
		ck_assert_int_eq(status != 0, top.rig.err.code == ERR_FAILED);
		top_close(&top);
	}
	buf_release(&rows);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("topn_random");
	TCase *tc = tcase_create("topn_random");
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, stream_is_batch, 0, 8 * VARIANTS);
	tcase_add_loop_test(tc, batches_and_snapshots_do_not_show, 0, 8 * VARIANTS);
	tcase_add_loop_test(tc, the_result_is_what_is_shown, 0, 4 * VARIANTS);
	tcase_add_loop_test(tc, damaged_state, 0, 8 * VARIANTS);
	tcase_add_loop_test(tc, refused_memory, 0, 8 * VARIANTS);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
