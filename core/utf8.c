#include "core/utf8.h"

static bool continues(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* The sequences of Unicode 15, table 3-7: the second byte tells overlong forms, surrogates and what lies above U+10FFFF. */
size_t char_len(const char *p, const char *end)
{
	const unsigned char *s = (const unsigned char *)p;
	size_t n = (size_t)(end - p);
	if (s[0] < 0xc2 || s[0] > 0xf4 || n < 2)
		return 1;
	if (s[0] < 0xe0)
		return continues(s[1]) ? 2 : 1;
	if (n < 3 || !continues(s[2]))
		return 1;
	unsigned char low = 0x80, high = 0xbf;
	switch (s[0]) {
	case 0xe0: low = 0xa0; break;
	case 0xed: high = 0x9f; break;
	case 0xf0: low = 0x90; break;
	case 0xf4: high = 0x8f; break;
	}
	if (s[1] < low || s[1] > high)
		return 1;
	if (s[0] < 0xf0)
		return 3;
	return n >= 4 && continues(s[3]) ? 4 : 1;
}

uint32_t char_code(const char *p, size_t len)
{
	const unsigned char *s = (const unsigned char *)p;
	uint32_t code = len == 1 ? s[0] : s[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

uint32_t char_put(uint32_t code, char out[4])
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	if (code >= 0xd800 && code < 0xe000)
		code = 0xfffd;
	uint32_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (uint32_t i = n; --i; code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)(code | lead[n]);
	return n;
}
