#include "core/show.h"

#include <string.h>

void show_hex(char out[SHOW_MOST], char byte)
{
	static const char hex[] = "0123456789ABCDEF";
	memcpy(out, (char[]){ '\\', 'x', hex[(unsigned char)byte >> 4], hex[byte & 15] }, SHOW_MOST);
}

size_t show_byte(char out[SHOW_MOST], char byte)
{
	unsigned char c = (unsigned char)byte;
	if (c >= 0x20 && c != 0x7f) {
		out[0] = byte;
		return 1;
	}
	show_hex(out, byte);
	return SHOW_MOST;
}

size_t show(char *out, size_t room, const char *bytes, size_t n)
{
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		char piece[SHOW_MOST];
		size_t len = show_byte(piece, bytes[i]);
		if (used + len >= room)
			break;
		memcpy(out + used, piece, len);
		used += len;
	}
	out[used] = '\0';
	return used;
}

void show_lines(char *out, size_t room, const char *text)
{
	for (;;) {
		size_t len = strcspn(text, "\n"), used = show(out, room, text, len);
		if (!text[len] || room - used < 2)
			return;
		out[used++] = '\n';
		out += used;
		room -= used;
		text += len + 1;
	}
}
