/* Logs of Apache, by the LogFormat of its configuration: each %directive is a column, what stands between them is text.
 *
 * Taken are the bare format, also with \" for its quotes, the format in quotes, and the whole line: LogFormat "%h %t \"%r\" %>s" nickname */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "parse/format/apache_time.h"
#include "parse/format/logshape.h"

/* Directives but %t: the letters behind %, the text in braces (NULL: none; "*": any, which names the column unless the item does). */
static const struct known {
	const char *letter, *arg;
	struct log_item item;
} known[] = {
	{ "a", NULL, { .name = "ip" } },
	{ "a", "c", { .name = "peer" } },
	{ "A", NULL, { .name = "local_ip" } },
	{ "b", NULL, { .name = "bytes" } },
	{ "B", NULL, { .name = "bytes" } },
	{ "C", "*", { .name = NULL } },
	{ "c", "*", { .name = NULL } },
	{ "D", NULL, { .name = "duration_us" } },
	{ "e", "*", { .name = NULL } },
	{ "f", NULL, { .name = "file" } },
	{ "h", NULL, { .name = "ip" } },
	{ "h", "c", { .name = "peer" } },
	{ "H", NULL, { .name = "proto" } },
	{ "i", "Referer", { .name = "referer" } },
	{ "i", "User-Agent", { .name = "agent", .blanks = true } },
	{ "i", "X-Forwarded-For", { .name = "x_forwarded_for", .list = true } },
	{ "i", "*", { .name = NULL } },
	{ "I", NULL, { .name = "bytes_in" } },
	{ "k", NULL, { .name = "keepalive" } },
	{ "l", NULL, { .name = "ident" } },
	{ "L", NULL, { .name = "log_id" } },
	{ "m", NULL, { .name = "method" } },
	{ "n", "*", { .name = NULL } },
	{ "o", "*", { .name = NULL } },
	{ "O", NULL, { .name = "bytes" } },
	{ "p", NULL, { .name = "port" } },
	{ "p", "canonical", { .name = "port" } },
	{ "p", "local", { .name = "local_port" } },
	{ "p", "remote", { .name = "remote_port" } },
	{ "P", NULL, { .name = "pid" } },
	{ "P", "pid", { .name = "pid" } },
	{ "P", "tid", { .name = "tid" } },
	{ "P", "hextid", { .name = "tid" } },
	{ "q", NULL, { .name = "query", .lead = '?' } },
	{ "r", NULL, { .name = "request", .request = true } },
	{ "R", NULL, { .name = "handler" } },
	{ "s", NULL, { .name = "status" } },
	{ "S", NULL, { .name = "bytes_total" } },
	{ "T", NULL, { .name = "duration_s" } },
	{ "T", "s", { .name = "duration_s" } },
	{ "T", "ms", { .name = "duration_ms" } },
	{ "T", "us", { .name = "duration_us" } },
	{ "u", NULL, { .name = "user" } },
	{ "U", NULL, { .name = "path", .lead = '/' } },
	{ "v", NULL, { .name = "vhost" } },
	{ "V", NULL, { .name = "vhost" } },
	{ "x", "*", { .name = NULL } },
	{ "X", NULL, { .name = "connection", .dash = true } },
	{ "^FB", NULL, { .name = "first_byte_us" } },
	{ "^ti", "*", { .name = NULL } },
	{ "^to", "*", { .name = NULL } },
};

/* ---- directives ---------------------------------------------------------------------------- */

/* %{arg}letter; modifiers (< > and lists of statuses) only say which request counts, and when it is written. */
struct directive {
	uint32_t begin, end; /* in the text */
	char letter[4];
	const char *arg;     /* NULL: none */
	uint32_t narg;
};

