#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "core/strptime.h"
#include "ops/emit/live_view.h"
#include "parse/lang/parse.h"

enum { MAX_LINE = 1 << 30, DEFAULT_DELAY = 10000 /* ms */ };

/* "no format X for -f; did you mean Y? there are: ..." for names that `name(i)` lists up to NULL. */
static int unknown_format(const char *flag, const char *word, const char *(*name)(uint32_t), struct err *err)
{
	const char *names[64];
	uint32_t n = 0;
	char all[512] = "";
	size_t at = 0;
	for (; n < 64 && name(n); n++) {
		names[n] = name(n);
		int more = snprintf(all + at, sizeof all - at, "%s%s", n ? ", " : "", names[n]);
		at += more > 0 && (size_t)more < sizeof all - at ? (size_t)more : 0;
	}
	int near = nearest_word(word, strlen(word), names, n);
	return err_set(err, ERR_USAGE, "%s: no format '%s'%s%s%s; there are: %s", flag, word, near >= 0 ? "; did you mean " : "",
		near >= 0 ? names[near] : "", near >= 0 ? "?" : "", all);
}

static const char *input_name(uint32_t i)
{
	return formats[i] ? formats[i]->name : NULL;
}

static const char *output_name(uint32_t i)
{
	return emit_types[i] ? emit_types[i]->name : NULL;
}

/* NAME or NAME:SPEC. */
static int find_format(struct input_options *in, const char *flag, const char *text, struct arena *mem, struct err *err)
{
	const char *colon = strchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : strlen(text);
	in->format = format_find(text, len);
	if (!in->format) {
		const char *name = arena_copy(mem, text, len);
		return name ? unknown_format(flag, name, input_name, err) : err_memory(err);
	}
	bool needs = in->format->traits & F_SPEC;
	if (needs && (!colon || !colon[1]))
		return err_set(err, ERR_USAGE, "%s %s: what stands behind the colon is missing: %s", flag, in->format->name, in->format->help);
	if (!needs && colon)
		return err_set(err, ERR_USAGE, "%s: nothing goes behind the name of format %s", flag, in->format->name);
	in->spec = colon ? colon + 1 : NULL;
	in->time = in->format->time;
	in->time_stamp = (struct stamp){ .kind = in->format->time_kind };
	return in->format->prepare ? in->format->prepare(in, mem, err) : 0;
}

static int read_format(struct input_options *in, const struct args *args, struct arena *mem, struct err *err)
{
	const char *name = args_given(args, OPT_FORMAT) ? args->value[OPT_FORMAT] : "tsv";
	if (find_format(in, args->typed[OPT_FORMAT], name, mem, err))
		return -1;
	if (!args_given(args, OPT_DELIMITER))
		return 0;
	const char *d = args->value[OPT_DELIMITER];
	if (!(in->format->traits & F_DELIMITER))
		return err_set(err, ERR_USAGE, "%s: format %s has no delimiter to choose; it is for tsv and csv", args->typed[OPT_DELIMITER], name);
	if (!strcmp(d, "\\t"))
		d = "\t";
	if (strlen(d) != 1 || *d == '\n' || *d == '\r' || *d == '"')
		return err_set(err, ERR_USAGE, "%s: the delimiter is one byte, not a quote or a line end (\\t is a TAB)", args->typed[OPT_DELIMITER]);
	in->delimiter = *d;
	return 0;
}

static int read_names(struct input_options *in, const struct args *args, struct arena *mem, struct err *err)
{
	in->header = args_given(args, OPT_HEADER) ? 1 : args_given(args, OPT_NO_HEADER) ? 0 : -1;
	if (args_given(args, OPT_HEADER) && args_given(args, OPT_NO_HEADER))
		return err_set(err, ERR_USAGE, "--header and --no-header exclude each other");
	bool allowed = in->format->traits & F_NAMES_ALLOWED;
	enum option_id ids[] = { OPT_HEADER, OPT_NO_HEADER, OPT_FIELDS, OPT_RAGGED };
	for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++)
		if (args_given(args, ids[i]) && !allowed)
			return err_set(err, ERR_USAGE, "%s: format %s names its columns itself", args->typed[ids[i]], in->format->name);
	if (args_given(args, OPT_FIELDS)) {
		struct name_list names;
		if (parse_names(args->typed[OPT_FIELDS], args->value[OPT_FIELDS], mem, &names, err))
			return -1;
		in->field = names.name;
		in->field_len = names.len;
		in->nfield = names.n;
	}
	in->ragged = args_given(args, OPT_RAGGED);
	bool header = in->header == 1 || (in->header < 0 && in->format->traits & F_NAMES_DEFAULT);
	if (in->ragged && !header && !in->nfield)
		return err_set(err, ERR_USAGE, "%s needs names: add --header or --fields (without names every row has its own width anyway)", args->typed[OPT_RAGGED]);
	if (args_given(args, OPT_NULL_TEXT)) {
		in->null_text = args->value[OPT_NULL_TEXT];
		in->null_len = (uint32_t)strlen(in->null_text);
	}
	return 0;
}

