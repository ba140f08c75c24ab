#include "parse/format/clf_request.h"

#include <stdbool.h>
#include <string.h>

static struct piece between(const char *p, const char *end)
{
	return (struct piece){ p, (uint32_t)(end - p) };
}

static const char *find(const char *p, const char *end, char c)
{
	const char *at = memchr(p, c, (size_t)(end - p));
	return at ? at : end;
}

static bool letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Capitals, a slash, a digit: HTTP/1.1, RTSP/1.0. */
static bool is_proto(const char *p, const char *end)
{
	const char *slash = find(p, end, '/');
	if (slash == p || end - slash < 2 || slash[1] < '0' || slash[1] > '9')
		return false;
	while (p < slash && *p >= 'A' && *p <= 'Z')
		p++;
	return p == slash;
}

/* The path of [p, end), which holds no query: behind scheme://host, if that is there. */
static struct piece path_of(const char *p, const char *end)
{
	const char *scheme = p;
	while (scheme < end && (letter(*scheme) || (scheme > p && (*scheme == '+' || *scheme == '-' || *scheme == '.' || (*scheme >= '0' && *scheme <= '9')))))
		scheme++;
	if (scheme == p || end - scheme < 3 || memcmp(scheme, "://", 3) != 0)
		return between(p, end);
	const char *path = find(scheme + 3, end, '/');
	return path < end ? between(path, end) : (struct piece){ "/", 1 };
}

struct request request_split(const char *p, uint32_t len)
{
	struct request r = { 0 };
	const char *end = p + len, *first = find(p, end, ' '), *last = memrchr(p, ' ', len);
	if (!last || first == p || last - first < 2 || !is_proto(last + 1, end))
		return r;
	const char *query = find(first + 1, last, '?');
	r.method = between(p, first);
	r.url = between(first + 1, last);
	r.path = path_of(first + 1, query);
	if (query < last)
		r.query = between(query + 1, last);
	r.proto = between(last + 1, end);
	return r;
}
