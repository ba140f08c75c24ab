/* Every aggregate against a slow model: random rows that come and go, many to an accumulator and a batch; values before and after each row; save
 * and load on the way; parts that are merged; refused memory. */
#include "aggs.h"

static const struct subject subjects[] = {
	{ "count", PLAIN, 0 },        { "count(x)", PLAIN, 0 },          { "sum(x)", NUMBERS, 0 },         { "avg(x)", NUMBERS, 0 },
	{ "min(x)", PLAIN, 0 },       { "max(x)", PLAIN, 0 },            { "first(x)", PLAIN, 0 },         { "last(x)", PLAIN, 0 },
	{ "argmin(x, y)", PLAIN, 0 }, { "argmax(x, y)", PLAIN, 0 },      { "join(x)", PLAIN, 0 },          { "join(x, s)", PLAIN, 0 },
	{ "any(p)", BOOLS, 0 },       { "all(p)", BOOLS, 0 },            { "var(x)", NUMBERS, 0 },         { "var_pop(x)", NUMBERS, 0 },
	{ "stddev(x)", NUMBERS, 0 },  { "stddev_pop(x)", NUMBERS, 0 },   { "p50(x)", PLAIN, 0.5 },         { "p90(x)", PLAIN, 0.9 },
	{ "p95(x)", PLAIN, 0.95 },    { "p99(x)", PLAIN, 0.99 },         { "quantile(x, 0)", PLAIN, 0 },   { "quantile(x, 1)", PLAIN, 1 },
	{ "quantile(x, 0.3)", PLAIN, 0.3 }, { "quantile(x, 3e-1)", PLAIN, 0.3 }, { "first(x || 'a longer text')", PLAIN, 0 },
};
enum { NSUBJECT = sizeof subjects / sizeof *subjects };

static const char *const plain[] = { NULL, "1", "1.0", "1.00", "2", "-3.5", "007", "7", "1e3", "abc", "b", "", "zz, a text of more than eight bytes",
	"zz, another text of more than eight bytes", "12345678", "12345678901234567", "12345678901234568", "99" };
static const char *const numbers[] = { NULL, "1", "1.0", "2.5", "-3.25", "100", "0.01", "-7", "2.50", "42" };
static const char *const bools[] = { NULL, "true", "false" };
static const char *const separators[] = { ",", "; ", "", NULL, " and " };

#define PICK(array, seed) (array)[aggs_random(seed, sizeof(array) / sizeof *(array))]

/* A value of the kind; with `wide` one of many. Lives as long as the test program. */
static const char *pick(enum kind_of kind, uint64_t *seed, uint32_t wide)
{
	static char made[2][500][16];
	if (kind == BOOLS)
		return PICK(bools, seed);
	if (wide && aggs_random(seed, 4)) {
		uint32_t i = aggs_random(seed, wide);
		char *text = made[kind == PLAIN][i];
		snprintf(text, sizeof made[0][0], kind == PLAIN && i % 3 == 0 ? "text %u of many" : "%u", i);
		return text;
	}
	return kind == NUMBERS ? PICK(numbers, seed) : PICK(plain, seed);
}

static void check_value(struct aggs *a, const struct subject *s, const struct model *m, const struct value *v)
{
	char want[512], got[512];
	const char *name = a->agg.type->name;
	if (strncmp(name, "var", 3) != 0 && strncmp(name, "std", 3) != 0) {
		model_value(m, s, a, want);
		ck_assert_msg(!strcmp(aggs_text(v, got), want), "%s: %s, not %s", s->text, got, want);
		return;
	}
	bool null;
	double d = model_var(m, strstr(name, "_pop") ? 0 : 1, &null);
	ck_assert_int_eq(v->type == V_NULL, null);
	if (null)
		return;
	d = *name == 's' ? sqrt(fabs(d)) : d;
	ck_assert_msg(fabs(number_double(v) - d) <= 1e-9 * (1 + fabs(d)) * 10, "%s: %g, not %g", s->text, number_double(v), d);
}

static void check_acc(struct aggs *a, const struct subject *s, const struct model *m, const void *acc)
{
	struct value v = aggs_value_of(a, acc);
	check_value(a, s, m, &v);
}

/* ---- random rows ---- */

enum { NACC = 3 };

struct trial {
	const struct subject *s;
	struct aggs a;
	struct model model[NACC];
	void *updated[NACC], *stepped[NACC];
	uint64_t seed;
	uint32_t wide;
};

static void trial_open(struct trial *t, const struct subject *s, bool retracts, uint64_t seed)
{
	*t = (struct trial){ .s = s, .seed = seed };
	aggs_open(&t->a, s->text, retracts);
	for (int i = 0; i < NACC; i++) {
		t->updated[i] = aggs_new(&t->a);
		t->stepped[i] = aggs_new(&t->a);
	}
}

static void trial_close(struct trial *t)
{
	for (int i = 0; i < NACC; i++) {
		aggs_free(&t->a, t->updated[i]);
		aggs_free(&t->a, t->stepped[i]);
		free(t->model[i].row);
	}
	aggs_close(&t->a);
}

