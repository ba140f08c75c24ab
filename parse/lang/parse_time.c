/* --time, --watermark: when a record happened, and how far event time has come. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "parse/lang/parse.h"
#include "parse/lang/parser.h"

#define FORMATS "s, ms, us, ns, iso, clf, syslog"
#define WATERMARK "a delay such as 10s, input, idle D or ahead D"

/* What stands where the format should, in quotes: a pattern, most likely. `from` is where it begins. */
static const char *as_pattern(const struct parser *p, size_t from, char out[2 * LEX_SHOWN])
{
	char shown[LEX_SHOWN];
	lex_show(shown, p->lex.text + from, p->lex.len - from);
	snprintf(out, 2 * LEX_SHOWN, strchr(shown, '"') ? "write: '%s'" : "write: \"%s\"", shown);
	return out;
}

/* Behind the comma. */
static int format(struct parser *p, struct time_ast *out)
{
	char hint[2 * LEX_SHOWN];
	struct token tok = p->tok;
	if (tok.kind != TOK_NAME && tok.kind != TOK_TEXT)
		return parser_expected_hint(p, "a format (" FORMATS ") or a pattern in quotes", tok.kind == TOK_PERCENT ? as_pattern(p, tok.at, hint) : NULL);
	out->format = tok.text;
	out->format_len = tok.n;
	out->pattern = tok.kind == TOK_TEXT;
	out->format_span = lex_span(&p->lex, tok.at, tok.len);
	parser_next(p);
	return 0;
}

/* A format behind the expression, without a comma between them. */
static bool is_format(const struct token *tok)
{
	static const char *const words[] = { "s", "ms", "us", "ns", "iso", "clf", "syslog" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (tok->kind == TOK_NAME && !tok->braced && !strcasecmp(tok->text, words[i]))
			return true;
	return tok->kind == TOK_TEXT;
}

static int time_end(struct parser *p, const struct time_ast *out)
{
	const char *what = "an operator, ',' or the end";
	char hint[2 * LEX_SHOWN + 32], expr[LEX_SHOWN], rest[LEX_SHOWN];
	if (out->format)
		return parser_end(p, "the end", "");
	if (p->failed || !is_format(&p->tok))
		return parser_end_stray(p, what, OPERATOR_WORDS, NULL);
	lex_show(expr, p->lex.text, p->end);
	lex_show(rest, p->lex.text + p->tok.at, p->lex.len - p->tok.at);
	snprintf(hint, sizeof hint, "write: %s, %s", expr, rest);
	return parser_expected_hint(p, what, hint);
}

int parse_time(const char *flag, const char *text, struct arena *mem, struct time_ast *out, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	*out = (struct time_ast){ .expr = parser_expr(&p) };
	if (!out->expr || (parser_accept(&p, TOK_COMMA) && format(&p, out)))
		return -1;
	return time_end(&p, out);
}

/* A duration into *ms, unless one is there already; `what` names it. */
static int part(struct parser *p, const char *what, const char *expected, int64_t *ms)
{
	if (p->tok.kind != TOK_DURATION)
		return parser_expected_hint(p, expected, p->tok.kind == TOK_NUMBER ? "the unit is missing" : NULL);
	if (*ms >= 0)
		return parser_fail(p, p->tok.at, p->tok.len, "%s is given twice", what);
	return parser_ms(p, what, 0, ms);
}

static int watermark_part(struct parser *p, struct watermark_ast *out)
{
	if (parser_accept_word(p, "idle"))
		return part(p, "idle", "a duration behind 'idle'", &out->idle);
	if (parser_accept_word(p, "ahead"))
		return part(p, "ahead", "a duration behind 'ahead'", &out->ahead);
	struct token tok = p->tok;
	if (tok.kind == TOK_NUMBER)
		return parser_expected_hint(p, WATERMARK, "the unit is missing");
	if (tok.kind != TOK_DURATION && !parser_at_word(p, "input"))
		return parser_expected(p, WATERMARK, "input idle ahead");
	if (out->input)
		return parser_fail(p, tok.at, tok.len, "with input only the @wm lines move the watermark: there is no delay");
	if (tok.kind == TOK_DURATION)
		return part(p, "the delay", "", &out->delay);
	if (out->delay >= 0)
		return parser_fail(p, tok.at, tok.len, "with input only the @wm lines move the watermark: leave the delay out");
	out->input = true;
	parser_next(p);
	return 0;
}

int parse_watermark(const char *flag, const char *text, struct arena *mem, struct watermark_ast *out, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	*out = (struct watermark_ast){ .delay = -1, .idle = -1, .ahead = -1 };
	while (!watermark_part(&p, out) && parser_accept(&p, TOK_COMMA))
		;
	return parser_end(&p, "',' or the end", "");
}
