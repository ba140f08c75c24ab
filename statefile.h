/* --state FILE: the chain's state between runs. Written aside, synced, renamed, the folder synced: a crash leaves the old file or the new one. */
#ifndef WEIR_STATEFILE_H
#define WEIR_STATEFILE_H
#include <limits.h>

#include "ops/chain.h"
#include "ops/rowtime.h"
#include "ops/watermark.h"
#include "parse/args.h"

struct statefile {
	const char *path;           /* as given, for messages */
	char real[PATH_MAX];        /* behind links */
	char aside[PATH_MAX + 4];   /* real.new */
	int fd;                     /* of aside, which is locked; -1: not */
	bool written;               /* aside has become real */
	char *old;                  /* bytes of the file as it was; live until load */
	size_t old_n;               /* 0: there was none */
	struct buf now;             /* the snapshot to write */
	struct mem *mem;
};

/* Without file offsets the input has to be a pipe: a regular file would be counted again by the next run. Usage error otherwise. */
int statefile_check_input(const struct args *args, int stdin_fd, struct err *err);

/* Locks FILE against other runs and reads it, if it is there; fails if the next state could not be written. */
int statefile_open(struct statefile *state, const char *path, struct mem *mem, struct err *err);

/* What a snapshot is of. */
struct statefile_of {
	const struct args *args;
	struct chain *chain;
	struct rowtime *rowtime;
	struct watermark *watermark;
};

/* Loads what was read into an opened chain. A file of another chain is a usage error that names the flag. */
int statefile_load(struct statefile *state, const struct statefile_of *of, struct err *err);

/* Takes the snapshot into memory. */
int statefile_take(struct statefile *state, const struct statefile_of *of, struct err *err);

/* Writes the snapshot that was taken. */
int statefile_write(struct statefile *state, struct err *err);

/* Gives up the lock and the memory; without a statefile_write the file stays as it was. */
void statefile_close(struct statefile *state);
#endif
