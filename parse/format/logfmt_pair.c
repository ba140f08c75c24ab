#include "parse/format/logfmt_pair.h"

#include <string.h>

#include "core/utf8.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- finding ------------------------------------------------------------------------------- */

static inline bool is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

/* The first of the bytes a and b in [p, end), or with `blanks` a blank; end if there is none. Names and values are short: mostly one step of 16 bytes. */
static inline __attribute__((always_inline)) const char *find(const char *p, const char *end, char a, char b, bool blanks)
{
#ifdef __SSE2__
	const __m128i blank = _mm_set1_epi8(' '), first = _mm_set1_epi8(a), second = _mm_set1_epi8(b);
	for (; end - p >= 16; p += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)p);
		__m128i hit = _mm_or_si128(_mm_cmpeq_epi8(bytes, first), _mm_cmpeq_epi8(bytes, second));
		if (blanks)
			hit = _mm_or_si128(hit, _mm_cmpeq_epi8(_mm_min_epu8(bytes, blank), bytes));
		unsigned mask = (unsigned)_mm_movemask_epi8(hit);
		if (mask)
			return p + __builtin_ctz(mask);
	}
#endif
	while (p < end && *p != a && *p != b && !(blanks && is_blank(*p)))
		p++;
	return p;
}

static enum logfmt bad(const char **why, const char *reason)
{
	*why = reason;
	return LOGFMT_BAD;
}

/* The value from p on, which is behind its quote. */
static enum logfmt quoted_value(const char **at, const char *p, const char *end, struct logfmt_pair *pair, const char **why)
{
	const char *stop = find(p, end, '"', '\\', false);
	pair->value = p;
	pair->quoted = true;
	pair->escaped = stop < end && *stop == '\\';
	while (stop < end && *stop == '\\')
		stop = stop + 1 < end ? find(stop + 2, end, '"', '\\', false) : end;
	if (stop == end)
		return bad(why, "a quote is never closed");
	pair->len = (uint32_t)(stop - p);
	*at = stop + 1;
	return LOGFMT_PAIR;
}

enum logfmt logfmt_next(const char **at, const char *end, struct logfmt_pair *pair, const char **why)
{
	const char *p = *at;
	while (p < end && is_blank(*p))
		p++;
	*at = p;
	if (p == end)
		return LOGFMT_END;
	const char *stop = find(p, end, '=', '"', true);
	*pair = (struct logfmt_pair){ .key = p, .key_len = (uint32_t)(stop - p) };
	if (stop == end || is_blank(*stop)) {
		pair->bare = true;
		pair->value = "true";
		pair->len = 4;
		*at = stop;
		return LOGFMT_PAIR;
	}
	if (*stop == '"')
		return bad(why, "a quote in a name");
	if (stop == p)
		return bad(why, "no name before =");
	p = stop + 1;
	if (p < end && *p == '"')
		return quoted_value(at, p + 1, end, pair, why);
	stop = find(p, end, '"', '"', true);
	if (stop < end && *stop == '"')
		return bad(why, "a quote inside a value without quotes");
	pair->value = p;
	pair->len = (uint32_t)(stop - p);
	*at = stop;
	return LOGFMT_PAIR;
}

/* ---- escapes ------------------------------------------------------------------------------- */

/* n digits of base 8 or 16 at p as a number; -1: they are not all there. */
static int64_t digits(const char *p, const char *end, int n, int base)
{
	int64_t value = 0;
	if (end - p < n)
		return -1;
	for (int i = 0; i < n; i++) {
		int digit = hex_digit(p[i]);
		if (digit < 0 || digit >= base)
			return -1;
		value = value * base + digit;
	}
	return value;
}

/* \uXXXX (the pair of them that stands for one character counts as one) or \UXXXXXXXX; p is behind the letter. NULL: it is none. */
static const char *code_point(const char *p, const char *end, bool wide, char **to)
{
	int n = wide ? 8 : 4;
	int64_t c = digits(p, end, n, 16);
	if (c < 0 || c > 0x10ffff)
		return NULL;
	p += n;
	int64_t low = !wide && is_high_half(c) && end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? digits(p + 2, end, 4, 16) : 0;
	if (is_low_half(low)) {
		c = join_halves((uint32_t)c, (uint32_t)low);
		p += 6;
	}
	*to += char_put((uint32_t)c, *to);
	return p;
}

/* One escape; p is behind its backslash. What follows it, or NULL. */
static const char *escape(const char *p, const char *end, char **to)
{
	static const char letter[] = "abfnrtv\"\\/", byte[] = "\a\b\f\n\r\t\v\"\\/";
	if (p == end)
		return NULL;
	const char *known = *p ? strchr(letter, *p) : NULL;
	if (known) {
		*(*to)++ = byte[known - letter];
		return p + 1;
	}
	if (*p == 'u' || *p == 'U')
		return code_point(p + 1, end, *p == 'U', to);
	bool hex = *p == 'x';
	int64_t code = hex ? digits(p + 1, end, 2, 16) : digits(p, end, 3, 8);
	if (code < 0 || code > 0xff)
		return NULL;
	*(*to)++ = (char)code;
	return p + 3;
}

int64_t logfmt_unescape(const char *value, uint32_t len, char *to)
{
	const char *p = value, *end = p + len;
	char *begin = to;
	while (p && p < end) {
		const char *stop = memchr(p, '\\', (size_t)(end - p));
		size_t plain = (size_t)((stop ? stop : end) - p);
		memcpy(to, p, plain);
		to += plain;
		p = stop ? escape(stop + 1, end, &to) : end;
	}
	return p ? to - begin : -1;
}
