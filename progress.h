/* --progress: how far the run is, on standard error, once a second; SIGUSR1 asks for a line at once, with the flag or without it.
 *
 * On a terminal it is one line that is redrawn, without escapes; what else is written there takes it away first, and the next tick brings it back. So it
 * stands below whatever comes, also below the picture of --live, which leaves the cursor in a line of its own. Elsewhere each is a line that stays. */
#ifndef WEIR_PROGRESS_H
#define WEIR_PROGRESS_H
#include <signal.h>

#include "progress_line.h"

struct job;

struct progress {
	bool on;              /* --progress is given */
	bool redrawn;         /* on a terminal */
	struct progress_facts facts;
	char text[PROGRESS_TEXT_MAX]; /* the newest; "": there was none yet */
	uint32_t width;       /* columns of what stands on the terminal; 0: nothing */
	sig_atomic_t answered, continued; /* values of run.queried and run.continued that have been seen to */
	int64_t began, last;  /* the clock, ms: at the start, and when the rate was taken last */
	uint64_t rows;        /* read by then */
	size_t held;          /* bytes of memory that are no state: what was there before the first row, and what the input takes */
};

/* Ahead of the first row; `now`: the clock, ms. */
void progress_begin(struct job *job, int64_t now);

/* Says what is due. */
void progress_tick(struct job *job, int64_t now);

/* How long until something is due, ms; INT64_MAX: as long as nobody asks. */
int64_t progress_wait(const struct job *job, int64_t now);

/* Takes the line away, as something is about to be written to its terminal. */
void progress_give_way(struct job *job);

/* The end of input: what is still to be said is said with the keys and the state of now, before results take them apart. */
void progress_settle(struct job *job);

/* The last line, which stays: rows a second are those of the whole run. */
void progress_end(struct job *job, int64_t now);
#endif
