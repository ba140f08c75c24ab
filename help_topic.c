#include "help_topic.h"

#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/nearest.h"
#include "ops/agg/agg.h"
#include "ops/emit/emit.h"
#include "ops/expr/func.h"
#include "ops/op.h"
#include "parse/args.h"
#include "parse/format/format.h"

enum {
	INDENT = 2,
	NAMES = 13,      /* columns of the names of formats */
	SIGNATURES = 32, /* of functions and aggregates */
};

static const char expressions[] =
	"\n"
	"Expressions, what binds loosest first\n"
	"  or, and, not                 NULL is unknown\n"
	"  = == != <> < <= > >=         a field against 5 is a number, against '5' a text\n"
	"  =~ !~                        matches /regex/imsx or 'regex', or does not\n"
	"  is null, in (a, b), between a and b, like 'a%_'\n"
	"                               also with not: is not null, not in ...\n"
	"  ||                           joins texts and numbers; of NULL it is NULL\n"
	"  + -, * / %, - x              exact; division by zero is NULL\n"
	"  rowtime - t, t + 5m, t > '2026-11-29 10:00'\n"
	"                               beside a time, a text is read as one\n"
	"  'text', \"text\\n\", 1.5, 5m30s, true, false, null, name, {odd name}\n"
	"                               '' is a quote in a '...'; 5m30s is 330000 (ms)\n";

/* ---- where it goes ------------------------------------------------------------------------- */

FILE *help_open(int fd, struct err *err)
{
	FILE *to = fdopen(dup(fd), "w");
	if (!to)
		err_set(err, ERR_FAILED, "standard output cannot be written");
	return to;
}

int help_close(FILE *to, struct err *err)
{
	return fclose(to) ? err_set(err, ERR_FAILED, "standard output cannot be written") : 0;
}

/* ---- layout ------------------------------------------------------------------------------- */

/* Bytes of text for a line of `width`: up to a blank, or all; a word that is too long stands alone. */
static size_t line_length(const char *text, size_t width)
{
	size_t n = strlen(text), end = width;
	if (n <= width)
		return n;
	while (end && text[end] != ' ')
		end--;
	return end ? end : strcspn(text, " ");
}

/* "  left      right", the right part broken at blanks into lines that stand below each other `column` from the left. */
static void put_row(FILE *to, int column, const char *left, const char *right)
{
	int at = fprintf(to, "%*s%s", INDENT, "", left);
	if (at + 1 > column) {
		fputc('\n', to);
		at = 0;
	}
	for (size_t n; *right; right += n + (right[n] == ' ')) {
		n = line_length(right, (size_t)(HELP_WIDTH - column));
		fprintf(to, "%*s%.*s\n", column - at, "", (int)n, right);
		at = 0;
	}
}

void help_flag(FILE *to, char letter, const char *name, const char *arg, const char *help)
{
	char flag[96], brief[8] = "    ";
	if (letter)
		snprintf(brief, sizeof brief, "-%c, ", letter);
	snprintf(flag, sizeof flag, "%s--%s%s%s", brief, name, arg ? " " : "", arg ? arg : "");
	put_row(to, INDENT + HELP_FLAGS, flag, help);
}

static void put_more(FILE *to, const char *more)
{
	if (more)
		fprintf(to, "\n%s", more);
}

/* ---- functions and aggregates --------------------------------------------------------------- */

static void put_function(FILE *to, const struct func *func)
{
	put_row(to, SIGNATURES, func->usage, func->help);
}

static void put_functions(FILE *to)
{
	fputs("\nFunctions\n", to);
	for (const struct func *func = functions; func->name; func++)
		put_function(to, func);
}

static void put_aggregate(FILE *to, const struct agg_type *type)
{
	char usage[64];
	snprintf(usage, sizeof usage, "%s%s", type->name, type->args);
	put_row(to, SIGNATURES, usage, type->help);
}

static void put_aggregates(FILE *to)
{
	fputs("\nAggregates\n", to);
	for (uint32_t i = 0; agg_types[i]; i++)
		put_aggregate(to, agg_types[i]);
}

/* ---- formats ------------------------------------------------------------------------------- */

/* The columns of a format that brings its own. */
static void put_columns(FILE *to, const struct format *format)
{
	struct mem mem = { 0 };
	struct arena arena;
	struct schema schema;
	char names[512] = "columns:";
	size_t at = strlen(names);
	arena_init(&arena, &mem);
	schema_init(&schema, SCHEMA_CLOSED, &arena);
	if (format->schema && !(format->traits & F_SPEC) && !format->schema(&(struct input_options){ .format = format }, &schema)) {
		for (uint32_t i = 0; i < schema.n && at + schema.col[i].len + 2 < sizeof names; i++)
			at += (size_t)snprintf(names + at, sizeof names - at, " %.*s", (int)schema.col[i].len, schema.col[i].name);
		put_row(to, NAMES, "", names);
	}
	arena_release(&arena);
}

