/* W3C extended log files: IIS, CloudFront, proxies and firewalls. A line #Fields: names what follows it; all other # lines are comments.
 *
 *     2014-11-18 00:00:00 1.2.3.4 - "Mozilla/5.0 (X; ""Y"")" 200
 *
 * Fields stand between blanks, several count as one; in a line with a TAB, between single TABs. A field in quotes ends at a quote with
 * a separator behind it, "" in it is one quote; one that does not end so only begins with a quote, as do all behind it. `-`, or nothing between TABs, is NULL. */
#include <strings.h>

#include "parse/format/field.h"
#include "parse/format/section.h"

static const struct section_syntax syntax = { .sep = { ' ', '\t' } };

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Reads #Fields: a b(c) d // and a comment */
static int control(struct section_syntax *unused, const char *line, size_t len, struct schema *names, const char **why)
{
	static const char word[] = "#Fields:";
	(void)unused;
	(void)why;
	if (len < sizeof word - 1 || strncasecmp(line, word, sizeof word - 1))
		return 0;
	const char *p = line + sizeof word - 1, *end = line + len;
	for (;;) {
		while (p < end && is_blank(*p))
			p++;
		const char *name = p;
		while (p < end && !is_blank(*p))
			p++;
		if (p == name || (p - name >= 2 && !memcmp(name, "//", 2)))
			return 0;
		if (schema_add(names, name, (size_t)(p - name), T_RAW) < 0)
			return -1;
	}
}

static enum head_status head(const struct input_options *opt, const char *p, size_t n, bool eof, struct head *head, size_t *used, struct err *err)
{
	(void)opt;
	return section_head(syntax, control, p, n, eof, head, used, err);
}

/* ---- a line into fields -------------------------------------------------------------------- */

struct w3c_field {
	const char *p;
	uint32_t len;
	bool quoted, doubled; /* doubled: it may hold "" */
};

/* What is left of a line. */
struct rest {
	const char *p, *at, *end;
	const uint32_t *sep, *last; /* separators (offsets from p) that may lie behind `at` */
	bool tabs;
	bool bare; /* a quote does not close: what follows is taken without quotes, or such lines would be searched again and again */
};

/* Does a field end at p? */
static bool ends(const struct rest *rest, const char *p)
{
	return p >= rest->end || *p == '\t' || (*p == ' ' && !rest->tabs);
}

/* A quoted field at rest->at: its end, the closing quote; NULL: it is none. */
static const char *closing_quote(const struct rest *rest, bool *doubled)
{
	*doubled = false;
	for (const char *p = rest->at + 1; p < rest->end; p++) {
		p = memchr(p, '"', (size_t)(rest->end - p));
		if (!p)
			return NULL;
		if (ends(rest, p + 1))
			return p;
		bool twice = p[1] == '"';
		*doubled |= twice;
		p += twice;
	}
	return NULL;
}

/* The end of the field at rest->at, and the separator behind it. */
static const char *field_end(struct rest *rest)
{
	while (rest->sep < rest->last && (rest->p + *rest->sep < rest->at || (rest->tabs && rest->p[*rest->sep] == ' ')))
		rest->sep++;
	return rest->sep < rest->last ? rest->p + *rest->sep : rest->end;
}

/* Takes the next field; false if there is none. */
static bool next_field(struct rest *rest, struct w3c_field *field)
{
	while (!rest->tabs && rest->at < rest->end && is_blank(*rest->at))
		rest->at++;
	if (rest->at > rest->end || (!rest->tabs && rest->at == rest->end))
		return false;
	bool tried = !rest->bare && rest->at < rest->end && *rest->at == '"';
	const char *stop = tried ? closing_quote(rest, &field->doubled) : NULL;
	field->quoted = stop != NULL;
	rest->bare |= tried && !stop;
	field->p = rest->at + field->quoted;
	if (!stop)
		stop = field_end(rest);
	field->len = (uint32_t)(stop - field->p);
	rest->at = stop + field->quoted + 1; /* behind the separator, too */
	return true;
}

