/* Compressed input: what first bytes tell, and that a program's output comes whole however its input comes in. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/buf.h"
#include "parse/unpack.h"
#include "tests/unit/run_tests.h"

/* ---- first bytes ------------------------------------------------------------------------------ */

#define FIND(text, eof, more) packing_find(text, sizeof(text) - 1, eof, more)

START_TEST(first_bytes)
{
	static const struct { const char *p; size_t n; const char *program; } files[] = {
		{ "\x1f\x8b\x08", 3, "gzip" },
		{ "\xfd\x37zXZ\0", 6, "xz" },
		{ "\x28\xb5\x2f\xfd", 4, "zstd" },
		{ "\x50\x2a\x4d\x18", 4, "zstd" },
	};
	bool more;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		for (size_t n = 0; n < files[i].n; n++) {
			ck_assert_ptr_null(packing_find(files[i].p, n, false, &more));
			ck_assert(more);
			ck_assert_ptr_null(packing_find(files[i].p, n, true, &more));
			ck_assert(!more);
		}
		const struct packing *by = packing_find(files[i].p, files[i].n, false, &more);
		ck_assert_ptr_nonnull(by);
		ck_assert_str_eq(by->program, files[i].program);
		ck_assert(!more);
	}
	ck_assert_ptr_null(FIND("\x1f\x8b\x07", false, &more));
	ck_assert(!more);
	ck_assert_ptr_null(FIND("a", false, &more));
	ck_assert(!more);
}
END_TEST

/* ---- a program -------------------------------------------------------------------------------- */

enum { ROOM = 1 << 20 };

/* Lines of numbers, packed by a shell command; gives their length. */
static size_t pack(const char *command, char *to)
{
	FILE *f = popen(command, "r");
	ck_assert_ptr_nonnull(f);
	size_t n = fread(to, 1, ROOM, f);
	ck_assert_int_eq(pclose(f), 0);
	ck_assert_int_lt((int)n, ROOM);
	return n;
}

struct bench {
	struct mem mem;
	struct err err;
	struct unpack unpack;
	struct buf out;
	int feed; /* the far end of a pipe that is unpacked */
};

/* Begins with the first `known` bytes, which have been read. */
static int start(struct bench *b, const char *p, size_t n, size_t known)
{
	int fd[2];
	bool more;
	memset(b, 0, sizeof *b);
	buf_init(&b->out, &b->mem);
	ck_assert_int_eq(pipe2(fd, O_CLOEXEC), 0);
	b->feed = fd[1];
	b->unpack = (struct unpack){ .by = packing_find(p, n, true, &more), .name = "f", .in = fd[0], .mem = &b->mem };
	ck_assert_ptr_nonnull(b->unpack.by);
	return unpack_start(&b->unpack, p, known, &b->err);
}

/* Reads what is there: false at the end. */
static bool hear(struct bench *b)
{
	struct pollfd fd[UNPACK_FDS];
	ck_assert_int_eq(unpack_feed(&b->unpack, &b->err), 0);
	uint32_t n = unpack_fds(&b->unpack, fd);
	ck_assert_int_ge(poll(fd, n, 10), 0);
	char *to = buf_room(&b->out, 4096);
	ck_assert_ptr_nonnull(to);
	ssize_t got = read(b->unpack.from, to, 4096);
	ck_assert(got >= 0 || errno == EAGAIN);
	b->out.n += got > 0 ? (size_t)got : 0;
	return got != 0;
}

static enum unpack_end finish(struct bench *b)
{
	while (hear(b))
		;
	return unpack_finish(&b->unpack);
}

