/* LIKE patterns: % any run of characters, _ one character, a backslash takes the character behind it as it is. */
#ifndef WEIR_EXPR_LIKE_H
#define WEIR_EXPR_LIKE_H
#include <stdbool.h>

#include "ops/expr/text.h"

/* What a pattern asks for, so that the simple ones cost a memcmp. */
struct like {
	enum { LIKE_WHOLE, LIKE_BEGIN, LIKE_END, LIKE_INSIDE, LIKE_GENERAL } shape;
	struct bytes text; /* the literal part; LIKE_GENERAL: the pattern */
};

/* Is the pattern complete? One that ends in a lone backslash is not. */
bool like_valid(struct bytes pattern);

/* Plans a valid pattern. The literal part is written into room, of pattern.n bytes. */
struct like like_plan(struct bytes pattern, char *room);

/* Does x match? Time is at most the product of the lengths. */
bool like_match(const struct like *like, struct bytes x);
#endif
