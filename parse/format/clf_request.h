/* The request of an access log and its parts. */
#ifndef WEIR_CLF_REQUEST_H
#define WEIR_CLF_REQUEST_H
#include <stdint.h>

/* A borrowed piece of text; p NULL: there is none. */
struct piece {
	const char *p;
	uint32_t len;
};

/* All NULL for a request that is not METHOD URL PROTO. */
struct request { struct piece method, url, path, query, proto; };

/* Splits it: METHOD is all before the first blank, PROTO (as in HTTP/1.1) all behind the last one. The path ends at the first '?' of the URL, the
 * query is what follows it, if it is there. Of a whole URL (http://host/path, as proxies get) the path is its path, / if it is empty. */
struct request request_split(const char *p, uint32_t len);
#endif
