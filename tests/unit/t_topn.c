/* topn: rows with known answers, mostly those of Flink's tests and runs (shared/flink-semantics.md 2, 3, 15). */
#include "topn_rig.h"

struct example {
	struct job job;
	const char *in, *out;
};

static const struct example examples[] = {
	/* first N by arrival */
	{ JOB("kx", "k", "2..3", 0), "+I c 5;+I b 1;+I b 6;+I c 4;+I c 2;+I c 8;+I b 4;+I b 8;", "+I b 6;+I c 4;+I c 2;+I b 4;" },
	{ JOB("kx", "k", "2 as r", 0), "+I c 5;+I \\N 1;+I c 6;+I c 4;+I \\N 2;", "+I c 5 1;+I \\N 1 1;+I c 6 2;+I \\N 2 2;" },
	{ JOB("kx", NULL, "2", 0), "+I c 5;+I b 1;+I b 6;", "+I c 5;+I b 1;" },
	/* append, ranked and not */
	{ JOB("kx", NULL, "2 by x desc as r", 0), "+I a 10;+I b 30;+I c 30;+I d 20;+I e 30;+I f 40;",
		"+I a 10 1;-U a 10 1;+U b 30 1;+I a 10 2;-U a 10 2;+U c 30 2;-U b 30 1;+U f 40 1;-U c 30 2;+U b 30 2;" },
	{ JOB("kx", NULL, "2 by x desc", 0), "+I a 10;+I b 30;+I c 30;+I d 20;+I e 30;+I f 40;", "+I a 10;+I b 30;-D a 10;+I c 30;-D c 30;+I f 40;" },
	{ JOB("kx", NULL, "2..3 by x", 0), "+I a 5;+I b 3;+I c 4;+I d 1;", "+I a 5;-U a 5;+U c 4;+I a 5;-U c 4;+U b 3;-U a 5;+U c 4;" },
	{ JOB("kix", "k", "2..2 by x asc", 0), "+I book 1 12;+I book 2 19;+I book 4 11;+I fruit 4 33;+I fruit 3 44;+I fruit 5 22;",
		"+I book 2 19;-U book 2 19;+U book 1 12;+I fruit 3 44;-U fruit 3 44;+U fruit 4 33;" },
	{ JOB("kix", "k", "(i) by x asc", 0), "+I book 2 12;+I book 2 19;+I book 2 11;+I fruit 1 33;+I fruit 1 44;+I fruit 1 22;",
		"+I book 2 12;+I book 2 19;-D book 2 19;+I book 2 11;+I fruit 1 33;-D fruit 1 33;+I fruit 1 22;" },
	{ JOB("kx", NULL, "3 by x as r", 0), "+I a \\N;+I b text;+I c 10;+I d 9;", /* NULL, numbers, texts */
		"+I a \\N 1;+I b text 2;-U b text 2;+U c 10 2;+I b text 3;-U c 10 2;+U d 9 2;-U b text 3;+U c 10 3;" },
	{ JOB("kx", NULL, "1 by x desc nulls first", 0), "+I a 1;+I b \\N;+I c 5;", "+I a 1;-U a 1;+U b \\N;" },
	{ JOB("kx", NULL, "2 by 0 - x", 0), "+I a 1;+I b 3;+I c 2;", "+I a 1;+I b 3;-D a 1;+I c 2;" }, /* a computed order */
	/* equal rows: no pair of two equal ones */
	{ JOB("kx", NULL, "2 by x desc as r", 0), "+I a 1;+I a 1;+I b 2;", "+I a 1 1;+I a 1 2;-U a 1 1;+U b 2 1;" },
	/* last N */
	{ JOB("kx", "k", "last 1", 0), "+I b 4;+I c 3;+I c 4;+I b 4;+I b 1;", "+I b 4;+I c 3;-U c 3;+U c 4;-U b 4;+U b 1;" },
	{ JOB("kx", "k", "last 1", 0, .no_before = true), "+I b 4;+I c 3;+I c 4;+I b 4;+I b 1;", "+I b 4;+I c 3;+U c 4;+U b 1;" },
	{ JOB("kix", "k", "last 1 by x", 0), "+I a 1 5;+I a 2 4;+I a 3 5;", "+I a 1 5;-U a 1 5;+U a 3 5;" },
	{ JOB("kx", NULL, "last 2 as r", 0), "+I a 1;+I b 2;+I c 3;", "+I a 1 1;-U a 1 1;+U b 2 1;+I a 1 2;-U b 2 1;+U c 3 1;-U a 1 2;+U b 2 2;" },
	{ JOB("kx", NULL, "last 2", 0), "+I a 1;+I b 2;+I c 3;", "+I a 1;+I b 2;-D a 1;+I c 3;" },
	/* top 1 over insert-only input */
	{ JOB("kx", NULL, "1 by x desc", 0), "+I a 5;+I b 5;+I c 4;+I d 6;", "+I a 5;-U a 5;+U d 6;" },
	{ JOB("kx", NULL, "1 by x as r", 0, .no_before = true), "+I a 5;+I d 6;+I b 4;", "+I a 5 1;+U b 4 1;" },
	/* top 1 that improves: an update of the row that is held replaces it */
	{ JOB("kix", "k", "1 by x desc as r", S_U, .unique = "ki", .trend = TREND_RISES), "+I b 2 1;-U b 2 1;+U b 2 2;+I b 3 1;+U b 3 2;+U b 2 2;+U b 3 3;",
		"+I b 2 1 1;-U b 2 1 1;+U b 2 2 1;-U b 2 2 1;+U b 3 3 1;" },
	/* updatable */
	{ JOB("kx", NULL, "3 by x desc as r", S_U, .unique = "k", .trend = TREND_RISES), "+I a 10;+I b 30;+I c 20;-U a 10;+U a 30;",
		"+I a 10 1;-U a 10 1;+U b 30 1;+I a 10 2;-U a 10 2;+U c 20 2;+I a 10 3;-U c 20 2;+U a 30 2;-U a 10 3;+U c 20 3;" },
	{ JOB("kx", NULL, "2 by x desc", S_U, .unique = "k", .trend = TREND_RISES), "+I a 10;+I b 30;+U a 20;+I c 25;+U a 40;", "+I a 10;+I b 30;-U a 10;+U a 20;-D a 20;+I c 25;-D c 25;+I a 40;" },
	/* the same where NULL may become a value, which is worse: rows behind come back */
	{ JOB("kx", NULL, "1 by x as r", S_U, .unique = "k", .trend = TREND_FALLS_NULL), "+I a 5;+I b \\N;+I c 4;+U b 6;+U b 3;",
		"+I a 5 1;-U a 5 1;+U b \\N 1;-U b \\N 1;+U c 4 1;-U c 4 1;+U b 3 1;" },
	{ JOB("kx", NULL, "2 by x", S_U, .unique = "k", .trend = TREND_FALLS_NULL), "+I a 5;+I b \\N;+I c 4;+U b 6;+U b 3;",
		"+I a 5;+I b \\N;-D a 5;+I c 4;-D b \\N;+I a 5;-D a 5;+I b 3;" },
	/* retract */
	{ JOB("kx", NULL, "2 by x as r", S_U | S_D), "+I a 1;+I b 2;+I c 3;-D a 1;-D c 3;-D z 9;", "+I a 1 1;+I b 2 2;-U a 1 1;+U b 2 1;-U b 2 2;+U c 3 2;-D c 3 2;" },
	{ JOB("kx", NULL, "2 by x", S_U | S_D), "+I a 1;+I b 2;+I c 3;-D a 1;-D c 3;", "+I a 1;+I b 2;-D a 1;+I c 3;-D c 3;" },
	{ JOB("kx", NULL, "1 by x desc as r", S_U | S_D), "+I a 1;+I b 2;-U b 2;+U b 0;", "+I a 1 1;-D a 1 1;+I b 2 1;-D b 2 1;+I a 1 1;" },
	{ JOB("kx", NULL, "2", S_U | S_D), "+I a 1;+I b 2;-U a 1;+U a 5;+I c 3;-D b 2;", "+I a 1;+I b 2;-D a 1;+I a 5;-D b 2;+I c 3;" },
	{ JOB("kx", "k", "(x) by x as r", S_U | S_D), "+I a 1;+I a 3;-D a 1;+I b 2;+I b 3;", "+I a 1 1;-U a 1 1;+U a 3 1;+I b 2 1;+I b 3 2;" },
	/* rank and dense_rank */
	{ JOB("kx", NULL, "2 rank by x desc as r", 0), "+I x 5;+I y 5;+I w 4;+I z 5;+I v 6;",
		"+I x 5 1;+I y 5 1;+I z 5 1;-U x 5 1;+U x 5 2;-U y 5 1;+U y 5 2;-U z 5 1;+U z 5 2;+I v 6 1;" },
	{ JOB("kx", NULL, "2 dense_rank by x desc as r", 0), "+I x 5;+I y 5;+I w 4;+I z 5;+I v 6;",
		"+I x 5 1;+I y 5 1;+I w 4 2;+I z 5 1;-D w 4 2;-U x 5 1;+U x 5 2;-U y 5 1;+U y 5 2;-U z 5 1;+U z 5 2;+I v 6 1;" },
	{ JOB("kx", NULL, "2 rank by x", S_U | S_D), "+I a 1;+I b 2;+I c 2;+I d 3;-D a 1;-D b 2;", "+I a 1;+I b 2;+I c 2;-D a 1;-D b 2;+I d 3;" },
	{ JOB("kx", NULL, "2..3 dense_rank by x as r", S_U | S_D), "+I a 1;+I b 2;+I c 3;+I d 4;-D a 1;", "+I b 2 2;+I c 3 3;-D b 2 2;-U c 3 3;+U c 3 2;+I d 4 3;" },
};

