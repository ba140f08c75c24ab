/* Regular expressions, by PCRE2 with its just-in-time compiler.
 *
 * Patterns and texts are UTF-8; bytes that are not match nothing, and never make a match fail as a whole. Work is bounded: a pattern that
 * would take more than REGEX_STEPS steps from one position gives up. A compiled pattern holds the place for its results, so one is used by one thread.
 * Its memory is charged to the arena's struct mem (but for machine code and its stack, which PCRE2 maps itself) and goes when the arena goes. */
#ifndef WEIR_EXPR_REGEX_H
#define WEIR_EXPR_REGEX_H
#include "core/arena.h"
#include "core/err.h"
#include "ops/expr/text.h"
#include "parse/lang/ast.h"

struct regex;

enum {
	REGEX_STEPS = 1000000, /* PCRE2's match limit: some 10 ms */
	REGEX_STACK = 1 << 20, /* bytes of stack for machine code, at most */
	REGEX_HEAP = 16 << 10, /* KiB for the interpreter, where there is no machine code */
};

enum regex_found { REGEX_NONE, REGEX_FOUND, REGEX_GAVE_UP, REGEX_MEMORY };

/* Compiles an N_REGEX, or a text literal. NULL: a usage error with PCRE2's words and a caret inside the pattern, or memory was refused. */
struct regex *regex_compile(const struct node *node, struct arena *mem, struct err *err);

/* Number of groups in the pattern. */
uint32_t regex_groups(const struct regex *regex);

/* Seeks the first match in x from byte `from` (a character's beginning) on. */
enum regex_found regex_match(const struct regex *regex, struct bytes x, size_t from);

/* What group i (0: the whole) of the last match, which was found in x, holds: bytes begin..end of x. False if it took no part. */
bool regex_group(const struct regex *regex, uint32_t i, size_t *begin, size_t *end);
#endif
