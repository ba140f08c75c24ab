/* One error, on its way from where it was found to the edge that prints it.
 *
 * A function that can fail returns 0 or -1 and fills a struct err; the first error stays, later ones are dropped.
 * Only main prints and picks the exit status. */
#ifndef WEIR_ERR_H
#define WEIR_ERR_H
#include <stddef.h>

enum err_code {
	ERR_NONE = 0,
	ERR_FAILED = 1, /* data, I/O, memory: exit 1 */
	ERR_USAGE = 2,  /* the command line: exit 2 */
};

struct err {
	enum err_code code;
	char text[2000]; /* what to print behind "weir: ", may hold several lines; no newline at its end */
};

/* Where a piece of a flag's argument stands; for carets. */
struct span {
	const char *flag; /* "--where"; NULL: no flag */
	const char *text; /* the whole argument */
	size_t at, len;   /* the piece */
};

/* Sets an error (the first wins); always -1. */
int err_set(struct err *err, enum err_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A usage error with the argument and a caret under span:
 *     --where: no column "stauts"; there are: ip, status, bytes
 *       stauts >= 500
 *       ^~~~~~
 * Long arguments are cut around the caret; control bytes are shown as \xHH. Always -1. */
int err_at(struct err *err, struct span span, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Out of memory, or the limit of --max-state; always -1. */
int err_memory(struct err *err);

/* Puts `format` with its values and ": " before an error that is already there; nothing if there is none. Always -1. */
int err_before(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
#endif
