/* hash(x, ...): XXH3 (64 bits, no seed), the top bit cleared, over the bytes that a key of the same values has (ops/key.h):
 *
 *     one argument   its bytes as they print; NULL hashes as one zero byte
 *     several        for each a length, then its bytes. The length: one byte, 0 for NULL, 1 to 254 for length + 1; else 255 and
 *                    four bytes with length + 1, little-endian
 *
 * XXH3 gives the same on every machine, so the number may be stored and compared for ever. */
#include <xxhash.h>

#include "ops/expr/func.h"
#include "ops/expr/text.h"

enum { LENGTH_MAX = 5 /* bytes of a length */, FAR = 255 };

static size_t put_length(char *to, uint32_t len)
{
	uint32_t n = len + 1;
	if (n < FAR) {
		to[0] = (char)n;
		return 1;
	}
	to[0] = (char)FAR;
	for (int i = 0; i < 4; i++)
		to[1 + i] = (char)(n >> 8 * i);
	return LENGTH_MAX;
}

static struct value hashed(const void *bytes, size_t n)
{
	return value_int((int64_t)(XXH3_64bits(bytes, n) & INT64_MAX));
}

static int hash_one(const struct call *call, struct value *out)
{
	char scratch[VALUE_TEXT_MAX];
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r);
		const char *p;
		uint32_t len = value_key(v, scratch, &p);
		out[r] = v->type == V_NULL ? hashed("", 1) : hashed(p, len);
	}
	return 0;
}

/* The key of row r at pen->at, which has room for it; its length. */
static size_t encode(const struct call *call, uint32_t r, char *to)
{
	char scratch[VALUE_TEXT_MAX], *from = to;
	for (uint32_t i = 0; i < call->expr->narg; i++) {
		const struct value *v = arg_at(call, i, r);
		const char *p;
		if (v->type == V_NULL) {
			*to++ = 0;
			continue;
		}
		uint32_t len = value_key(v, scratch, &p);
		to += put_length(to, len);
		if (len)
			memcpy(to, p, len);
		to += len;
	}
	return (size_t)(to - from);
}

int fn_hash(const struct call *call, struct value *out)
{
	if (call->expr->narg == 1)
		return hash_one(call, out);
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++) {
		size_t room = 0;
		for (uint32_t i = 0; i < call->expr->narg; i++)
			room += LENGTH_MAX + VALUE_TEXT_MAX + (size_t)arg_at(call, i, r)->len;
		if (!pen_room(&pen, room)) /* the same room serves every row that fits in it */
			return -1;
		out[r] = hashed(pen.at, encode(call, r, pen.at));
	}
	return 0;
}
