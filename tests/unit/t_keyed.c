/* Keys that go and come back within a batch: where a batch ends does not show, not even in the state. */
#include "ops/keyed.h"
#include "reduce_rig.h"
#include "topn_rig.h"

enum { KEYS = 6 };

/* An operator behind a changelog. */
struct subject {
	const char *topn, *reduce, *upsert; /* one of them */
	bool final;
	int64_t ttl;
};

static const struct subject subjects[] = {
	{ .topn = "1 by x" },
	{ .topn = "2 by x desc as r", .final = true },
	{ .topn = "2 dense_rank by x" },
	{ .topn = "all by x", .ttl = 5 },
	{ .reduce = "count, max(x)" },
	{ .reduce = "count(distinct x)", .final = true },
	{ .reduce = "count, max(x)", .ttl = 5 },
	{ .upsert = "k" },
};

static void open_subject(struct top *top, const struct subject *s)
{
	if (s->topn) {
		const struct job job = JOB("kx", "k", s->topn, S_U | S_D, .final = s->final, .ttl = s->ttl);
		ck_assert_int_eq(top_open(top, &job), 0);
	} else if (s->reduce) {
		reduce_begin(&top->rig, &(struct setup){ .columns = "kx", .key = "k", .reduce = s->reduce, .kinds = S_U | S_D, .final = s->final, .ttl = s->ttl });
	} else {
		rig_init(&top->rig, "kx", S_U | S_D);
		ck_assert_int_eq(rig_open(&top->rig, &upsert_op, s->upsert, true), 0);
	}
}

/* Inserts and deletes of few keys, one row each, which often go and come back. */
static void some_changes(uint64_t *seed, int now[KEYS], struct buf *rows)
{
	rows->n = 0;
	for (uint32_t n = 1 + rig_random(seed, 20); n; n--) {
		uint32_t k = rig_random(seed, KEYS);
		if (now[k])
			buf_printf(rows, "-D k%u %d;", k, now[k]);
		now[k] = now[k] ? 0 : 1 + (int)rig_random(seed, 3);
		if (now[k])
			buf_printf(rows, "+I k%u %d;", k, now[k]);
	}
	buf_putc(rows, '\0');
}

/* What the operator sends and what state it is left with, if the same rows come in batches of this size. */
static void run(const struct subject *s, uint64_t seed, uint32_t size, struct buf *out)
{
	struct top top;
	struct mem mem = { 0 };
	struct buf rows;
	int now[KEYS] = { 0 };
	buf_init(&rows, &mem);
	open_subject(&top, s);
	struct rig *rig = &top.rig;
	for (int round = 0; round < 40; round++) {
		some_changes(&seed, now, &rows);
		rig->op.now += rig_random(&seed, 3);
		reduce_rows_in(rig, rows.p, size);
	}
	ck_assert_int_eq(rig->op.type->save(&rig->op, &(struct snap_out){ out }), 0);
	if (s->final)
		reduce_end(rig, rig->op.type->result);
	buf_puts(out, rig_got(rig));
	rig_close(rig);
	buf_release(&rows);
}

START_TEST(batches_do_not_show)
{
	static const uint32_t size[] = { 2, 7, BATCH_MAX };
	struct mem mem = { 0 };
	struct buf one, other;
	buf_init(&one, &mem), buf_init(&other, &mem);
	for (uint64_t seed = 1; seed <= 20; seed++) {
		one.n = 0;
		run(&subjects[_i], seed, 1, &one);
		for (int i = 0; i < 3; i++) {
			other.n = 0;
			run(&subjects[_i], seed, size[i], &other);
			ck_assert_msg(one.n == other.n && !memcmp(one.p, other.p, one.n), "subject %d, seed %d, batches of %u", _i, (int)seed, size[i]);
		}
	}
	buf_release(&one), buf_release(&other);
}
END_TEST

/* The result goes by first appearance. */
START_TEST(a_key_that_returns_stands_before_later_ones)
{
	static const struct subject all[] = { { .topn = "1 by x", .final = true }, { .reduce = "max(x)", .final = true } };
	struct top top;
	open_subject(&top, &all[_i]);
	reduce_rows_in(&top.rig, "+I k1 1;-D k1 1;+I k1 2;+I k2 3;", BATCH_MAX);
	reduce_end(&top.rig, top.rig.op.type->result);
	ck_assert_str_eq(rig_got(&top.rig), "+I k1 2;+I k2 3;");
	rig_close(&top.rig);
}
END_TEST

/* Keys that nobody asks for again go, too: what is held does not grow with the keys that were. */
START_TEST(forgotten_keys_take_no_room)
{
	static const struct subject all[] = { { .topn = "last 1", .ttl = 10 }, { .reduce = "max(x)", .ttl = 10 }, { .reduce = "count(distinct x)", .ttl = 10 } };
	struct top top;
	size_t used = 0;
	char rows[100];
	open_subject(&top, &all[_i]);
	for (int i = 0; i < 40000; i++) {
		snprintf(rows, sizeof rows, "+I k%d 1;", i);
		top.rig.op.now = i / 10;
		reduce_rows_in(&top.rig, rows, 2);
		rig_got(&top.rig);
		if (i == 10000)
			used = top.rig.mem.used;
	}
	ck_assert_uint_le(top.rig.mem.used, used);
	rig_close(&top.rig);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("keyed");
	TCase *tc = tcase_create("keyed");
	tcase_add_loop_test(tc, batches_do_not_show, 0, sizeof subjects / sizeof *subjects);
	tcase_add_loop_test(tc, a_key_that_returns_stands_before_later_ones, 0, 2);
	tcase_add_loop_test(tc, forgotten_keys_take_no_room, 0, 3);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
