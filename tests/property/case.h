/* A random case: a chain of operators as weir's flags and as SQL, and random input for it. Made from a seed, always the same. */
#ifndef CASE_H
#define CASE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CASE_ARGS = 24, CASE_TEXT = 400, CASE_SQL = 24000, CASE_ROWS = 48, CASE_COLS = 12 };

struct case_row { char kind[3]; bool null[5]; char c1[4]; int c2, c3; char c4[4]; int c5; };

struct random_case {
	uint64_t seed;
	bool changelog;                       /* input is a changelog with retractions; else plain rows */
	char arg[CASE_ARGS][CASE_TEXT];       /* operators' flags and arguments */
	int narg;
	char sql[CASE_SQL], sql_final[CASE_SQL]; /* over table t; _final: a global aggregate of nothing has a row */
	bool bundled;                         /* -m is among the flags: outputs of prefixes are no prefixes */
	struct case_row row[CASE_ROWS];
	int nrow;
};

/* Fills *c from its seed. */
void case_make(struct random_case *c, uint64_t seed);

/* The first n rows as weir reads them: changelog lines, or plain TAB-separated lines. Returns the length; `kinds`: as changelog even if plain. */
size_t case_input(const struct random_case *c, int n, bool kinds, char *out, size_t room);

/* Random numbers, for whoever else needs some. */
uint64_t case_random(uint64_t *state);
#endif
