/* core/width: columns of characters, against the tables of Python; and that nothing that steers a terminal comes through. */
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/show.h"
#include "core/width.h"
#include "python.h"
#include "tests/unit/run_tests.h"

static size_t put(char *to, unsigned c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	size_t len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = len; i-- > 1; c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)((0xf00 >> len & 0xf0) | c);
	return len;
}

START_TEST(some)
{
	static const struct { const char *text; uint32_t width; } cases[] = {
		{ "", 0 }, { "abc", 3 }, { "\xc3\xa9", 1 }, { "e\xcc\x81", 1 }, { "\xe6\xbc\xa2\xe5\xad\x97", 4 }, { "\xf0\x9f\x98\x80", 2 }, { "a\x1b", 5 },
		{ "\xc2\x9b", 8 }, { "\xff", 4 }, { "\xe6\xbc", 8 }, { "\xc0\x80", 8 }, { "\xed\xa0\x80", 12 }, { "\xf4\x90\x80\x80", 16 }, { "\x7f", 4 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_uint_eq(width_of(cases[i].text, strlen(cases[i].text)), cases[i].width);
	char shown[64];
	*width_show(shown, "\x1b[0m\xc3\xa9\xc2\x9b\xff", 9) = '\0';
	ck_assert_str_eq(shown, "\\x1B[0m\xc3\xa9\\xC2\\x9B\\xFF");
}
END_TEST

/* What is shown is as wide as was said, has no control bytes, and is shown as it is. */
START_TEST(shown_bytes_are_harmless)
{
	srandom(1);
	for (int round = 0; round < 20000; round++) {
		char text[12], shown[SHOW_MOST * 12], again[SHOW_MOST * SHOW_MOST * 12];
		size_t n = (size_t)random() % sizeof text;
		for (size_t i = 0; i < n; i++)
			text[i] = (char)(random() % 3 ? 0x80 + random() % 0x80 : random() % 0x80);
		size_t len = (size_t)(width_show(shown, text, n) - shown);
		ck_assert_uint_eq(width_of(shown, len), width_of(text, n));
		ck_assert_uint_eq((size_t)(width_show(again, shown, len) - again), len);
		ck_assert(!memcmp(again, shown, len));
	}
}
END_TEST

enum { A_LINE = 900 };

START_TEST(as_python_has_it)
{
	struct python py;
	FILE *ask = python_open(&py);
	char line[PYTHON_LINE];
	if (!ask)
		return;
	for (unsigned c = 0xa0; c < 0x110000; c += A_LINE)
		fprintf(ask, "%u %u\n", c, c + A_LINE < 0x110000 ? c + A_LINE : 0x110000);
	python_ask(&py, ask, "import sys, unicodedata as u\n"
		"print(u.unidata_version)\n"
		"def width(c):\n"
		"  k = u.category(chr(c))\n"
		"  if k in (\"Cn\", \"Cs\"): return \"-\"\n"
		"  if c != 0xad and k in (\"Mn\", \"Me\", \"Cf\", \"Zl\", \"Zp\") or 0x1160 <= c <= 0x11ff: return \"0\"\n"
		"  return \"2\" if u.east_asian_width(chr(c)) in \"WF\" else \"1\"\n"
		"for l in open(sys.argv[1]): print(\"\".join(map(width, range(*map(int, l.split())))))\n");
	bool same = !strcmp(python_answer(&py, line), "14.0.0");
	if (!same)
		printf("Python has Unicode %s: not compared with it\n", line);
	for (unsigned c = 0xa0; c < 0x110000; c += A_LINE) {
		python_answer(&py, line);
		for (unsigned i = 0; line[i] && same; i++) {
			char text[4];
			size_t n = put(text, c + i);
			if (line[i] != '-')
				ck_assert_msg(width_of(text, n) == (uint32_t)(line[i] - '0'), "U+%04X: %c", c + i, line[i]);
		}
	}
	python_close(&py);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { some, shown_bytes_are_harmless, as_python_has_it };
	return RUN_TESTS("width", tests);
}
