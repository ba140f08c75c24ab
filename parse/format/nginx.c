/* Logs of nginx, by the log_format of its configuration: each $variable is a column, what stands between them is text.
 *
 * Taken are the bare format, its quoted pieces, and the whole statement, to the semicolon or not:
 *     $remote_addr [$time_local] "$request"
 *     '$remote_addr [$time_local] ' '"$request"'
 *     log_format main escape=json '...'
 *                                 '...';
 * Several pieces in double quotes, without the word log_format, are fields in quotes. */
#include <string.h>

#include "parse/format/logshape.h"

/* Variables that have another name here, or a shape to know. */
static const struct known {
	const char *variable;
	struct log_item item;
} known[] = {
	{ "remote_addr", { .name = "ip" } },
	{ "remote_user", { .name = "user" } },
	{ "time_local", { .name = "time", .width = 26, .time = true, .stamp = { .kind = STAMP_CLF } } },
	{ "time_iso8601", { .name = "time", .width = 25, .time = true, .stamp = { .kind = STAMP_ISO } } },
	{ "msec", { .name = "time", .time = true, .stamp = { .kind = STAMP_COUNT } } },
	{ "request", { .name = "request", .request = true } },
	{ "status", { .name = "status" } },
	{ "body_bytes_sent", { .name = "bytes" } },
	{ "http_referer", { .name = "referer" } },
	{ "http_user_agent", { .name = "agent", .blanks = true } },
	{ "request_uri", { .name = "request_uri", .lead = '/' } },
	{ "uri", { .name = "uri", .lead = '/' } },
	{ "document_uri", { .name = "document_uri", .lead = '/' } },
	{ "http_x_forwarded_for", { .name = "http_x_forwarded_for", .list = true } },
	{ "proxy_add_x_forwarded_for", { .name = "proxy_add_x_forwarded_for", .list = true } },
};

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Variables of upstream servers are lists, one value per server that was tried. */
static int add_variable(struct shaper *s, const char *name, uint32_t n, size_t at, size_t len)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strlen(known[i].variable) == n && !memcmp(known[i].variable, name, n))
			return shaper_item(s, &known[i].item, at, len);
	struct log_item item = { .name = arena_copy(s->mem, name, n), .list = n > 9 && !memcmp(name, "upstream_", 9) };
	return item.name ? shaper_item(s, &item, at, len) : err_memory(s->err);
}

/* The variable at text->p[*i], a dollar: $name or ${name}. */
static int read_variable(struct shaper *s, const struct config_text *text, uint32_t *i)
{
	uint32_t begin = *i, name = begin + 1;
	bool braces = name < text->n && text->p[name] == '{';
	uint32_t end = name += braces;
	while (end < text->n && is_name(text->p[end]))
		end++;
	struct span span = shaper_span(s, text->at[begin], text->at[end] - text->at[begin]);
	if (braces && (end == text->n || text->p[end] != '}'))
		return err_at(s->err, span, "the brace of ${name} is never closed");
	if (end == name)
		return err_at(s->err, span, "a name belongs behind $");
	*i = end + braces;
	return add_variable(s, text->p + name, end - name, text->at[begin], text->at[*i] - text->at[begin]);
}

static int read_text(struct shaper *s, const struct config_text *text)
{
	for (uint32_t i = 0; i < text->n;) {
		if (text->p[i] == '$') {
			if (read_variable(s, text, &i))
				return -1;
		} else {
			if (shaper_text(s, text->p[i], text->at[i]))
				return -1;
			i++;
		}
	}
	return shaper_end(s, "$variable");
}

/* ---- statements ---------------------------------------------------------------------------- */

/* Behind blanks, line ends and comments. */
static const char *skip(const char *p)
{
	for (;;) {
		p += strspn(p, " \t\r\n");
		if (*p != '#')
			return p;
		p += strcspn(p, "\n");
	}
}

