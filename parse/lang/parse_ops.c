/* Lists of named expressions: --select, --keyby, --reduce. */
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "parse/lang/parse.h"
#include "parse/lang/parser.h"
#include "parse/lang/synonym.h"

#define COMPUTE "compute it in --select"

/* One more zeroed item at the end of the list; NULL if memory is refused. */
static struct named *new_item(struct parser *p, struct named_list *list)
{
	struct named *item = parser_grow(p, list->item, list->n, sizeof *item);
	if (!item)
		return NULL;
	list->item = item;
	item = &item[list->n++];
	*item = (struct named){ .span = lex_span(&p->lex, p->tok.at, 0) };
	return item;
}

/* Behind `as`. */
static int given_name(struct parser *p, struct named *item)
{
	item->given = true;
	return parser_name(p, "a name behind 'as'", &item->name, &item->len);
}

/* The item is complete: its name, if it has none, and its span. */
static int complete(struct parser *p, struct named *item)
{
	item->span.len = p->end - item->span.at;
	return item->given || item->star ? 0 : parser_auto_name(p, item->expr, &item->name, &item->len);
}

/* EXPR [as NAME] */
static int named(struct parser *p, struct named *item)
{
	item->expr = parser_expr(p);
	if (!item->expr || (parser_accept_word(p, "as") && given_name(p, item)))
		return -1;
	return complete(p, item);
}

/* Reads a list of what `one` reads. */
static void list(struct parser *p, struct named_list *out, int (*one)(struct parser *, struct named *))
{
	*out = (struct named_list){ .n = 0 };
	struct named *item;
	do
		item = new_item(p, out);
	while (item && !one(p, item) && parser_accept(p, TOK_COMMA));
}

static int select_item(struct parser *p, struct named *item)
{
	if (!parser_accept(p, TOK_STAR))
		return named(p, item);
	*item = (struct named){ .star = true, .name = "*", .len = 1, .span = item->span };
	if (p->tok.kind != TOK_COMMA && p->tok.kind != TOK_END)
		return parser_expected(p, "',' or the end behind '*'", "");
	return complete(p, item);
}

int parse_select(const char *flag, const char *text, struct arena *mem, struct named_list *out, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	list(&p, out, select_item);
	return parser_end_stray(&p, "an operator, as, ',' or the end", OPERATOR_WORDS " as", "columns");
}

static int key_item(struct parser *p, struct named *item)
{
	bool word = p->tok.kind == TOK_NAME && !p->tok.braced && !strcmp(p->tok.text, "window");
	if (named(p, item))
		return -1;
	item->window = word && item->expr->kind == N_NAME && !item->expr->nstep;
	if (item->window && item->given)
		return parser_fail(p, item->span.at, item->span.len, "window stands for two columns and takes no name; a column of that name is {window}");
	return 0;
}

int parse_keyby(const char *flag, const char *text, struct arena *mem, struct named_list *out, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	list(&p, out, key_item);
	return parser_end_stray(&p, "an operator, as, ',' or the end", OPERATOR_WORDS " as", "columns");
}

/* ---- --reduce ---- */

/* Behind the opening parenthesis of an aggregate. */
static int agg_args(struct parser *p, struct node *agg)
{
	if (parser_accept(p, TOK_CLOSE))
		return 0;
	size_t at = p->tok.at;
	if (parser_accept(p, TOK_STAR)) {
		struct node *star = parser_node(p, N_STAR, at);
		return !star || parser_child(p, agg, star) ? -1 : parser_need(p, TOK_CLOSE, "')' behind '*'");
	}
	agg->distinct = parser_accept(p, TOK_DISTINCT);
	return parser_args(p, agg, false);
}

/* "write count(distinct x)" for what stands behind an aggregate's name without parentheses: distinct, a name or both. Gives `out`. */
static const char *in_parentheses(const struct parser *p, const char *name, char out[2 * LEX_SHOWN])
{
	struct err dropped = { .code = ERR_NONE };
	struct lexer lex = p->lex;
	struct token tok = p->tok;
	char shown[LEX_SHOWN];
	bool distinct = tok.kind == TOK_DISTINCT;
	lex.err = &dropped;
	if (distinct && (lex_next(&lex, &tok) || tok.kind != TOK_NAME))
		tok.len = 0;
	const char *arg = tok.len ? lex_show(shown, p->lex.text + tok.at, tok.len) : "x";
	snprintf(out, 2 * LEX_SHOWN, "write %.60s(%s%s)", name, distinct ? "distinct " : "", arg);
	return out;
}

