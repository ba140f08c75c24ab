/* weir in this process: a command line and its input in, output and exit status out. */
#ifndef INPROC_H
#define INPROC_H
#include <stddef.h>
#include <stdint.h>

struct inproc {
	const char *arg[64];            /* without argv[0]; filled by inproc_arg */
	int narg;
	const char *in; size_t in_n;    /* standard input */
	uint32_t batch_max, read_max;   /* knobs of run.h */
	uint64_t fail_at;
	/* results; out and err are NUL-terminated, valid until the next call with the same struct */
	char *out; size_t out_n;
	char *err; size_t err_n;
	int status;
	uint64_t requests, leaked;
};

void inproc_arg(struct inproc *p, const char *arg);
/* Input comes through a pipe (so that --state accepts it), output goes to memory. */
void inproc_run(struct inproc *p);
void inproc_free(struct inproc *p);
#endif
