#include <assert.h>
#include <string.h>

#include "core/number_word.h"
#include "core/shortest.h"

static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
			    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* Digits of m (at least `least` of them, with zeros in front), ending before `end`; gives the first. */
static char *digits_before(char *end, uint64_t m, unsigned least)
{
	char *p = end;
	for (; m >= 100; m /= 100)
		memcpy(p -= 2, pairs + 2 * (m % 100), 2);
	if (m >= 10)
		memcpy(p -= 2, pairs + 2 * m, 2);
	else
		*--p = (char)('0' + m);
	while (p > end - least)
		*--p = '0';
	return p;
}

/* How many digits m has, m <= 2^63: from its bits by log10(2) = 1233/4096, one more where the power of ten is reached. */
static unsigned digits_in(uint64_t m)
{
	unsigned n = (64 - (unsigned)__builtin_clzll(m | 1)) * 1233 >> 12;
	return n > 18 ? 19 : n + ((m | 1) >= (uint64_t)dec_pow10[n]);
}

/* Scale is 1 at least. */
static uint32_t print_decimal(int64_t mantissa, unsigned scale, char *out)
{
	uint64_t m = magnitude(mantissa), whole = m / (uint64_t)dec_pow10[scale];
	uint32_t n = (mantissa < 0) + digits_in(whole);
	*out = '-';
	digits_before(out + n, whole, 1);
	out[n++] = '.';
	digits_before(out + n + scale, m % (uint64_t)dec_pow10[scale], scale);
	return n + scale;
}

uint32_t number_print_int(int64_t i, char *out)
{
	struct value v = value_int(i);
	if (number_in_word(&v))
		return (uint32_t)(number_put(&v, out) - out);
	uint32_t n = (i < 0) + digits_in(magnitude(i));
	*out = '-';
	digits_before(out + n, magnitude(i), 1);
	return n;
}

static char *put(char *to, const char *from, size_t n)
{
	memcpy(to, from, n);
	return to + n;
}

static char *zeros(char *to, int n)
{
	memset(to, '0', (size_t)n);
	return to + n;
}

/* As JavaScript's String(): plain from 1e-6 to below 1e21, else with an exponent. */
static uint32_t print_double(double d, char *out)
{
	if (d == 0) {
		*out = '0';
		return 1;
	}
	char text[24], *end = text + sizeof text, *to = out;
	int exp10;
	char *p = digits_before(end, shortest_digits(d < 0 ? -d : d, &exp10), 1);
	int n = (int)(end - p), point = n + exp10; /* the point stands behind that many digits */
	if (d < 0)
		*to++ = '-';
	if (point > 21 || point <= -6) {
		*to++ = *p;
		if (n > 1) {
			*to++ = '.';
			to = put(to, p + 1, (size_t)n - 1);
		}
		*to++ = 'e';
		if (point > 0)
			*to++ = '+';
		to += number_print_int(point - 1, to);
	} else if (point <= 0) {
		to = zeros(put(to, "0.", 2), -point);
		to = put(to, p, (size_t)n);
	} else if (point >= n) {
		to = zeros(put(to, p, (size_t)n), point - n);
	} else {
		to = put(to, p, (size_t)point);
		*to++ = '.';
		to = put(to, p + point, (size_t)(n - point));
	}
	return (uint32_t)(to - out);
}

uint32_t number_print(const struct value *v, char *out)
{
	assert(v->type == V_DEC || v->type == V_DBL);
	if (number_in_word(v))
		return (uint32_t)(number_put(v, out) - out);
	if (v->type == V_DBL)
		return print_double(v->u.d, out);
	return v->scale ? print_decimal(v->u.i, v->scale, out) : number_print_int(v->u.i, out);
}
