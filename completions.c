#include "completions.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "help_topic.h"
#include "ops/emit/emit.h"
#include "ops/op.h"
#include "parse/args.h"
#include "parse/format/format.h"

static void put_bash(FILE *to);
static void put_zsh(FILE *to);
static void put_fish(FILE *to);

static const struct shell {
	const char *name;
	void (*put)(FILE *to);
} shells[] = { { "bash", put_bash }, { "zsh", put_zsh }, { "fish", put_fish } };
enum { NSHELL = sizeof shells / sizeof shells[0], NOPTION = -1 };

/* ---- what there is to complete --------------------------------------------------------------- */

struct flag {
	const char *name, *arg, *help; /* arg NULL: takes none */
	char letter;                   /* 0: none */
	int option;                    /* enum option_id; NOPTION: an operator, which may stand there more than once */
};

/* Flag i, operators first; false behind the last. */
static bool flag_at(uint32_t i, struct flag *flag)
{
	uint32_t n = 0;
	while (n <= i && op_types[n])
		n++;
	if (i < n) {
		*flag = (struct flag){ op_types[i]->name, op_types[i]->arg, op_types[i]->help, op_types[i]->letter, NOPTION };
		return true;
	}
	if (i - n >= OPT_COUNT)
		return false;
	const struct option_row *row = &option_rows[i - n];
	*flag = (struct flag){ row->name, row->arg, row->help, row->letter, (int)(i - n) };
	return true;
}

/* The words that may follow a flag, as far as the tables have them; their number, 0 if any may. */
static uint32_t values_of(const struct flag *flag, const char *words[HELP_NAMES])
{
	uint32_t n = 0;
	switch (flag->option) {
	case OPT_FORMAT:
		for (; n < HELP_NAMES && formats[n]; n++)
			words[n] = formats[n]->name;
		return n;
	case OPT_OUTPUT:
		for (; n < HELP_NAMES && emit_types[n]; n++)
			words[n] = emit_types[n]->name;
		return n;
	case OPT_COMPLETIONS:
		for (; n < NSHELL; n++)
			words[n] = shells[n].name;
		return n;
	case OPT_HELP:
		return help_names(words, &(uint32_t){ 0 });
	default:
		return 0;
	}
}

/* Those words with blanks between, each once. */
static void put_values(FILE *to, const struct flag *flag)
{
	const char *words[HELP_NAMES];
	uint32_t n = values_of(flag, words);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = 0;
		while (strcmp(words[first], words[i]) != 0)
			first++;
		if (first == i)
			fprintf(to, "%s%s", i ? " " : "", words[i]);
	}
}

static bool has_values(const struct flag *flag)
{
	const char *words[HELP_NAMES];
	return values_of(flag, words) > 0;
}

static bool takes_file(const struct flag *flag) { return flag->arg && strstr(flag->arg, "FILE"); }

/* ---- quoting --------------------------------------------------------------------------------- */

/* The text with a backslash before each of `special`. */
static void put_escaped(FILE *to, const char *text, const char *special)
{
	for (; *text; text++)
		fprintf(to, "%s%c", strchr(special, *text) ? "\\" : "", *text);
}

/* A piece of a zsh spec, which stands in single quotes: what means something there is escaped for _arguments, a quote for the shell. */
static void put_spec(FILE *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", to);
		else
			put_escaped(to, (char[]){ *text, '\0' }, "\\:[]");
	}
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void put_bash_flags(FILE *to)
{
	struct flag flag;
	for (uint32_t i = 0; flag_at(i, &flag); i++) {
		fprintf(to, "%s--%s", i ? " " : "", flag.name);
		if (flag.letter)
			fprintf(to, " -%c", flag.letter);
	}
}

static void put_bash_values(FILE *to)
{
	struct flag flag;
	for (uint32_t i = 0; flag_at(i, &flag); i++) {
		if (!has_values(&flag))
			continue;
		fputc('\t', to);
		if (flag.letter)
			fprintf(to, "-%c | ", flag.letter);
		fprintf(to, "--%s) words='", flag.name);
		put_values(to, &flag);
		fputs("' ;;\n", to);
	}
}

