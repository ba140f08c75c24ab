/* zeek: # lines, NULL and empty, escapes, several logs in one; random tables under any separator; a real log. */
#include <check.h>

#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"
#include "tests/unit/suite.h"

#define WELL(n) "= " #n " records, 0 bad, well\n"
#define HEAD "#separator \\x09\n#set_separator\t,\n#empty_field\t(empty)\n#unset_field\t-\n#path\thttp\n#open\t2017-04-16-21-36-10\n"

START_TEST(fields)
{
	ck_assert_str_eq(SOURCE("zeek", "id.orig_h ts# tags uid", HEAD "#fields\tts\tuid\tid.orig_h\ttags\n#types\ttime\tstring\taddr\tset[enum]\n"
		"1320279566.452687\tC1\t10.0.0.1\t(empty)\n-\t\t::1\ta,b\n#close\t2017-04-16-21-36-10\n"),
		"+I|10.0.0.1|1320279566.452687||C1\n+I|::1|\\N|a,b|\n" WELL(2));
	ck_assert_str_eq(SOURCE("zeek", "a b", "#fields\ta\tb\n(empty)x\t--\n \t(empty)\nNA\t-\n", .null_text = "NA"), "+I|(empty)x|--\n+I| |\n+I|\\N|\\N\n" WELL(3));
	ck_assert_str_eq(SOURCE("zeek", "a b", "#fields\ta\tb\n1\n1\t2\t3\n\n1\t2\r\n"),
		"+I|1|2\n!stdin:2: 1 field instead of 2\n!stdin:3: 3 fields instead of 2\n!2 bad records of 3, the first at stdin:2\n= 3 records, 2 bad, well\n");
}
END_TEST

START_TEST(escapes)
{
	ck_assert_str_eq(SOURCE("zeek", "a b", "#fields\ta\tb\n\\x2d\t\\x28empty)\n\\x09\\x0A\t\\\\x41\n\\x4\t\\xg1\n\\\tC:\\Users\n\\x23 x\t\xc3\xa9\n"),
		"+I|-|(empty)\n+I|\\x09\\x0a|\\x41\n+I|\\x4|\\xg1\n+I|\\|C:\\Users\n+I|# x|\xc3\xa9\n" WELL(5));
}
END_TEST

START_TEST(control_lines)
{
	ck_assert_str_eq(SOURCE("zeek", "b a", "#separator \\x2c\n#unset_field,NIL\n#empty_field,\n#fields,a,b\n-,NIL\n,x\ty\n"), "+I|\\N|-\n+I|x\\x09y|\n" WELL(2));
	ck_assert_str_eq(SOURCE("zeek", "b a", "#separator |\n#fields|a|b\n1|2\n#separator \\x09\n#fields\tb\ta\n3\t4\n"), "+I|2|1\n+I|3|4\n" WELL(2));
	ck_assert_str_eq(SOURCE("zeek", "a", "#separator ||\n#fields\ta\n1\n"), "= stdin: line 1: #separator is not one byte\n");
	ck_assert_str_eq(SOURCE("zeek", "a", "#fields\ta\n#separator\n#separator \n1\n#unset_field\t0123456789012345678901234567890123\n#empty_field\t01234567890123456789012345678901\n2\n"),
		"+I|1\n+I|2\n!stdin:3: #separator is not one byte\n!stdin:5: the text behind #empty_field or #unset_field is longer than 32 bytes\n"
		"!2 bad records of 4, the first at stdin:3\n= 4 records, 2 bad, well\n");
	ck_assert_str_eq(SOURCE("zeek", "a", HEAD "{\"ts\":1}\n"), "= stdin: line 7: no line with # has named the fields before this record; this looks like -f json\n");
	ck_assert_str_eq(SOURCE("zeek", "a", HEAD), "empty\n");
	ck_assert_str_eq(SOURCE("zeek", "a", HEAD "#fields\ta\tb\n#types\tstring\tstring\n#close\tx\n"), WELL(0));
}
END_TEST

START_TEST(several_logs)
{
	static const char one[] = HEAD "#fields\ta\tb\n1\t2\n#close\tx\n", two[] = HEAD "#fields\tb\tc\ta\n3\t4\t5\n#close\tx\n";
	static const char both[] = HEAD "#fields\ta\tb\n1\t2\n#close\tx\n" HEAD "#fields\tb\tc\ta\n3\t4\t5\n#close\tx\n";
	ck_assert_str_eq(SOURCE("zeek", "a b", both), "+I|1|2\n+I|5|3\n" WELL(2));
	struct source_case run = { .format = "zeek", .columns = "a b", .in = { { one, sizeof one - 1 }, { two, sizeof two - 1 } } };
	ck_assert_str_eq(source_text(&run), "+I|1|2\n+I|5|3\n" WELL(2));
}
END_TEST

