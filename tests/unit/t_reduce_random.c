/* --reduce under random rows that come and go: what it sends, applied, is at any time the result over the rows that are there. With save and load on
 * the way, every batch size, bundles, and refused memory. */
#include "reduce_rig.h"

enum { KEYS = 12, LIVE = 400, ROW = 64 };

static const char reduce[] = "count, sum(x), max(x), count(distinct x), min(x) where x > 4 as m, first(y), p50(x)";

struct live {
	uint32_t key, x;
};

/* The rows that are there, by arrival, and what a reader of the output holds. */
struct world {
	struct live live[LIVE];
	uint32_t n;
	char shown[KEYS][2 * ROW]; /* "": not there */
	uint64_t seed;
};

static const char *y_of(uint32_t x)
{
	return x % 2 ? "odd, and longer than eight bytes" : "even";
}

static int order(const void *a, const void *b)
{
	return (*(const uint32_t *)a > *(const uint32_t *)b) - (*(const uint32_t *)a < *(const uint32_t *)b);
}

/* What the reduce should say of a key. */
static void expected(const struct world *w, uint32_t key, char *out)
{
	uint32_t x[LIVE], n = 0, sum = 0, distinct = 0, least = 99, first = 0;
	for (uint32_t i = 0; i < w->n; i++)
		if (w->live[i].key == key) {
			first = n ? first : w->live[i].x;
			x[n++] = w->live[i].x;
		}
	*out = '\0';
	if (!n)
		return;
	qsort(x, n, sizeof *x, order);
	for (uint32_t i = 0; i < n; i++) {
		sum += x[i];
		distinct += !i || x[i] != x[i - 1];
		least = x[i] > 4 && x[i] < least ? x[i] : least;
	}
	char m[8] = "\\N";
	if (least < 99)
		sprintf(m, "%u", least);
	sprintf(out, "%u %u %u %u %s %s %u", n, sum, x[n - 1], distinct, m, y_of(first), x[(n + 1) / 2 - 1]);
}

/* first takes back the first equal y, which may be another row's: then it is another one that counts as gone. */
static void forget_row(struct world *w, uint32_t i)
{
	memmove(w->live + i, w->live + i + 1, (w->n - i - 1) * sizeof *w->live);
	w->n--;
}

/* Rows of random changes. A row is taken back only if no earlier row of its key has the same y but another x, so that `first` has one answer. */
static void some_rows(struct world *w, uint32_t n, bool takes_back, char *out)
{
	*out = '\0';
	while (n--) {
		struct live row = { rig_random(&w->seed, KEYS), rig_random(&w->seed, 9) };
		uint32_t i = w->n ? rig_random(&w->seed, w->n) : 0, k = 0;
		bool back = takes_back && w->n && (w->n == LIVE || rig_random(&w->seed, 2));
		if (back)
			row = w->live[i];
		while (back && k < i && (w->live[k].key != row.key || w->live[k].x % 2 != row.x % 2))
			k++;
		if (back && k < i)
			row = w->live[i = k];
		out += sprintf(out, "%s k%u %u %s;", back ? rig_random(&w->seed, 2) ? "-D" : "-U" : rig_random(&w->seed, 2) ? "+I" : "+U", row.key, row.x,
			row.x % 2 ? "odd,_and_longer_than_eight_bytes" : "even");
		if (back)
			forget_row(w, i);
		else if (w->n < LIVE)
			w->live[w->n++] = row;
	}
}

static void underscores(char *text)
{
	for (; *text; text++)
		*text = *text == '_' ? ' ' : *text;
}

/* Applies output rows "+I k3 ...;": each must fit what is shown. */
static void apply(struct world *w, const char *rows, bool before)
{
	for (const char *end; *rows; rows = end + 1) {
		char row[4 * ROW], *rest;
		end = strchr(rows, ';');
		snprintf(row, sizeof row, "%.*s", (int)(end - rows - 4), rows + 4);
		uint32_t key = (uint32_t)strtoul(row, &rest, 10);
		underscores(rest);
		rest++;
		char *shown = w->shown[key];
		if (!memcmp(rows, "+I", 2) || (!memcmp(rows, "+U", 2) && before))
			ck_assert_str_eq(shown, "");
		else if (memcmp(rows, "+U", 2) != 0)
			ck_assert_str_eq(shown, rest);
		else
			ck_assert(*shown && strcmp(shown, rest) != 0);
		strcpy(shown, *rows == '+' ? rest : "");
	}
}

static void check_shown(const struct world *w)
{
	char want[2 * ROW];
	for (uint32_t key = 0; key < KEYS; key++) {
		expected(w, key, want);
		ck_assert_str_eq(w->shown[key], want);
	}
}

static void live_through(struct setup s, uint64_t seed)
{
	static char rows[BATCH_MAX * ROW];
	struct world w = { .seed = seed };
	struct rig rig;
	s.max = 2 + rig_random(&w.seed, 20);
	reduce_begin(&rig, &s);
	for (int i = 0; i < 60; i++) {
		if (!s.kinds && w.n > LIVE - 50)
			break;
		some_rows(&w, 1 + rig_random(&w.seed, 40), s.kinds != 0, rows);
		reduce_rows_in(&rig, rows, 1 + rig_random(&w.seed, 30));
		if (rig_random(&w.seed, 3) == 0)
			reduce_again(&rig);
		if (s.bundled && rig_random(&w.seed, 2))
			continue;
		if (s.bundled)
			reduce_end(&rig, reduce_op.flush);
		apply(&w, rig_got(&rig), s.before);
		check_shown(&w);
	}
	rig_close(&rig);
}

