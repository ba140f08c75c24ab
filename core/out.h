/* A checked writer: bytes collect in one big buffer and go out with write(2) when it is full or when asked. Every error sticks and names the target. */
#ifndef WEIR_OUT_H
#define WEIR_OUT_H
#include "core/buf.h"
#include "core/err.h"

struct out {
	int fd;
	const char *name; /* for messages: "standard output" or the path */
	struct buf buf;
	int64_t since; /* clock (ms) of the first byte not yet written, set by the owner; back to 0 here once everything is out */
	int error;     /* errno of the first failure, 0 if none; EPIPE included */
	void (*ahead)(void *ahead_of); /* called ahead of each write, for what else stands on the same terminal; NULL: nothing does */
	void *ahead_of;
};

enum { OUT_BLOCK = 256 << 10 /* bytes that collect before a write */ };

/* Starts on an open fd; the buffer is charged to mem. */
void out_init(struct out *out, int fd, const char *name, struct mem *mem);

/* To be called when rows were put into out->buf: writes whole blocks once OUT_BLOCK bytes wait. 0, or -1 with out->error set
 * (ENOMEM: the buffer could not grow); what waited is then dropped. */
int out_push(struct out *out);

/* Writes everything. 0, or -1 with out->error set. */
int out_flush(struct out *out);

/* Sets err to the first failure: "standard output: No space left on device". Always -1. */
int out_failed(const struct out *out, struct err *err);

/* Flushes and closes; sets err (out_failed) if any write or the close failed. Gives the memory back. */
int out_close(struct out *out, struct err *err);
#endif
