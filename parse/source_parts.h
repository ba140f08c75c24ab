/* The inside of the source, shared by its files:
 *
 *     source_open.c   opens the files, makes the schema        source_read.c   blocks of bytes
 *     source_head.c   what stands before a file's records      source_bad.c    bad records
 *     source_check.c  checks values; drops bad rows            source_hint.c   input that is hardly what was meant
 *     source_lane.c   pipes that are read together              source.c        the loop over files and blocks
 */
#ifndef WEIR_SOURCE_PARTS_H
#define WEIR_SOURCE_PARTS_H
#include <poll.h>

#include "parse/source.h"
#include "parse/source_bad.h"
#include "parse/source_read.h"

enum { NO_FIELD = UINT32_MAX }; /* this file has no such column (--ragged) */

struct source_file {
	const char *path, *name; /* name: for messages */
	int fd;                  /* -1: not open (any more, or not yet again) */
	bool regular, shared;    /* shared: standard input, not ours to close */
	uint64_t size;           /* of a regular file: bytes from where it is read on */
};

/* An input that is being read. Files are read one after the other, but pipes that stand side by side together, each in a lane of its own:
 *
 *     file      a.log   b.log   pipe   pipe   pipe   c.log
 *     group       1       2     `----- 3 --------'     4
 *     lanes       1       1            3               1
 */
struct lane {
	struct source_file *file;
	bool known;              /* whether it is compressed, that is */
	bool entered;            /* its head has been read, and is in `head` */
	bool skipping;           /* in a line longer than --max-line: up to its end */
	bool ended;
	uint64_t line;           /* number of the line at reader.at, from 1 */
	struct reader reader;
	struct head head;        /* its parts live in file_mem */
	struct schema names;
	struct arena file_mem;   /* dies with the file */
	struct decoder decoder;
	uint32_t *pos;           /* per column: its field in this file */
	struct want *want;
	bool lacks;              /* some wanted column is not in this file */
};

struct source {
	struct source_options opt;
	struct arena *plan;
	struct mem *mem;
	struct err *err;

	struct source_file *file;
	uint32_t nfile, now;    /* now: the first file of the group being read; nfile: the end */
	uint32_t last;          /* of the files that are read: nfile, unless stopped */
	struct lane *lane;      /* those of the group; there is room for the largest */
	uint32_t nlane, lanes;  /* in this group, and at most */
	struct lane *in;        /* the one at work: what came last came from it */
	struct pollfd *fd;      /* for source_fds */
	bool *ended;            /* for source_group */
	uint32_t group;         /* its number */

	struct schema schema;
	bool named;             /* the columns have names */
	bool seen;              /* a file that says names has been there, if they are to come from files */
	unsigned kinds;
	uint32_t nkey, *key;    /* columns of the unique key */
	bool started;           /* the next one is there, and pos and want of all lanes */
	const uint8_t *need;    /* per column */
	const struct lane *filled; /* the lane that filled the batch last: columns it lacks are NULL */

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
	uint32_t broken;        /* compressed files that broke off */
};

/* Does the head of a file matter (names, control lines)? */
bool source_has_head(const struct source *source);

/* Reads the head of a file from its first n bytes: BOM, names, control lines; refuses compressed input. head->names must be an empty schema. */
enum head_status source_read_head(struct source *source, const char *name, const char *p, size_t n, bool eof, struct head *head, size_t *used);

/* Takes names (unless --fields gave them), kinds and key from the first head that says something. 0 or -1. */
int source_adopt(struct source *source, const struct head *head);

/* Finds the columns of the schema in a later file, into pos (NULL: only checks that they are there). 0 or -1. */
int source_match(struct source *source, const char *name, const struct head *head, uint32_t *pos);

/* Readies the decoder of the lane at work. 0 or -1. */
int source_begin_records(struct source *source);
/* Makes the columns NULL that the lane at work lacks. */
void source_null_lacking(struct source *source);

/* Opens a file that is not. 0 or -1. */
int source_open_file(struct source *source, struct source_file *file);
void source_close_file(struct source_file *file);

/* Begins the group of files at `now`, if there is one. */
void source_begin_group(struct source *source);
/* Another block of a lane. `wait`: see reader_fill. */
enum read_status source_fill(struct source *source, struct lane *lane, bool wait);
/* The same without waiting, of the lane at work or of the next one that has something, which is then at work. */
enum read_status source_fill_lane(struct source *source);
/* Goes on reading the head of the lane at work: HEAD_MORE if bytes are missing. */
enum head_status source_enter(struct source *source);
/* Done with the file of the lane at work; another lane, or the next group, comes. */
void source_leave(struct source *source);

/* Looks at the first record for what was hardly meant. */
void source_hint(struct source *source);
/* Counts what is odd in the good rows of a batch; at the end, tells of it. */
void source_hint_count(struct source *source);
void source_hint_end(struct source *source);

/* Parses what is used as number, boolean or time, finds event times, then takes bad rows out of the batch: reports, --bad-file, counts. -1 if memory is refused. */
int source_check(struct source *source);
#endif
