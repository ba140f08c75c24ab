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
	p->last = p->tok;
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

/* The one of `words` that the token in sight is a misspelling of; NULL: none. `nearest` says how near it has to be. */
static const char *meant(const struct parser *p, const char *words, char copy[256], int (*nearest)(const char *, size_t, const char *const *, uint32_t))
{
	enum { MOST = 24 };
	const char *list[MOST];
	char *rest = copy;
	uint32_t n = 0;
	snprintf(copy, 256, "%s", words);
	for (char *word; n < MOST && (word = strtok_r(rest, " ", &rest));)
		list[n++] = word;
	int near = p->tok.kind == TOK_NAME && !p->tok.braced ? nearest(p->tok.text, p->tok.n, list, n) : -1;
	return near >= 0 ? list[near] : NULL;
}

static int expected(struct parser *p, const char *what, const char *word)
{
	char hint[64];
	if (word)
		snprintf(hint, sizeof hint, "did you mean '%s'?", word);
	return parser_expected_hint(p, what, word ? hint : NULL);
}

int parser_expected(struct parser *p, const char *what, const char *words)
{
	char copy[256];
	return expected(p, what, meant(p, words, copy, nearest_word));
}

/* A bare name that is no keyword behind an expression. */
static bool is_plain_name(const struct token *tok)
{
	static const char *const keywords[] = { "as", "asc", "desc", "nulls", "where" };
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (tok->kind == TOK_NAME && !strcasecmp(tok->text, keywords[i]))
			return false;
	return tok->kind == TOK_NAME && !tok->braced;
}

/* Where the names and numbers that stand side by side from the token in sight on end. */
static size_t names_end(const struct parser *p)
{
	struct err dropped = { .code = ERR_NONE };
	struct lexer lex = p->lex;
	struct token tok = p->tok;
	size_t end = p->end;
	lex.err = &dropped;
	while (is_plain_name(&tok) || tok.kind == TOK_NUMBER) {
		end = tok.at + tok.len;
		if (lex_next(&lex, &tok))
			break;
	}
	return end;
}

int parser_stray(struct parser *p, const char *what, const char *words, const char *separates)
{
	char copy[256], name[LEX_SHOWN], hint[LEX_SHOWN + 100];
	const struct token *last = &p->last;
	bool names = last->kind == TOK_NAME && p->tok.kind == TOK_NAME;
	const char *word = meant(p, words, copy, names ? nearest_slip : nearest_word);
	if (word || !names)
		return expected(p, what, word);
	if (!last->braced && !strcasecmp(last->text, "case"))
		return parser_expected_hint(p, what, "write if(condition, a, b)");
	const char *comma = separates ? "a comma separates " : "";
	separates = separates ? separates : "";
	if (is_plain_name(last) && is_plain_name(&p->tok)) {
		lex_show(name, p->lex.text + last->at, names_end(p) - last->at);
		snprintf(hint, sizeof hint, "a name with blanks stands in braces: {%s}%s%s%s", name, *comma ? "; " : "", comma, separates);
		return parser_expected_hint(p, what, hint);
	}
	snprintf(hint, sizeof hint, "%s%s", comma, separates);
	return parser_expected_hint(p, what, *hint && (p->tok.braced || last->braced) ? hint : NULL);
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

int parser_end_stray(struct parser *p, const char *what, const char *words, const char *separates)
{
	if (!p->failed && p->tok.kind != TOK_END)
		parser_stray(p, what, words, separates);
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
