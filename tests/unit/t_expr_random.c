/* Random expressions: over a batch, over a batch of one, and with the values written in as literals (then all is worked out when it is bound)
 * the answers are the same. */
#include "core/time.h"
#include "unit/exprs.h"

enum { ROWS = 13 };

/* Two renderings of one random expression. Where `row` is 0 or more, columns are written as their values there. */
struct writer {
	const struct exprs *x;
	int row;
	uint64_t random;
	char text[4000];
	size_t n;
};

static int64_t times[ROWS] = { 0, 1, -1, 86400000, 86399999, -86400000, INT64_C(1795946400000), INT64_C(1795946400250), 7, TIME_MAX, TIME_MIN, 1000, 3600000 };

static unsigned pick(struct writer *w, unsigned n)
{
	w->random = w->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(w->random >> 33) % n;
}

static void put(struct writer *w, const char *text)
{
	size_t n = strlen(text);
	ck_assert_uint_lt(w->n + n, sizeof w->text);
	memcpy(w->text + w->n, text, n + 1);
	w->n += n;
}

static void put_column(struct writer *w, const char *name, int col, bool quoted)
{
	char value[200];
	if (w->row < 0) {
		put(w, name);
		return;
	}
	const struct value *v = &w->x->col[col].v[w->row];
	put(w, v->type == V_NULL ? "null" : quoted ? "'" : "");
	if (v->type != V_NULL)
		put(w, shown(v, value));
	put(w, v->type != V_NULL && quoted ? "'" : "");
}

static void put_bool(struct writer *w, int depth);
static void put_text(struct writer *w, int depth);

/* A literal alone would be a text, not a time. */
static void put_time(struct writer *w, int depth)
{
	static const char *const moved[] = { " + 90m)", " - 1d)", " + 1.5 * 1s)", " + 1d * 1e9)" };
	char text[80];
	switch (pick(w, depth > 0 ? 5 : 1)) {
	case 0:
		if (w->row < 0) {
			put(w, "rowtime");
			return;
		}
		snprintf(text, sizeof text, "(date('1970-01-01') + %lld * 1ms)", (long long)times[w->row]);
		put(w, text);
		break;
	case 1:
		put(w, "(");
		put_time(w, depth - 1);
		put(w, moved[pick(w, 4)]);
		break;
	default:
		put(w, pick(w, 2) ? "date(" : "coalesce(null, ");
		put_time(w, depth - 1);
		put(w, ")");
	}
}

static void put_number(struct writer *w, int depth)
{
	static const char *const literal[] = { "0", "1", "2", "404", "0.5", "1e3", "2.25", "null" };
	static const char *const operator[] = { " + ", " - ", " * ", " / ", " % " };
	unsigned choice = pick(w, depth > 0 ? 10 : 3);
	switch (choice) {
	case 0:
		put_column(w, "n", COL_N, false);
		break;
	case 1:
		put(w, "(");
		put_column(w, "a", COL_A, false);
		put(w, " + 0)");
		break;
	case 2:
		put(w, literal[pick(w, 8)]);
		break;
	case 3: case 4:
		put(w, "(");
		put_number(w, depth - 1);
		put(w, operator[pick(w, 5)]);
		put_number(w, depth - 1);
		put(w, ")");
		break;
	case 5:
		put(w, "if(");
		put_bool(w, depth - 1);
		put(w, ", ");
		put_number(w, depth - 1);
		put(w, ", ");
		put_number(w, depth - 1);
		put(w, ")");
		break;
	case 6:
		put(w, pick(w, 2) ? "least(" : "coalesce(");
		put_number(w, depth - 1);
		put(w, ", ");
		put_number(w, depth - 1);
		put(w, ")");
		break;
	case 7:
		put(w, "((");
		put_time(w, depth - 1);
		put(w, " - ");
		put_time(w, depth - 1);
		put(w, ") / 1m)");
		break;
	case 8:
		put(w, pick(w, 2) ? "hour(" : "epoch(");
		put_time(w, depth - 1);
		put(w, ")");
		break;
	default:
		put(w, "length(");
		put_text(w, depth - 1);
		put(w, ")");
	}
}

static void put_text(struct writer *w, int depth)
{
	static const char *const literal[] = { "''", "'x'", "'abc'", "'bca'", "'a%'", "'é'" };
	switch (pick(w, depth > 0 ? 7 : 2)) {
	case 0:
		put_column(w, "t", COL_T, true);
		break;
	case 1:
		put(w, literal[pick(w, 6)]);
		break;
	case 2:
		put(w, "(");
		put_text(w, depth - 1);
		put(w, " || ");
		put_text(w, depth - 1);
		put(w, ")");
		break;
	case 3:
		put(w, "substr(");
		put_text(w, depth - 1);
		put(w, ", 2)");
		break;
	case 4:
		put(w, "replace(");
		put_text(w, depth - 1);
		put(w, pick(w, 2) ? ", 'b', 'yy')" : ", /[ab]+/, '<\\0>')");
		break;
	case 5:
		put(w, "(");
		put_time(w, depth - 1);
		put(w, " || 'x')");
		break;
	default:
		put(w, pick(w, 2) ? "upper(" : "trim(");
		put_text(w, depth - 1);
		put(w, ")");
	}
}

