/* A random case: a chain of operators as weir's flags and as SQL, and random input for it. Made from a seed, always the same. */
#ifndef CASE_H
#define CASE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CASE_ARGS = 40, CASE_TEXT = 400, CASE_SQL = 24000, CASE_ROWS = 48, CASE_COLS = 12 };

struct case_row { char kind[3]; bool null[5]; char c1[4]; int c2, c3; char c4[4]; int c5; };

/* The window of a case: which rows count in which windows is worked out row by row, from the watermark each of them meets. */
struct case_window {
	enum { NO_WINDOW, TUMBLE, HOP, CUMULATE, SESSION } kind;
	int size, step, offset, delay, lateness; /* ms; session: size is the gap */
};

struct random_case {
	uint64_t seed;
	bool changelog;                       /* input is a changelog with retractions; else plain rows */
	char arg[CASE_ARGS][CASE_TEXT];       /* operators' flags and arguments */
	int narg;
	char sql[CASE_SQL], sql_final[CASE_SQL]; /* over table t; _final: a global aggregate of nothing has a row */
	struct case_window window;            /* then the table has ws and we, too */
	bool bundled;                         /* -m is among the flags: outputs of prefixes are no prefixes */
	struct case_row row[CASE_ROWS];
	int nrow;
};

/* Fills *c from its seed; windowed: with event time and windows. */
void case_make(struct random_case *c, uint64_t seed, bool windowed);

/* Calls `put` for each row and each window that it counts in after the first n records; a row that is taken back (kind - ) is taken out of the windows that have not
 * closed by then. */
void case_windows(const struct random_case *c, int n, void (*put)(const struct case_row *row, int start, int end));

/* The rows in another order, in which none comes more than the delay behind a later one; for insert-only cases. */
void case_shuffle(struct random_case *c, uint64_t *rng);

/* The first n rows as weir reads them: changelog lines, or plain TAB-separated lines. Returns the length; `kinds`: as changelog even if plain. */
size_t case_input(const struct random_case *c, int n, bool kinds, char *out, size_t room);

/* Random numbers, for whoever else needs some. */
uint64_t case_random(uint64_t *state);
#endif
