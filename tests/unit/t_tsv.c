/* tsv, space and lines: fields, NULL, line ends, names. */
#include <check.h>

#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"

START_TEST(fields_and_null)
{
	ck_assert_str_eq(SOURCE("tsv", "c1 c3 c2 c4", "a\tb\tc\n\t\\N\t\\n\nx\n"),
		"+I|a|c|b|\\N\n+I|\\N|\\n|\\N|\\N\n+I|x|\\N|\\N|\\N\n= 3 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "c1 c2", "NA\t\\N\n-\tNA\nN\tNAN\n", .null_text = "NA"),
		"+I|\\N|\\N\n+I|-|\\N\n+I|N|NAN\n= 3 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "c2", "a,b\n\"x,y\",z\n", .delimiter = ','), "+I|b\n+I|y\"\n= 2 records, 0 bad, well\n");
}
END_TEST

START_TEST(bytes_stay)
{
	ck_assert_str_eq(SOURCE("tsv", "c1 c2", "a\0b\t\x01\xff\n"), "+I|a\\x00b|\\x01\xff\n= 1 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "c1", "a\rb\t1\r\n\"q'\n"), "+I|a\\x0db\n+I|\"q'\n= 2 records, 0 bad, well\n");
}
END_TEST

START_TEST(line_ends)
{
	ck_assert_str_eq(SOURCE("tsv", "c1 c2", "a\t1\r\n\r\n\n\nb\t\r\nc\t3\r"), "+I|a|1\n+I|b|\\N\n+I|c|3\\x0d\n= 3 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "c1", "a\r\r\n"), "+I|a\\x0d\n= 1 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "c1", ""), "= 0 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "c1", "\xef\xbb\xbfk\tv\n\xef\xbb\xbf\n"), "+I|k\n+I|\xef\xbb\xbf\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "c1", "\xef\xbb\xbf"), "= 0 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "c1", "\xef\xbb"), "+I|\xef\xbb\n= 1 records, 0 bad, well\n");
}
END_TEST

START_TEST(whole_rows_keep_their_width)
{
	ck_assert_str_eq(SOURCE("tsv", "* c2", "a\tb\tc\nx\n\t\n"), "+I|[a|b|c]|b\n+I|[x]|\\N\n+I|[\\N|\\N]|\\N\n= 3 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("space", "* c2", " a  b\nx\n  \n"), "+I|[a|b]|b\n+I|[x]|\\N\n+I|[]|\\N\n= 3 records, 0 bad, well\n");
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(SOURCE("tsv", "b a", "\n\xef\xbb\xbfx\n", .header = 1), "no column b\n");
	ck_assert_str_eq(SOURCE("tsv", "b a a_2 c4", "\r\na\tb\ta\t\r\n1\t2\t3\t4\n1\t2\n", .header = 1),
		"+I|2|1|3|4\n!stdin:4: 2 fields instead of 4\n!1 bad record of 2, the first at stdin:4\n= 2 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "b a", "a\tb\n1\n1\t2\t3\n", .header = 1, .ragged = true), "+I|\\N|1\n+I|2|1\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "y x", "a\tb\n", .fields = "x,y"), "+I|b|a\n= 1 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "y x", "a\tb\n1\t2\n", .fields = "x,y", .header = 1), "+I|2|1\n= 1 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("tsv", "nothing", "\n\r\n\n", .header = 1), "empty\n");
	ck_assert_str_eq(SOURCE("tsv", "a", "a\tb", .header = 1), "= 0 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("space", "b", "  a \t b  \n1 2\n", .header = 1), "+I|2\n= 1 records, 0 bad, well\n");
}
END_TEST

START_TEST(blanks)
{
	ck_assert_str_eq(SOURCE("space", "c1 c2 c3 c4", "  \"text \t more\"   x \n"), "+I|\"text|more\"|x|\\N\n= 1 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("space", "c1 c2", "a b\r\n \\N -\n"), "+I|a|b\n+I|\\N|-\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("space", "x", "1 2\n1\n1 2 3\n", .fields = "x,y", .quiet = true), "+I|1\n= 3 records, 2 bad, well\n");
}
END_TEST

START_TEST(whole_lines)
{
	ck_assert_str_eq(SOURCE("lines", "line", "a\tb\n\n\r\n\\N\r\nend"), "+I|a\\x09b\n+I|\n+I|\n+I|\\N\n+I|end\n= 5 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("lines", "line", "a\n"), "+I|a\n= 1 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("lines", "line", "a\n\n", .null_text = ""), "+I|a\n+I|\\N\n= 2 records, 0 bad, well\n");
}
END_TEST

/* A line with more fields, and longer, than a piece of the scanner. */
START_TEST(long_lines)
{
	enum { N = 30000 };
	static char bytes[2 * N + 3];
	for (int i = 0; i < N; i++) {
		bytes[2 * i] = (char)('a' + i % 26);
		bytes[2 * i + 1] = '\t';
	}
	bytes[2 * N] = 'z';
	bytes[2 * N + 1] = '\n';
	bytes[2 * N + 2] = 'y';
	for (size_t read_max = 0; read_max <= 4096; read_max += 2048) {
		struct source_case c = { .format = "tsv", .columns = "c1 c2 c30000 c30001 c30002", .in = { { bytes, sizeof bytes } }, .read_max = read_max };
		ck_assert_str_eq(source_text(&c), "+I|a|b|v|z|\\N\n+I|y|\\N|\\N|\\N|\\N\n= 2 records, 0 bad, well\n");
		c.columns = "c2";
		c.max_line = 2 * N + 1;
		ck_assert_str_eq(source_text(&c), "+I|b\n+I|\\N\n= 2 records, 0 bad, well\n");
		c.max_line--;
		ck_assert_str_eq(source_text(&c), "+I|\\N\n!stdin:1: the line is longer than --max-line\n"
			"!1 bad record of 2, the first at stdin:1\n= 2 records, 1 bad, well\n");
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { fields_and_null, bytes_stay, line_ends, whole_rows_keep_their_width, names, blanks, whole_lines, long_lines };
	return RUN_TESTS("tsv", tests);
}
