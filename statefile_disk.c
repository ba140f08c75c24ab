/* The file on disk: found, locked, read, and replaced in one step.
 *
 *     FILE       the state that is valid
 *     FILE.new   made at the start, locked as long as the run lasts, becomes FILE at its end
 *
 * The lock is on FILE.new, as FILE itself is another file after each run. Whoever got the lock of a file that was renamed meanwhile tries again. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "statefile.h"

static int fail(const struct statefile *state, struct err *err)
{
	return err_set(err, ERR_FAILED, "--state %s: %s", state->path, strerror(errno));
}

/* The file itself, behind links; of one that is not there yet the folder is. */
static int resolve(struct statefile *state, struct err *err)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(state->path, '/'), *base = slash ? slash + 1 : state->path;
	if (!*base)
		return err_set(err, ERR_USAGE, "--state '%s': not the name of a file", state->path);
	if (!realpath(state->path, state->real)) {
		if (errno != ENOENT)
			return fail(state, err);
		snprintf(folder, sizeof folder, "%.*s", slash ? slash == state->path ? 1 : (int)(slash - state->path) : 1, slash ? state->path : ".");
		if (!realpath(folder, state->real))
			return fail(state, err);
		size_t n = strlen(state->real);
		snprintf(state->real + n, sizeof state->real - n, "%s%s", n == 1 ? "" : "/", base);
	}
	struct stat st;
	if (!stat(state->real, &st) && !S_ISREG(st.st_mode))
		return err_set(err, ERR_FAILED, "--state %s: not a regular file", state->path);
	snprintf(state->aside, sizeof state->aside, "%s.new", state->real);
	return 0;
}

/* Is the file that fd is open on still the one of that name? */
static bool still_there(int fd, const char *name)
{
	struct stat mine, there;
	return !fstat(fd, &mine) && !stat(name, &there) && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

static int lock(struct statefile *state, struct err *err)
{
	for (;;) {
		int fd = open(state->aside, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
		if (fd < 0)
			return fail(state, err);
		if (flock(fd, LOCK_EX | LOCK_NB)) {
			close(fd);
			return err_set(err, ERR_FAILED, "--state %s: another run is using it", state->path);
		}
		if (still_there(fd, state->aside)) {
			state->fd = fd;
			return 0;
		}
		close(fd);
	}
}

static int read_whole(struct statefile *state, int fd, struct err *err)
{
	struct stat st;
	if (fstat(fd, &st))
		return fail(state, err);
	fchmod(state->fd, st.st_mode & 07777);
	if (!st.st_size)
		return err_set(err, ERR_FAILED, "--state %s: this is no weir state (it is empty)", state->path);
	state->old = mem_alloc(state->mem, (size_t)st.st_size);
	if (!state->old)
		return err_memory(err);
	state->old_n = (size_t)st.st_size;
	for (size_t at = 0; at < state->old_n;) {
		ssize_t n = read(fd, state->old + at, state->old_n - at);
		if (n < 0 && errno != EINTR)
			return fail(state, err);
		if (!n)
			return err_set(err, ERR_FAILED, "--state %s: cut off while it was read", state->path);
		at += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

int statefile_open(struct statefile *state, const char *path, struct mem *mem, struct err *err)
{
	*state = (struct statefile){ .path = path, .fd = -1, .mem = mem };
	buf_init(&state->now, mem);
	if (resolve(state, err) || lock(state, err))
		return -1;
	int fd = open(state->real, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : fail(state, err);
	int status = read_whole(state, fd, err);
	close(fd);
	return status;
}

static int write_whole(int fd, const char *p, size_t n)
{
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		return -1;
	while (n) {
		ssize_t w = write(fd, p, n);
		if (w < 0 && errno != EINTR)
			return -1;
		p += w > 0 ? w : 0;
		n -= w > 0 ? (size_t)w : 0;
	}
	return fsync(fd);
}

/* Makes the rename last: the folder of the file is synced, too. */
static int sync_folder(const char *real)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(real, '/');
	snprintf(folder, sizeof folder, "%.*s", slash == real ? 1 : (int)(slash - real), real);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	int status = fsync(fd);
	close(fd);
	return status;
}

int statefile_write(struct statefile *state, struct err *err)
{
	if (write_whole(state->fd, state->now.p, state->now.n) || rename(state->aside, state->real))
		return err_set(err, ERR_FAILED, "--state %s: %s; what an earlier run saved there is untouched", state->path, strerror(errno));
	state->written = true;
	if (sync_folder(state->real))
		return err_set(err, ERR_FAILED, "--state %s: %s; the state is written, but a crash now may still lose it", state->path, strerror(errno));
	return 0;
}

void statefile_close(struct statefile *state)
{
	if (!state->mem)
		return;
	if (state->fd >= 0) {
		if (!state->written)
			unlink(state->aside);
		close(state->fd);
	}
	mem_free(state->mem, state->old, state->old_n);
	buf_release(&state->now);
	state->mem = NULL;
}
