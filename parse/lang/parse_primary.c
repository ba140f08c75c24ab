/* The leaves of expressions: literals, names with steps, calls, parentheses. */
#include <stdio.h>

#include "parse/lang/parser.h"
#include "parse/lang/synonym.h"

struct node *parser_node(struct parser *p, enum node_kind kind, size_t at)
{
	struct node *node = arena_alloc(p->mem, sizeof *node);
	if (!node) {
		parser_memory(p);
		return NULL;
	}
	*node = (struct node){ .kind = kind, .depth = 1, .span = lex_span(&p->lex, at, p->end - at) };
	return node;
}

int parser_child(struct parser *p, struct node *node, struct node *child)
{
	struct node **arg = parser_grow(p, node->arg, node->narg, sizeof *arg);
	if (!arg)
		return -1;
	node->arg = arg;
	arg[node->narg++] = child;
	if (child->depth >= node->depth)
		node->depth = child->depth + 1;
	if (node->depth > NODE_DEPTH_MAX)
		return parser_fail(p, p->end - 1, 1, "more than %d operators in a row", NODE_DEPTH_MAX - 1);
	return 0;
}

struct node *parser_literal(struct parser *p, struct value value)
{
	size_t at = p->tok.at;
	bool duration = p->tok.kind == TOK_DURATION;
	parser_next(p);
	struct node *node = parser_node(p, N_LITERAL, at);
	if (node) {
		node->value = value;
		node->duration = duration;
	}
	return node;
}

struct node *parser_regex(struct parser *p)
{
	if (parser_slash_to_regex(p))
		return NULL;
	struct token tok = p->tok;
	parser_next(p);
	struct node *node = parser_node(p, N_REGEX, tok.at);
	if (node) {
		node->text = tok.text;
		node->len = tok.n;
		node->flags = tok.flags;
	}
	return node;
}

/* The arguments of `node` go on with something else than a comma or the end. */
static int unfinished(struct parser *p, const struct node *node)
{
	const char *what = "an operator, ',' or ')'";
	struct synonym synonym;
	char hint[LEX_SHOWN];
	if (p->tok.kind == TOK_END || node->kind != N_CALL || !synonym_find(node->text, node->len, &synonym))
		return parser_stray(p, what, OPERATOR_WORDS, node->kind == N_CALL ? "arguments" : "values");
	snprintf(hint, sizeof hint, "%s is written %s here", node->text, synonym.here);
	return parser_expected_hint(p, what, hint);
}

int parser_args(struct parser *p, struct node *node, bool regexes)
{
	do {
		struct node *arg = regexes && p->tok.kind == TOK_SLASH ? parser_regex(p) : parser_expr(p);
		if (!arg || parser_child(p, node, arg))
			return -1;
	} while (parser_accept(p, TOK_COMMA));
	return parser_accept(p, TOK_CLOSE) ? 0 : unfinished(p, node);
}

/* Behind the opening parenthesis. */
static struct node *call(struct parser *p, const struct token *name)
{
	struct node *node = parser_node(p, N_CALL, name->at);
	if (!node)
		return NULL;
	node->text = name->text;
	node->len = name->n;
	if (!parser_accept(p, TOK_CLOSE) && parser_args(p, node, true))
		return NULL;
	node->span.len = p->end - name->at;
	return node;
}

/* Behind "[". */
static int index_step(struct parser *p, struct step *step)
{
	bool minus = parser_accept(p, TOK_MINUS);
	*step = (struct step){ .name = NULL };
	if (p->tok.kind != TOK_NUMBER)
		return parser_expected_hint(p, "a number", p->tok.kind == TOK_TEXT ? "a member is .name or .{odd name}" : NULL);
	if (parser_whole(p, "an index", &step->index))
		return -1;
	if (minus)
		step->index = -step->index;
	return parser_need(p, TOK_CLOSE_INDEX, "']'");
}

/* Behind ".": reserved words are no trouble here. */
static int name_step(struct parser *p, struct step *step)
{
	if (p->tok.kind != TOK_NAME && !lex_is_reserved(p->tok.kind))
		return parser_expected_hint(p, "a name behind '.'", p->tok.kind == TOK_NUMBER ? "an element is [0], a member .{0}" : NULL);
	*step = (struct step){ .name = p->tok.text, .len = p->tok.n };
	parser_next(p);
	return 0;
}

static struct node *steps(struct parser *p, const struct token *name)
{
	struct node *node = parser_node(p, N_NAME, name->at);
	if (!node)
		return NULL;
	node->text = name->text;
	node->len = name->n;
	while (p->tok.kind == TOK_DOT || p->tok.kind == TOK_OPEN_INDEX) {
		bool dot = p->tok.kind == TOK_DOT;
		parser_next(p);
		struct step *step = parser_grow(p, node->step, node->nstep, sizeof *step);
		if (!step)
			return NULL;
		node->step = step;
		if (dot ? name_step(p, &step[node->nstep]) : index_step(p, &step[node->nstep]))
			return NULL;
		node->nstep++;
	}
	node->span.len = p->end - name->at;
	return node;
}

struct node *parser_path(struct parser *p)
{
	struct token name = p->tok;
	const char *text;
	uint32_t len;
	return parser_name(p, "a column", &text, &len) ? NULL : steps(p, &name);
}

/* What was probably meant by a token that begins no expression; NULL: no idea. */
static const char *operand_hint(const struct token *tok, char out[80])
{
	if (tok->kind == TOK_SLASH)
		return "a regular expression stands behind =~ or !~, or as an argument";
	if (tok->kind == TOK_NOT)
		return "write (not ...)";
	if (tok->kind == TOK_DISTINCT)
		return "distinct stands in an aggregate: count(distinct x)";
	if (!lex_is_reserved(tok->kind))
		return NULL;
	snprintf(out, 80, "a column of that name is {%s}", tok->text);
	return out;
}

static struct node *parenthesis(struct parser *p)
{
	parser_next(p);
	struct node *inner = parser_expr(p);
	if (!inner || parser_accept(p, TOK_CLOSE))
		return inner;
	parser_stray(p, "an operator or ')'", OPERATOR_WORDS, NULL);
	return NULL;
}

struct node *parser_primary(struct parser *p)
{
	struct token tok = p->tok;
	char hint[80];
	switch (tok.kind) {
	case TOK_NUMBER:
	case TOK_DURATION:
		return parser_literal(p, tok.value);
	case TOK_TEXT:
		return parser_literal(p, value_text(tok.text, tok.n));
	case TOK_TRUE:
	case TOK_FALSE:
		return parser_literal(p, value_bool(tok.kind == TOK_TRUE));
	case TOK_NULL:
		return parser_literal(p, value_null());
	case TOK_OPEN:
		return parenthesis(p);
	case TOK_NAME:
		parser_next(p);
		return parser_accept(p, TOK_OPEN) ? call(p, &tok) : steps(p, &tok);
	default:
		parser_expected_hint(p, "an expression", operand_hint(&tok, hint));
		return NULL;
	}
}
