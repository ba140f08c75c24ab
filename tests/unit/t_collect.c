#include "rig.h"

#include "ops/state/snapshot.h"

extern const struct op_type collect_op;

static const char *result(struct rig *rig)
{
	ck_assert_int_eq(collect_op.result(&rig->op), 0);
	ck_assert_int_eq(edge_push(&rig->out), 0);
	return rig_got(rig);
}

START_TEST(rows_still_there_come_by_arrival)
{
	struct rig rig;
	rig_init(&rig, "kx", S_U | S_D);
	ck_assert_int_eq(rig_open(&rig, &collect_op, NULL, true), 0);
	ck_assert_str_eq(result(&rig), "");
	ck_assert_int_eq(rig_push(&rig, "+I a 1;+I b 2;+I c \\N;-U a 1;+U a 3;-D b 2;-D z 9;-D c 0;"), 0);
	ck_assert_str_eq(result(&rig), "+I c \\N;+I a 3;");
	ck_assert_uint_eq(rig.op.ignored, 2);
	rig_close(&rig);
}
END_TEST

/* The model: rows as numbers in the order of arrival; the first equal one goes. */
struct model {
	int row[4000];
	uint32_t n;
};

static bool model_take(struct model *model, int x)
{
	for (uint32_t i = 0; i < model->n; i++)
		if (model->row[i] == x) {
			memmove(&model->row[i], &model->row[i + 1], (--model->n - i) * sizeof(int));
			return true;
		}
	return false;
}

static void model_rows(const struct model *model, struct buf *out)
{
	out->n = 0;
	for (uint32_t i = 0; i < model->n; i++)
		buf_printf(out, "+I r%d;", model->row[i]);
	buf_putc(out, '\0');
}

START_TEST(a_multiset_in_order_and_over_a_snapshot)
{
	uint64_t seed = 99 + (uint64_t)_i, stray = 0;
	int values = (int[]){ 2, 30, 1000 }[_i % 3];
	struct model model = { .n = 0 };
	struct rig rig;
	struct buf rows, want;
	rig_init(&rig, "k", S_U | S_D);
	buf_init(&rows, &rig.mem);
	buf_init(&want, &rig.mem);
	ck_assert_int_eq(rig_open(&rig, &collect_op, NULL, true), 0);
	for (int round = 0; round < 60; round++) {
		rows.n = 0;
		uint32_t taking = 2 + (uint32_t)(round / 10) % 2 * 6; /* it grows, then shrinks, and again */
		for (uint32_t i = 0; i < 60; i++) {
			int x = (int)rig_random(&seed, (uint32_t)values);
			bool away = rig_random(&seed, 10) < taking;
			if (away)
				stray += !model_take(&model, x);
			else
				model.row[model.n++] = x;
			buf_printf(&rows, "%s r%d;", away ? "-D" : "+I", x);
		}
		buf_putc(&rows, '\0');
		ck_assert_int_eq(rig_push(&rig, rows.p), 0);
		model_rows(&model, &want);
		ck_assert_str_eq(result(&rig), want.p);
	}
	ck_assert_uint_eq(rig.op.ignored, stray);

	struct rig other;
	struct err err = { 0 };
	rig_init(&other, "k", S_U | S_D);
	ck_assert_int_eq(rig_open(&other, &collect_op, NULL, true), 0);
	rows.n = 0;
	ck_assert_int_eq(collect_op.save(&rig.op, &(struct snap_out){ &rows }), 0);
	struct snap_in in = { .p = rows.p, .end = rows.p + rows.n, .mem = &other.plan };
	ck_assert_int_eq(collect_op.load(&other.op, &in), 0);
	ck_assert_int_eq(snap_done(&in, "collect", &err), 0);
	ck_assert_str_eq(result(&other), want.p);
	rig_close(&other);

	buf_release(&rows);
	buf_release(&want);
	rig_close(&rig);
}
END_TEST

START_TEST(a_cut_snapshot_is_bad_and_leaks_nothing)
{
	struct rig rig;
	struct buf saved;
	rig_init(&rig, "kx", S_U);
	buf_init(&saved, &rig.mem);
	ck_assert_int_eq(rig_open(&rig, &collect_op, NULL, true), 0);
	ck_assert_int_eq(rig_push(&rig, "+I a 1;+I b \\N;+I ccc 10;"), 0);
	collect_op.save(&rig.op, &(struct snap_out){ &saved });
	for (size_t n = 0; n < saved.n; n++) {
		struct rig other;
		rig_init(&other, "kx", S_U);
		ck_assert_int_eq(rig_open(&other, &collect_op, NULL, true), 0);
		char *part = malloc(n + 1);
		memcpy(part, saved.p, n);
		struct snap_in in = { .p = part, .end = part + n, .mem = &other.plan };
		ck_assert_int_eq(collect_op.load(&other.op, &in), 0);
		ck_assert(in.bad);
		free(part);
		rig_close(&other);
	}
	buf_release(&saved);
	rig_close(&rig);
}
END_TEST

START_TEST(refused_memory_is_an_error_and_leaks_nothing)
{
	for (uint64_t i = 1; i <= 74; i++) { /* 70 rows, two growths of two arrays */
		struct rig rig;
		char rows[70 * 6 + 1] = "";
		rig_init(&rig, "k", S_U);
		ck_assert_int_eq(rig_open(&rig, &collect_op, NULL, true), 0);
		for (uint32_t k = 0; k < 70; k++)
			snprintf(rows + strlen(rows), 8, "+I %02u;", k);
		struct batch batch = rig_batch(&rig, rows, true);
		rig.mem.fail_at = rig.mem.requests + i;
		ck_assert_int_eq(collect_op.push(&rig.op, &batch), -1);
		ck_assert_int_eq(rig.err.code, ERR_FAILED);
		rig_close(&rig);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("collect");
	TCase *tc = tcase_create("collect");
	suite_add_tcase(suite, tc);
	tcase_add_test(tc, rows_still_there_come_by_arrival);
	tcase_add_loop_test(tc, a_multiset_in_order_and_over_a_snapshot, 0, 9);
	tcase_add_test(tc, a_cut_snapshot_is_bad_and_leaks_nothing);
	tcase_add_test(tc, refused_memory_is_an_error_and_leaks_nothing);
	return rig_run(suite);
}
