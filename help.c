#include "help.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "help_topic.h"
#include "ops/op.h"
#include "parse/args.h"

static const char synopsis[] =
	"usage: weir [FLAG | OPERATOR]... [FILE]...\n"
	"Reads records, sends them through the operators in the order written, writes\n"
	"what changes: +I new, -U +U updated (old, new), -D gone.\n";

static const char examples[] =
	"  weir -k c2 -r count                      # how often each value of column 2\n"
	"  weir -F -k c2 -r 'count, sum(c4)'        # the same and a sum, at the end only\n"
	"  weir -f csv -w 'ms > 500' -s 'path, ms'  # filter and project, by name\n"
	"  weir -k c2 -t '3 by c4 desc as rank'     # the 3 largest c4 of each c2, live\n"
	"  tail -F access.log | weir -f combined -k path -r count -t '10 by count desc'\n";

static const char *const group_title[GROUP_COUNT] = { "Input", "Output", "Run" };

/* The names of a group's flags of minor use. */
static void put_minor(FILE *to, unsigned group)
{
	size_t column = strlen("      also");
	fputs("      also", to);
	for (uint32_t i = 0; i < OPT_COUNT; i++) {
		if (option_rows[i].group != (group | GROUP_MINOR))
			continue;
		size_t width = strlen(option_rows[i].name) + strlen(" --");
		if (column + width > HELP_WIDTH) {
			fprintf(to, "\n%10s", "");
			column = 10;
		}
		fprintf(to, " --%s", option_rows[i].name);
		column += width;
	}
	fputc('\n', to);
}

/* The flags of a group, a line each; those of minor use by name. */
static void put_group(FILE *to, unsigned group)
{
	fprintf(to, "%s\n", group_title[group]);
	for (uint32_t i = 0; i < OPT_COUNT; i++)
		if (option_rows[i].group == group)
			help_flag(to, option_rows[i].letter, option_rows[i].name, option_rows[i].arg, option_rows[i].help);
	put_minor(to, group);
}

static void put_all(FILE *to)
{
	fputs(synopsis, to);
	fputs(examples, to);
	fputs("\nOperators\n", to);
	for (uint32_t i = 0; op_types[i]; i++)
		help_flag(to, op_types[i]->letter, op_types[i]->name, op_types[i]->arg, op_types[i]->help);
	for (unsigned group = 0; group < GROUP_COUNT; group++)
		put_group(to, group);
	fputs("More: weir --help reduce (any flag, function, aggregate, format); man weir\n", to);
}

/* Subjects of the manual that somebody may look for here. */
static bool is_section(const char *name)
{
	static const char *const sections[] = { "cron", "time", "quoting", "examples", "keys", "state", "null", "expressions", "exit", "status" };
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		if (!strcmp(name, sections[i]))
			return true;
	return false;
}

static int put_one(FILE *to, const char *name, struct err *err)
{
	char buf[64];
	if (help_topic(to, name))
		return 0;
	if (is_section(name))
		return err_set(err, ERR_USAGE, "--help: '%s' is no flag, function, aggregate or format; man weir tells about it", name);
	const char *near = help_nearest(name, buf, sizeof buf);
	return err_set(err, ERR_USAGE, "--help: no flag, function, aggregate or format '%s'%s%s%s", name, near ? "; did you mean " : "", near ? near : "",
		near ? "?" : "");
}

int help_print(int fd, const char *name, struct err *err)
{
	FILE *to = help_open(fd, err);
	if (!to)
		return -1;
	int status = 0;
	if (*name)
		status = put_one(to, name, err);
	else
		put_all(to);
	return help_close(to, err) ? -1 : status;
}

int help_version(int fd)
{
	char pcre[64] = "";
	pcre2_config(PCRE2_CONFIG_VERSION, pcre);
	return dprintf(fd, "weir %s\nregular expressions: PCRE2 %s\nhashing: xxHash %u.%u.%u\n", WEIR_VERSION, pcre, XXH_VERSION_MAJOR, XXH_VERSION_MINOR,
		XXH_VERSION_RELEASE) < 0;
}

void help_usage(int fd)
{
	dprintf(fd, "%s\nweir --help: examples and all flags\n", synopsis);
}
