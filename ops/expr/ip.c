#include "ops/expr/ip.h"

enum { GROUPS = 8, GROUP_BITS = 16, IPV4_GROUPS = 2, OCTETS = 4 };

/* ---- reading ------------------------------------------------------------------------------ */

/* Decimal digits at *at, without a zero in front, up to `most`; -1 if there are none or they say more. */
static int read_decimal(const char **at, const char *end, int most)
{
	const char *p = *at;
	int n = 0;
	for (; p < end && *p >= '0' && *p <= '9' && n <= most; p++)
		n = n * 10 + (*p - '0');
	if (p == *at || n > most || (**at == '0' && p - *at > 1))
		return -1;
	*at = p;
	return n;
}

/* Four octets and no more. */
static bool read_ipv4(const char *p, const char *end, uint32_t *out)
{
	*out = 0;
	for (int i = 0; i < OCTETS; i++) {
		if (i && (p == end || *p++ != '.'))
			return false;
		int octet = read_decimal(&p, end, UINT8_MAX);
		if (octet < 0)
			return false;
		*out = *out << 8 | (uint32_t)octet;
	}
	return p == end;
}

/* The groups on both sides of the ::, which lies before group `gap` (-1: there is none). */
struct groups {
	uint16_t group[GROUPS];
	int n, gap;
};

/* One to four hexadecimal digits. */
static bool read_group(struct groups *g, const char **at, const char *end)
{
	const char *p = *at;
	unsigned group = 0;
	for (int digit; p < end && p - *at < 4 && (digit = hex_digit(*p)) >= 0; p++)
		group = group << 4 | (unsigned)digit;
	if (p == *at)
		return false;
	g->group[g->n++] = (uint16_t)group;
	*at = p;
	return true;
}

/* The last 32 bits as an IPv4 address. */
static bool read_embedded(struct groups *g, const char *p, const char *end)
{
	uint32_t ipv4;
	if (g->n > GROUPS - IPV4_GROUPS || !read_ipv4(p, end, &ipv4))
		return false;
	g->group[g->n++] = (uint16_t)(ipv4 >> GROUP_BITS);
	g->group[g->n++] = (uint16_t)ipv4;
	return true;
}

static bool read_groups(struct groups *g, const char *p, const char *end)
{
	while (p < end) {
		const char *begin = p;
		if (g->n == GROUPS || !read_group(g, &p, end))
			return false;
		if (p == end)
			break;
		if (*p == '.') {
			g->n--;
			return read_embedded(g, begin, end);
		}
		if (*p++ != ':' || p == end)
			return false;
		if (*p != ':')
			continue;
		if (g->gap >= 0)
			return false;
		g->gap = g->n;
		p++;
	}
	return true;
}

static bool read_ipv6(const char *p, const char *end, u128 *out)
{
	struct groups g = { .gap = -1 };
	if (end - p >= 2 && p[0] == ':' && p[1] == ':') {
		g.gap = 0;
		p += 2;
	}
	if (!read_groups(&g, p, end) || (g.gap < 0 ? g.n != GROUPS : g.n == GROUPS)) /* a :: is at least one group */
		return false;
	*out = 0;
	for (int i = 0; i < g.n; i++) {
		int place = g.gap >= 0 && i >= g.gap ? i + GROUPS - g.n : i;
		*out |= (u128)g.group[i] << GROUP_BITS * (GROUPS - 1 - place);
	}
	return true;
}

bool ip_read(struct bytes text, struct ip *out)
{
	const char *p = text.p, *end = p + text.n, *slash = text.n ? memchr(p, '/', text.n) : NULL, *stop = slash ? slash : end;
	uint32_t ipv4;
	if (read_ipv4(p, stop, &ipv4))
		*out = (struct ip){ (u128)ipv4 << (IPV6 - IPV4), IPV4, IPV4 };
	else if (read_ipv6(p, stop, &out->bits))
		out->width = out->prefix = IPV6;
	else
		return false;
	if (!slash)
		return true;
	p = slash + 1;
	int prefix = read_decimal(&p, end, out->width);
	out->prefix = (uint8_t)prefix;
	return prefix >= 0 && p == end;
}

/* ---- networks ------------------------------------------------------------------------------ */

static u128 mask(unsigned prefix)
{
	return prefix ? ~(u128)0 << (IPV6 - prefix) : 0;
}

struct ip ip_network(struct ip ip)
{
	ip.bits &= mask(ip.prefix);
	return ip;
}

bool ip_within(const struct ip *part, const struct ip *whole)
{
	return part->width == whole->width && part->prefix >= whole->prefix && !((part->bits ^ whole->bits) & mask(whole->prefix));
}

/* ---- writing ------------------------------------------------------------------------------- */

static char *put_decimal(char *to, unsigned n)
{
	if (n >= 100)
		*to++ = (char)('0' + n / 100);
	if (n >= 10)
		*to++ = (char)('0' + n / 10 % 10);
	*to++ = (char)('0' + n % 10);
	return to;
}

static char *put_ipv4(char *to, uint32_t ipv4)
{
	for (int i = OCTETS - 1; i >= 0; i--) {
		to = put_decimal(to, ipv4 >> 8 * i & UINT8_MAX);
		if (i)
			*to++ = '.';
	}
	return to;
}

static char *put_group(char *to, unsigned group)
{
	bool begun = false;
	for (int shift = GROUP_BITS - 4; shift >= 0; shift -= 4) {
		unsigned digit = group >> shift & 15;
		begun = begun || digit || !shift;
		if (begun)
			*to++ = "0123456789abcdef"[digit];
	}
	return to;
}

static unsigned group_at(u128 bits, int i) { return (unsigned)(bits >> GROUP_BITS * (GROUPS - 1 - i)) & UINT16_MAX; }

/* The longest run of two or more groups of zero, the first of equals: it begins at *from; its length, or 0. */
static int longest_zeros(u128 bits, int n, int *from)
{
	int longest = 1;
	*from = n;
	for (int i = 0, run = 0; i < n; i++) {
		run = group_at(bits, i) ? 0 : run + 1;
		if (run > longest) {
			longest = run;
			*from = i + 1 - run;
		}
	}
	return longest > 1 ? longest : 0;
}

/* An IPv4 address in the clothes of IPv6, ::ffff:0:0/96, shows it (RFC 5952, 5). */
static char *put_ipv6(char *to, u128 bits)
{
	bool mapped = bits >> IPV4 == UINT16_MAX;
	int n = mapped ? GROUPS - IPV4_GROUPS : GROUPS, from, zeros = longest_zeros(bits, n, &from);
	for (int i = 0; i < n; i++) {
		if (zeros && i == from) {
			*to++ = ':';
			i += zeros - 1;
			if (i == n - 1)
				*to++ = ':';
			continue;
		}
		if (i)
			*to++ = ':';
		to = put_group(to, group_at(bits, i));
	}
	if (!mapped)
		return to;
	*to++ = ':';
	return put_ipv4(to, (uint32_t)bits);
}

size_t ip_print(const struct ip *ip, char *out)
{
	char *to = ip->width == IPV4 ? put_ipv4(out, (uint32_t)(ip->bits >> (IPV6 - IPV4))) : put_ipv6(out, ip->bits);
	*to++ = '/';
	return (size_t)(put_decimal(to, ip->prefix) - out);
}
