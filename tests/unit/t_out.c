/* core/out: blocks, partial writes, and every way in which writing fails. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/out.h"

static void put_lines(struct out *out, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		buf_putc(&out->buf, (char)('a' + i % 26));
}

START_TEST(whole_blocks_go_out_and_the_rest_waits)
{
	struct mem mem = { 0 };
	struct err err = { 0 };
	struct out out;
	char path[] = "/tmp/weir_out_XXXXXX";
	int fd = mkstemp(path);
	out_init(&out, fd, path, &mem);
	put_lines(&out, 100);
	out.since = 7;
	ck_assert_int_eq(out_push(&out), 0);
	ck_assert_int_eq(lseek(fd, 0, SEEK_CUR), 0);
	put_lines(&out, 2 * OUT_BLOCK);
	ck_assert_int_eq(out_push(&out), 0);
	ck_assert_int_eq(lseek(fd, 0, SEEK_CUR), 2 * OUT_BLOCK);
	ck_assert_uint_eq(out.buf.n, 100);
	ck_assert_int_eq(out.since, 7);
	ck_assert_int_eq(out_flush(&out), 0);
	ck_assert_int_eq(out.since, 0);
	ck_assert_int_eq(lseek(fd, 0, SEEK_CUR), 2 * OUT_BLOCK + 100);
	ck_assert_int_eq(out_close(&out, &err), 0);
	ck_assert_uint_eq(mem.used, 0);
	unlink(path);
}
END_TEST

START_TEST(a_full_disk_is_told_once_with_the_name)
{
	struct mem mem = { 0 };
	struct err err = { 0 };
	struct out out;
	out_init(&out, open("/dev/full", O_WRONLY), "standard output", &mem);
	put_lines(&out, OUT_BLOCK);
	ck_assert_int_eq(out_push(&out), -1);
	ck_assert_int_eq(out.error, ENOSPC);
	put_lines(&out, OUT_BLOCK);
	ck_assert_int_eq(out_push(&out), -1);
	ck_assert_uint_eq(out.buf.n, 0);
	ck_assert_int_eq(out_flush(&out), -1);
	ck_assert_int_eq(out_close(&out, &err), -1);
	ck_assert_str_eq(err.text, "standard output: No space left on device");
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(a_full_disk_shows_at_the_close_for_few_bytes)
{
	struct mem mem = { 0 };
	struct err err = { 0 };
	struct out out;
	out_init(&out, open("/dev/full", O_WRONLY), "x", &mem);
	put_lines(&out, 1);
	ck_assert_int_eq(out_push(&out), 0);
	ck_assert_int_eq(out_close(&out, &err), -1);
	ck_assert_int_eq(err.code, ERR_FAILED);
}
END_TEST

START_TEST(a_closed_pipe_is_an_error_like_any_other)
{
	struct mem mem = { 0 };
	struct err err = { 0 };
	struct out out;
	int fd[2];
	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(fd), 0);
	close(fd[0]);
	out_init(&out, fd[1], "standard output", &mem);
	put_lines(&out, 3);
	ck_assert_int_eq(out_flush(&out), -1);
	ck_assert_int_eq(out.error, EPIPE);
	ck_assert_int_eq(out_close(&out, &err), -1);
}
END_TEST

struct reader {
	int fd;
	size_t n;
	int bad;
};

/* Reads in odd portions, slowly at first. */
static void *read_all(void *arg)
{
	struct reader *reader = arg;
	char some[4099];
	usleep(20000);
	for (ssize_t n; (n = read(reader->fd, some, sizeof some)) > 0;)
		for (ssize_t i = 0; i < n; i++, reader->n++)
			reader->bad |= some[i] != (char)('a' + reader->n % 26);
	return NULL;
}

START_TEST(partial_writes_lose_nothing)
{
	struct mem mem = { 0 };
	struct err err = { 0 };
	struct out out;
	int fd[2];
	ck_assert_int_eq(pipe(fd), 0);
	if (_i)
		fcntl(fd[1], F_SETFL, O_NONBLOCK);
	struct reader reader = { .fd = fd[0] };
	pthread_t thread;
	pthread_create(&thread, NULL, read_all, &reader);
	out_init(&out, fd[1], "pipe", &mem);
	put_lines(&out, 26 * 40000);
	ck_assert_int_eq(out_push(&out), 0);
	ck_assert_int_eq(out_close(&out, &err), 0);
	pthread_join(thread, NULL);
	close(fd[0]);
	ck_assert_uint_eq(reader.n, 26 * 40000);
	ck_assert_int_eq(reader.bad, 0);
}
END_TEST

START_TEST(refused_memory_is_an_error)
{
	struct mem mem = { .fail_at = 2 };
	struct err err = { 0 };
	struct out out;
	out_init(&out, open("/dev/null", O_WRONLY), "x", &mem);
	put_lines(&out, 1000);
	ck_assert_int_eq(out_push(&out), -1);
	ck_assert_int_eq(out.error, ENOMEM);
	ck_assert_int_eq(out_close(&out, &err), -1);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("out");
	TCase *tc = tcase_create("out");
	suite_add_tcase(suite, tc);
	tcase_add_test(tc, whole_blocks_go_out_and_the_rest_waits);
	tcase_add_test(tc, a_full_disk_is_told_once_with_the_name);
	tcase_add_test(tc, a_full_disk_shows_at_the_close_for_few_bytes);
	tcase_add_test(tc, a_closed_pipe_is_an_error_like_any_other);
	tcase_add_loop_test(tc, partial_writes_lose_nothing, 0, 2);
	tcase_add_test(tc, refused_memory_is_an_error);
	SRunner *sr = srunner_create(suite);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
