/* What stands between delimiters: 'texts', "texts", {names}, /patterns/. Decoding only shrinks, so it is done in place in the arena's copy. */
#include "parse/lang/lex.h"

#include <string.h>

#include "core/utf8.h"

/* How a closing delimiter is kept from closing. */
enum guard { BY_DOUBLING, BY_BACKSLASH };

/* Where the delimiter that closes what begins at lex->at stands; the end of the argument, a NUL, if there is none. */
static size_t find_close(const struct lexer *lex, char close, enum guard guard)
{
	const char *text = lex->text;
	for (size_t i = lex->at + 1; i < lex->len; i++) {
		bool guarded = guard == BY_BACKSLASH ? text[i] == '\\' : text[i] == close && text[i + 1] == close;
		if (guarded)
			i++;
		else if (text[i] == close)
			return i;
	}
	return lex->len;
}

/* Takes what begins at lex->at with both its delimiters: a copy of the inside, token->n bytes. NULL if it never closes or memory is refused. */
static char *enclosed(struct lexer *lex, struct token *token, char close, enum guard guard, const char *what)
{
	size_t from = lex->at + 1, to = find_close(lex, close, guard);
	if (to == lex->len) {
		err_at(lex->err, lex_span(lex, lex->at, lex->len - lex->at), "%s without its closing %c", what, close);
		return NULL;
	}
	char *copy = arena_copy(lex->mem, lex->text + from, to - from);
	if (!copy)
		err_memory(lex->err);
	token->text = copy;
	token->n = (uint32_t)(to - from);
	lex->at = to + 1;
	return copy;
}

/* Makes one of each two closing delimiters. */
static void undouble(char *text, uint32_t *n, char close)
{
	uint32_t to = 0;
	for (uint32_t i = 0; i < *n; i++) {
		text[to++] = text[i];
		i += text[i] == close;
	}
	text[to] = '\0';
	*n = to;
}

int lex_braced(struct lexer *lex, struct token *token)
{
	char *text = enclosed(lex, token, '}', BY_DOUBLING, "a name");
	if (!text)
		return -1;
	undouble(text, &token->n, '}');
	token->kind = TOK_NAME;
	token->braced = true;
	return 0;
}

/* The byte that a backslash and what follows it mean, and how many bytes they take. A backslash that begins no escape stands for itself.
 * The NUL behind the text is no part of an escape. */
static char escape(const char *at, uint32_t *takes)
{
	static const char known[] = "ntr\\\"", bytes[] = "\n\t\r\\\"";
	const char *letter = at[1] ? strchr(known, at[1]) : NULL;
	if (letter) {
		*takes = 2;
		return bytes[letter - known];
	}
	if (at[1] == 'x' && hex_digit(at[2]) >= 0 && hex_digit(at[3]) >= 0) {
		*takes = 4;
		return (char)(hex_digit(at[2]) << 4 | hex_digit(at[3]));
	}
	*takes = 1;
	return '\\';
}

static void unescape(char *text, uint32_t *n)
{
	uint32_t to = 0, takes;
	for (uint32_t i = 0; i < *n; i += takes) {
		takes = 1;
		text[to++] = text[i] == '\\' ? escape(text + i, &takes) : text[i];
	}
	text[to] = '\0';
	*n = to;
}

int lex_text(struct lexer *lex, struct token *token)
{
	char quote = lex_peek(lex, 0);
	char *text = enclosed(lex, token, quote, quote == '"' ? BY_BACKSLASH : BY_DOUBLING, "a text");
	if (!text)
		return -1;
	if (quote == '"')
		unescape(text, &token->n);
	else
		undouble(text, &token->n, quote);
	token->kind = TOK_TEXT;
	return 0;
}

/* The letters behind a pattern. */
static int letters(struct lexer *lex, struct token *token)
{
	size_t from = lex->at;
	char shown[LEX_SHOWN];
	for (; lex_is_letter(lex_peek(lex, 0)) || lex_is_digit(lex_peek(lex, 0)); lex->at++)
		if (!strchr("imsx", lex_peek(lex, 0)))
			return err_at(lex->err, lex_span(lex, lex->at, 1), "no letter '%s' behind a regular expression; there are: i, m, s, x",
				      lex_show(shown, lex->text + lex->at, 1));
	token->flags = arena_copy(lex->mem, lex->text + from, lex->at - from);
	return token->flags ? 0 : err_memory(lex->err);
}

/* An escaped byte never ends the pattern, so in \\/ the slash does. Only \/ loses its backslash: the rest is for the matcher. */
int lex_regex(struct lexer *lex, struct token *token)
{
	lex->at = token->at;
	char *text = enclosed(lex, token, '/', BY_BACKSLASH, "a regular expression");
	if (!text)
		return -1;
	uint32_t to = 0;
	for (uint32_t i = 0; i < token->n; i++) {
		if (text[i] == '\\' && text[i + 1] != '/')
			text[to++] = text[i++];
		else if (text[i] == '\\')
			i++;
		text[to++] = text[i];
	}
	text[to] = '\0';
	token->n = to;
	token->kind = TOK_REGEX;
	if (letters(lex, token))
		return -1;
	token->len = lex->at - token->at;
	return 0;
}
