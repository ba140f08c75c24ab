/* What the tests of keyed state share. */
#ifndef WEIR_STATE_TEST_H
#define WEIR_STATE_TEST_H
#include <check.h>
#include <stdint.h>

#include "tests/unit/run_tests.h"

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
#endif