/* A new row, or one that is there to be taken back; the model follows. In a model y is the separator of join. */
static struct arow next_row(struct trial *t, struct model *m, uint32_t removals)
{
	const char *name = t->a.agg.type->name;
	bool both = !strncmp(name, "arg", 3), join = !strcmp(name, "join");
	const char *x, *y;
	struct arow row = { 0 };
	if (m->n && aggs_random(&t->seed, 100) < removals) {
		struct model_row gone = m->row[aggs_random(&t->seed, (uint32_t)m->n)];
		x = gone.x;
		y = join ? PICK(separators, &t->seed) : gone.y;
		row.act = ACT_SUB;
		model_remove(m, x, y, both, y);
	} else {
		x = pick(t->s->values, &t->seed, t->wide);
		y = join ? PICK(separators, &t->seed) : pick(PLAIN, &t->seed, t->wide);
		model_add(m, x, y, y);
	}
	row.cell[COL_X] = row.cell[COL_P] = x;
	row.cell[COL_Y] = row.cell[COL_S] = y;
	return row;
}

static void one_batch(struct trial *t, uint32_t removals)
{
	struct arow row[ROWS_MAX];
	struct model *m[ROWS_MAX];
	struct value before[ROWS_MAX], after[ROWS_MAX];
	uint32_t n = 1 + aggs_random(&t->seed, ROWS_MAX);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = aggs_random(&t->seed, NACC);
		m[i] = &t->model[k];
		row[i] = next_row(t, m[i], removals);
		row[i].acc = t->updated[k];
		if (aggs_random(&t->seed, 16) == 0) { /* emptied: the model, too */
			row[i].act = ACT_SUB | ACT_LAST;
			m[i]->n = 0;
		}
	}
	ck_assert_int_eq(aggs_put(&t->a, row, n, NULL, NULL), 0);
	for (uint32_t i = 0; i < n; i++)
		for (int k = 0; k < NACC; k++)
			if (m[i] == &t->model[k])
				row[i].acc = t->stepped[k];
	ck_assert_int_eq(aggs_put(&t->a, row, n, before, after), 0);
	for (int k = 0; k < NACC; k++) {
		check_acc(&t->a, t->s, &t->model[k], t->updated[k]);
		check_acc(&t->a, t->s, &t->model[k], t->stepped[k]);
	}
	for (uint32_t i = 0; i < n; i++) /* each after is the next before, the last one the model's */
		for (uint32_t j = i + 1;; j++) {
			char a[512], b[512];
			if (j == n && !(row[i].act & ACT_LAST))
				check_value(&t->a, t->s, m[i], &after[i]);
			if (j < n && m[j] == m[i] && !(row[i].act & ACT_LAST))
				ck_assert_str_eq(aggs_text(&after[i], a), aggs_text(&before[j], b));
			if (j == n || m[j] == m[i])
				break;
		}
	arena_reset(&t->a.scratch);
}

/* Writes an accumulator, empties it and reads it back. */
static void save_and_load(struct aggs *a, void *acc)
{
	struct mem mem = { 0 };
	struct buf buf;
	struct arena scratch;
	struct err err = { 0 };
	buf_init(&buf, &mem);
	arena_init(&scratch, &mem);
	struct snap_out out = { &buf };
	a->agg.type->save(&a->agg, acc, &out);
	ck_assert(!buf.failed);
	agg_empty(&a->agg, acc);
	for (size_t cut = 0; cut < buf.n; cut += 1 + cut / 8) { /* a damaged snapshot gives no more than a wrong accumulator */
		struct snap_in part = { .p = buf.p, .end = buf.p + cut, .mem = &scratch };
		ck_assert(a->agg.type->load(&a->agg, acc, &part) || part.bad || cut);
		agg_empty(&a->agg, acc);
	}
	struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &scratch };
	ck_assert_int_eq(a->agg.type->load(&a->agg, acc, &in), 0);
	ck_assert_int_eq(snap_done(&in, "test", &err), 0);
	buf_release(&buf);
	arena_release(&scratch);
}

static void random_rows(const struct subject *s, bool retracts, uint64_t seed)
{
	struct trial t;
	trial_open(&t, s, retracts, seed);
	for (int i = 0; i < 40; i++) {
		t.wide = i < 10 ? 0 : i < 20 ? 30 : 500;
		one_batch(&t, retracts ? i % 8 < 5 ? 30 : 70 : 0);
		if (i % 4 == 0)
			for (int k = 0; k < NACC; k++) {
				save_and_load(&t.a, t.updated[k]);
				check_acc(&t.a, s, &t.model[k], t.updated[k]);
			}
	}
	trial_close(&t);
}

START_TEST(test_random_rows)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		random_rows(&subjects[_i], false, seed);
		random_rows(&subjects[_i], true, seed);
	}
}
END_TEST

/* ---- parts ---- */

