/* core/number: reading, printing, conversion. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number_word.h"
#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"
#include "tests/unit/suite.h"

enum { ROUNDS = 100000 };

/* Reads bytes from a block of just that size, so that a sanitizer sees every byte read too many. */
static bool read_exactly(const char *text, size_t n, struct value *out)
{
	char *copy = malloc(n ? n : 1);
	memcpy(copy, text, n);
	bool read = number_read(copy, (uint32_t)n, out);
	free(copy);
	return read;
}

static double from_bits(const char *hex)
{
	uint64_t bits = strtoull(hex, NULL, 16);
	double d;
	memcpy(&d, &bits, sizeof d);
	return d;
}

/* The canonical text of v. */
static const char *text_of(const struct value *v)
{
	static char text[VALUE_TEXT_MAX + 1];
	uint32_t n = number_print(v, text);
	ck_assert_uint_le(n, VALUE_TEXT_MAX);
	text[n] = '\0';
	return text;
}

START_TEST(texts_give_the_nearest_double)
{
	FILE *file = suite_open("number/parse_double.tsv");
	struct suite_line line;
	int n = 0;
	for (; file && suite_next(file, &line); n++) {
		struct value v;
		double want = from_bits(line.field[1]);
		bool read = read_exactly(line.field[0], strlen(line.field[0]), &v);
		ck_assert_msg(read == (bool)isfinite(want), "%s", line.field[0]);
		if (read)
			ck_assert_msg(number_double(&v) == want, "%s: %a, not %a", line.field[0], number_double(&v), want);
	}
	if (file) {
		fclose(file);
		ck_assert_int_ge(n, 9000);
	}
}
END_TEST

START_TEST(doubles_print_as_in_javascript)
{
	FILE *file = suite_open("number/shortest_double.tsv");
	struct suite_line line;
	int n = 0;
	for (; file && suite_next(file, &line); n++) {
		struct value v = { .type = V_DBL, .u.d = from_bits(line.field[0]) };
		ck_assert_str_eq(text_of(&v), line.field[4]);
		v.u.d = -v.u.d;
		if (v.u.d != 0)
			ck_assert_str_eq(text_of(&v) + 1, line.field[4]);
	}
	if (file) {
		fclose(file);
		ck_assert_int_ge(n, 3477);
	}
}
END_TEST

/* Takes the quotes and escapes of classify.tsv away, in place; false if it holds a character that is not ASCII. */
static bool unquote(char *text)
{
	char *to = text;
	for (char *p = text + 1; *p && *p != '"'; p++) {
		if (*p == '\\' && *++p == 'u')
			return false;
		*to++ = p[-1] != '\\' ? *p : *p == 't' ? '\t' : *p == 'r' ? '\r' : *p;
	}
	*to = '\0';
	return true;
}

START_TEST(kinds_of_texts)
{
	FILE *file = suite_open("number/classify.tsv");
	struct suite_line line;
	int n = 0, foreign = 0;
	for (; file && suite_next(file, &line); n++) {
		struct value v;
		if (!unquote(line.field[0])) {
			foreign++;
			continue;
		}
		bool read = read_exactly(line.field[0], strlen(line.field[0]), &v);
		const char *kind = !read ? "text" : v.type == V_DEC ? "decimal" : "double";
		ck_assert_msg(strcmp(kind, line.field[1]) == 0, "'%s': %s", line.field[0], kind);
		if (read)
			ck_assert_str_eq(text_of(&v), line.field[2]);
	}
	if (file) {
		fclose(file);
		ck_assert_int_ge(n, 88);
		ck_assert_int_eq(foreign, 2); /* digits of other scripts, see digits_are_ascii */
	}
}
END_TEST

START_TEST(digits_are_ascii)
{
	struct value v;
	ck_assert(!number_read("\xd9\xa1\xd9\xa2", 4, &v));
	ck_assert(!number_read("\xef\xbc\x91\xef\xbc\x92", 6, &v));
}
END_TEST

/* What the grammar says, byte by byte, over texts of the bytes that matter. */
static bool model_reads(const char *p, size_t n)
{
	size_t i = 0, digits = 0;
	while (i < n && (p[i] == ' ' || p[i] == '\t'))
		i++;
	i += i < n && (p[i] == '-' || p[i] == '+');
	for (; i < n && p[i] >= '0' && p[i] <= '9'; i++)
		digits++;
	i += i < n && p[i] == '.';
	for (; i < n && p[i] >= '0' && p[i] <= '9'; i++)
		digits++;
	if (!digits)
		return false;
	if (i < n && (p[i] == 'e' || p[i] == 'E')) {
		i++;
		i += i < n && (p[i] == '-' || p[i] == '+');
		size_t first = i;
		while (i < n && p[i] >= '0' && p[i] <= '9')
			i++;
		if (i == first)
			return false;
	}
	while (i < n && (p[i] == ' ' || p[i] == '\t'))
		i++;
	return i == n;
}

