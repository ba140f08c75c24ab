/* Operators, by recursive descent: one function a level of the grammar, the levels of plain binary operators in one loop. From the loosest:
 *
 *     or   and   not   = < =~ is in between like ...   ||   + -   * / %   -x   primary (parse_primary.c)
 *
 * Recursion is bounded by NESTED_MAX, the height of what loops build by NODE_DEPTH_MAX. */
#include <string.h>

#include "parse/lang/parse.h"
#include "parse/lang/parser.h"

enum { NESTED_MAX = 200 };

/* A node over its operands; NULL if one is missing or memory is refused. */
static struct node *operation(struct parser *p, enum node_kind kind, size_t at, struct node *a, struct node *b)
{
	struct node *node = a && b ? parser_node(p, kind, at) : NULL;
	return node && !parser_child(p, node, a) && !parser_child(p, node, b) ? node : NULL;
}

static struct node *operation1(struct parser *p, enum node_kind kind, size_t at, struct node *a)
{
	struct node *node = a ? parser_node(p, kind, at) : NULL;
	return node && !parser_child(p, node, a) ? node : NULL;
}

/* Enters one more level of nesting; each success is answered by a p->nested--. */
static bool deeper(struct parser *p)
{
	if (p->nested == NESTED_MAX) {
		parser_fail(p, p->tok.at, p->tok.len, "nested more than %d deep", NESTED_MAX);
		return false;
	}
	p->nested++;
	return true;
}

static struct node *unary(struct parser *p)
{
	size_t at = p->tok.at;
	if (p->tok.kind != TOK_MINUS)
		return parser_primary(p);
	if (!deeper(p))
		return NULL;
	parser_next(p);
	struct node *node = operation1(p, N_NEG, at, unary(p));
	p->nested--;
	return node;
}

/* Levels of left-associative operators. N_LITERAL stands for: no operator of this level. */
enum level { LEVEL_OR, LEVEL_AND, LEVEL_CAT, LEVEL_SUM, LEVEL_PRODUCT };

static enum node_kind operator_of(enum level level, enum token_kind tok)
{
	static const struct {
		enum level level;
		enum token_kind tok;
		enum node_kind kind;
	} table[] = {
		{ LEVEL_OR, TOK_OR, N_OR },      { LEVEL_AND, TOK_AND, N_AND },      { LEVEL_CAT, TOK_CAT, N_CAT },       { LEVEL_SUM, TOK_PLUS, N_ADD },
		{ LEVEL_SUM, TOK_MINUS, N_SUB }, { LEVEL_PRODUCT, TOK_STAR, N_MUL }, { LEVEL_PRODUCT, TOK_SLASH, N_DIV }, { LEVEL_PRODUCT, TOK_PERCENT, N_MOD },
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].level == level && table[i].tok == tok)
			return table[i].kind;
	return N_LITERAL;
}

static struct node *negation(struct parser *p);
static struct node *chain(struct parser *p, enum level level);

static struct node *operand(struct parser *p, enum level level)
{
	switch (level) {
	case LEVEL_OR:
		return chain(p, LEVEL_AND);
	case LEVEL_AND:
		return negation(p);
	case LEVEL_CAT:
		return chain(p, LEVEL_SUM);
	case LEVEL_SUM:
		return chain(p, LEVEL_PRODUCT);
	default:
		return unary(p);
	}
}

static struct node *chain(struct parser *p, enum level level)
{
	size_t at = p->tok.at;
	struct node *left = operand(p, level);
	enum node_kind kind;
	while (left && (kind = operator_of(level, p->tok.kind)) != N_LITERAL) {
		parser_next(p);
		struct node *right = operand(p, level);
		left = operation(p, kind, at, left, right);
	}
	return left;
}

/* Where a pattern without its delimiters ends: at a blank, or at a parenthesis that the pattern did not open. */
static size_t bare_pattern(const char *text, size_t len)
{
	size_t n = 0, open = 0;
	for (; n < len && !strchr(" \t\r\n", text[n]); n++) {
		if (text[n] == ')' && !open)
			break;
		open += text[n] == '(';
		open -= text[n] == ')';
	}
	return n;
}

/* Complains about a pattern that stands bare behind =~, which is in sight; what does not begin like one is left to others. */
static int no_bare_pattern(struct parser *p)
{
	size_t at = p->lex.at + strspn(p->lex.text + p->lex.at, " \t\r\n"), to = 0;
	const char *text = p->lex.text + at;
	size_t n = strchr("/'\"", *text) ? 0 : bare_pattern(text, p->lex.len - at);
	char guarded[2 * 80], pattern[LEX_SHOWN], quoted[LEX_SHOWN];
	if (!n || n > 80)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '/' && (!i || text[i - 1] != '\\'))
			guarded[to++] = '\\';
		guarded[to++] = text[i];
	}
	char quote = memchr(text, '\'', n) ? '"' : '\'';
	return parser_fail(p, at, n, "a pattern is written /%s/ or %c%s%c", lex_show(pattern, guarded, to), quote, lex_show(quoted, text, n), quote);
}

