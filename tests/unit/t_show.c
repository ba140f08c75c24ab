/* core/show: control bytes never come out as they are, whatever the room. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/show.h"
#include "tests/unit/run_tests.h"

START_TEST(control_bytes_are_written_out)
{
	char out[64];
	ck_assert_uint_eq(show(out, sizeof out, "a\x1b[0m\t\x7f\xc3\xa9", 9), 18);
	ck_assert_str_eq(out, "a\\x1B[0m\\x09\\x7F\xc3\xa9");
	show_lines(out, sizeof out, "a\n\tb\n\nc\n");
	ck_assert_str_eq(out, "a\n\\x09b\n\nc\n");
	show_lines(out, sizeof out, "");
	ck_assert_str_eq(out, "");
}
END_TEST

/* Nothing but whole pieces, nothing behind the room: each size has memory of its own, for the sanitizers to watch. */
START_TEST(what_does_not_fit_is_cut)
{
	static const char text[] = "ab\x01" "c\n\x02" "de\n", shown[] = "ab\\x01c\\x0A\\x02de\\x0A", lines[] = "ab\\x01c\n\\x02de\n";
	for (size_t room = 1; room <= sizeof shown + 1; room++) {
		char *out = malloc(room);
		size_t n = show(out, room, text, sizeof text - 1);
		ck_assert(n < room && strlen(out) == n && !strncmp(out, shown, n));
		ck_assert(n + SHOW_MOST >= room || n == sizeof shown - 1);
		show_lines(out, room, text);
		ck_assert(strlen(out) < room);
		if (room > sizeof lines)
			ck_assert_str_eq(out, lines);
		free(out);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { control_bytes_are_written_out, what_does_not_fit_is_cut };
	return RUN_TESTS("show", tests);
}
