/* The picture of --live on its terminal: when it is drawn, how large, in which way. What it shows is kept by the sink (ops/emit/live_view.h), how it
 * looks is ops/emit/live_draw.h. */
#ifndef WEIR_LIVE_H
#define WEIR_LIVE_H
#include <signal.h>

#include "ops/emit/live_draw.h"

struct job;

struct live {
	bool on;             /* --live is given, and standard output is a terminal */
	bool shared;         /* so is standard error: a message takes the picture away first */
	bool stale;          /* the picture is to be drawn anew, whatever has changed */
	sig_atomic_t resized; /* value of run.resized at the last frame */
	int64_t last;        /* the clock, ms, at the last frame */
	struct live_screen screen;
	struct live_drawn drawn;
};

/* Looks at the environment; `now`: the clock, ms. */
void live_begin(struct job *job, int64_t now);

/* Draws a frame if one is due. 0, or -1 with job->err set. */
int live_tick(struct job *job, int64_t now);

/* How long until a frame is due, ms; INT64_MAX: as long as nothing happens. */
int64_t live_wait(const struct job *job, int64_t now);

/* Takes the picture away for a message on the same terminal; the next frame comes below it. */
void live_give_way(struct job *job);

/* The last picture, which stays. 0, or -1 with job->err set. */
int live_end(struct job *job);
#endif
