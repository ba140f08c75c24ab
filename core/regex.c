#define PCRE2_CODE_UNIT_WIDTH 8
#include "core/regex.h"

#include <pcre2.h>
#include <string.h>

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

/* A pattern of bytes must not ask for UTF-8 itself, as by (*UTF): texts are not checked for it. */
static uint32_t options(enum regex_units units, const char *flags)
{
	uint32_t bits = units == REGEX_UTF8 ? PCRE2_UTF | PCRE2_MATCH_INVALID_UTF : PCRE2_NEVER_UTF;
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

struct regex *regex_make(const char *pattern, size_t n, enum regex_units units, const char *flags, struct arena *mem, struct regex_fault *fault)
{
	*fault = (struct regex_fault){ .text = "" };
	struct regex *regex = arena_alloc(mem, sizeof *regex);
	if (!regex)
		return NULL;
	*regex = (struct regex){ .mem = mem->mem };
	if (arena_defer(mem, release, regex))
		return NULL;
	regex->context = pcre2_general_context_create(take, give_back, mem->mem);
	pcre2_compile_context *context = regex->context ? pcre2_compile_context_create(regex->context) : NULL;
	if (!context)
		return NULL;
	int code;
	regex->code = pcre2_compile((PCRE2_SPTR)pattern, n, options(units, flags), &code, &fault->at, context);
	pcre2_compile_context_free(context);
	if (regex->code)
		return prepare(regex) ? NULL : regex;
	if (code != PCRE2_ERROR_HEAP_FAILED)
		pcre2_get_error_message(code, (PCRE2_UCHAR *)fault->text, sizeof fault->text);
	return NULL;
}

uint32_t regex_groups(const struct regex *regex)
{
	return regex->groups;
}

/* An entry of PCRE2's table of names: the group's number in two bytes, then the name. */
const char *regex_group_name(const struct regex *regex, uint32_t group)
{
	uint32_t names = 0, size = 0;
	PCRE2_SPTR table = NULL;
	pcre2_pattern_info(regex->code, PCRE2_INFO_NAMECOUNT, &names);
	pcre2_pattern_info(regex->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	pcre2_pattern_info(regex->code, PCRE2_INFO_NAMETABLE, &table);
	for (uint32_t i = 0; i < names; i++, table += size)
		if ((uint32_t)(table[0] << 8 | table[1]) == group)
			return (const char *)table + 2;
	return NULL;
}

enum regex_found regex_seek(const struct regex *regex, const char *text, size_t n, size_t from)
{
	PCRE2_SPTR p = (PCRE2_SPTR)(n ? text : "");
	int found = regex->stack ? pcre2_jit_match(regex->code, p, n, from, 0, regex->data, regex->limits)
				 : pcre2_match(regex->code, p, n, from, 0, regex->data, regex->limits);
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