static void put_pair(struct writer *w, int depth, void (*side)(struct writer *, int), const char *operator)
{
	put(w, "(");
	side(w, depth - 1);
	put(w, operator);
	side(w, depth - 1);
	put(w, ")");
}

static void put_bool(struct writer *w, int depth)
{
	static const char *const compare[] = { " = ", " <> ", " < ", " <= ", " > ", " >= " };
	switch (pick(w, depth > 0 ? 13 : 1)) {
	case 0:
		put(w, pick(w, 2) ? "true" : "false");
		break;
	case 1: case 2:
		put_pair(w, depth, put_number, compare[pick(w, 6)]);
		break;
	case 3:
		put_pair(w, depth, put_text, compare[pick(w, 6)]);
		break;
	case 4: case 5:
		put_pair(w, depth, put_bool, pick(w, 2) ? " and " : " or ");
		break;
	case 6:
		put(w, "(not ");
		put_bool(w, depth - 1);
		put(w, ")");
		break;
	case 7:
		put(w, "(");
		put_number(w, depth - 1);
		put(w, pick(w, 2) ? " not in (1, 404, 2.5, null))" : " in (0, 1, 3, 404))");
		break;
	case 8:
		put(w, "(");
		put_text(w, depth - 1);
		put(w, pick(w, 3) ? pick(w, 2) ? " like 'a%')" : " like '%b_%')" : " in ('x', 'abc', 'abcabc'))");
		break;
	case 9:
		put(w, "(");
		put_text(w, depth - 1);
		put(w, pick(w, 2) ? " =~ /^a|c$/)" : " is null)");
		break;
	case 10:
		put_pair(w, depth, put_time, compare[pick(w, 6)]);
		break;
	case 11:
		put(w, "(");
		put_time(w, depth - 1);
		put(w, pick(w, 2) ? " between '1970-01-01' and '2026-11-30')" : " in ('1970-01-01', null))");
		break;
	default:
		put_pair(w, depth, put_text, " like ");
	}
}

static const char *written(const struct exprs *x, uint64_t seed, int row, struct writer *w)
{
	*w = (struct writer){ .x = x, .row = row, .random = seed };
	unsigned kind = pick(w, 3);
	(kind == 0 ? put_number : kind == 1 ? put_text : put_bool)(w, 4);
	return w->text;
}

static struct value value[COL_ROW][ROWS], as_numbers[ROWS];

static void fill_values(void)
{
	static const char *const numbers[ROWS] = { "0", "1", "404", "500", NULL, "0.25", "1e3", "123456789012345678", "2", "3", "7", "0.1", "99" };
	static const char *const texts[ROWS] = { "", "a", "abc", NULL, "cab", "é", "bb", "xyz", "a%", "ABC", " a ", "b", "abcabc" };
	for (unsigned i = 0; i < ROWS; i++) {
		struct value n = raw(numbers[i]);
		value[COL_A][i] = value[COL_B][i] = raw(numbers[(i + 3) % ROWS]);
		if (!number_of(&value[COL_A][i], &as_numbers[i]))
			as_numbers[i] = value_null();
		if (!number_of(&n, &value[COL_N][i]))
			value[COL_N][i] = value_null();
		value[COL_T][i] = raw(texts[i]);
		value[COL_T][i].type = texts[i] ? V_TEXT : V_NULL;
	}
}

/* Rows from..from + n - 1 of the expression that seed gives; the caller frees the texts. */
static void run_rows(struct exprs *x, const struct expr *expr, unsigned from, unsigned n, char **out)
{
	struct value *v;
	char text[2000];
	for (int c = 0; c < COL_ROW; c++)
		x->col[c].v = &value[c][from];
	x->batch.time = &times[from];
	x->batch.n = n;
	ck_assert_int_eq(expr_eval(expr, &x->batch, &v), 0);
	for (unsigned r = 0; r < n; r++)
		out[r] = strdup(shown(&v[r], text));
}

static void check_seed(uint64_t seed)
{
	static struct writer w;
	struct exprs x;
	char *all[ROWS], *alone, folded[2000];
	exprs_open(&x);
	for (int c = 0; c < COL_ROW; c++)
		x.col[c].v = value[c];
	struct expr *expr = exprs_bound(&x, written(&x, seed, -1, &w));
	x.col[COL_A].num = seed % 2 ? as_numbers : NULL;
	run_rows(&x, expr, 0, ROWS, all);
	x.col[COL_A].num = NULL;
	for (unsigned r = 0; r < ROWS; r++) {
		run_rows(&x, expr, r, 1, &alone);
		ck_assert_msg(!strcmp(alone, all[r]), "%s: %s alone, %s in a batch", w.text, alone, all[r]);
		for (int c = 0; c < COL_ROW; c++)
			x.col[c].v = value[c];
		ck_assert_str_eq(exprs_constant(written(&x, seed, (int)r, &w), folded), all[r]);
		free(alone);
		free(all[r]);
	}
	exprs_close(&x);
}

START_TEST(test_columns_and_literals)
{
	fill_values();
	for (uint64_t seed = 1; seed < 500; seed++)
		check_seed(seed);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_columns_and_literals };
	return RUN_TESTS("expr_random", tests);
}