/* Complains about a word without parentheses that is not count. */
static void bare_word(struct parser *p, const struct token *name)
{
	static const char *const words[] = { "count" };
	char shown[LEX_SHOWN], text[2 * LEX_SHOWN];
	const char *hint = "only count may stand alone";
	struct synonym synonym;
	if (!name->braced && synonym_find(name->text, name->n, &synonym)) {
		snprintf(text, sizeof text, "did you mean %s?", synonym.here);
		hint = text;
	} else if (!name->braced && nearest_word(name->text, name->n, words, 1) == 0) {
		hint = "did you mean 'count'?";
	} else if (p->tok.kind == TOK_DISTINCT || (p->tok.kind == TOK_NAME && !parser_at_word(p, "where") && !parser_at_word(p, "as"))) {
		hint = in_parentheses(p, lex_show(shown, name->text, name->n), text);
	}
	parser_fail(p, name->at, name->len, "'%s' needs its argument in parentheses; %s", lex_show(shown, name->text, name->n), hint);
}

/* count, sum(x), ... */
static struct node *aggregate(struct parser *p)
{
	struct token name = p->tok;
	if (name.kind != TOK_NAME) {
		bool computes = name.kind == TOK_NUMBER || name.kind == TOK_OPEN || name.kind == TOK_MINUS;
		const char *hint = computes ? COMPUTE : name.kind == TOK_DISTINCT ? "write count(distinct x)" : NULL;
		parser_expected_hint(p, "an aggregate such as count or sum(x)", hint);
		return NULL;
	}
	parser_next(p);
	struct node *agg = parser_node(p, N_CALL, name.at);
	if (!agg)
		return NULL;
	agg->text = name.text;
	agg->len = name.n;
	if (parser_accept(p, TOK_OPEN)) {
		if (agg_args(p, agg))
			return NULL;
		agg->span.len = p->end - name.at;
		return agg;
	}
	agg->bare = true;
	if (strcmp(name.text, "count")) {
		bare_word(p, &name);
		return NULL;
	}
	return agg;
}

/* The token is one that would carry on an expression: what aggregates cannot do. */
static bool carries_on(const struct token *tok)
{
	return lex_is_operator(tok->kind) || (lex_is_reserved(tok->kind) && tok->kind <= TOK_IS);
}

/* AGG and behind it, in either order and at most once, `where` and `as`. */
static int agg_item(struct parser *p, struct named *item)
{
	const char *what = "where, as, ',' or the end", *words = "where as";
	char hint[2 * LEX_SHOWN];
	item->expr = aggregate(p);
	if (!item->expr)
		return -1;
	for (;;) {
		if (!item->where && parser_accept_word(p, "where")) {
			item->where = parser_expr(p);
			if (!item->where)
				return -1;
			what = item->given ? "an operator, ',' or the end" : "an operator, as, ',' or the end";
			words = item->given ? OPERATOR_WORDS : OPERATOR_WORDS " as";
		} else if (!item->given && parser_accept_word(p, "as")) {
			if (given_name(p, item))
				return -1;
			what = item->where ? "',' or the end" : "where, ',' or the end";
			words = item->where ? "" : "where";
		} else {
			break;
		}
	}
	if (p->tok.kind == TOK_COMMA || p->tok.kind == TOK_END)
		return complete(p, item);
	if (p->tok.kind == TOK_DISTINCT && item->expr->bare && !item->where && !item->given)
		return parser_expected_hint(p, what, in_parentheses(p, item->expr->text, hint));
	if (carries_on(&p->tok))
		return parser_expected_hint(p, what, COMPUTE);
	return item->where ? parser_stray(p, what, words, NULL) : parser_expected(p, what, words);
}

int parse_reduce(const char *flag, const char *text, struct arena *mem, struct named_list *out, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	list(&p, out, agg_item);
	return parser_end(&p, "',' or the end", "");
}