static void check(const struct job *job, const char *in, const char *out, uint32_t size)
{
	struct top top;
	ck_assert_msg(top_open(&top, job) == 0, "%s: %s", job->text, top.rig.err.text);
	ck_assert_int_eq(top_push(&top, in, size), 0);
	const char *got = rig_got(&top.rig);
	ck_assert_msg(!strcmp(got, out), "-t '%s' in batches of %u\n  got  %s\n  want %s", job->text, size, got, out);
	top_close(&top);
}

START_TEST(example)
{
	static const uint32_t size[] = { 1, 2, 7, 1024 };
	struct example e = examples[_i];
	for (int i = 0; i < 4; i++)
		check(&e.job, e.in, e.out, size[i]);
	e.job.max = 2;
	check(&e.job, e.in, e.out, 1024);
}
END_TEST

START_TEST(a_forgotten_key_starts_afresh)
{
	static const struct job jobs[] = {
		JOB("kx", "k", "last 1", 0, .ttl = 10),
		JOB("kx", "k", "2 by x as r", S_U | S_D, .ttl = 10),
		JOB("kx", "k", "1", 0, .ttl = 10),
	};
	static const char *const out[] = {
		"+I a 1;+I b 2;-U a 1;+U a 1;|-U a 1;+U a 5;|+I b 7;+I a 6;",
		"+I a 1 1;+I b 2 1;+I a 1 2;|+I a 5 3;|+I b 7 1;+I a 6 1;",
		"+I a 1;+I b 2;||+I b 7;+I a 6;",
	};
	struct top top;
	ck_assert_int_eq(top_open(&top, &jobs[_i]), 0);
	ck_assert_int_eq(top_push(&top, "+I a 1;+I b 2;+I a 1;", 7), 0);
	buf_putc(&top.rig.got, '|');
	top.rig.op.now = 9;
	ck_assert_int_eq(top_push(&top, "+I a 5;", 7), 0);
	buf_putc(&top.rig.got, '|');
	top.rig.op.now = 20;
	ck_assert_int_eq(top_push(&top, _i == 1 ? "-D b 2;+I b 7;-D a 1;+I a 6;" : "+I b 7;+I a 6;", 7), 0);
	if (_i == 1)
		ck_assert_str_eq(rig_got(&top.rig), "+I a 1 1;+I b 2 1;+I a 1 2;||+I b 7 1;+I a 6 1;");
	else
		ck_assert_str_eq(rig_got(&top.rig), out[_i]);
	ck_assert_uint_eq(top.rig.op.ignored, _i == 1 ? 2 : 0);
	top_close(&top);
}
END_TEST

