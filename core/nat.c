#include "core/nat.h"

#include <assert.h>
#include <string.h>

enum { CHUNK_DIGITS = 18 };
static const uint64_t CHUNK = UINT64_C(1000000000000000000); /* 10^18: decimal digits go in and out by chunks of 18 */

void nat_set(struct nat *to, u128 value)
{
	to->limb[0] = (uint64_t)value;
	to->limb[1] = (uint64_t)(value >> 64);
	to->n = to->limb[1] ? 2 : to->limb[0] ? 1 : 0;
}

void nat_copy(struct nat *to, const struct nat *from)
{
	to->n = from->n;
	memcpy(to->limb, from->limb, from->n * sizeof from->limb[0]);
}

void nat_trim(struct nat *x)
{
	while (x->n && !x->limb[x->n - 1])
		x->n--;
}

unsigned nat_bits(const struct nat *x)
{
	return x->n ? 64 * x->n - (unsigned)__builtin_clzll(x->limb[x->n - 1]) : 0;
}

int nat_cmp(const struct nat *a, const struct nat *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (uint32_t i = a->n; i-- > 0;)
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i] ? -1 : 1;
	return 0;
}

/* A new highest limb, unless it would be zero. */
static void push(struct nat *x, uint64_t limb)
{
	if (!limb)
		return;
	assert(x->n < NAT_LIMBS);
	x->limb[x->n++] = limb;
}

void nat_add(struct nat *x, const struct nat *y)
{
	uint64_t carry = 0;
	for (uint32_t i = 0; i < y->n || (carry && i < x->n); i++) {
		u128 sum = (u128)(i < x->n ? x->limb[i] : 0) + (i < y->n ? y->limb[i] : 0) + carry;
		x->limb[i] = (uint64_t)sum;
		carry = (uint64_t)(sum >> 64);
	}
	if (x->n < y->n)
		x->n = y->n;
	push(x, carry);
}

void nat_sub(struct nat *x, const struct nat *y)
{
	assert(nat_cmp(x, y) >= 0);
	uint64_t borrow = 0;
	for (uint32_t i = 0; i < y->n || (borrow && i < x->n); i++) {
		u128 difference = (u128)x->limb[i] - (i < y->n ? y->limb[i] : 0) - borrow;
		x->limb[i] = (uint64_t)difference;
		borrow = (uint64_t)(difference >> 64) & 1;
	}
	nat_trim(x);
}

void nat_mul_small(struct nat *x, uint64_t factor)
{
	uint64_t carry = 0;
	for (uint32_t i = 0; i < x->n; i++) {
		u128 product = (u128)x->limb[i] * factor + carry;
		x->limb[i] = (uint64_t)product;
		carry = (uint64_t)(product >> 64);
	}
	push(x, carry);
	nat_trim(x);
}

void nat_mul_pow10(struct nat *x, unsigned k)
{
	for (; k >= CHUNK_DIGITS; k -= CHUNK_DIGITS)
		nat_mul_small(x, CHUNK);
	uint64_t rest = 1;
	while (k-- > 0)
		rest *= 10;
	nat_mul_small(x, rest);
}

void nat_mul(struct nat *product, const struct nat *a, const struct nat *b)
{
	assert(a->n + b->n <= NAT_LIMBS);
	product->n = a->n + b->n;
	memset(product->limb, 0, product->n * sizeof product->limb[0]);
	for (uint32_t i = 0; i < a->n; i++) {
		uint64_t carry = 0;
		for (uint32_t k = 0; k < b->n; k++) {
			u128 t = (u128)a->limb[i] * b->limb[k] + product->limb[i + k] + carry;
			product->limb[i + k] = (uint64_t)t;
			carry = (uint64_t)(t >> 64);
		}
		product->limb[i + b->n] = carry;
	}
	nat_trim(product);
}

void nat_shift_left(struct nat *x, unsigned bits)
{
	if (!x->n || !bits)
		return;
	unsigned limbs = bits / 64, rest = bits % 64;
	assert(nat_bits(x) + bits <= NAT_BITS);
	uint64_t top = rest ? x->limb[x->n - 1] >> (64 - rest) : 0;
	for (uint32_t i = x->n; i-- > 0;) {
		uint64_t below = rest && i ? x->limb[i - 1] >> (64 - rest) : 0;
		x->limb[i + limbs] = x->limb[i] << rest | below;
	}
	memset(x->limb, 0, limbs * sizeof x->limb[0]);
	x->n += limbs;
	push(x, top);
}