/* Two parts of rows, each well formed in itself: together they are the rows one after the other. */
static void merged_parts(const struct subject *s, bool retracts, uint64_t seed)
{
	struct trial t;
	trial_open(&t, s, retracts, seed);
	struct model all = { 0 };
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < 100; i++) {
			struct arow row = next_row(&t, &t.model[k], retracts && i > 50 ? 50 : 0);
			row.acc = t.updated[k];
			ck_assert_int_eq(aggs_put(&t.a, &row, 1, NULL, NULL), 0);
		}
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < t.model[k].n; i++)
			model_add(&all, t.model[k].row[i].x, t.model[k].row[i].y, t.model[k].row[i].y);
	all.separator = t.model[1].separator;
	const struct agg_type *type = t.a.agg.type;
	ck_assert_int_eq(type->merge(&t.a.agg, t.updated[0], t.updated[1]), 0);
	check_acc(&t.a, s, &all, t.updated[0]);
	check_acc(&t.a, s, &t.model[1], t.updated[1]);
	ck_assert_int_eq(type->merge(&t.a.agg, t.updated[2], t.updated[0]), 0);
	check_acc(&t.a, s, &all, t.updated[2]);
	if (type->unmerge) {
		ck_assert_int_eq(type->unmerge(&t.a.agg, t.updated[0], t.updated[1]), 0);
		check_acc(&t.a, s, &t.model[0], t.updated[0]);
	}
	free(all.row);
	trial_close(&t);
}

START_TEST(test_merge)
{
	for (uint64_t seed = 1; seed <= 5; seed++) {
		merged_parts(&subjects[_i], false, seed);
		merged_parts(&subjects[_i], true, seed);
	}
}
END_TEST

/* ---- refused memory ---- */

/* Every row is first tried with each of its requests refused in turn: it fails and nothing has changed, until it succeeds. */
static void refused(const struct subject *s, bool retracts, uint64_t seed)
{
	struct trial t;
	trial_open(&t, s, retracts, seed);
	t.wide = 100;
	for (int i = 0; i < 60; i++) {
		struct model before = t.model[0];
		before.row = calloc(before.n + 1, sizeof *before.row);
		if (before.n)
			memcpy(before.row, t.model[0].row, before.n * sizeof *before.row);
		struct arow row = next_row(&t, &t.model[0], retracts ? 30 : 0);
		row.acc = t.updated[0];
		int status = -1;
		for (uint64_t k = 1; status; k++) {
			t.a.mem.fail_at = t.a.mem.requests + k;
			status = aggs_put(&t.a, &row, 1, NULL, NULL);
			t.a.mem.fail_at = 0;
			if (status && strcmp(t.a.agg.type->name, "join") != 0) /* its separator may be the new one already */
				check_acc(&t.a, s, &before, t.updated[0]);
		}
		check_acc(&t.a, s, &t.model[0], t.updated[0]);
		free(before.row);
	}
	trial_close(&t);
}

START_TEST(test_refused_memory)
{
	refused(&subjects[_i], false, 3);
	refused(&subjects[_i], true, 4);
}
END_TEST

/* ---- taken back before it came ---- */

/* "-5 +5 +7" for one accumulator, then its value. */
static void check_early(const char *text, const char *rows, const char *want)
{
	struct aggs a;
	char got[512];
	aggs_open(&a, text, true);
	void *acc = aggs_new(&a);
	char *copy = strdup(rows), *rest = copy, *cell;
	while ((cell = strsep(&rest, " "))) {
		struct arow row = { .cell = { cell + 1, cell + 1, ",", cell + 1 }, .act = *cell == '-' ? ACT_SUB : ACT_ADD, .acc = acc };
		ck_assert_int_eq(aggs_put(&a, &row, 1, NULL, NULL), 0);
		save_and_load(&a, acc);
	}
	ck_assert_msg(!strcmp(aggs_value(&a, acc, got), want), "%s of %s: %s, not %s", text, rows, got, want);
	free(copy);
	aggs_free(&a, acc);
	aggs_close(&a);
}

START_TEST(test_taken_back_early)
{
	check_early("min(x)", "-5 +7", "7");
	check_early("min(x)", "-5 +7 +5", "7");
	check_early("min(x)", "-5 -5 +7 +5 +5 +5", "5");
	check_early("max(x)", "+7 -9 -8", "7");
	check_early("p50(x)", "-5 +7 +8 +5", "7");
	check_early("count(x)", "-5 +7 +8", "1");
	check_early("sum(x)", "-5", "-5");
	check_early("sum(x)", "-5 +7", "\\N");
	check_early("join(x)", "-b -b +a +b +c +b +b", "a,c,b");
	check_early("argmin(x, y)", "-5 +7 +5 +6", "6");
	check_early("first(x)", "-5 +5 +7", "5"); /* what is not there is not remembered */
	check_early("last(x)", "+7 -5 +5", "5");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("agg");
	TCase *tc = tcase_create("model");
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, test_random_rows, 0, NSUBJECT);
	tcase_add_loop_test(tc, test_merge, 0, NSUBJECT);
	tcase_add_loop_test(tc, test_refused_memory, 0, NSUBJECT);
	tcase_add_test(tc, test_taken_back_early);
	suite_add_tcase(suite, tc);
	SRunner *sr = srunner_create(suite);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
