#include "core/buf.h"

#include <stdarg.h>
#include <stdio.h>

void buf_init(struct buf *buf, struct mem *mem)
{
	*buf = (struct buf){ .mem = mem };
}

void buf_release(struct buf *buf)
{
	mem_free(buf->mem, buf->p, buf->cap);
	buf_init(buf, buf->mem);
}

char *buf_room(struct buf *buf, size_t n)
{
	if (buf->failed)
		return NULL;
	if (n > buf->cap - buf->n) {
		size_t cap = buf->cap ? buf->cap : 256;
		while (cap - buf->n < n && cap <= SIZE_MAX / 2)
			cap *= 2;
		char *p = cap - buf->n < n ? NULL : mem_resize(buf->mem, buf->p, buf->cap, cap);
		if (!p) {
			buf->failed = true;
			return NULL;
		}
		buf->p = p;
		buf->cap = cap;
	}
	return buf->p + buf->n;
}

void buf_put(struct buf *buf, const void *bytes, size_t n)
{
	char *to = buf_room(buf, n);
	if (!to || !n)
		return;
	memcpy(to, bytes, n);
	buf->n += n;
}

void buf_puts(struct buf *buf, const char *text)
{
	buf_put(buf, text, strlen(text));
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n < 0 || !buf_room(buf, (size_t)n + 1))
		return;
	va_start(args, format);
	vsnprintf(buf->p + buf->n, (size_t)n + 1, format, args);
	va_end(args);
	buf->n += (size_t)n;
}
