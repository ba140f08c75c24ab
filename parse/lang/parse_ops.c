/* Lists of named expressions: --select, --keyby, --reduce. */
#include <string.h>

#include "core/nearest.h"
#include "parse/lang/parse.h"
#include "parse/lang/parser.h"

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
	return parser_end(&p, "an operator, as, ',' or the end", OPERATOR_WORDS " as");
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
	return parser_end(&p, "an operator, as, ',' or the end", OPERATOR_WORDS " as");
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

/* Complains about a word without parentheses that is not count. */
static void bare_word(struct parser *p, const struct token *name)
{
	static const char *const words[] = { "count" };
	char shown[LEX_SHOWN];
	bool near = !name->braced && nearest_word(name->text, name->n, words, 1) == 0;
	parser_fail(p, name->at, name->len, "'%s' needs its argument in parentheses; %s", lex_show(shown, name->text, name->n),
		    near ? "did you mean 'count'?" : "only count may stand alone");
}

/* count, sum(x), ... */
static struct node *aggregate(struct parser *p)
{
	struct token name = p->tok;
	if (name.kind != TOK_NAME) {
		bool computes = name.kind == TOK_NUMBER || name.kind == TOK_OPEN || name.kind == TOK_MINUS;
		parser_expected_hint(p, "an aggregate such as count or sum(x)", computes ? COMPUTE : NULL);
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
	return carries_on(&p->tok) ? parser_expected_hint(p, what, COMPUTE) : parser_expected(p, what, words);
}

int parse_reduce(const char *flag, const char *text, struct arena *mem, struct named_list *out, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	list(&p, out, agg_item);
	return parser_end(&p, "',' or the end", "");
}
