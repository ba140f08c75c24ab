/* Blocks of accumulators: rows cut into panes and merged are one block over all rows; snapshots; refused memory. */
#include "accs_rig.h"

/* A merge that leaves the later block as it was. */
static int merge(struct trial *t, void *into, void *from)
{
	struct mem mem = { 0 };
	struct buf before, after;
	struct snap_out first = { &before }, second = { &after };
	buf_init(&before, &mem);
	buf_init(&after, &mem);
	accs_save(&t->accs, from, &first);
	int status = accs_merge(&t->accs, into, from);
	accs_save(&t->accs, from, &second);
	ck_assert(before.n == after.n && !memcmp(before.p, after.p, after.n));
	buf_release(&before);
	buf_release(&after);
	return status;
}

/* Neighbours become one, in any order. */
static int merge_panes(struct trial *t, uint64_t *seed)
{
	uint32_t at[PANES], n = PANES;
	for (uint32_t i = 0; i < PANES; i++)
		at[i] = i;
	while (n > 1) {
		uint32_t i = rig_random(seed, n - 1);
		if (merge(t, t->pane[at[i]], t->pane[at[i + 1]]))
			return -1;
		memmove(at + i + 1, at + i + 2, (n - i - 2) * sizeof *at);
		n--;
	}
	return 0;
}

/* ---- what they say ---- */

static int say(struct trial *t, void *block, struct buf *out)
{
	struct value *v = arena_alloc(&t->rig.scratch, t->accs.nagg * sizeof *v);
	int status = v ? accs_values(&t->accs, &block, 1, v, &t->rig.scratch) : -1;
	out->n = 0;
	for (uint32_t a = 0; !status && a < t->accs.nagg; a++)
		rig_put_value(out, &v[a]);
	buf_putc(out, '\0');
	arena_reset(&t->rig.scratch);
	return status;
}

static void check_same(struct trial *t, void *a, void *b, const char *what)
{
	struct mem mem = { 0 };
	struct buf one, other;
	buf_init(&one, &mem);
	buf_init(&other, &mem);
	ck_assert(!say(t, a, &one) && !say(t, b, &other));
	ck_assert_msg(!strcmp(one.p, other.p), "mode %d, -r '%s', %s:%s\nnot%s", t->mode, t->text, what, one.p, other.p);
	buf_release(&one);
	buf_release(&other);
}

static int run(struct trial *t, uint64_t *seed)
{
	return make_blocks(t) || put_panes(t, seed) || put_whole(t, t->whole, false, seed) || put_whole(t, t->stepped, true, seed) ? -1 : 0;
}

START_TEST(test_merge_is_one_block)
{
	for (uint64_t seed = 1; seed <= 3000; seed++) {
		struct trial t = { .mode = (enum mode)(seed % MODES) };
		uint64_t random = seed * 77777;
		random_list(&t, &random);
		random_rows(&t, &random);
		open_trial(&t);
		ck_assert(!run(&t, &random));
		check_same(&t, t.stepped, t.whole, "step by step");
		ck_assert(!merge_panes(&t, &random));
		check_same(&t, t.pane[0], t.whole, "panes");
		close_trial(&t);
	}
}
END_TEST

/* Saves a block and loads it into a new one. */
static void *again(struct trial *t, void *block)
{
	struct buf buf, second;
	struct snap_out out = { &buf }, twice = { &second };
	void *loaded = new_block(t);
	buf_init(&buf, &t->rig.mem);
	buf_init(&second, &t->rig.mem);
	accs_save(&t->accs, block, &out);
	struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &t->rig.scratch };
	ck_assert(loaded && !accs_load(&t->accs, loaded, &in) && !in.bad && in.p == in.end);
	accs_save(&t->accs, loaded, &twice);
	ck_assert(buf.n == second.n && !memcmp(buf.p, second.p, buf.n));
	buf_release(&buf);
	buf_release(&second);
	return loaded;
}

START_TEST(test_save_and_load)
{
	for (uint64_t seed = 1; seed <= 600; seed++) {
		struct trial t = { .mode = (enum mode)(seed % MODES) };
		uint64_t random = seed * 31337, other;
		random_list(&t, &random);
		random_rows(&t, &random);
		open_trial(&t);
		ck_assert(!run(&t, &random));
		void *kept[PANES];
		for (uint32_t i = 0; i < PANES; i++)
			kept[i] = again(&t, t.pane[i]);
		other = random;
		ck_assert(!merge_panes(&t, &random));
		void *merged = t.pane[0];
		for (uint32_t i = 0; i < PANES; i++) {
			void *swap = kept[i];
			kept[i] = t.pane[i];
			t.pane[i] = swap;
		}
		ck_assert(!merge_panes(&t, &other));
		check_same(&t, t.pane[0], merged, "loaded panes");
		void *whole = again(&t, t.whole);
		check_same(&t, whole, t.whole, "loaded");
		free_block(&t, whole);
		for (uint32_t i = 0; i < PANES; i++)
			free_block(&t, kept[i]);
		close_trial(&t);
	}
}
END_TEST

START_TEST(test_refused_memory)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		bool failed = true;
		for (uint64_t nth = 1; failed; nth++) {
			struct trial t = { .mode = (enum mode)(seed % MODES) };
			uint64_t random = seed * 4242;
			random_list(&t, &random);
			random_rows(&t, &random);
			open_trial(&t);
			t.rig.mem.fail_at = t.rig.mem.requests + nth;
			failed = run(&t, &random) || merge_panes(&t, &random);
			t.rig.mem.fail_at = 0;
			close_trial(&t);
		}
	}
}
END_TEST

/* What is one map, and what is not. */
START_TEST(test_lists)
{
	static const struct { const char *text; enum mode mode; uint32_t n; } facts[] = {
		{ "count(distinct x), sum(distinct x) where b", INSERTS, 1 },
		{ "count(distinct x), sum(distinct y)", INSERTS, 2 },
		{ "count(distinct x), join(distinct x)", INSERTS, 1 },
		{ "count(distinct x), join(distinct x) where b", INSERTS, 2 },
		{ "join(distinct x) where b, count(distinct x), sum(distinct x)", INSERTS, 2 },
		{ "count(distinct x), join(distinct x)", SHARED, 2 },
		{ "max(distinct x), argmin(distinct x, y), any(distinct b)", SHARED, 0 },
	};
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		struct trial t = { .mode = facts[i].mode };
		strcpy(t.text, facts[i].text);
		open_trial(&t);
		ck_assert_msg(t.accs.ndistinct == facts[i].n, "%s: %u", facts[i].text, t.accs.ndistinct);
		close_trial(&t);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("accs");
	TCase *tc = tcase_create("accs");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, test_merge_is_one_block);
	tcase_add_test(tc, test_save_and_load);
	tcase_add_test(tc, test_refused_memory);
	tcase_add_test(tc, test_lists);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
