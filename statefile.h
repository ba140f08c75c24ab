/* --state FILE: the chain's state between runs. Written aside, synced, renamed, the folder synced: a crash leaves the old file or the new one. */
#ifndef WEIR_STATEFILE_H
#define WEIR_STATEFILE_H
#include "ops/chain.h"
#include "parse/args.h"

struct statefile {
	const char *path;
	char *old;            /* bytes of the file that was loaded; live until close */
	size_t old_n;
	struct buf now;       /* the snapshot to write */
	struct mem *mem;
};

/* Without file offsets the input has to be a pipe: a regular file would be counted again by the next run. Usage error otherwise. */
int statefile_check_input(const struct args *args, int stdin_fd, struct err *err);

/* Loads FILE into an opened chain; nothing if it does not exist. A file of another chain is a usage error that names the flag. */
int statefile_load(struct statefile *state, const char *path, const struct args *args, struct chain *chain, struct mem *mem, struct err *err);

/* Takes the snapshot into memory. */
int statefile_take(struct statefile *state, const struct args *args, struct chain *chain, struct err *err);

/* Writes the snapshot that was taken. */
int statefile_write(struct statefile *state, struct err *err);

/* Gives the memory back. */
void statefile_close(struct statefile *state);
#endif
