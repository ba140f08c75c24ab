#include "parse/format/clf_request.h"

#include <string.h>

#include "core/ascii.h"

/* Capitals, a slash, a digit: HTTP/1.1, RTSP/1.0. */
static bool is_proto(const char *p, const char *end)
{
	const char *begin = p;
	while (p < end && *p >= 'A' && *p <= 'Z')
		p++;
	return p > begin && end - p >= 2 && p[0] == '/' && is_digit(p[1]);
}

const char *scheme_end(const char *p, const char *end)
{
	const char *begin = p;
	while (p < end && (is_letter(*p) || (p > begin && (is_digit(*p) || *p == '+' || *p == '-' || *p == '.'))))
		p++;
	return p;
}

/* The path of [p, end), which holds no query: behind scheme://host, if that is there. */
static struct piece path_of(const char *p, const char *end)
{
	const char *scheme = scheme_end(p, end);
	if (scheme == p || end - scheme < 3 || memcmp(scheme, "://", 3) != 0)
		return between(p, end);
	const char *path = find_byte(scheme + 3, end, '/');
	return path ? between(path, end) : (struct piece){ "/", 1 };
}

struct request request_split(const char *p, uint32_t len)
{
	struct request r = { 0 };
	const char *end = p + len, *last = find_last(p, end, ' ');
	if (!last || !is_proto(last + 1, end))
		return r;
	const char *first = find_byte(p, end, ' ');
	if (first == p || last - first < 2)
		return r;
	const char *query = find_byte(first + 1, end, '?'); /* 16 bytes more often lie before `end` than before `last` */
	if (query > last)
		query = NULL; /* in PROTO, of which the beginning alone was looked at */
	r.method = between(p, first);
	r.url = between(first + 1, last);
	r.path = path_of(first + 1, query ? query : last);
	if (query)
		r.query = between(query + 1, last);
	r.proto = between(last + 1, end);
	return r;
}
