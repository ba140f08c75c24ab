/* A growable run of bytes. A refused allocation sticks: later puts do nothing, and buf.failed says so once at the end. */
#ifndef WEIR_BUF_H
#define WEIR_BUF_H
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/mem.h"

struct buf {
	char *p;
	size_t n, cap;
	struct mem *mem;
	bool failed;
};

/* Ready for use; takes no memory yet. */
void buf_init(struct buf *buf, struct mem *mem);

/* Gives the memory back. */
void buf_release(struct buf *buf);

/* Makes room for n more bytes at p + n (the caller writes there and adds to n); NULL if refused. */
char *buf_room(struct buf *buf, size_t n);

/* Appends n bytes. */
void buf_put(struct buf *buf, const void *bytes, size_t n);

/* Appends a NUL-terminated text, without the NUL. */
void buf_puts(struct buf *buf, const char *text);

/* Appends formatted text. */
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends one byte. */
static inline void buf_putc(struct buf *buf, char c)
{
	if (buf->n < buf->cap || buf_room(buf, 1))
		buf->p[buf->n++] = c;
}
#endif
