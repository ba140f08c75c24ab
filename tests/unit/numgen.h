/* Random numbers for tests: the kinds and sizes at which arithmetic goes wrong, more often than chance would have them. */
#ifndef NUMGEN_H
#define NUMGEN_H
#include "core/number.h"

/* The next of a fixed sequence (xorshift64*); *state is never 0. */
uint64_t numgen_next(uint64_t *state);

/* 0 .. n - 1. */
uint64_t numgen_below(uint64_t *state, uint64_t n);

/* Any decimal; any finite double; any of both. */
struct value numgen_decimal(uint64_t *state);
struct value numgen_double(uint64_t *state);
struct value numgen_any(uint64_t *state);
#endif