static struct setup setup_of(int i)
{
	struct setup s = { .columns = "kxy", .key = "k", .reduce = reduce, .before = i % 2 == 0, .bundled = i / 2 % 2 == 0, .kinds = i / 4 % 2 ? S_U | S_D : 0 };
	return s;
}

START_TEST(test_random)
{
	for (uint64_t seed = 1; seed <= 12; seed++)
		live_through(setup_of(_i), seed);
}
END_TEST

/* Under --final the order is that of first appearance; an emptied key that returns is new. */
START_TEST(test_random_final)
{
	static char rows[BATCH_MAX * ROW];
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct setup s = { .columns = "kxy", .key = "k", .reduce = reduce, .final = true, .kinds = S_U | S_D };
		char *got[2] = { 0 };
		for (int i = 0; i < 2; i++) {
			struct world w = { .seed = seed };
			struct rig rig;
			reduce_begin(&rig, &s);
			for (int k = 0; k < 10; k++) {
				some_rows(&w, 30, true, rows);
				reduce_rows_in(&rig, rows, i ? BATCH_MAX : 1);
				if (i)
					reduce_again(&rig);
			}
			ck_assert_str_eq(rig_got(&rig), "");
			reduce_end(&rig, reduce_op.result);
			got[i] = strdup(rig_got(&rig));
			apply(&w, got[i], true);
			check_shown(&w);
			rig_close(&rig);
		}
		ck_assert_str_eq(got[0], got[1]);
		free(got[0]);
		free(got[1]);
	}
}
END_TEST

/* Whatever request is refused, the error says so and nothing is lost or freed twice. */
START_TEST(test_refused_memory)
{
	static char rows[BATCH_MAX * ROW];
	struct setup s = setup_of(_i);
	bool failed = true;
	for (uint64_t k = 1; failed; k += 1 + k / 50) {
		struct world w = { .seed = 5 };
		struct rig rig;
		reduce_begin(&rig, &s);
		uint64_t start = rig.mem.requests;
		failed = false;
		for (int i = 0; i < 4 && !failed; i++) {
			some_rows(&w, 25, s.kinds != 0, rows);
			struct batch batch = rig_batch(&rig, rows, false);
			rig.mem.fail_at = i ? rig.mem.fail_at : start + k;
			failed = reduce_op.push(&rig.op, &batch) || (s.bundled && i % 2 && reduce_op.flush(&rig.op));
			uint64_t fail_at = rig.mem.fail_at;
			rig.mem.fail_at = 0;
			arena_reset(&rig.scratch);
			rig.mem.fail_at = failed ? 0 : fail_at;
		}
		rig.mem.fail_at = 0;
		ck_assert_int_eq(rig.err.code, failed ? ERR_FAILED : ERR_NONE);
		rig_close(&rig);
	}
}
END_TEST

/* A snapshot that was cut or changed is refused, or gives some other state; it never breaks anything. */
START_TEST(test_damaged)
{
	static char rows[BATCH_MAX * ROW];
	struct setup s = setup_of(_i);
	struct world w = { .seed = 9 };
	struct mem mem = { 0 };
	struct rig rig;
	struct buf buf;
	struct snap_out out = { &buf };
	buf_init(&buf, &mem);
	reduce_begin(&rig, &s);
	some_rows(&w, 30, s.kinds != 0, rows);
	reduce_rows_in(&rig, rows, 7);
	ck_assert_int_eq(reduce_op.save(&rig.op, &out), 0);
	for (int i = 0; i < 400; i++) {
		size_t n = i % 2 ? buf.n : rig_random(&w.seed, (uint32_t)buf.n);
		char *copy = malloc(n + 1);
		memcpy(copy, buf.p, n);
		if (i % 2)
			copy[rig_random(&w.seed, (uint32_t)n)] ^= (char)(1 << rig_random(&w.seed, 8));
		reduce_op.close(&rig.op);
		ck_assert_int_eq(reduce_op.open(&rig.op), 0);
		struct snap_in in = { .p = copy, .end = copy + n, .mem = &rig.scratch };
		int status = reduce_op.load(&rig.op, &in);
		rig.err = (struct err){ 0 };
		if (!status && !snap_done(&in, "reduce", &rig.err) && s.bundled)
			reduce_end(&rig, reduce_op.flush);
		rig.err = (struct err){ 0 };
		rig_got(&rig);
		free(copy);
	}
	buf_release(&buf);
	rig_close(&rig);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reduce random");
	TCase *tc = tcase_create("random");
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, test_random, 0, 8);
	tcase_add_test(tc, test_random_final);
	tcase_add_loop_test(tc, test_refused_memory, 0, 8);
	tcase_add_loop_test(tc, test_damaged, 0, 8);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
