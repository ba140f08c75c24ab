/* What --progress says, as a function of the facts. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "progress_line.h"

static const char *line(struct progress_facts facts)
{
	static char text[PROGRESS_TEXT_MAX];
	progress_line(&facts, text);
	return text;
}

START_TEST(all_facts)
{
	ck_assert_str_eq(line((struct progress_facts){ .bytes = 1300000000, .size = 4800000000, .rate = 2134567, .keyed = true, .keys = 51234, .state = 12900000, .elapsed = 72345 }),
			 "1.21 GiB (27%), 2.13M rows/s, 51234 keys, 12.3 MiB of state, 1m12s");
	ck_assert_str_eq(line((struct progress_facts){ 0 }), "0 B, 0 rows/s, 0 B of state, 0s");
	ck_assert_str_eq(line((struct progress_facts){ .keyed = true, .keys = 1, .elapsed = 412 }), "0 B, 0 rows/s, 1 key, 0 B of state, 412ms");
	ck_assert_str_eq(line((struct progress_facts){ .keyed = true, .elapsed = -5 }), "0 B, 0 rows/s, 0 keys, 0 B of state, 0s");
}
END_TEST

START_TEST(three_digits)
{
	static const struct { uint64_t bytes; const char *text; } sizes[] = {
		{ 999, "999 B" }, { 1000, "0.98 KiB" }, { 1024, "1.00 KiB" }, { 10 << 10, "10.0 KiB" }, { 100 << 10, "100 KiB" }, { 1023 << 10, "1.00 MiB" },
		{ UINT64_C(5) << 40, "5.00 TiB" }, { UINT64_C(5000) << 40, "5000 TiB" },
	};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const char *text = line((struct progress_facts){ .bytes = sizes[i].bytes });
		ck_assert_msg(!strncmp(text, sizes[i].text, strlen(sizes[i].text)) && text[strlen(sizes[i].text)] == ',', "%s is %s", text, sizes[i].text);
	}
	static const struct { double rate; const char *text; } rates[] = { { 0.4, ", 0 rows/s" }, { 999, ", 999 rows/s" }, { 999.6, ", 1.00k rows/s" }, { 12345, ", 12.3k rows/s" }, { 2e9, ", 2.00G rows/s" } };
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
		ck_assert_ptr_nonnull(strstr(line((struct progress_facts){ .rate = rates[i].rate }), rates[i].text));
}
END_TEST

/* It says 100 only of what has been read whole, and no more of a file that has grown. */
START_TEST(the_share)
{
	ck_assert_ptr_nonnull(strstr(line((struct progress_facts){ .bytes = 0, .size = 7 }), "0 B (0%),"));
	ck_assert_ptr_nonnull(strstr(line((struct progress_facts){ .bytes = 999999, .size = 1000000 }), "(99%)"));
	ck_assert_ptr_nonnull(strstr(line((struct progress_facts){ .bytes = 1000000, .size = 1000000 }), "(100%)"));
	ck_assert_ptr_nonnull(strstr(line((struct progress_facts){ .bytes = 3000000, .size = 1000000 }), "(100%)"));
	ck_assert_ptr_null(strchr(line((struct progress_facts){ .bytes = 5 }), '%'));
}
END_TEST

START_TEST(any_facts_fit)
{
	srandom(1);
	for (int round = 0; round < 20000; round++) {
		uint64_t r[5];
		for (int i = 0; i < 5; i++)
			r[i] = round ? (((uint64_t)random() << 33) ^ (uint64_t)random()) >> (random() % 64) : UINT64_MAX;
		const char *text = line((struct progress_facts){ .bytes = r[0], .size = r[1], .rate = (double)r[2] * (double)r[2], .keyed = true, .keys = r[3], .state = r[4], .elapsed = (int64_t)(r[2] >> 1) });
		ck_assert_uint_lt(strlen(text), PROGRESS_TEXT_MAX - 1);
		ck_assert_msg(strstr(text, " of state, ") != NULL, "%s", text);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("progress_line");
	TCase *tc = tcase_create("progress_line");
	tcase_add_test(tc, all_facts);
	tcase_add_test(tc, three_digits);
	tcase_add_test(tc, the_share);
	tcase_add_test(tc, any_facts_fit);
	suite_add_tcase(suite, tc);
	SRunner *sr = srunner_create(suite);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