START_TEST(the_grammar_and_strtod_agree)
{
	static const char bytes[] = "0123456789012345678900..-+e \tE\n:/x\0\xb0";
	uint64_t state = 1;
	for (int i = 0; i < 3 * ROUNDS; i++) {
		char text[32] = "";
		size_t n = numgen_below(&state, 24), kinds = numgen_below(&state, 2) ? 24 : sizeof bytes - 1;
		for (size_t k = 0; k < n; k++)
			text[k] = bytes[numgen_below(&state, kinds)];
		struct value v;
		bool reads = model_reads(text, n);
		double d = reads ? strtod(text, NULL) : 0;
		ck_assert_msg(read_exactly(text, n, &v) == (reads && isfinite(d)), "'%s'", text);
		if (reads && isfinite(d))
			ck_assert_msg(number_double(&v) == d, "'%s'", text);
	}
}
END_TEST

START_TEST(what_is_printed_reads_back)
{
	uint64_t state = 2;
	for (int i = 0; i < 2 * ROUNDS; i++) {
		struct value v = numgen_any(&state), back;
		char text[VALUE_TEXT_MAX], again[VALUE_TEXT_MAX];
		uint32_t n = number_print(&v, text);
		ck_assert(read_exactly(text, n, &back));
		if (v.type == V_DEC)
			ck_assert(back.type == V_DEC && back.u.i == v.u.i && back.scale == v.scale);
		else
			ck_assert(number_double(&back) == v.u.d);
		ck_assert(number_print(&back, again) == n && memcmp(text, again, n) == 0);
	}
}
END_TEST

START_TEST(no_shorter_text_reads_back)
{
	uint64_t state = 3;
	for (int i = 0; i < ROUNDS / 4; i++) {
		double d = fabs(numgen_double(&state).u.d);
		struct value v = { .type = V_DBL, .u.d = d };
		char text[VALUE_TEXT_MAX + 1], shorter[64];
		text[number_print(&v, text)] = '\0';
		int digits = 0;
		for (const char *p = text + strspn(text, "0."); *p && *p != 'e'; p++)
			digits += *p != '.';
		for (size_t k = strlen(text); !strchr(text, 'e') && !strchr(text, '.') && text[k - 1] == '0'; k--)
			digits--;
		if (digits < 2)
			continue;
		/* the nearest number of one digit less, or its neighbours, which a lopsided interval may hold */
		snprintf(shorter, sizeof shorter, "%.*e", digits - 2, d);
		ck_assert_msg(strtod(shorter, NULL) != d, "%s and %s", text, shorter);
	}
}
END_TEST

START_TEST(long_texts)
{
	enum { LONG = 100000 };
	char *text = malloc(2 * LONG);
	struct value v;
	memset(text, '0', LONG);
	text[LONG] = '7';
	ck_assert(number_read(text, LONG + 1, &v) && v.type == V_DEC && v.u.i == 7);
	text[0] = '.';
	ck_assert(number_read(text, LONG + 1, &v) && v.type == V_DBL && v.u.d == 0);
	memcpy(text + LONG + 1, "e100000", 7);
	ck_assert(number_read(text, LONG + 8, &v) && v.type == V_DBL && v.u.d == 7); /* .000...07e100000 */
	memset(text, '9', LONG);
	ck_assert(!number_read(text, LONG, &v));
	memcpy(text + LONG, "e-99999", 7);
	ck_assert(number_read(text, LONG + 7, &v) && v.u.d == 10);
	/* 1 + 2^-53 lies half way, only the last digit says up */
	const char *half = "1.00000000000000011102230246251565404236316680908203125";
	memset(text, '0', LONG);
	memcpy(text, half, strlen(half));
	ck_assert(number_read(text, LONG, &v) && v.u.d == 1);
	text[LONG - 1] = '1';
	ck_assert(number_read(text, LONG, &v) && v.u.d == 1 + 0x1p-52);
	free(text);
}
END_TEST

START_TEST(whole_numbers)
{
	static const struct {
		const char *text;
		bool whole;
		int64_t value;
	} cases[] = { { "7", true, 7 },
		      { "7.0", true, 7 },
		      { "7.5", false, 0 },
		      { "-9223372036854775808", true, INT64_MIN },
		      { "1e3", true, 1000 },
		      { "1.5e0", false, 0 },
		      { "9223372036854775808", false, 0 },
		      { "-9223372036854775808e0", true, INT64_MIN } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct value v;
		int64_t got = 0;
		ck_assert(number_read(cases[i].text, (uint32_t)strlen(cases[i].text), &v));
		ck_assert_msg(number_int(&v, &got) == cases[i].whole && got == cases[i].value, "%s", cases[i].text);
	}
}
END_TEST

