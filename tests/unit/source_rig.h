/* Runs a source over given bytes and writes down all that comes out, as text:
 *
 *     +I|a|7          a row; NULL is \N, a value that came quoted stands in quotes, bytes below a blank are \xHH
 *     -U*|a|7         one that is marked as the first of a pair
 *     [a|b]           a whole row (column *)
 *     @wm 5
 *     !stdin:3: why   lines reported, all at the end
 *     = 4 records, 1 bad, well          or the error that stopped it
 */
#ifndef SOURCE_RIG_H
#define SOURCE_RIG_H
#include "core/buf.h"
#include "parse/source.h"

enum { RIG_FILES = 4 };

struct source_case {
	const char *format;          /* NAME or NAME:SPEC */
	const char *columns;         /* read, divided by blanks: name; name# as number; name? as boolean; name@ as time; * the whole row */
	struct { const char *p; size_t len; } in[RIG_FILES]; /* first: standard input if it is the only one; p NULL: none */
	bool pipe;                   /* standard input is a pipe (up to 64 KiB) */
	int header;                  /* as input_options, but 0: as the format has it, 1: -H, 2: --no-header */
	char delimiter;
	bool ragged, clock_input, quiet;
	const char *null_text, *fields;
	uint64_t max_line;
	bool max_bad_given;
	uint64_t max_bad;
	int percent;                 /* --max-bad P%; 0: none */
	const char *bad_file;
	size_t read_max;
	uint32_t batch_max;
	uint64_t fail_at;            /* refuse memory from this request on */
};

/* Runs it. *out is appended to; gives the number of memory requests. All memory is back at the end (checked). */
uint64_t source_run(const struct source_case *run, struct buf *out);

/* Runs it again and again, each time with another request for memory refused: each run must say so (or, if `also` is not NULL, that). */
void source_refuse(const struct source_case *run, const char *also);

/* The same as a text for one comparison, valid until the next call. */
const char *source_text(const struct source_case *run);

/* Short form: the format, the columns, the input as a literal. */
#define SOURCE(format_, columns_, text_, ...) \
	source_text(&(struct source_case){ .format = format_, .columns = columns_, .in = { { text_, sizeof(text_) - 1 } }, __VA_ARGS__ })
#endif
