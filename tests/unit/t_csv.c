/* csv: RFC 4180 and its odd corners, and the answers of other readers where they agree. */
#include <check.h>
#include <stdlib.h>

#include "tests/unit/run_tests.h"
#include "tests/unit/source_rig.h"
#include "tests/unit/suite.h"

START_TEST(quotes)
{
	ck_assert_str_eq(SOURCE("csv", "a b", "a,b\n\"x,\"\"y\",z\n\"\"\"\",\"\"\n,\n\"1\"\r\n", .ragged = true),
		"+I|\"x,\"y\"|z\n+I|\"\"\"|\"\"\n+I|\\N|\\N\n+I|\"1\"|\\N\n= 4 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "a b", "a,b\n\"1\r\n\n2\",3\r\n4,5"), "+I|\"1\\x0d\\x0a\\x0a2\"|3\n+I|4|5\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "k v#", "k,v\n\"C:\\\",1\nx,2\n"), "+I|\"C:\\\"|1\n+I|x|2\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "a b", "a,b\n 1 , \"2\"\n1\"2,3\n"), "+I| 1 | \"2\"\n+I|1\"2|3\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "a", "a\n\"3\""), "+I|\"3\"\n= 1 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "a", "a\n\"3\"\n\"4\"\r", .quiet = true), "+I|\"3\"\n= 2 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "a b", "a,b\nNA,\"NA\"\n\\N,\n", .null_text = "NA"), "+I|\\N|\"NA\"\n+I|\\N|\\N\n= 2 records, 0 bad, well\n");
}
END_TEST

START_TEST(what_goes_wrong_costs_a_line)
{
	ck_assert_str_eq(SOURCE("csv", "k v#", "k,v\na,1\n\"b,2\nc,3\nd,4\n"),
		"+I|a|1\n+I|c|3\n+I|d|4\n!stdin:3: a quote is never closed\n!1 bad record of 4, the first at stdin:3\n= 4 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "k", "k,v\n\"a\"x,1\nb,2\n\"c\" ,3\n"),
		"+I|b\n!stdin:2: text behind a closing quote\n!stdin:4: text behind a closing quote\n"
		"!2 bad records of 3, the first at stdin:2\n= 3 records, 2 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "k", "k,v\n\"a\n\nb\",1\nx\n1,2,3\n"),
		"+I|\"a\\x0a\\x0ab\"\n!stdin:5: 1 field instead of 2\n!stdin:6: 3 fields instead of 2\n"
		"!2 bad records of 3, the first at stdin:5\n= 3 records, 2 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "k", "k\n\"abcdefgh\nijkl\nmnopq\"\nab\n", .max_line = 16, .quiet = true),
		"+I|ijkl\n+I|mnopq\"\n+I|ab\n= 4 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "k", "k\n\"abcdefg\nijkl\nmnopq\"\nab\n", .max_line = 16, .quiet = true),
		"+I|ijkl\n+I|mnopq\"\n+I|ab\n= 4 records, 1 bad, well\n");
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(SOURCE("csv", "a\"b c3", "\"a\"\"b\",c,\n1,2,\n"), "+I|1|\\N\n= 1 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "x", "\n\"a\nb\",x\n1,\n,2,\n", .quiet = true), "+I|\\N\n= 2 records, 1 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "c1 *", "a,b\n\"1\",2\n", .header = 2), "+I|a|[a|b]\n+I|\"1\"|[\"1\"|2]\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "y", "a,b\n", .fields = "x,y"), "+I|b\n= 1 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "v", "v\r\na\r\n\r\nb\r\n"), "+I|a\n+I|b\n= 2 records, 0 bad, well\n");
	ck_assert_str_eq(SOURCE("csv", "a", "\"a,b\nc\n"), "= stdin: the line of names: a quote is never closed\n");
	ck_assert_str_eq(SOURCE("csv", "a", ""), "empty\n");
	ck_assert_str_eq(SOURCE("csv", "a", "a;b;\n1;2;\n", .delimiter = ';'), "+I|1\n= 1 records, 0 bad, well\n");
}
END_TEST

/* ---- the suites: JSON answers, read by the little that is needed here ------------------------ */

