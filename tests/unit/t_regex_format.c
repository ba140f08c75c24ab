/* regex: columns, NULL, lines without a match, bytes that are no text, patterns that are none, patterns that take too long. */
#include <check.h>
#include <string.h>

#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"

#define WELL(n) "= " #n " records, 0 bad, well\n"

START_TEST(groups)
{
	ck_assert_str_eq(SOURCE("regex:(?<b>\\d+)-(x)?(?<a>y*)(?<c>z)?", "b a c", "..12-xyyz..\n7-\n"), "+I|12|yy|z\n+I|7||\\N\n" WELL(2));
	ck_assert_str_eq(SOURCE("regex:^(?P<k>\\w+)=(?'v'.*)$", "k v", "a=1: 2\r\n\nb=\n"), "+I|a|1: 2\n+I|b|\n" WELL(2));
	ck_assert_str_eq(SOURCE("regex:(?J)(?<n>\\d+)a|(?<n>\\d+)b(?<m>.)", "n m", "1a\n2bx\n"), "+I|1|\\N\n+I|2|x\n" WELL(2));
	ck_assert_str_eq(SOURCE("regex:(?i)ERROR (?<code>\\d+)", "code#", "an error 12\n"), "+I|12\n" WELL(1));
	ck_assert_str_eq(SOURCE("regex:(?<a>.)(?=(?<b>.))", "b a", "xy\n"), "+I|y|x\n" WELL(1));
	ck_assert_str_eq(SOURCE("regex:(?<a>1)|(?<b>2)", "a b", "1\n2\n", .null_text = "2"), "+I|1|\\N\n+I|\\N|\\N\n" WELL(2));
	ck_assert_str_eq(SOURCE("regex:(?<a>x)", "b", "x\n"), "no column b\n");
}
END_TEST

START_TEST(bytes)
{
	ck_assert_str_eq(SOURCE("regex:^(?<a>.) (?<b>.*)$", "b a", "\xff x\xc3\xed\xd9\n\xc3\xa9 two bytes\n"), "+I|x\xc3\xed\xd9|\xff\n!stdin:2: the pattern does not match\n"
		"!1 bad record of 2, the first at stdin:2\n= 2 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("regex:(?<a>\xc3\xa9+)", "a", "caf\xc3\xa9\xa9\n"), "+I|\xc3\xa9\xa9\n" WELL(1));
	ck_assert_str_eq(SOURCE("regex:(?<a>b.c)", "a", "ab\0c\n"), "+I|b\\x00c\n" WELL(1));
}
END_TEST

START_TEST(bad_lines)
{
	ck_assert_str_eq(SOURCE("regex:^(?<a>\\d+)$", "a", "1\nx\n2 \n3\n"), "+I|1\n+I|3\n!stdin:2: the pattern does not match\n!stdin:3: the pattern does not match\n"
		"!2 bad records of 4, the first at stdin:2\n= 4 records, 2 bad, well\n");
	ck_assert_str_eq(SOURCE("regex:^(?<a>(a|a|b?a)+)+$", "a", "aa\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n"), "+I|aa\n!stdin:2: the pattern takes too many steps on this line\n"
		"!1 bad record of 2, the first at stdin:2\n= 2 records, 1 bad, well\n");
}
END_TEST

START_TEST(usage_errors)
{
	static const char *const wrong[][2] = {
		{ "regex:a(b)", "no named group, so there are no columns; name what you want: (?<ip>\\S+)\n  a(b)\n  ^~~~" }, { "regex:(?<a>x", "missing closing parenthesis\n  (?<a>x\n       ^" },
		{ "regex:(?<a>[z)", "missing terminating ] for character class\n  (?<a>[z)" }, { "regex:(*UTF)(?<a>x)", "UTF" }, { "regex:(?<a>x)(?<a>y)", "two named" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ck_assert_msg(strstr(SOURCE(wrong[i][0], "a", "x\n"), wrong[i][1]) != NULL, "%s: %s", wrong[i][0], SOURCE(wrong[i][0], "a", "x\n"));
}
END_TEST

START_TEST(refused_memory)
{
	struct source_case run = { .format = "regex:(?<a>\\w+) (?<b>.*)", .columns = "a b", .in = { { "x y\nz\n", 6 } } };
	source_refuse(&run, "bad record of");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { groups, bytes, bad_lines, usage_errors, refused_memory };
	return RUN_TESTS("regex", tests);
}
