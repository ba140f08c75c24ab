#include "rig.h"

extern const struct op_type select_op;

static bool is_named(const struct schema *schema, uint32_t col, const char *name)
{
	return schema->col[col].len == strlen(name) && !memcmp(schema->col[col].name, name, strlen(name));
}

START_TEST(columns_and_what_is_computed_of_them)
{
	struct rig rig;
	rig_init(&rig, "kx", 0);
	ck_assert_int_eq(rig_open(&rig, &select_op, "x + 1 as y, k, x", true), 0);
	const struct schema *schema = rig.out.stream.schema;
	ck_assert_uint_eq(schema->n, 3);
	ck_assert(is_named(schema, 0, "y") && is_named(schema, 1, "k") && is_named(schema, 2, "x"));
	ck_assert_int_eq(schema->col[0].type, T_NUMBER);
	ck_assert_int_eq(schema->col[1].type, T_RAW);
	ck_assert_uint_eq(rig.need[0], NEED_VALUE);
	ck_assert_uint_eq(rig.need[1], NEED_VALUE | NEED_NUMBER);
	ck_assert_int_eq(rig_push(&rig, "+I a 1;+I b 2.50;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I 2 a 1;+I 3.5 b 2.50;");
	rig_close(&rig);
}
END_TEST

START_TEST(a_star_is_all_columns_and_second_names_are_told_apart)
{
	struct rig rig;
	rig_init(&rig, "kx", 0);
	ck_assert_int_eq(rig_open(&rig, &select_op, "*, x as k", true), 0);
	ck_assert_uint_eq(rig.out.stream.schema->n, 3);
	ck_assert(is_named(rig.out.stream.schema, 2, "k_2"));
	ck_assert_int_eq(rig_push(&rig, "+I a 1;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a 1 1;");
	rig_close(&rig);
}
END_TEST

START_TEST(of_unnamed_input_a_star_is_the_record)
{
	struct rig rig;
	rig_init(&rig, "", 0);
	rig.schema.kind = SCHEMA_POSITIONS;
	ck_assert_int_eq(rig_open(&rig, &select_op, "c2, *", true), 0);
	const struct schema *schema = rig.out.stream.schema;
	ck_assert_uint_eq(schema->n, 2);
	ck_assert_int_eq(schema_row(schema), 1);
	ck_assert_int_eq(schema->kind, SCHEMA_CLOSED);
	rig_close(&rig);
	rig_init(&rig, "", 0);
	rig.schema.kind = SCHEMA_POSITIONS;
	ck_assert_int_eq(rig_open(&rig, &select_op, "*, *", true), -1);
	ck_assert_int_eq(rig.err.code, ERR_USAGE);
	rig_close(&rig);
}
END_TEST

START_TEST(the_unique_key_is_kept_only_as_a_whole)
{
	static const uint32_t key[] = { 0, 2 };
	static const int8_t trend[] = { TREND_CONST, TREND_RISES, TREND_CONST };
	static const struct {
		const char *text;
		bool has_key;
	} cases[] = { { "x, z as y, k", true }, { "k, x", false }, { "k, z || '' as z", false }, { "*", true } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rig rig;
		rig_init(&rig, "kxz", S_U);
		rig.in.has_key = true;
		rig.in.nkey = 2;
		rig.in.key = key;
		rig.in.trend = trend;
		ck_assert_int_eq(rig_open(&rig, &select_op, cases[i].text, true), 0);
		const struct stream *out = &rig.out.stream;
		ck_assert_int_eq(out->has_key, cases[i].has_key);
		ck_assert_uint_eq(out->nkey, cases[i].has_key ? 2 : 0);
		ck_assert_int_eq(out->trend != NULL, cases[i].has_key);
		if (i == 0) {
			ck_assert(out->key[0] == 2 && out->key[1] == 1);
			ck_assert(out->trend[0] == TREND_RISES && out->trend[1] == TREND_CONST);
		}
		rig_close(&rig);
	}
}
END_TEST

START_TEST(an_update_that_shows_nothing_is_left_out)
{
	struct rig rig;
	rig_init(&rig, "kx", S_U);
	ck_assert_int_eq(rig_open(&rig, &select_op, "k, x > 3 as big", true), 0);
	rig.op.ttl = _i;
	ck_assert_int_eq(rig_push(&rig, "+I a 1;-U a 1;+U a 2;-U a 2;+U a 5;-U a 5;+U a 6;-D a 6;"), 0);
	ck_assert_str_eq(rig_got(&rig), _i ? "+I a false;-U a false;+U a false;-U a false;+U a true;-U a true;+U a true;-D a true;"
					   : "+I a false;-U a false;+U a true;-D a true;");
	rig_close(&rig);
}
END_TEST

START_TEST(columns_that_nobody_reads_still_tell_rows_apart)
{
	struct rig rig;
	rig_init(&rig, "kx", S_U);
	ck_assert_int_eq(rig_open(&rig, &select_op, "k, x * 2 as y", true), 0);
	rig.out.need[1] = 0;
	memset(rig.need, 0, sizeof rig.need);
	select_op.need(&rig.op, rig.out.need, rig.need);
	ck_assert_uint_ne(rig.need[1], 0);
	ck_assert_int_eq(rig_push(&rig, "-U a 1;+U a 2;"), 0);
	ck_assert_str_eq(rig_got(&rig), "-U a 2;+U a 4;");
	rig_close(&rig);
}
END_TEST

START_TEST(unread_columns_of_insert_only_rows_are_not_computed)
{
	struct rig rig;
	rig_init(&rig, "kx", 0);
	ck_assert_int_eq(rig_open(&rig, &select_op, "k, x * 2 as y", true), 0);
	rig.out.need[1] = 0;
	memset(rig.need, 0, sizeof rig.need);
	select_op.need(&rig.op, rig.out.need, rig.need);
	ck_assert_uint_eq(rig.need[1], 0);
	ck_assert_int_eq(rig_push(&rig, "+I a 1;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a;");
	rig_close(&rig);
}
END_TEST

START_TEST(projecting_the_changes_is_projecting_the_rows)
{
	uint64_t seed = 5 + (uint64_t)_i;
	int all[RIG_KEYS], shown[RIG_KEYS];
	struct rig rig;
	struct buf rows;
	rig_init(&rig, "kx", S_U | S_D);
	buf_init(&rows, &rig.mem);
	ck_assert_int_eq(rig_open(&rig, &select_op, "k, x % 2 as y", true), 0);
	for (int k = 0; k < RIG_KEYS; k++)
		all[k] = shown[k] = -1;
	for (int round = 0; round < 40; round++) {
		rows.n = 0;
		rig_changes(&seed, 1 + rig_random(&seed, 60), all, &rows);
		ck_assert_int_eq(rig_push(&rig, rows.p), 0);
		rig_apply(rig_got(&rig), shown);
		for (int k = 0; k < RIG_KEYS; k++)
			ck_assert_int_eq(shown[k], all[k] < 0 ? -1 : all[k] % 2);
	}
	buf_release(&rows);
	rig_close(&rig);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("select");
	TCase *tc = tcase_create("select");
	suite_add_tcase(suite, tc);
	tcase_add_test(tc, columns_and_what_is_computed_of_them);
	tcase_add_test(tc, a_star_is_all_columns_and_second_names_are_told_apart);
	tcase_add_test(tc, of_unnamed_input_a_star_is_the_record);
	tcase_add_test(tc, the_unique_key_is_kept_only_as_a_whole);
	tcase_add_loop_test(tc, an_update_that_shows_nothing_is_left_out, 0, 2);
	tcase_add_test(tc, columns_that_nobody_reads_still_tell_rows_apart);
	tcase_add_test(tc, unread_columns_of_insert_only_rows_are_not_computed);
	tcase_add_loop_test(tc, projecting_the_changes_is_projecting_the_rows, 0, 10);
	return rig_run(suite);
}
