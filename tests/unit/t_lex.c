/* Tokens of the little language. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "parse/lang/lex.h"

static struct mem mem;
static struct arena arena;
static struct err err;

static struct lexer start(const char *text)
{
	arena_reset(&arena);
	err = (struct err){ .code = ERR_NONE };
	return (struct lexer){ .flag = "--x", .text = text, .len = strlen(text), .mem = &arena, .err = &err };
}

/* The one token that `text` is. */
static struct token only(const char *text)
{
	struct lexer lex = start(text);
	struct token tok, end;
	ck_assert_msg(lex_next(&lex, &tok) == 0, "%s: %s", text, err.text);
	ck_assert_msg(lex_next(&lex, &end) == 0 && end.kind == TOK_END, "%s: more than one token", text);
	ck_assert_uint_eq(tok.at, 0);
	ck_assert_uint_eq(tok.len, strlen(text));
	return tok;
}

static void check_text(const char *source, enum token_kind kind, const char *bytes, size_t n)
{
	struct token tok = only(source);
	ck_assert_int_eq(tok.kind, kind);
	ck_assert_uint_eq(tok.n, n);
	ck_assert_mem_eq(tok.text, bytes, n);
	ck_assert_int_eq(tok.text[n], '\0');
}
#define CHECK_TEXT(source, kind, bytes) check_text(source, kind, bytes, sizeof bytes - 1)

static void check_number(const char *source, enum token_kind kind, const char *printed)
{
	char text[VALUE_TEXT_MAX];
	struct token tok = only(source);
	ck_assert_int_eq(tok.kind, kind);
	text[number_print(&tok.value, text)] = '\0';
	ck_assert_str_eq(text, printed);
}

/* The error of the first bad token. */
static void check_error(const char *source, const char *message)
{
	struct lexer lex = start(source);
	struct token tok = { .kind = TOK_NAME };
	while (!lex_next(&lex, &tok) && tok.kind != TOK_END)
		;
	ck_assert_str_eq(err.text, message);
	ck_assert_int_eq(err.code, ERR_USAGE);
}

START_TEST(names)
{
	CHECK_TEXT("status", TOK_NAME, "status");
	CHECK_TEXT("_a9@b", TOK_NAME, "_a9@b");
	CHECK_TEXT("@timestamp", TOK_NAME, "@timestamp");
	CHECK_TEXT("gr\xc3\xb6\xc3\x9f" "e", TOK_NAME, "gr\xc3\xb6\xc3\x9f" "e");
	CHECK_TEXT("\xff", TOK_NAME, "\xff");
	CHECK_TEXT("{odd name}", TOK_NAME, "odd name");
	CHECK_TEXT("{a}}b}", TOK_NAME, "a}b");
	CHECK_TEXT("{}}}", TOK_NAME, "}");
	CHECK_TEXT("{}", TOK_NAME, "");
	CHECK_TEXT("{{}", TOK_NAME, "{");
	CHECK_TEXT("{null}", TOK_NAME, "null");
	ck_assert(only("{x}").braced);
	ck_assert(!only("x").braced);
}
END_TEST

START_TEST(reserved)
{
	static const char *const words[] = { "and", "or", "not", "in", "between", "like", "is", "null", "true", "false", "distinct" };
	for (int i = 0; i < 11; i++) {
		char upper[16] = "";
		for (size_t k = 0; words[i][k]; k++)
			upper[k] = (char)(k % 2 ? words[i][k] : words[i][k] - 32);
		ck_assert_int_eq(only(words[i]).kind, (int)TOK_AND + i);
		ck_assert_int_eq(only(upper).kind, (int)TOK_AND + i);
	}
	ck_assert_int_eq(only("nulls").kind, TOK_NAME);
	ck_assert_int_eq(only("android").kind, TOK_NAME);
	ck_assert_int_eq(only("is_").kind, TOK_NAME);
	ck_assert_int_eq(only("by").kind, TOK_NAME);
}
END_TEST

