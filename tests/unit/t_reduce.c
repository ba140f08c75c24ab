/* --reduce row for row: what each change of its input gives, whatever the batches. */
#include "reduce_rig.h"

START_TEST(test_insert_only)
{
	reduce_gives((struct setup){ .columns = "kx", .key = "k", .reduce = "count, sum(x)", .before = true },
		"+I a 1;+I b 2;+I a 0.5;+I \\N 7;+I a \\N;+I a -0.5;+I \\N 1;",
		"+I a 1 1;+I b 1 2;-U a 1 1;+U a 2 1.5;+I \\N 1 7;-U a 2 1.5;+U a 3 1.5;-U a 3 1.5;+U a 4 1;-U \\N 1 7;+U \\N 2 8;");
	reduce_gives((struct setup){ .columns = "kx", .key = "k", .reduce = "sum(x)" }, "+I a 1;+I a 2;+I a 3;", "+I a 1;+U a 3;+U a 6;");
	/* no change, no row: NULLs do not count, and 1.0 is 1 */
	reduce_gives((struct setup){ .columns = "kx", .key = "k", .reduce = "max(x), sum(x)", .before = true }, "+I a \\N;+I a \\N;+I a 1;+I a 0;+I a 0.0;",
		"+I a \\N \\N;-U a \\N \\N;+U a 1 1;");
	/* keys go by bytes */
	reduce_gives((struct setup){ .columns = "kx", .key = "k", .reduce = "count", .before = false }, "+I 7 \\N;+I 07 \\N;+I 7 \\N;", "+I 7 1;+I 07 1;+U 7 2;");
	reduce_gives((struct setup){ .columns = "kx", .key = "k, x", .reduce = "count" }, "+I a b;+I a \\N;+I ab \\N;+I a b;+I a \\N;",
		"+I a b 1;+I a \\N 1;+I ab \\N 1;+U a b 2;+U a \\N 2;");
}
END_TEST

START_TEST(test_updating)
{
	struct setup s = { .columns = "kx", .key = "k", .reduce = "sum(x)", .kinds = S_U | S_D, .before = true };
	reduce_gives(s, "+I k 5;-U k 5;+U k 7;", "+I k 5;-D k 5;+I k 7;");
	reduce_gives(s, "+I k 5;+I k 1;-U k 5;+U k 7;-D k 1;-D k 7;-D k 7;+I k 3;", "+I k 5;-U k 5;+U k 6;-U k 6;+U k 1;-U k 1;+U k 8;-U k 8;+U k 7;-D k 7;+I k 3;");
	reduce_gives(s, "-D a 1;+I a 2;-D b 1;-U a 2;+U a 2;", "+I a 2;-D a 2;+I a 2;");
	/* all NULL is not the same as no row */
	reduce_gives(s, "+I k \\N;+I k 1;-D k 1;-D k \\N;", "+I k \\N;-U k \\N;+U k 1;-U k 1;+U k \\N;-D k \\N;");
	s.reduce = "min(x), count, first(x), last(x)";
	reduce_gives(s, "+I k 3;+I k a long text, not inline;+I k 2;-D k 2;-D k 3;",
		"+I k 3 1 3 3;-U k 3 1 3 3;+U k 3 2 3 a;-U k 3 2 3 a;+U k 2 3 3 2;-U k 2 3 3 2;+U k 3 2 3 a;-U k 3 2 3 a;+U k a 1 a a;");
	s.before = false;
	s.reduce = "sum(x)";
	reduce_gives(s, "+I k 5;+I k 1;-U k 5;+U k 7;-D k 1;-D k 7;", "+I k 5;+U k 6;+U k 1;+U k 8;+U k 7;-D k 7;");
}
END_TEST

START_TEST(test_global)
{
	struct setup s = { .columns = "x", .reduce = "count, sum(x)", .before = true };
	reduce_gives(s, "", "");
	reduce_gives(s, "+I 1;+I 2;", "+I 1 1;-U 1 1;+U 2 3;");
	s.kinds = S_U | S_D;
	reduce_gives(s, "-D 1;-D 1;+I 1;-D 1;-D 1;+I 2;", "+I 1 1;-D 1 1;+I 1 2;");
	s.final = true;
	reduce_gives(s, "", "+I 0 \\N;");
	reduce_gives(s, "+I 1;-D 1;", "+I 0 \\N;");
	reduce_gives(s, "+I 1;-D 1;+I 2;+I 3;", "+I 2 5;");
	s.key = "x";
	reduce_gives(s, "", "");
}
END_TEST

