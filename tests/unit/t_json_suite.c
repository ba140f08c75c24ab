/* core/json on other people's cases: JSONTestSuite, and the small files of simdjson. */
#include "tests/unit/json_rig.h"
#include "tests/unit/suite.h"

/* Of the cases that may be either, those that are refused; bytes that are not UTF-8 and halves of characters are taken. */
static const char *const either_refused[] = {
	"i_string_UTF-16LE_with_BOM", "i_string_utf16BE_no_BOM", "i_string_utf16LE_no_BOM", /* not UTF-8, and not nearly */
	"i_structure_UTF-8_BOM_empty_object", /* a BOM is framing of a file, and no part of a text */
};

static bool taken(const char *name)
{
	for (size_t i = 0; i < sizeof either_refused / sizeof *either_refused; i++)
		if (!strcmp(name, either_refused[i]))
			return false;
	return *name != 'n';
}

static char *read_case(const char *name, size_t *n)
{
	char path[200], *text = malloc(1 << 20);
	snprintf(path, sizeof path, "json/cases/%s.json", name);
	FILE *file = suite_open(path);
	ck_assert_ptr_nonnull(file);
	rewind(file); /* no heading */
	*n = fread(text, 1, 1 << 20, file);
	fclose(file);
	return text;
}

START_TEST(suite)
{
	FILE *file = suite_open("json/index.tsv");
	struct suite_line line;
	struct json *const json[2] = { reader(NULL, 0, 0), reader(NULL, 0, 1) };
	size_t cases = 0, bytes;
	for (; file && suite_next(file, &line); cases++) {
		char *text = read_case(line.field[0], &bytes);
		ck_assert_msg(is_json(json, text, bytes) == taken(line.field[0]), "%s", line.field[0]);
		free(text);
	}
	ck_assert(!file || cases == 340);
	if (file)
		fclose(file);
}
END_TEST

/* Each leaf of a value that another reader gave is found by its path in the text. */
static void same_leaves(struct model *want, const char *text, size_t n, struct step *step, uint32_t depth)
{
	for (size_t i = 0; i < want->n; i++) {
		const struct model *child = want->child[i];
		step[depth] = (struct step){ .name = child->name, .len = (uint32_t)child->name_len, .index = child->name || i % 2 ? (int64_t)i : (int64_t)i - (int64_t)want->n };
		same_leaves(want->child[i], text, n, step, depth + 1);
	}
	struct value v;
	struct json *json = json_new(&(struct json_path){ step, depth }, 1, &arena);
	ck_assert(!json_read(json, text, n, n) && !json_value(json, 0, &arena, &v));
	if (want->kind == M_NULL)
		ck_assert_int_eq(v.type, V_NULL);
	else
		ck_assert_int_eq(v.type, V_RAW);
	char a[400], b[400];
	snprintf(a, sizeof a, "%.*s", (int)v.len, v.u.p ? v.u.p : "");
	snprintf(b, sizeof b, "%.*s", (int)want->len, want->p);
	if (want->kind == M_STRING)
		ck_assert_msg(v.flags & VF_QUOTED && v.len == want->len && !memcmp(v.u.p, want->p, v.len), "%s is not %s", a, b);
	else if (want->kind == M_NUMBER)
		ck_assert_msg(!(v.flags & VF_QUOTED) && strtod(a, NULL) == strtod(b, NULL), "%s is not %s", a, b); /* NOLINT: the same digits, or others for one double */
}

/* Reads a line of any length; false at the end. */
static bool next_line(FILE *file, char **line, size_t *n)
{
	size_t cap = 0;
	free(*line);
	*line = NULL;
	ssize_t got = getline(line, &cap, file);
	if (got <= 0)
		return false;
	*n = (size_t)got - ((*line)[got - 1] == '\n');
	return true;
}

START_TEST(suite_values)
{
	FILE *file = suite_open("json/expected.jsonl");
	char *line = NULL;
	size_t n, cases = 0, bytes;
	if (file)
		rewind(file); /* no heading */
	for (; file && next_line(file, &line, &n); cases++) {
		struct model *expected = model_read(line, n);
		const struct model *name = model_member(expected, "case", 4), *value = model_member(expected, "value", 5);
		char case_name[200];
		struct step step[100];
		snprintf(case_name, sizeof case_name, "%.*s", (int)name->len, name->p);
		char *text = read_case(case_name, &bytes);
		same_leaves((struct model *)value, text, bytes, step, 0);
		free(text);
		model_free(expected);
	}
	ck_assert(!file || cases == 95);
	if (file)
		fclose(file);
	free(line);
}
END_TEST

START_TEST(suite_wrapped)
{
	FILE *lines = suite_open("json/wrapped.jsonl"), *index = suite_open("json/wrapped_expected.tsv");
	struct suite_line wanted;
	char *line = NULL;
	size_t n, cases = 0;
	const struct json_path path[] = { { &(struct step){ .name = "n", .len = 1 }, 1 }, { &(struct step){ .name = "v", .len = 1 }, 1 } };
	struct json *const json[2] = { reader(path, 2, 0), reader(path, 2, 1) };
	if (lines)
		rewind(lines); /* no heading */
	for (; lines && index && next_line(lines, &line, &n) && suite_next(index, &wanted); cases++) {
		bool good = is_json(json, line, n);
		struct value v;
		ck_assert_msg(good == taken(wanted.field[1]), "%s", wanted.field[1]);
		ck_assert(!good || (!json_read(json[0], line, n, n) && !json_value(json[0], 0, &arena, &v) && v.len == strlen(wanted.field[0]) && !memcmp(v.u.p, wanted.field[0], v.len)));
	}
	ck_assert(!lines || !index || cases == 312);
	if (lines)
		fclose(lines);
	if (index)
		fclose(index);
	free(line);
}
END_TEST

/* Lines of ndjson: how many are JSON. pass01 is no file of lines: a value spans several of them, one of which happens to be JSON. */
START_TEST(suite_lines)
{
	static const struct { const char *name; size_t good, lines; } files[] = { { "fail01", 6, 7 }, { "pass01", 5, 10 }, { "pass02", 5, 5 } };
	struct json *const json[2] = { reader(NULL, 0, 0), reader(NULL, 0, 1) };
	for (int i = 0; i < 3; i++) {
		char path[100], *line = NULL;
		size_t n, good = 0, lines = 0;
		snprintf(path, sizeof path, "json/ndjson/%s.ndjson", files[i].name);
		FILE *file = suite_open(path);
		if (!file)
			continue;
		for (rewind(file); next_line(file, &line, &n); lines++)
			good += is_json(json, line, n);
		ck_assert_msg(good == files[i].good && lines == files[i].lines, "%s: %zu of %zu", path, good, lines);
		fclose(file);
		free(line);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { suite, suite_values, suite_wrapped, suite_lines };
	return json_tests("json_suite", tests, sizeof tests / sizeof *tests);
}