/* The first row of a key says N, also if that keeps the row itself out. */
START_TEST(an_n_of_nothing_holds_until_it_is_forgotten)
{
	const struct job job = JOB("kx", "k", "(x) by x", 0, .ttl = 10);
	struct top top;
	ck_assert_int_eq(top_open(&top, &job), 0);
	top.rig.op.now = 100;
	ck_assert_int_eq(top_push(&top, "+I a 0;", 1), 0);
	top.rig.op.now = 109;
	ck_assert_int_eq(top_push(&top, "+I a 5;", 1), 0);
	ck_assert_str_eq(rig_got(&top.rig), "");
	top.rig.op.now = 110;
	ck_assert_int_eq(top_push(&top, "+I a 5;", 1), 0);
	ck_assert_str_eq(rig_got(&top.rig), "+I a 5;");
	top_close(&top);
}
END_TEST

START_TEST(a_bundle_writes_the_difference)
{
	static const struct example bundles[] = {
		{ JOB("kx", "k", "1", 0, .bundled = true), "+I b 1;+I a 1;+I b 2;|+I a 2;+I c 1;|", "+I b 1;+I a 1;|+I c 1;|" },
		{ JOB("kix", "k", "1 by x desc", 0, .bundled = true), "+I b 1 1;+I b 2 2;+I b 3 1;|+I b 4 3;+I b 5 1;|", "+I b 2 2;|-U b 2 2;+U b 4 3;|" },
		{ JOB("kx", NULL, "2 by x as r", S_U | S_D, .bundled = true), "+I a 3;+I b 2;|+I c 1;-D a 3;|-D c 1;-D b 2;+I d 2;|-D d 2;+I d 2;|",
			"+I b 2 1;+I a 3 2;|-U b 2 1;+U c 1 1;-U a 3 2;+U b 2 2;|-U c 1 1;+U d 2 1;-D b 2 2;||" },
		{ JOB("kx", NULL, "2 by x", 0, .bundled = true), "+I a 3;+I b 2;|+I c 1;+I d 0;|", "+I b 2;+I a 3;|-D b 2;-D a 3;+I d 0;+I c 1;|" },
		{ JOB("kx", NULL, "2 rank by x as r", S_U | S_D, .bundled = true), "+I a 3;+I b 2;+I c 3;|+I d 2;|-D b 2;-D d 2;|",
			"+I b 2 1;+I a 3 2;+I c 3 2;|-D a 3 2;-D c 3 2;+I d 2 1;|-D b 2 1;-D d 2 1;+I a 3 1;+I c 3 1;|" },
		{ JOB("kx", "k", "2 by x", S_U | S_D, .bundled = true), "+I a 3;|-D a 3;+I b 1;|+I a 3;-D a 3;|+I a 4;|", "+I a 3;|-D a 3;+I b 1;||+I a 4;|" },
	};
	const struct example *e = &bundles[_i];
	struct top top;
	char part[200];
	ck_assert_int_eq(top_open(&top, &e->job), 0);
	for (const char *at = e->in, *end; *at; at = end + 1) {
		end = strchr(at, '|');
		snprintf(part, sizeof part, "%.*s", (int)(end - at), at);
		ck_assert_int_eq(top_push(&top, part, 2), 0);
		ck_assert_int_eq(top_flush(&top), 0);
		buf_putc(&top.rig.got, '|');
	}
	ck_assert_str_eq(rig_got(&top.rig), e->out);
	top_close(&top);
}
END_TEST

