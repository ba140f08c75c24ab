/* core/utf8: every code point there and back, and the sequences of a suite: which are well formed, and what is left of the others. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "ops/emit/json_text.h"
#include "ops/expr/text.h"
#include "suite.h"
#include "tests/unit/run_tests.h"

START_TEST(code_points_there_and_back)
{
	char out[8];
	for (uint32_t code = 0; code < 0x110000; code++) {
		uint32_t n = char_put(code, out);
		bool half = is_high_half(code) || is_low_half(code);
		ck_assert_uint_eq(char_len(out, out + n), n);
		ck_assert_uint_eq(char_code(out, n), half ? 0xfffd : code);
		for (uint32_t cut = 1; cut < n; cut++)
			ck_assert_uint_eq(char_len(out, out + cut), 1);
	}
	for (uint32_t high = 0xd800; high < 0xdc00; high += 13)
		for (uint32_t low = 0xdc00; low < 0xe000; low += 7)
			ck_assert_uint_eq(join_halves(high, low), (high << 10) + low - ((0xd800 << 10) + 0xdc00 - 0x10000));
	for (int c = -128; c < 128; c++) {
		const char *const digits = "0123456789abcdefABCDEF", *at = c ? strchr(digits, c) : NULL;
		ck_assert_int_eq(hex_digit((char)c), !at ? -1 : at - digits > 15 ? (int)(at - digits) - 6 : (int)(at - digits));
	}
}
END_TEST

static size_t from_hex(const char *hex, char *to)
{
	size_t n = 0;
	for (; hex[0] && hex[0] != '-'; hex += 2)
		to[n++] = (char)(hex_digit(hex[0]) << 4 | hex_digit(hex[1]));
	return n;
}

/* The characters of a text, without the bytes that belong to none. */
static size_t skip_bad(const char *p, size_t n, char *to)
{
	size_t kept = 0;
	for (const char *end = p + n; p < end;) {
		size_t len = char_len(p, end);
		if (len > 1 || (unsigned char)*p < 0x80) {
			memcpy(to + kept, p, len);
			kept += len;
		}
		p += len;
	}
	return kept;
}

START_TEST(sequences)
{
	FILE *file = suite_open("utf8/sequences.tsv");
	struct suite_line line;
	int n = 0;
	for (; file && suite_next(file, &line); n++) {
		char text[SUITE_LINE], want[SUITE_LINE], got[SUITE_LINE], json[JSON_GROWTH * SUITE_LINE + 2];
		const char *id = line.field[5];
		size_t len = from_hex(line.field[0], text), kept = from_hex(line.field[3], want);
		bool valid = line.field[1][0] == '1';
		ck_assert_msg(char_valid(text, len) == valid, "%s", id);
		ck_assert_msg(skip_bad(text, len, got) == kept && !memcmp(got, want, kept), "%s", id);
		ck_assert_msg(!valid || char_count(text, text + len) == (size_t)atoi(line.field[2]), "%s", id);
		char *end = json_put_string(json, text, (uint32_t)len);
		ck_assert_msg(char_valid(json, (size_t)(end - json)), "%s", id); /* what JSON is written is UTF-8 in any case */
	}
	if (file) {
		fclose(file);
		printf("utf8 suite: %d sequences\n", n);
		ck_assert_int_eq(n, 216);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { code_points_there_and_back, sequences };
	return RUN_TESTS("utf8", tests);
}
