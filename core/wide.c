#include "core/wide.h"

#include <assert.h>
#include <string.h>

/* 0, or all ones if negative: what stands in every limb above. */
static uint64_t sign_limb(const struct wide *wide)
{
	return wide->n && wide->limb[wide->n - 1] >> 63 ? UINT64_MAX : 0;
}

/* Widens the window to the limbs lo .. lo + n - 1, which enclose it. */
static int grow(struct wide *wide, int32_t lo, uint32_t n, struct mem *mem)
{
	uint64_t *limb = mem_resize(mem, wide->limb, wide->n * sizeof *limb, n * sizeof *limb);
	if (!limb)
		return -1;
	wide->limb = limb;
	uint64_t sign = sign_limb(wide);
	uint32_t below = wide->n ? (uint32_t)(wide->lo - lo) : 0;
	memmove(limb + below, limb, wide->n * sizeof *limb);
	memset(limb, 0, below * sizeof *limb);
	for (uint32_t i = below + wide->n; i < n; i++)
		limb[i] = sign;
	wide->lo = lo;
	wide->n = n;
	return 0;
}

int wide_reserve(struct wide *wide, int from, int to, struct mem *mem)
{
	if (from == to)
		return 0;
	int lo = wide->n && wide->lo < from ? wide->lo : from;
	/* The highest limb must be nothing but sign and lie above `to`: the sum of two numbers below 2^k is below 2^(k+1). */
	int end = wide->lo + (int)wide->n;
	if (wide->n && wide->limb[wide->n - 1] != sign_limb(wide))
		end++;
	if (!wide->n || end < to + 1)
		end = to + 1;
	uint32_t n = (uint32_t)(end - lo);
	return n == wide->n ? 0 : grow(wide, lo, n, mem);
}

void wide_add(struct wide *wide, const struct nat *term, int at, bool minus)
{
	if (!term->n)
		return;
	assert(at >= wide->lo && (uint32_t)(at - wide->lo) + term->n < wide->n);
	uint64_t carry = minus, flip = minus ? UINT64_MAX : 0; /* -x = ~x + 1 */
	for (uint32_t i = (uint32_t)(at - wide->lo), k = 0; i < wide->n; i++, k++) {
		if (k >= term->n && carry == minus)
			break; /* from here on, 0 or ~0 + 1 would be added */
		uint64_t limb = (k < term->n ? term->limb[k] : 0) ^ flip;
		u128 sum = (u128)wide->limb[i] + limb + carry;
		wide->limb[i] = (uint64_t)sum;
		carry = (uint64_t)(sum >> 64);
	}
}

int wide_mul(struct wide *wide, uint64_t factor, struct mem *mem)
{
	/* Modulo 2^(64 n) the product is right for negative numbers, too, if it fits: so the sign must fill a whole limb above the result. */
	if (!wide->n)
		return 0;
	if (wide_reserve(wide, wide->lo, wide->lo + (int)wide->n, mem))
		return -1;
	uint64_t carry = 0;
	for (uint32_t i = 0; i < wide->n; i++) {
		u128 product = (u128)wide->limb[i] * factor + carry;
		wide->limb[i] = (uint64_t)product;
		carry = (uint64_t)(product >> 64);
	}
	return 0;
}

bool wide_get(const struct wide *wide, struct nat *magnitude, int *at)
{
	uint32_t low = 0;
	while (low < wide->n && !wide->limb[low])
		low++;
	assert(wide->n - low <= NAT_LIMBS);
	uint64_t flip = sign_limb(wide), carry = flip & 1;
	magnitude->n = wide->n - low;
	for (uint32_t i = low; i < wide->n; i++) {
		uint64_t limb = (wide->limb[i] ^ flip) + carry;
		carry = carry && !limb;
		magnitude->limb[i - low] = limb;
	}
	nat_trim(magnitude);
	*at = magnitude->n ? wide->lo + (int)low : 0;
	return flip != 0;
}

bool wide_is_zero(const struct wide *wide)
{
	for (uint32_t i = 0; i < wide->n; i++)
		if (wide->limb[i])
			return false;
	return true;
}

void wide_free(struct wide *wide, struct mem *mem)
{
	mem_free(mem, wide->limb, wide->n * sizeof *wide->limb);
	*wide = (struct wide){ 0 };
}
