#include "parse/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/portable.h"

extern char **environ; /* NOLINT(readability-redundant-declaration): only glibc has it in a header */

enum { FEED = 64 << 10 /* bytes read of the file at once */ };

static const struct packing packings[] = {
	{ "gzip", "\x1f\x8b\x08", 3, 2 },
	{ "xz", "\xfd\x37zXZ\0", 6, 2 },
	{ "zstd", "\x28\xb5\x2f\xfd", 4, 0 },
	{ "zstd", "\x50\x2a\x4d\x18", 4, 0 }, /* a frame to be skipped, with which pzstd begins */
};

const struct packing *packing_find(const char *p, size_t n, bool eof, bool *more)
{
	*more = !n && !eof;
	for (size_t i = 0; n && i < sizeof packings / sizeof *packings; i++) {
		const struct packing *packing = &packings[i];
		if (memcmp(p, packing->begins, n < packing->len ? n : packing->len) != 0)
			continue;
		if (n >= packing->len)
			return packing;
		*more = !eof;
	}
	return NULL;
}

/* ---- start --------------------------------------------------------------------------------- */

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Both ends of what the program reads and writes; [0] is ours. A write to a program that is gone must not kill us, so it reads from a socket. Its messages are
 * read at its end only: one that has more of them than a pipe holds must not wait for that. */
struct ends { int in[2], out[2], err[2]; };

static int make_ends(struct ends *ends)
{
	int out[2] = { -1, -1 }, err[2] = { -1, -1 };
	*ends = (struct ends){ { -1, -1 }, { -1, -1 }, { -1, -1 } };
	int status = socketpair_with(ends->in) || pipe_with(out, O_CLOEXEC) || pipe_with(err, O_CLOEXEC | O_NONBLOCK);
	for (int i = 0; i < 2; i++) {
		ends->out[i] = out[i];
		ends->err[i] = err[i];
	}
	return status || fcntl(out[0], F_SETFL, O_NONBLOCK) ? -1 : 0;
}

static void close_ends(struct ends *ends, int which)
{
	close_one(&ends->in[which]);
	close_one(&ends->out[which]);
	close_one(&ends->err[which]);
}

/* Gives 0 or an errno. */
static int spawn(const struct packing *by, const struct ends *ends, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t set;
	char program[16], flags[] = "-dc";
	snprintf(program, sizeof program, "%s", by->program);
	int error = posix_spawn_file_actions_init(&files);
	if (error)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (!error) {
		posix_spawnattr_setpgroup(&attributes, 0);
		sigemptyset(&set);
		posix_spawnattr_setsigmask(&attributes, &set);
		sigaddset(&set, SIGPIPE);
		posix_spawnattr_setsigdefault(&attributes, &set);
		posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
		const int ours[] = { ends->in[1], ends->out[1], ends->err[1] };
		for (int fd = 0; fd < 3 && !error; fd++)
			error = posix_spawn_file_actions_adddup2(&files, ours[fd], fd);
		if (!error)
			error = posix_spawnp(pid, program, &files, &attributes, (char *[]){ program, flags, NULL }, environ);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&files);
	return error;
}

static int start_failed(const struct unpack *u, int error, struct err *err)
{
	if (error == ENOENT)
		return err_set(err, ERR_FAILED, "%s: it is compressed, and there is no program %s to unpack it", u->name, u->by->program);
	return err_set(err, ERR_FAILED, "%s: %s cannot be started: %s", u->name, u->by->program, strerror(error));
}

int unpack_start(struct unpack *u, const char *p, size_t n, struct err *err)
{
	struct ends ends;
	u->pid = 0;
	u->to = u->from = u->said = -1;
	u->cap = n > FEED ? n : FEED;
	u->bytes = mem_alloc(u->mem, u->cap);
	if (!u->bytes)
		return err_memory(err);
	memcpy(u->bytes, p, n);
	u->n = n;
	int error = make_ends(&ends) ? errno : spawn(u->by, &ends, &u->pid);
	close_ends(&ends, 1);
	if (error) {
		close_ends(&ends, 0);
		u->pid = 0;
		return start_failed(u, error, err);
	}
	u->to = ends.in[0];
	u->from = ends.out[0];
	u->said = ends.err[0];
	return 0;
}

