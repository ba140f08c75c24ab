/* Numbers (12, 0.5, 1e-3) and durations (500us, 1h30m). A sign is never part of them. */
#include "core/number.h"
#include "parse/lang/lex.h"

#include <string.h>
#include <strings.h>

#define UNITS "ns, us, ms, s, m, h, d, w"

static const struct unit {
	const char *name;
	int64_t ns;
} units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", INT64_C(60) * 1000000000 },
	{ "h", INT64_C(3600) * 1000000000 },
	{ "d", INT64_C(86400) * 1000000000 },
	{ "w", INT64_C(604800) * 1000000000 },
};

/* What people write for a unit: the beginning of the word. */
static const struct {
	const char *begins, *unit;
} other_names[] = {
	{ "nano", "ns" }, { "micro", "us" }, { "\xc2\xb5", "us" }, { "milli", "ms" }, { "msec", "ms" }, { "sec", "s" },
	{ "min", "m" },   { "ho", "h" },     { "hr", "h" },        { "day", "d" },    { "we", "w" },    { "wk", "w" },
};

static void skip_digits(struct lexer *lex)
{
	while (lex_is_digit(lex_peek(lex, 0)))
		lex->at++;
}

static void skip_letters(struct lexer *lex)
{
	while (lex_is_letter(lex_peek(lex, 0)))
		lex->at++;
}

static const struct unit *find_unit(const char *word, size_t n)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i].name) == n && !memcmp(units[i].name, word, n))
			return &units[i];
	return NULL;
}

const char *lex_guess_unit(const char *word, size_t n)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i].name) == n && !strncasecmp(units[i].name, word, n))
			return units[i].name;
	for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++) {
		size_t len = strlen(other_names[i].begins);
		if (n >= len && !strncasecmp(other_names[i].begins, word, len))
			return other_names[i].unit;
	}
	return NULL;
}

/* `from`: where the letters begin; lex->at is behind them. */
static int unknown_unit(struct lexer *lex, const struct token *token, size_t from)
{
	const char *word = lex->text + from;
	size_t n = lex->at - from;
	struct span span = lex_span(lex, from, n);
	char shown[LEX_SHOWN], name[LEX_SHOWN];
	const char *guess = lex_guess_unit(word, n);
	lex_show(shown, word, n);
	if (guess)
		return err_at(lex->err, span, "no unit '%s'; did you mean '%s'? there are: " UNITS, shown, guess);
	while (lex_is_letter(lex_peek(lex, 0)) || lex_is_digit(lex_peek(lex, 0)))
		lex->at++;
	lex_show(name, lex->text + token->at, lex->at - token->at);
	return err_at(lex->err, span, "no unit '%s'; there are: " UNITS " (a name that begins with a digit: {%s})", shown, name);
}

/* Canonical ms from ns. */
static int to_ms(struct lexer *lex, struct token *token, __int128 ns)
{
	unsigned scale = 6;
	for (; scale > 0 && ns % 10 == 0; scale--)
		ns /= 10;
	if (ns > INT64_MAX)
		return err_at(lex->err, lex_span(lex, token->at, lex->at - token->at), "the duration is too long");
	token->kind = TOK_DURATION;
	token->value = number_dec((int64_t)ns, scale);
	return 0;
}

/* From the first digit on: digits, a unit, and again. */
static int duration(struct lexer *lex, struct token *token)
{
	const __int128 most = (__int128)INT64_MAX * 1000000;
	__int128 total = 0;
	lex->at = token->at;
	while (lex_is_digit(lex_peek(lex, 0))) {
		size_t from = lex->at;
		__int128 count = 0;
		for (; lex_is_digit(lex_peek(lex, 0)); lex->at++)
			if (count <= INT64_MAX)
				count = count * 10 + (lex_peek(lex, 0) - '0');
		size_t word = lex->at;
		skip_letters(lex);
		if (word == lex->at)
			return err_at(lex->err, lex_span(lex, from, word - from), "a duration that ends without a unit; there are: " UNITS);
		const struct unit *unit = find_unit(lex->text + word, lex->at - word);
		if (!unit)
			return unknown_unit(lex, token, word);
		if (count > INT64_MAX)
			total = most;
		total += count * unit->ns;
		if (total > most)
			return err_at(lex->err, lex_span(lex, token->at, lex->at - token->at), "the duration is too long");
	}
	return to_ms(lex, token, total);
}

/* A fraction or an exponent and then letters: 1.5h. */
static int no_unit_here(struct lexer *lex, const struct token *token)
{
	size_t from = lex->at;
	skip_letters(lex);
	if (find_unit(lex->text + from, lex->at - from))
		return err_at(lex->err, lex_span(lex, token->at, lex->at - token->at), "a duration takes whole numbers, such as 1h30m");
	return unknown_unit(lex, token, from);
}

int lex_number(struct lexer *lex, struct token *token)
{
	bool whole = true;
	skip_digits(lex);
	if (lex_peek(lex, 0) == '.' && lex_is_digit(lex_peek(lex, 1))) {
		whole = false;
		lex->at++;
		skip_digits(lex);
	}
	char sign = lex_peek(lex, 1);
	size_t ahead = sign == '+' || sign == '-' ? 2 : 1;
	if ((lex_peek(lex, 0) | 0x20) == 'e' && lex_is_digit(lex_peek(lex, ahead))) {
		whole = false;
		lex->at += ahead;
		skip_digits(lex);
	}
	if (lex_is_letter(lex_peek(lex, 0)))
		return whole ? duration(lex, token) : no_unit_here(lex, token);
	token->kind = TOK_NUMBER;
	if (!number_read(lex->text + token->at, (uint32_t)(lex->at - token->at), &token->value))
		return err_at(lex->err, lex_span(lex, token->at, lex->at - token->at), "the number is too large");
	return 0;
}
