/* Addresses of the Internet as bits and as text: IPv4 in dotted decimals, IPv6 as RFC 4291 2.2 and 2.3 have it. */
#ifndef WEIR_EXPR_IP_H
#define WEIR_EXPR_IP_H
#include <stdbool.h>

#include "core/nat.h"
#include "ops/expr/text.h"

enum { IPV4 = 32, IPV6 = 128 /* bits of an address */, IP_TEXT_MAX = 43 /* bytes, with a prefix */ };

/* An address, or a network: its first `prefix` bits.
 *
 *     bits   127            96                    0
 *     IPv4    10. 1. 2. 3   zero                          so that the prefix of both families
 *     IPv6    2001:db8:...                                is counted from the same end */
struct ip {
	u128 bits;
	uint8_t width;  /* IPV4 or IPV6 */
	uint8_t prefix; /* up to width, which is one address alone */
};

/* Reads a whole text, an address with or without /prefix; false if it is none. Bits behind the prefix stay as written. */
bool ip_read(struct bytes text, struct ip *out);

/* The same without those bits. */
struct ip ip_network(struct ip ip);

/* Is all of `part` in `whole`? Never if they are of two families, as in PostgreSQL. */
bool ip_within(const struct ip *part, const struct ip *whole);

/* Writes address and /prefix in the form of RFC 5952, at most IP_TEXT_MAX bytes; their number. */
size_t ip_print(const struct ip *ip, char *out);
#endif
