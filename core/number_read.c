/* Most numbers are short and plain, and their lengths vary, which a loop over digits pays for with a mispredicted branch. So up to 16 bytes
 * are taken as two words that hold the text at the right, padded with zeros at the left:
 *
 *     "1234.56"      high  00000000   low  01234.56  ->  00123456, scale 2
 *
 * The first byte is the lowest of a word. All else goes through read_any, which takes the text apart by its grammar. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/byte_order.h"
#include "core/number.h"

enum {
	SHORT_MAX = 16,    /* texts up to here, without the sign, are read eight bytes at a time */
	DIGITS_MAX = 800,  /* a double is decided by 767 significant digits and whether more follow */
	EXPONENT_MAX = 400 /* powers of ten beyond this are infinite or nothing to a double, whatever stands in front */
};

static inline unsigned digit_of(char c)
{
	return (unsigned)(unsigned char)c - '0';
}

/* ---- short plain numbers */

static const uint64_t ZEROS = UINT64_C(0x3030303030303030), ONES = UINT64_C(0x0101010101010101), HIGHS = UINT64_C(0x8080808080808080);

/* n bytes, 1 to 8, at the right of a word; touches no other byte. */
static inline uint64_t load_right(const char *p, unsigned n)
{
	const unsigned char *u = (const unsigned char *)p;
	unsigned gap = 64 - 8 * n;
	uint64_t word;
	if (n >= 4) {
		uint32_t head, tail;
		memcpy(&head, u, 4);
		memcpy(&tail, u + n - 4, 4);
		word = (uint64_t)le32(head) << gap | (uint64_t)le32(tail) << 32;
	} else {
		word = (uint64_t)u[0] << gap | (uint64_t)u[n / 2] << (gap + n / 2 * 8) | (uint64_t)u[n - 1] << 56;
	}
	return word | ZEROS >> 4 * n >> 4 * n;
}

/* Takes a point out of a word, `fill` moves in from the left; how many bytes stood behind it, 8 if there is none. */
static inline unsigned take_point(uint64_t *word, uint64_t fill)
{
	uint64_t x = *word ^ '.' * ONES, found = (x - ONES) & ~x & HIGHS;
	if (!found)
		return 8;
	unsigned before = (unsigned)__builtin_ctzll(found) / 8 * 8; /* bits */
	uint64_t left = *word & ((UINT64_C(1) << before) - 1), right = *word >> before >> 8;
	*word = right << before << 8 | left << 8 | fill;
	return 7 - before / 8;
}

/* Eight digits to their value, in pairs, then fours, then all. False if one is no digit. */
static inline bool eight_digits(uint64_t word, uint64_t *value)
{
	uint64_t x = word ^ ZEROS;
	if (((x + 0x76 * ONES) | x) & HIGHS)
		return false;
	x = x * (1 + (10 << 8)) >> 8;
	x = (x & UINT64_C(0x00ff00ff00ff00ff)) * (1 + (100 << 16)) >> 16;
	*value = (x & UINT64_C(0x0000ffff0000ffff)) * (1 + (UINT64_C(10000) << 32)) >> 32;
	return true;
}

/* n bytes, 1 to 8, of digits and at most one point. */
static inline bool read_8(const char *p, unsigned n, uint64_t *m, unsigned *scale)
{
	uint64_t low = load_right(p, n);
	*scale = take_point(&low, '0') & 7;
	return eight_digits(low, m) && (n > 1 || *p != '.');
}

/* The same for 9 to SHORT_MAX bytes. */
static inline bool read_16(const char *p, unsigned n, uint64_t *m, unsigned *scale)
{
	uint64_t high = load_right(p, n - 8), low = load_right(p + n - 8, 8), top;
	*scale = take_point(&low, high >> 56);
	if (*scale < 8)
		high = high << 8 | '0';
	else
		*scale = (8 + take_point(&high, '0')) & 15;
	if (!eight_digits(low, m) || !eight_digits(high, &top))
		return false;
	*m += top * 100000000;
	return true;
}

/* ---- every number */

