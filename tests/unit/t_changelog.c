/* The changelog decoder: escapes, kinds, pairs, control lines. */
#include <check.h>

#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"

#define WELL(n) "= " #n " records, 0 bad, well\n"

START_TEST(values)
{
	ck_assert_str_eq(SOURCE("changelog", "c1 c2 c3 *", "+I\ta\\tb\\n\\r\\\\\t\t\\N\n-D\t\\q\t\\\\N\n+I\n\n+I\tx\\\r\n"),
		"+I|a\\x09b\\x0a\\x0d\\||\\N|[a\\x09b\\x0a\\x0d\\||\\N]\n-D|\\q|\\N|\\N|[\\q|\\N]\n+I|\\N|\\N|\\N|[]\n+I|x\\|\\N|\\N|[x\\]\n" WELL(4));
	ck_assert_str_eq(SOURCE("changelog", "c1", "+I\tNA\n+I\t\\N\n+I\t", .null_text = "NA"), "+I|\\N\n+I|\\N\n+I|\n" WELL(3));
}
END_TEST

START_TEST(kinds)
{
	ck_assert_str_eq(SOURCE("changelog", "c1", "+I\ta\n-U\ta\n+U\tb\n-U\tb\n-D\tb\n+U\tc\n-U\tc"),
		"+I|a\n-U*|a\n+U|b\n-U|b\n-D|b\n+U|c\n-U|c\n" WELL(7));
	ck_assert_str_eq(SOURCE("changelog", "c1", "I\ta\n+Ix\ta\n+\n-X\tb\n+I\tc\n@what\n@wm x\n", .quiet = true), "+I|c\n= 7 records, 6 bad, well\n");
	ck_assert_str_eq(SOURCE("changelog", "c1", "@kinds +I\n+I\ta\n-D\ta\n-U\ta\n"),
		"+I|a\n!stdin:3: @kinds does not announce this kind\n!stdin:4: @kinds does not announce this kind\n"
		"!2 bad records of 3, the first at stdin:3\n= 3 records, 2 bad, well\n");
	ck_assert_str_eq(SOURCE("changelog", "c1", "@kinds\t+I\t-U\t+U\n-U\ta\n+U\tb\n-D\tb\n", .quiet = true), "-U*|a\n+U|b\n= 3 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("changelog", "c1", "@kinds +I -X\n"), "= stdin: @kinds: \"-X\" is not one of +I -U +U -D\n");
}
END_TEST

START_TEST(pairs)
{
	ck_assert_str_eq(SOURCE("changelog", "c1", "-U\ta\n@wm 5\n+U\tb\n-U\tb\nbad\n+U\tc\n-U\tc\n\n+U\td\n", .quiet = true),
		"-U|a\n@wm 5\n+U|b\n-U|b\n+U|c\n-U*|c\n+U|d\n= 7 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("changelog", "c1#", "-U\tx\n+U\t1\n-U\t1\n+U\tx\n", .quiet = true), "+U|1\n-U|1\n= 4 records, 2 bad, well\n");
	ck_assert_str_eq(SOURCE("changelog", "v", "@names k v\n@key k\n-U\ta\t1\n+U\ta\t2\n-U\ta\t2\n+U\tb\t2\n-U\t\\q\t3\n+U\t\\\\q\t4\n"),
		"key k\n-U*|1\n+U|2\n-U|2\n+U|2\n-U*|3\n+U|4\n" WELL(6));
	ck_assert_str_eq(SOURCE("changelog", "c2", "@key\tc2\n-U\ta\t\\N\n+U\ta\t\n-U\ta\t1\n+U\tb\t1\n-U\ta\n+U\ta\n", .batch_max = 1),
		"key c2\n-U|\\N\n+U|\n-U*|1\n+U|1\n-U*|\\N\n+U|\\N\n" WELL(6));
}
END_TEST

START_TEST(head)
{
	ck_assert_str_eq(SOURCE("changelog", "b a*", "@wm 7\n\n@key\ta*\n@names\ta*\tb\\t c\tb\n+I\t1\t2\t3\n"), "key a*\n@wm 7\n+I|3|1\n" WELL(1));
	ck_assert_str_eq(SOURCE("changelog", "y", "@names a b\n@key b\n+I\t1\t2\n", .fields = "x,y"), "key y\n+I|2\n" WELL(1));
	ck_assert_str_eq(SOURCE("changelog", "a", "@names  a   b \n+I\t1\t2\n+I\t1\n+I\t1\t2\t3\n", .quiet = true), "+I|1\n= 3 records, 2 bad, well\n");
	ck_assert_str_eq(SOURCE("changelog", "a", "@names a b\n+I\t1\n+I\t1\t2\t3\n", .ragged = true), "+I|1\n+I|1\n" WELL(2));
	ck_assert_str_eq(SOURCE("changelog", "a", "@names a\n+I\t1\n@key a\n"), "+I|1\n= 1 records, 0 bad, stdin:3: a line @names, @key or @kinds behind the first record\n");
	ck_assert_str_eq(SOURCE("changelog", "a", "@names a\n@names b\n"), "= stdin: a second @names line\n");
	ck_assert_str_eq(SOURCE("changelog", "a", "@names a\n@key c1\n"), "= stdin: @key: no column \"c1\"\n");
	ck_assert_str_eq(SOURCE("changelog", "a", "@names a"), WELL(0));
	ck_assert_str_eq(SOURCE("changelog", "c1", "@key\n@names\n@kinds\n+I\t1\n"), "+I|1\n" WELL(1));
	ck_assert_str_eq(SOURCE("changelog", "a", ""), "empty\n");
	ck_assert_str_eq(SOURCE("changelog", "a", "", .header = 1),
		"= --header: format changelog has no such line; a line @names or --fields names its columns\n");
}
END_TEST

START_TEST(control)
{
	static const char text[] = "@pt 0\n+I\ta\n@wm\t-5\n@pt 10\n@wm 6 7\n+I\tb\n@wm 99999999999999999999\n";
	ck_assert_str_eq(SOURCE("changelog", "c1", text, .quiet = true), "+I|a\n@wm -5\n+I|b\n= 4 records, 2 bad, well\n");
	ck_assert_str_eq(SOURCE("changelog", "c1", text, .quiet = true, .clock_input = true), "@pt 0\n+I|a\n@wm -5\n@pt 10\n+I|b\n= 4 records, 2 bad, well\n");
}
END_TEST

START_TEST(long_line_breaks_a_pair)
{
	for (size_t read_max = 0; read_max < 12; read_max++)
		ck_assert_str_eq(SOURCE("changelog", "c1", "-U\ta\n+U\tbbbbbbbbbbbbbbbbbb\n+U\tc\n", .quiet = true, .max_line = 10, .read_max = read_max),
			"-U|a\n+U|c\n= 3 records, 1 bad, well\n");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { values, kinds, pairs, head, control, long_line_breaks_a_pair };
	return RUN_TESTS("changelog", tests);
}
