#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/schema.h"
#include "tests/unit/run_tests.h"

static struct mem mem;
static struct arena arena;
static struct schema schema;

static void start(enum schema_kind kind)
{
	mem = (struct mem){ 0 };
	arena_init(&arena, &mem);
	schema_init(&schema, kind, &arena);
}

static void finish(void)
{
	arena_release(&arena);
	ck_assert_uint_eq(mem.used, 0);
}

static int add(const char *name, enum type type) { return schema_add(&schema, name, strlen(name), type); }

static bool find(const char *name, struct schema_place *place) { return schema_find(&schema, name, strlen(name), place); }

/* Column and field as "2" or "2.7"; "" if there is none. */
static const char *place(const char *name)
{
	static char text[40];
	struct schema_place at;
	if (!find(name, &at))
		return "";
	snprintf(text, sizeof text, at.field < 0 ? "%u" : "%u.%d", at.col, at.field);
	return text;
}

START_TEST(test_add_and_find)
{
	start(SCHEMA_CLOSED);
	char name[20];
	for (int i = 0; i < 500; i++) {
		snprintf(name, sizeof name, "col%d", i);
		ck_assert_int_eq(add(name, T_RAW), i);
	}
	for (int i = 0; i < 500; i++) {
		snprintf(name, sizeof name, "col%d", i);
		struct schema_place at;
		ck_assert(find(name, &at));
		ck_assert_uint_eq(at.col, (unsigned)i);
		ck_assert_int_eq(at.field, -1);
	}
	ck_assert_str_eq(place("col500"), "");
	ck_assert_str_eq(place("c1"), "");
	ck_assert_int_eq(schema_row(&schema), -1);
	finish();
}
END_TEST

START_TEST(test_equal_names)
{
	start(SCHEMA_CLOSED);
	ck_assert_int_eq(add("x", T_RAW), 0);
	ck_assert_int_eq(add("x_2", T_TEXT), 1);
	ck_assert_int_eq(add("x", T_NUMBER), 2);
	ck_assert_int_eq(add("x", T_NUMBER), 3);
	ck_assert_str_eq(schema.col[2].name, "x_3");
	ck_assert_str_eq(schema.col[3].name, "x_4");
	ck_assert_uint_eq(schema.col[3].len, 3);
	ck_assert_int_eq(schema.col[1].type, T_TEXT);
	ck_assert_int_eq(add("", T_RAW), 4);
	ck_assert_int_eq(add("", T_RAW), 5);
	ck_assert_str_eq(schema.col[5].name, "_2");
	finish();
}
END_TEST

/* What a list of names that is searched from the front, for each suffix from _2 on, calls the next one. */
static void name_by_list(char name[][64], unsigned n, const char *given)
{
	snprintf(name[n], 64, "%s", given);
	for (unsigned suffix = 2;; suffix++) {
		unsigned i = 0;
		while (i < n && strcmp(name[i], name[n]))
			i++;
		if (i == n)
			return;
		snprintf(name[n], 64, "%s_%u", given, suffix);
	}
}

/* Names that are the same, and such as suffixes make: all as the list has them. */
START_TEST(test_random_names)
{
	enum { MOST = 300 };
	static const char *const base[] = { "", "a", "a_", "b", "a_2", "_2", "a_02", "a_1" };
	static char name[MOST][64];
	srand(1);
	for (int run = 0; run < 300; run++) {
		start(SCHEMA_CLOSED);
		unsigned n = 1 + (unsigned)rand() % (run % 10 ? 30 : MOST), row = MOST;
		for (unsigned i = 0; i < n; i++) {
			char given[40];
			int len = snprintf(given, sizeof given, "%s", base[rand() % 8]);
			for (int more = rand() % 4; more > 1; more--)
				len += snprintf(given + len, sizeof given - (size_t)len, "_%d", rand() % 12);
			bool is_row = rand() % 50 == 0;
			row = is_row && row == MOST ? i : row;
			name_by_list(name, i, given);
			if (add(given, is_row ? T_ROW : T_RAW) != (int)i || strcmp(schema.col[i].name, name[i]) || schema.col[i].len != strlen(name[i]))
				ck_abort_msg("run %d: column %u is %s, not %s", run, i, schema.col[i].name, name[i]);
			if (schema_row(&schema) != (row < MOST ? (int)row : -1))
				ck_abort_msg("run %d: row %d", run, schema_row(&schema));
		}
		for (unsigned i = 0; i < n; i++)
			if (schema_index(&schema, name[i], strlen(name[i])) != (int)i)
				ck_abort_msg("run %d: %s", run, name[i]);
		ck_assert_int_eq(schema_index(&schema, "a_", 1), schema_index(&schema, "a", 1));
		ck_assert_int_eq(schema_index(&schema, "none", 4), -1);
		finish();
	}
}
END_TEST

/* Seconds, if each name looked at all the others. */
START_TEST(test_many_equal_names)
{
	enum { N = 200000 };
	start(SCHEMA_CLOSED);
	for (int i = 0; i < N; i++)
		if (add("count", T_NUMBER) != i)
			ck_abort_msg("%d", i);
	ck_assert_str_eq(schema.col[N - 1].name, "count_200000");
	finish();
}
END_TEST

