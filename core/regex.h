/* Regular expressions, by PCRE2 with its just-in-time compiler.
 *
 * Work is bounded: a pattern that would take more than REGEX_STEPS steps from one position gives up. A compiled pattern holds the place for its results, so
 * one is used by one thread. Its memory is charged to the arena's struct mem (but for machine code and its stack, which PCRE2 maps itself) and goes when the
 * arena goes. */
#ifndef WEIR_REGEX_H
#define WEIR_REGEX_H
#include <stdbool.h>

#include "core/arena.h"

struct regex;

enum {
	REGEX_STEPS = 1000000, /* PCRE2's match limit: some 10 ms */
	REGEX_STACK = 1 << 20, /* bytes of stack for machine code, at most */
	REGEX_HEAP = 16 << 10, /* KiB for the interpreter, where there is no machine code */
};

/* What a pattern is made of. */
enum regex_units {
	REGEX_UTF8,  /* characters; in a text, bytes that are none match nothing, and never make a match fail as a whole */
	REGEX_BYTES, /* bytes: `.` is any one but LF */
};

/* Why a pattern is none. */
struct regex_fault {
	char text[256]; /* in PCRE2's words; empty: memory was refused */
	size_t at;      /* the byte of the pattern where it was noticed */
};

enum regex_found { REGEX_NONE, REGEX_FOUND, REGEX_GAVE_UP, REGEX_MEMORY };

/* Compiles n bytes, which need not last; flags are letters of i, m, s, x, or NULL. NULL with *fault set. */
struct regex *regex_make(const char *pattern, size_t n, enum regex_units units, const char *flags, struct arena *mem, struct regex_fault *fault);

/* Number of groups in the pattern. */
uint32_t regex_groups(const struct regex *regex);

/* The name of group i (from 1), NUL-terminated, as long-lived as the pattern; NULL: it has none. */
const char *regex_group_name(const struct regex *regex, uint32_t i);

/* Seeks the first match in p[0..n) from byte `from` (with REGEX_UTF8 a character's beginning) on. */
enum regex_found regex_seek(const struct regex *regex, const char *p, size_t n, size_t from);

/* What group i (0: the whole) of the last match holds: bytes begin..end of its text. False if it took no part. */
bool regex_group(const struct regex *regex, uint32_t i, size_t *begin, size_t *end);
#endif
