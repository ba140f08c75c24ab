/* url_path, url_host, url_query: parts of a URL, cut as RFC 3986 (appendix B) cuts a reference:
 *
 *     http : // me:secret@Example.org:8042 /over/there ? name=ferret & b=1 # nose
 *     scheme    authority                  path          query               fragment
 *
 * Each judges its own part only: a path is found behind a host that cannot be. Parts are borrowed from the text; a host with capitals and
 * what was percent-encoded are written anew. */
#include "core/ascii.h"
#include "ops/expr/func.h"
#include "ops/expr/ip.h"
#include "ops/expr/text.h"
#include "parse/format/clf_request.h"

struct url {
	struct bytes authority, path, query; /* p NULL: there is none; a path is always there */
};

/* Cuts what comes before the first of `stops` from the front of *x. */
static struct bytes cut(struct bytes *x, const char *stops)
{
	size_t n = x->n;
	for (; *stops && n; stops++) {
		const char *stop = memchr(x->p, *stops, n);
		n = stop ? (size_t)(stop - x->p) : n;
	}
	struct bytes part = { x->p, n };
	*x = (struct bytes){ x->p + n, x->n - n };
	return part;
}

static void skip_scheme(struct bytes *x)
{
	size_t n = (size_t)(scheme_end(x->p, x->p + x->n) - x->p);
	if (n && n < x->n && x->p[n] == ':')
		*x = (struct bytes){ x->p + n + 1, x->n - n - 1 };
}

static struct url url_cut(struct bytes x)
{
	struct url url = { 0 };
	skip_scheme(&x);
	if (x.n >= 2 && x.p[0] == '/' && x.p[1] == '/') {
		x = (struct bytes){ x.p + 2, x.n - 2 };
		url.authority = cut(&x, "/?#");
	}
	url.path = cut(&x, "?#");
	if (url.authority.p && !url.path.n)
		url.path = (struct bytes){ "/", 1 };
	if (x.n && *x.p == '?') {
		x = (struct bytes){ x.p + 1, x.n - 1 };
		url.query = cut(&x, "#");
	}
	return url;
}

/* A part holds nothing to escape if the whole does not. */
static struct value part(const struct value *whole, struct bytes x)
{
	struct value out = value_text(x.p, (uint32_t)x.n);
	out.flags = whole->flags & VF_CLEAN;
	return out;
}

int fn_url_path(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r);
		struct bytes x;
		out[r] = !call_skips(call, r) && text_of(v, &x) ? part(v, url_cut(x).path) : value_null();
	}
	return 0;
}

/* ---- host ---------------------------------------------------------------------------------- */

static bool is_percent(const char *p, const char *end) { return end - p >= 3 && *p == '%' && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0; }

/* Unreserved, percent-encoded, sub-delims; beyond ASCII, as browsers show them. */
static bool is_name(struct bytes x)
{
	const char *end = x.p + x.n;
	for (const char *p = x.p; p < end; p++)
		if (!(is_letter(*p) || is_digit(*p) || *p & 0x80 || (*p && strchr("-._~!$&'()*+,;=", *p)) || is_percent(p, end)))
			return false;
	return x.n > 0;
}

/* What stands in [brackets]: an IPv6 address, with a zone (%25eth0, RFC 6874) or not, or v1.something. */
static bool is_literal(struct bytes x)
{
	struct ip ip;
	if (x.n && (*x.p | 0x20) == 'v') {
		size_t digits = 1;
		while (digits < x.n && hex_digit(x.p[digits]) >= 0)
			digits++;
		cut(&x, ".");
		return digits > 1 && x.n > 1;
	}
	struct bytes address = cut(&x, "%");
	bool zone = !x.n || (x.n > 3 && !memcmp(x.p, "%25", 3) && is_name(x));
	return zone && ip_read(address, &ip) && ip.width == IPV6 && !memchr(address.p, '/', address.n);
}

