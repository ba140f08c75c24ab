/* The facts of tests/data/expr/aggregates.tsv: lists of values with what PostgreSQL and exact arithmetic make of them. Numbers are compared as numbers,
 * variances to 12 digits; quantiles between two values (cont) are none of weir's. */
#include <math.h>

#include "core/number.h"
#include "reduce_rig.h"

enum { FIELDS = 18, LINE = 4096 };
static const char facts[] = "tests/data/expr/aggregates.tsv";
static const char reduce[] = "count, count(x), count(distinct x), count(distinct number(x)), sum(x), avg(x), min(x), max(x), first(x), last(x), "
			     "var(x), var_pop(x), stddev(x), p50(x), p95(x)";
/* For each aggregate its column in the file. */
static const int column[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16 };
enum { NAGG = sizeof column / sizeof *column, FIRST_VAR = 10, LAST_VAR = 12 };

static struct value number_in(const char *text)
{
	struct value v = value_null();
	if (!strncmp(text, "NULL or ", 8))
		text += 8; /* first and last leave NULL out */
	if (strcmp(text, "NULL") != 0)
		ck_assert_msg(number_read(text, (uint32_t)strlen(text), &v), "%s", text);
	return v;
}

static void check(const char *values, int agg, const char *got, const char *want)
{
	struct value w = number_in(want), g = value_null();
	if (strcmp(got, "\\N") != 0)
		ck_assert(number_read(got, (uint32_t)strlen(got), &g));
	bool same = w.type == V_NULL || g.type == V_NULL ? w.type == g.type : number_cmp(&w, &g) == 0;
	if (!same && agg >= FIRST_VAR && agg <= LAST_VAR && g.type != V_NULL && w.type != V_NULL)
		same = fabs(number_double(&w) - number_double(&g)) <= 1e-12 * fabs(number_double(&w));
	ck_assert_msg(same, "%s: aggregate %d is %s, not %s", values, agg, got, want);
}

static void check_list(const char *values, char *const field[FIELDS])
{
	struct rig rig;
	reduce_begin(&rig, &(struct setup){ .columns = "x", .reduce = reduce, .final = true });
	char *list = strdup(values), *rest = list, *cell, row[256];
	while (strcmp(values, "(none)") != 0 && (cell = strsep(&rest, ","))) {
		snprintf(row, sizeof row, "+I %s;", *cell ? cell : "\\N");
		reduce_rows_in(&rig, row, 1);
	}
	reduce_end(&rig, reduce_op.result);
	char *got = strdup(rig_got(&rig)), *at = got;
	ck_assert_str_eq(strsep(&at, " "), "+I");
	for (int i = 0; i < NAGG; i++)
		check(values, i, strsep(&at, " ;"), field[column[i]]);
	free(got);
	free(list);
	rig_close(&rig);
}

START_TEST(test_facts)
{
	char line[LINE], *field[FIELDS];
	FILE *file = fopen(facts, "r");
	uint32_t n = 0;
	ck_assert_msg(file != NULL, "%s", facts);
	ck_assert(fgets(line, sizeof line, file) != NULL); /* the heading */
	while (fgets(line, sizeof line, file)) {
		char *rest = line;
		line[strcspn(line, "\n")] = '\0';
		for (int i = 0; i < FIELDS; i++)
			field[i] = strsep(&rest, "\t");
		ck_assert(field[FIELDS - 1] != NULL);
		check_list(field[0], field);
		n++;
	}
	fclose(file);
	ck_assert_uint_ge(n, 80);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("agg facts");
	TCase *tc = tcase_create("facts");
	tcase_add_test(tc, test_facts);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
