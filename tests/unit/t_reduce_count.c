/* --reduce in windows of rows against a slow model that keeps every row: random windows, keys, batches; snapshots on the way; refused memory. */
#include "reduce_rig.h"

enum { KEYS = 4, ROWS = 120, VALUES = 6 };

/* The aggregates; the groups after the first three are there or not. Those whose accumulators do not grow are merged by two stacks. */
struct list {
	const char *text;
	bool ends, sets, joins;
};
static const struct list lists[] = {
	{ .text = "count, sum(x), max(x)" },
	{ .text = "count, sum(x), max(x), count(distinct x), p50(x)", .sets = true },
	{ .text = "count, sum(x), max(x), first(x), last(x) where x > 1 as l", .ends = true },
	{ .text = "count, sum(x), max(x), first(x), last(x) where x > 1 as l, count(distinct x), p50(x), join(x), join(distinct x) as d",
	  .ends = true, .sets = true, .joins = true },
};

struct shape {
	int64_t size, step;
	const struct list *list;
	bool key, updates; /* not with ends or joins: which row is taken back would matter */
};

/* ---- the model: all rows of each key that have a number ---- */

struct seen {
	int x, sign;
};
struct model {
	struct seen row[KEYS][ROWS];
	int n[KEYS];
};

/* The first row of the pane that row i lies in. */
static int pane_start(const struct shape *s, int i)
{
	int step = (int)s->step, rest = s->size > s->step ? (int)(s->size % s->step) : (int)s->size, at = i % step;
	return at >= rest ? i - at + rest : i - at;
}

static bool in_gap(const struct shape *s, int i)
{
	return i % s->step >= s->size;
}

static void say_join(const struct seen *row, int n, bool distinct, struct buf *out)
{
	bool had[VALUES] = { 0 };
	for (int i = 0; i < n; i++) {
		if (!distinct || !had[row[i].x])
			buf_printf(out, "%s%d", i ? "," : " ", row[i].x);
		had[row[i].x] = true;
	}
}

/* What the aggregates say of rows row[0 .. n - 1]; false: nothing is left of them. */
static bool say(const struct shape *s, const struct seen *row, int n, struct buf *out)
{
	int net[VALUES] = { 0 }, count = 0, sum = 0, most = -1, distinct = 0, median = -1, last = -1;
	for (int i = 0; i < n; i++) {
		net[row[i].x] += row[i].sign;
		count += row[i].sign;
		sum += row[i].sign * row[i].x;
		last = row[i].x > 1 ? row[i].x : last;
	}
	int weight = 0, below = 0;
	for (int x = 0; x < VALUES; x++) {
		distinct += net[x] > 0;
		most = net[x] > 0 ? x : most;
		weight += net[x] > 0 ? net[x] : 0;
	}
	for (int x = 0; x < VALUES && median < 0; x++) {
		below += net[x] > 0 ? net[x] : 0;
		median = below && 2 * below >= weight ? x : -1;
	}
	if (!count)
		return false;
	buf_printf(out, " %d %d %d", count, sum, most);
	if (s->list->ends)
		buf_printf(out, last < 0 ? " %d \\N" : " %d %d", row[0].x, last);
	if (s->list->sets)
		buf_printf(out, " %d %d", distinct, median);
	if (s->list->joins) {
		say_join(row, n, false, out);
		say_join(row, n, true, out);
	}
	return true;
}

static void model_row(const struct shape *s, struct model *m, int key, struct seen seen, struct buf *out)
{
	struct seen *row = m->row[key];
	int i = m->n[key], start = pane_start(s, i), net = 0;
	for (int k = start; k < i; k++)
		net += row[k].sign;
	if (seen.sign < 0 && !net && !in_gap(s, i))
		return;
	row[i] = seen;
	m->n[key]++;
	for (int k = start; k <= i && !(net + seen.sign); k++) /* a pane without rows is empty, whatever it was that was taken back */
		row[k].sign = 0;
	int64_t from = i + 1 - s->size;
	if (from < 0 || from % s->step)
		return;
	size_t before = out->n;
	buf_puts(out, "+I");
	if (s->key)
		buf_printf(out, " k%d", key);
	if (say(s, row + from, (int)s->size, out))
		buf_putc(out, ';');
	else
		out->n = before;
}

/* ---- trials ---- */

