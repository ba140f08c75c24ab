/* The source: opens the inputs, reads blocks (read(2), never mmap), frames lines (CR, BOM, blank and over-long lines), decodes, checks the
 * columns that are used as numbers or booleans, and sets bad records aside. What comes out are batches of good rows.
 *
 * Two steps: source_open before planning (opens every file, reads the header, makes the schema), source_start after it (what is needed). */
#ifndef WEIR_SOURCE_H
#define WEIR_SOURCE_H
#include <poll.h>
#include <signal.h>

#include "core/batch.h"
#include "core/err.h"
#include "parse/format/format.h"

struct source;

struct source_options {
	struct input_options input;
	uint32_t nfile;               /* 0: standard input */
	const char *const *file;      /* "-": standard input */
	int stdin_fd;
	const volatile sig_atomic_t *stop; /* not 0: stop waiting for a header; NULL: never */
	uint64_t max_bad;             /* --max-bad N; UINT64_MAX: no such limit */
	int max_bad_percent;          /* --max-bad P%; -1: none. Default of both: fail only if all records are bad */
	const char *bad_file;         /* NULL: none */
	bool quiet;                   /* -q */
	bool upsert;                  /* --upsert is given: +U without -U are as they should be */
	bool unpack;                  /* -z: files may be compressed */
	bool clock_input;             /* --clock input: @pt lines are the clock; else they are passed over */
	size_t read_max;              /* bytes per read(2) at most; 0: a block. Tests use 1 */
	uint32_t batch_max;           /* rows per batch: 0 or BATCH_MAX, less in tests (a format with kinds takes 2 at least: a pair is not split) */
	void (*report)(void *ctx, const char *line); /* a line for stderr, without "weir: " and newline */
	void *ctx;
};

/* Opens all files (one missing: nothing was output yet, -1), reads what the header needs (waits for it). The schema lives in plan. What options
 * points to must live as long as the source. err is kept for later failures. On failure *source is NULL. */
int source_open(struct source **source, const struct source_options *options, struct arena *plan, struct mem *mem, struct err *err);

/* The input's schema; planning may add columns to it if it is SCHEMA_POSITIONS. */
struct schema *source_schema(struct source *source);

/* True if the columns' names are to come from the input and the input holds none, as it is empty: no row will come, and a name that is not
 * in the schema need not be wrong. */
bool source_empty(const struct source *source);

/* Kinds beyond +I that may come (S_U | S_D), as known before the first record: 0 but for changelog. */
unsigned source_kinds(const struct source *source);
/* Unique key from @key (indices into the schema; *n 0: none, as of several files together). */
const uint32_t *source_key(const struct source *source, uint32_t *n);

/* need: NEED_* of ops/op.h per column (plain bits 1 value, 2 number, 4 bool). After planning, before the first source_next. */
int source_start(struct source *source, const uint8_t *need);

enum source_status {
	SOURCE_ROWS,    /* *batch has rows; borrowed until the next call */
	SOURCE_BLOCK,   /* nothing ready: poll source_fds, then call again */
	SOURCE_CONTROL, /* a control line: see source_control */
	SOURCE_END,
	SOURCE_FAILED,  /* err is set */
};
/* The next batch, without waiting. A compressed file that breaks off is told at once and ends there; others are read on. */
enum source_status source_next(struct source *source, struct batch **batch);
/* The *n descriptors that source_next waits for, any of them; valid until it is called. */
struct pollfd *source_fds(struct source *source, uint32_t *n);

/* Inputs that are read together: pipes that stand side by side among the files, else one file at a time. */
struct source_group {
	uint32_t number;   /* changes with each group */
	uint32_t n, now;   /* how many there are; the one that gave the last batch or control line */
	const bool *ended; /* per input */
};
struct source_group source_group(struct source *source);
struct control source_control(const struct source *source);

/* After the end: the closing report ("3 bad records of 10, the first ..."), and -1 with err if too many were bad, --bad-file could not be written, or an input
 * broke off. */
int source_finish(struct source *source, struct err *err);
/* `stamp` gives the rows of records->batch their event time, in batch->time, or marks them as bad; the cells of rows that are bad already are NULL then. It gives
 * -1 if memory is refused. To be called between source_open and source_start; without it rows have no time. */
typedef int source_stamp(void *ctx, struct records *records);
void source_set_stamp(struct source *source, source_stamp *stamp, void *ctx);
/* Where row `row` of the batch given last stands. */
struct source_place { const char *file; uint64_t line; };
struct source_place source_place(const struct source *source, uint32_t row);

/* Bytes read of the inputs so far, and of all of them as they were when opened; size 0: that is not known. Of what is compressed, the compressed ones. */
struct source_amount { uint64_t bytes, size; };
struct source_amount source_amount(const struct source *source);
/* Records read, bad ones among them. */
uint64_t source_records(const struct source *source);
uint64_t source_bad(const struct source *source);
/* Reading ends here, though the inputs have not: complete records are still given by source_next, a record that is not finished is told and left out,
 * inputs that were not begun are not begun. For when nothing more has come for a while; what a program unpacks may take a moment yet. */
void source_stop(struct source *source);
void source_close(struct source *source);
#endif