/* A bundle keeps the rows that it has shown, not those that came and went meanwhile. */
START_TEST(a_bundle_keeps_no_replaced_rows)
{
	static const struct job jobs[] = { JOB("kx", "k", "last 1", 0, .bundled = true), JOB("kx", "k", "2 by x as r", 0, .bundled = true),
		JOB("kx", "k", "2 by x", S_U | S_D, .bundled = true) };
	struct top top;
	size_t used = 0;
	char rows[200];
	ck_assert_int_eq(top_open(&top, &jobs[_i]), 0);
	ck_assert_int_eq(top_push(&top, "+I a 990;+I a 991;+I b 990;", 7), 0);
	ck_assert_int_eq(top_flush(&top), 0);
	for (int i = 800; i > 0; i--) {
		snprintf(rows, sizeof rows, _i == 2 ? "+I a %03d;+I b %03d;-D a %03d;-D b %03d;" : "+I a %03d;+I b %03d;", i, i, i, i);
		ck_assert_int_eq(top_push(&top, rows, 7), 0);
		if (i == 700)
			used = top.rig.mem.used;
	}
	ck_assert_uint_le(top.rig.mem.used, used);
	rig_got(&top.rig);
	ck_assert_int_eq(top_flush(&top), 0);
	static const char *const out[] = { "-U a 991;+U a 001;-U b 990;+U b 001;",
		"-U a 990 1;+U a 001 1;-U a 991 2;+U a 002 2;-U b 990 1;+U b 001 1;+I b 002 2;", "" };
	ck_assert_str_eq(rig_got(&top.rig), out[_i]);
	top_close(&top);
}
END_TEST

