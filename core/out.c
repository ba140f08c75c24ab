#include "core/out.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

void out_init(struct out *out, int fd, const char *name, struct mem *mem)
{
	*out = (struct out){ .fd = fd, .name = name };
	buf_init(&out->buf, mem);
}

/* The first failure stays. Nothing more can be written, so nothing collects either. */
static int fail(struct out *out, int error)
{
	if (!out->error)
		out->error = error;
	out->buf.n = 0;
	out->since = 0;
	return -1;
}

/* A descriptor that we inherited may be set not to block. */
static void wait_until_writable(int fd)
{
	struct pollfd one = { .fd = fd, .events = POLLOUT };
	poll(&one, 1, -1);
}

/* Writes the first n bytes of the buffer and moves the rest to the front. */
static int write_front(struct out *out, size_t n)
{
	if (n && out->ahead)
		out->ahead(out->ahead_of);
	for (size_t done = 0; done < n;) {
		ssize_t wrote = write(out->fd, out->buf.p + done, n - done);
		if (wrote > 0)
			done += (size_t)wrote;
		else if (wrote == 0)
			return fail(out, EIO);
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			wait_until_writable(out->fd);
		else if (errno != EINTR)
			return fail(out, errno);
	}
	out->buf.n -= n;
	if (out->buf.n)
		memmove(out->buf.p, out->buf.p + n, out->buf.n);
	else
		out->since = 0;
	return 0;
}

static int usable(struct out *out)
{
	if (out->error)
		return fail(out, out->error);
	return out->buf.failed ? fail(out, ENOMEM) : 0;
}

int out_push(struct out *out)
{
	if (usable(out))
		return -1;
	return out->buf.n < OUT_BLOCK ? 0 : write_front(out, out->buf.n - out->buf.n % OUT_BLOCK);
}

int out_flush(struct out *out)
{
	if (usable(out))
		return -1;
	return write_front(out, out->buf.n);
}

int out_failed(const struct out *out, struct err *err)
{
	return err_set(err, ERR_FAILED, "%s: %s", out->name, strerror(out->error));
}

int out_close(struct out *out, struct err *err)
{
	out_flush(out);
	if (close(out->fd) && errno != EINTR && !out->error)
		out->error = errno;
	out->fd = -1;
	buf_release(&out->buf);
	return out->error ? out_failed(out, err) : 0;
}
