#define PCRE2_CODE_UNIT_WIDTH 8
#include "ops/expr/regex.h"

#include <pcre2.h>

struct regex {
	struct mem *mem;
	pcre2_general_context *context;
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
	pcre2_jit_stack *stack; /* NULL: no machine code, the interpreter runs */
	uint32_t groups;
};

/* struct mem wants sizes back: each block begins with its own, and keeps the alignment of malloc. */
enum { SIZE_ROOM = 16 };

static void *take(size_t n, void *mem)
{
	size_t whole = n + SIZE_ROOM;
	char *block = whole > n ? mem_alloc(mem, whole) : NULL;
	if (!block)
		return NULL;
	memcpy(block, &whole, sizeof whole);
	return block + SIZE_ROOM;
}

static void give_back(void *p, void *mem)
{
	if (!p)
		return;
	char *block = (char *)p - SIZE_ROOM;
	size_t whole;
	memcpy(&whole, block, sizeof whole);
	mem_free(mem, block, whole);
}

/* Runs when the arena goes. PCRE2 takes NULL for each of these. */
static void release(void *what)
{
	struct regex *regex = what;
	pcre2_jit_stack_free(regex->stack);
	pcre2_match_data_free(regex->data);
	pcre2_match_context_free(regex->limits);
	pcre2_code_free(regex->code);
	pcre2_general_context_free(regex->context);
}

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

static struct regex *invalid(const struct node *node, int code, size_t offset, struct err *err)
{
	PCRE2_UCHAR text[256];
	pcre2_get_error_message(code, text, sizeof text);
	err_at(err, locate(node, offset), "regular expression: %s", (const char *)text);
	return NULL;
}

static uint32_t options(const char *flags)
{
	uint32_t bits = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
	for (; flags && *flags; flags++)
		bits |= *flags == 'i' ? PCRE2_CASELESS : *flags == 'm' ? PCRE2_MULTILINE : *flags == 's' ? PCRE2_DOTALL : PCRE2_EXTENDED;
	return bits;
}

/* The place for results, the limits, and machine code if the machine lets us make some. -1 if memory is refused. */
static int prepare(struct regex *regex)
{
	regex->data = pcre2_match_data_create_from_pattern(regex->code, regex->context);
	regex->limits = pcre2_match_context_create(regex->context);
	if (!regex->data || !regex->limits)
		return -1;
	pcre2_set_match_limit(regex->limits, REGEX_STEPS);
	pcre2_set_heap_limit(regex->limits, REGEX_HEAP);
	pcre2_pattern_info(regex->code, PCRE2_INFO_CAPTURECOUNT, &regex->groups);
	size_t machine_code = 0; /* bytes; a pattern can forbid it, and so can the system */
	if (pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE) || pcre2_pattern_info(regex->code, PCRE2_INFO_JITSIZE, &machine_code) || !machine_code)
		return 0;
	regex->stack = pcre2_jit_stack_create(32 << 10, REGEX_STACK, regex->context);
	if (!regex->stack)
		return -1;
	pcre2_jit_stack_assign(regex->limits, NULL, regex->stack);
	return 0;
}

static struct regex *refused(struct err *err)
{
	err_memory(err);
	return NULL;
}

struct regex *regex_compile(const struct node *node, struct arena *mem, struct err *err)
{
	bool literal = node->kind == N_LITERAL;
	const char *pattern = literal ? node->value.u.p : node->text;
	size_t len = literal ? node->value.len : node->len;
	struct regex *regex = arena_alloc(mem, sizeof *regex);
	if (!regex)
		return refused(err);
	*regex = (struct regex){ .mem = mem->mem };
	if (arena_defer(mem, release, regex))
		return refused(err);
	regex->context = pcre2_general_context_create(take, give_back, mem->mem);
	pcre2_compile_context *context = regex->context ? pcre2_compile_context_create(regex->context) : NULL;
	if (!context)
		return refused(err);
	int code;
	size_t offset;
	regex->code = pcre2_compile((PCRE2_SPTR)pattern, len, options(literal ? NULL : node->flags), &code, &offset, context);
	pcre2_compile_context_free(context);
	if (!regex->code)
		return code == PCRE2_ERROR_HEAP_FAILED ? refused(err) : invalid(node, code, offset, err);
	return prepare(regex) ? refused(err) : regex;
}

uint32_t regex_groups(const struct regex *regex)
{
	return regex->groups;
}

enum regex_found regex_match(const struct regex *regex, struct bytes x, size_t from)
{
	PCRE2_SPTR p = (PCRE2_SPTR)(x.n ? x.p : "");
	int found = regex->stack ? pcre2_jit_match(regex->code, p, x.n, from, 0, regex->data, regex->limits)
				 : pcre2_match(regex->code, p, x.n, from, 0, regex->data, regex->limits);
	if (found >= 0)
		return REGEX_FOUND;
	return found == PCRE2_ERROR_NOMATCH ? REGEX_NONE : found == PCRE2_ERROR_NOMEMORY ? REGEX_MEMORY : REGEX_GAVE_UP;
}

bool regex_group(const struct regex *regex, uint32_t i, size_t *begin, size_t *end)
{
	const size_t *pair = pcre2_get_ovector_pointer(regex->data) + 2 * (size_t)i;
	*begin = pair[0];
	*end = pair[1];
	return pair[0] != PCRE2_UNSET && pair[0] <= pair[1];
}