START_TEST(test_paths)
{
	start(SCHEMA_PATHS);
	struct schema_place at;
	struct step nested[] = { { "req", 3, 0 }, { "tags", 4, 0 }, { NULL, 0, -1 }, { "a.}b", 4, 0 } };
	ck_assert(schema_path(&schema, nested, 4, &at));
	ck_assert_str_eq(schema.col[at.col].name, "req.tags[-1].{a.}}b}");
	ck_assert_uint_eq(schema.col[at.col].nstep, 4);
	ck_assert(schema.col[at.col].path[2].name == NULL && schema.col[at.col].path[2].index == -1);
	ck_assert(schema_path(&schema, nested, 4, &at));
	ck_assert_uint_eq(at.col, 0);
	ck_assert_str_eq(place("req"), "1");
	ck_assert_str_eq(place("a.b"), "2"); /* one member of that name, not a path */
	ck_assert_str_eq(schema.col[2].name, "{a.b}");
	ck_assert_str_eq(place("record"), "3");
	ck_assert_int_eq(schema.col[3].type, T_RECORD);
	ck_assert(schema_whole(&schema, &at));
	ck_assert_uint_eq(at.col, 3);
	finish();
}
END_TEST

START_TEST(test_positions)
{
	start(SCHEMA_POSITIONS);
	ck_assert_str_eq(place("c7"), "0");
	ck_assert_str_eq(place("c1"), "1");
	ck_assert_str_eq(place("c7"), "0");
	ck_assert_uint_eq(schema.col[0].pos, 6);
	ck_assert_uint_eq(schema.col[1].pos, 0);
	ck_assert_int_eq(schema.col[0].type, T_RAW);
	static const char *const wrong[] = { "c0", "c01", "c", "d1", "C1", "c1x", "c-1", "c99999999", "", "status" };
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		ck_assert_msg(!*place(wrong[i]), "%s", wrong[i]);
	ck_assert_int_eq(schema_row(&schema), -1);
	ck_assert_str_eq(place("*"), "2");
	ck_assert_int_eq(schema_row(&schema), 2);
	ck_assert_uint_eq(schema.n, 3);
	ck_assert_str_eq(place("c3"), "3"); /* a column of its own, not a field of the row */
	finish();
}
END_TEST

START_TEST(test_fields_of_whole_rows)
{
	start(SCHEMA_CLOSED);
	add("window_start", T_TIME);
	add("*", T_ROW);
	add("c2", T_NUMBER);
	ck_assert_str_eq(place("c1"), "1.0");
	ck_assert_str_eq(place("c12"), "1.11");
	ck_assert_str_eq(place("c2"), "2");
	ck_assert_str_eq(place("c0"), "");
	ck_assert_uint_eq(schema.n, 3);
	finish();
}
END_TEST

static const char *message(const char *name)
{
	static struct err err;
	err = (struct err){ 0 };
	struct span span = { "--where", name, 0, strlen(name) };
	ck_assert_int_eq(schema_unknown(&schema, span, name, strlen(name), &err), -1);
	return err.text;
}

START_TEST(test_unknown)
{
	start(SCHEMA_CLOSED);
	add("ip", T_RAW);
	add("status", T_RAW);
	add("bytes", T_RAW);
	ck_assert_str_eq(message("stauts"), "--where: no column \"stauts\" (did you mean \"status\"?); there are: ip, status, bytes\n  stauts\n  ^~~~~~");
	ck_assert_str_eq(message("qqq"), "--where: no column \"qqq\"; there are: ip, status, bytes\n  qqq\n  ^~~");
	ck_assert_ptr_nonnull(strstr(message("BYTES"), "did you mean \"bytes\""));
	add("*", T_ROW);
	add("a\tb", T_RAW);
	ck_assert_ptr_nonnull(strstr(message("qqq"), "ip, status, bytes, c1, c2, ..., a\\x09b"));
	finish();
	start(SCHEMA_CLOSED);
	ck_assert_ptr_nonnull(strstr(message("x"), "there are no columns"));
	finish();
	start(SCHEMA_POSITIONS);
	ck_assert_ptr_nonnull(strstr(message("status"), "its columns are c1, c2"));
	finish();
}
END_TEST

START_TEST(test_long_lists_are_cut)
{
	start(SCHEMA_CLOSED);
	char name[1000];
	memset(name, 'x', sizeof name);
	for (int i = 0; i < 300; i++) {
		snprintf(name + 900, 90, "%d", i);
		schema_add(&schema, i % 10 ? name + 880 : name, strlen(i % 10 ? name + 880 : name), T_RAW);
	}
	const char *text = message("q");
	ck_assert_ptr_nonnull(strstr(text, ", ... (300 in all)\n  q\n  ^"));
	ck_assert_uint_lt(strlen(text), 1500);
	finish();
}
END_TEST

START_TEST(test_type_names)
{
	for (int type = T_NULL; type <= T_ROW; type++)
		ck_assert_uint_gt(strlen(type_name((enum type)type)), 0);
	ck_assert_str_eq(type_name(T_DURATION), "duration");
}
END_TEST

/* Every request refused in turn: an error, and the schema still serves what it had. */
START_TEST(test_refused_memory)
{
	for (uint64_t at = 1; at < 40; at++) {
		start(SCHEMA_POSITIONS);
		mem.fail_at = at;
		char name[2000];
		unsigned had = 0;
		struct schema_place place_of;
		for (unsigned i = 1; i <= 200; i++) {
			snprintf(name, sizeof name, "c%u", i);
			if (!find(name, &place_of)) {
				struct err err = { 0 };
				schema_unknown(&schema, (struct span){ 0 }, name, strlen(name), &err);
				ck_assert_int_eq(err.code, ERR_FAILED);
				break;
			}
			had++;
		}
		ck_assert_uint_eq(schema.n, had);
		finish();
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_add_and_find, test_equal_names, test_random_names, test_many_equal_names, test_paths, test_positions, test_fields_of_whole_rows,
		test_unknown, test_long_lists_are_cut, test_type_names, test_refused_memory,
	};
	return RUN_TESTS("schema", tests);
}
