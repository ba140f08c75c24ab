/* The inside of the source, shared by its files:
 *
 *     source_open.c   opens the files, makes the schema        source_read.c   blocks of bytes
 *     source_head.c   what stands before a file's records      source_bad.c    bad records
 *     source_check.c  checks values; drops bad rows            source_hint.c   input that is hardly what was meant
 *     source.c        the loop over files and blocks
 */
#ifndef WEIR_SOURCE_PARTS_H
#define WEIR_SOURCE_PARTS_H
#include "parse/source.h"
#include "parse/source_bad.h"
#include "parse/source_read.h"

enum { NO_FIELD = UINT32_MAX }; /* this file has no such column (--ragged) */

struct source_file {
	const char *path, *name; /* name: for messages */
	int fd;                  /* -1: not open (any more, or not yet again) */
	bool regular, shared;    /* shared: standard input, not ours to close */
};

struct source {
	struct source_options opt;
	struct arena *plan;
	struct mem *mem;
	struct err *err;

	struct source_file *file;
	uint32_t nfile, now;    /* now: the file being read; nfile: the end */
	bool entered;           /* its head has been read, and is in `head` */
	bool skipping;          /* in a line longer than --max-line: up to its end */
	uint64_t line;          /* number of the line at reader.at, from 1 */
	struct reader reader;
	struct head head;       /* of the current file; its parts live in file_mem */
	struct schema names;
	struct arena file_mem;  /* dies with the current file */
	struct decoder decoder;

	struct schema schema;
	bool named;             /* the columns have names */
	bool seen;              /* a file that says names has been there, if they are to come from files */
	unsigned kinds;
	uint32_t nkey, *key;    /* columns of the unique key */
	bool started;           /* the three below are there */
	uint32_t *pos;          /* per column: its field in the current file */
	struct want *want;
	const uint8_t *need;    /* per column */

	source_stamp *stamp;    /* NULL: rows have no event time */
	void *stamp_ctx;
	struct batch batch;
	struct arena scratch;   /* the batch's memory */
	struct records records;
	struct control control, held; /* told last; to be told once the rows before it are out */
	bool failed;
	struct bad_log bad;
	bool hinted;            /* source_hint has said what it has to say */
	uint64_t lone;          /* +U without a -U before it */
};

/* Does the head of a file matter (names, control lines)? */
bool source_has_head(const struct source *source);

/* Reads the head of a file from its first n bytes: BOM, names, control lines; refuses compressed input. head->names must be an empty schema. */
enum head_status source_read_head(struct source *source, const char *name, const char *p, size_t n, bool eof, struct head *head, size_t *used);

/* Takes names (unless --fields gave them), kinds and key from the first head that says something. 0 or -1. */
int source_adopt(struct source *source, const struct head *head);

/* Finds the columns of the schema in a later file, into pos (NULL: only checks that they are there). 0 or -1. */
int source_match(struct source *source, const char *name, const struct head *head, uint32_t *pos);

/* Readies the decoder for the current file. 0 or -1. */
int source_begin_records(struct source *source);

/* Opens a file that is not. 0 or -1. */
int source_open_file(struct source *source, struct source_file *file);
void source_close_file(struct source_file *file);

/* Goes on reading the head of the current file: HEAD_MORE if bytes are missing. */
enum head_status source_enter(struct source *source);
/* Done with the current file. */
void source_leave(struct source *source);

/* Looks at the first record for what was hardly meant. */
void source_hint(struct source *source);
/* Counts what is odd in the good rows of a batch; at the end, tells of it. */
void source_hint_count(struct source *source);
void source_hint_end(struct source *source);

/* Parses what is used as number, boolean or time, finds event times, then takes bad rows out of the batch: reports, --bad-file, counts. -1 if memory is refused. */
int source_check(struct source *source);
#endif
