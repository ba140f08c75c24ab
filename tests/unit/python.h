/* Answers from python3, whose modules are a second opinion on what others have written down. */
#ifndef PYTHON_H
#define PYTHON_H
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PYTHON_LINE = 1000 };

struct python {
	char questions[24]; /* name of a file, a line each */
	FILE *answers;
};

/* Begins a list of questions; NULL, with a line that says so, where there is no python3. */
static inline FILE *python_open(struct python *py)
{
	*py = (struct python){ .questions = "/tmp/weir.XXXXXX" };
	if (system("command -v python3 >/dev/null 2>&1")) {
		puts("no python3: not compared with it");
		return NULL;
	}
	int fd = mkstemp(py->questions);
	ck_assert_int_ge(fd, 0);
	return fdopen(fd, "w");
}

/* Ends the list and runs the script (without single quotes), which finds the file of questions in sys.argv[1] and prints a line for each. */
static inline void python_ask(struct python *py, FILE *questions, const char *script)
{
	char command[4000];
	ck_assert_int_eq(fclose(questions), 0);
	ck_assert_int_lt(snprintf(command, sizeof command, "python3 -c '%s' %s", script, py->questions), sizeof command);
	py->answers = popen(command, "r");
	ck_assert_ptr_nonnull(py->answers);
}

/* The next answer, without its line feed. */
static inline const char *python_answer(struct python *py, char line[PYTHON_LINE])
{
	ck_assert_ptr_nonnull(fgets(line, PYTHON_LINE, py->answers));
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static inline void python_close(struct python *py)
{
	ck_assert_int_eq(fgetc(py->answers), EOF);
	ck_assert_int_eq(pclose(py->answers), 0);
	unlink(py->questions);
}
#endif
