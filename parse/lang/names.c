/* Names for what has no `as`: the words and numbers of the expression, as written and in the order written, joined by _.
 *
 *     sum(distinct req.bytes)  sum_req_bytes        quantile(x, 0.9)  quantile_x_0.9        x is not null  x_is_not_null
 *
 * Texts, patterns and signs give nothing; an expression of these alone is called "text". */
#include <stdio.h>
#include <string.h>

#include "parse/lang/parser.h"

/* Collects the name: with `to` NULL it only counts. */
struct joined {
	char *to;
	size_t n;
};

static void add(struct joined *out, const char *word, size_t len)
{
	if (out->n) {
		if (out->to)
			out->to[out->n] = '_';
		out->n++;
	}
	if (out->to)
		memcpy(out->to + out->n, word, len);
	out->n += len;
}

static void add_name(struct joined *out, const struct node *node)
{
	add(out, node->text, node->len);
	for (uint32_t i = 0; i < node->nstep; i++) {
		const struct step *step = &node->step[i];
		char digits[24];
		if (step->name)
			add(out, step->name, step->len);
		else
			add(out, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)(step->index < 0 ? -step->index : step->index)));
	}
}

/* The word of an operator that is one; it stands behind the first operand (not: before it). */
static const char *operator_word(enum node_kind kind)
{
	switch (kind) {
	case N_OR:
		return "or";
	case N_AND:
		return "and";
	case N_NOT:
		return "not";
	case N_ISNULL:
		return "is_null";
	case N_NOTNULL:
		return "is_not_null";
	case N_IN:
		return "in";
	case N_NOTIN:
		return "not_in";
	case N_BETWEEN:
		return "between";
	case N_NOTBETWEEN:
		return "not_between";
	case N_LIKE:
		return "like";
	case N_NOTLIKE:
		return "not_like";
	default:
		return NULL;
	}
}

static void collect(struct joined *out, const struct node *node)
{
	const char *word = operator_word(node->kind);
	bool three = node->kind == N_BETWEEN || node->kind == N_NOTBETWEEN;
	if (node->kind == N_LITERAL && node->value.type != V_TEXT)
		add(out, node->span.text + node->span.at, node->span.len);
	if (node->kind == N_NAME || node->kind == N_CALL)
		add_name(out, node);
	if (node->kind == N_NOT)
		add(out, word, strlen(word));
	for (uint32_t i = 0; i < node->narg; i++) {
		if (three && i == 2)
			add(out, "and", 3);
		collect(out, node->arg[i]);
		if (word && i == 0 && node->kind != N_NOT)
			add(out, word, strlen(word));
	}
}

int parser_auto_name(struct parser *p, const struct node *node, const char **name, uint32_t *len)
{
	struct joined count = { .to = NULL }, fill = { .to = NULL };
	collect(&count, node);
	if (!count.n) {
		*name = "text";
		*len = 4;
		return 0;
	}
	fill.to = arena_alloc(p->mem, count.n + 1);
	if (!fill.to)
		return parser_memory(p);
	collect(&fill, node);
	fill.to[fill.n] = '\0';
	*name = fill.to;
	*len = (uint32_t)fill.n;
	return 0;
}
