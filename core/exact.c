#include "core/exact.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void of_decimal(struct exact *x, const struct value *v)
{
	x->negative = v->u.i < 0;
	x->exp2 = 0;
	x->scale = v->scale;
	nat_set(&x->m, x->negative ? 0 - (uint64_t)v->u.i : (uint64_t)v->u.i);
}

static void of_double(struct exact *x, double d)
{
	x->negative = d < 0;
	x->scale = 0;
	nat_set(&x->m, (uint64_t)ldexp(frexp(fabs(d), &x->exp2), 53));
	x->exp2 -= 53;
}

void exact_of(struct exact *x, const struct value *v)
{
	if (v->type == V_DEC) {
		of_decimal(x, v);
	} else if (v->type == V_DBL) {
		of_double(x, v->u.d);
	} else {
		bool read = exact_read(x, v->u.p, v->len);
		assert(read);
		(void)read;
	}
}

bool exact_read(struct exact *x, const char *text, size_t len)
{
	x->exp2 = 0;
	x->negative = len > 0 && text[0] == '-';
	text += x->negative;
	len -= x->negative;
	const char *point = len ? memchr(text, '.', len) : NULL;
	if (!point) {
		x->scale = 0;
		return nat_read(&x->m, text, len);
	}
	size_t whole = (size_t)(point - text), fraction = len - whole - 1;
	if (fraction > NAT_DIGITS_MAX || whole + fraction > NAT_DIGITS_MAX)
		return false;
	struct nat low;
	if (!nat_read(&x->m, text, whole) || !nat_read(&low, point + 1, fraction))
		return false;
	x->scale = (unsigned)fraction;
	nat_mul_pow10(&x->m, x->scale);
	nat_add(&x->m, &low);
	return true;
}

void exact_trim(struct exact *x)
{
	struct nat tenth;
	while (x->scale > 0) {
		nat_copy(&tenth, &x->m);
		if (nat_div_small(&tenth, 10) != 0)
			break;
		nat_copy(&x->m, &tenth);
		x->scale--;
	}
}

size_t exact_print_max(const struct exact *x)
{
	return nat_print_max(&x->m) + x->scale + 3;
}

size_t exact_print(struct exact *x, char *out)
{
	size_t sign = x->negative && x->m.n, scale = x->scale;
	if (sign)
		*out++ = '-';
	size_t n = nat_print(&x->m, out);
	if (scale == 0)
		return sign + n;
	if (n <= scale) { /* at least one digit before the point */
		size_t zeros = scale + 1 - n;
		memmove(out + zeros, out, n);
		memset(out, '0', zeros);
		n += zeros;
	}
	memmove(out + n - scale + 1, out + n - scale, scale);
	out[n - scale] = '.';
	return sign + n + 1;
}

/* Brings both to the larger scale and to the smaller power of two. */
static void align(struct exact *x, struct exact *y)
{
	struct exact *less = x->scale < y->scale ? x : y, *more = less == x ? y : x;
	nat_mul_pow10(&less->m, more->scale - less->scale);
	less->scale = more->scale;
	struct exact *high = x->exp2 > y->exp2 ? x : y, *low = high == x ? y : x;
	nat_shift_left(&high->m, (unsigned)(high->exp2 - low->exp2));
	high->exp2 = low->exp2;
}

void exact_add(struct exact *x, struct exact *y)
{
	align(x, y);
	if (x->negative == y->negative) {
		nat_add(&x->m, &y->m);
	} else if (nat_cmp(&x->m, &y->m) >= 0) {
		nat_sub(&x->m, &y->m);
	} else {
		nat_sub(&y->m, &x->m);
		nat_copy(&x->m, &y->m);
		x->negative = y->negative;
	}
}

void exact_mul(struct exact *x, const struct exact *y)
{
	struct nat product;
	nat_mul(&product, &x->m, &y->m);
	nat_copy(&x->m, &product);
	x->exp2 += y->exp2;
	x->scale += y->scale;
	x->negative ^= y->negative;
}

void exact_mul_small(struct exact *x, uint64_t factor)
{
	nat_mul_small(&x->m, factor);
}

static int sign(const struct exact *x)
{
	return x->m.n == 0 ? 0 : x->negative ? -1 : 1;
}

int exact_cmp(struct exact *x, struct exact *y)
{
	if (sign(x) != sign(y))
		return sign(x) < sign(y) ? -1 : 1;
	align(x, y);
	return sign(x) * nat_cmp(&x->m, &y->m);
}

double exact_nearest(struct exact *x)
{
	struct nat divisor;
	nat_set(&divisor, 1);
	nat_mul_pow10(&divisor, x->scale);
	double d = nat_ratio(&x->m, &divisor, x->exp2);
	return x->negative ? -d : d;
}

/* Moves the powers of ten into the numbers: x / y = x->m / y->m * 2^(x->exp2 - y->exp2). */
static void clear_scales(struct exact *x, struct exact *y)
{
	unsigned common = x->scale < y->scale ? x->scale : y->scale;
	nat_mul_pow10(&x->m, y->scale - common);
	nat_mul_pow10(&y->m, x->scale - common);
	x->scale = y->scale = 0;
}

double exact_quotient(struct exact *x, struct exact *y)
{
	clear_scales(x, y);
	double d = nat_ratio(&x->m, &y->m, x->exp2 - y->exp2);
	return x->negative != y->negative ? -d : d;
}

double exact_quotient_root(struct exact *x, struct exact *y)
{
	clear_scales(x, y);
	return nat_ratio_root(&x->m, &y->m, x->exp2 - y->exp2);
}
