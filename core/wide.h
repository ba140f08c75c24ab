/* Fixed-point binary numbers that grow: what a sum keeps when 64 bits do not do.
 *
 *     limb    [0]    [1]    [2]    ...   [n-1]         two's complement, [n-1] holds the sign
 *     weight  2^64lo 2^64(lo+1)                        lo < 0: a fraction
 *
 * Only the window between the smallest and the largest bit ever added is kept: a few limbs for numbers of like size, 34 for all doubles.
 * All-zero bytes are 0. Growing does not change the value, so that all memory can be asked for before anything is added. */
#ifndef WEIR_WIDE_H
#define WEIR_WIDE_H
#include "core/mem.h"
#include "core/nat.h"

struct wide {
	uint64_t *limb;
	int32_t lo;
	uint32_t n;
};

/* Makes room for one addition of a number that lies in the weights 2^64from up to below 2^64to (nothing if they are equal); -1 if memory is refused. */
int wide_reserve(struct wide *wide, int from, int to, struct mem *mem) __attribute__((warn_unused_result));

/* wide += (minus ? -1 : 1) * term * 2^(64 at); room for it was reserved just before. */
void wide_add(struct wide *wide, const struct nat *term, int at, bool minus);

/* wide *= factor; -1 if memory is refused. */
int wide_mul(struct wide *wide, uint64_t factor, struct mem *mem) __attribute__((warn_unused_result));

/* |wide| = *magnitude * 2^(64 *at), without zero limbs at either end (zero: 0 and 0); true if wide is negative. */
bool wide_get(const struct wide *wide, struct nat *magnitude, int *at);

/* Is it 0? */
bool wide_is_zero(const struct wide *wide);

/* Back to 0 without memory. */
void wide_free(struct wide *wide, struct mem *mem);
#endif
