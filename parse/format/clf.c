/* Access logs: clf (Common Log Format) and combined, as Apache and nginx write them.
 *
 *     ip ident user [time] "request" status bytes "referer" "agent" x1 x2
 *
 * A bare field ends at a blank, several blanks count as one; in quotes \" and \\ are escapes, all others stay as they are. `-`, bare, in quotes or
 * in brackets, is NULL. What stands behind the last field never makes a record bad. */
#include <stddef.h>

#include "parse/format/clf_request.h"
#include "parse/format/field.h"

/* What is cut out of the line; the columns are these and the parts of the request. */
enum part { P_IP, P_IDENT, P_USER, P_TIME, P_REQUEST, P_STATUS, P_BYTES, P_REFERER, P_AGENT, P_X1, P_X2, PARTS };

struct part_at {
	const char *p; /* NULL: not there */
	uint32_t len;
	bool escaped;  /* in quotes, holds a backslash */
};

/* A column: a part of the line, or a piece of its request. */
struct clf_column {
	const char *name;
	enum part part;
	uint32_t piece; /* offset in struct request + 1; 0: the whole part */
};
#define PIECE(name) { #name, P_REQUEST, offsetof(struct request, name) + 1 }
#define PART(name, part) { name, part, 0 }

static const struct clf_column clf_columns[] = {
	PART("ip", P_IP), PART("ident", P_IDENT), PART("user", P_USER), PART("time", P_TIME), PART("request", P_REQUEST),
	PIECE(method), PIECE(url), PIECE(path), PIECE(query), PIECE(proto), PART("status", P_STATUS), PART("bytes", P_BYTES),
	PART("x1", P_X1), PART("x2", P_X2), { NULL, 0, 0 },
};

static const struct clf_column combined_columns[] = {
	PART("ip", P_IP), PART("ident", P_IDENT), PART("user", P_USER), PART("time", P_TIME), PART("request", P_REQUEST),
	PIECE(method), PIECE(url), PIECE(path), PIECE(query), PIECE(proto), PART("status", P_STATUS), PART("bytes", P_BYTES),
	PART("referer", P_REFERER), PART("agent", P_AGENT), PART("x1", P_X1), PART("x2", P_X2), { NULL, 0, 0 },
};

static int add_columns(struct schema *schema, const struct clf_column *column)
{
	for (; column->name; column++)
		if (schema_add(schema, column->name, strlen(column->name), T_RAW) < 0)
			return -1;
	return 0;
}

static int clf_schema(const struct input_options *opt, struct schema *schema)
{
	(void)opt;
	return add_columns(schema, clf_columns);
}

static int combined_schema(const struct input_options *opt, struct schema *schema)
{
	(void)opt;
	return add_columns(schema, combined_columns);
}

static int open(struct decoder *d)
{
	cutter_open(d->state, '\n', '\n');
	return 0;
}

/* ---- cutting a line into parts ------------------------------------------------------------ */

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && *p == ' ')
		p++;
	return p;
}

static const char *find(const char *p, const char *end, char c)
{
	const char *at = memchr(p, c, (size_t)(end - p));
	return at ? at : end;
}

/* The quote that ends the text from p on: the first that no backslash escapes; `end` if there is none. */
static const char *closing_quote(const char *p, const char *end, bool *escaped)
{
	const char *quote = find(p, end, '"');
	*escaped = memchr(p, '\\', (size_t)(quote - p)) != NULL;
	if (!*escaped)
		return quote;
	while (p < end && *p != '"')
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	return p;
}

/* One part at *p, which is no blank; *p moves behind it. NULL, or why it cannot be read. */
static const char *take_part(const char **p, const char *end, enum part which, struct part_at *part)
{
	bool in_brackets = which == P_TIME, in_quotes = which == P_REQUEST || which == P_REFERER || which == P_AGENT;
	const char *begin = *p + (in_brackets || in_quotes), *stop;
	*part = (struct part_at){ .p = begin };
	if (in_brackets && **p != '[')
		return "no [time] behind ip, ident and user";
	if (in_quotes && **p != '"')
		return which == P_REQUEST ? "no \"request\" behind the time" : "no quoted referer and agent behind the bytes";
	if (in_quotes)
		stop = closing_quote(begin, end, &part->escaped);
	else
		stop = find(begin, end, in_brackets ? ']' : ' ');
	if (stop == end && (in_brackets || in_quotes))
		return in_brackets ? "the bracket of the time is never closed" : "a quote is never closed";
	part->len = (uint32_t)(stop - begin);
	*p = stop + (in_brackets || in_quotes);
	if (*p < end && **p != ' ')
		return "text behind a closing quote or bracket";
	return NULL;
}

