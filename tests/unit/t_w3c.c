/* w3c: names wherever they stand, fields between blanks or TABs, quotes, NULL; random sections; real logs. */
#include <check.h>

#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"
#include "tests/unit/suite.h"

#define WELL(n) "= " #n " records, 0 bad, well\n"

START_TEST(names)
{
	ck_assert_str_eq(SOURCE("w3c", "b a(c-d)", "#Version: 1.0\r\n#Fields:   a(c-d)  b // of ours: c\r\n1 2\r\n\r\n#Remark x\r\n 3   4 \r\n"), "+I|2|1\n+I|4|3\n" WELL(2));
	ck_assert_str_eq(SOURCE("w3c", "a b", "#fields: a b\n#Date: x\n1 2\n#Fields: b\n3\n#Fields: c b a\n4 5 6\n#Fields:\n7 8 9"),
		"+I|1|2\n+I|\\N|3\n+I|6|5\n+I|9|8\n" WELL(4));
	ck_assert_str_eq(SOURCE("w3c", "a a_2", "\xef\xbb\xbf#Fields: a a\n1 2\n#Fields: x a a\n3 4 5\n"), "+I|1|2\n+I|4|5\n" WELL(2));
	ck_assert_str_eq(SOURCE("w3c", "c", "#Fields: a b\n1 2\n#Fields: c\n"), "no column c\n");
	ck_assert_str_eq(SOURCE("w3c", "a", "#Fields: a b"), WELL(0));
	ck_assert_str_eq(SOURCE("w3c", "a", "#Software: x\n\n#Date: y\n"), "empty\n");
	ck_assert_str_eq(SOURCE("w3c", "a", ""), "empty\n");
	ck_assert_str_eq(SOURCE("w3c", "a", "#Version: 1.0\n\n1 2\n#Fields: a b\n"), "= stdin: line 3: no line with # has named the fields before this record\n");
}
END_TEST

START_TEST(several_files)
{
	struct source_case run = { .format = "w3c", .columns = "a b", .in = { { "#Fields: a b\n1 2\n", 17 }, { "#Date: x\n", 9 }, { "#Fields: c b\n3 4\n", 17 }, { "#Fields: b a\n5 6\n", 17 } } };
	ck_assert_str_eq(source_text(&run), "+I|1|2\n+I|\\N|4\n+I|6|5\n" WELL(3));
	run.in[0] = run.in[1];
	run.columns = "c b";
	ck_assert_str_eq(source_text(&run), "+I|3|4\n+I|\\N|5\n" WELL(2));
}
END_TEST

START_TEST(fields)
{
	ck_assert_str_eq(SOURCE("w3c", "a b c", "#Fields: a b c\n- \"-\" \"\"\n1 \"x \"\"y\"\" z\" \" \"\n\"\"\"\" \"\"\"a\"\"\" b\"c\n"),
		"+I|\\N|\\N|\"\"\n+I|1|\"x \"y\" z\"|\" \"\n+I|\"\"\"|\"\"a\"\"|b\"c\n" WELL(3));
	ck_assert_str_eq(SOURCE("w3c", "a b c", "#Fields: a b c\n\"x y 1\nx\"y \"z \\n\n"), "+I|\"x|y|1\n+I|x\"y|\"z|\\n\n" WELL(2));
	ck_assert_str_eq(SOURCE("w3c", "a b c", "#Fields: a b c\n1\tx y\t-\n\t\"p\tq\"\t\n1\t\"x\t\"\"\n1 2\t 3\t\"\n"),
		"+I|1|x y|\\N\n+I|\\N|\"p\\x09q\"|\\N\n+I|1|\"x|\"\"\n+I|1 2| 3|\"\n" WELL(4));
	ck_assert_str_eq(SOURCE("w3c", "a b", "#Fields: a b\nNA 1\n\"NA\" x\n", .null_text = "NA"), "+I|\\N|1\n+I|\\N|x\n" WELL(2));
	ck_assert_str_eq(SOURCE("w3c", "b#", "#Fields: a b\n1\n1 2 3\n1 2\n\"1 2\" 3\n1 x\n1\t2\t\n#Fields: a\n1 2\n"),
		"+I|2\n+I|3\n!stdin:2: 1 field instead of 2\n!stdin:3: 3 fields instead of 2\n!stdin:6: b: not a number: \"x\"\n!stdin:7: 3 fields instead of 2\n"
		"!stdin:9: 2 fields instead of 1\n!5 bad records of 7, the first at stdin:2\n= 7 records, 5 bad, well\n");
}
END_TEST

