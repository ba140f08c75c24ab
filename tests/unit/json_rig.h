/* Readers of JSON for tests, and whether a text is JSON by all ways to read. */
#ifndef JSON_RIG_H
#define JSON_RIG_H
#include <check.h>

#include "core/json.h"
#include "tests/unit/json_model.h"

static struct mem mem;
static struct arena arena;

static inline void setup(void)
{
	mem = (struct mem){ 0 };
	arena_init(&arena, &mem);
}

static inline void teardown(void)
{
	arena_release(&arena);
	ck_assert_uint_eq(mem.used, 0);
}

static inline struct json *reader(const struct json_path *path, uint32_t n, int machine)
{
	struct json *json = json_new(path, n, &arena);
	ck_assert_ptr_nonnull(json);
	return json_use(json, machine ? JSON_SSE2 : JSON_PLAIN) ? json : NULL;
}

/* Is the text, in memory that ends where it ends, and then with other bytes behind it, JSON? Both machines and both ways must agree, about why and where, too. */
static inline bool is_json(struct json *const json[2], const char *text, size_t n)
{
	char *exact = malloc(n ? n : 1), *more = malloc(n + 100);
	memcpy(exact, text, n);
	memcpy(more, text, n);
	memset(more + n, '\n', 100);
	int first = -2;
	size_t first_at = 0;
	const char *first_why = NULL;
	for (int machine = 0; machine < 2 && json[machine]; machine++)
		for (int wide = 0; wide < 2; wide++) {
			size_t at = 0;
			int status = json_read(json[machine], wide ? more : exact, n, wide ? n + 100 : n);
			const char *why = status ? json_why(json[machine], &at) : NULL;
			ck_assert(at <= n && (!status || *why));
			ck_assert_msg(first == -2 || (first == status && first_at == at && first_why == why), "machine %d, %s room: %.*s", machine, wide ? "more" : "no", (int)n, text);
			first = status;
			first_at = at;
			first_why = why;
		}
	free(exact);
	free(more);
	return !first;
}

/* The tests of a program, each with fresh memory. */
static inline int json_tests(const char *name, const TTest *const *test, size_t n)
{
	Suite *s = suite_create(name);
	TCase *tc = tcase_create(name);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	for (size_t i = 0; i < n; i++)
		tcase_add_test(tc, test[i]);
	suite_add_tcase(s, tc);
	SRunner *sr = srunner_create(s);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
#endif
