/* A sum as text, for snapshots:
 *
 *     digits[.digits]                                the decimals, canonical
 *     digits[.digits] count weight [-]hexdigits      and doubles: how many are held, and hexdigits * 2^(64 weight)
 *
 * Equal sums give equal texts, however they came about. */
#include <string.h>

#include "core/buf.h"
#include "core/sum_wide.h"

/* The window of doubles and of their squares. */
enum { WEIGHT_MIN = -34, WEIGHT_END = 34, HEX_MAX = 16 * (WEIGHT_END - WEIGHT_MIN) };

static void put_doubles(const struct sum_wide *wide, struct buf *out)
{
	struct nat m;
	int at;
	bool negative = wide_get(&wide->dbl, &m, &at);
	buf_printf(out, " %lld %d %s%llx", (long long)wide->doubles, at, negative ? "-" : "", m.n ? (unsigned long long)m.limb[m.n - 1] : 0);
	for (uint32_t i = m.n; i-- > 1;)
		buf_printf(out, "%016llx", (unsigned long long)m.limb[i - 1]);
}

void sum_text(const struct sum *sum, struct buf *out)
{
	struct exact x;
	sum_decimals(sum, &x);
	char *to = buf_room(out, exact_print_max(&x));
	if (to)
		out->n += exact_print(&x, to);
	if (sum_has_doubles(sum))
		put_doubles(sum->u.wide, out);
}

/* What is left to read. */
struct rest {
	const char *p, *end;
};

/* Takes what stands before the next blank, and the blank. */
static struct rest word(struct rest *rest)
{
	size_t n = (size_t)(rest->end - rest->p);
	const char *blank = n ? memchr(rest->p, ' ', n) : NULL;
	struct rest taken = { rest->p, blank ? blank : rest->end };
	rest->p = blank ? blank + 1 : rest->end;
	return taken;
}

static bool read_int(struct rest *rest, int64_t *out)
{
	struct rest taken = word(rest);
	struct value v;
	return number_read(taken.p, (uint32_t)(taken.end - taken.p), &v) && number_int(&v, out);
}

static bool read_hex(struct rest taken, struct nat *m)
{
	size_t n = (size_t)(taken.end - taken.p);
	if (n == 0 || n > HEX_MAX)
		return false;
	m->n = (uint32_t)(n + 15) / 16;
	memset(m->limb, 0, m->n * sizeof m->limb[0]);
	for (size_t i = 0; i < n; i++) {
		const char *digits = "0123456789abcdef", *digit = strchr(digits, taken.p[n - 1 - i]);
		if (!digit || !*digit)
			return false;
		m->limb[i / 16] |= (uint64_t)(digit - digits) << i % 16 * 4;
	}
	nat_trim(m);
	return true;
}

static int from_doubles(struct sum *sum, struct rest rest, struct mem *mem)
{
	int64_t doubles, at;
	struct nat m;
	if (!read_int(&rest, &doubles) || !read_int(&rest, &at))
		return -1;
	bool negative = rest.p < rest.end && *rest.p == '-';
	rest.p += negative;
	if (!read_hex(rest, &m) || at < WEIGHT_MIN || at + m.n > WEIGHT_END)
		return -1;
	if (sum_widen(sum, mem) || wide_reserve(&sum->u.wide->dbl, (int)at, (int)at + (int)m.n, mem))
		return -1;
	wide_add(&sum->u.wide->dbl, &m, (int)at, negative);
	sum->u.wide->doubles = doubles;
	return 0;
}

static int from_decimals(struct sum *sum, struct rest digits, struct mem *mem)
{
	struct exact x;
	if (!exact_read(&x, digits.p, (size_t)(digits.end - digits.p)) || x.scale > SUM_SCALE_MAX)
		return -1;
	uint64_t m = x.m.n ? x.m.limb[0] : 0;
	if (x.m.n <= 1 && x.scale <= DEC_SCALE_MAX && m <= INT64_MAX) {
		sum->u.mantissa = x.negative ? -(int64_t)m : (int64_t)m;
		sum->scale = (uint8_t)x.scale;
		return 0;
	}
	return sum_widen(sum, mem) || sum_add_decimal(sum, &x.m, x.scale, x.negative, mem) ? -1 : 0;
}

int sum_from(struct sum *sum, const char *text, size_t n, struct mem *mem)
{
	struct rest rest = { text, text + n }, digits = word(&rest);
	if (from_decimals(sum, digits, mem) || (digits.end < text + n && from_doubles(sum, rest, mem))) {
		sum_drop(sum, mem);
		return -1;
	}
	return 0;
}
