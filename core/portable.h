/* What glibc, musl and the BSDs have, and macOS has not. The stand-ins are tested on Linux by `make check CFLAGS='-O2 -DWEIR_STAND_INS'`. */
#ifndef WEIR_PORTABLE_H
#define WEIR_PORTABLE_H
#if defined __APPLE__ || defined WEIR_STAND_INS
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

/* The flags of a pair of descriptors: O_CLOEXEC and O_NONBLOCK. */
static inline int set_flags(const int fd[2], int flags)
{
	for (int i = 0; i < 2; i++)
		if ((flags & O_CLOEXEC && fcntl(fd[i], F_SETFD, FD_CLOEXEC)) || (flags & O_NONBLOCK && fcntl(fd[i], F_SETFL, O_NONBLOCK)))
			return -1;
	return 0;
}

static inline int pipe_with(int fd[2], int flags)
{
	return pipe(fd) || set_flags(fd, flags) ? -1 : 0;
}

/* A socket that a write to a closed end gives EPIPE of, no signal. */
static inline int socketpair_with(int fd[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) || set_flags(fd, O_CLOEXEC))
		return -1;
#ifdef SO_NOSIGPIPE
	for (int i = 0; i < 2; i++)
		if (setsockopt(fd[i], SOL_SOCKET, SO_NOSIGPIPE, &(int){ 1 }, sizeof(int)))
			return -1;
#endif
	return 0;
}

/* Waits, with signals as in `mask` meanwhile; revents are not set. */
static inline int poll_with(const struct pollfd *fd, nfds_t n, const struct timespec *wait, const sigset_t *mask)
{
	fd_set read, write;
	int most = -1;
	FD_ZERO(&read);
	FD_ZERO(&write);
	for (nfds_t i = 0; i < n; i++) {
		if (fd[i].fd < 0)
			continue;
		if (fd[i].fd >= FD_SETSIZE) {
			errno = EINVAL;
			return -1;
		}
		if (fd[i].events & POLLIN)
			FD_SET(fd[i].fd, &read);
		if (fd[i].events & POLLOUT)
			FD_SET(fd[i].fd, &write);
		most = fd[i].fd > most ? fd[i].fd : most;
	}
	return pselect(most + 1, &read, &write, NULL, wait, mask);
}

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* see socketpair_with */
#endif
#else
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static inline int pipe_with(int fd[2], int flags) { return pipe2(fd, flags); }
static inline int socketpair_with(int fd[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd); }
static inline int poll_with(struct pollfd *fd, nfds_t n, const struct timespec *wait, const sigset_t *mask) { return ppoll(fd, n, wait, mask); }
#endif
#endif