START_TEST(the_result_alone)
{
	static const struct example finals[] = {
		{ JOB("kx", "k", "2 by x as r", S_U | S_D, .final = true), "+I a 2;+I b 1;+I a 1;+I a 3;-D b 1;+I c 1;+I b 4;", "+I a 1 1;+I a 2 2;+I c 1 1;+I b 4 1;" },
		{ JOB("kx", "k", "2 by x desc", 0, .final = true), "+I a 2;+I b 1;+I a 1;+I a 3;", "+I a 3;+I a 2;+I b 1;" },
		{ JOB("kx", "k", "2", 0, .final = true), "+I a 2;+I b 1;+I a 1;+I a 3;", "+I a 2;+I b 1;+I a 1;" },
		{ JOB("kx", "k", "last 1", 0, .final = true, .bundled = true), "+I a 2;+I b 1;+I a 1;+I a 3;", "+I a 3;+I b 1;" },
	};
	const struct example *e = &finals[_i];
	struct top top;
	ck_assert_int_eq(top_open(&top, &e->job), 0);
	ck_assert_int_eq(top_push(&top, e->in, 2), 0);
	ck_assert_int_eq(top_result(&top), 0);
	ck_assert_str_eq(rig_got(&top.rig), e->out);
	top_close(&top);
}
END_TEST

/* With --state each run gives the whole result so far, so first N keeps its rows, too. */
START_TEST(a_result_goes_on)
{
	static const struct example finals[] = {
		{ JOB("kx", "k", "1", 0, .final = true, .keeps = true), "+I a 2;+I b 1;+I a 1;|+I c 3;+I a 0;|", "+I a 2;+I b 1;|+I a 2;+I b 1;+I c 3;|" },
		{ JOB("kx", "k", "2..3 as r", 0, .final = true, .keeps = true), "+I a 1;+I a 2;+I b 4;|+I b 5;+I a 3;+I a 6;|", "+I a 2 2;|+I a 2 2;+I a 3 3;+I b 5 2;|" },
		{ JOB("kx", NULL, "2", 0, .final = true, .keeps = true), "+I a 2;|+I b 1;+I c 1;|", "+I a 2;|+I a 2;+I b 1;|" },
		{ JOB("kx", NULL, "last 1", 0, .final = true, .keeps = true), "+I a 2;|+I b 1;|", "+I a 2;|+I b 1;|" },
	};
	const struct example *e = &finals[_i];
	struct top tops[2], *top = &tops[0], *next = &tops[1];
	struct mem mem = { 0 };
	struct buf got;
	char part[200];
	buf_init(&got, &mem);
	ck_assert_int_eq(top_open(top, &e->job), 0);
	for (const char *at = e->in, *end; *at; at = end + 1) {
		end = strchr(at, '|');
		snprintf(part, sizeof part, "%.*s", (int)(end - at), at);
		ck_assert(!top->rig.op.at_once);
		ck_assert_int_eq(top_push(top, part, 2), 0);
		ck_assert_str_eq(rig_got(&top->rig), "");
		ck_assert_int_eq(top_open(next, &e->job), 0);
		ck_assert_int_eq(top_move(top, next), 0); /* saved before the result, as a run does it */
		ck_assert_int_eq(top_result(top), 0);
		buf_printf(&got, "%s|", rig_got(&top->rig));
		top_close(top);
		struct top *t = top;
		top = next, next = t;
	}
	buf_putc(&got, '\0');
	ck_assert_str_eq(got.p, e->out);
	top_close(top);
	buf_release(&got);
}
END_TEST

