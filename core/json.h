/* JSON texts (RFC 8259): checks one and cuts out the values that a set of paths names, in one pass over the bytes, without recursion.
 *
 *     {"ts":1,"req":{"k":"a","tags":["x","y"]}}       paths: req.k, req.tags[-1]      ->  "a", "y"
 *
 * All of the text is checked, what nobody wants included. Of members with one name the last counts. The names that a path begins with are tried as one dotted
 * name first: a.b[0] is element 0 of the member "a.b", and only if that is not there, of b in a. Bytes that are not UTF-8 are kept as they are; a lone surrogate (\ud800) becomes
 * U+FFFD. Texts of one source look alike: the names of the last one are guessed for the next, and cost one comparison if they are there again. */
#ifndef WEIR_JSON_H
#define WEIR_JSON_H
#include <stdbool.h>

#include "core/arena.h"
#include "core/path.h"
#include "core/value.h"

enum { JSON_DEPTH = 1000 /* levels of nesting at most */ };

struct json;

struct json_path {
	const struct step *step; /* borrowed for as long as the reader lives */
	uint32_t nstep;
};

/* A reader for n paths, in mem; NULL if memory is refused. */
struct json *json_new(const struct json_path *path, uint32_t n, struct arena *mem);

/* Reads the text [p, p + n), n < 2^32. `room` >= n: bytes that may be looked at from p on; if it is more than n, what stands at p[n] is no byte of a number. 0, or -1 if it is not JSON:
 * see json_why. */
int json_read(struct json *json, const char *p, size_t n, size_t room);

/* After json_read gave -1: what is wrong, and at which byte, from 0. */
const char *json_why(const struct json *json, size_t *at);

/* The value of path i in the text read last: missing or null: V_NULL. Else V_RAW: a string without its quotes (VF_QUOTED), the text of a number, true or
 * false or a nested value as it stands there (VF_JSON, unless it holds a LF). Points into the text, or into mem where escapes had to be resolved.
 * -1 if memory is refused. */
int json_value(const struct json *json, uint32_t i, struct arena *mem, struct value *out) __attribute__((warn_unused_result));

/* Ways to read, of which json_new takes the fastest. (Steps of 32 bytes, by AVX2, were no faster: strings are short.) */
enum json_machine { JSON_PLAIN, JSON_SSE2 };

/* Switches to another one, for tests; false if this machine lacks it. */
bool json_use(struct json *json, enum json_machine machine);
#endif
