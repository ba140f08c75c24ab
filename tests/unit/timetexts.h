/* What the tests of times share: random numbers, texts that end where a sanitizer sees it, rows of suites. */
#ifndef TIMETEXTS_H
#define TIMETEXTS_H
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/strptime.h"
#include "tests/unit/suite.h"

static uint64_t random_state = 1;

/* 0..n-1. */
static inline uint64_t pick(uint64_t n)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (random_state >> 20) % n;
}

static inline int64_t between(int64_t least, int64_t most)
{
	return least + (int64_t)pick((uint64_t)(most - least) + 1);
}

/* Of any size: as likely within a day of 1970 as at the end of the calendar. */
static inline int64_t random_time(void)
{
	int64_t most = DAY_MS;
	for (uint64_t i = pick(20); i && most < TIME_MAX / 3; i--)
		most *= 3;
	return between(-most, most);
}

/* One way to read a text. */
struct reader {
	enum { READ_ISO, READ_CLF, READ_COUNT, READ_PATTERN } kind;
	unsigned places;
	const char *pattern;
	const struct strptime_env *env;
};

/* Reads from a block of just that size. */
static inline bool read_alone(const struct reader *reader, const char *text, size_t n, int64_t *out)
{
	static const struct strptime_env utc;
	const struct strptime_env *env = reader->env ? reader->env : &utc;
	char *copy = malloc(n ? n : 1);
	memcpy(copy, text, n);
	int64_t most = reader->kind == READ_COUNT ? TIME_COUNT_MAX : TIME_MAX;
	bool read = false;
	switch (reader->kind) {
	case READ_ISO: read = time_read_iso(copy, (uint32_t)n, env->zone, out); break;
	case READ_CLF: read = time_read_clf(copy, (uint32_t)n, env->zone, out); break;
	case READ_COUNT: read = time_read_count(copy, (uint32_t)n, reader->places, out); break;
	case READ_PATTERN: read = strptime_read(reader->pattern, (uint32_t)strlen(reader->pattern), copy, (uint32_t)n, env, out); break;
	}
	free(copy);
	if (read && (*out < -most || *out > most))
		ck_abort_msg("beyond the limits: %.*s", (int)n, text);
	return read;
}

/* A field of a suite in double quotes, \t and \n in it, as its bytes; in place. */
static inline char *unquoted(char *text)
{
	char *to = text + 1, *out = to;
	if (*text != '"')
		return text;
	for (char *p = to; *p && *p != '"'; p++)
		*to++ = *p != '\\' ? *p : *++p == 't' ? '\t' : *p == 'n' ? '\n' : *p;
	*to = '\0';
	return out;
}

struct tally { int rows, wrong, informs, informs_taken; };

/* Compares with what a suite wants, "refuse" or a number of `unit` ms; says what is wrong. */
static inline void tally_row(struct tally *tally, const struct reader *reader, const char *text, const char *want, int64_t unit)
{
	int64_t got = 0;
	bool read = read_alone(reader, text, strlen(text), &got), refused = !strncmp(want, "refuse", 6);
	tally->rows++;
	if (read != refused && (refused || got == atoll(want) * unit))
		return;
	tally->wrong++;
	printf("'%s' %s gives %s%lld, not %s\n", text, reader->pattern ? reader->pattern : "", read ? "" : "nothing ", (long long)got, want);
}

/* A row that is up to each reader. */
static inline void tally_choice(struct tally *tally, const struct reader *reader, const char *text)
{
	int64_t got;
	tally->informs++;
	tally->informs_taken += read_alone(reader, text, strlen(text), &got);
}

static inline void tally_end(const struct tally *tally, const char *name, FILE *file)
{
	if (!file)
		return;
	fclose(file);
	printf("%s: %d rows, %d wrong", name, tally->rows, tally->wrong);
	if (tally->informs)
		printf("; %d of %d free ones taken", tally->informs_taken, tally->informs);
	printf("\n");
	ck_assert_int_gt(tally->rows, 0);
	ck_assert_int_eq(tally->wrong, 0);
}

/* Runs tests; the exit status. */
static inline int run_tests(const char *name, const TTest *const *tests, size_t n)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	tcase_set_timeout(tcase, 120);
	for (size_t i = 0; i < n; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
#endif