/* x /= 2^bits, bits < 64; what falls out is known to be zero. */
static void shift_right(struct nat *x, unsigned bits)
{
	if (!bits)
		return;
	for (uint32_t i = 0; i < x->n; i++)
		x->limb[i] = x->limb[i] >> bits | (i + 1 < x->n ? x->limb[i + 1] << (64 - bits) : 0);
	nat_trim(x);
}

uint64_t nat_div_small(struct nat *x, uint64_t divisor)
{
	uint64_t rest = 0;
	for (uint32_t i = x->n; i-- > 0;) {
		u128 t = (u128)rest << 64 | x->limb[i];
		x->limb[i] = (uint64_t)(t / divisor);
		rest = (uint64_t)(t % divisor);
	}
	nat_trim(x);
	return rest;
}

/* One digit in base 2^64 of a long division (Knuth, The Art of Computer Programming 4.3.1, algorithm D): u holds v->n + 1 limbs, less
 * than v * 2^64, and becomes the rest; the highest bit of v is set and v has two limbs or more. */
static uint64_t quotient_limb(uint64_t *u, const struct nat *v)
{
	uint32_t n = v->n;
	uint64_t v1 = v->limb[n - 1], v2 = v->limb[n - 2];
	u128 top = (u128)u[n] << 64 | u[n - 1];
	u128 q = u[n] >= v1 ? UINT64_MAX : top / v1;
	u128 rest = top - q * v1;
	while (!(rest >> 64) && q * v2 > (rest << 64 | u[n - 2])) {
		q--;
		rest += v1;
	}
	uint64_t carry = 0, borrow = 0;
	for (uint32_t i = 0; i <= n; i++) {
		u128 product = (i < n ? q * v->limb[i] : 0) + carry;
		carry = (uint64_t)(product >> 64);
		u128 difference = (u128)u[i] - (uint64_t)product - borrow;
		u[i] = (uint64_t)difference;
		borrow = (uint64_t)(difference >> 64) & 1;
	}
	if (!borrow)
		return (uint64_t)q;
	carry = 0; /* the estimate was one too large: add v back */
	for (uint32_t i = 0; i <= n; i++) {
		u128 sum = (u128)u[i] + (i < n ? v->limb[i] : 0) + carry;
		u[i] = (uint64_t)sum;
		carry = (uint64_t)(sum >> 64);
	}
	return (uint64_t)q - 1;
}

void nat_divide(struct nat *x, const struct nat *divisor, struct nat *quotient)
{
	assert(divisor->n > 0);
	if (nat_cmp(x, divisor) < 0) {
		quotient->n = 0;
		return;
	}
	if (divisor->n == 1) {
		nat_copy(quotient, x);
		nat_set(x, nat_div_small(quotient, divisor->limb[0]));
		return;
	}
	struct nat v;
	unsigned shift = (unsigned)__builtin_clzll(divisor->limb[divisor->n - 1]);
	nat_copy(&v, divisor);
	nat_shift_left(&v, shift);
	nat_shift_left(x, shift);
	assert(x->n < NAT_LIMBS);
	x->limb[x->n] = 0;
	quotient->n = x->n - v.n + 1;
	for (uint32_t j = quotient->n; j-- > 0;)
		quotient->limb[j] = quotient_limb(x->limb + j, &v);
	nat_trim(quotient);
	x->n = v.n;
	nat_trim(x);
	shift_right(x, shift);
}

bool nat_read(struct nat *x, const char *digits, size_t len)
{
	if (len == 0 || len > NAT_DIGITS_MAX)
		return false;
	struct nat part;
	x->n = 0;
	for (size_t i = 0; i < len;) {
		uint64_t value = 0, power = 1;
		for (; i < len && power < CHUNK; i++, power *= 10) {
			unsigned digit = (unsigned)(unsigned char)digits[i] - '0';
			if (digit > 9)
				return false;
			value = value * 10 + digit;
		}
		nat_mul_small(x, power);
		nat_set(&part, value);
		nat_add(x, &part);
	}
	return true;
}

size_t nat_print_max(const struct nat *x)
{
	return (size_t)nat_bits(x) * 4 / 13 + 2; /* 4/13 is a little more than log10(2) */
}

size_t nat_print(struct nat *x, char *out)
{
	size_t n = 0;
	do { /* digits from the last to the first */
		uint64_t chunk = nat_div_small(x, CHUNK);
		for (int i = 0; x->n ? i < CHUNK_DIGITS : chunk || n == 0; i++, chunk /= 10)
			out[n++] = (char)('0' + chunk % 10);
	} while (x->n);
	for (size_t i = 0; i < n / 2; i++) {
		char c = out[i];
		out[i] = out[n - 1 - i];
		out[n - 1 - i] = c;
	}
	return n;
}
