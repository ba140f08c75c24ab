/* The request of an access log and its parts. */
#ifndef WEIR_CLF_REQUEST_H
#define WEIR_CLF_REQUEST_H
#include "parse/format/find.h"

/* All NULL for a request that is not METHOD URL PROTO. */
struct request { struct piece method, url, path, query, proto; };

/* Splits it: METHOD is all before the first blank, PROTO (as in HTTP/1.1) all behind the last one. The path ends at the first '?' of the URL, the
 * query is what follows it, if it is there. Of a whole URL (http://host/path, as proxies get) the path is its path, / if it is empty. */
struct request request_split(const char *p, uint32_t len);

/* The end of the letters (RFC 3986: digits, +, - and . behind the first) that a scheme before a colon is made of; p itself if there are none. */
const char *scheme_end(const char *p, const char *end);
#endif