static bool json_text; /* as the bytes they are */

/* Appends the JSON string at p, unescaped (no \u beyond a byte), as the rig shows it; gives what is behind it. */
static const char *put_json(struct buf *out, const char *p)
{
	for (p++; *p != '"'; p++) {
		unsigned c = (unsigned char)*p;
		if (c == '\\') {
			unsigned hex = 0;
			p++;
			if (*p == 'u')
				sscanf(p + 1, "%4x", &hex);
			c = *p == 'n' ? '\n' : *p == 'r' ? '\r' : *p == 't' ? '\t' : *p == 'u' ? hex : (unsigned char)*p;
			p += *p == 'u' ? 4 : 0;
		}
		if (c >= 0x80 && p[-4] == 'u')
			buf_printf(out, "%c%c", 0xc0 | c >> 6, 0x80 | (c & 0x3f));
		else
			buf_printf(out, c < 0x20 && !json_text ? "\\x%02x" : "%c", c);
	}
	return p + 1;
}

/* [["a","b"],["c"]] as lines of the rig, all as one row, without quotes and NULL told from empty. */
static void put_expected(struct buf *out, const char *p)
{
	for (p++; *p == '[' || *p == ',' || *p == ' ';) {
		if (*p != '[') {
			p++;
			continue;
		}
		bool blank = p[1] == ']';
		if (!blank)
			buf_puts(out, "+I|[");
		for (p++; *p != ']';) {
			if (*p == '"' && !blank)
				p = put_json(out, p);
			else if (*p == ',' && !blank)
				buf_putc(out, '|'), p++;
			else
				p++;
		}
		if (!blank)
			buf_puts(out, "]\n");
		p++;
		while (*p == ' ')
			p++;
	}
}

/* The rig's lines without the quotes that only say that a field was quoted: what the suites cannot tell is taken away on both sides. */
static void simplify(struct buf *text)
{
	size_t to = 0;
	for (size_t i = 0; i < text->n; i++) {
		if (text->p[i] == '\\' && i + 1 < text->n && text->p[i + 1] == 'N')
			i++;
		else if (text->p[i] != '"' && text->p[i] != ' ')
			text->p[to++] = text->p[i];
	}
	text->n = to;
}

/* The 50 own inputs on which both of Python's readings agree. */
START_TEST(edge_cases)
{
	FILE *file = suite_open("csv/edge_three_readers.tsv");
	struct suite_line line;
	int ran = 0, other = 0;
	struct mem mem = { 0 };
	while (file && suite_next(file, &line)) {
		char bytes[2048];
		size_t n = 0;
		for (const char *h = line.field[1]; h[0] && h[1]; h += 2) {
			unsigned byte;
			sscanf(h, "%2x", &byte);
			bytes[n++] = (char)byte;
		}
		int number = atoi(line.field[0]);
		/* CR alone ends no line (26); a BOM is framing (21, 22); \xe9 and \N are shown otherwise (23, 39) */
		if (!strncmp(line.field[4], "ERROR", 5) || strcmp(line.field[3], line.field[4]) || (number >= 21 && number <= 23) || number == 26 || number == 39) {
			other++;
			continue;
		}
		struct buf expected, got;
		buf_init(&expected, &mem);
		buf_init(&got, &mem);
		put_expected(&expected, line.field[3]);
		source_run(&(struct source_case){ .format = "csv", .columns = "*", .header = 2, .in = { { bytes, n } } }, &got);
		got.n -= strlen(strrchr((buf_putc(&got, '\0'), got.p), '='));
		got.n--;
		simplify(&expected);
		simplify(&got);
		ck_assert_msg(expected.n == got.n && !memcmp(expected.p ? expected.p : "", got.p, got.n), "case %d: %.*s instead of %.*s", number, (int)got.n, got.p,
			(int)expected.n, expected.p);
		buf_release(&expected);
		buf_release(&got);
		ran++;
	}
	if (file)
		fclose(file);
	printf("csv edge cases: %d as both readings of Python, %d set aside\n", ran, other);
}
END_TEST

