#include "parse/source_read.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { STOP_MS = 100 /* how often a wait looks at *stop */ };

void reader_start(struct reader *r, int fd, const char *name, bool regular)
{
	r->fd = fd;
	r->name = name;
	r->regular = regular;
	r->eof = false;
	r->ended = UNPACK_WELL;
	r->at = r->looked = r->end = 0;
}

int reader_unpack(struct reader *r, const struct packing *by, struct err *err)
{
	struct unpack *u = mem_alloc(r->mem, sizeof *u);
	if (!u)
		return err_memory(err);
	*u = (struct unpack){ .by = by, .name = r->name, .in = r->fd, .regular = r->regular, .eof = r->eof, .mem = r->mem };
	int status = unpack_start(u, reader_at(r), reader_left(r), err);
	reader_start(r, u->from, r->name, false);
	r->unpack = u;
	return status;
}

void reader_stop(struct reader *r)
{
	if (r->unpack) {
		r->taken += r->unpack->taken;
		unpack_stop(r->unpack);
		mem_free(r->mem, r->unpack, sizeof *r->unpack);
	}
	r->unpack = NULL;
	reader_start(r, -1, NULL, false);
}

void reader_release(struct reader *r)
{
	reader_stop(r);
	mem_free(r->mem, r->buf, r->cap);
	r->buf = NULL;
	r->cap = 0;
}

bool reader_has_line(struct reader *r)
{
	size_t from = r->looked > r->at ? r->looked : r->at;
	if (from < r->end && memchr(r->buf + from, '\n', r->end - from))
		return true;
	reader_looked(r);
	return false;
}

/* Makes room for one read behind end. The buffer doubles, so a long line costs time linear in its length. */
static int make_room(struct reader *r)
{
	if (r->cap - r->end >= r->read_max)
		return 0;
	size_t tail = r->end - r->at;
	if (tail && r->at)
		memmove(r->buf, r->buf + r->at, tail);
	r->looked = r->looked > r->at ? r->looked - r->at : 0;
	r->at = 0;
	r->end = tail;
	if (r->cap - r->end >= r->read_max)
		return 0;
	size_t cap = r->cap ? 2 * r->cap : 2 * READ_BLOCK;
	char *buf = mem_resize(r->mem, r->buf, r->cap, cap);
	if (!buf)
		return -1;
	r->buf = buf;
	r->cap = cap;
	return 0;
}

uint32_t reader_fds(const struct reader *r, struct pollfd fd[READER_FDS])
{
	if (r->unpack)
		return unpack_fds(r->unpack, fd);
	fd[0] = (struct pollfd){ .fd = r->fd, .events = POLLIN };
	return 1;
}

/* 1: something can be read (or an error or the end told; or a compressed file goes on), 0: not yet. */
static int ready(const struct reader *r, bool wait)
{
	struct pollfd fd[READER_FDS];
	uint32_t nfd = reader_fds(r, fd);
	for (;;) {
		int n = poll(fd, nfd, wait ? STOP_MS : 0);
		if (!n && wait && !(r->stop && *r->stop))
			continue;
		if (n >= 0)
			return n;
		if (errno != EINTR)
			return 1; /* let read(2) say what is wrong */
	}
}

static enum read_status end(struct reader *r)
{
	r->eof = true;
	if (r->unpack)
		r->ended = unpack_finish(r->unpack);
	if (r->ended == UNPACK_BROKEN)
		r->at = r->end;
	return READ_EOF;
}

enum read_status reader_fill(struct reader *r, bool wait, struct err *err)
{
	if (r->eof)
		return READ_EOF;
	if (make_room(r)) {
		err_memory(err);
		return READ_FAILED;
	}
	for (;;) {
		if (r->unpack && unpack_feed(r->unpack, err))
			return READ_FAILED;
		if (!r->regular && !ready(r, wait))
			return READ_WAIT;
		ssize_t n = read(r->fd, r->buf + r->end, r->read_max);
		if (n > 0) {
			r->end += (size_t)n;
			r->come += (uint64_t)n;
			r->taken += r->unpack ? 0 : (uint64_t)n;
			return READ_MORE;
		}
		if (n == 0)
			return end(r);
		if ((errno == EAGAIN || errno == EWOULDBLOCK) && !wait)
			return READ_WAIT;
		if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
			err_set(err, ERR_FAILED, "%s: %s", r->name, strerror(errno));
			return READ_FAILED;
		}
	}
}
