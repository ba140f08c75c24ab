/* --topn: which ranks, how they number ties, in which order, and the name of the rank. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/nearest.h"
#include "parse/lang/parse.h"
#include "parse/lang/parser.h"

/* A rank: a whole number from 1 on. */
static int rank_number(struct parser *p, int64_t *out)
{
	struct token tok = p->tok;
	if (tok.kind != TOK_NUMBER)
		return parser_expected(p, "a number", "");
	if (parser_whole(p, "a rank", out))
		return -1;
	return *out >= 1 ? 0 : parser_fail(p, tok.at, tok.len, "ranks count from 1");
}

/* N or N..M */
static int rank_range(struct parser *p, struct topn_ast *out)
{
	size_t at = p->tok.at;
	int64_t first;
	if (rank_number(p, &first))
		return -1;
	out->from = 1;
	out->to = first;
	if (!parser_accept(p, TOK_DOTDOT))
		return 0;
	out->from = first;
	if (rank_number(p, &out->to))
		return -1;
	return out->from <= out->to ? 0 : parser_fail(p, at, p->end - at, "no rank is from %lld to %lld", (long long)out->from, (long long)out->to);
}

/* No ranks begin with the token in sight. A minus was meant to turn the order round; top, first are what ranks are. */
static int no_ranks(struct parser *p)
{
	const char *what = "the ranks (10, 2..4, all, last 1 or a (column))", *rest = p->lex.text + p->lex.at;
	char hint[LEX_SHOWN + 20], shown[LEX_SHOWN];
	bool minus = p->tok.kind == TOK_MINUS, first = parser_at_word(p, "top") || parser_at_word(p, "first");
	rest += strspn(rest, " ");
	if (!lex_is_digit(*rest) || !(minus || first))
		return parser_expected(p, what, "all last");
	bool ordered = first || strstr(rest, " by ");
	size_t len = strlen(rest), desc = strlen(" desc");
	bool down = first || (len > desc && !strcasecmp(rest + len - desc, " desc"));
	lex_show(shown, rest, minus && down ? len - desc : len);
	snprintf(hint, sizeof hint, "write: %s%s%s", ordered ? "" : "last ", shown, ordered && !down ? " desc" : "");
	return parser_expected_hint(p, what, hint);
}

static int ranks(struct parser *p, struct topn_ast *out)
{
	out->from = 1;
	out->to = INT64_MAX;
	if (parser_accept_word(p, "all"))
		return 0;
	if (parser_accept_word(p, "last")) {
		out->last = true;
		return rank_number(p, &out->to);
	}
	if (parser_accept(p, TOK_OPEN)) {
		out->variable = parser_path(p);
		return out->variable ? parser_need(p, TOK_CLOSE, "')' behind the column") : -1;
	}
	return p->tok.kind == TOK_NUMBER ? rank_range(p, out) : no_ranks(p);
}

/* The token in sight ends an order: what stands behind one is looked at by the caller. */
static bool order_ends(const struct parser *p)
{
	return p->tok.kind == TOK_COMMA || p->tok.kind == TOK_END || parser_at_word(p, "as");
}

static int order(struct parser *p, struct order_by *by)
{
	*by = (struct order_by){ .expr = parser_expr(p) };
	if (!by->expr)
		return -1;
	bool asc = parser_accept_word(p, "asc");
	by->desc = !asc && parser_accept_word(p, "desc");
	bool nulls = parser_accept_word(p, "nulls");
	if (nulls && parser_accept_word(p, "first"))
		by->nulls = NULLS_FIRST;
	else if (nulls && parser_accept_word(p, "last"))
		by->nulls = NULLS_LAST;
	else if (nulls)
		return parser_expected(p, "first or last", "first last");
	if (order_ends(p))
		return 0;
	if (nulls)
		return parser_expected(p, "',', as or the end", "as");
	if (asc || by->desc)
		return parser_expected(p, "nulls, ',', as or the end", "nulls as");
	return parser_stray(p, "an operator, asc, desc, nulls, ',', as or the end", OPERATOR_WORDS " asc desc nulls as", "columns");
}

/* Behind `by`. */
static int orders(struct parser *p, struct topn_ast *out)
{
	do {
		struct order_by *by = parser_grow(p, out->by, out->nby, sizeof *by);
		if (!by)
			return -1;
		out->by = by;
		if (order(p, &by[out->nby]))
			return -1;
		out->nby++;
	} while (parser_accept(p, TOK_COMMA));
	return 0;
}

/* A name, or the order by of SQL, where `by` is missing: says how the whole is written. */
static int no_by(struct parser *p, bool ranks_only)
{
	static const char *const words[] = { "by", "as", "rank", "dense_rank" };
	const char *what = ranks_only ? "rank, dense_rank, by, as or the end" : "by, as or the end";
	char hint[3 * LEX_SHOWN], head[LEX_SHOWN], rest[LEX_SHOWN];
	int near = p->tok.kind == TOK_NAME && !p->tok.braced ? nearest_slip(p->tok.text, p->tok.n, words, ranks_only ? 4 : 2) : -1;
	if (p->tok.kind != TOK_NAME || near >= 0 || parser_at_word(p, "asc") || parser_at_word(p, "desc"))
		return parser_expected(p, what, ranks_only ? "rank dense_rank by as" : "by as");
	struct parser ahead = *p;
	struct err dropped = { .code = ERR_NONE };
	ahead.err = ahead.lex.err = &dropped;
	if (parser_accept_word(&ahead, "order") || parser_accept_word(&ahead, "sort"))
		parser_accept_word(&ahead, "by");
	if (ahead.tok.kind == TOK_END)
		ahead = *p;
	lex_show(head, p->lex.text, p->tok.at);
	lex_show(rest, p->lex.text + ahead.tok.at, p->lex.len - ahead.tok.at);
	snprintf(hint, sizeof hint, "write: %sby %s", head, rest);
	return parser_expected_hint(p, what, hint);
}

static int topn(struct parser *p, struct topn_ast *out)
{
	if (ranks(p, out))
		return -1;
	if (parser_accept_word(p, "rank"))
		out->rank = RANK_RANK;
	else if (parser_accept_word(p, "dense_rank"))
		out->rank = RANK_DENSE;
	bool by = parser_accept_word(p, "by");
	if (by && orders(p, out))
		return -1;
	bool as = parser_accept_word(p, "as");
	if (as && parser_name(p, "a name behind 'as'", &out->as, &out->as_len))
		return -1;
	if (p->tok.kind == TOK_END || by || as)
		return parser_end(p, "the end", "");
	return no_by(p, out->rank == RANK_ROW);
}

int parse_topn(const char *flag, const char *text, struct arena *mem, struct topn_ast *out, struct err *err)
{
	struct parser p;
	*out = (struct topn_ast){ .rank = RANK_ROW };
	parser_init(&p, flag, text, mem, err);
	return topn(&p, out);
}
