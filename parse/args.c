#include "parse/args.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "parse/jobfile.h"

const struct option_row option_rows[OPT_COUNT] = {
#define OPTION(id, letter, name, arg, group, help, more) { name, letter, arg, group, help, more },
#include "parse/options.def"
#undef OPTION
};

/* What a flag turned out to be. */
struct found {
	int option, row;  /* one of them >= 0 */
	const char *name; /* as typed, without "=value" */
	const char *flag; /* the same with its place, for later messages */
};

/* Where words come from: the command line, or one line of a job file. */
struct scan {
	struct args *args;
	int argc, at;             /* at: the next word */
	char *const *argv;
	const struct command_line *from;
	uint32_t uses;            /* there is room for so many in args->use */
	const char *place, *line; /* "FILE:LINE" and its text; NULL: the command line */
	bool job_is_stdin;
	struct arena *mem;
	struct err *err;
};

/* A usage error; in a job file with its place and a caret under the flag. */
static int complain(struct scan *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int complain(struct scan *s, const char *format, ...)
{
	char text[300];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	if (!s->line)
		return err_set(s->err, ERR_USAGE, "%s", text);
	return err_at(s->err, (struct span){ s->place, s->line, 0, strcspn(s->line, " \t=") }, "%s", text);
}

static bool named(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !memcmp(name, word, len);
}

static int unknown_long(struct scan *s, const char *word, size_t len)
{
	const char *names[OPT_COUNT + 64];
	uint32_t n = 0;
	for (uint32_t i = 0; i < OPT_COUNT; i++)
		names[n++] = option_rows[i].name;
	for (uint32_t i = 0; i < s->from->nflag && n < OPT_COUNT + 64; i++)
		names[n++] = s->from->flag[i].name;
	int near = nearest_word(word, len, names, n);
	if (near >= 0)
		return complain(s, "unknown flag --%.*s; did you mean --%s?", (int)len, word, names[near]);
	return complain(s, "unknown flag --%.*s; see weir --help", (int)len, word);
}

/* Notes what was typed. */
static int name_it(struct scan *s, struct found *found, const char *word, size_t len)
{
	found->name = found->flag = arena_copy(s->mem, word, len);
	if (!found->name)
		return err_memory(s->err);
	if (!s->place)
		return 0;
	size_t room = strlen(s->place) + len + 3;
	char *flag = arena_alloc(s->mem, room);
	if (!flag)
		return err_memory(s->err);
	snprintf(flag, room, "%s: %s", s->place, found->name);
	found->flag = flag;
	return 0;
}

static int find_long(struct scan *s, const char *word, size_t len, struct found *found)
{
	for (uint32_t i = 0; i < OPT_COUNT; i++)
		if (named(option_rows[i].name, word, len))
			found->option = (int)i;
	for (uint32_t i = 0; i < s->from->nflag; i++)
		if (named(s->from->flag[i].name, word, len))
			found->row = (int)i;
	if (found->option < 0 && found->row < 0)
		return unknown_long(s, word, len);
	return name_it(s, found, word - 2, len + 2);
}

static int find_short(struct scan *s, char letter, struct found *found)
{
	for (uint32_t i = 0; i < OPT_COUNT; i++)
		if (option_rows[i].letter == letter)
			found->option = (int)i;
	for (uint32_t i = 0; i < s->from->nflag; i++)
		if (s->from->flag[i].letter == letter)
			found->row = (int)i;
	if (found->option < 0 && found->row < 0)
		return complain(s, "unknown flag -%c; see weir --help", letter);
	return name_it(s, found, (char[]){ '-', letter }, 2);
}

static bool takes_value(const struct found *found)
{
	return found->row >= 0 || option_rows[found->option].arg;
}

static bool value_optional(const struct found *found)
{
	return found->row < 0 && option_rows[found->option].arg && option_rows[found->option].arg[0] == '[';
}

static int take_job(struct scan *s, const char *path);

static int record(struct scan *s, const struct found *found, const char *value)
{
	struct args *args = s->args;
	if (found->row >= 0) {
		args->use[args->nuse++] = (struct flag_use){ (uint32_t)found->row, found->flag, value };
		return 0;
	}
	if (found->option == OPT_JOB && take_job(s, value))
		return -1;
	if (args->value[found->option] && takes_value(found) && found->option != OPT_JOB)
		return complain(s, "%s is given twice, first as %s", found->name, args->typed[found->option]);
	args->value[found->option] = value;
	args->typed[found->option] = found->flag;
	return 0;
}

/* The value behind a flag: `attached` (in the same word), or the next word. */
static int take(struct scan *s, const struct found *found, const char *attached)
{
	if (!takes_value(found))
		return attached ? complain(s, "%s takes no argument", found->name) : record(s, found, "");
	if (attached)
		return record(s, found, attached);
	if (s->at < s->argc)
		return record(s, found, s->argv[s->at++]);
	if (value_optional(found))
		return record(s, found, "");
	return complain(s, "%s needs an argument; see weir --help %s", found->name,
		found->row >= 0 ? s->from->flag[found->row].name : option_rows[found->option].name);
}

static int take_long(struct scan *s, const char *word)
{
	struct found found = { .option = -1, .row = -1 };
	const char *eq = strchr(word, '=');
	if (find_long(s, word, eq ? (size_t)(eq - word) : strlen(word), &found))
		return -1;
	return take(s, &found, eq ? eq + 1 : NULL);
}

static int take_cluster(struct scan *s, const char *word)
{
	while (*word) {
		struct found found = { .option = -1, .row = -1 };
		if (find_short(s, *word++, &found))
			return -1;
		if (takes_value(&found))
			return take(s, &found, *word ? word : NULL);
		if (take(s, &found, NULL))
			return -1;
	}
	return 0;
}

/* ---- the command line, and job files -------------------------------------------------------- */

static int take_flag(struct scan *s, const char *word)
{
	return word[1] == '-' ? take_long(s, word + 2) : take_cluster(s, word + 1);
}

/* Room for so many more operators. */
static int more_uses(struct scan *s, uint32_t n)
{
	struct args *args = s->args;
	struct flag_use *use = arena_alloc(s->mem, (s->uses + n) * sizeof *use);
	if (!use)
		return err_memory(s->err);
	if (args->nuse)
		memcpy(use, args->use, args->nuse * sizeof *use);
	args->use = use;
	s->uses += n;
	return 0;
}

/* One line of a job file. */
static int take_line(struct scan *job, const struct jobfile_line *line)
{
	const char *word = line->word[0];
	job->line = line->text;
	job->argv = line->word;
	job->argc = line->words;
	job->at = 1;
	if (word[0] != '-' || !word[1] || !strcmp(word, "--"))
		return complain(job, "a line is a flag and its argument; the input stands on the command line");
	if (take_flag(job, word))
		return -1;
	return job->at < job->argc ? complain(job, "one flag a line, with one argument at most, behind a blank") : 0;
}

static int take_job(struct scan *s, const char *path)
{
	struct jobfile file;
	struct jobfile_line line;
	if (s->place)
		return complain(s, "--job: a job file takes in no other");
	if (jobfile_read(&file, path, s->from->stdin_fd, s->mem, s->err) || more_uses(s, file.lines))
		return -1;
	s->job_is_stdin |= !strcmp(path, "-");
	struct scan job = *s;
	size_t room = strlen(file.name) + 16;
	while (jobfile_next(&file, &line)) {
		char *place = arena_alloc(s->mem, room);
		if (!place)
			return err_memory(s->err);
		snprintf(place, room, "%s:%u", file.name, file.line);
		job.place = place;
		if (take_line(&job, &line))
			return -1;
	}
	return 0;
}

static bool reads_stdin(const struct args *args)
{
	for (uint32_t i = 0; i < args->nfile; i++)
		if (!strcmp(args->file[i], "-"))
			return true;
	return !args->nfile;
}

/* Is standard input two things at once? */
static int check_stdin(struct scan *s)
{
	if (s->job_is_stdin && reads_stdin(s->args))
		return complain(s, "--job -: standard input is the input; name a FILE to read, or put the job into a file");
	return 0;
}

int args_parse(struct args *args, const struct command_line *from, struct arena *mem, struct err *err)
{
	*args = (struct args){ 0 };
	struct scan s = { .args = args, .argc = from->argc, .at = 1, .argv = from->argv, .from = from, .mem = mem, .err = err };
	args->file = arena_alloc(mem, (size_t)s.argc * sizeof *args->file);
	if (!args->file)
		return err_memory(err);
	if (more_uses(&s, (uint32_t)s.argc))
		return -1;
	bool flags_end = false;
	while (s.at < s.argc) {
		const char *word = s.argv[s.at++];
		if (flags_end || word[0] != '-' || !word[1])
			args->file[args->nfile++] = word;
		else if (!strcmp(word, "--"))
			flags_end = true;
		else if (take_flag(&s, word))
			return -1;
	}
	return check_stdin(&s);
}
