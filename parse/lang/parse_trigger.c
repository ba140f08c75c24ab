/* --trigger, --evict: when a window fires, and which of its rows stay. */
#include <stdio.h>

#include "parse/lang/parse.h"
#include "parse/lang/parser.h"

/* delta X of EXPR, behind its first word. */
static int delta(struct parser *p, struct value *most, struct node **expr)
{
	if (p->tok.kind != TOK_NUMBER && p->tok.kind != TOK_DURATION)
		return parser_expected_hint(p, "a number behind 'delta'", p->tok.kind == TOK_MINUS ? "a difference has no sign" : NULL);
	*most = p->tok.value;
	parser_next(p);
	if (!parser_accept_word(p, "of")) {
		char hint[2 * LEX_SHOWN + 32], number[LEX_SHOWN], rest[LEX_SHOWN];
		lex_show(number, p->lex.text + p->last.at, p->last.len);
		lex_show(rest, p->lex.text + p->tok.at, p->lex.len - p->tok.at);
		snprintf(hint, sizeof hint, "write: delta %s of %s", number, p->tok.kind == TOK_END ? "x" : rest);
		return parser_expected_hint(p, "of and an expression", hint);
	}
	*expr = parser_sum(p);
	return *expr ? 0 : -1;
}

/* No condition begins with the token in sight. */
static int no_condition(struct parser *p, bool first)
{
	const char *what = "end, each, count N, every D or delta X of EXPR", *begin = NULL;
	char hint[LEX_SHOWN + 40], shown[LEX_SHOWN];
	if (parser_at_word(p, "purge"))
		return parser_expected_hint(p, what, first ? "write: end purge" : "purge stands behind the last condition, without or");
	if (p->tok.kind == TOK_NUMBER)
		begin = "count";
	else if (p->tok.kind == TOK_DURATION)
		begin = "every";
	else
		return parser_expected(p, what, "end each count every delta");
	snprintf(hint, sizeof hint, "write: %s %s", begin, lex_show(shown, p->lex.text + p->tok.at, p->tok.len));
	return parser_expected_hint(p, what, hint);
}

/* Behind `count`, `every`. */
static int count(struct parser *p, struct trigger_cond *cond)
{
	if (p->tok.kind != TOK_NUMBER)
		return parser_expected_hint(p, "a number of rows behind 'count'", p->tok.kind == TOK_DURATION ? "a time stands behind every" : NULL);
	return parser_rows(p, &cond->n);
}

static int every(struct parser *p, struct trigger_cond *cond)
{
	if (p->tok.kind != TOK_DURATION)
		return parser_expected_hint(p, "a duration behind 'every'", p->tok.kind == TOK_NUMBER ? "the unit is missing, or write count for rows" : NULL);
	if (parser_ms(p, "the interval", 1, &cond->n))
		return -1;
	if (parser_accept_word(p, "clock"))
		cond->kind = TRIGGER_CLOCK;
	return 0;
}

static int condition(struct parser *p, bool first, struct trigger_cond *cond)
{
	size_t at = p->tok.at;
	int status = 0;
	*cond = (struct trigger_cond){ .kind = TRIGGER_END };
	if (parser_accept_word(p, "end")) {
		cond->kind = TRIGGER_END;
	} else if (parser_accept_word(p, "each")) {
		cond->kind = TRIGGER_EACH;
	} else if (parser_accept_word(p, "count")) {
		cond->kind = TRIGGER_COUNT;
		status = count(p, cond);
	} else if (parser_accept_word(p, "every")) {
		cond->kind = TRIGGER_EVERY;
		status = every(p, cond);
	} else if (parser_accept_word(p, "delta")) {
		cond->kind = TRIGGER_DELTA;
		status = delta(p, &cond->delta, &cond->expr);
	} else {
		return no_condition(p, first);
	}
	cond->span = lex_span(&p->lex, at, p->end - at);
	return status;
}

/* Behind the last condition and, if `purge`, that word. */
static int trigger_end(struct parser *p, const struct trigger_ast *out)
{
	enum trigger_kind last = out->cond[out->n - 1].kind;
	if (p->failed)
		return -1;
	if (out->purge)
		return p->tok.kind == TOK_OR ? parser_expected_hint(p, "the end", "purge stands last") : parser_end(p, "the end", "");
	const char *what = "or, purge or the end";
	if (last == TRIGGER_EVERY)
		what = "clock, or, purge or the end";
	else if (last == TRIGGER_DELTA)
		what = "an operator, or, purge or the end";
	if (p->tok.kind == TOK_COMMA || p->tok.kind == TOK_AND)
		return parser_expected_hint(p, what, "conditions are joined by or: the first that is met fires");
	return parser_end(p, what, last == TRIGGER_EVERY ? "clock or purge" : "or purge");
}

int parse_trigger(const char *flag, const char *text, struct arena *mem, struct trigger_ast *out, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	*out = (struct trigger_ast){ .n = 0 };
	do {
		struct trigger_cond *cond = parser_grow(&p, out->cond, out->n, sizeof *cond);
		if (!cond)
			return -1;
		out->cond = cond;
		if (condition(&p, !out->n, &cond[out->n]))
			return -1;
		out->n++;
	} while (parser_accept(&p, TOK_OR));
	out->purge = parser_accept_word(&p, "purge");
	return trigger_end(&p, out);
}

/* Behind `last`. */
static int last(struct parser *p, struct evict_ast *out)
{
	if (p->tok.kind == TOK_DURATION) {
		out->kind = EVICT_TIME;
		return parser_ms(p, "the time", 1, &out->n);
	}
	out->kind = EVICT_ROWS;
	return p->tok.kind == TOK_NUMBER ? parser_rows(p, &out->n) : parser_expected(p, "a number of rows or a duration behind 'last'", "");
}

static int evict(struct parser *p, struct evict_ast *out)
{
	const char *what = "last N, last D or delta X of EXPR";
	char hint[LEX_SHOWN + 40], shown[LEX_SHOWN];
	if (parser_accept_word(p, "last"))
		return last(p, out);
	if (parser_accept_word(p, "delta")) {
		out->kind = EVICT_DELTA;
		return delta(p, &out->delta, &out->expr);
	}
	if (p->tok.kind != TOK_NUMBER && p->tok.kind != TOK_DURATION)
		return parser_expected(p, what, "last delta");
	snprintf(hint, sizeof hint, "write: last %s", lex_show(shown, p->lex.text + p->tok.at, p->tok.len));
	return parser_expected_hint(p, what, hint);
}

int parse_evict(const char *flag, const char *text, struct arena *mem, struct evict_ast *out, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	*out = (struct evict_ast){ .kind = EVICT_NONE };
	if (evict(&p, out))
		return -1;
	out->after = parser_accept_word(&p, "after");
	if (!out->after && parser_at_word(&p, "before"))
		return parser_expected_hint(&p, "after or the end", "without a word it is before the firing");
	return parser_end(&p, out->after ? "the end" : out->kind == EVICT_DELTA ? "an operator, after or the end" : "after or the end", out->after ? "" : "after");
}