START_TEST(numbers)
{
	check_number("0", TOK_NUMBER, "0");
	check_number("007", TOK_NUMBER, "7");
	check_number("1.50", TOK_NUMBER, "1.5");
	check_number("9223372036854775807", TOK_NUMBER, "9223372036854775807");
	check_number("9223372036854775808", TOK_NUMBER, "9223372036854776000");
	check_number("1e3", TOK_NUMBER, "1000");
	check_number("1.5E-7", TOK_NUMBER, "1.5e-7");
	check_number("2e+21", TOK_NUMBER, "2e+21");
	ck_assert_int_eq(only("9223372036854775807").value.type, V_DEC);
	ck_assert_int_eq(only("9223372036854775808").value.type, V_DBL);
	ck_assert_int_eq(only("1e3").value.type, V_DBL);
	check_error("1e999", "--x: the number is too large\n  1e999\n  ^~~~~");
}
END_TEST

START_TEST(durations)
{
	check_number("5s", TOK_DURATION, "5000");
	check_number("5m30s", TOK_DURATION, "330000");
	check_number("1w2d3h4m5s6ms", TOK_DURATION, "788645006");
	check_number("500us", TOK_DURATION, "0.5");
	check_number("1ns", TOK_DURATION, "0.000001");
	check_number("1ms1ns", TOK_DURATION, "1.000001");
	check_number("0s", TOK_DURATION, "0");
	check_number("30s5m", TOK_DURATION, "330000");
	check_number("9223372036854775807ms", TOK_DURATION, "9223372036854775807");
	check_error("9223372036854775807ms1ms", "--x: the duration is too long\n  9223372036854775807ms1ms\n  ^~~~~~~~~~~~~~~~~~~~~~~~");
	check_error("99999999999999999999999999999999999999999999ns",
		    "--x: the duration is too long\n  99999999999999999999999999999999999999999999ns\n  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~");
	check_error("9223372036854775806ms1ns", "--x: the duration is too long\n  9223372036854775806ms1ns\n  ^~~~~~~~~~~~~~~~~~~~~~~~");
}
END_TEST

START_TEST(bad_units)
{
	static const struct { const char *text, *unit; } meant[] = {
		{ "5min", "m" },    { "5minutes", "m" }, { "5sec", "s" }, { "5Seconds", "s" }, { "5hr", "h" },     { "5hours", "h" },  { "5day", "d" },
		{ "5weeks", "w" },  { "5millis", "ms" }, { "5MS", "ms" }, { "5nanos", "ns" },  { "5micros", "us" }, { "5\xc2\xb5s", "us" },
	};
	char part[64];
	for (size_t i = 0; i < sizeof meant / sizeof *meant; i++) {
		struct lexer lex = start(meant[i].text);
		struct token tok;
		ck_assert_int_eq(lex_next(&lex, &tok), -1);
		snprintf(part, sizeof part, "--x: no unit '%s'; did you mean '%s'?", meant[i].text + 1, meant[i].unit);
		ck_assert_msg(!strncmp(err.text, part, strlen(part)), "%s", err.text);
	}
	check_error("5min", "--x: no unit 'min'; did you mean 'm'? there are: ns, us, ms, s, m, h, d, w\n  5min\n   ^~~");
	check_error("2xx9", "--x: no unit 'xx'; there are: ns, us, ms, s, m, h, d, w (a name that begins with a digit: {2xx9})\n  2xx9\n   ^~");
	check_error("1e", "--x: no unit 'e'; there are: ns, us, ms, s, m, h, d, w (a name that begins with a digit: {1e})\n  1e\n   ^");
	check_error("5m30", "--x: a duration that ends without a unit; there are: ns, us, ms, s, m, h, d, w\n  5m30\n    ^~");
	check_error("1.5h", "--x: a duration takes whole numbers, such as 1h30m\n  1.5h\n  ^~~~");
	check_error("1e5s", "--x: a duration takes whole numbers, such as 1h30m\n  1e5s\n  ^~~~");
	check_error("1.5x", "--x: no unit 'x'; there are: ns, us, ms, s, m, h, d, w (a name that begins with a digit: {1.5x})\n  1.5x\n     ^");
}
END_TEST