/* A part behind the last known one: nothing is wrong with it. */
static void take_extra(const char **p, const char *end, struct part_at *part)
{
	*part = (struct part_at){ .p = *p };
	const char *stop = **p == '"' ? closing_quote(*p + 1, end, &part->escaped) : find(*p, end, ' ');
	if (**p == '"') {
		part->p++;
		*p = stop < end ? stop + 1 : end;
	} else {
		*p = stop;
	}
	part->len = (uint32_t)(stop - part->p);
}

/* Cuts the line; NULL, or why it is bad. `last` is the last part that must be there. */
static const char *cut_line(const char *p, const char *end, enum part last, bool extras, struct part_at part[PARTS])
{
	for (enum part i = P_IP; i <= last; i++) {
		p = skip_blanks(p, end);
		if (p == end)
			return i <= P_TIME ? "the line ends before the time" : "the line ends too early";
		const char *why = take_part(&p, end, i, &part[i]);
		if (why)
			return why;
	}
	for (enum part i = P_X1; i <= P_X2; i++) {
		p = skip_blanks(p, end);
		part[i] = (struct part_at){ 0 };
		if (extras && p < end)
			take_extra(&p, end, &part[i]);
	}
	return NULL;
}

/* ---- from parts to values ------------------------------------------------------------------ */

/* Resolves \" and \\ in batch memory; false if memory is refused. */
static bool unescape(struct part_at *part, struct arena *mem)
{
	char *copy = arena_alloc(mem, part->len), *to = copy;
	if (!copy)
		return false;
	for (uint32_t i = 0; i < part->len; i++) {
		char c = part->p[i], next = i + 1 < part->len ? part->p[i + 1] : '\0';
		if (c == '\\' && (next == '"' || next == '\\'))
			i++;
		*to++ = c == '\\' && next == '"' ? next : c;
	}
	*part = (struct part_at){ .p = copy, .len = (uint32_t)(to - copy) };
	return true;
}

static struct value text_value(const struct decoder *d, const char *p, uint32_t len, unsigned flags)
{
	if (!p || (len == 1 && *p == '-'))
		return value_null();
	return field_value(d->opt, p, len, flags);
}

static int fill_row(const struct decoder *d, const struct clf_column *columns, struct part_at part[PARTS], unsigned flags, struct batch *batch, uint32_t row)
{
	struct request request;
	bool split = false;
	for (uint32_t w = 0; w < d->nwant; w++) {
		const struct clf_column *column = &columns[d->want[w].pos];
		struct part_at *from = &part[column->part];
		struct value *v = &batch->col[d->want[w].col].v[row];
		if (from->escaped && !unescape(from, batch->mem))
			return err_memory(d->err);
		if (!column->piece) {
			*v = text_value(d, from->p, from->len, flags);
			continue;
		}
		if (!split)
			request = request_split(from->p, from->len);
		split = true;
		const struct piece *piece = (const void *)((const char *)&request + column->piece - 1);
		*v = text_value(d, piece->p, piece->len, flags);
	}
	return 0;
}

static int fill(const struct decoder *d, struct cutter *c, struct records *records, const struct clf_column *columns, enum part last)
{
	struct batch *batch = records->batch;
	bool extras = d->nwant && columns[d->want[d->nwant - 1].pos].part >= P_X1;
	for (uint32_t i = 0; i < c->n; i++) {
		struct part_at part[PARTS];
		const char *why = cut_line(c->p + c->cut[i].begin, c->p + c->cut[i].end, last, extras, part);
		if (why)
			record_bad(records, batch->n + i, NULL, "%s", why);
		else if (fill_row(d, columns, part, cutter_flags(c), batch, batch->n + i))
			return -1;
	}
	return 0;
}

static int clf_fill(const struct decoder *d, struct cutter *c, struct records *records)
{
	return fill(d, c, records, clf_columns, P_BYTES);
}

static int combined_fill(const struct decoder *d, struct cutter *c, struct records *records)
{
	return fill(d, c, records, combined_columns, P_AGENT);
}

#define CLF_MORE                                                                                     \
	"A request that is not METHOD URL PROTOCOL leaves the parts NULL; query is what\n"         \
	"follows the ? of the url. Up to two surplus fields are x1 and x2.\n"

const struct format clf_format = {
	.name = "clf",
	.help = "Common Log Format of web servers; - is NULL",
	.more = CLF_MORE,
	.time = "time",
	.time_kind = STAMP_CLF,
	.state_size = sizeof(struct cutter),
	.schema = clf_schema,
	.open = open,
	.decode = decode_lines,
	.fill = clf_fill,
};

const struct format combined_format = {
	.name = "combined",
	.help = "Combined Log Format: clf with referer and agent",
	.more = CLF_MORE,
	.time = "time",
	.time_kind = STAMP_CLF,
	.state_size = sizeof(struct cutter),
	.schema = combined_schema,
	.open = open,
	.decode = decode_lines,
	.fill = combined_fill,
};