START_TEST(doubles_as_values)
{
	ck_assert_int_eq(number_from_double(NAN).type, V_NULL);
	ck_assert_int_eq(number_from_double(-INFINITY).type, V_NULL);
	ck_assert_int_eq(number_from_double(3).type, V_DBL);
	struct value v = number_from_double(-0.0);
	ck_assert(v.type == V_DBL && !signbit(v.u.d));
	ck_assert(number_read("-0e0", 4, &v) && v.type == V_DBL && !signbit(v.u.d));
	struct value text = value_text("1.5", 3), word = value_raw("x", 1), big = { .type = V_BIG, .len = 23, .u.p = "-99999999999999999999.25" },
		     time = { .type = V_TIME };
	ck_assert(number_of(&text, &v) && v.u.i == 15 && v.scale == 1);
	ck_assert(!number_of(&word, &v) && !number_of(&time, &v));
	ck_assert(number_of(&big, &v) && number_double(&v) == -1e20);
}
END_TEST

enum { COLUMN = 100, LONGEST = 20 };

/* A text of up to LONGEST bytes, mostly a number; in a block of just its size. */
static struct value random_text(uint64_t *state)
{
	static const char *const letters[] = { "0123456789", "0123456789.", "00000.90", "0.-+e 5x/:" };
	const char *from = letters[numgen_below(state, 16) ? numgen_below(state, 3) : 3];
	uint32_t len = (uint32_t)numgen_below(state, numgen_below(state, 8) ? 10 : LONGEST), kinds = (uint32_t)strlen(from);
	char *p = malloc(len ? len : 1);
	for (uint32_t i = 0; i < len; i++)
		p[i] = from[numgen_below(state, kinds)];
	return value_raw(p, len);
}

/* Around every power of ten, with every scale: the words of a column, and each number alone, against printf. */
START_TEST(words_are_digits)
{
	uint64_t state = 12, word[COLUMN];
	for (int round = 0; round < 20000; round++) {
		struct value v[COLUMN];
		uint32_t n = (uint32_t)numgen_below(&state, COLUMN);
		for (uint32_t i = 0; i < n; i++) {
			int64_t power = dec_pow10[numgen_below(&state, 10)], m = (int64_t)numgen_below(&state, 2 * (uint64_t)power);
			m = numgen_below(&state, 4) ? m : power - 1 + (int64_t)numgen_below(&state, 3);
			v[i] = numgen_below(&state, 8) ? value_int(numgen_below(&state, 2) ? m : -m) : value_null();
			v[i].scale = (uint8_t)(v[i].type == V_DEC && m % 10 ? numgen_below(&state, 9) : 0);
		}
		bool made = number_words(v, n, word);
		for (uint32_t i = 0; i < n; i++) {
			char want[VALUE_TEXT_MAX], text[VALUE_TEXT_MAX];
			if (!number_in_word(&v[i]))
				continue;
			long long m = llabs((long long)v[i].u.i), unit = (long long)dec_pow10[v[i].scale];
			int len = snprintf(want, sizeof want, v[i].scale ? "%s%lld.%0*lld" : "%s%lld", v[i].u.i < 0 ? "-" : "", m / unit, v[i].scale, m % unit);
			ck_assert_int_eq(number_put(&v[i], text) - text, len);
			ck_assert_mem_eq(text, want, (size_t)len);
			ck_assert(!made || word[i] == word_of((uint64_t)m));
		}
	}
}
END_TEST

START_TEST(a_column_reads_as_its_rows_do)
{
	uint64_t state = 11;
	uint32_t stops = 0;
	for (int round = 0; round < 5000; round++) {
		struct value v[COLUMN], one, column[COLUMN];
		uint32_t n = (uint32_t)numgen_below(&state, COLUMN), good = 0;
		for (uint32_t i = 0; i < n; i++) {
			v[i] = random_text(&state);
			bool tame = numgen_below(&state, 20); /* else columns would end too soon */
			if (tame && !number_read(v[i].u.p, v[i].len, &one)) {
				free((char *)v[i].u.p);
				v[i] = value_null();
			}
		}
		uint32_t read = number_read_column(v, n, column);
		for (; good < read; good++) {
			if (v[good].type == V_NULL)
				one = value_null();
			else
				ck_assert(number_read(v[good].u.p, v[good].len, &one));
			ck_assert_msg(!memcmp(&one, &column[good], sizeof one), "%.*s", (int)v[good].len, v[good].u.p);
		}
		stops += read < n;
		ck_assert(read == n || (v[read].type != V_NULL && !number_read(v[read].u.p, v[read].len, &one)));
		for (uint32_t i = 0; i < n; i++)
			free((char *)v[i].u.p);
	}
	ck_assert_uint_gt(stops, 100);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		texts_give_the_nearest_double, doubles_print_as_in_javascript, kinds_of_texts, digits_are_ascii, the_grammar_and_strtod_agree,
		what_is_printed_reads_back, no_shorter_text_reads_back, long_texts, whole_numbers, doubles_as_values, a_column_reads_as_its_rows_do,
		words_are_digits,
	};
	return RUN_TESTS("number", tests);
}
