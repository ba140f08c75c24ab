/* Regular expressions of the language: /pattern/flags, or a text. Patterns and texts are UTF-8, see core/regex.h. */
#ifndef WEIR_EXPR_REGEX_H
#define WEIR_EXPR_REGEX_H
#include "core/err.h"
#include "core/regex.h"
#include "ops/expr/text.h"
#include "parse/lang/ast.h"

/* Compiles an N_REGEX, or a text literal. NULL: a usage error with PCRE2's words and a caret inside the pattern, or memory was refused. */
struct regex *regex_compile(const struct node *node, struct arena *mem, struct err *err);

/* Seeks the first match in x from byte `from` (a character's beginning) on. */
static inline enum regex_found regex_match(const struct regex *regex, struct bytes x, size_t from) { return regex_seek(regex, x.p, x.n, from); }
#endif
