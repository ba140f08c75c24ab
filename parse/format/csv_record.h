/* Where a record of csv ends, field by field.
 *
 * A record that goes wrong costs its first line; then its second line is tried as a record, and so on. Most of them come upon a field that the first try has
 * been through, and go on as it did: so a try leaves marks, and where a later one meets a mark it goes on from where the first had come to. Without that a file
 * whose quotes never close would be read to its end for each of its lines.
 *
 *     a","x        try of line 1:  a" , "x . a" , "x . a" , "x . a" ...  never closed
 *     a","x        try of line 2:           a" , "x  a mark: it goes the same way */
#ifndef WEIR_CSV_RECORD_H
#define WEIR_CSV_RECORD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"

struct field {
	const char *p;
	size_t len;
	bool quoted, doubled; /* doubled: holds doubled quotes */
};

/* How far the search for the end of an unfinished record has come, so that it goes on there when more bytes are in. */
struct csv_progress {
	size_t at;       /* where the field under way begins */
	size_t seen;     /* no closing quote of it before here */
	uint32_t fields; /* before it */
};

enum stop {
	STOP_SEP,  /* behind a separator: another field follows */
	STOP_LINE, /* at the LF that ends the record, or the end of the file */
	STOP_MORE, /* the field does not end in the bytes given */
	STOP_OPEN, /* ... nor in the file */
	STOP_TEXT, /* text behind the closing quote */
};

/* The field at progress->at; if it ends with a separator, moves on behind it. */
enum stop csv_field(char sep, const char *p, size_t n, bool eof, struct csv_progress *progress, struct field *f);

/* Goes on to the end of the record; progress->at is then the offset of its LF. */
enum stop csv_record(char sep, const char *p, size_t n, bool eof, struct csv_progress *progress);

/* The way of a try, by places in the file. */
struct csv_way {
	uint64_t *mark;          /* where quoted fields begin, some of them, rising; `cap` places */
	uint32_t n, cap;
	uint64_t at, seen;       /* how far it came, as in struct csv_progress */
};

struct csv_tries {
	struct csv_way failed, now;
	bool met;                /* the try now met a mark of the one that failed, and goes its way */
	uint64_t apart;          /* bytes between two marks at least */
};

/* Gets ready for records of up to max_line bytes. -1 if memory is refused; it lives in mem. */
int csv_tries_open(struct csv_tries *tries, uint64_t max_line, struct arena *mem);

/* As csv_record, for a record that begins at `begin` of the file. The number of fields is right only if not met. */
enum stop csv_try(struct csv_tries *tries, uint64_t begin, char sep, const char *p, size_t n, bool eof, struct csv_progress *progress);

/* The try is over; it failed: the next ones are of lines within it. */
void csv_tries_end(struct csv_tries *tries, uint64_t begin, const struct csv_progress *progress, bool failed);
#endif