START_TEST(texts)
{
	CHECK_TEXT("''", TOK_TEXT, "");
	CHECK_TEXT("'it''s'", TOK_TEXT, "it's");
	CHECK_TEXT("''''", TOK_TEXT, "'");
	CHECK_TEXT("'\\d \\n \"'", TOK_TEXT, "\\d \\n \"");
	CHECK_TEXT("\"\"", TOK_TEXT, "");
	CHECK_TEXT("\"a\\tb\\nc\\rd\\\\e\\\"f\"", TOK_TEXT, "a\tb\nc\rd\\e\"f");
	CHECK_TEXT("\"\\d 100\\% \\' \\/\"", TOK_TEXT, "\\d 100\\% \\' \\/");
	CHECK_TEXT("\"\\x41\\x00\\xFf\"", TOK_TEXT, "A\0\xff");
	CHECK_TEXT("\"\\x4\\xg0\\x\"", TOK_TEXT, "\\x4\\xg0\\x");
	CHECK_TEXT("\"it's\"", TOK_TEXT, "it's");
	check_error("a = 'b", "--x: a text without its closing '\n  a = 'b\n      ^~");
	check_error("'a''", "--x: a text without its closing '\n  'a''\n  ^~~~");
	check_error("\"a\\\"", "--x: a text without its closing \"\n  \"a\\\"\n  ^~~~");
	check_error("\"a\\", "--x: a text without its closing \"\n  \"a\\\n  ^~~");
	check_error("{a}}", "--x: a name without its closing }\n  {a}}\n  ^~~~");
}
END_TEST

/* The REGEX that the whole of `text` is. */
static struct token regex(const char *text)
{
	struct lexer lex = start(text);
	struct token tok, end;
	ck_assert(!lex_next(&lex, &tok) && tok.kind == TOK_SLASH);
	ck_assert_msg(!lex_regex(&lex, &tok), "%s", err.text);
	ck_assert(!lex_next(&lex, &end) && end.kind == TOK_END);
	ck_assert_uint_eq(tok.len, strlen(text));
	ck_assert_uint_eq(tok.n, strlen(tok.text));
	return tok;
}

START_TEST(regexes)
{
	ck_assert_str_eq(regex("/abc/").text, "abc");
	ck_assert_str_eq(regex("//").text, "");
	ck_assert_str_eq(regex("/a\\/b\\d/").text, "a/b\\d");
	ck_assert_str_eq(regex("/a\\\\/").text, "a\\\\");
	ck_assert_str_eq(regex("/a 'b' \"c/").text, "a 'b' \"c");
	ck_assert_str_eq(regex("/a/").flags, "");
	ck_assert_str_eq(regex("/a/imsx").flags, "imsx");
	static const char *const bad[][2] = {
		{ "/a", "--x: a regular expression without its closing /\n  /a\n  ^~" },
		{ "/a\\/", "--x: a regular expression without its closing /\n  /a\\/\n  ^~~~" },
		{ "/a/iq", "--x: no letter 'q' behind a regular expression; there are: i, m, s, x\n  /a/iq\n      ^" },
	};
	for (int i = 0; i < 3; i++) {
		struct lexer lex = start(bad[i][0]);
		struct token tok;
		ck_assert(!lex_next(&lex, &tok) && lex_regex(&lex, &tok) == -1);
		ck_assert_str_eq(err.text, bad[i][1]);
	}
}
END_TEST

/* The kinds of all tokens, one after the other. */
static void check_kinds(const char *text, const enum token_kind *kind)
{
	struct lexer lex = start(text);
	struct token tok;
	size_t last = 0;
	do {
		ck_assert_msg(!lex_next(&lex, &tok), "%s", err.text);
		ck_assert_int_eq(tok.kind, *kind);
		ck_assert_uint_ge(tok.at, last);
		last = tok.at + tok.len;
	} while (*kind++ != TOK_END);
}
#define KINDS(text, ...) check_kinds(text, (const enum token_kind[]){ __VA_ARGS__, TOK_END })

