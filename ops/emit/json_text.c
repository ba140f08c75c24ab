#include "ops/emit/json_text.h"

#include <string.h>

#include "ops/expr/text.h"

enum { WORD = 8, DEL = 0x7f };
#define EACH(c) (0x0101010101010101ull * (c))

/* Not 0 if one of 8 bytes is a quote, a backslash, a control byte or beyond ASCII. (Mycroft's test for a zero byte; it may be wrong above the first hit,
 * which does not matter here.) */
static inline uint64_t is_special(uint64_t word)
{
	uint64_t quote = word ^ EACH('"'), backslash = word ^ EACH('\\'), del = word ^ EACH(DEL);
	return ((quote - EACH(1)) | (backslash - EACH(1)) | (del - EACH(1)) | (word - EACH(' ')) | word) & EACH(0x80);
}

static char *put_escape(char *to, unsigned char c)
{
	static const char hex[] = "0123456789abcdef", letters[] = "\bb\ff\nn\rr\tt\"\"\\\\";
	const char *letter = c ? strchr(letters, c) : NULL;
	*to++ = '\\';
	if (letter) {
		*to++ = letter[1];
		return to;
	}
	*to++ = 'u';
	*to++ = '0';
	*to++ = '0';
	*to++ = hex[c >> 4];
	*to++ = hex[c & 15];
	return to;
}

/* The character at p; *p moves behind it. */
static char *put_char(char *to, const char **p, const char *end)
{
	unsigned char c = (unsigned char)**p;
	if (c < 0x80) {
		++*p;
		if (c < ' ' || c == '"' || c == '\\' || c == DEL)
			return put_escape(to, c);
		*to = (char)c;
		return to + 1;
	}
	size_t len = char_len(*p, end), out = len > 1 ? len : 3;
	memcpy(to, len > 1 ? *p : "\xef\xbf\xbd", out);
	*p += len;
	return to + out;
}

char *json_put_string(char *to, const char *p, uint32_t n)
{
	const char *end = p + n;
	*to++ = '"';
	while (p < end) {
		uint64_t word;
		if (end - p >= WORD) {
			memcpy(&word, p, WORD);
			if (!is_special(word)) {
				memcpy(to, p, WORD);
				to += WORD;
				p += WORD;
				continue;
			}
		}
		for (const char *stop = end - p > WORD ? p + WORD : end; p < stop;)
			to = put_char(to, &p, end);
	}
	*to++ = '"';
	return to;
}

/* Behind the digits at p; p if there are none. */
static const char *digits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

bool json_is_number(const char *p, uint32_t n)
{
	const char *end = p + n;
	p += n && *p == '-';
	const char *begin = p;
	p = digits(p, end);
	if (p == begin || (*begin == '0' && p > begin + 1))
		return false;
	if (p < end && *p == '.') {
		begin = ++p;
		p = digits(p, end);
		if (p == begin)
			return false;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		p += p < end && (*p == '+' || *p == '-');
		begin = p;
		p = digits(p, end);
		if (p == begin)
			return false;
	}
	return p == end;
}