/* --flag=value comes as three words. Where nothing fits, bash itself completes files. */
static void put_bash(FILE *to)
{
	fputs("# weir for bash, written by weir --completions bash\n"
	      "_weir()\n"
	      "{\n"
	      "\tlocal IFS=$' \\t\\n' words= word=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tif [[ $word == = ]]; then\n"
	      "\t\tword=\n"
	      "\telif [[ $flag == = ]]; then\n"
	      "\t\tflag=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\tfi\n"
	      "\tcase $flag in\n", to);
	put_bash_values(to);
	fputs("\t*) [[ $word == -* ]] && words='", to);
	put_bash_flags(to);
	fputs("' ;;\n"
	      "\tesac\n"
	      "\tCOMPREPLY=()\n"
	      "\t[[ $words ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
	      "}\n"
	      "complete -o default -F _weir weir\n", to);
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* The part of a spec in quotes: '[help]:argument:what completes it'. */
static void put_zsh_spec(FILE *to, const struct flag *flag)
{
	fputs("'[", to);
	put_spec(to, flag->help);
	fputc(']', to);
	if (flag->arg) {
		fputs(flag->arg[0] == '[' ? "::" : ":", to);
		put_spec(to, flag->arg);
		fputc(':', to);
		if (has_values(flag)) {
			fputc('(', to);
			put_values(to, flag);
			fputc(')', to);
		} else {
			fputs(takes_file(flag) ? "_files" : " ", to);
		}
	}
	fputc('\'', to);
}

static void put_zsh_flag(FILE *to, const struct flag *flag)
{
	const char *plus = flag->arg ? "+" : "", *equals = flag->arg ? "=" : "";
	if (flag->option == NOPTION)
		fputs("'*'", to);
	else if (flag->letter)
		fprintf(to, "'(-%c --%s)'", flag->letter, flag->name);
	if (flag->letter)
		fprintf(to, "{-%c%s,--%s%s}", flag->letter, plus, flag->name, equals);
	else
		fprintf(to, "--%s%s", flag->name, equals);
	put_zsh_spec(to, flag);
}

/* The file is the function when zsh loads it from fpath, and defines it when it is sourced. */
static void put_zsh(FILE *to)
{
	struct flag flag;
	fputs("#compdef weir\n"
	      "# weir for zsh, written by weir --completions zsh\n"
	      "_weir() {\n"
	      "\t_arguments -s -S \\\n", to);
	for (uint32_t i = 0; flag_at(i, &flag); i++) {
		fputs("\t\t", to);
		put_zsh_flag(to, &flag);
		fputs(" \\\n", to);
	}
	fputs("\t\t'*:file:_files'\n"
	      "}\n"
	      "if [ \"${funcstack[1]}\" = _weir ]; then\n"
	      "\t_weir \"$@\"\n"
	      "else\n"
	      "\tcompdef _weir weir\n"
	      "fi\n", to);
}

/* ---- fish ------------------------------------------------------------------------------------ */

static void put_fish(FILE *to)
{
	struct flag flag;
	fputs("# weir for fish, written by weir --completions fish\n", to);
	for (uint32_t i = 0; flag_at(i, &flag); i++) {
		fputs("complete -c weir", to);
		if (flag.letter)
			fprintf(to, " -s %c", flag.letter);
		fprintf(to, " -l %s", flag.name);
		if (flag.arg)
			fputs(takes_file(&flag) ? " -r -F" : " -x", to);
		if (has_values(&flag)) {
			fputs(" -a '", to);
			put_values(to, &flag);
			fputc('\'', to);
		}
		fputs(" -d '", to);
		put_escaped(to, flag.help, "\\'");
		fputs("'\n", to);
	}
}

/* ---------------------------------------------------------------------------------------------- */

int completions_print(int fd, const char *shell, struct err *err)
{
	uint32_t i = 0;
	while (i < NSHELL && strcmp(shells[i].name, shell) != 0)
		i++;
	if (i == NSHELL)
		return err_set(err, ERR_USAGE, "--completions: no shell '%s'; there are bash, zsh, fish", shell);
	FILE *to = help_open(fd, err);
	if (!to)
		return -1;
	shells[i].put(to);
	return help_close(to, err);
}