static const struct op_type keyed_by_rows = { .name = "tumble" };

static struct op_window window_of(const struct shape *s, struct op *flag)
{
	*flag = (struct op){ .type = &keyed_by_rows, .flag = "--hop", .text = "rows" };
	struct window_ast window = { .kind = s->size == s->step ? WINDOW_TUMBLE : WINDOW_HOP, .rows = true, .size = s->size, .step = s->step };
	return (struct op_window){ .window = window, .window_flag = flag };
}

static struct shape random_shape(uint64_t *seed)
{
	struct shape s = { .size = 1 + rig_random(seed, 9), .step = 1 + rig_random(seed, 5), .key = rig_random(seed, 4), .updates = !rig_random(seed, 3) };
	if (!rig_random(seed, 4))
		s.step = s.size;
	s.list = &lists[rig_random(seed, s.updates ? 2 : 4)];
	return s;
}

/* Random rows as text, and what they give by the model. */
static void random_rows(const struct shape *s, uint64_t *seed, struct buf *rows, struct buf *want)
{
	struct model m = { 0 };
	for (int i = 0; i < ROWS; i++) {
		int key = s->key ? (int)rig_random(seed, KEYS) : 0;
		struct seen seen = { .x = (int)rig_random(seed, VALUES), .sign = s->updates && !rig_random(seed, 4) ? -1 : 1 };
		buf_printf(rows, "%s k%d %d;", seen.sign < 0 ? "-D" : "+I", key, seen.x);
		model_row(s, &m, key, seen, want);
	}
	buf_putc(rows, '\0');
	buf_putc(want, '\0');
}

static void begin(struct rig *rig, const struct shape *s, const struct op_window *window, uint32_t max)
{
	struct setup setup = { .columns = "kx", .key = s->key ? "k" : NULL, .reduce = s->list->text, .kinds = s->updates ? S_U | S_D : 0, .max = max };
	setup.window = window;
	setup.ttl = 1; /* windows ignore it */
	reduce_begin(rig, &setup);
	ck_assert_uint_eq(rig->out.stream.kinds, 0);
	ck_assert(!rig->out.stream.has_key && !rig->out.stream.timed && !rig->out.stream.windowed);
}

/* Batches of one size, or (0) of random sizes with snapshots between them. */
static void run(struct rig *rig, const char *rows, uint32_t size, uint64_t *seed)
{
	if (size) {
		reduce_rows_in(rig, rows, size);
		return;
	}
	while (*rows) {
		const char *end = rows;
		for (uint32_t n = 1 + rig_random(seed, 30); n && *end; n--)
			end = strchr(end, ';') + 1;
		char *part = strndup(rows, (size_t)(end - rows));
		ck_assert_int_eq(rig_push(rig, part), 0);
		free(part);
		reduce_again(rig);
		rig->op.now += 10;
		rows = end;
	}
}

START_TEST(test_against_model)
{
	static const uint32_t sizes[] = { 0, 1, 2, 7, BATCH_MAX };
	for (uint64_t seed = 1; seed <= 500; seed++) {
		uint64_t random = seed * 99991;
		struct shape s = random_shape(&random);
		struct op flag;
		struct op_window window = window_of(&s, &flag);
		struct mem mem = { 0 };
		struct buf rows, want;
		buf_init(&rows, &mem);
		buf_init(&want, &mem);
		random_rows(&s, &random, &rows, &want);
		for (int i = 0; i < 5; i++) {
			struct rig rig;
			begin(&rig, &s, &window, i % 2 ? 0 : 2);
			run(&rig, rows.p, sizes[i], &random);
			const char *got = rig_got(&rig);
			ck_assert_msg(!strcmp(got, want.p), "%lld every %lld, -r '%s', %s:\n%s\ngave\n%s\nnot\n%s", (long long)s.size, (long long)s.step, s.list->text,
				      s.updates ? "updates" : "inserts", rows.p, got, want.p);
			rig_close(&rig);
		}
		buf_release(&rows);
		buf_release(&want);
	}
}
END_TEST