START_TEST(signs)
{
	KINDS("= == != <> < <= > >= =~ !~", TOK_EQ, TOK_EQ, TOK_NE, TOK_NE, TOK_LT, TOK_LE, TOK_GT, TOK_GE, TOK_MATCH, TOK_NOMATCH);
	KINDS("||+-*/%.,;()[]..", TOK_CAT, TOK_PLUS, TOK_MINUS, TOK_STAR, TOK_SLASH, TOK_PERCENT, TOK_DOT, TOK_COMMA, TOK_SEMICOLON, TOK_OPEN, TOK_CLOSE,
	      TOK_OPEN_INDEX, TOK_CLOSE_INDEX, TOK_DOTDOT);
	KINDS("2..4", TOK_NUMBER, TOK_DOTDOT, TOK_NUMBER);
	KINDS("2.5.4", TOK_NUMBER, TOK_DOT, TOK_NUMBER);
	KINDS("2.", TOK_NUMBER, TOK_DOT);
	KINDS("a -1", TOK_NAME, TOK_MINUS, TOK_NUMBER);
	KINDS("a.b[0]\t\n\r", TOK_NAME, TOK_DOT, TOK_NAME, TOK_OPEN_INDEX, TOK_NUMBER, TOK_CLOSE_INDEX);
	KINDS("a<=b", TOK_NAME, TOK_LE, TOK_NAME);
	KINDS("a<-1", TOK_NAME, TOK_LT, TOK_MINUS, TOK_NUMBER);
	KINDS("5s..", TOK_DURATION, TOK_DOTDOT);
	struct lexer lex = start("  ");
	struct token tok;
	for (int i = 0; i < 3; i++)
		ck_assert(!lex_next(&lex, &tok) && tok.kind == TOK_END && tok.at == 2 && tok.len == 0);
}
END_TEST

START_TEST(strays)
{
	check_error("a && b", "--x: unknown '&&'; write and\n  a && b\n    ^~");
	check_error("!a", "--x: unknown '!'; write not\n  !a\n  ^");
	check_error("a | b", "--x: unknown '|'; write or between conditions, || to join texts\n  a | b\n    ^");
	check_error("a => b", "--x: unknown '=>'; write >=\n  a => b\n    ^~");
	check_error("a =< b", "--x: unknown '=<'; write <=\n  a =< b\n    ^~");
	check_error("a === b", "--x: unknown '==='; write =\n  a === b\n    ^~~");
	check_error("$1", "--x: unknown '$'; names stand bare; the first column is c1\n  $1\n  ^");
	check_error("a ? b", "--x: unknown '?'; write if(condition, a, b)\n  a ? b\n    ^");
	check_error("a \x01", "--x: stray '\\x01'\n  a \\x01\n    ^~~~");
	check_error("\x7f", "--x: stray '\\x7F'\n  \\x7F\n  ^~~~");
	check_error("a # b", "--x: stray '#'\n  a # b\n    ^");
	check_error("a: b", "--x: stray ':'\n  a: b\n   ^");
}
END_TEST

START_TEST(shown)
{
	char out[LEX_SHOWN], all[300];
	ck_assert_str_eq(lex_show(out, "a\tb", 3), "a\\x09b");
	memset(all, 1, sizeof all);
	ck_assert_uint_lt(strlen(lex_show(out, all, sizeof all)), LEX_SHOWN);
	memset(all, 'x', sizeof all);
	ck_assert_uint_eq(strlen(lex_show(out, all, 40)), 40);
	ck_assert_uint_eq(strlen(lex_show(out, all, 41)), 43);
	memcpy(all + 39, "\xc3\xa4", 2);
	ck_assert_str_eq(lex_show(out, all, 50) + 38, "x...");
	memset(all, 0x80, sizeof all);
	ck_assert_str_eq(lex_show(out, all, 50), "...");
}
END_TEST

int main(void)
{
	arena_init(&arena, &mem);
	Suite *suite = suite_create("lex");
	TCase *tests = tcase_create("lex");
	tcase_add_test(tests, names);
	tcase_add_test(tests, reserved);
	tcase_add_test(tests, numbers);
	tcase_add_test(tests, durations);
	tcase_add_test(tests, bad_units);
	tcase_add_test(tests, texts);
	tcase_add_test(tests, regexes);
	tcase_add_test(tests, signs);
	tcase_add_test(tests, strays);
	tcase_add_test(tests, shown);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	arena_release(&arena);
	return failed || mem.used ? EXIT_FAILURE : EXIT_SUCCESS;
}