/* Takes lines that are one empty field away: the suites do not tell it from a blank line. */
static void drop_blank(struct buf *text)
{
	static const char blank[] = "+I|[]\n";
	size_t len = sizeof blank - 1, to = 0;
	for (size_t i = 0; i < text->n;) {
		if (text->n - i >= len && !memcmp(text->p + i, blank, len))
			i += len;
		else
			text->p[to++] = text->p[i++];
	}
	text->n = to;
}

/* Reads bytes without names, as the rig shows it, simplified. */
static void read_rows(const char *p, size_t n, struct buf *got)
{
	source_run(&(struct source_case){ .format = "csv", .columns = "*", .header = 2, .in = { { p, n } }, .quiet = true }, got);
	buf_putc(got, '\0');
	got->n = (size_t)(strrchr(got->p, '=') - got->p);
	simplify(got);
}

static void same(const char *what, const struct buf *got, const struct buf *expected)
{
	ck_assert_msg(expected->n == got->n && (!got->n || !memcmp(expected->p, got->p, got->n)), "%s: %.*s instead of %.*s", what, (int)got->n, got->p,
		(int)expected->n, expected->p);
}

/* PapaParse's cases without options and without errors; blanks behind a closing quote, which it takes, are an error here. */
START_TEST(papaparse)
{
	FILE *file = suite_open("csv/papaparse_core.jsonl");
	static char line[1 << 16];
	struct mem mem = { 0 };
	int ran = 0, other = 0;
	if (file)
		rewind(file);
	while (file && fgets(line, sizeof line, file)) {
		const char *input = strstr(line, "\"config\":{},\"input\":\""), *data = strstr(line, ",\"data\":[");
		if (!input || !data || !strstr(line, "\"errors\":[]") || strstr(line, "closing quote") || !strstr(line, "CORE_PARSER")) {
			other++;
			continue;
		}
		struct buf bytes, got, expected;
		buf_init(&bytes, &mem);
		buf_init(&got, &mem);
		buf_init(&expected, &mem);
		json_text = true;
		put_json(&bytes, strchr(input + 12, ':') + 1);
		json_text = false;
		put_expected(&expected, data + 8);
		simplify(&expected);
		drop_blank(&expected);
		bool cr_only = memchr(bytes.p ? bytes.p : "", '\r', bytes.n) && !memmem(bytes.p, bytes.n, "\r\n", 2);
		if (cr_only) {
			other++;
		} else {
			read_rows(bytes.p ? bytes.p : "", bytes.n, &got);
			drop_blank(&got);
			same(line, &got, &expected);
			ran++;
		}
		buf_release(&bytes);
		buf_release(&got);
		buf_release(&expected);
	}
	if (file)
		fclose(file);
	printf("PapaParse: %d cases, %d set aside\n", ran, other);
}
END_TEST

static size_t slurp(const char *path, char *to, size_t room)
{
	FILE *file = fopen(path, "r");
	size_t n = file ? fread(to, 1, room - 1, file) : 0;
	to[n] = '\0';
	if (file)
		fclose(file);
	return n;
}

/* The texts of a JSON document, keys left out, each behind a bar. */
static void put_texts(struct buf *out, const char *p)
{
	while ((p = strchr(p, '"'))) {
		size_t before = out->n;
		p = put_json(out, p);
		if (*p == ':')
			out->n = before;
		else
			buf_putc(out, '|');
	}
}

/* Our rows as such a list; with names the first row is left out. */
static void flatten(struct buf *got, bool header)
{
	buf_putc(got, '\0');
	const char *p = got->p;
	size_t to = 0;
	if (header && *p)
		p = strchr(p, '\n') + 1;
	while (*p) {
		p += 4; /* +I|[ */
		while (*p != '\n')
			got->p[to++] = *p++;
		got->p[to - 1] = '|'; /* ] */
		p++;
	}
	got->n = to;
}