START_TEST(test_refused_memory)
{
	for (uint64_t seed = 1; seed <= 30; seed++) {
		bool failed = true;
		for (uint64_t nth = 1; failed; nth += 1 + nth / 8) {
			uint64_t random = seed * 1234567;
			struct shape s = random_shape(&random);
			struct op flag;
			struct op_window window = window_of(&s, &flag);
			struct mem mem = { 0 };
			struct buf rows, want;
			struct rig rig;
			buf_init(&rows, &mem);
			buf_init(&want, &mem);
			random_rows(&s, &random, &rows, &want);
			begin(&rig, &s, &window, 0);
			struct batch batch = rig_batch(&rig, rows.p, false);
			rig.mem.fail_at = rig.mem.requests + nth;
			failed = rig.op.type->push(&rig.op, &batch) != 0;
			ck_assert_int_eq(failed, rig.err.code != 0);
			rig.mem.fail_at = 0;
			rig_close(&rig);
			buf_release(&rows);
			buf_release(&want);
		}
	}
}
END_TEST

/* What a snapshot may hold if it is damaged: anything, but never more than an error comes of it. */
START_TEST(test_damaged_snapshot)
{
	for (uint64_t seed = 1; seed <= 40; seed++) {
		uint64_t random = seed * 31;
		struct shape s = random_shape(&random);
		struct op flag;
		struct op_window window = window_of(&s, &flag);
		struct mem mem = { 0 };
		struct buf rows, want, buf;
		struct snap_out out = { &buf };
		struct rig rig;
		buf_init(&rows, &mem);
		buf_init(&want, &mem);
		buf_init(&buf, &mem);
		random_rows(&s, &random, &rows, &want);
		begin(&rig, &s, &window, 0);
		reduce_rows_in(&rig, rows.p, BATCH_MAX);
		ck_assert_int_eq(rig.op.type->save(&rig.op, &out), 0);
		rig_close(&rig);
		for (size_t i = 0; i < buf.n; i += 1 + rig_random(&random, 5)) {
			char was = buf.p[i];
			buf.p[i] = (char)rig_random(&random, 256);
			begin(&rig, &s, &window, 0);
			struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &rig.scratch };
			if (!rig.op.type->load(&rig.op, &in))
				(void)!rig_push(&rig, "+I k0 1;+I k1 2;+I k2 3;+I k0 1;+I k0 1;");
			rig_close(&rig);
			buf.p[i] = was;
		}
		buf_release(&rows);
		buf_release(&want);
		buf_release(&buf);
	}
}
END_TEST

/* Keys are forgotten where they would begin anew. */
START_TEST(test_keys_go)
{
	struct shape s = { .size = 2, .step = 3, .list = &lists[0], .key = true };
	struct op flag;
	struct op_window window = window_of(&s, &flag);
	struct rig rig;
	char row[32];
	begin(&rig, &s, &window, 0);
	size_t used = 0;
	for (int k = 0; k < 30000; k++) {
		snprintf(row, sizeof row, "+I k%d 1;", k);
		for (int i = 0; i < 3; i++)
			ck_assert_int_eq(rig_push(&rig, row), 0);
		rig_got(&rig);
		used = k == 8000 ? rig.mem.used : used;
	}
	ck_assert_uint_le(rig.mem.used, used + used / 4);
	rig_close(&rig);
}
END_TEST

START_TEST(test_flags_that_cannot_be)
{
	struct shape s = { .size = 2, .step = 2, .list = &lists[0], .key = true };
	for (int i = 0; i < 4; i++) {
		struct op flag, other = { .flag = i == 0 ? "--trigger" : i == 1 ? "--evict" : i == 2 ? "--lateness" : "--late-file", .text = "text" };
		struct op_window window = window_of(&s, &flag);
		*(i == 0 ? &window.trigger_flag : i == 1 ? &window.evict_flag : i == 2 ? &window.lateness_flag : &window.late_flag) = &other;
		struct setup setup = { .columns = "kx", .key = "k", .reduce = "count", .window = &window };
		struct rig rig;
		ck_assert_int_eq(reduce_start(&rig, &setup), -1);
		ck_assert_int_eq(rig.err.code, ERR_USAGE);
		ck_assert_msg(strstr(rig.err.text, other.flag) == rig.err.text, "%s", rig.err.text);
		rig_close(&rig);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reduce count");
	TCase *tc = tcase_create("reduce count");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, test_against_model);
	tcase_add_test(tc, test_refused_memory);
	tcase_add_test(tc, test_damaged_snapshot);
	tcase_add_test(tc, test_keys_go);
	tcase_add_test(tc, test_flags_that_cannot_be);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
