#include "ops/expr/text.h"

const char *bytes_find(struct bytes whole, struct bytes part)
{
	if (!part.n)
		return whole.p;
	if (part.n > whole.n)
		return NULL;
	return part.n == 1 ? memchr(whole.p, part.p[0], whole.n) : memmem(whole.p, whole.n, part.p, part.n);
}

/* A well-formed sequence holds no first byte of another, so it is one in both directions. */
size_t char_before(const char *p, const char *end)
{
	if ((unsigned char)end[-1] < 0x80)
		return 1;
	for (size_t n = 2; n <= 4 && n <= (size_t)(end - p); n++)
		if (char_len(end - n, end) == n)
			return n;
	return 1;
}

/* Length of the beginning that is ASCII, in steps of 8 bytes. */
static size_t ascii(const char *p, const char *end)
{
	const char *from = p;
	for (uint64_t word; end - p >= 8; p += 8) {
		memcpy(&word, p, 8);
		if (word & 0x8080808080808080u)
			break;
	}
	return (size_t)(p - from);
}

size_t char_count(const char *p, const char *end)
{
	size_t n = 0;
	while (p < end) {
		size_t plain = ascii(p, end);
		n += plain;
		p += plain;
		for (int i = 0; i < 8 && p < end; i++, n++)
			p += char_len(p, end);
	}
	return n;
}

const char *char_skip(const char *p, const char *end, size_t n)
{
	while (n && p < end) {
		p += (unsigned char)*p < 0x80 ? 1 : char_len(p, end);
		n--;
	}
	return p;
}

bool char_valid(const char *p, size_t n)
{
	const char *end = p + n;
	while (p < end) {
		size_t len = char_len(p, end);
		if (len == 1 && (unsigned char)*p >= 0x80)
			return false;
		p += len;
	}
	return true;
}

char *pen_room(struct pen *pen, size_t n)
{
	if ((size_t)(pen->end - pen->at) >= n && pen->at)
		return pen->at;
	size_t size = n > PEN_BLOCK ? n : PEN_BLOCK;
	pen->at = arena_alloc(pen->mem, size);
	pen->end = pen->at ? pen->at + size : NULL;
	return pen->at;
}

char *pen_extend(struct pen *pen, size_t used, size_t more)
{
	if ((size_t)(pen->end - pen->at) >= used + more && pen->at)
		return pen->at;
	const char *old = pen->at;
	if (!pen_room(pen, 2 * (used + more)))
		return NULL;
	if (used && old)
		memcpy(pen->at, old, used);
	return pen->at;
}

struct value pen_take(struct pen *pen, size_t n, uint16_t flags)
{
	struct value v = value_text(pen->at, (uint32_t)n);
	v.flags = flags;
	pen->at += n;
	return v;
}