/* If the word stands at p and ends there, what is behind it and blanks; else NULL. */
static const char *word(const char *p, const char *name)
{
	size_t n = strlen(name);
	return !strncmp(p, name, n) && strchr(" \t\r\n", p[n]) ? skip(p + n) : NULL;
}

/* escape=default, json, none; p moves behind it. */
static int read_escape(struct shaper *s, const char **p)
{
	static const char option[] = "escape=";
	struct log_shape *shape = s->shape;
	if (strncmp(*p, option, sizeof option - 1))
		return 0;
	const char *value = *p + sizeof option - 1, *rest;
	if ((rest = word(value, "default")))
		shape->escape = LOG_BACKSLASH;
	else if ((rest = word(value, "json")))
		shape->escape = LOG_JSON;
	else if ((rest = word(value, "none")))
		shape->escape = LOG_AS_IS;
	else
		return err_at(s->err, shaper_span(s, (size_t)(value - s->in->spec), strcspn(value, " \t\r\n")), "escape is default, json or none");
	shape->empty_null = shape->escape != LOG_BACKSLASH; /* there a variable without a value is written as nothing, not as - */
	*p = rest;
	return 0;
}

/* The pieces up to a semicolon or the end, with `all` also those without quotes, which end at a blank. False: something else stands there, at *p. */
static bool read_pieces(const char **p, const char *spec, bool all, struct config_text *text)
{
	bool one = **p == '"' && !all;
	for (const char *first = *p; **p && **p != ';';) {
		bool quoted = **p == '"' || **p == '\'';
		const char *end = quoted ? config_quote_end(*p) : *p + strcspn(*p, " \t\r\n;");
		if (!end || (!quoted && !all) || (one && *p > first))
			return false;
		config_text_add(text, spec, (size_t)(*p - spec) + quoted, (size_t)(end - spec));
		*p = skip(end + quoted);
	}
	return !**p || !*skip(*p + 1);
}

/* log_format NAME ...: p is behind the first word. */
static int read_statement(struct shaper *s, const char *p, struct config_text *text)
{
	const char *spec = s->in->spec;
	p = skip(p + strcspn(p, " \t\r\n;'\""));
	if (read_escape(s, &p))
		return -1;
	if (read_pieces(&p, spec, true, text))
		return read_text(s, text);
	const char *why = *p == ';' ? "the statement should end with this semicolon" : "a quote is never closed";
	return err_at(s->err, shaper_span(s, (size_t)(p - spec), 1), "%s", why);
}

static int prepare(struct input_options *in, struct arena *mem, struct err *err)
{
	struct shaper s;
	struct config_text text;
	if (shaper_init(&s, in, mem, err) || config_text_init(&text, &s))
		return -1;
	const char *p = skip(in->spec), *statement = word(p, "log_format");
	s.shape->escape = LOG_BACKSLASH;
	if (statement)
		return read_statement(&s, statement, &text);
	if (read_escape(&s, &p))
		return -1;
	if (*p && read_pieces(&p, in->spec, false, &text))
		return read_text(&s, &text);
	text.n = 0; /* a format that begins with a quote of its own */
	config_text_all(&text, in->spec);
	return read_text(&s, &text);
}

const struct format nginx_format = {
	.name = "nginx",
	.help = "nginx:LOG_FORMAT, pasted from log_format; - is NULL",
	.more = "Taken as it is, with its quotes or without. Columns are the $variables without\n"
		"the $, but remote_addr is ip, remote_user user, time_local, time_iso8601 and\n"
		"msec time, body_bytes_sent bytes, http_referer referer, http_user_agent agent,\n"
		"and request has method, url, path, query and proto behind it. With escape=json\n"
		"or none an empty field is NULL, too.\n"
		"\n"
		"  weir -f 'nginx:$remote_addr [$time_local] \"$request\" $status' \\\n"
		"    --tumble 1h -k path -r count access.log\n",
	.traits = F_SPEC,
	.state_size = sizeof(struct log_state),
	.prepare = prepare,
	.schema = shaped_schema,
	.open = shaped_open,
	.decode = decode_lines,
	.fill = log_fill,
};