/* A number taken apart; the parts are digits only. */
struct parts {
	const char *whole, *fraction;
	size_t nwhole, nfraction;
	int64_t exponent;
	bool negative, has_exponent;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static const char *skip_digits(const char *p, const char *end)
{
	while (p < end && digit_of(*p) <= 9)
		p++;
	return p;
}

/* e, sign, digits: what stands from p to the end. Beyond what any text length can make up for, the value no longer matters. */
static bool read_exponent(const char *p, const char *end, int64_t *exponent)
{
	p++;
	bool negative = p < end && *p == '-';
	if (p < end && (*p == '-' || *p == '+'))
		p++;
	if (p == end || skip_digits(p, end) != end)
		return false;
	int64_t value = 0;
	for (; p < end; p++)
		if (value < INT64_C(100000000000000))
			value = value * 10 + digit_of(*p);
	*exponent = negative ? -value : value;
	return true;
}

static bool take_apart(const char *p, const char *end, struct parts *parts)
{
	while (p < end && is_blank(*p))
		p++;
	while (p < end && is_blank(end[-1]))
		end--;
	*parts = (struct parts){ .negative = p < end && *p == '-' };
	if (p < end && (*p == '-' || *p == '+'))
		p++;
	parts->whole = p;
	p = skip_digits(p, end);
	parts->nwhole = (size_t)(p - parts->whole);
	if (p < end && *p == '.') {
		parts->fraction = ++p;
		p = skip_digits(p, end);
		parts->nfraction = (size_t)(p - parts->fraction);
	}
	if (parts->nwhole + parts->nfraction == 0)
		return false;
	if (p == end)
		return true;
	parts->has_exponent = true;
	return (*p == 'e' || *p == 'E') && read_exponent(p, end, &parts->exponent);
}

/* Zeros that say nothing: in front of the whole part, behind the fraction. */
static void drop_zeros(struct parts *parts)
{
	while (parts->nwhole && *parts->whole == '0') {
		parts->whole++;
		parts->nwhole--;
	}
	while (parts->nfraction && parts->fraction[parts->nfraction - 1] == '0')
		parts->nfraction--;
}

/* The parts as a decimal, if their digits fit. */
static bool as_decimal(const struct parts *parts, struct value *out)
{
	if (parts->has_exponent || parts->nwhole > 19 || parts->nfraction > DEC_SCALE_MAX)
		return false;
	uint64_t m = 0, limit = (uint64_t)INT64_MAX + parts->negative;
	for (size_t i = 0; i < parts->nwhole + parts->nfraction; i++) {
		unsigned digit = digit_of(i < parts->nwhole ? parts->whole[i] : parts->fraction[i - parts->nwhole]);
		if (m >= UINT64_C(1000000000000000000)) /* 19 digits already */
			return false;
		m = m * 10 + digit;
	}
	if (m > limit)
		return false;
	*out = (struct value){ .type = V_DEC, .scale = m ? (uint8_t)parts->nfraction : 0, .u.i = (int64_t)(parts->negative ? 0 - m : m) };
	return true;
}

/* Significant digits as one whole number with a power of ten behind it: value = digits * 10^exponent. */
struct significant {
	char digits[DIGITS_MAX + 16]; /* and a last 1 for dropped digits, and the exponent as text */
	size_t n;
	int64_t exponent;
};

static void collect(const struct parts *parts, struct significant *s)
{
	s->n = 0;
	s->exponent = parts->exponent - (int64_t)parts->nfraction;
	size_t i = 0, all = parts->nwhole + parts->nfraction;
	for (; i < all && s->n < DIGITS_MAX; i++) {
		char digit = i < parts->nwhole ? parts->whole[i] : parts->fraction[i - parts->nwhole];
		if (s->n || digit != '0')
			s->digits[s->n++] = digit;
	}
	s->exponent += (int64_t)(all - i);
	for (; i < all; i++) {
		if ((i < parts->nwhole ? parts->whole[i] : parts->fraction[i - parts->nwhole]) != '0') {
			s->digits[s->n++] = '1'; /* stands for all that follow */
			s->exponent--;
			break;
		}
	}
}

/* The nearest double; strtod sees neither point nor blanks, so the locale cannot matter. */
static double nearest(struct significant *s)
{
	static const double power[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
					1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	if (s->n == 0 || s->exponent + (int64_t)s->n < -EXPONENT_MAX)
		return 0;
	if (s->exponent + (int64_t)s->n > EXPONENT_MAX)
		return HUGE_VAL;
	if (s->n <= 15 && s->exponent >= -22 && s->exponent <= 22) { /* both are doubles: one operation, one rounding */
		double m = 0;
		for (size_t i = 0; i < s->n; i++)
			m = m * 10 + digit_of(s->digits[i]);
		return s->exponent < 0 ? m / power[-s->exponent] : m * power[s->exponent];
	}
	snprintf(s->digits + s->n, sizeof s->digits - s->n, "e%d", (int)s->exponent);
	return strtod(s->digits, NULL);
}

/* Every form, at leisure. */
static bool read_any(const char *p, uint32_t len, struct value *out)
{
	struct parts parts;
	if (!take_apart(p, p + len, &parts))
		return false;
	drop_zeros(&parts);
	if (as_decimal(&parts, out))
		return true;
	struct significant digits;
	collect(&parts, &digits);
	double d = nearest(&digits);
	*out = number_from_double(parts.negative ? -d : d);
	return out->type != V_NULL;
}

/* False: it takes read_any to say what it is. */
static inline bool read_short(const char *p, uint32_t len, struct value *out)
{
	bool negative = len && *p == '-';
	uint32_t sign = negative || (len && *p == '+'), n = len - sign;
	uint64_t m;
	unsigned scale;
	if (n - 1 >= SHORT_MAX || !(n <= 8 ? read_8(p + sign, n, &m, &scale) : read_16(p + sign, n, &m, &scale)))
		return false;
	if (p[len - 1] == '0')
		for (; scale && m % 10 == 0; scale--)
			m /= 10;
	*out = (struct value){ .type = V_DEC, .scale = (uint8_t)scale, .u.i = negative ? -(int64_t)m : (int64_t)m };
	return true;
}

bool number_read(const char *p, uint32_t len, struct value *out)
{
	return read_short(p, len, out) || (len && read_any(p, len, out));
}

bool number_of(const struct value *v, struct value *out)
{
	if (v->type == V_RAW || v->type == V_TEXT)
		return number_read(v->u.p, v->len, out);
	if (!value_is_number(v))
		return false;
	*out = *v;
	return true;
}
