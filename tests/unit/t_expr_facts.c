/* The facts of tests/data/expr (or $WEIR_SHARED/data/expr): each expression with the answer that the SQL engines agree on, or that the design gives. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/expr/expr.h"
#include "parse/lang/parse.h"
#include "tests/unit/run_tests.h"

enum { LINE = 8192 };

static FILE *open_facts(const char *name)
{
	const char *shared = getenv("WEIR_SHARED");
	const char *const folder[] = { "tests/data/expr", shared, "../shared" };
	char path[1000];
	for (size_t i = 0; i < 3; i++) {
		if (!folder[i])
			continue;
		snprintf(path, sizeof path, "%s%s/%s", folder[i], i ? "/data/expr" : "", name);
		FILE *file = fopen(path, "r");
		if (file)
			return file;
	}
	printf("%s: not found, 0 facts checked\n", name);
	return NULL;
}

/* The text of a JSON string at p (behind its quote) into out; what follows the closing quote. */
static const char *unquote(const char *p, char *out, size_t *n)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	for (*n = 0; *p != '"'; p++) {
		ck_assert_msg(*p, "a JSON string without its end");
		if (*p == '\\') {
			const char *known = strchr(from, *++p);
			ck_assert_msg(known, "an escape this test does not know");
			out[(*n)++] = to[known - from];
		} else {
			out[(*n)++] = *p;
		}
	}
	out[*n] = '\0';
	return p + 1;
}

/* A result as the facts write it: NULL, true, a number, or a JSON string (escapes: quote, backslash, tab, newline). */
static void show(const struct value *v, char *out)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p;
	uint32_t n = value_print(v, scratch, &p);
	if (v->type == V_NULL) {
		strcpy(out, "NULL");
		return;
	}
	if (v->type != V_TEXT) {
		memcpy(out, p, n);
		out[n] = '\0';
		return;
	}
	*out++ = '"';
	for (uint32_t i = 0; i < n; i++) {
		const char *escape = strchr("\"\\\tt\nn", p[i]);
		if (p[i] == '"' || p[i] == '\\')
			*out++ = '\\', *out++ = p[i];
		else if (escape && p[i] != 't' && p[i] != 'n')
			*out++ = '\\', *out++ = escape[1];
		else
			*out++ = p[i];
	}
	strcpy(out, "\"");
}

/* Parses, binds, evaluates over a batch of two rows; the answer, or "error". */
static void answer(const char *text, char *out)
{
	struct mem mem = { 0 };
	struct arena plan, scratch;
	arena_init(&plan, &mem);
	arena_init(&scratch, &mem);
	struct schema schema;
	schema_init(&schema, SCHEMA_CLOSED, &plan);
	struct err err = { 0 };
	struct node *node;
	struct expr *expr = parse_expr("--where", text, &plan, &node, &err) ? NULL : expr_bind(node, &schema, &plan, &err);
	if (expr) {
		struct batch batch = { .n = 2, .mem = &scratch };
		struct value *v;
		ck_assert_int_eq(expr_eval(expr, &batch, &v), 0);
		show(&v[1], out);
	} else {
		ck_assert_int_eq(err.code, ERR_USAGE);
		strcpy(out, "error");
	}
	arena_release(&scratch);
	arena_release(&plan);
	ck_assert_uint_eq(mem.used, 0);
}

/* Splits a line at its tabs. */
static size_t fields(char *line, char **field, size_t max)
{
	size_t n = 0;
	line[strcspn(line, "\n")] = '\0';
	for (char *p = line; p && n < max;)
		field[n++] = strsep(&p, "\t");
	return n;
}

static int wrong(const char *expression, const char *want)
{
	char got[LINE];
	answer(expression, got);
	if (strcmp(got, want) == 0)
		return 0;
	printf("%s: %s, not %s\n", expression, got, want);
	return 1;
}

START_TEST(test_agreed)
{
	FILE *file = open_facts("expr.tsv");
	if (!file)
		return;
	char line[LINE], *field[4];
	int bad = 0, n = 0;
	ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
	while (fgets(line, sizeof line, file)) {
		ck_assert_uint_eq(fields(line, field, 4), 4);
		bad += wrong(field[0], field[1]);
		n++;
	}
	fclose(file);
	printf("expr.tsv: %d facts, %d wrong\n", n, bad);
	ck_assert_int_eq(bad, 0);
}
END_TEST

/* What the column `design`, written from an earlier edition, says otherwise than LANGUAGE.md does now: a number against a text is an
 * error ("if the types let the expression through": they do not), and two quoted texts compare by bytes, as all three engines have it. */