START_TEST(test_filter_and_distinct)
{
	struct setup s = { .columns = "kxy", .key = "k", .before = true };
	s.reduce = "count where x > 1 as big, sum(x) where y = 'u'";
	reduce_gives(s, "+I a 1 v;+I a 2 u;+I a \\N u;+I a 3 v;", "+I a 0 \\N;-U a 0 \\N;+U a 1 2;-U a 1 2;+U a 2 2;");
	s.reduce = "count(distinct x), count(distinct x) where y = 'u' as u, sum(distinct x)";
	reduce_gives(s, "+I a 1 v;+I a 1 u;+I a 1 u;+I a 2 u;+I a \\N u;+I a 1.0 v;",
		"+I a 1 0 1;-U a 1 0 1;+U a 1 1 1;-U a 1 1 1;+U a 2 2 3;-U a 2 2 3;+U a 3 2 4;");
	s.kinds = S_U | S_D;
	reduce_gives(s, "+I a 1 v;+I a 1 u;-D a 1 v;+I a 2 v;-D a 1 u;", "+I a 1 0 1;-U a 1 0 1;+U a 1 1 1;-U a 1 1 1;+U a 2 1 3;-U a 2 1 3;+U a 1 0 2;");
	/* taken back before it came: the next one brings it to 0 */
	reduce_gives(s, "+I a 1 v;-D a 5 v;+I a 5 v;+I a 7 v;+I a 5 v;+I a 5 v;", "+I a 1 0 1;-D a 1 0 1;+I a 1 0 5;-U a 1 0 5;+U a 2 0 12;");
	reduce_gives(s, "+I a 1 v;+I a 1 v;-D a 5 v;+I a 5 v;+I a 5 v;", "+I a 1 0 1;-U a 1 0 1;+U a 2 0 6;");
	s.reduce = "join(distinct x, y)";
	s.kinds = 0;
	reduce_gives(s, "+I a 1 v;+I a 1 u;+I a 1 v;", "+I a 1;-U a 1;+U a 1u1;");
}
END_TEST

START_TEST(test_many_distinct)
{
	char reduce[8000] = "", want[2000];
	for (int i = 0; i < 70; i++)
		sprintf(reduce + strlen(reduce), "%scount(distinct x) where y = '%d'", i ? ", " : "", i);
	struct setup s = { .columns = "xy", .reduce = reduce, .final = true };
	strcpy(want, "+I");
	for (int i = 0; i < 70; i++)
		strcat(want, i == 3 || i == 69 ? " 2" : " 0");
	strcat(want, ";");
	reduce_gives(s, "+I a 3;+I a 69;+I b 69;+I a 69;+I b 3;+I a 3;+I a 70;", want);
	s.kinds = S_U;
	reduce_gives(s, "+I a 3;+I a 69;+I b 69;+I a 69;+I b 3;+I a 3;-U a 3;-U a 69;+I a 70;", want);
}
END_TEST

START_TEST(test_bundle)
{
	struct setup s = { .columns = "kx", .key = "k", .reduce = "sum(x)", .kinds = S_U | S_D, .before = true, .bundled = true };
	reduce_gives(s, "+I b 5;-U b 5;+U b 7;+I a 1;", "+I b 7;+I a 1;");
	reduce_gives(s, "-D z 1;+I a 1;-D a 1;+I b 2;", "+I b 2;");
	struct rig rig;
	reduce_begin(&rig, &s);
	reduce_rows_in(&rig, "+I a 1;+I b 2;+I c 3;+I d 4;", 3);
	ck_assert_str_eq(rig_got(&rig), "");
	reduce_end(&rig, reduce_op.flush);
	ck_assert_str_eq(rig_got(&rig), "+I a 1;+I b 2;+I c 3;+I d 4;");
	reduce_end(&rig, reduce_op.flush);
	ck_assert_str_eq(rig_got(&rig), "");
	/* changed; unchanged; gone; gone and back; new */
	reduce_rows_in(&rig, "+I e 1;-U b 2;+U b 9;-U a 1;+U a 1;-D c 3;-D d 4;-D d 4;+I d 6;", 2);
	reduce_end(&rig, reduce_op.flush);
	ck_assert_str_eq(rig_got(&rig), "+I e 1;-U b 2;+U b 9;-D c 3;-U d 4;+U d 6;");
	ck_assert_uint_eq(rig.op.ignored, 1);
	rig_close(&rig);
}
END_TEST

