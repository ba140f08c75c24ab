/* The pairs of a logfmt line: level=info msg="a \"b\"" ok ns=
 *
 *     pairs stand between blanks (every byte up to a blank is one); what begins with a quote ends at the next one that no backslash escapes
 *     k=v    bare: all up to the blank, later = included; a quote in it is an error
 *     k=     the empty text, as k="" is
 *     k      true */
#ifndef WEIR_LOGFMT_PAIR_H
#define WEIR_LOGFMT_PAIR_H
#include <stdbool.h>
#include <stdint.h>

struct logfmt_pair {
	const char *key, *value; /* in the line; of a bare key the value is a constant: true */
	uint32_t key_len, len;   /* key_len > 0; the value is without its quotes */
	bool quoted;             /* came in quotes */
	bool escaped;            /* quoted, and holds a backslash: logfmt_unescape gives its text */
	bool bare;               /* a key alone */
};

enum logfmt { LOGFMT_END, LOGFMT_PAIR, LOGFMT_BAD };

/* Takes the next pair from [*p, end), a line without its LF, and moves *p behind it. LOGFMT_END: there is none; LOGFMT_BAD: the rest cannot be
 * read, *why says it (a constant). */
enum logfmt logfmt_next(const char **p, const char *end, struct logfmt_pair *pair, const char **why);

/* Writes the text of a quoted value, its escapes resolved (those of JSON and of Go), to `to`: at most len bytes. How many they are, or -1: an escape
 * that is none. */
int64_t logfmt_unescape(const char *value, uint32_t len, char *to);
#endif
