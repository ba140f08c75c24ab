/* Compressed input: another program unpacks what it is fed.
 *
 *     file --read--> bytes --send--> [ gzip -dc ] --`from`--> the reader
 *                                         `--`said`--> why it failed
 *
 * The file is read here, not by the program: the first bytes of a pipe are gone once they told what it is compressed with, and a program whose weir died
 * finds the end of its input, however silent the pipe is. The program has a process group of its own, so Ctrl-C does not cut its output. */
#ifndef WEIR_UNPACK_H
#define WEIR_UNPACK_H
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/err.h"
#include "core/mem.h"

/* A way to compress: how its files begin, and the program that unpacks them. */
struct packing {
	const char *program;
	const char *begins;
	size_t len;
	int warning;       /* its exit status if it has unpacked everything, but found something odd; 0: none */
};

/* What these first bytes of a file are compressed with; NULL: nothing. *more: it cannot be told yet. */
const struct packing *packing_find(const char *p, size_t n, bool eof, bool *more);

enum { UNPACK_FDS = 2 };

enum unpack_end {
	UNPACK_WELL,
	UNPACK_WARNED, /* everything was unpacked; unpack->why is a remark */
	UNPACK_BROKEN, /* unpack->why says why */
};

struct unpack {
	const struct packing *by;
	const char *name;      /* of the file, for messages */
	int in;                /* the file; not owned */
	bool regular, eof;     /* its end has been seen */
	pid_t pid;             /* of the program; 0: not running */
	int to, from, said;    /* -1: closed. Nothing here waits for them */
	char *bytes;           /* read, from `at` on not yet sent */
	size_t at, n, cap;
	uint64_t taken;        /* bytes of the file read here so far */
	struct mem *mem;
	char why[300];
};

/* Starts the program for a file, whose first n bytes have been read already, to be unpacked, too. What it gives is to be read from unpack->from, which does
 * not block. The caller has set by, name, in, regular, mem, all else 0. 0, or -1 with err set: nothing is to be undone but by unpack_stop. */
int unpack_start(struct unpack *unpack, const char *p, size_t n, struct err *err);

/* Sends on what the file has and the program takes, without waiting. 0, or -1 with err set if the file cannot be read. */
int unpack_feed(struct unpack *unpack, struct err *err);

/* What unpack_feed and unpack->from wait for; gives how many. */
uint32_t unpack_fds(const struct unpack *unpack, struct pollfd fd[UNPACK_FDS]);

/* `from` is at its end: waits for the program, which ends, too. */
enum unpack_end unpack_finish(struct unpack *unpack);

/* Ends the program if it still runs, closes all but the file, gives the memory back. */
void unpack_stop(struct unpack *unpack);
#endif
