/* The main of a test program: RUN_TESTS in an array of tests. */
#ifndef RUN_TESTS_H
#define RUN_TESTS_H
#include <check.h>
#include <stddef.h>

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
