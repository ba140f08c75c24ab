#include "rig.h"

#include "ops/state/snapshot.h"

extern const struct op_type minibatch_op, ttl_op;

START_TEST(the_row_that_fills_a_bundle_is_flushed_with_it)
{
	struct rig rig;
	rig_init(&rig, "k", 0);
	ck_assert_int_eq(rig_open(&rig, &minibatch_op, "3", true), 0);
	ck_assert_int_eq(rig_push(&rig, "+I a;+I b;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a;+I b;");
	ck_assert_int_eq(rig_push(&rig, "+I c;+I d;+I e;+I f;+I g;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I c;|+I d;+I e;+I f;|+I g;");
	ck_assert(minibatch_op.alarm(&rig.op) == INT64_MAX);
	rig_close(&rig);
}
END_TEST

START_TEST(a_cut_inside_an_update_leaves_two_lone_rows)
{
	struct rig rig;
	rig_init(&rig, "k", S_U);
	ck_assert_int_eq(rig_open(&rig, &minibatch_op, "2", true), 0);
	ck_assert_int_eq(rig_push(&rig, "+I a;-U a;+U b;-U b;+U c;-D c;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a;-D a;|+I b;-D b;|+I c;-D c;|");
	rig_close(&rig);
}
END_TEST

START_TEST(batches_of_any_size_are_cut_at_the_same_rows)
{
	uint64_t seed = 3 + (uint64_t)_i;
	uint32_t size = 1 + rig_random(&seed, 9);
	char text[8], rows[] = "+I a;+I a;+I a;+I a;+I a;+I a;+I a;+I a;";
	snprintf(text, sizeof text, "%u", size);
	struct rig rig;
	rig_init(&rig, "k", 0);
	ck_assert_int_eq(rig_open(&rig, &minibatch_op, text, true), 0);
	uint32_t sent = 0;
	for (int i = 0; i < 100; i++) {
		uint32_t n = 1 + rig_random(&seed, 8);
		ck_assert_int_eq(rig_push(&rig, rows + 5 * (8 - n)), 0);
		sent += n;
		ck_assert_uint_eq(rig.flushed, sent / size);
	}
	const char *got = rig_got(&rig);
	for (uint32_t row = 1; *got; row++) {
		got += 5;
		ck_assert_int_eq(*got == '|', row % size == 0);
		got += *got == '|';
	}
	rig_close(&rig);
}
END_TEST

START_TEST(on_the_clock_bundles_end_at_multiples_of_the_latency)
{
	struct rig rig;
	rig_init(&rig, "k", 0);
	ck_assert_int_eq(rig_open(&rig, &minibatch_op, "10, 100ms", true), 0);
	ck_assert(minibatch_op.alarm(&rig.op) == INT64_MAX);
	rig.op.now = 1050;
	ck_assert_int_eq(rig_push(&rig, "+I a;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a;");
	ck_assert_int_eq(minibatch_op.alarm(&rig.op), 1100);
	ck_assert_int_eq(minibatch_op.timer(&rig.op, 1099), 0);
	ck_assert_str_eq(rig_got(&rig), "");
	ck_assert_int_eq(minibatch_op.timer(&rig.op, 1101), 0);
	ck_assert_str_eq(rig_got(&rig), "|");
	ck_assert(minibatch_op.alarm(&rig.op) == INT64_MAX);
	ck_assert_int_eq(minibatch_op.timer(&rig.op, 1250), 0);
	ck_assert_str_eq(rig_got(&rig), "");
	rig.op.now = 1260;
	ck_assert_int_eq(rig_push(&rig, "+I b;"), 0);
	rig.op.now = 1300;
	ck_assert_int_eq(rig_push(&rig, "+I c;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I b;|+I c;");
	ck_assert_int_eq(minibatch_op.alarm(&rig.op), 1400);
	rig_close(&rig);
}
END_TEST

START_TEST(a_flush_from_further_up_starts_the_count_anew)
{
	struct rig rig;
	rig_init(&rig, "k", 0);
	ck_assert_int_eq(rig_open(&rig, &minibatch_op, "3", true), 0);
	ck_assert_int_eq(rig_push(&rig, "+I a;+I b;"), 0);
	ck_assert_int_eq(minibatch_op.flush(&rig.op), 0);
	ck_assert_int_eq(rig_push(&rig, "+I c;+I d;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a;+I b;+I c;+I d;");
	ck_assert_int_eq(rig_push(&rig, "+I e;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I e;|");
	rig_close(&rig);
}
END_TEST

START_TEST(under_final_there_is_one_bundle)
{
	struct rig rig;
	rig_init(&rig, "k", 0);
	ck_assert_int_eq(rig_open(&rig, &minibatch_op, "1, 1s", true), 0);
	rig.op.final = true;
	rig.op.now = 5000;
	ck_assert_int_eq(rig_push(&rig, "+I a;+I b;"), 0);
	ck_assert_int_eq(minibatch_op.timer(&rig.op, 9000), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a;+I b;");
	rig_close(&rig);
}
END_TEST

START_TEST(the_count_survives_a_snapshot)
{
	struct rig rig, other;
	struct buf saved;
	struct err err = { 0 };
	rig_init(&rig, "k", 0);
	rig_init(&other, "k", 0);
	buf_init(&saved, &rig.mem);
	ck_assert_int_eq(rig_open(&rig, &minibatch_op, "3, 1s", true), 0);
	ck_assert_int_eq(rig_open(&other, &minibatch_op, "3, 1s", true), 0);
	rig.op.now = other.op.now = 1500;
	ck_assert_int_eq(rig_push(&rig, "+I a;+I b;"), 0);
	ck_assert_int_eq(minibatch_op.save(&rig.op, &(struct snap_out){ &saved }), 0);
	struct snap_in in = { .p = saved.p, .end = saved.p + saved.n, .mem = &other.plan };
	ck_assert_int_eq(minibatch_op.load(&other.op, &in), 0);
	ck_assert_int_eq(snap_done(&in, "minibatch", &err), 0);
	ck_assert_int_eq(minibatch_op.alarm(&other.op), 2000);
	ck_assert_int_eq(rig_push(&other, "+I c;"), 0);
	ck_assert_str_eq(rig_got(&other), "+I c;|");
	struct snap_in bad = { .p = "\x12\x00", .mem = &other.plan };
	bad.end = bad.p + 2; /* nine rows in a bundle of three */
	minibatch_op.load(&other.op, &bad);
	ck_assert(bad.bad);
	buf_release(&saved);
	rig_close(&rig);
	rig_close(&other);
}
END_TEST

START_TEST(settings_reach_later_operators)
{
	struct rig rig;
	struct op_settings settings = { 0 };
	rig_init(&rig, "k", 0);
	ck_assert_int_eq(rig_open(&rig, &minibatch_op, "3", true), 0);
	ck_assert_int_eq(minibatch_op.apply(&rig.op, &settings, &rig.err), 0);
	ck_assert_ptr_eq(settings.bundle, &rig.op);
	struct op ttl = { .type = &ttl_op, .flag = "--ttl", .text = "1m30s", .plan = &rig.plan, .conf = &(int64_t){ 0 } };
	ck_assert_uint_eq(ttl_op.conf_size, sizeof(int64_t));
	ck_assert_int_eq(ttl_op.parse(&ttl, &rig.err), 0);
	ck_assert_int_eq(ttl_op.apply(&ttl, &settings, &rig.err), 0);
	ck_assert_int_eq(settings.ttl, 90000);
	ttl.text = "5";
	ck_assert_int_eq(ttl_op.parse(&ttl, &rig.err), -1);
	ck_assert_int_eq(rig.err.code, ERR_USAGE);
	rig_close(&rig);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("minibatch");
	TCase *tc = tcase_create("minibatch");
	suite_add_tcase(suite, tc);
	tcase_add_test(tc, the_row_that_fills_a_bundle_is_flushed_with_it);
	tcase_add_test(tc, a_cut_inside_an_update_leaves_two_lone_rows);
	tcase_add_loop_test(tc, batches_of_any_size_are_cut_at_the_same_rows, 0, 20);
	tcase_add_test(tc, on_the_clock_bundles_end_at_multiples_of_the_latency);
	tcase_add_test(tc, a_flush_from_further_up_starts_the_count_anew);
	tcase_add_test(tc, under_final_there_is_one_bundle);
	tcase_add_test(tc, the_count_survives_a_snapshot);
	tcase_add_test(tc, settings_reach_later_operators);
	return rig_run(suite);
}
