#include "parse/lang/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/nearest.h"
#include "core/number.h"

/* From here on the argument looks exhausted. */
static int give_up(struct parser *p)
{
	p->failed = true;
	p->lex.at = p->lex.len;
	p->tok = (struct token){ .kind = TOK_END, .at = p->lex.len };
	return -1;
}

int parser_memory(struct parser *p)
{
	err_memory(p->err);
	return give_up(p);
}

static void read_token(struct parser *p)
{
	if (!p->failed && lex_next(&p->lex, &p->tok))
		give_up(p);
}

void parser_init(struct parser *p, const char *flag, const char *text, struct arena *mem, struct err *err)
{
	size_t len = strlen(text);
	*p = (struct parser){ .mem = mem, .err = err };
	char *copy = arena_copy(mem, text, len);
	p->lex = (struct lexer){ .flag = flag, .text = copy ? copy : "", .len = copy ? len : 0, .mem = mem, .err = err };
	if (copy)
		read_token(p);
	else
		parser_memory(p);
}

void parser_next(struct parser *p)
{
	p->end = p->tok.at + p->tok.len;
	read_token(p);
}

int parser_slash_to_regex(struct parser *p)
{
	return lex_regex(&p->lex, &p->tok) ? give_up(p) : 0;
}

bool parser_accept(struct parser *p, enum token_kind kind)
{
	if (p->tok.kind != kind)
		return false;
	parser_next(p);
	return true;
}

bool parser_at_word(const struct parser *p, const char *word)
{
	return p->tok.kind == TOK_NAME && !p->tok.braced && strlen(word) == p->tok.n && !strncasecmp(word, p->tok.text, p->tok.n);
}

bool parser_accept_word(struct parser *p, const char *word)
{
	if (!parser_at_word(p, word))
		return false;
	parser_next(p);
	return true;
}

int parser_fail(struct parser *p, size_t at, size_t len, const char *format, ...)
{
	char text[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	err_at(p->err, lex_span(&p->lex, at, len), "%s", text);
	return give_up(p);
}

/* The token as messages name it, with quotes around what is not a text of its own. */
static const char *found(const struct parser *p, char out[LEX_SHOWN + 2])
{
	const struct token *tok = &p->tok;
	if (tok->kind == TOK_END)
		return p->end == 0 ? "nothing" : "the end";
	char shown[LEX_SHOWN];
	const char *quote = tok->kind == TOK_TEXT ? "" : "'";
	snprintf(out, LEX_SHOWN + 2, "%s%s%s", quote, lex_show(shown, p->lex.text + tok->at, tok->len), quote);
	return out;
}

int parser_expected_hint(struct parser *p, const char *what, const char *hint)
{
	char text[LEX_SHOWN + 2];
	return parser_fail(p, p->tok.at, p->tok.len, "expected %s, found %s%s%s", what, found(p, text), hint ? "; " : "", hint ? hint : "");
}

int parser_expected(struct parser *p, const char *what, const char *words)
{
	enum { MOST = 24 };
	char copy[256], hint[64], *rest = copy;
	const char *list[MOST];
	uint32_t n = 0;
	snprintf(copy, sizeof copy, "%s", words);
	for (char *word; n < MOST && (word = strtok_r(rest, " ", &rest));)
		list[n++] = word;
	int near = p->tok.kind == TOK_NAME && !p->tok.braced ? nearest_word(p->tok.text, p->tok.n, list, n) : -1;
	if (near >= 0)
		snprintf(hint, sizeof hint, "did you mean '%s'?", list[near]);
	return parser_expected_hint(p, what, near >= 0 ? hint : NULL);
}

int parser_need(struct parser *p, enum token_kind kind, const char *what)
{
	return parser_accept(p, kind) ? 0 : parser_expected(p, what, "");
}

int parser_name(struct parser *p, const char *what, const char **name, uint32_t *len)
{
	const struct token *tok = &p->tok;
	char hint[64];
	if (lex_is_reserved(tok->kind)) {
		snprintf(hint, sizeof hint, "a reserved word is a name in braces: {%s}", tok->text);
		return parser_expected_hint(p, what, hint);
	}
	if (tok->kind != TOK_NAME)
		return parser_expected_hint(p, what, tok->kind == TOK_TEXT ? "names are bare or in {braces}" : NULL);
	*name = tok->text;
	*len = tok->n;
	parser_next(p);
	return 0;
}

int parser_whole(struct parser *p, const char *what, int64_t *out)
{
	if (!number_int(&p->tok.value, out))
		return parser_fail(p, p->tok.at, p->tok.len, "%s must be a whole number", what);
	parser_next(p);
	return 0;
}

int parser_end(struct parser *p, const char *what, const char *words)
{
	if (!p->failed && p->tok.kind != TOK_END)
		parser_expected(p, what, words);
	return p->failed ? -1 : 0;
}

void *parser_grow(struct parser *p, void *array, uint32_t n, size_t size)
{
	enum { FIRST = 4 };
	if (n && (n < FIRST || (n & (n - 1))))
		return array;
	void *larger = arena_alloc(p->mem, (n ? 2 * (size_t)n : FIRST) * size);
	if (larger && n)
		memcpy(larger, array, n * size);
	if (!larger)
		parser_memory(p);
	return larger;
}