/* The good files of two collections: CSV with its JSON. */
START_TEST(files)
{
	static const char *const sets[][2] = { { "spectrum", "csvs" }, { "sineemore", "csv" } };
	static const char *const good[] = { "comma_in_quotes", "empty", "empty_crlf", "escaped_quotes", "json", "newlines", "quotes_and_newlines",
		"simple", "simple_crlf", "utf8", "empty-field", "header-no-rows", "header-simple", "leading-space", "one-column",
		"quotes-empty", "quotes-with-comma", "quotes-with-escaped-quote", "quotes-with-newline", "quotes-with-space", "simple-crlf", "simple-lf",
		"trailing-newline-one-field", "trailing-newline", "trailing-space", NULL };
	const char *shared = getenv("WEIR_SHARED");
	struct mem mem = { 0 };
	int ran = 0;
	for (int set = 0; set < 2; set++)
		for (const char *const *name = good; *name; name++) {
			static char csv[1 << 15], json[1 << 15];
			char path[600];
			snprintf(path, sizeof path, "%s/data/suites/csv/%s/%s/%s.csv", shared ? shared : "../shared", sets[set][0], sets[set][1], *name);
			size_t n = slurp(path, csv, sizeof csv);
			snprintf(path, sizeof path, "%s/data/suites/csv/%s/json/%s.json", shared ? shared : "../shared", sets[set][0], *name);
			if (!slurp(path, json, sizeof json))
				continue;
			struct buf got, expected;
			buf_init(&got, &mem);
			buf_init(&expected, &mem);
			read_rows(csv, n, &got);
			flatten(&got, set == 0 || !strncmp(*name, "header", 6));
			put_texts(&expected, json);
			simplify(&expected);
			same(*name, &got, &expected);
			buf_release(&got);
			buf_release(&expected);
			ran++;
		}
	printf("csv files: %d\n", ran);
}
END_TEST

/* Records cut together and read one by one: a --null in quotes, which no field is, asks for the latter. */
static char *random_csv(size_t *n)
{
	static const char *const parts[] = { ",", ",", ",", "\n", "\r\n", "a", "12", "b c", "", "\"\"", "\"x\"", "\"a,b\"", "\"say \"\"hi\"\"\"", "\"two\nlines\"", "\"\r\n\"",
		"\"a long text that takes more than a block of sixty-four bytes, with a comma in it\"", "abcdefghijklmnopqrstuvwxyz", "\"\"\"\"", "5\" pipe", "\"x\"y", "\"", "\r" };
	enum { GOOD = 18, MOST = 100 };
	size_t count = rand() % 20 ? (size_t)(rand() % 300) : 3000;
	char *text = malloc(count * MOST + sizeof "\"x\"\r"), *to = text;
	int all = rand() % 3 ? GOOD : (int)(sizeof parts / sizeof *parts);
	for (size_t i = 0; i < count; i++) {
		const char *part = parts[rand() % all];
		to = stpcpy(to, part);
		if (*part != ',' && *part != '\n' && *part != '\r' && rand() % 50) /* mostly one part a field */
			*to++ = rand() % 4 ? ',' : '\n';
	}
	if (rand() % 4 == 0)
		to = stpcpy(to, rand() % 2 ? "\"x\"\r" : "\"\r");
	*n = (size_t)(to - text);
	return text;
}

START_TEST(both_ways_agree)
{
	static const size_t reads[] = { 0, 0, 1, 7, 1000 };
	static const uint32_t batches[] = { 0, 0, 1, 7 };
	srand(11);
	int rounds = getenv("VALGRIND") ? 60 : 1500;
	for (int round = 0; round < rounds; round++) {
		size_t n;
		char *text = random_csv(&n);
		struct source_case run = { .format = "csv", .columns = round % 2 ? "*" : "c1 c3", .in = { { text, n } }, .header = 2, .max_bad_given = true, .max_bad = UINT64_MAX,
			.read_max = reads[rand() % 5], .batch_max = batches[rand() % 4] };
		struct mem mem = { 0 };
		struct buf got[2];
		for (int way = 0; way < 2; way++) {
			buf_init(&got[way], &mem);
			run.null_text = way ? "\"~" : NULL;
			source_run(&run, &got[way]);
		}
		ck_assert_msg(got[0].n == got[1].n && !memcmp(got[0].p, got[1].p, got[0].n), "round %d: %.*s", round, (int)n, text);
		buf_release(&got[0]);
		buf_release(&got[1]);
		free(text);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { quotes, what_goes_wrong_costs_a_line, names, both_ways_agree, edge_cases, papaparse, files };
	return RUN_TESTS("csv", tests);
}