/* ---- the plan ---- */

struct planned {
	struct job job;
	const char *says;    /* in --explain */
	unsigned kinds;
	const char *unique;  /* NULL: none */
	bool before;         /* -U wanted on the input */
};

static const struct planned plans[] = {
	{ JOB("kix", "k", "2", 0), "a counter per key", 0, NULL, true },
	{ JOB("kix", "k", "1", 0), "a counter per key", 0, "k", true },
	{ JOB("kix", "k", "1 by x", 0), "one row per key", S_U, "k", true },
	{ JOB("kix", NULL, "1 by x", 0), "one row\n", S_U, "", true },
	{ JOB("kix", "k", "2 by x", 0), "append", S_D, NULL, true },
	{ JOB("kix", "k", "2 by x as r", 0), "append", S_U, "kr", true },
	{ JOB("kix", "k", "all by x", 0), "all rows", 0, NULL, true },
	{ JOB("kix", "lower(k)", "2 by x as r", 0), "append", S_U, NULL, true },
	{ JOB("kix", "k", "2 by x desc", S_U, .unique = "ki", .trend = TREND_RISES), "updatable", S_U | S_D, "ki", false },
	{ JOB("kix", "k", "2 by x desc as r", S_U, .unique = "ki", .trend = TREND_RISES), "updatable", S_U, "kr", false },
	{ JOB("kix", "k", "last 2 by x as r", S_U, .unique = "ki", .trend = TREND_RISES), "updatable", S_U, "kr", false },
	{ JOB("kix", "k", "2 by i, x desc", S_U, .unique = "ki", .trend = TREND_RISES), "updatable", S_U | S_D, "ki", false },
	{ JOB("kix", "k", "2 by x", S_U, .unique = "ki", .trend = TREND_FALLS), "updatable", S_U | S_D, "ki", false },
	{ JOB("kix", "k", "2 by x desc nulls first", S_U, .unique = "ki", .trend = TREND_RISES), "all rows", S_U | S_D, "ki", false },
	{ JOB("kix", "k", "2 by x nulls last", S_U, .unique = "ki", .trend = TREND_FALLS_NULL), "at most per key", S_U | S_D, "ki", false },
	{ JOB("kix", "k", "1 by x", S_U, .unique = "ki", .trend = TREND_FALLS_NULL), "all rows", S_U, "k", false },
	{ JOB("kix", "k", "2 by x", S_U, .unique = "ki", .trend = TREND_RISES), "retract", S_D, "ki", true },
	{ JOB("kix", "k", "2 by x desc", S_U | S_D, .unique = "ki", .trend = TREND_RISES), "retract", S_D, "ki", true },
	{ JOB("kix", "x", "2 by x desc", S_U, .unique = "ki", .trend = TREND_RISES), "retract", S_D, "ki", true },
	{ JOB("kix", "k", "2 rank by x desc as r", S_U, .unique = "ki", .trend = TREND_RISES), "retract", S_U | S_D, "ki", true },
	{ JOB("kix", "k", "2..3 by x", S_U | S_D, .unique = "ki"), "retract", S_U | S_D, NULL, true },
	{ JOB("kix", "k", "2", S_U, .unique = "ki"), "retract", S_D, "ki", true },
	{ JOB("kix", "k", "last 1", S_U, .unique = "ki"), "one row per key", S_U, "k", false },
};