START_TEST(test_final)
{
	struct setup s = { .columns = "kx", .key = "k", .reduce = "count, max(x)", .final = true };
	reduce_gives(s, "+I b 1;+I a 5;+I b 3;+I \\N 2;", "+I b 2 3;+I a 1 5;+I \\N 1 2;");
	s.bundled = true;
	reduce_gives(s, "+I b 1;+I a 5;+I b 3;+I \\N 2;", "+I b 2 3;+I a 1 5;+I \\N 1 2;");
	/* an emptied key that returns is new */
	s.kinds = S_U | S_D;
	reduce_gives(s, "+I b 1;+I a 5;-D b 1;+I c 1;+I b 9;+I b 8;-D a 5;", "+I c 1 1;+I b 2 9;");
}
END_TEST

/* max over what only rises does not take back (agg-max-growing in the oracle); over anything else it does. */
START_TEST(test_trend)
{
	static const int8_t rises[] = { TREND_CONST, TREND_RISES };
	struct setup s = { .columns = "kx", .reduce = "max(x), count", .kinds = S_U, .before = true, .trend = rises };
	const char rows[] = "+I a 2;+I b 1;-U a 2;+U a 3;";
	reduce_gives(s, rows, "+I 2 1;-U 2 1;+U 2 2;-U 2 2;+U 2 1;-U 2 1;+U 3 2;");
	const char taken_back[] = "+I 2 1;-U 2 1;+U 2 2;-U 2 2;+U 1 1;-U 1 1;+U 3 2;";
	s.trend = NULL;
	reduce_gives(s, rows, taken_back);
	s.trend = rises;
	s.kinds = S_U | S_D;
	reduce_gives(s, rows, taken_back);
	s.kinds = S_U;
	s.reduce = "max(x) where x < 3, count";
	reduce_gives(s, rows, "+I 2 1;-U 2 1;+U 2 2;-U 2 2;+U 1 1;-U 1 1;+U 1 2;");
	s.reduce = "min(x), count";
	reduce_gives(s, "+I a 1;+I b 5;-U a 1;+U a 7;", "+I 1 1;-U 1 1;+U 1 2;-U 1 2;+U 5 1;-U 5 1;+U 5 2;");
}
END_TEST

START_TEST(test_ttl)
{
	struct setup s = { .columns = "kx", .key = "k", .reduce = "sum(x)", .kinds = S_U | S_D, .before = true, .ttl = 2000 };
	struct rig rig;
	reduce_begin(&rig, &s);
	rig.op.now = 1;
	reduce_rows_in(&rig, "+I aaa 1;+I bbb 1;+I aaa 2;-D aaa 2;+I ccc 3;", 2);
	ck_assert_str_eq(rig_got(&rig), "+I aaa 1;+I bbb 1;-U aaa 1;+U aaa 3;-U aaa 3;+U aaa 1;+I ccc 3;");
	rig.op.now = 3002;
	reduce_rows_in(&rig, "-U ccc 3;+I aaa 4;+I bbb 2;+I aaa 5;+I eee 6;+I aaa 7;+I bbb 3;+I aaa 0;", 3);
	ck_assert_str_eq(rig_got(&rig), "+I aaa 4;+I bbb 2;-U aaa 4;+U aaa 9;+I eee 6;-U aaa 9;+U aaa 16;-U bbb 2;+U bbb 5;-U aaa 16;+U aaa 16;");
	rig.op.now = 5001;
	reduce_rows_in(&rig, "+I aaa 1;", 1);
	ck_assert_str_eq(rig_got(&rig), "-U aaa 16;+U aaa 17;");
	rig.op.now = 5002; /* written at 3002: gone */
	reduce_rows_in(&rig, "+I bbb 1;", 1);
	ck_assert_str_eq(rig_got(&rig), "+I bbb 1;");
	rig_close(&rig);
}
END_TEST

/* Keys that nobody asks for are forgotten, too: memory does not grow with the keys ever seen. */
START_TEST(test_ttl_memory)
{
	struct setup s = { .columns = "kx", .key = "k", .reduce = "first(x), count(distinct x)", .before = true, .ttl = 10 };
	struct rig rig;
	size_t most = 0;
	reduce_begin(&rig, &s);
	for (int t = 0; t < 3000; t++) {
		char rows[2000] = "";
		for (int i = 0; i < 20; i++)
			sprintf(rows + strlen(rows), "+I key-%d-%d a_value_that_lies_outside;", t, i);
		rig.op.now = t;
		reduce_rows_in(&rig, rows, BATCH_MAX);
		rig_got(&rig);
		most = t == 300 ? rig.mem.used : most;
		ck_assert_uint_le(rig.mem.used, t > 300 ? 2 * most : SIZE_MAX);
	}
	rig_close(&rig);
}
END_TEST

