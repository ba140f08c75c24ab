/* Windows of time: which instants are borders, and which windows an instant lies in.
 *
 * Hop, tumble and cumulate cut time into panes, the pieces between two neighbouring borders; a window is a run of panes, and ends at a border:
 *
 *     hop '5m every 2m'   |---.-----|---.-----|---.-----|        | starts of windows, every 2m   . ends: 1m behind them (5m % 2m)
 *                         [ window ---------------)              panes: [0,1) [1,2) [2,3) ...
 *
 * Starts are the borders of a grid (ops/grid.h). In UTC these are multiples of the step, moved by offset. With a zone, where the step divides a day, they are
 * the instants at which the local clock shows a multiple of the step since midnight; steps of whole days are local days counted from 1970-01-01, whole
 * weeks begin on Monday (in UTC, too: week 0 is that of 1970-01-01); any other step is the same as in UTC. A hop's window is then size / step cells of its
 * grid, and what is left. */
#ifndef WEIR_WINDOW_H
#define WEIR_WINDOW_H
#include "ops/grid.h"
#include "parse/lang/ast.h"

struct window { int64_t start, end; }; /* [start, end), ms */

struct windows {
	enum window_kind kind;   /* TUMBLE, HOP, CUMULATE */
	int64_t size, step;      /* ms */
	struct grid grid;        /* starts of tumble and hop, ends of cumulate */
	struct grid whole;       /* starts of cumulate: some of its ends */
	struct grid cut;         /* hop: ends, each in its own cell, if rest > 0 */
	int64_t cells, rest;     /* hop: size = cells * step + rest */
};

/* A window whose size and times TIME_MIN..TIME_MAX fit together; zone NULL: UTC. */
void windows_init(struct windows *windows, const struct window_ast *ast, const struct zone *zone);

/* The pane that holds t. False: t lies in the gap of a hop (step > size), in no window. */
bool windows_pane(const struct windows *windows, int64_t t, struct window *pane);

/* Least end e > t of any window, and the start of the window that ends there: there is one. t may be any number; INT64_MAX: it is, or lies beyond,
 * the end of time. */
int64_t windows_next_end(const struct windows *windows, int64_t t);
int64_t windows_start(const struct windows *windows, int64_t end);

/* End of the last window that holds t (which lies in one). */
int64_t windows_last_end(const struct windows *windows, int64_t t);

/* How many panes a window has at most (cumulate: of its longest). */
int64_t windows_panes(const struct windows *windows);
#endif
