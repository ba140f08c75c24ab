#include "help.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/nearest.h"
#include "ops/agg/agg.h"
#include "ops/emit/emit.h"
#include "ops/expr/func.h"
#include "ops/op.h"
#include "parse/args.h"
#include "parse/format/format.h"

enum { FLAG_WIDTH = 26, LINE_WIDTH = 79 };

static const char synopsis[] =
	"usage: weir [FLAG | OPERATOR]... [FILE]...\n"
	"Reads records, sends them through the operators in the order written, and writes\n"
	"what changes: +I new, -U +U updated (old, new), -D gone.\n";

static const char examples[] =
	"\n"
	"  weir -k c2 -r count                      how often each value of column 2, live\n"
	"  weir -F -k c2 -r 'count, sum(c4)'        the same with a sum, at the end only\n"
	"  weir -f csv -w 'ms > 500' -s 'path, ms'  filter and project a file with a header\n"
	"  weir -k c2 -t '3 by c4 desc as rank'     the 3 largest c4 of each c2, kept current\n"
	"  tail -F access.log | weir -f combined -k path -r count -t '10 by count desc as rank'\n";

static const char *const group_title[GROUP_COUNT] = { "Input", "Output", "Run" };

static void put_flag(FILE *to, char letter, const char *name, const char *arg, const char *help)
{
	char flag[96], brief[8] = "    ";
	if (letter)
		snprintf(brief, sizeof brief, "-%c, ", letter);
	snprintf(flag, sizeof flag, "%s--%s%s%s", brief, name, arg ? " " : "", arg ? arg : "");
	fprintf(to, "  %-*s %s\n", FLAG_WIDTH, flag, help);
}

static void put_all(FILE *to)
{
	fputs(synopsis, to);
	fputs(examples, to);
	fputs("\nOperators (weir --help OPERATOR tells more)\n", to);
	for (uint32_t i = 0; op_types[i]; i++)
		put_flag(to, op_types[i]->letter, op_types[i]->name, op_types[i]->arg, op_types[i]->help);
	for (int g = 0; g < GROUP_COUNT; g++) {
		fprintf(to, "%s\n", group_title[g]);
		for (uint32_t i = 0; i < OPT_COUNT; i++)
			if ((int)option_rows[i].group == g)
				put_flag(to, option_rows[i].letter, option_rows[i].name, option_rows[i].arg, option_rows[i].help);
	}
	fputs("\nThe manual: man weir\n", to);
}

/* Words in a paragraph under a title. */
struct words { FILE *to; size_t at; };

static void put_word(struct words *words, const char *word)
{
	size_t n = strlen(word);
	if (words->at + n + 1 > LINE_WIDTH || !words->at) {
		fputs(words->at ? "\n  " : "  ", words->to);
		words->at = 1;
	}
	fprintf(words->to, "%s%s", words->at > 1 ? " " : "", word);
	words->at += n + 1;
}

static void put_aggregates(FILE *to)
{
	fputs("\nAggregates\n", to);
	struct words words = { .to = to };
	for (uint32_t i = 0; agg_types[i]; i++)
		put_word(&words, agg_types[i]->name);
	fputs("\nEach takes (distinct x), and behind it: where PREDICATE, as NAME\n", to);
}

static void put_functions(FILE *to)
{
	fputs("\nFunctions\n", to);
	struct words words = { .to = to };
	for (uint32_t i = 0; functions[i].name; i++)
		put_word(&words, functions[i].name);
	fputc('\n', to);
}

static void put_formats(FILE *to, bool input)
{
	fputs("\nFormats\n", to);
	for (uint32_t i = 0; input && formats[i]; i++)
		fprintf(to, "  %-10s %s\n", formats[i]->name, formats[i]->help);
	for (uint32_t i = 0; !input && emit_types[i]; i++)
		fprintf(to, "  %-10s %s\n", emit_types[i]->name, emit_types[i]->help);
}

static int put_operator(FILE *to, const struct op_type *type)
{
	put_flag(to, type->letter, type->name, type->arg, type->help);
	if (!strcmp(type->name, "reduce"))
		put_aggregates(to);
	if (!strcmp(type->name, "where") || !strcmp(type->name, "select"))
		put_functions(to);
	return 0;
}

static int put_option(FILE *to, uint32_t id)
{
	const struct option_row *row = &option_rows[id];
	put_flag(to, row->letter, row->name, row->arg, row->help);
	if (id == OPT_FORMAT || id == OPT_OUTPUT)
		put_formats(to, id == OPT_FORMAT);
	return 0;
}

static bool same_flag(const char *word, char letter, const char *name)
{
	word += strspn(word, "-");
	return !strcmp(word, name) || (letter && word[0] == letter && !word[1]);
}

static int put_one(FILE *to, const char *flag, struct err *err)
{
	const char *names[OPT_COUNT + 64];
	uint32_t n = 0;
	for (uint32_t i = 0; op_types[i]; i++) {
		if (same_flag(flag, op_types[i]->letter, op_types[i]->name))
			return put_operator(to, op_types[i]);
		names[n++] = op_types[i]->name;
	}
	for (uint32_t i = 0; i < OPT_COUNT; i++) {
		if (same_flag(flag, option_rows[i].letter, option_rows[i].name))
			return put_option(to, i);
		names[n++] = option_rows[i].name;
	}
	flag += strspn(flag, "-");
	int near = nearest_word(flag, strlen(flag), names, n);
	return err_set(err, ERR_USAGE, "--help: no flag '%s'%s%s%s", flag, near >= 0 ? "; did you mean --" : "", near >= 0 ? names[near] : "", near >= 0 ? "?" : "");
}

int help_print(int fd, const char *flag, struct err *err)
{
	FILE *to = fdopen(dup(fd), "w");
	if (!to)
		return err_set(err, ERR_FAILED, "standard output cannot be written");
	int status = 0;
	if (*flag)
		status = put_one(to, flag, err);
	else
		put_all(to);
	if (fclose(to))
		return err_set(err, ERR_FAILED, "standard output cannot be written");
	return status;
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