START_TEST(long_lines)
{
	static const char text[] = "#Fields: a b\n#Remark: longer than all the others\n1 2\n1 234567890123456789\n3 4\n";
	for (size_t read = 0; read < 30; read++)
		ck_assert_str_eq(SOURCE("w3c", "a b", text, .max_line = 15, .read_max = read),
			"+I|1|2\n+I|3|4\n!stdin:2: the line is longer than --max-line\n!stdin:4: the line is longer than --max-line\n"
			"!2 bad records of 4, the first at stdin:2\n= 4 records, 2 bad, well\n");
}
END_TEST

START_TEST(names_longer_than_a_line_may_be)
{
	ck_assert_str_eq(SOURCE("w3c", "a b", "#Fields: a b\n \n1 2\n", .max_line = 5, .quiet = true), "= 3 records, 3 bad, all records are bad (3)\n");
}
END_TEST

START_TEST(any_read_size_any_batch)
{
	static const char text[] = "#Fields: a b\r\n1 \"x y\"\r\n\r\n2 \"\"\"\"\r\n#Date: z\r\n#Fields: b\r\nonly\r\n1 2\r\n#Fields: b a\r\n3 4";
	static const char expected[] = "+I|1|\"x y\"\n+I|2|\"\"\"\n+I|\\N|only\n+I|4|3\n!stdin:8: 2 fields instead of 1\n!1 bad record of 5, the first at stdin:8\n= 5 records, 1 bad, well\n";
	for (size_t read = 0; read < 20; read++)
		for (uint32_t batch = 1; batch < 6; batch++)
			ck_assert_str_eq(SOURCE("w3c", "a b", text, .read_max = read, .batch_max = batch), expected);
}
END_TEST

START_TEST(refused_memory)
{
	static const char text[] = "#Fields: a b\n1 \"\"\"\"\n#Fields: b a\n\"x\"\"y\" 2\n";
	struct source_case run = { .format = "w3c", .columns = "a b", .in = { { text, sizeof text - 1 } } };
	source_refuse(&run, NULL);
}
END_TEST

/* ---- random sections ------------------------------------------------------------------------ */

enum { COLUMNS = 4 };

/* One field to text, what it should read as to wanted. */
static void random_field(uint64_t *state, bool tabs, struct buf *text, struct buf *wanted)
{
	static const char letter[] = "ab1-+;,\\'\"", inside[] = "ab \"\"-,";
	uint64_t how = numgen_below(state, 4), n = numgen_below(state, 6);
	if (!how || (how == 3 && !n)) {
		buf_puts(text, "-");
		buf_puts(wanted, "\\N");
		return;
	}
	const char *quote = how == 1 ? "\"" : "";
	buf_puts(text, quote);
	buf_puts(wanted, quote);
	if (how != 1) { /* what begins with a quote could be taken for a quoted field */
		buf_putc(text, 'x');
		buf_putc(wanted, 'x');
	} else if (n == 1) {
		n = 2; /* "-" is NULL */
	}
	for (; n; n--) {
		char c = how == 1 ? inside[numgen_below(state, sizeof inside - 1)] : letter[numgen_below(state, sizeof letter - 1)];
		if (how != 1 && tabs && c == ';')
			c = ' ';
		if (how == 1 && c == '"')
			buf_putc(text, c);
		buf_putc(text, c);
		buf_putc(wanted, c);
	}
	buf_puts(text, quote);
	buf_puts(wanted, quote);
}