static struct node *pattern_match(struct parser *p, size_t at, struct node *left)
{
	enum node_kind kind = p->tok.kind == TOK_MATCH ? N_MATCH : N_NOMATCH;
	if (no_bare_pattern(p))
		return NULL;
	parser_next(p);
	if (p->tok.kind == TOK_SLASH)
		return operation(p, kind, at, left, parser_regex(p));
	if (p->tok.kind == TOK_TEXT)
		return operation(p, kind, at, left, parser_literal(p, value_text(p->tok.text, p->tok.n)));
	parser_expected(p, "a pattern, /.../ or a text", "");
	return NULL;
}

/* at: where the expression begins; the word `is` is in sight. */
static struct node *is_null(struct parser *p, size_t at, struct node *left)
{
	parser_next(p);
	bool not = parser_accept(p, TOK_NOT);
	if (parser_need(p, TOK_NULL, not ? "null" : "null or not null"))
		return NULL;
	return operation1(p, not ? N_NOTNULL : N_ISNULL, at, left);
}

static struct node *in_list(struct parser *p, enum node_kind kind, size_t at, struct node *left)
{
	struct node *node = operation1(p, kind, at, left);
	if (!node || parser_need(p, TOK_OPEN, "'(' and a list") || parser_args(p, node, false))
		return NULL;
	node->span.len = p->end - at;
	return node;
}

static struct node *between(struct parser *p, enum node_kind kind, size_t at, struct node *left)
{
	struct node *low = chain(p, LEVEL_CAT);
	if (!low || parser_need(p, TOK_AND, "and with the upper limit"))
		return NULL;
	struct node *high = chain(p, LEVEL_CAT);
	struct node *node = operation(p, kind, at, left, low);
	return node && high && !parser_child(p, node, high) ? node : NULL;
}

/* [not] in, between, like. */
static struct node *membership(struct parser *p, size_t at, struct node *left)
{
	bool not = parser_accept(p, TOK_NOT);
	if (parser_accept(p, TOK_IN))
		return in_list(p, not ? N_NOTIN : N_IN, at, left);
	if (parser_accept(p, TOK_BETWEEN))
		return between(p, not ? N_NOTBETWEEN : N_BETWEEN, at, left);
	if (parser_accept(p, TOK_LIKE))
		return operation(p, not ? N_NOTLIKE : N_LIKE, at, left, chain(p, LEVEL_CAT));
	parser_expected(p, "in, between or like behind 'not'", "in between like");
	return NULL;
}

static struct node *comparison(struct parser *p, size_t at, struct node *left)
{
	static const enum node_kind kind[] = { N_EQ, N_NE, N_LT, N_LE, N_GT, N_GE }; /* in the order of the tokens */
	enum token_kind tok = p->tok.kind;
	parser_next(p);
	return operation(p, kind[tok - TOK_EQ], at, left, chain(p, LEVEL_CAT));
}

/* The token begins what makes a test of an operand. */
static bool is_test(enum token_kind tok)
{
	return lex_is_comparison(tok) || lex_is_match(tok) || lex_is_test_word(tok);
}

static struct node *test(struct parser *p)
{
	size_t at = p->tok.at;
	struct node *node = chain(p, LEVEL_CAT);
	if (!node || !is_test(p->tok.kind))
		return node;
	if (lex_is_comparison(p->tok.kind))
		node = comparison(p, at, node);
	else if (p->tok.kind == TOK_IS)
		node = is_null(p, at, node);
	else if (lex_is_match(p->tok.kind))
		node = pattern_match(p, at, node);
	else
		node = membership(p, at, node);
	if (!node || !is_test(p->tok.kind))
		return node;
	bool joined = node->arg[node->narg - 1]->kind == N_CAT;
	parser_fail(p, p->tok.at, p->tok.len, "comparisons do not chain; %s",
		    joined ? "|| joins texts: write or between conditions" : "write and between two of them, or set parentheses");
	return NULL;
}

static struct node *negation(struct parser *p)
{
	size_t at = p->tok.at;
	if (p->tok.kind != TOK_NOT)
		return test(p);
	if (!deeper(p))
		return NULL;
	parser_next(p);
	struct node *node = operation1(p, N_NOT, at, negation(p));
	p->nested--;
	return node;
}

static struct node *from_level(struct parser *p, enum level level)
{
	if (!deeper(p))
		return NULL;
	struct node *node = chain(p, level);
	p->nested--;
	return node;
}

struct node *parser_expr(struct parser *p)
{
	return from_level(p, LEVEL_OR);
}

struct node *parser_sum(struct parser *p)
{
	return from_level(p, LEVEL_SUM);
}

int parse_expr(const char *flag, const char *text, struct arena *mem, struct node **out, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	*out = parser_expr(&p);
	if (p.tok.kind == TOK_COMMA)
		return parser_expected_hint(&p, "an operator or the end", "join conditions with and");
	return parser_end_stray(&p, "an operator or the end", OPERATOR_WORDS, NULL);
}