/* All is given back, and no child is left. */
static void stop(struct bench *b)
{
	close(b->unpack.in);
	if (b->feed >= 0)
		close(b->feed);
	unpack_stop(&b->unpack);
	buf_release(&b->out);
	ck_assert_uint_eq(b->mem.used, 0);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

static void send_some(struct bench *b, const char *p, size_t n)
{
	while (n) {
		size_t part = 1 + (size_t)rand() % (n < 3000 ? n : 3000);
		ck_assert_int_eq((int)write(b->feed, p, part), (int)part);
		p += part;
		n -= part;
		if (rand() % 4 == 0)
			hear(b);
	}
	close(b->feed);
	b->feed = -1;
}

START_TEST(whole_however_it_comes)
{
	static const char *const commands[] = { "seq 20000 | gzip", "seq 20000 | xz", "seq 20000 | zstd -q" };
	static char packed[ROOM], plain[ROOM];
	size_t len = pack("seq 20000", plain);
	srand(5);
	for (size_t i = 0; i < 3 * 8; i++) {
		struct bench b;
		size_t n = pack(commands[i % 3], packed), known = 6 + (size_t)rand() % 2000;
		ck_assert_int_eq(start(&b, packed, n, known), 0);
		send_some(&b, packed + known, n - known);
		ck_assert_int_eq(finish(&b), UNPACK_WELL);
		ck_assert_uint_eq(b.out.n, len);
		ck_assert_mem_eq(b.out.p, plain, len);
		stop(&b);
	}
}
END_TEST

START_TEST(what_goes_wrong)
{
	static char packed[ROOM];
	struct bench b;
	size_t n = pack("seq 20000 | gzip", packed);
	ck_assert_int_eq(start(&b, packed, n, n / 2), 0); /* cut off */
	send_some(&b, "", 0);
	ck_assert_int_eq(finish(&b), UNPACK_BROKEN);
	ck_assert_str_eq(b.unpack.why, "gzip: unexpected end of file");
	ck_assert_uint_gt(b.out.n, 1000);
	stop(&b);

	ck_assert_int_eq(start(&b, packed, n, n), 0); /* something behind it */
	send_some(&b, "rubbish", 7);
	ck_assert_int_eq(finish(&b), UNPACK_WARNED);
	stop(&b);

	ck_assert_int_eq(start(&b, packed, n, 10), 0); /* killed */
	kill(b.unpack.pid, SIGTERM);
	ck_assert_int_eq(finish(&b), UNPACK_BROKEN);
	ck_assert_ptr_nonnull(strstr(b.unpack.why, "gzip was killed by signal 15"));
	stop(&b);
}
END_TEST

/* Whoever stops early leaves no program behind, and a program whose end is not asked for takes none of the caller's time. */
START_TEST(stopped_early)
{
	static char packed[ROOM];
	struct bench b;
	size_t n = pack("seq 20000 | xz", packed);
	ck_assert_int_eq(start(&b, packed, n, 100), 0);
	hear(&b);
	stop(&b);
}
END_TEST

START_TEST(cannot_start)
{
	char packed[] = "\x1f\x8b\x08", *path = strdup(getenv("PATH"));
	struct bench b;
	if (getenv("VALGRIND")) { /* under it posix_spawn cannot tell that there is no such program */
		free(path);
		return;
	}
	setenv("PATH", "/nowhere", 1);
	ck_assert_int_eq(start(&b, packed, 3, 3), -1);
	setenv("PATH", path, 1);
	free(path);
	ck_assert_str_eq(b.err.text, "f: it is compressed, and there is no program gzip to unpack it");
	stop(&b);

	memset(&b, 0, sizeof b);
	bool more;
	b.feed = b.unpack.in = -1;
	b.mem.fail_at = 1;
	b.unpack = (struct unpack){ .by = packing_find(packed, 3, true, &more), .name = "f", .in = -1, .mem = &b.mem };
	ck_assert_int_eq(unpack_start(&b.unpack, packed, 3, &b.err), -1);
	unpack_stop(&b.unpack);
	ck_assert_uint_eq(b.mem.used, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { first_bytes, whole_however_it_comes, what_goes_wrong, stopped_early, cannot_start };
	return RUN_TESTS("unpack", tests);
}
