/* Running: logic, comparisons of raw values, where values come from, refused memory. */
#include "unit/exprs.h"

#include <xxhash.h>

START_TEST(test_logic_tables)
{
	static const char *const word[] = { "false", "null", "true" };
	struct exprs x;
	exprs_open(&x);
	struct value va[9], vb[9], *out;
	for (unsigned i = 0; i < 9; i++) {
		va[i] = raw(i / 3 == 1 ? NULL : word[i / 3]);
		vb[i] = raw(i % 3 == 1 ? NULL : word[i % 3]);
	}
	x.col[COL_A].v = va;
	x.col[COL_B].v = vb;
	x.batch.n = 9;
	static const struct {
		const char *text, *pattern; /* {0} and {1} stand for the operands */
		unsigned answer[9];
	} cases[] = {
		{ "a and b", "%s and %s", { 0, 0, 0, 0, 1, 1, 0, 1, 2 } },
		{ "a or b", "%s or %s", { 0, 1, 2, 1, 1, 2, 2, 2, 2 } },
		{ "not a or b", "not %s or %s", { 2, 2, 2, 1, 1, 2, 0, 1, 2 } },
	};
	for (size_t c = 0; c < 3; c++) {
		uint8_t pass[9];
		uint32_t n, trues = 0;
		struct expr *expr = exprs_bound(&x, cases[c].text);
		ck_assert_int_eq(expr_eval(expr, &x.batch, &out), 0);
		ck_assert_int_eq(expr_true(expr, &x.batch, pass, &n), 0);
		for (unsigned i = 0; i < 9; i++) {
			char text[100], got[10], folded[10];
			const char *want = cases[c].answer[i] == 1 ? "NULL" : word[cases[c].answer[i]];
			snprintf(text, sizeof text, cases[c].pattern, word[i / 3], word[i % 3]);
			ck_assert_str_eq(shown(&out[i], got), want);
			ck_assert_str_eq(exprs_constant(text, folded), want);
			ck_assert_int_eq(pass[i], cases[c].answer[i] == 2);
			trues += pass[i];
		}
		ck_assert_uint_eq(n, trues);
	}
	exprs_close(&x);
}
END_TEST

START_TEST(test_borrowing)
{
	struct exprs x;
	exprs_open(&x);
	struct value a[2] = { raw("1"), raw("x") }, num[2] = { value_int(1), value_null() }, *out;
	x.col[COL_A] = (struct column){ a, num };
	x.batch.n = 2;
	struct expr *expr = exprs_bound(&x, " a");
	ck_assert_int_eq(expr_column(expr), COL_A);
	ck_assert_uint_eq(expr_span(expr).at, 1);
	ck_assert_int_eq(expr_eval(expr, &x.batch, &out), 0);
	ck_assert_ptr_eq(out, a);
	struct expr *number = expr_as(expr, T_NUMBER, &x.plan, &x.err);
	ck_assert_int_eq(expr_column(number), -1);
	ck_assert_int_eq(expr_eval(number, &x.batch, &out), 0);
	ck_assert_ptr_eq(out, num);
	ck_assert_int_eq(expr_column(exprs_bound(&x, "coalesce(a)")), -1);
	ck_assert(!expr_constant(expr, out));
	/* a column that nobody fills has no values */
	ck_assert_int_eq(expr_eval(exprs_bound(&x, "b"), &x.batch, &out), 0);
	ck_assert_int_eq(out[1].type, V_NULL);
	exprs_close(&x);
}
END_TEST