/* The directive at text->p[i], a percent sign. */
static int read_directive(struct shaper *s, const struct config_text *text, uint32_t i, struct directive *out)
{
	const char *p = text->p;
	*out = (struct directive){ .begin = i++ };
	while (i < text->n && strchr("<>!,0123456789{", p[i])) {
		const char *close = p[i] == '{' ? memchr(p + i, '}', text->n - i) : p + i;
		if (!close)
			return err_at(s->err, shaper_span(s, text->at[i], text->at[text->n] - text->at[i]), "this brace is never closed");
		if (p[i] == '{') {
			out->arg = p + i + 1;
			out->narg = (uint32_t)(close - out->arg);
		}
		i = (uint32_t)(close - p) + 1;
	}
	uint32_t letters = i < text->n && p[i] == '^' ? 3 : 1;
	struct span rest = shaper_span(s, text->at[out->begin], text->at[text->n] - text->at[out->begin]);
	if (i + letters > text->n)
		return err_at(s->err, rest, "a letter belongs behind %%; the sign itself is %%%%");
	memcpy(out->letter, p + i, letters);
	out->end = i + letters;
	return 0;
}

/* A header's name as a column: x_forwarded_for; other names stay as they are. */
static const char *column_name(const struct directive *d, struct arena *mem)
{
	char *name = arena_copy(mem, d->arg, d->narg);
	bool header = strchr("io^", d->letter[0]);
	for (char *p = name; p && *p && header; p++)
		*p = *p == '-' ? '_' : *p >= 'A' && *p <= 'Z' ? (char)(*p | 32) : *p;
	return name;
}

static bool has_arg(const struct directive *d, const char *arg)
{
	if (!arg || !d->arg)
		return !arg && !d->arg;
	return !strcmp(arg, "*") ? d->narg > 0 : strlen(arg) == d->narg && !strncasecmp(arg, d->arg, d->narg);
}

static int add_directive(struct shaper *s, const struct config_text *text, const struct directive *d)
{
	size_t at = text->at[d->begin], len = text->at[d->end] - at;
	bool letter = false;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (strcmp(known[i].letter, d->letter))
			continue;
		letter = true;
		if (!has_arg(d, known[i].arg))
			continue;
		struct log_item item = known[i].item;
		if (!item.name)
			item.name = column_name(d, s->mem);
		return item.name ? shaper_item(s, &item, at, len) : err_memory(s->err);
	}
	if (letter && !d->arg)
		return err_at(s->err, shaper_span(s, at, len), "this directive needs a name: %%{NAME}%s", d->letter);
	if (letter)
		return err_at(s->err, shaper_span(s, at, len), "%%%s is not known with these braces", d->letter);
	return err_at(s->err, shaper_span(s, at, len), "weir knows no such directive; -f regex:PATTERN reads lines of any kind");
}

/* ---- times --------------------------------------------------------------------------------- */

/* [29/Nov/2026:10:00:00 +0000] */
static int add_clf_time(struct shaper *s, size_t at, size_t len)
{
	static const struct log_item item = { .name = "time", .width = 26, .time = true, .stamp = { .kind = STAMP_CLF } };
	return shaper_text(s, '[', at) || shaper_item(s, &item, at, len) || shaper_text(s, ']', at) ? -1 : 0;
}

/* A time by pattern at *d, and all that follow it with nothing but text between: together they are one time, as in %{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t.
 * *d becomes the last of them. */
static int add_pattern_time(struct shaper *s, const struct config_text *text, struct directive *d)
{
	struct apache_time time;
	uint32_t begin = d->begin, i;
	if (apache_time_init(&time, text->n, s->mem, s->err))
		return -1;
	for (;;) {
		size_t at = text->at[d->arg - text->p];
		if (apache_time_add(&time, d->arg, d->narg, shaper_span(s, at, d->narg), s->err))
			return -1;
		struct directive next;
		for (i = d->end; i < text->n && text->p[i] != '%'; i++)
			;
		if (i == text->n || text->p[i + 1] == '%')
			break;
		if (read_directive(s, text, i, &next))
			return -1;
		if (strcmp(next.letter, "t") || !next.arg || apache_time_count(next.arg, next.narg, NULL))
			break;
		for (i = d->end; i < next.begin; i++)
			apache_time_literal(&time, text->p[i]);
		*d = next;
	}
	struct log_item item = { .name = "time", .time = true };
	apache_time_item(&time, &item);
	return shaper_item(s, &item, text->at[begin], text->at[d->end] - text->at[begin]);
}

