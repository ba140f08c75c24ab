/* What the two files of the changelog decoder share: words of control lines, escapes. */
#ifndef WEIR_CHANGELOG_H
#define WEIR_CHANGELOG_H
#include "parse/format/format.h"

enum control_word { W_NAMES, W_KEY, W_KINDS, W_WM, W_PT, W_OTHER };

/* A control line: @word and what stands behind it, divided by TABs if there is one in the line, else by runs of blanks. */
struct control_line {
	enum control_word word;
	const char *p, *end; /* the words not yet taken */
	char sep;
};

/* Begins to read the line [p, p + len), whose first byte is @. */
struct control_line control_begin(const char *p, size_t len);

/* Reads the one integer of @wm and @pt; false if there is none, or more than that. */
bool control_number(struct control_line line, int64_t *value);

/* Resolves \t \n \r and \\ (any other backslash stays) into out, which has room for len bytes; gives the length. */
uint32_t changelog_unescape(const char *p, uint32_t len, char *out);

/* Reads the @names, @key and @kinds lines before the first record; nothing is used up, decode passes them again. */
enum head_status changelog_head(const struct input_options *opt, const char *p, size_t n, bool eof, struct head *head, size_t *used, struct err *err);
#endif