static int read_bad(struct source_options *source, const struct args *args, struct err *err)
{
	source->max_bad = UINT64_MAX;
	source->max_bad_percent = -1;
	source->bad_file = args->value[OPT_BAD_FILE];
	const char *text = args->value[OPT_MAX_BAD];
	if (!text)
		return 0;
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	bool digit = *text >= '0' && *text <= '9';
	if (digit && !*end && strlen(text) < 19)
		source->max_bad = n;
	else if (digit && !strcmp(end, "%") && n <= 100 && strlen(text) <= 4)
		source->max_bad_percent = (int)n;
	else
		return err_set(err, ERR_USAGE, "%s: '%s' is neither a number of records (10) nor a whole percentage (5%%)", args->typed[OPT_MAX_BAD], text);
	return 0;
}

static int read_time(struct settings *s, const struct args *args, struct arena *mem, struct err *err)
{
	const char *time = args->value[OPT_TIME], *watermark = args->value[OPT_WATERMARK];
	s->watermark = (struct watermark_ast){ .delay = -1, .idle = -1, .ahead = -1 };
	s->watermark_given = watermark != NULL;
	if (time && parse_time(args->typed[OPT_TIME], time, mem, &s->time, err))
		return -1;
	if (watermark && parse_watermark(args->typed[OPT_WATERMARK], watermark, mem, &s->watermark, err))
		return -1;
	bool lines = s->source.input.format->traits & F_CONTROL;
	if (s->watermark.input && !lines)
		return err_set(err, ERR_USAGE, "%s input: only a changelog has @wm lines; say a DELAY, as in --watermark 10s", args->typed[OPT_WATERMARK]);
	if (s->watermark.delay < 0 && lines)
		s->watermark.input = true;
	if (s->watermark.input && (s->watermark.idle >= 0 || s->watermark.ahead >= 0))
		return err_set(err, ERR_USAGE, "%s: idle and ahead go with a DELAY; @wm lines alone move this one", args->typed[OPT_WATERMARK]);
	if (s->watermark.delay < 0)
		s->watermark.delay = DEFAULT_DELAY;
	return 0;
}

static int read_time_format(struct settings *s, const struct args *args, struct err *err)
{
	const char *text = args->value[OPT_TIME_FORMAT], *flag = args->typed[OPT_TIME_FORMAT];
	if (!text || !strcmp(text, "iso"))
		return 0;
	if (!strcmp(text, "s") || !strcmp(text, "ms")) {
		s->style.kind = text[0] == 's' ? STYLE_S : STYLE_MS;
		return 0;
	}
	if (!strchr(text, '%'))
		return err_set(err, ERR_USAGE, "%s: '%s' is neither iso, s, ms nor a pattern such as '%%Y-%%m-%%d %%H:%%M'", flag, text);
	s->style.kind = STYLE_PATTERN;
	s->style.pattern = text;
	return strftime_check(text, (uint32_t)strlen(text), (struct span){ .flag = flag, .text = text, .at = 0, .len = strlen(text) }, err);
}