/* ---- on the way ------------------------------------------------------------------------------ */

/* Reads once, if there is something: 1; 0: nothing is there now; -1 with err set. */
static int take(struct unpack *u, struct err *err)
{
	if (!u->regular && poll(&(struct pollfd){ .fd = u->in, .events = POLLIN }, 1, 0) <= 0)
		return 0;
	ssize_t n = read(u->in, u->bytes, u->cap);
	if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (n < 0)
		return err_set(err, ERR_FAILED, "%s: %s", u->name, strerror(errno));
	u->at = 0;
	u->n = (size_t)n;
	u->taken += (uint64_t)n;
	u->eof = n == 0;
	return 1;
}

int unpack_feed(struct unpack *u, struct err *err)
{
	while (u->to >= 0) {
		if (u->at == u->n && !u->eof) {
			int status = take(u, err);
			if (status <= 0)
				return status;
		}
		if (u->at == u->n) {
			close_one(&u->to);
			break;
		}
		ssize_t n = send(u->to, u->bytes + u->at, u->n - u->at, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			break;
		if (n < 0)
			close_one(&u->to); /* it takes no more: why, its end will tell */
		else
			u->at += (size_t)n;
	}
	return 0;
}

uint32_t unpack_fds(const struct unpack *u, struct pollfd fd[UNPACK_FDS])
{
	fd[0] = (struct pollfd){ .fd = u->from, .events = POLLIN };
	if (u->to < 0)
		return 1;
	bool pending = u->at < u->n;
	fd[1] = (struct pollfd){ .fd = pending ? u->to : u->in, .events = pending ? POLLOUT : POLLIN };
	return 2;
}

/* ---- the end ----------------------------------------------------------------------------------- */

/* The first line of what the program said, without the names that it begins with: "gzip: stdin: ", "xz: (stdin): ", "zstd: / *stdin*\\: ". */
static const char *hear(struct unpack *u, char *text, size_t room)
{
	ssize_t n = read(u->said, text, room - 1);
	text[n > 0 ? n : 0] = '\0';
	text += strspn(text, "\n");
	text[strcspn(text, "\n")] = '\0';
	char *input = strstr(text, "stdin");
	if (input)
		text = input + strcspn(input, " ");
	return text + strspn(text, " :");
}

enum unpack_end unpack_finish(struct unpack *u)
{
	int status = 0;
	pid_t got;
	char text[200];
	close_one(&u->to);
	do
		got = waitpid(u->pid, &status, 0);
	while (got < 0 && errno == EINTR);
	u->pid = 0;
	if (got < 0) {
		snprintf(u->why, sizeof u->why, "%s: its end is not known: %s", u->by->program, strerror(errno));
		return UNPACK_BROKEN;
	}
	if (WIFSIGNALED(status)) {
		snprintf(u->why, sizeof u->why, "%s was killed by signal %d (%s)", u->by->program, WTERMSIG(status), strsignal(WTERMSIG(status)));
		return UNPACK_BROKEN;
	}
	int code = WEXITSTATUS(status);
	if (!code)
		return UNPACK_WELL;
	const char *said = hear(u, text, sizeof text);
	snprintf(u->why, sizeof u->why, "%s: %s", u->by->program, *said ? said : "it failed");
	return code == u->by->warning ? UNPACK_WARNED : UNPACK_BROKEN;
}

void unpack_stop(struct unpack *u)
{
	close_one(&u->to);
	close_one(&u->from);
	close_one(&u->said);
	if (u->pid > 0) {
		kill(u->pid, SIGKILL);
		while (waitpid(u->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	u->pid = 0;
	mem_free(u->mem, u->bytes, u->cap);
	u->bytes = NULL;
}
