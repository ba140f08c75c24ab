/* What the tests of keyed state share. */
#ifndef WEIR_STATE_TEST_H
#define WEIR_STATE_TEST_H
#include <check.h>
#include <stddef.h>
#include <stdint.h>

/* ck_assert writes to a file each time it passes, which is too slow for inner loops. */
#define MUST(condition) \
	do { \
		if (!(condition)) \
			ck_abort_msg("line %d: %s", __LINE__, #condition); \
	} while (0)

/* splitmix64 */
static inline uint64_t next_random(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15u;
	uint64_t z = *state;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Runs n tests in this process; the exit status. */
static inline int run_tests(const char *name, const TTest *const *test, size_t n)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	tcase_set_timeout(tcase, 0);
	for (size_t i = 0; i < n; i++)
		tcase_add_test(tcase, test[i]);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

#define RUN_TESTS(name, tests) run_tests(name, tests, sizeof(tests) / sizeof *(tests))
#endif
