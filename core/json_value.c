/* From pieces of text to values: escapes resolved where there are some. */
#include <string.h>

#include "core/json_in.h"
#include "core/utf8.h"

/* Four hexadecimal digits. */
static uint32_t hex4(const char *p)
{
	uint32_t n = 0;
	for (int i = 0; i < 4; i++)
		n = n << 4 | (uint32_t)hex_digit(p[i]);
	return n;
}

/* \uXXXX; two of them may be the halves of one character. */
static uint32_t unicode(const char **p, const char *end, char out[4])
{
	uint32_t c = hex4(*p + 2);
	*p += 6;
	uint32_t low = is_high_half(c) && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u' ? hex4(*p + 2) : 0;
	if (!is_low_half(low))
		return char_put(c, out);
	*p += 6;
	return char_put(join_halves(c, low), out);
}

uint32_t json_escape(const char **p, const char *end, char out[4])
{
	char c = (*p)[1];
	if (c == 'u')
		return unicode(p, end, out);
	*p += 2;
	*out = c == 'b' ? '\b' : c == 'f' ? '\f' : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
	return 1;
}

/* Resolves all escapes, which never makes a text longer. Gives its length; *clean: see VF_CLEAN. */
static uint32_t resolve(const char *p, uint32_t len, char *to, bool *clean)
{
	const char *end = p + len;
	char *begin = to;
	*clean = true;
	while (p < end) {
		const char *slash = memchr(p, '\\', (size_t)(end - p));
		size_t plain = (size_t)((slash ? slash : end) - p);
		memcpy(to, p, plain);
		to += plain;
		p += plain;
		if (!slash)
			break;
		char out[4];
		uint32_t n = json_escape(&p, end, out);
		memcpy(to, out, n);
		to += n;
		*clean &= n > 1 || (*out != '\t' && *out != '\n' && *out != '\r' && *out != '\\');
	}
	return (uint32_t)(to - begin);
}

/* Was the node met in the text read last, and has nothing above it been replaced since? */
static bool counts(const struct json_node *node)
{
	for (; node->parent; node = node->parent)
		if (node->under != node->parent->met)
			return false;
	return true;
}

static int value_of(const struct json_node *node, struct arena *mem, struct value *out)
{
	unsigned flags = 0;
	*out = (struct value){ .type = V_RAW, .len = node->len, .u.p = node->p };
	switch ((enum json_kind)node->kind) {
	case J_NULL:
		*out = value_null();
		return 0;
	case J_BOOL:
		flags = VF_CLEAN | VF_JSON;
		break;
	case J_NUMBER:
		flags = VF_CLEAN;
		break;
	case J_STRING:
		flags = VF_CLEAN | VF_QUOTED;
		break;
	case J_ESCAPED: {
		bool clean;
		char *copy = arena_alloc(mem, node->len);
		if (!copy)
			return -1;
		out->len = resolve(node->p, node->len, copy, &clean);
		out->u.p = copy;
		flags = VF_QUOTED | (clean ? VF_CLEAN : 0);
		break;
	}
	case J_NESTED:
		flags = memchr(node->p, '\n', node->len) ? 0 : VF_JSON;
		break;
	}
	out->flags = (uint16_t)flags;
	return 0;
}

int json_value(const struct json *json, uint32_t i, struct arena *mem, struct value *out)
{
	const struct json_found *found = &json->path[i];
	if (found->dotted && counts(found->dotted))
		return value_of(found->dotted, mem, out);
	if (counts(found->node))
		return value_of(found->node, mem, out);
	*out = value_null();
	return 0;
}
