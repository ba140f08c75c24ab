/* The inside of the case generator: what it knows of the stream so far, and the operators it can add. */
#ifndef SHAPE_H
#define SHAPE_H
#include "case.h"

struct col { char name[16]; bool text, unique, time; };
struct shape {
	struct random_case *c;
	uint64_t rng;
	struct col col[CASE_COLS];
	int ncol, names;
	bool arrival;                     /* c5 is still the order of arrival, and nothing updates */
	bool mixed;                       /* unique columns were lost: no topn with a total order */
	bool once;                        /* rows of a window come once, with its bounds in the first two columns */
};

int pick(struct shape *s, int n);
void add(char *to, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
void flag(struct shape *s, const char *name, const char *text);
/* Wraps both SQL texts: before (old) behind. */
void wrap(struct shape *s, const char *before, const char *behind, const char *behind_final);
void predicate(struct shape *s, char *out, int depth);
void name_col(struct shape *s, struct col *col);
void all_names(struct shape *s, char *out);
/* Some columns as a key; how many. */
int make_key(struct shape *s, char *text, int key[2]);
/* One aggregate as weir and as SQL write it, and its column. */
void make_agg(struct shape *s, char *weir, char *sql, struct col *out);
/* A sort order; without ties (all unique columns at its end) unless rank is asked for. */
void make_order(struct shape *s, bool total, char *out);

void make_where(struct shape *s);
void make_select(struct shape *s);
void make_reduce(struct shape *s);
void make_topn(struct shape *s);

/* case_window.c */
void make_window(struct shape *s);
void make_window_rows(struct shape *s);
void make_window_reduce(struct shape *s);
void make_window_topn(struct shape *s);
bool keeps_window(const struct shape *s);
/* Gives the rows their times, out of order. */
void make_times(struct shape *s);
#endif
