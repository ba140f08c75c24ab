/* One run on its way, shared by run.c (set-up and end) and loop.c. */
#ifndef WEIR_JOB_H
#define WEIR_JOB_H
#include "live.h"
#include "ops/chain.h"
#include "ops/rowtime.h"
#include "ops/watermark.h"
#include "progress.h"
#include "run.h"
#include "settings.h"
#include "statefile.h"

struct job {
	struct run *run;
	struct args args;
	struct settings settings;
	struct chain chain;
	struct source *source;
	struct rowtime rowtime;
	struct watermark watermark;
	struct statefile state;
	struct out out;
	struct live live;
	struct progress progress;
	int out_fd;              /* opened for --out; -1: none */
	uint32_t sides;          /* of chain.side that are open */
	struct mem mem;
	struct arena words;      /* of the command line */
	struct err err;
	int64_t now;             /* the clock, ms: real, or what @pt lines say */
	int64_t asked, heard;    /* when the signal came and when input last came since; 0: not yet */
	bool stopped;            /* source_stop was called */
};

/* Reads to the end of input (or until a signal has ended it): 0, or -1 with job->err set. */
int loop(struct job *job);

/* The clock, ms since 1970. */
int64_t clock_ms(void);

/* A line on standard error. */
void say(struct job *job, const char *text);

/* Writes out what waits, side outputs included; -1 with job->err set. */
int flush_out(struct job *job);
#endif
