#include "parse/lang/lex.h"

#include <string.h>
#include <strings.h>

#include "core/show.h"

struct span lex_span(const struct lexer *lex, size_t at, size_t len)
{
	return (struct span){ .flag = lex->flag, .text = lex->text, .at = at, .len = len };
}

const char *lex_show(char out[LEX_SHOWN], const char *bytes, size_t n)
{
	enum { CUT = 40 };
	size_t to = n;
	if (n > CUT)
		for (to = CUT; to > 0 && ((unsigned char)bytes[to] & 0xc0) == 0x80;)
			to--;
	size_t used = show(out, LEX_SHOWN, bytes, to);
	memcpy(out + used, to < n ? "..." : "", to < n ? 4 : 1);
	return out;
}

const char *lex_show_span(char out[LEX_SHOWN], struct span span)
{
	return span.text ? lex_show(out, span.text + span.at, span.len) : lex_show(out, "x", 1);
}

static const struct {
	const char *word;
	enum token_kind kind;
} reserved[] = {
	{ "and", TOK_AND }, { "or", TOK_OR },     { "not", TOK_NOT },   { "in", TOK_IN },       { "between", TOK_BETWEEN },   { "like", TOK_LIKE },
	{ "is", TOK_IS },   { "null", TOK_NULL }, { "true", TOK_TRUE }, { "false", TOK_FALSE }, { "distinct", TOK_DISTINCT },
};

/* A bare name or a reserved word, which may be written in any case. */
static int word(struct lexer *lex, struct token *token)
{
	while (lex_is_letter(lex_peek(lex, 0)) || lex_is_digit(lex_peek(lex, 0)))
		lex->at++;
	const char *from = lex->text + token->at;
	token->n = (uint32_t)(lex->at - token->at);
	token->kind = TOK_NAME;
	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
		if (strlen(reserved[i].word) == token->n && !strncasecmp(reserved[i].word, from, token->n))
			token->kind = reserved[i].kind;
	token->text = arena_copy(lex->mem, from, token->n);
	return token->text ? 0 : err_memory(lex->err);
}

/* Longer ones stand before those that they begin with. A hint: not of this language, but of one that users may have in their fingers. */
static const struct sign {
	const char *text;
	enum token_kind kind;
	const char *hint;
} signs[] = {
	{ "===", TOK_END, "write =" },
	{ "!==", TOK_END, "write !=" },
	{ "==", TOK_EQ, NULL },
	{ "=~", TOK_MATCH, NULL },
	{ "=<", TOK_END, "write <=" },
	{ "=>", TOK_END, "write >=" },
	{ "=", TOK_EQ, NULL },
	{ "!=", TOK_NE, NULL },
	{ "!~", TOK_NOMATCH, NULL },
	{ "!", TOK_END, "write not" },
	{ "<>", TOK_NE, NULL },
	{ "<=", TOK_LE, NULL },
	{ "<", TOK_LT, NULL },
	{ ">=", TOK_GE, NULL },
	{ ">", TOK_GT, NULL },
	{ "||", TOK_CAT, NULL },
	{ "|", TOK_END, "write or between conditions, || to join texts" },
	{ "&&", TOK_END, "write and" },
	{ "&", TOK_END, "write and" },
	{ "+", TOK_PLUS, NULL },
	{ "-", TOK_MINUS, NULL },
	{ "*", TOK_STAR, NULL },
	{ "/", TOK_SLASH, NULL },
	{ "%", TOK_PERCENT, NULL },
	{ "..", TOK_DOTDOT, NULL },
	{ ".", TOK_DOT, NULL },
	{ ",", TOK_COMMA, NULL },
	{ ";", TOK_SEMICOLON, NULL },
	{ "(", TOK_OPEN, NULL },
	{ ")", TOK_CLOSE, NULL },
	{ "[", TOK_OPEN_INDEX, NULL },
	{ "]", TOK_CLOSE_INDEX, NULL },
	{ "^", TOK_END, "write pow(x, y)" },
	{ "~", TOK_END, "write =~ to match a pattern" },
	{ "?", TOK_END, "write if(condition, a, b)" },
	{ "$", TOK_END, "names stand bare; the first column is c1" },
	{ "`", TOK_END, "write an odd name in {braces}" },
};

static int sign(struct lexer *lex, struct token *token)
{
	const char *from = lex->text + lex->at;
	char shown[LEX_SHOWN];
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		size_t n = strlen(signs[i].text);
		if (strncmp(from, signs[i].text, n))
			continue;
		if (signs[i].hint)
			return err_at(lex->err, lex_span(lex, lex->at, n), "unknown '%s'; %s", signs[i].text, signs[i].hint);
		token->kind = signs[i].kind;
		lex->at += n;
		return 0;
	}
	return err_at(lex->err, lex_span(lex, lex->at, 1), "stray '%s'", lex_show(shown, from, 1));
}

int lex_next(struct lexer *lex, struct token *token)
{
	while (lex->at < lex->len && strchr(" \t\r\n", lex->text[lex->at]))
		lex->at++;
	*token = (struct token){ .kind = TOK_END, .at = lex->at };
	if (lex->at == lex->len)
		return 0;
	char c = lex->text[lex->at];
	int status;
	if (lex_is_letter(c))
		status = word(lex, token);
	else if (lex_is_digit(c))
		status = lex_number(lex, token);
	else if (c == '\'' || c == '"')
		status = lex_text(lex, token);
	else if (c == '{')
		status = lex_braced(lex, token);
	else
		status = sign(lex, token);
	token->len = lex->at - token->at;
	return status;
}
