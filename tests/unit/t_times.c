/* Times behind an operator are times still: aggregates, keys, orders. */
#include "reduce_rig.h"

static const struct setup plain = { .columns = "kx", .key = "k", .before = true };

static void gives(const char *reduce, unsigned kinds, const char *in, const char *out)
{
	struct setup s = plain;
	s.reduce = reduce;
	s.kinds = kinds;
	reduce_gives(s, in, out);
}

/* x is a time as date(x): texts of one day are one value. */
START_TEST(aggregates_give_times)
{
	gives("min(date(x)) as x", 0, "+I a 2026-11-29T10:00;+I a 2026-11-28T10:00;+I a 2026-11-29;+I b \\N;",
		"+I a 2026-11-29T00:00:00Z;-U a 2026-11-29T00:00:00Z;+U a 2026-11-28T00:00:00Z;+I b \\N;");
	gives("max(date(x)) as x, count(distinct date(x)) as n", S_U | S_D,
		"+I a 2026-11-28;+I a 2026-11-29T10:00;+I a 2026-11-29;-D a 2026-11-29T10:00;-D a 2026-11-29;",
		"+I a 2026-11-28T00:00:00Z 1;-U a 2026-11-28T00:00:00Z 1;+U a 2026-11-29T00:00:00Z 2;-U a 2026-11-29T00:00:00Z 2;+U a 2026-11-28T00:00:00Z 1;");
	gives("first(date(x)) as x, last(date(x)) as y", 0, "+I a 2026-11-28T10:00;+I a 2026-11-27T10:00;",
		"+I a 2026-11-28T00:00:00Z 2026-11-28T00:00:00Z;-U a 2026-11-28T00:00:00Z 2026-11-28T00:00:00Z;+U a 2026-11-28T00:00:00Z 2026-11-27T00:00:00Z;");
	gives("argmin(date(x), k) as x, argmax(k, date(x)) as y", S_U | S_D, "+I a 2026-11-28T10:00;", "+I a 2026-11-28T00:00:00Z a;");
	gives("p50(date(x)) as x", 0, "+I a 2026-11-28T10:00;", "+I a 2026-11-28T00:00:00Z;");
	gives("join(date(x)) as x", 0, "+I a 2026-11-28T10:00;+I a 2026-11-27;",
		"+I a 2026-11-28T00:00:00Z;-U a 2026-11-28T00:00:00Z;+U a 2026-11-28T00:00:00Z,2026-11-27T00:00:00Z;");
	gives("join(distinct date(x)) as x", S_U | S_D, "+I a 2026-11-28T10:00;+I a 2026-11-28;-D a 2026-11-28;", "+I a 2026-11-28T00:00:00Z;");
	gives("sum(x - date(x)) as s", 0, "+I a 2026-11-28T00:00:01.5;+I a 2026-11-27T00:01;", "+I a 1500;-U a 1500;+U a 61500;");
}
END_TEST

/* Keys go by the instant, however it was written. */
START_TEST(times_are_keys)
{
	struct setup s = plain;
	s.key = "floor_time(x, 1d)";
	s.reduce = "count";
	reduce_gives(s, "+I a 2026-11-29T10:00;+I a 2026-11-29T11:00:00+01:00;+I a \\N;+I a 2026-11-30T01:00+02:00;",
		"+I 2026-11-29T00:00:00Z 1;-U 2026-11-29T00:00:00Z 1;+U 2026-11-29T00:00:00Z 2;+I \\N 1;-U 2026-11-29T00:00:00Z 2;+U 2026-11-29T00:00:00Z 3;");
}
END_TEST

START_TEST(types_and_needs)
{
	static const enum type want[] = { T_RAW, T_TIME, T_TIME, T_TIME, T_TIME, T_RAW, T_NUMBER, T_TEXT, T_DURATION };
	struct rig rig;
	struct setup s = plain;
	s.reduce = "min(date(x)) as a, max(date(x)) as b, last(date(x)) as c, argmax(date(x), k) as d, "
		   "argmax(x, date(x)) as e, count(date(x)) as f, join(date(x)) as g, avg(x - date(x)) as h";
	reduce_begin(&rig, &s);
	const struct schema *schema = rig.out.stream.schema;
	ck_assert_uint_eq(schema->n, sizeof want / sizeof *want);
	for (uint32_t i = 0; i < schema->n; i++)
		ck_assert_msg(schema->col[i].type == want[i], "%s is %s", schema->col[i].name, type_name(schema->col[i].type));
	ck_assert(rig.need[1] & NEED_TIME && !(rig.need[0] & NEED_TIME));
	rig_close(&rig);
}
END_TEST

START_TEST(no_sum_of_times)
{
	static const char *const wrong[] = { "sum(date(x))", "avg(date(x))", "var(date(x))", "stddev(date(x))", "sum(distinct date(x))" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct rig rig;
		struct setup s = plain;
		s.reduce = wrong[i];
		ck_assert(reduce_start(&rig, &s));
		ck_assert_int_eq(rig.err.code, ERR_USAGE);
		ck_assert_msg(strstr(rig.err.text, "a number is needed here, this is time: epoch(date(x)) gives its seconds"), "%s", rig.err.text);
		rig_close(&rig);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("times");
	TCase *tc = tcase_create("times");
	tcase_add_test(tc, aggregates_give_times);
	tcase_add_test(tc, times_are_keys);
	tcase_add_test(tc, types_and_needs);
	tcase_add_test(tc, no_sum_of_times);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
