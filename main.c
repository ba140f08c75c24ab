/* weir: a Unix pipe filter with the semantics of streaming SQL. See HACKING.md for the way in. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

static volatile sig_atomic_t stop, resized, queried, continued;

enum { ECHO_MS = 100 };

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The first signal asks for an end: the input is read on for a moment, results are printed. The second one kills; but not its echo: timeout(1)
 * signals the process and then its group. */
static void ask(int number)
{
	static volatile int64_t asked;
	if (stop && !(number == stop && now_ms() - asked < ECHO_MS)) {
		signal(number, SIG_DFL);
		raise(number);
	}
	if (!stop)
		asked = now_ms();
	stop = number;
}

/* What only has to be noticed is counted. */
static void note(int number)
{
	volatile sig_atomic_t *count = number == SIGWINCH ? &resized : number == SIGUSR1 ? &queried : &continued;
	*count = (*count + 1) & 0xffff;
}

static void catch_signals(void)
{
	static const int asks[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = ask }, old;
	sigfillset(&action.sa_mask);
	for (unsigned i = 0; i < sizeof asks / sizeof *asks; i++)
		if (!sigaction(asks[i], NULL, &old) && old.sa_handler != SIG_IGN) /* nohup and & stay in force */
			sigaction(asks[i], &action, NULL);
	static const int notes[] = { SIGWINCH, SIGUSR1, SIGCONT };
	struct sigaction noting = { .sa_handler = note, .sa_flags = SA_RESTART };
	for (unsigned i = 0; i < sizeof notes / sizeof *notes; i++)
		sigaction(notes[i], &noting, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGCHLD, SIG_DFL); /* else nobody could say how a program ended that unpacked the input */
}

/* A closed standard descriptor must not become a data file: it is opened so that using it the wrong way fails. */
static void occupy_standard_fds(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	occupy_standard_fds();
	catch_signals();
	struct run r = { .argc = argc, .argv = argv, .in = 0, .out = 1, .err = 2, .stop = &stop, .resized = &resized, .queried = &queried,
		.continued = &continued };
	int status = run(&r);
	if (close(1) && !status) {
		perror("weir: standard output");
		status = EXIT_FAILED;
	}
	if (stop) {
		signal(stop, SIG_DFL);
		raise(stop);
	}
	return status;
}
