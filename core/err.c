#include "core/err.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/show.h"

enum { SHOWN = 120 /* bytes of an argument shown around the caret */ };

int err_set(struct err *err, enum err_code code, const char *format, ...)
{
	if (err->code)
		return -1;
	err->code = code;
	va_list args;
	va_start(args, format);
	vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
	return -1;
}

int err_memory(struct err *err)
{
	return err_set(err, ERR_FAILED, "out of memory");
}

int err_before(struct err *err, const char *format, ...)
{
	if (!err->code)
		return -1;
	char text[sizeof err->text];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (n >= 0 && (size_t)n < sizeof text)
		snprintf(text + n, sizeof text - (size_t)n, ": %.*s", (int)(sizeof text - (size_t)n) - 3, err->text);
	memcpy(err->text, text, sizeof text);
	return -1;
}

/* Is it a further byte of a character (UTF-8)? */
static bool continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Appends the argument and the caret line. */
static void draw(char *text, size_t room, struct span span)
{
	size_t n = strlen(text), len = strlen(span.text);
	if (span.at > len)
		span.at = len;
	size_t from = span.at > SHOWN / 2 ? span.at - SHOWN / 2 : 0;
	size_t to = len - from > SHOWN ? from + SHOWN : len;
	/* not within a character, which has three further bytes at most */
	for (int i = 0; i < 3 && from > 0 && continues(span.text[from]); i++)
		from--;
	for (int i = 0; i < 3 && to < len && continues(span.text[to]); i++)
		to++;
	char line[SHOW_MOST * (SHOWN + 8)], under[SHOW_MOST * (SHOWN + 8)];
	size_t l = 0, u = 0;
	for (size_t i = from; i < to; i++) {
		size_t bytes = show_byte(line + l, span.text[i]), width = continues(span.text[i]) ? 0 : bytes;
		l += bytes;
		char mark = i < span.at ? ' ' : i == span.at ? '^' : i < span.at + span.len ? '~' : '\0';
		if (mark == '^' && !width)
			width = 1; /* a stray continuation byte still gets its caret */
		for (size_t k = 0; k < width && mark; k++, mark = mark == '^' ? '~' : mark)
			under[u++] = mark;
	}
	if (span.at >= to)
		under[u++] = '^';
	line[l] = '\0';
	under[u] = '\0';
	snprintf(text + n, room - n, "\n  %s%s%s\n  %s%s", from ? "..." : "", line, to < len ? "..." : "", from ? "   " : "", under);
}

int err_at(struct err *err, struct span span, const char *format, ...)
{
	if (err->code)
		return -1;
	err->code = ERR_USAGE;
	char *at = err->text, *end = err->text + sizeof err->text;
	if (span.flag)
		at += snprintf(at, (size_t)(end - at), "%s: ", span.flag);
	va_list args;
	va_start(args, format);
	vsnprintf(at, (size_t)(end - at), format, args);
	va_end(args);
	if (span.text)
		draw(err->text, sizeof err->text, span);
	return -1;
}