START_TEST(test_fields)
{
	struct exprs x;
	exprs_open(&x);
	struct value field[2][3] = { { raw("p"), raw("7"), raw("q") }, { raw("r") } };
	struct value row[3] = { { .type = V_ROW, .len = 3, .u.row = field[0] }, { .type = V_ROW, .len = 1, .u.row = field[1] }, value_null() };
	x.col[COL_ROW].v = row;
	x.batch.n = 3;
	struct value *out;
	char text[100];
	ck_assert_int_eq(expr_eval(exprs_bound(&x, "c2"), &x.batch, &out), 0);
	ck_assert_str_eq(shown(&out[0], text), "7");
	ck_assert_int_eq(out[1].type, V_NULL);
	ck_assert_int_eq(out[2].type, V_NULL);
	ck_assert_int_eq(expr_eval(exprs_bound(&x, "c2 + 1"), &x.batch, &out), 0);
	ck_assert_str_eq(shown(&out[0], text), "8");
	ck_assert_int_eq(out[1].type, V_NULL);
	exprs_close(&x);
}
END_TEST

START_TEST(test_raw_compares)
{
	static const struct {
		const char *text, *a, *b, *want;
	} cases[] = {
		{ "a < b", "9", "10", "true" },
		{ "a < b", "9", "x", "true" },
		{ "a < b", "x9", "x10", "false" },
		{ "a = b", "1.0", "1", "true" },
		{ "a = b", "1", NULL, "NULL" },
		{ "a = '1'", "1.0", NULL, "false" },
		{ "a = 1", "1.0", NULL, "true" },
		{ "a > '9'", "10", NULL, "false" },
		{ "a > 9", "10", NULL, "true" },
		{ "a = 1", "x", NULL, "NULL" },
		{ "a = true", "true", NULL, "true" },
		{ "not a", "TRUE", NULL, "NULL" },
		{ "not a", "false", NULL, "true" },
		{ "least(a, b)", "10", "9", "9" },
		{ "greatest(a, b)", "10", "x", "x" },
		{ "coalesce(a, b)", NULL, "007", "007" },
		{ "nullif(a, '-')", "-", NULL, "NULL" },
		{ "nullif(a, 7)", "7.0", NULL, "NULL" },
		{ "if(b = 'y', a, 'none') < 'b'", "abc", "y", "true" },
		{ "a in (b, 1)", "x", "x", "true" },
	};
	struct exprs x;
	exprs_open(&x);
	x.batch.n = 1;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct value a = raw(cases[i].a), b = raw(cases[i].b), *out;
		char got[100];
		x.col[COL_A].v = &a;
		x.col[COL_B].v = &b;
		ck_assert_int_eq(expr_eval(exprs_bound(&x, cases[i].text), &x.batch, &out), 0);
		ck_assert_msg(!strcmp(shown(out, got), cases[i].want), "%s with %s, %s: %s", cases[i].text, cases[i].a, cases[i].b, shown(out, got));
	}
	exprs_close(&x);
}
END_TEST

