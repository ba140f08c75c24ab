/* The picture of --live: rows and a terminal's size in, the bytes of one frame out.
 *
 *     path         count                         names, if there are any
 *     /index.html    912  ████████████████████   a bar, if the rows are ranked: the value of the first sort column, scaled to the largest that is seen
 *     /cart…         411  █████████              what does not fit is cut
 *     ... 37 more                                rows that do not fit
 *
 * A frame begins with the cursor in the line below the last one, goes up over it, and writes over it line by line; so nothing flickers. */
#ifndef WEIR_LIVE_DRAW_H
#define WEIR_LIVE_DRAW_H
#include "core/buf.h"
#include "core/schema.h"
#include "core/time.h"
#include "ops/state/row.h"

enum { LIVE_LINES = 1000 /* at most, on whatever terminal */ };

struct live_picture {
	const struct schema *names;   /* a first line of them; NULL: none */
	const struct row *const *row; /* in order: the first n of `total` */
	uint32_t n, ncol;             /* ncol: columns that are shown */
	uint64_t total;
	int32_t bar;                  /* place of the value that bars show; -1: no bars */
	const struct time_style *style; /* how times are written; NULL: ISO, UTC */
};

struct live_screen {
	uint32_t width, height;       /* at least 1; the picture leaves the last line to the cursor */
	bool escapes;                 /* else plain lines */
	bool colour, utf8;            /* utf8: bars of blocks, else of # */
};

/* What is on the terminal: lines and the columns of each. */
struct live_drawn {
	uint32_t n, width[LIVE_LINES];
};

/* Appends a frame that replaces *drawn (n 0: nothing to replace), and sets it to what is there then. -1 if memory is refused: what was appended
 * is of no use. */
int live_draw(const struct live_picture *picture, const struct live_screen *screen, struct buf *out, struct live_drawn *drawn);

/* Appends what takes the picture away, for lines of another kind: the cursor is then where it began. `width`: of the terminal now. */
void live_erase(uint32_t width, struct buf *out, struct live_drawn *drawn);
#endif