static const char *const decided[][2] = {
	{ "1 = '1'", "error" },
	{ "'1' = 1", "error" },
	{ "10 < '9'", "error" },
	{ "1 = 'a'", "error" },
	{ "'1.0' = 1", "error" },
	{ "'01' = 1", "error" },
	{ "'10' < '9'", "true" },
	/* column empty */
	{ "'a%c' like 'a\\%c'", "true" },
	{ "'a\\c' like 'a\\c'", "false" },
	{ "'a\\bc' like 'a\\%'", "false" },
	{ "'a_c' like 'a\\_c'", "true" },
	{ "'a\\' like 'a\\\\'", "true" },
	{ "1 + 2 || '3'", "\"33\"" },
	{ "1 < 2 = true", "error" },
	{ "1 = 1 = true", "error" },
	{ "upper('aBc1-é')", "\"ABC1-é\"" },
	{ "lower('ÀÉ')", "\"ÀÉ\"" },
	{ "upper('straße')", "\"STRAßE\"" },
	{ "substr('hello', -1)", "\"hello\"" },
	{ "substr('hello', -3, 2)", "\"\"" },
	{ "substr('hello', -2, 5)", "\"he\"" },
	{ "substr('hello', 2, -1)", "NULL" },
	{ "'1' + 1", "error" },
	{ "'a' + 1", "error" },
	{ "1 || 2", "\"12\"" },
	{ "true || 'x'", "\"truex\"" },
	{ "1 = true", "error" },
	{ "1 and true", "error" },
	{ "not 1", "error" },
	{ "length(123)", "error" },
	{ "upper(1)", "error" },
	{ "number(' 1')", "1" },
};

static const char *decision(const char *expression)
{
	for (size_t i = 0; i < sizeof decided / sizeof decided[0]; i++)
		if (!strcmp(decided[i][0], expression))
			return decided[i][1];
	return NULL;
}

START_TEST(test_disputed)
{
	FILE *file = open_facts("disputed.tsv");
	if (!file)
		return;
	char line[LINE], *field[7];
	int bad = 0, n = 0, overruled = 0;
	ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
	while (fgets(line, sizeof line, file)) {
		ck_assert_uint_ge(fields(line, field, 7), 6);
		const char *want = decision(field[0]);
		overruled += want && *field[1];
		if (!want)
			want = field[1];
		ck_assert_msg(*want, "%s: not decided", field[0]);
		bad += wrong(field[0], want);
		n++;
	}
	fclose(file);
	printf("disputed.tsv: %d facts, %d wrong; in %d of them LANGUAGE.md overrules the column design\n", n, bad, overruled);
	ck_assert_int_eq(bad, 0);
	ck_assert_int_eq(overruled, 7);
}
END_TEST

START_TEST(test_control_chars)
{
	FILE *file = open_facts("control_chars.jsonl");
	if (!file)
		return;
	char line[LINE], expression[LINE], want[LINE];
	size_t n;
	int bad = 0, facts = 0;
	while (fgets(line, sizeof line, file)) {
		const char *p = strstr(line, "\"expression\": \"");
		ck_assert_ptr_nonnull(p);
		p = unquote(p + strlen("\"expression\": \""), expression, &n);
		p = strstr(p, "\"expected\": \"");
		ck_assert_ptr_nonnull(p);
		unquote(p + strlen("\"expected\": \""), want, &n);
		bad += wrong(expression, want);
		facts++;
	}
	fclose(file);
	printf("control_chars.jsonl: %d facts, %d wrong\n", facts, bad);
	ck_assert_int_eq(bad, 0);
}
END_TEST

/* A JSON list of strings and nulls as raw values, in memory of `arena`; how many. */
static size_t list(const char *p, struct value *v, struct arena *arena)
{
	size_t count = 0;
	char text[LINE];
	for (p++; *p != ']'; p += strspn(p, ", ")) {
		size_t n;
		if (*p == 'n') {
			v[count++] = value_null();
			p += strlen("null");
			continue;
		}
		p = unquote(p + 1, text, &n);
		char *copy = arena_copy(arena, text, n);
		ck_assert_ptr_nonnull(copy);
		v[count++] = value_raw(copy, (uint32_t)n);
	}
	return count;
}

/* A stable sort by the total order, descending with sign -1; then it must be the list wanted. */
static int misplaced(struct value *v, size_t n, const struct value *want, int sign)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = i; j > 0 && sign * value_order(&v[j], &v[j - 1]) < 0; j--) {
			struct value swap = v[j];
			v[j] = v[j - 1];
			v[j - 1] = swap;
		}
	for (size_t i = 0; i < n; i++)
		if (v[i].type != want[i].type || v[i].len != want[i].len || (v[i].len && memcmp(v[i].u.p, want[i].u.p, v[i].len)))
			return 1;
	return 0;
}

START_TEST(test_order)
{
	FILE *file = open_facts("order.tsv");
	if (!file)
		return;
	char line[LINE], *field[4];
	int bad = 0, n = 0;
	struct mem mem = { 0 };
	struct arena arena;
	arena_init(&arena, &mem);
	ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
	while (fgets(line, sizeof line, file)) {
		struct value v[64], want[64];
		ck_assert_uint_ge(fields(line, field, 4), 3);
		for (int way = 1; way <= 2; way++) {
			size_t count = list(field[0], v, &arena);
			ck_assert_uint_eq(list(field[way], want, &arena), count);
			if (misplaced(v, count, want, way == 1 ? 1 : -1)) {
				printf("%s: not in the order %s\n", field[0], field[way]);
				bad++;
			}
		}
		n++;
	}
	fclose(file);
	arena_release(&arena);
	printf("order.tsv: %d lists, %d wrong\n", n, bad);
	ck_assert_int_eq(bad, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_agreed, test_disputed, test_control_chars, test_order };
	return RUN_TESTS("expr_facts", tests);
}