/* On a terminal --live draws a picture of its own. */
static int read_live(struct emit_options *emit, const struct args *args, struct err *err)
{
	const char *format = args->value[OPT_OUTPUT];
	if (format && strcmp(format, "table"))
		return err_set(err, ERR_USAGE, "%s: on a terminal --live draws a table; leave one of the two out", args->typed[OPT_OUTPUT]);
	if (args_given(args, OPT_STATE))
		return err_set(err, ERR_USAGE, "%s: a picture shows what changes from now on, not what FILE holds; use --final instead of --live",
			       args->typed[OPT_STATE]);
	if (args_given(args, OPT_NO_BEFORE))
		return err_set(err, ERR_USAGE, "%s: a picture has no -U; leave one of the two out", args->typed[OPT_NO_BEFORE]);
	if (args_given(args, OPT_NAMES) && args_given(args, OPT_NO_NAMES))
		return err_set(err, ERR_USAGE, "--names and --no-names exclude each other");
	emit->type = &live_emit;
	emit->names = !args_given(args, OPT_NO_NAMES);
	return 0;
}

static int read_output(struct settings *s, const struct args *args, bool terminal, struct err *err)
{
	struct emit_options *emit = &s->emit;
	s->live = args_given(args, OPT_LIVE) && terminal && !args_given(args, OPT_OUT);
	s->final = !s->live && (args_given(args, OPT_FINAL) || args_given(args, OPT_LIVE));
	emit->terminal = terminal;
	if (s->live)
		return read_live(emit, args, err);
	const char *name = args->value[OPT_OUTPUT];
	if (!name)
		name = !s->final ? "changelog" : terminal ? "table" : "tsv";
	emit->type = emit_find(name, strlen(name));
	if (!emit->type)
		return unknown_format(args->typed[OPT_OUTPUT], name, output_name, err);
	s->final |= (emit->type->traits & E_FINAL) != 0;
	emit->final = s->final;
	if (args_given(args, OPT_NAMES) && args_given(args, OPT_NO_NAMES))
		return err_set(err, ERR_USAGE, "--names and --no-names exclude each other");
	if (args_given(args, OPT_NAMES) && !(emit->type->traits & (E_NAMES | E_NAMES_ALLOWED)))
		return err_set(err, ERR_USAGE, "%s: output format %s has no line of names; tsv, csv and table have", args->typed[OPT_NAMES], name);
	emit->names = args_given(args, OPT_NAMES) || (emit->type->traits & E_NAMES && !args_given(args, OPT_NO_NAMES));
	emit->no_before = args_given(args, OPT_NO_BEFORE);
	if (emit->no_before && s->final)
		return err_set(err, ERR_USAGE, "%s: a final result has no -U; leave one of the two out", args->typed[OPT_NO_BEFORE]);
	return 0;
}

int settings_read(struct settings *settings, const struct args *args, bool terminal, struct arena *mem, struct err *err)
{
	*settings = (struct settings){ 0 };
	struct source_options *source = &settings->source;
	source->input.max_line = 16 << 20;
	source->quiet = args_given(args, OPT_QUIET);
	source->nfile = args->nfile;
	source->file = args->file;
	if (read_format(&source->input, args, mem, err) || read_names(&source->input, args, mem, err) || read_bad(source, args, err))
		return -1;
	if (args_given(args, OPT_MAX_LINE) && parse_size(args->typed[OPT_MAX_LINE], args->value[OPT_MAX_LINE], mem, &source->input.max_line, err))
		return -1;
	if (source->input.max_line > MAX_LINE)
		return err_set(err, ERR_USAGE, "%s: 1G is the most", args->typed[OPT_MAX_LINE]);
	if (args_given(args, OPT_UPSERT) && !(source->input.format->traits & F_KINDS))
		return err_set(err, ERR_USAGE, "%s: only a changelog has updates; add -f changelog or -f debezium", args->typed[OPT_UPSERT]);
	source->unpack = args_given(args, OPT_DECOMPRESS);
	source->upsert = source->input.upsert = args_given(args, OPT_UPSERT);
	if (args_given(args, OPT_CLOCK)) {
		if (strcmp(args->value[OPT_CLOCK], "input"))
			return err_set(err, ERR_USAGE, "%s: the one value is 'input'", args->typed[OPT_CLOCK]);
		source->clock_input = true;
	}
	if (args_given(args, OPT_CLOSE) && !args_given(args, OPT_STATE))
		return err_set(err, ERR_USAGE, "%s: it ends what --state FILE keeps; without it every end of input is one", args->typed[OPT_CLOSE]);
	return read_time(settings, args, mem, err) || read_time_format(settings, args, err) || read_output(settings, args, terminal, err) ? -1 : 0;
}
