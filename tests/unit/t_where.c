#include "rig.h"

extern const struct op_type where_op;

START_TEST(insert_only_rows_pass_as_they_are_or_not_at_all)
{
	struct rig rig;
	rig_init(&rig, "kx", 0);
	ck_assert_int_eq(rig_open(&rig, &where_op, "x > 3", true), 0);
	ck_assert_uint_eq(rig.out.stream.kinds, 0);
	ck_assert_uint_eq(rig.need[0], NEED_VALUE);
	ck_assert_uint_eq(rig.need[1], NEED_VALUE | NEED_NUMBER);
	ck_assert_int_eq(rig_push(&rig, "+I a 1;+I b 4;+I c \\N;+I d 10;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I b 4;+I d 10;");
	ck_assert_int_eq(rig_push(&rig, "+I a 5;+I b 6;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a 5;+I b 6;");
	ck_assert_int_eq(rig_push(&rig, "+I a 1;"), 0);
	ck_assert_str_eq(rig_got(&rig), "");
	rig_close(&rig);
}
END_TEST

START_TEST(rows_enter_leave_and_stay)
{
	struct rig rig;
	rig_init(&rig, "kx", S_U);
	ck_assert_int_eq(rig_open(&rig, &where_op, "x > 3", true), 0);
	ck_assert_uint_eq(rig.out.stream.kinds, S_U | S_D);
	ck_assert(where_op.before(&rig.op, false));
	ck_assert_int_eq(rig_push(&rig, "+I a 5;-U a 5;+U a 6;-U a 6;+U a 1;-U a 1;+U a 2;-U a 2;+U a 9;-D a 9;-D b 1;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a 5;-U a 5;+U a 6;-D a 6;+I a 9;-D a 9;");
	rig_close(&rig);
}
END_TEST

START_TEST(a_lone_half_of_an_update_is_an_insert_or_a_delete)
{
	struct rig rig;
	rig_init(&rig, "kx", S_U | S_D);
	ck_assert_int_eq(rig_open(&rig, &where_op, "x > 3", true), 0);
	ck_assert_int_eq(rig_push(&rig, "-U a 5;+I b 6;+U a 6;"), 0);
	ck_assert_str_eq(rig_got(&rig), "-D a 5;+I b 6;+I a 6;");
	rig_close(&rig);
}
END_TEST

START_TEST(no_before_is_sent_where_none_is_wanted)
{
	struct rig rig;
	rig_init(&rig, "kx", S_U);
	ck_assert_int_eq(rig_open(&rig, &where_op, "x > 3", false), 0);
	ck_assert_int_eq(rig_push(&rig, "+I a 5;-U a 5;+U a 6;-U a 6;+U a 1;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a 5;+U a 6;-D a 6;");
	rig_close(&rig);
}
END_TEST

START_TEST(numbers_and_times_stay_beside_their_rows)
{
	struct rig rig;
	rig_init(&rig, "kx", 0);
	ck_assert_int_eq(rig_open(&rig, &where_op, "x > 3", true), 0);
	struct batch batch = rig_batch(&rig, "+I a 1;+I b 4;+I c 2;+I d 10;", false);
	struct value num[] = { value_int(1), value_int(4), value_int(2), value_int(10) };
	int64_t time[] = { 11, 22, 33, 44 };
	batch.col[1].num = num;
	batch.time = time;
	batch.kind = NULL;
	ck_assert_int_eq(where_op.push(&rig.op, &batch), 0);
	ck_assert_str_eq(rig_got(&rig), "+I b 4;+I d 10;");
	arena_reset(&rig.scratch);
	rig_close(&rig);
}
END_TEST

START_TEST(filtering_the_changes_is_filtering_the_rows)
{
	uint64_t seed = 77 + (uint64_t)_i;
	int all[RIG_KEYS], shown[RIG_KEYS];
	struct rig rig;
	struct buf rows;
	rig_init(&rig, "kx", S_U | S_D);
	buf_init(&rows, &rig.mem);
	ck_assert_int_eq(rig_open(&rig, &where_op, "x >= 2 and x <> 4", true), 0);
	for (int k = 0; k < RIG_KEYS; k++)
		all[k] = shown[k] = -1;
	for (int round = 0; round < 40; round++) {
		rows.n = 0;
		rig_changes(&seed, 1 + rig_random(&seed, 60), all, &rows);
		ck_assert_int_eq(rig_push(&rig, rows.p), 0);
		rig_apply(rig_got(&rig), shown);
		for (int k = 0; k < RIG_KEYS; k++)
			ck_assert_int_eq(shown[k], all[k] >= 2 && all[k] != 4 ? all[k] : -1);
	}
	buf_release(&rows);
	rig_close(&rig);
}
END_TEST

START_TEST(refused_memory_is_an_error_and_leaks_nothing)
{
	for (uint64_t i = 0; i < 8; i++) {
		struct rig rig;
		rig_init(&rig, "kx", S_U);
		ck_assert_int_eq(rig_open(&rig, &where_op, "x > 3", true), 0);
		struct batch batch = rig_batch(&rig, "+I a 5;+I b 1;", true);
		ck_assert_ptr_nonnull(arena_alloc(&rig.scratch, (size_t)(rig.scratch.end - rig.scratch.at) - 16 * (size_t)i));
		rig.mem.fail_at = rig.mem.requests + 1;
		int status = where_op.push(&rig.op, &batch);
		ck_assert_int_eq(status != 0, rig.err.code != 0);
		rig_close(&rig);
	}
}
END_TEST

START_TEST(a_wrong_column_is_a_usage_error)
{
	struct rig rig;
	rig_init(&rig, "kx", 0);
	ck_assert_int_eq(rig_open(&rig, &where_op, "y > 3", true), -1);
	ck_assert_int_eq(rig.err.code, ERR_USAGE);
	rig_close(&rig);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("where");
	TCase *tc = tcase_create("where");
	suite_add_tcase(suite, tc);
	tcase_add_test(tc, insert_only_rows_pass_as_they_are_or_not_at_all);
	tcase_add_test(tc, rows_enter_leave_and_stay);
	tcase_add_test(tc, a_lone_half_of_an_update_is_an_insert_or_a_delete);
	tcase_add_test(tc, no_before_is_sent_where_none_is_wanted);
	tcase_add_test(tc, numbers_and_times_stay_beside_their_rows);
	tcase_add_loop_test(tc, filtering_the_changes_is_filtering_the_rows, 0, 10);
	tcase_add_test(tc, refused_memory_is_an_error_and_leaks_nothing);
	tcase_add_test(tc, a_wrong_column_is_a_usage_error);
	return rig_run(suite);
}