/* Raw values where a time is wanted, and the time of the row: 2026-11-29 10:00. */
START_TEST(test_times)
{
	static const struct {
		const char *text, *a, *want;
	} cases[] = {
		{ "rowtime", NULL, "2026-11-29T10:00:00Z" },
		{ "rowtime || ''", NULL, "2026-11-29T10:00:00Z" },
		{ "rowtime = a", "2026-11-29T11:00:00+01:00", "true" },
		{ "rowtime < a", "2026-11-29 10:00:00.001", "true" },
		{ "a > rowtime", "2026-11-29", "false" },
		{ "rowtime > a", NULL, "NULL" },
		{ "rowtime = a", "29/Nov/2026:10:00:00 +0000", "true" },
		{ "rowtime between a and '2026-11-30'", "2026-11-29", "true" },
		{ "a between '2026-11-28T23:00:00-12:00' and rowtime", "2026-11-29 09:00", "false" },
		{ "a in ('2026-11-29', rowtime)", "2026-11-29T10:00:00Z", "true" },
		{ "rowtime - a", "2026-11-29 09:59", "60000" },
		{ "a - rowtime", "2026-11-29 09:59", "-60000" },
		{ "rowtime + a * 1s", "90", "2026-11-29T10:01:30Z" },
		{ "coalesce(a, rowtime)", "2026-11-29", "2026-11-29T00:00:00Z" },
		{ "coalesce(a, rowtime)", NULL, "2026-11-29T10:00:00Z" },
		{ "hour(coalesce(a, b))", "2026-11-29T23:00:00+01:00", "22" },
		{ "date(a)", "2026-11-29 10:00", "2026-11-29T00:00:00Z" },
		{ "date(a || '')", "soon", "NULL" },
		{ "if(hour(rowtime) = 10, 'ten', 'other')", NULL, "ten" },
		{ "nullif(a, rowtime)", "2026-11-29 10:00", "NULL" },
		{ "hash(rowtime)", NULL, NULL },
	};
	struct exprs x;
	exprs_open(&x);
	x.batch.n = 1;
	int64_t time = INT64_C(1795946400000);
	x.batch.time = &time;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct value a = raw(cases[i].a), *out;
		char got[100], digits[] = "1795946400000";
		x.col[COL_A].v = &a;
		x.col[COL_B].v = &a;
		ck_assert_int_eq(expr_eval(exprs_bound(&x, cases[i].text), &x.batch, &out), 0);
		if (cases[i].want)
			ck_assert_msg(!strcmp(shown(out, got), cases[i].want), "%s with %s: %s", cases[i].text, cases[i].a, shown(out, got));
		else /* as a key of the same value: by the digits */
			ck_assert_int_eq(out->u.i, (int64_t)(XXH3_64bits(digits, strlen(digits)) & INT64_MAX));
	}
	x.batch.time = NULL; /* nobody gave the rows their time */
	struct value *out;
	ck_assert_int_eq(expr_eval(exprs_bound(&x, "rowtime"), &x.batch, &out), 0);
	ck_assert_int_eq(out->type, V_NULL);
	exprs_close(&x);
}
END_TEST

/* ---- refused memory ---- */

static const char *const long_ones[] = {
	"a > 5 and b = 'x' or not (n between 1 and 2)",
	"lower(a) || upper(b) || text(n) || concat(a, b, n)",
	"replace(a, /b+/i, '<\\1>') like b",
	"extract(a, /(x)(y)/, 2) =~ /y/ or a in ('x', 'y', b)",
	"replace(a, 'b', 'cc') like '%c_c%' and a !~ 'z'",
	"extract(a, '(*NO_JIT)(b|c)+$') is null",
	"if(a = 'x', coalesce(b, c9), least(a, b)) + nullif(a, 1)",
	"hash(a, b, n) % 7 in (1, 2, null)",
	"substr('constant' || text(1 / 3), 2) || split(a, ',', 2)",
	"rowtime > a and rowtime + 5m in (b, '2026-11-29') or hour(lower(a)) = 1",
	"strftime(rowtime, '%Y') || rowtime || strptime(a, '%d') || floor_time(rowtime - 1h, 1d)",
	"url_host('http://' || upper(a)) || url_query('?q=%20+' || a, 'q') || url_path('//h/' || a)",
	"ip_net('10.1.2.' || b, 8) || ip_in(b, '10.0.0.0/8') || ip_in('::' || b, a)",
	"ip_in(a, '10.0.0/8')",
	"{no such column} = 1",
	"lowr(a)",
	"a =~ /x(/",
};

/* Evaluates over batches that make texts longer than a block; true if no request was refused. */
static bool survives(const char *text, uint64_t fail_at)
{
	static char big[20000];
	memset(big, 'b', sizeof big);
	struct exprs x;
	exprs_open(&x);
	struct value a[3] = { value_raw(big, sizeof big), raw("x"), value_null() }, b[3] = { raw("y"), raw("xYbb"), raw("3") };
	struct value n[3] = { value_int(1), value_null(), value_int(2) };
	x.col[COL_A].v = a;
	x.col[COL_B].v = b;
	x.col[COL_N].v = n;
	x.batch.n = 3;
	x.mem.requests = 0;
	x.mem.fail_at = fail_at;
	struct expr *expr = exprs_bind(&x, text);
	struct value *out;
	bool failed = !expr && x.err.code == ERR_FAILED;
	if (expr) {
		ck_assert_int_eq(x.err.code, ERR_NONE);
		failed = expr_eval(expr, &x.batch, &out) != 0;
		uint8_t pass[3];
		uint32_t count;
		if (!failed && expr_type(expr) == T_BOOL)
			failed = expr_true(expr, &x.batch, pass, &count) != 0;
	} else {
		ck_assert_int_ne(x.err.code, ERR_NONE);
	}
	uint64_t requests = x.mem.requests;
	exprs_close(&x);
	ck_assert_msg(failed == (fail_at && requests >= fail_at), "%s: request %lu of %lu", text, (unsigned long)fail_at, (unsigned long)requests);
	return !failed;
}