/* The host of an authority, without brackets; p NULL: there is none, or it cannot be one. A name and a password end at the last @. */
static struct bytes host_of(struct bytes authority)
{
	const struct bytes none = { 0 };
	const char *at = find_last(authority.p, authority.p + authority.n, '@');
	struct bytes x = at ? (struct bytes){ at + 1, authority.n - (size_t)(at + 1 - authority.p) } : authority, host;
	if (x.n && *x.p == '[') {
		x = (struct bytes){ x.p + 1, x.n - 1 };
		host = cut(&x, "]");
		if (!x.n || !is_literal(host))
			return none;
		x = (struct bytes){ x.p + 1, x.n - 1 };
		if (x.n && *x.p != ':')
			return none;
	} else {
		host = cut(&x, ":");
		if (!is_name(host))
			return none;
	}
	for (size_t i = 1; i < x.n; i++) /* :port */
		if (!is_digit(x.p[i]))
			return none;
	return host;
}

static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

static bool has_capitals(struct bytes x)
{
	for (size_t i = 0; i < x.n; i++)
		if (is_capital(x.p[i]))
			return true;
	return false;
}

int fn_url_host(const struct call *call, struct value *out)
{
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r);
		struct bytes x;
		out[r] = value_null();
		if (call_skips(call, r) || !text_of(v, &x))
			continue;
		struct bytes host = host_of(url_cut(x).authority);
		if (!host.p)
			continue;
		out[r] = part(v, host);
		if (!has_capitals(host))
			continue;
		if (!pen_room(&pen, host.n))
			return -1;
		for (size_t i = 0; i < host.n; i++)
			pen.at[i] = (char)(is_capital(host.p[i]) ? host.p[i] | 0x20 : host.p[i]);
		out[r] = pen_take(&pen, host.n, v->flags & VF_CLEAN);
	}
	return 0;
}

/* ---- query --------------------------------------------------------------------------------- */

/* The byte that the text at *p < end stands for; *p moves behind it. A % that says nothing is itself. */
static char decode(const char **p, const char *end)
{
	const char *at = *p;
	bool percent = is_percent(at, end);
	*p += percent ? 3 : 1;
	return percent ? (char)((unsigned)hex_digit(at[1]) << 4 | (unsigned)hex_digit(at[2])) : (char)(*at == '+' ? ' ' : *at);
}

static bool decodes_to(struct bytes x, struct bytes plain)
{
	const char *p = x.p, *end = p + x.n;
	size_t n = 0;
	while (p < end && n < plain.n && decode(&p, end) == plain.p[n])
		n++;
	return p == end && n == plain.n;
}

/* The value of the first field of that name; false if there is none. Without = it is empty. */
static bool find_field(struct bytes query, struct bytes name, struct bytes *out)
{
	while (query.n) {
		struct bytes field = cut(&query, "&"), key = cut(&field, "=");
		if (field.n)
			field = (struct bytes){ field.p + 1, field.n - 1 };
		*out = field;
		if (decodes_to(key, name) && (key.n || field.p > key.p + key.n))
			return true;
		if (query.n)
			query = (struct bytes){ query.p + 1, query.n - 1 };
	}
	return false;
}

/* The text that x stands for; -1 if memory is refused. */
static int decoded(const struct value *v, struct bytes x, struct pen *pen, struct value *out)
{
	const char *p = x.p, *end = p + x.n;
	size_t n = 0;
	*out = part(v, x);
	if (!x.n || (!memchr(p, '%', x.n) && !memchr(p, '+', x.n)))
		return 0;
	if (!pen_room(pen, x.n))
		return -1;
	while (p < end)
		pen->at[n++] = decode(&p, end);
	*out = pen_take(pen, n, 0);
	return 0;
}

int fn_url_query(const struct call *call, struct value *out)
{
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r);
		struct bytes x, name;
		out[r] = value_null();
		if (call_skips(call, r) || !text_of(v, &x) || !text_of(arg_at(call, 1, r), &name))
			continue;
		if (find_field(url_cut(x).query, name, &x) && decoded(v, x, &pen, &out[r]))
			return -1;
	}
	return 0;
}
