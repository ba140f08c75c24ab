#include "ops/expr/regex.h"

/* Where byte `offset` of the pattern stands in the argument. A regex lost the backslash of each \/; a text whose length tells that it lost
 * something else is marked as a whole. */
static struct span locate(const struct node *node, size_t offset)
{
	struct span span = node->span;
	if (!span.text || span.len < 2 || (node->kind != N_REGEX && span.len != (size_t)node->value.len + 2))
		return span;
	const char *p = span.text + span.at + 1, *end = span.text + span.at + span.len - 1;
	for (size_t i = 0; i < offset && p < end; i++)
		p += node->kind == N_REGEX && p[0] == '\\' && p[1] == '/' ? 2 : 1;
	span.at = (size_t)(p - span.text);
	span.len = 1;
	return span;
}

struct regex *regex_compile(const struct node *node, struct arena *mem, struct err *err)
{
	bool literal = node->kind == N_LITERAL;
	struct regex_fault fault;
	struct regex *regex = literal ? regex_make(node->value.u.p, node->value.len, REGEX_UTF8, NULL, mem, &fault)
				      : regex_make(node->text, node->len, REGEX_UTF8, node->flags, mem, &fault);
	if (regex)
		return regex;
	if (*fault.text)
		err_at(err, locate(node, fault.at), "regular expression: %s", fault.text);
	else
		err_memory(err);
	return NULL;
}