START_TEST(test_refused_memory)
{
	for (size_t i = 0; i < sizeof long_ones / sizeof long_ones[0]; i++) {
		ck_assert(survives(long_ones[i], 0));
		for (uint64_t at = 1; !survives(long_ones[i], at); at++)
			;
	}
}
END_TEST

/* Leaves `room` bytes of the arena's chunk, and refuses it another one. */
static void narrow(struct arena *arena, size_t room)
{
	ck_assert_ptr_nonnull(arena_alloc(arena, 1));
	ck_assert_ptr_nonnull(arena_alloc(arena, (size_t)(arena->end - arena->at) - room));
}

/* Binds with `plan` and runs with `scratch` bytes to spare (both multiples of 16); 0, or what failed: 1 binding, 2 running. */
static int fits(const char *text, size_t plan, size_t scratch)
{
	struct exprs x;
	exprs_open(&x);
	struct value a[2] = { raw("b"), raw("Xb") }, b[2] = { raw("y"), value_null() }, n[2] = { value_int(1), value_null() }, *out;
	x.col[COL_A].v = a;
	x.col[COL_B].v = b;
	x.col[COL_N].v = n;
	x.batch.n = 2;
	struct node *node;
	ck_assert_int_eq(parse_expr("-w", text, &x.plan, &node, &x.err), 0);
	narrow(&x.plan, plan);
	narrow(&x.scratch, scratch);
	x.mem.limit = x.mem.used + 300; /* room for a name being put together, none for a chunk */
	struct expr *expr = expr_bind(node, &x.schema, &x.plan, &x.err);
	ck_assert_int_eq(x.err.code, expr ? ERR_NONE : ERR_FAILED);
	int failed = !expr ? 1 : expr_eval(expr, &x.batch, &out) ? 2 : 0;
	exprs_close(&x);
	return failed;
}

static const char *const short_ones[] = {
	"a > 5 and b = 'x' or not (n between 1 and 2)",
	"lower(a) || concat(a, b, n) || text(n) || upper(a)",
	"if(a = 'x', coalesce(b, c9), least(a, b)) + nullif(a, 1)",
	"(a in ('x', 'y') or a in (1, 2, null) or a in (b, 1)) is not null",
	"hash(a, b) + hash(a)",
	"replace(a, 'b', 'cc') like '%c_c%' or a like b",
	"coalesce(a, 'x') || 'lit' || substr('abc' || 1, 2)",
	"coalesce(rowtime, '2026-11-29', a) + 1h > date(b) or rowtime between a and '2026-11-30'",
	"strftime(rowtime, '%Y') || now() || strptime(a, '%d') || iso(rowtime)",
	"floor_time(date(now()), 5m) - a",
};

START_TEST(test_every_request)
{
	enum { ENOUGH = 32 << 10, STEP = 16 };
	for (size_t i = 0; i < sizeof short_ones / sizeof short_ones[0]; i++) {
		size_t plan = 0, scratch = 0;
		while (fits(short_ones[i], plan, ENOUGH) == 1)
			plan += STEP;
		ck_assert_uint_gt(plan, 0);
		while (fits(short_ones[i], ENOUGH, scratch) == 2)
			scratch += STEP;
		ck_assert_uint_gt(scratch, 0);
		ck_assert_int_eq(fits(short_ones[i], plan, scratch), 0);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_logic_tables, test_borrowing, test_fields, test_raw_compares, test_times, test_refused_memory, test_every_request };
	return RUN_TESTS("expr_run", tests);
}