static int add_time(struct shaper *s, const struct config_text *text, struct directive *d)
{
	size_t at = text->at[d->begin], len = text->at[d->end] - at;
	struct log_item item = { .name = "time", .time = true };
	if (!d->arg)
		return add_clf_time(s, at, len);
	if (apache_time_count(d->arg, d->narg, &item.stamp))
		return shaper_item(s, &item, at, len);
	return add_pattern_time(s, text, d);
}

/* ---- formats ------------------------------------------------------------------------------- */

static int read_text(struct shaper *s, const struct config_text *text)
{
	struct directive d;
	for (uint32_t i = 0; i < text->n;) {
		bool twice = i + 1 < text->n && text->p[i] == '%' && text->p[i + 1] == '%';
		if (text->p[i] != '%' || twice) {
			if (shaper_text(s, text->p[i], text->at[i]))
				return -1;
			i += 1 + twice;
			continue;
		}
		if (read_directive(s, text, i, &d))
			return -1;
		if (!strcmp(d.letter, "t") ? add_time(s, text, &d) : add_directive(s, text, &d))
			return -1;
		i = d.end;
	}
	return shaper_end(s, "%directive");
}

/* Is there nothing but a nickname? */
static bool is_nickname(const char *p)
{
	p += strspn(p, " \t\r\n");
	size_t n = strcspn(p, " \t\r\n%\"'");
	return !p[n + strspn(p + n, " \t\r\n")];
}

static int prepare(struct input_options *in, struct arena *mem, struct err *err)
{
	static const char word[] = "LogFormat";
	struct shaper s;
	struct config_text text;
	if (shaper_init(&s, in, mem, err) || config_text_init(&text, &s))
		return -1;
	s.shape->escape = LOG_BACKSLASH;
	const char *p = in->spec + strspn(in->spec, " \t\r\n");
	bool line = !strncasecmp(p, word, sizeof word - 1) && strchr(" \t", p[sizeof word - 1]);
	if (line)
		p += sizeof word - 1 + strspn(p + sizeof word - 1, " \t");
	const char *end = *p == '"' || *p == '\'' ? config_quote_end(p) : NULL;
	if (end && is_nickname(end + 1))
		config_text_add(&text, in->spec, (size_t)(p - in->spec) + 1, (size_t)(end - in->spec));
	else if (line)
		return err_at(err, shaper_span(&s, (size_t)(p - in->spec), strlen(p)), "behind LogFormat stands a format in quotes, and perhaps a nickname");
	else
		config_text_all(&text, in->spec);
	return read_text(&s, &text);
}

const struct format apache_format = {
	.name = "apache",
	.help = "apache:LOG_FORMAT, pasted from LogFormat; - is NULL",
	.more = "Taken as it is, with \\\" or with plain quotes. Columns: %h and %a ip, %l ident,\n"
		"%u user, %t time, %r request method url path query proto, %s status, %b %B %O\n"
		"bytes, %I bytes_in, %D duration_us, %T duration_s, %v vhost, %p port, %U path,\n"
		"%q query; headers by their names (x_forwarded_for), but referer and agent;\n"
		"others in the manual.\n"
		"\n"
		"  weir -f 'apache:%h %t \\\"%r\\\" %>s %D' -k path -r 'p95(duration_us)' access.log\n",
	.traits = F_SPEC,
	.state_size = sizeof(struct log_state),
	.prepare = prepare,
	.schema = shaped_schema,
	.open = shaped_open,
	.decode = decode_lines,
	.fill = log_fill,
};