static void put_input(FILE *to, const struct format *format)
{
	put_row(to, NAMES, format->name, format->help);
	put_columns(to, format);
}

static void put_formats(FILE *to, bool input)
{
	fputs("\nFormats\n", to);
	for (uint32_t i = 0; input && formats[i]; i++)
		put_input(to, formats[i]);
	for (uint32_t i = 0; !input && emit_types[i]; i++)
		put_row(to, NAMES, emit_types[i]->name, emit_types[i]->help);
}

/* ---- flags ------------------------------------------------------------------------------- */

static void put_operator(FILE *to, const struct op_type *type)
{
	help_flag(to, type->letter, type->name, type->arg, type->help);
	put_more(to, type->more);
	if (!strcmp(type->name, "reduce"))
		put_aggregates(to);
	if (!strcmp(type->name, "where") || !strcmp(type->name, "select")) {
		fputs(expressions, to);
		put_functions(to);
	}
}

static void put_option(FILE *to, uint32_t id)
{
	const struct option_row *row = &option_rows[id];
	help_flag(to, row->letter, row->name, row->arg, row->help);
	put_more(to, row->more);
	if (id == OPT_FORMAT || id == OPT_OUTPUT)
		put_formats(to, id == OPT_FORMAT);
}

/* ---- what a name means --------------------------------------------------------------------- */

static bool is_flag(const char *word, char letter, const char *name)
{
	word += strspn(word, "-");
	return !strcmp(word, name) || (letter && word[0] == letter && !word[1]);
}

static bool flag_topic(FILE *to, const char *word)
{
	for (uint32_t i = 0; op_types[i]; i++)
		if (is_flag(word, op_types[i]->letter, op_types[i]->name))
			return put_operator(to, op_types[i]), true;
	for (uint32_t i = 0; i < OPT_COUNT; i++)
		if (is_flag(word, option_rows[i].letter, option_rows[i].name))
			return put_option(to, i), true;
	return false;
}

static bool format_topic(FILE *to, const char *word)
{
	const struct format *in = format_find(word, strlen(word));
	const struct emit_type *out = emit_find(word, strlen(word));
	if (in) {
		fprintf(to, "As input (-f %s):\n", word);
		put_input(to, in);
		put_more(to, in->more);
	}
	if (out) {
		fprintf(to, "%sAs output (-o %s):\n", in ? "\n" : "", word);
		put_row(to, NAMES, word, out->help);
		put_more(to, out->more);
	}
	return in || out;
}

bool help_topic(FILE *to, const char *word)
{
	if (flag_topic(to, word) || format_topic(to, word))
		return true;
	const struct func *func = function_find(word, strlen(word));
	const struct agg_type *agg = agg_find(word, strlen(word));
	if (func) {
		fputs("A function, in any expression:\n", to);
		put_function(to, func);
	}
	if (agg) {
		fputs("An aggregate, in -r:\n", to);
		put_aggregate(to, agg);
	}
	return func || agg;
}

uint32_t help_names(const char *names[HELP_NAMES], uint32_t *flags)
{
	uint32_t n = 0;
	for (uint32_t i = 0; op_types[i]; i++)
		names[n++] = op_types[i]->name;
	for (uint32_t i = 0; i < OPT_COUNT; i++)
		names[n++] = option_rows[i].name;
	*flags = n;
	for (uint32_t i = 0; functions[i].name && n < HELP_NAMES; i++)
		names[n++] = functions[i].name;
	for (uint32_t i = 0; agg_types[i] && n < HELP_NAMES; i++)
		names[n++] = agg_types[i]->name;
	for (uint32_t i = 0; formats[i] && n < HELP_NAMES; i++)
		names[n++] = formats[i]->name;
	for (uint32_t i = 0; emit_types[i] && n < HELP_NAMES; i++)
		names[n++] = emit_types[i]->name;
	return n;
}

const char *help_nearest(const char *word, char *buf, size_t size)
{
	const char *names[HELP_NAMES];
	uint32_t flags, n = help_names(names, &flags);
	word += strspn(word, "-");
	int near = nearest_word(word, strlen(word), names, n);
	if (near < 0)
		return NULL;
	snprintf(buf, size, "%s%s", (uint32_t)near < flags ? "--" : "", names[near]);
	return buf;
}
