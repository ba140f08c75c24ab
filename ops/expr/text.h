/* Texts, by bytes and by characters (core/utf8.h). */
#ifndef WEIR_EXPR_TEXT_H
#define WEIR_EXPR_TEXT_H
#include <string.h>

#include "core/arena.h"
#include "core/utf8.h"
#include "core/value.h"

struct bytes {
	const char *p;
	size_t n;
};

/* The bytes of a value that holds text; false for NULL and what is no text. A boolean, which a raw JSON column may hold, is its word. */
static inline bool text_of(const struct value *v, struct bytes *out)
{
	if (v->type == V_RAW || v->type == V_TEXT) {
		*out = (struct bytes){ v->u.p, v->len };
		return true;
	}
	if (v->type != V_BOOL)
		return false;
	*out = v->u.i ? (struct bytes){ "true", 4 } : (struct bytes){ "false", 5 };
	return true;
}

static inline bool bytes_same(struct bytes a, struct bytes b) { return a.n == b.n && (!a.n || !memcmp(a.p, b.p, a.n)); }

/* Less than, equal to or greater than 0, as memcmp; of a text and its beginning the beginning is less. */
static inline int bytes_cmp(struct bytes a, struct bytes b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;
	return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* Where `part` first stands in `whole`, or NULL; an empty one stands at the beginning. */
const char *bytes_find(struct bytes whole, struct bytes part);

/* Length of the character that ends at `end` > p, the beginning of the text. */
size_t char_before(const char *p, const char *end);

/* Number of characters. */
size_t char_count(const char *p, const char *end);

/* Behind n characters, or the end. */
const char *char_skip(const char *p, const char *end, size_t n);

/* Is every character well-formed? */
bool char_valid(const char *p, size_t n);

/* Texts made row by row, packed into blocks of batch memory. */
struct pen {
	struct arena *mem;
	char *at, *end;
};

enum { PEN_BLOCK = 8 << 10, TEXT_LONGEST = 0x7fffffff /* bytes of a text; what would be longer is NULL */ };

/* Room for n bytes at pen->at; NULL if memory is refused. */
char *pen_room(struct pen *pen, size_t n);

/* Room for `more` bytes behind the first `used` bytes at pen->at, which it keeps though they may move; NULL if memory is refused. */
char *pen_extend(struct pen *pen, size_t used, size_t more);

/* Takes the n bytes at pen->at as a text. flags: VF_CLEAN or 0. */
struct value pen_take(struct pen *pen, size_t n, uint16_t flags);
#endif
