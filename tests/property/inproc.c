#include "inproc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run.h"

void inproc_arg(struct inproc *p, const char *arg)
{
	if (p->narg == 62)
		abort();
	p->arg[p->narg++] = arg;
}

static char *slurp(int fd, size_t *n)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = malloc((size_t)size + 1);
	if (size < 0 || !text || pread(fd, text, (size_t)size, 0) != size)
		abort();
	text[size] = '\0';
	*n = (size_t)size;
	close(fd);
	return text;
}

/* The inputs of tests fit into a pipe's buffer. */
static int input_pipe(const struct inproc *p)
{
	int fd[2];
	if (pipe(fd) || (p->in_n && write(fd[1], p->in, p->in_n) != (ssize_t)p->in_n))
		abort();
	close(fd[1]);
	return fd[0];
}

void inproc_run(struct inproc *p)
{
	inproc_free(p);
	char *argv[65] = { (char *)"weir" };
	memcpy(argv + 1, p->arg, (size_t)p->narg * sizeof *p->arg);
	int in = input_pipe(p), out = memfd_create("out", 0), err = memfd_create("err", 0);
	struct run r = { .argc = p->narg + 1, .argv = argv, .in = in, .out = out, .err = err, .batch_max = p->batch_max, .read_max = p->read_max, .fail_at = p->fail_at };
	p->status = run(&r);
	p->requests = r.requests;
	p->leaked = r.leaked;
	close(in);
	p->out = slurp(out, &p->out_n);
	p->err = slurp(err, &p->err_n);
}

void inproc_free(struct inproc *p)
{
	free(p->out);
	free(p->err);
	p->out = p->err = NULL;
}
