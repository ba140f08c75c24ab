/* Logs of Zeek (Bro) as it writes them by default; its JSON is -f json.
 *
 *     #separator \x09
 *     #unset_field<TAB>-
 *     #fields<TAB>ts<TAB>uid<TAB>id.orig_h
 *     #types<TAB>time<TAB>string<TAB>addr
 *     1320279566.452687<TAB>CwFs1P2UcUdlSxD2La<TAB>192.168.2.76
 *     #close<TAB>2017-04-16-21-36-10
 *
 * Of the # lines those count that say how records are written and what the fields are called. Types do not: a field is its text, a set or vector one
 * text with commas. \xHH is a byte, \\ a backslash. */
#include "core/utf8.h"
#include "parse/format/field.h"
#include "parse/format/section.h"

static const struct section_syntax syntax = { .sep = { '\t', '\t' }, .nnull = 1, .null = "-", .nempty = 7, .empty = "(empty)" };

/* The byte that \xHH at p stands for; -1: p is not that. */
static int hex_byte(const char *p, uint32_t len)
{
	if (len < 4 || p[0] != '\\' || p[1] != 'x')
		return -1;
	int high = hex_digit(p[2]), low = hex_digit(p[3]);
	return high < 0 || low < 0 ? -1 : 16 * high + low;
}

/* Writes the text of a field, its escapes resolved, to `to`: at most len bytes. How many they are. */
static uint32_t unescape(const char *p, uint32_t len, char *to)
{
	char *begin = to;
	for (uint32_t i = 0; i < len; i++) {
		int byte = hex_byte(p + i, len - i);
		*to++ = byte < 0 ? p[i] : (char)byte;
		if (byte >= 0)
			i += 3;
		else
			i += p[i] == '\\' && i + 1 < len && p[i + 1] == '\\';
	}
	return (uint32_t)(to - begin);
}

/* ---- lines with # -------------------------------------------------------------------------- */

/* Is the line `word`, a separator, and more? Then *rest is behind the separator. */
static bool says(const char *line, size_t len, const char *word, char sep, const char **rest)
{
	size_t n = strlen(word);
	if (len <= n || memcmp(line, word, n) != 0 || line[n] != sep)
		return false;
	*rest = line + n + 1;
	return true;
}

static void set_mark(char mark[MARK_MAX], uint32_t *n, const char *p, const char *end, const char **why)
{
	if (end - p > MARK_MAX) {
		*why = "the text behind #empty_field or #unset_field is longer than 32 bytes";
		return;
	}
	*n = (uint32_t)(end - p);
	memcpy(mark, p, *n);
}

static void set_separator(struct section_syntax *s, const char *p, const char *end, const char **why)
{
	char byte[MARK_MAX];
	uint32_t n = end - p <= MARK_MAX ? unescape(p, (uint32_t)(end - p), byte) : 0;
	if (n != 1 || *byte == '\n' || *byte == '\r')
		*why = "#separator is not one byte";
	else
		s->sep[0] = s->sep[1] = *byte;
}

static int add_names(struct schema *names, const char *p, const char *end, char sep)
{
	while (p) {
		const char *stop = memchr(p, sep, (size_t)(end - p));
		if (schema_add(names, p, (size_t)((stop ? stop : end) - p), T_RAW) < 0)
			return -1;
		p = stop ? stop + 1 : NULL;
	}
	return 0;
}

static int control(struct section_syntax *s, const char *line, size_t len, struct schema *names, const char **why)
{
	const char *rest, *end = line + len;
	char sep = s->sep[0];
	if (says(line, len, "#separator", ' ', &rest))
		set_separator(s, rest, end, why);
	else if (says(line, len, "#unset_field", sep, &rest))
		set_mark(s->null, &s->nnull, rest, end, why);
	else if (says(line, len, "#empty_field", sep, &rest))
		set_mark(s->empty, &s->nempty, rest, end, why);
	else if (says(line, len, "#fields", sep, &rest))
		return add_names(names, rest, end, sep);
	return 0;
}

static enum head_status head(const struct input_options *opt, const char *p, size_t n, bool eof, struct head *head, size_t *used, struct err *err)
{
	(void)opt;
	return section_head(syntax, control, p, n, eof, head, used, err);
}

/* ---- records ------------------------------------------------------------------------------- */

static bool is(const char *p, uint32_t len, const char *mark, uint32_t n)
{
	return len == n && !memcmp(p, mark, n);
}

/* The value of a field. 0 or -1. */
static int take(const struct decoder *d, const char *p, uint32_t len, struct batch *batch, struct value *v)
{
	const struct section *s = d->state;
	*v = value_null();
	if (is(p, len, s->syntax.null, s->syntax.nnull))
		return 0;
	if (is(p, len, s->syntax.empty, s->syntax.nempty))
		len = 0;
	unsigned flags = cutter_flags(&s->cutter);
	if (s->cutter.dirty && memchr(p, '\\', len)) {
		char *copy = arena_alloc(batch->mem, len);
		if (!copy)
			return err_memory(d->err);
		len = unescape(p, len, copy);
		p = copy;
		flags = 0;
	}
	*v = field_value(d->opt, p, len, flags);
	return 0;
}

/* One column of cuts i .. end - 1; rows with another number of fields are bad already. 0 or -1. */
static int fill_column(const struct decoder *d, uint32_t i, uint32_t end, uint32_t field, struct batch *batch, struct value *v)
{
	const struct section *s = d->state;
	const struct cutter *c = &s->cutter;
	for (; i < end; i++, v++) {
		const struct cut *cut = &c->cut[i];
		if (field == NOT_HERE || cut->nsep + 1 != s->nfield) {
			*v = value_null();
			continue;
		}
		const uint32_t *sep = c->pos + cut->first + field; /* behind the field */
		uint32_t from = field ? sep[-1] + 1 : cut->begin, to = field < cut->nsep ? *sep : cut->end;
		if (take(d, c->p + from, to - from, batch, v))
			return -1;
	}
	return 0;
}

static int fill(const struct decoder *d, uint32_t i, uint32_t end, struct records *records)
{
	const struct section *s = d->state;
	struct batch *batch = records->batch;
	for (uint32_t k = i; k < end; k++)
		if (s->cutter.cut[k].nsep + 1 != s->nfield)
			section_count_wrong(s, records, batch->n + k - i, s->cutter.cut[k].nsep + 1);
	for (uint32_t w = 0; w < d->nwant; w++)
		if (fill_column(d, i, end, s->field[w], batch, batch->col[d->want[w].col].v + batch->n))
			return -1;
	return 0;
}

static int open(struct decoder *d)
{
	return section_open(d, syntax, control, fill);
}

const struct format zeek_format = {
	.name = "zeek",
	.help = "logs of Zeek with # lines; - is NULL, (empty) the empty text",
	.more = "A line #fields names the columns, also those with dots: id.orig_h. \\xHH is a\n"
		"byte; a set or vector is one text. Zeek's JSON logs are -f json. Event time:\n"
		"\n"
		"  weir -f zeek --time 'ts, s' --tumble 1h -r count http.log\n",
	.traits = F_HEAD,
	.state_size = sizeof(struct section),
	.head = head,
	.open = open,
	.decode = section_decode,
};
