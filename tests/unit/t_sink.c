/* The end of the chain: what it shows, counts, leaves out, and how it fails; over every format. */
#include "sink_rig.h"

START_TEST(no_rows_no_bytes)
{
	for (uint32_t i = 0; emit_types[i]; i++) {
		struct bench b;
		start(&b, emit_types[i]->name, names, 3);
		b.conf.opt.names = true;
		ck_assert_int_eq(open_sink(&b), 0);
		ck_assert_str_eq(finish(&b), "");
		stop(&b);
	}
	ck_assert_ptr_null(emit_find("chang", 5));
	ck_assert_ptr_null(emit_find("changelogs", 10));
}
END_TEST

static const struct value wide[] = { { .type = V_RAW, .len = 1, .u.p = "p" }, { .type = V_NULL }, { .type = V_RAW, .len = 2, .u.p = "qr" } };

START_TEST(of_an_open_schema_the_record_is_shown)
{
	static const char *const used[] = { "c7" };
	struct bench b;
	start(&b, "changelog", used, 1);
	b.schema.kind = SCHEMA_POSITIONS;
	ck_assert_int_eq(open_sink(&b), 0);
	ck_assert_uint_eq(b.need[0], 0);
	ck_assert_uint_eq(b.need[1], NEED_VALUE);
	row(&b, K_I, (struct value[]){ { .type = V_ROW, .len = 3, .u.row = wide } });
	row(&b, K_I, (struct value[]){ { .type = V_ROW, .len = 0, .u.row = wide } });
	ck_assert_str_eq(finish(&b), "+I\tp\t\\N\tqr\n+I\n");
	stop(&b);
}
END_TEST

START_TEST(without_before_a_lone_one_is_a_delete)
{
	static const uint32_t key[] = { 0 };
	struct bench b;
	start(&b, "changelog", names, 1);
	b.in.kinds = S_U | S_D;
	b.conf.opt.no_before = true;
	ck_assert_int_eq(open_sink(&b), -1);
	ck_assert_int_eq(b.err.code, ERR_USAGE);
	stop(&b);
	start(&b, "changelog", names, 1);
	b.in = (struct stream){ .schema = &b.schema, .kinds = S_U | S_D, .has_key = true, .nkey = 1, .key = key };
	b.conf.opt.no_before = true;
	ck_assert_int_eq(open_sink(&b), 0);
	ck_assert(!sink_op.before(&b.op, true));
	row(&b, K_I, (struct value[]){ text("a") });
	row(&b, K_UB | K_PAIR, (struct value[]){ text("a") });
	row(&b, K_UA, (struct value[]){ text("b") });
	row(&b, K_UB, (struct value[]){ text("b") });
	ck_assert_str_eq(finish(&b), "+I\ta\n+U\tb\n-D\tb\n");
	ck_assert_uint_eq(sink_rows(&b.op), 0);
	stop(&b);
}
END_TEST

START_TEST(the_rows_of_the_result_are_counted)
{
	struct bench b;
	start(&b, "changelog", names, 1);
	b.in.kinds = S_U | S_D;
	ck_assert_int_eq(open_sink(&b), 0);
	row(&b, K_D, (struct value[]){ text("a") });
	row(&b, K_I, (struct value[]){ text("a") });
	row(&b, K_UB | K_PAIR, (struct value[]){ text("a") });
	row(&b, K_UA, (struct value[]){ text("b") });
	ck_assert_int_eq(push(&b), 0);
	ck_assert_uint_eq(sink_rows(&b.op), 1);
	row(&b, K_UB, (struct value[]){ text("b") });
	finish(&b);
	ck_assert_uint_eq(sink_rows(&b.op), 0);
	stop(&b);
}
END_TEST

START_TEST(a_full_disk_stops_the_chain_with_its_name)
{
	struct bench b;
	start(&b, emit_types[_i]->name, names, 1);
	ck_assert_int_eq(open_sink(&b), 0);
	close(b.out.fd);
	b.out.fd = open("/dev/full", O_WRONLY);
	char big[1000];
	memset(big, 'x', sizeof big);
	int status = 0;
	for (int i = 0; i < 6 * BATCH_MAX && !status; i++) {
		row(&b, K_I, (struct value[]){ value_raw(big, sizeof big) });
		status = b.batch.n == BATCH_MAX ? push(&b) : 0;
	}
	ck_assert_int_eq(status, -1);
	ck_assert_str_eq(b.err.text, "standard output: No space left on device");
	stop(&b);
}
END_TEST

START_TEST(refused_memory_is_an_error_and_leaks_nothing)
{
	for (uint64_t i = 1; i < 25; i++) {
		struct bench b;
		start(&b, emit_types[_i]->name, names, 3);
		b.conf.opt.names = true;
		b.fail = i;
		int status = open_sink(&b);
		if (!status) {
			for (int n = 0; n < 50; n++)
				every_kind_of_row(&b);
			status = push(&b);
			if (!status)
				status = sink_op.result(&b.op) || out_flush(&b.out);
		}
		ck_assert(!status || b.err.code == ERR_FAILED || b.out.error);
		stop(&b);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sink");
	TCase *tc = tcase_create("sink");
	suite_add_tcase(suite, tc);
	int types = 0;
	while (emit_types[types])
		types++;
	tcase_add_test(tc, no_rows_no_bytes);
	tcase_add_test(tc, of_an_open_schema_the_record_is_shown);
	tcase_add_test(tc, without_before_a_lone_one_is_a_delete);
	tcase_add_test(tc, the_rows_of_the_result_are_counted);
	tcase_add_loop_test(tc, a_full_disk_stops_the_chain_with_its_name, 0, types);
	tcase_add_loop_test(tc, refused_memory_is_an_error_and_leaks_nothing, 0, types);
	return run(suite);
}