START_TEST(test_plan)
{
	static const int8_t trend[] = { TREND_RISES, TREND_NONE };
	struct rig rig;
	struct setup s = { .columns = "kxy", .key = "k, x || 'z' as z", .trend = trend };
	s.reduce = "count, max(y), sum(y), min(y) as k, sum(distinct x)";
	reduce_begin(&rig, &s);
	const struct stream *out = &rig.out.stream;
	static const char *const name[] = { "k", "z", "count", "max_y", "sum_y", "k_2", "sum_x" };
	static const enum type type[] = { T_RAW, T_TEXT, T_NUMBER, T_RAW, T_NUMBER, T_RAW, T_NUMBER };
	static const int8_t want[] = { TREND_CONST, TREND_CONST, TREND_RISES, TREND_RISES, TREND_NONE, TREND_FALLS_NULL, TREND_NONE };
	ck_assert_uint_eq(out->schema->n, 7);
	for (int i = 0; i < 7; i++) {
		ck_assert_str_eq(out->schema->col[i].name, name[i]);
		ck_assert_int_eq(out->schema->col[i].type, type[i]);
		ck_assert_int_eq(out->trend[i], want[i]);
	}
	ck_assert_uint_eq(out->kinds, S_U);
	ck_assert(out->has_key && out->nkey == 2 && out->key[0] == 0 && out->key[1] == 1 && !out->timed && !out->windowed);
	ck_assert(reduce_op.before(&rig.op, false));
	ck_assert_int_eq(rig.need[0], NEED_VALUE);
	ck_assert(rig.need[1] & NEED_NUMBER && rig.need[1] & NEED_VALUE && rig.need[2] & NEED_NUMBER);
	/* what is asked of max is asked of its argument */
	uint8_t use[7] = { 0, 0, 0, NEED_TIME }, need[3] = { 0 };
	reduce_op.need(&rig.op, use, need);
	ck_assert(need[2] & NEED_TIME && !(need[0] & NEED_TIME));
	rig_close(&rig);
}
END_TEST

START_TEST(test_usage_errors)
{
	static const char *const wrong[][2] = {
		{ "summ(x)", "did you mean \"sum\"" },       { "frobnicate(x)", "there are: count, sum" }, { "sum", "" },
		{ "sum()", "sum has 0 arguments here; sum(x): " }, { "sum(x, x)", "sum has 2 arguments here; sum(x): " }, { "sum(*)", "sum(x): " },
		{ "join(x, x, x)", "join(x[, separator]): " },   { "sum(nope)", "nope" },                      { "sum('a' || x)", "number" },
		{ "quantile(x, 2)", "from 0 to 1" },         { "quantile(x, x)", "from 0 to 1" },          { "count where x || 'a'", "" },
		{ "argmin(x)", "argmin has 1 argument here; argmin(x, y): x of the row" },
		{ "count(distinct x, x)", "count takes one argument; one way to count pairs: count(distinct x || '/' || x)" },
		{ "round(avg(x), 2)", "round is a function; name the aggregate (avg(x) as x) and take round(x) in a --select behind it" },
		{ "lower(x)", "lower is a function: it works within an aggregate, or in a --select" },
		{ "Median(x)", "no aggregate \"Median\"; did you mean p50(x)?" },
		{ "p75(x)", "did you mean quantile(x, 0.75)?" },
		{ "p999(x)", "did you mean quantile(x, 0.999)?" },
		{ "p5(x)", "did you mean quantile(x, 0.05)?" },
		{ "len(x)", "no aggregate \"len\"; length(x) is for single rows: it works within an aggregate, or in a --select" },
		{ "sum(x = 200)", "a number is needed here, this is bool; to count rows write: count where x = 200" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct rig rig;
		ck_assert_msg(reduce_start(&rig, &(struct setup){ .columns = "x", .reduce = wrong[i][0] }), "%s", wrong[i][0]);
		ck_assert_int_eq(rig.err.code, ERR_USAGE);
		ck_assert_msg(strstr(rig.err.text, wrong[i][1]) != NULL, "%s: %s", wrong[i][0], rig.err.text);
		rig_close(&rig);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reduce");
	TCase *tc = tcase_create("rows");
	tcase_add_test(tc, test_insert_only);
	tcase_add_test(tc, test_updating);
	tcase_add_test(tc, test_global);
	tcase_add_test(tc, test_filter_and_distinct);
	tcase_add_test(tc, test_many_distinct);
	tcase_add_test(tc, test_bundle);
	tcase_add_test(tc, test_final);
	tcase_add_test(tc, test_trend);
	tcase_add_test(tc, test_ttl);
	tcase_add_test(tc, test_ttl_memory);
	tcase_add_test(tc, test_plan);
	tcase_add_test(tc, test_usage_errors);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
