/* weir: a Unix pipe filter with the semantics of streaming SQL. See HACKING.md for the way in. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "run.h"

static volatile sig_atomic_t stop;

/* The first signal asks for an end: the input is read on for a moment, results are printed. The second one kills. */
static void ask(int number)
{
	if (stop) {
		signal(number, SIG_DFL);
		raise(number);
	}
	stop = number;
}

static void catch_signals(void)
{
	static const int asks[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = ask }, old;
	sigfillset(&action.sa_mask);
	for (unsigned i = 0; i < sizeof asks / sizeof *asks; i++)
		if (!sigaction(asks[i], NULL, &old) && old.sa_handler != SIG_IGN) /* nohup and & stay in force */
			sigaction(asks[i], &action, NULL);
	signal(SIGPIPE, SIG_DFL);
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
	struct run r = { .argc = argc, .argv = argv, .in = 0, .out = 1, .err = 2, .stop = &stop };
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
