#include "tests/unit/numgen.h"

#include <math.h>
#include <string.h>

uint64_t numgen_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

uint64_t numgen_below(uint64_t *state, uint64_t n)
{
	return numgen_next(state) % n;
}

struct value numgen_decimal(uint64_t *state)
{
	static const int64_t edges[] = {
		INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1, 1, -1, 0, 5, (INT64_C(1) << 53) + 1, INT64_C(1000000000000000000)
	};
	unsigned scale = (unsigned)numgen_below(state, 19);
	switch (numgen_below(state, 4)) {
	case 0:
		return number_dec((int64_t)numgen_below(state, 2001) - 1000, scale % 4);
	case 1:
		return number_dec(edges[numgen_below(state, sizeof edges / sizeof *edges)], scale % 2 ? scale : 0);
	default:
		return number_dec((int64_t)numgen_next(state) >> numgen_below(state, 64), scale);
	}
}

struct value numgen_double(uint64_t *state)
{
	double d;
	uint64_t bits = numgen_next(state);
	switch (numgen_below(state, 4)) {
	case 0: /* the bits of any */
		memcpy(&d, &bits, sizeof d);
		return isfinite(d) && d != 0 ? number_from_double(d) : numgen_double(state);
	case 1: /* powers of two: the neighbour below is nearer */
		return number_from_double(ldexp(1, (int)(bits % 2098) - 1074));
	case 2: /* few digits */
		return number_from_double((double)(bits % 100000) / (double)dec_pow10[bits >> 32 & 7] + 1);
	default: /* next to a decimal */
		d = (double)(int64_t)bits / (double)dec_pow10[bits % 19];
		return number_from_double(d == 0 ? 1 : d);
	}
}

struct value numgen_any(uint64_t *state)
{
	return numgen_below(state, 2) ? numgen_decimal(state) : numgen_double(state);
}
