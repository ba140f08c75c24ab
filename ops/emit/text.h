/* Texts on their way into the output: escapes, and copies of short runs of bytes. */
#ifndef WEIR_EMIT_TEXT_H
#define WEIR_EMIT_TEXT_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/value.h"

/* Which bytes a format does not write as they are. code[b]: 0 as it is; 'x' as \xHH; else a backslash and that letter. */
struct escape {
	uint8_t code[256];
	bool any;   /* some byte has a code */
	bool trust; /* a text marked VF_CLEAN has no byte with a code */
};

enum { ESCAPE_GROWTH = 4 /* bytes that one can become */ };

/* `letters` names bytes that become two: t TAB, n LF, r CR, \ backslash. On a terminal every other control byte becomes \xHH. */
void escape_init(struct escape *escape, const char *letters, bool terminal);

/* Writes n bytes at `to`, which has room for ESCAPE_GROWTH * n; gives the end of what it wrote. */
char *escape_write(const struct escape *escape, char *to, const char *from, uint32_t n);

/* memcpy for the short texts that fields are: two moves that may overlap instead of a call. Gives to + n. */
static inline char *text_copy(char *to, const char *from, uint32_t n)
{
	if (n > 32) {
		memcpy(to, from, n);
	} else if (n >= 16) {
		memcpy(to, from, 16);
		memcpy(to + n - 16, from + n - 16, 16);
	} else if (n >= 8) {
		memcpy(to, from, 8);
		memcpy(to + n - 8, from + n - 8, 8);
	} else if (n >= 4) {
		memcpy(to, from, 4);
		memcpy(to + n - 4, from + n - 4, 4);
	} else if (n) {
		to[0] = from[0];
		to[n / 2] = from[n / 2];
		to[n - 1] = from[n - 1];
	}
	return to + n;
}

/* Must a text with these flags be looked at? */
static inline bool text_escapes(const struct escape *escape, const struct value *v)
{
	return escape->any && !(escape->trust && (v->flags & VF_CLEAN));
}

/* +I, -U, +U, -D by kind, each two bytes. */
extern const char text_kinds[4][3];
#endif