START_TEST(any_read_size_any_batch)
{
	static const char text[] = "#separator \\x2c\r\n#fields,a,b\r\n1,\\x41\r\n2,-\n#separator \\x09\n#fields\tb\n\\\\\n3\t4\n#separator x\n#fieldsxaxb\n5x6";
	static const char expected[] = "+I|1|A\n+I|2|\\N\n+I|\\N|\\\n+I|5|6\n!stdin:8: 2 fields instead of 1\n!1 bad record of 5, the first at stdin:8\n= 5 records, 1 bad, well\n";
	for (size_t read = 0; read < 20; read++)
		for (uint32_t batch = 1; batch < 6; batch++)
			ck_assert_str_eq(SOURCE("zeek", "a b", text, .read_max = read, .batch_max = batch), expected);
}
END_TEST

START_TEST(refused_memory)
{
	static const char text[] = HEAD "#fields\ta\tb\n1\t\\x41\n#fields\tb\n2\n";
	struct source_case run = { .format = "zeek", .columns = "a b", .in = { { text, sizeof text - 1 } } };
	source_refuse(&run, NULL);
}
END_TEST

/* Bytes as Zeek writes them: what would be taken for something else is escaped. */
static void put_escaped(struct buf *text, const char *p, size_t n, char sep)
{
	bool whole = n == 1 && *p == '-';
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];
		if (c == '\\')
			buf_puts(text, "\\\\");
		else if (whole || c < ' ' || p[i] == sep || (!i && (c == '(' || c == '#')))
			buf_printf(text, i % 2 ? "\\x%02X" : "\\x%02x", c);
		else
			buf_putc(text, p[i]);
	}
	if (!n)
		buf_puts(text, "(empty)");
}

START_TEST(random_tables)
{
	static const char letter[] = "ab-(#\\,|;x09\t\n\xff";
	struct mem mem = { 0 };
	uint64_t state = 3;
	for (int round = 0; round < 500; round++) {
		struct buf text, wanted;
		buf_init(&text, &mem);
		buf_init(&wanted, &mem);
		unsigned records = 0;
		for (int section = 0; section < 4; section++) {
			char sep = "\t,|;"[numgen_below(&state, 4)];
			bool turned = numgen_below(&state, 2);
			buf_printf(&text, "#separator \\x%02x\n#fields%c%c%c%c\n", (unsigned)sep, sep, turned ? 'b' : 'a', sep, turned ? 'a' : 'b');
			for (uint64_t rows = numgen_below(&state, 5); rows; rows--, records++) {
				char cell[2][10];
				size_t len[2];
				for (int k = 0; k < 2; k++) {
					len[k] = numgen_below(&state, 8);
					for (size_t i = 0; i < len[k]; i++)
						cell[k][i] = letter[numgen_below(&state, sizeof letter - 1)];
				}
				put_escaped(&text, cell[turned], len[turned], sep);
				buf_putc(&text, sep);
				put_escaped(&text, cell[!turned], len[!turned], sep);
				buf_putc(&text, '\n');
				buf_puts(&wanted, "+I");
				for (int k = 0; k < 2; k++) {
					buf_putc(&wanted, '|');
					for (size_t i = 0; i < len[k]; i++)
						buf_printf(&wanted, (unsigned char)cell[k][i] < ' ' ? "\\x%02x" : "%c", (unsigned char)cell[k][i]);
				}
				buf_putc(&wanted, '\n');
			}
		}
		buf_printf(&wanted, "= %u records, 0 bad, well\n", records);
		buf_putc(&wanted, '\0');
		const char *got = source_text(&(struct source_case){ .format = "zeek", .columns = "a b", .in = { { text.p, text.n } },
			.read_max = numgen_below(&state, 40), .batch_max = (uint32_t)numgen_below(&state, 4) });
		ck_assert_msg(!strcmp(got, wanted.p), "%.*s\n%s instead of\n%s", (int)text.n, text.p, got, wanted.p);
		buf_release(&text);
		buf_release(&wanted);
	}
}
END_TEST

START_TEST(known_log)
{
	static char bytes[1 << 17];
	FILE *file = suite_open("../web/zeek_http.log");
	if (!file)
		return;
	rewind(file);
	size_t n = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	const char *got = source_text(&(struct source_case){ .format = "zeek", .columns = "ts# id.resp_p# tags referrer status_code#", .in = { { bytes, n } } });
	ck_assert_msg(!strncmp(got, "+I|1320279566.452687|80||\\N|200\n", 32), "%.200s", got);
	ck_assert_ptr_nonnull(strstr(got, WELL(197)));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { fields, escapes, control_lines, several_logs, any_read_size_any_batch, refused_memory, random_tables, known_log };
	return RUN_TESTS("zeek", tests);
}