static bool has_tab(const struct rest *rest)
{
	for (const uint32_t *sep = rest->sep; sep < rest->last; sep++)
		if (rest->p[*sep] == '\t')
			return true;
	return false;
}

/* Cuts line i into at most max fields; gives how many there are. */
static uint32_t cut_line(const struct cutter *c, uint32_t i, struct w3c_field *field, uint32_t max)
{
	const struct cut *cut = &c->cut[i];
	const uint32_t *sep = c->pos + cut->first;
	struct rest rest = { .p = c->p, .at = c->p + cut->begin, .end = c->p + cut->end, .sep = sep, .last = sep + cut->nsep };
	rest.tabs = has_tab(&rest);
	uint32_t n = 0;
	struct w3c_field surplus;
	while (next_field(&rest, n < max ? &field[n] : &surplus))
		n++;
	return n;
}

/* ---- fields into values -------------------------------------------------------------------- */

/* Two quotes become one, in batch memory. 0 or -1. */
static int undouble(struct w3c_field *field, const struct decoder *d, struct arena *mem)
{
	char *copy = arena_alloc(mem, field->len), *to = copy;
	if (!copy)
		return err_memory(d->err);
	for (uint32_t i = 0; i < field->len; i++) {
		*to++ = field->p[i];
		i += field->p[i] == '"' && i + 1 < field->len && field->p[i + 1] == '"';
	}
	*field = (struct w3c_field){ .p = copy, .len = (uint32_t)(to - copy), .quoted = true };
	return 0;
}

static int take(const struct decoder *d, struct w3c_field *field, struct batch *batch, struct value *v)
{
	const struct section *s = d->state;
	*v = value_null();
	if ((field->len == 1 && *field->p == '-') || (!field->len && !field->quoted))
		return 0;
	if (field->quoted && field->doubled && undouble(field, d, batch->mem))
		return -1;
	unsigned flags = field->quoted ? VF_QUOTED : cutter_flags(&s->cutter); /* in quotes there may be a TAB */
	*v = field_value(d->opt, field->p, field->len, flags);
	return 0;
}

static int fill(const struct decoder *d, uint32_t i, uint32_t end, struct records *records)
{
	const struct section *s = d->state;
	struct batch *batch = records->batch;
	struct w3c_field *field = arena_alloc(batch->mem, (s->nfield + 1) * sizeof *field);
	if (!field)
		return err_memory(d->err);
	for (uint32_t row = batch->n; i < end; i++, row++) {
		uint32_t n = cut_line(&s->cutter, i, field, s->nfield);
		if (n != s->nfield || !n) {
			section_count_wrong(s, records, row, n);
			continue;
		}
		for (uint32_t w = 0; w < d->nwant; w++) {
			struct value *v = &batch->col[d->want[w].col].v[row];
			if (s->field[w] == NOT_HERE)
				*v = value_null();
			else if (take(d, &field[s->field[w]], batch, v))
				return -1;
		}
	}
	return 0;
}

static int open(struct decoder *d)
{
	return section_open(d, syntax, control, fill);
}

const struct format w3c_format = {
	.name = "w3c",
	.help = "W3C extended logs (IIS, CloudFront); - is NULL",
	.more = "A line #Fields: names the columns. It may come again with other names: columns\n"
		"are found by name, one that is missing is NULL. Odd names stand in braces:\n"
		"{cs-uri-stem}, {cs(User-Agent)}. A + for a blank stays as it is. Event time:\n"
		"\n"
		"  weir -f w3c --time \"date || ' ' || time, iso\" --tumble 1h -r count ex.log\n",
	.traits = F_HEAD,
	.state_size = sizeof(struct section),
	.head = head,
	.open = open,
	.decode = section_decode,
};
