/* argv and job files -> options, operators in their order, files. Grammar of the command line only; what an argument means is for those who use it.
 *
 * Long names are exact (no abbreviations), take "--name value" or "--name=value"; short flags cluster (-Fq) and take "-k x" or "-kx".
 * Options, operators and files may stand in any order; "--" ends flags; "-" is standard input. getopt_long would abbreviate, and stop at
 * the first file where POSIXLY_CORRECT is set, so it is not used. */
#ifndef WEIR_ARGS_H
#define WEIR_ARGS_H
#include <stdbool.h>

#include "core/arena.h"
#include "core/err.h"

enum option_group { GROUP_INPUT, GROUP_OUTPUT, GROUP_RUN, GROUP_COUNT, GROUP_MINOR = 8 /* added to one: named on the screen of --help, no more */ };

enum option_id {
#define OPTION(id, letter, name, arg, group, help, more) OPT_##id,
#include "parse/options.def"
#undef OPTION
	OPT_COUNT
};

struct option_row {
	const char *name;
	char letter;       /* 0: none */
	const char *arg;   /* shown in help; NULL: takes none; in [brackets]: optional */
	unsigned group;
	const char *help;  /* one line */
	const char *more;  /* lines that --help NAME adds */
};
extern const struct option_row option_rows[OPT_COUNT];

/* An operator flag, as the table of operators describes it. */
struct flag_row {
	const char *name;
	char letter;
};

/* One use of an operator flag. */
struct flag_use {
	uint32_t row;      /* index into the table given to args_parse */
	const char *flag;  /* "-r" or "--reduce": as the user would know it again; from a job file "FILE:LINE: -r" */
	const char *text;
};

struct args {
	const char *value[OPT_COUNT]; /* NULL: not given; "" for those without argument */
	const char *typed[OPT_COUNT]; /* as typed, for messages; from a job file as above */
	struct flag_use *use;
	uint32_t nuse;
	const char **file;
	uint32_t nfile;
};

static inline bool args_given(const struct args *args, enum option_id id) { return args->value[id] != NULL; }

struct command_line {
	int argc;
	char *const *argv;
	const struct flag_row *flag;   /* the operators */
	uint32_t nflag;
	int stdin_fd;                  /* for --job - */
};

/* Parses argv[1..], and the job file where --job names one; strings are borrowed from argv, all else lives in mem. An option given twice is a usage error
 * (operators repeat, and so does --job). */
int args_parse(struct args *args, const struct command_line *line, struct arena *mem, struct err *err);
#endif
