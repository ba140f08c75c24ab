/* Reading a file block by block into one buffer, whose unfinished tail moves to the front:
 *
 *      buf        at             looked       end            cap
 *       | done     | to be decoded | not looked at | free    |
 *
 * Up to `looked` the bytes from `at` on were searched for what would make decoding worth while: a line end. */
#ifndef WEIR_SOURCE_READ_H
#define WEIR_SOURCE_READ_H
#include <signal.h>
#include <stdbool.h>

#include "parse/unpack.h"

enum { READ_BLOCK = 256 << 10, READER_FDS = UNPACK_FDS };

struct reader {
	int fd;            /* -1: no file */
	const char *name;  /* of the file, for messages */
	bool regular, eof;
	struct unpack *unpack; /* the program whose output is read instead of the file; NULL: none */
	enum unpack_end ended; /* how it ended, once it has */
	size_t read_max;   /* bytes per read(2) at most */
	uint64_t come;     /* bytes that have come into buf so far */
	uint64_t taken;    /* bytes read of all its files so far, but for those that `unpack` has read */
	const volatile sig_atomic_t *stop; /* not 0: whoever waits for input stops waiting; NULL: never */
	char *buf;
	size_t at, looked, end, cap;
	struct mem *mem;
};

enum read_status { READ_MORE, READ_EOF, READ_WAIT, READ_FAILED };

/* Starts on another file; the buffer is kept, what is in it forgotten. reader_stop comes between two files. */
void reader_start(struct reader *reader, int fd, const char *name, bool regular);

/* The file turns out to be compressed: what is in hand and what is still to come is unpacked, and that is read. 0, or -1 with err set. */
int reader_unpack(struct reader *reader, const struct packing *by, struct err *err);

/* Done with a file, which is the caller's to close; reader->fd is -1 then. */
void reader_stop(struct reader *reader);

/* Reads once more, behind end. Pointers into the buffer become invalid. READ_WAIT: nothing is ready (with `wait`: and *stop is set); READ_EOF sets eof; behind
 * a program that failed (`ended` says so) what is in hand is a torn record, and is dropped. */
enum read_status reader_fill(struct reader *reader, bool wait, struct err *err);

/* What reader_fill waits for; gives how many. */
uint32_t reader_fds(const struct reader *reader, struct pollfd fd[READER_FDS]);

/* Bytes read of all its files so far; compressed, where they are. */
static inline uint64_t reader_taken(const struct reader *reader) { return reader->taken + (reader->unpack ? reader->unpack->taken : 0); }

/* How many bytes came before those in hand. */
static inline uint64_t reader_passed(const struct reader *reader) { return reader->come - (reader->end - reader->at); }

/* The bytes in hand. */
static inline size_t reader_left(const struct reader *reader) { return reader->end - reader->at; }
static inline const char *reader_at(const struct reader *reader) { return reader->buf ? reader->buf + reader->at : ""; }

/* Has a line end come in since reader_looked? */
bool reader_has_line(struct reader *reader);

/* All bytes in hand have been tried. */
static inline void reader_looked(struct reader *reader) { reader->looked = reader->end; }

/* Stops, and frees the buffer. */
void reader_release(struct reader *reader);
#endif