START_TEST(plan)
{
	const struct planned *p = &plans[_i];
	struct top top;
	struct buf said;
	ck_assert_int_eq(top_open(&top, &p->job), 0);
	const struct stream *out = &top.rig.out.stream;
	buf_init(&said, &top.rig.mem);
	topn_op.explain(&top.rig.op, &said);
	buf_putc(&said, '\0');
	ck_assert_msg(strstr(said.p, p->says), "%s: %s", p->job.text, said.p);
	ck_assert_msg(out->kinds == p->kinds, "%s: kinds %u", p->job.text, out->kinds);
	ck_assert_msg(out->has_key == (p->unique != NULL), "%s: has_key %d", p->job.text, out->has_key);
	if (p->unique) {
		ck_assert_uint_eq(out->nkey, strlen(p->unique));
		for (uint32_t i = 0; i < out->nkey; i++)
			ck_assert_int_eq(out->schema->col[out->key[i]].name[0], p->unique[i]);
	}
	ck_assert_int_eq(topn_op.before(&top.rig.op, true), p->before);
	for (uint32_t c = 0; c < 3; c++)
		ck_assert(top.rig.need[c] & NEED_VALUE);
	buf_release(&said);
	top_close(&top);
}
END_TEST

START_TEST(unknown_columns_and_numbers_are_refused)
{
	static const struct job jobs[] = { JOB("kx", "k", "2 by y", 0), JOB("kx", "y", "2 by x", 0), JOB("kx", NULL, "(y) by x", 0), JOB("kx", NULL, "0 by x", 0) };
	struct top top;
	ck_assert_int_eq(top_open(&top, &jobs[_i]), -1);
	ck_assert_int_eq(top.rig.err.code, ERR_USAGE);
	top_close(&top);
}
END_TEST

/* Input without names: a row passes whole, each with its own width, and the rank stands behind. */
START_TEST(whole_rows)
{
	struct top top = { .unique = { 0 } };
	const struct job job = JOB("x", "c1", "1 by c2 as r", 0);
	struct rig *rig = &top.rig;
	rig_init(rig, "", 0);
	rig->schema.kind = SCHEMA_POSITIONS;
	ck_assert_int_eq(top_plan(&top, &job), 0);
	struct stream *out = &rig->out.stream;
	ck_assert_uint_eq(out->schema->n, 2);
	ck_assert_int_eq(out->schema->col[0].type, T_ROW);
	ck_assert_int_eq(out->schema->kind, SCHEMA_CLOSED);
	ck_assert(out->has_key);
	ck_assert_int_eq(top_start(&top, &job), 0);
	struct value fields[][3] = {
		{ value_raw("a", 1), value_raw("2", 1), value_raw("x", 1) },
		{ value_raw("a", 1), value_raw("1", 1) },
	};
	struct value col[3][2];
	int row = schema_row(&rig->schema);
	ck_assert_uint_eq(rig->schema.n, 3);
	for (uint32_t r = 0; r < 2; r++)
		for (uint32_t c = 0; c < 3; c++)
			col[c][r] = (int)c == row ? (struct value){ .type = V_ROW, .len = 3 - r, .u.row = fields[r] } : fields[r][rig->schema.col[c].pos];
	struct column columns[3] = { { .v = col[0] }, { .v = col[1] }, { .v = col[2] } };
	struct batch batch = { .n = 2, .ncol = 3, .col = columns, .mem = &rig->scratch };
	ck_assert_int_eq(topn_op.push(&rig->op, &batch), 0);
	ck_assert_int_eq(edge_push(&rig->out), 0);
	ck_assert_str_eq(rig_got(rig), "+I a 2 x 1;-U a 2 x 1;+U a 1 1;");
	top_close(&top);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("topn");
	TCase *tc = tcase_create("topn");
	tcase_add_loop_test(tc, example, 0, sizeof examples / sizeof *examples);
	tcase_add_loop_test(tc, a_forgotten_key_starts_afresh, 0, 3);
	tcase_add_test(tc, an_n_of_nothing_holds_until_it_is_forgotten);
	tcase_add_loop_test(tc, a_bundle_writes_the_difference, 0, 6);
	tcase_add_loop_test(tc, a_bundle_keeps_no_replaced_rows, 0, 3);
	tcase_add_loop_test(tc, the_result_alone, 0, 4);
	tcase_add_loop_test(tc, a_result_goes_on, 0, 4);
	tcase_add_loop_test(tc, plan, 0, sizeof plans / sizeof *plans);
	tcase_add_loop_test(tc, unknown_columns_and_numbers_are_refused, 0, 4);
	tcase_add_test(tc, whole_rows);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