/* A section with some of the columns in any order, and records. */
static void random_section(uint64_t *state, bool all, struct buf *text, struct buf *wanted, unsigned *records)
{
	uint32_t at[COLUMNS], n = 0, first = (uint32_t)numgen_below(state, COLUMNS), step = numgen_below(state, 2) ? 1 : 3;
	bool tabs = numgen_below(state, 2);
	for (uint32_t i = 0; i < COLUMNS; i++)
		if (all || numgen_below(state, 4))
			at[n++] = (first + i * step) % COLUMNS;
	if (n < 2) /* with a separator in the line it is clear what separates */
		return;
	buf_puts(text, "#Fields:");
	for (uint32_t i = 0; i < n; i++)
		buf_printf(text, " %c", 'a' + (int)at[i]);
	buf_puts(text, numgen_below(state, 2) ? "\n" : "\r\n#Remark: no \"field\"\n");
	for (uint64_t rows = numgen_below(state, 5); rows; rows--, ++*records) {
		struct buf cell[COLUMNS];
		for (uint32_t i = 0; i < COLUMNS; i++)
			buf_init(&cell[i], wanted->mem);
		for (uint32_t i = 0; i < n; i++) {
			if (i)
				buf_puts(text, tabs ? "\t" : numgen_below(state, 3) ? " " : "  ");
			random_field(state, tabs, text, &cell[at[i]]);
		}
		buf_puts(text, numgen_below(state, 2) ? "\n" : "\r\n");
		buf_puts(wanted, "+I");
		for (uint32_t i = 0; i < COLUMNS; i++) {
			buf_printf(wanted, "|%.*s", cell[i].n ? (int)cell[i].n : 2, cell[i].n ? cell[i].p : "\\N");
			buf_release(&cell[i]);
		}
		buf_putc(wanted, '\n');
	}
}

START_TEST(random_sections)
{
	struct mem mem = { 0 };
	uint64_t state = 11;
	for (int round = 0; round < 500; round++) {
		struct buf text, wanted;
		buf_init(&text, &mem);
		buf_init(&wanted, &mem);
		unsigned records = 0;
		for (int i = 0; i < 4; i++)
			random_section(&state, !i, &text, &wanted, &records);
		buf_printf(&wanted, "= %u records, 0 bad, well\n", records);
		buf_putc(&wanted, '\0');
		const char *got = source_text(&(struct source_case){ .format = "w3c", .columns = "a b c d", .in = { { text.p, text.n } },
			.read_max = numgen_below(&state, 40), .batch_max = (uint32_t)numgen_below(&state, 4) });
		ck_assert_msg(!strcmp(got, wanted.p), "%.*s\n%s instead of\n%s", (int)text.n, text.p, got, wanted.p);
		buf_release(&text);
		buf_release(&wanted);
	}
}
END_TEST

/* ---- real logs ------------------------------------------------------------------------------ */

static void log_is(const char *name, const char *columns, const char *expected)
{
	char path[100], bytes[8192];
	snprintf(path, sizeof path, "../web/%s", name);
	FILE *file = suite_open(path);
	if (!file)
		return;
	rewind(file);
	size_t n = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	ck_assert_str_eq(source_text(&(struct source_case){ .format = "w3c", .columns = columns, .in = { { bytes, n } } }), expected);
}

START_TEST(known_logs)
{
	log_is("w3c_0.log", "date cs-uri-query cs(User-Agent) sc-status#", "+I|2002-05-02|\\N|Mozilla/4.0+(compatible;MSIE+5.5;+Windows+2000+Server)|200\n" WELL(1));
	log_is("w3c_3.log", "c-ip cs(Host) sc-status sc-substatus TimeTakenMS# date-local",
		"+I|\"70.95.0.0\"|\"xzy.example.com\"|200|0|109|2012-08-15\n+I|\\N|\"example.hello.com\"|301|0|0|2012-08-15\n"
		"+I|\"173.5.0.0\"|\"hello.example.com\"|404|\" \"garbage\" w/ spaces \"|359|2012-08-15\n" WELL(3));
	log_is("w3c_2.log", "sc-status#",
		"+I|331\n+I|230\n+I|226\n+I|331\n+I|230\n+I|226\n+I|226\n+I|226\n+I|226\n+I|226\n+I|226\n+I|331\n+I|230\n+I|226\n" WELL(14));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		names, several_files, fields, long_lines, names_longer_than_a_line_may_be, any_read_size_any_batch, refused_memory, random_sections,
		known_logs,
	};
	return RUN_TESTS("w3c", tests);
}
