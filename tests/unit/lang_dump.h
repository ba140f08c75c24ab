/* Trees of the little language as s-expressions, for tests: (= a 1)  (and (not b) (in c 1 2))  (sum distinct x)  "text"  5000ms  /re/i */
#ifndef WEIR_TESTS_LANG_DUMP_H
#define WEIR_TESTS_LANG_DUMP_H
#include "core/buf.h"
#include "core/number.h"
#include "parse/lang/parse.h"

static const char *const dump_words[] = {
	[N_OR] = "or",	 [N_AND] = "and",      [N_NOT] = "not",	      [N_NEG] = "neg",	      [N_EQ] = "=",		  [N_NE] = "!=",       [N_LT] = "<",
	[N_LE] = "<=",	 [N_GT] = ">",	       [N_GE] = ">=",	      [N_MATCH] = "=~",	      [N_NOMATCH] = "!~",	  [N_ISNULL] = "null?", [N_NOTNULL] = "value?",
	[N_IN] = "in",	 [N_NOTIN] = "not-in", [N_BETWEEN] = "between", [N_NOTBETWEEN] = "not-between", [N_LIKE] = "like", [N_NOTLIKE] = "not-like", [N_CAT] = "||",
	[N_ADD] = "+",	 [N_SUB] = "-",	       [N_MUL] = "*",	      [N_DIV] = "/",	      [N_MOD] = "%",
};

static inline void dump_bytes(struct buf *out, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];
		if (c < 0x20 || c == '"' || c == '\\')
			buf_printf(out, "\\x%02x", c);
		else
			buf_putc(out, bytes[i]);
	}
}

static inline void dump_literal(struct buf *out, const struct node *node)
{
	char text[VALUE_TEXT_MAX];
	switch (node->value.type) {
	case V_NULL:
		buf_puts(out, "null");
		break;
	case V_BOOL:
		buf_puts(out, node->value.u.i ? "true" : "false");
		break;
	case V_TEXT:
		buf_putc(out, '"');
		dump_bytes(out, node->value.u.p, node->value.len);
		buf_putc(out, '"');
		break;
	default:
		buf_put(out, text, number_print(&node->value, text));
		buf_puts(out, node->duration ? "ms" : node->value.type == V_DBL ? "d" : "");
	}
}

static inline void dump_node(struct buf *out, const struct node *node)
{
	switch (node->kind) {
	case N_LITERAL:
		dump_literal(out, node);
		return;
	case N_REGEX:
		buf_putc(out, '/');
		dump_bytes(out, node->text, node->len);
		buf_printf(out, "/%s", node->flags);
		return;
	case N_STAR:
		buf_putc(out, '*');
		return;
	case N_NAME:
		dump_bytes(out, node->text, node->len);
		for (uint32_t i = 0; i < node->nstep; i++) {
			if (!node->step[i].name) {
				buf_printf(out, "[%lld]", (long long)node->step[i].index);
				continue;
			}
			buf_putc(out, '.');
			dump_bytes(out, node->step[i].name, node->step[i].len);
		}
		return;
	default:
		break;
	}
	buf_putc(out, '(');
	if (node->kind == N_CALL)
		dump_bytes(out, node->text, node->len);
	else
		buf_puts(out, dump_words[node->kind]);
	buf_puts(out, node->bare ? " bare" : node->distinct ? " distinct" : "");
	for (uint32_t i = 0; i < node->narg; i++) {
		buf_putc(out, ' ');
		dump_node(out, node->arg[i]);
	}
	buf_putc(out, ')');
}

/* NAME:EXPR[ where EXPR], ...; a name that was not given has a ~ */
static inline void dump_list(struct buf *out, const struct named_list *list)
{
	for (uint32_t i = 0; i < list->n; i++) {
		const struct named *item = &list->item[i];
		buf_puts(out, i ? ", " : "");
		buf_puts(out, item->given ? "" : "~");
		buf_put(out, item->name, item->len);
		buf_putc(out, ':');
		if (item->expr)
			dump_node(out, item->expr);
		buf_puts(out, item->star ? "<all>" : item->window ? "<window>" : "");
		if (item->where) {
			buf_puts(out, " where ");
			dump_node(out, item->where);
		}
	}
}

static inline void dump_topn(struct buf *out, const struct topn_ast *topn)
{
	static const char *const rank[] = { "row", "rank", "dense" }, *const nulls[] = { "", " nulls-first", " nulls-last" };
	if (topn->variable) {
		dump_node(out, topn->variable);
	} else if (topn->to == INT64_MAX) {
		buf_puts(out, "all");
	} else {
		buf_printf(out, "%lld-%lld", (long long)topn->from, (long long)topn->to);
	}
	buf_printf(out, " %s%s", rank[topn->rank], topn->last ? " last" : "");
	for (uint32_t i = 0; i < topn->nby; i++) {
		buf_puts(out, i ? ", " : " by ");
		dump_node(out, topn->by[i].expr);
		buf_puts(out, topn->by[i].desc ? " desc" : " asc");
		buf_puts(out, nulls[topn->by[i].nulls]);
	}
	if (topn->as) {
		buf_puts(out, " as ");
		buf_put(out, topn->as, topn->as_len);
	}
}
#endif
