#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse/source_parts.h"

enum { HEAD_MOST = 16 << 20 /* bytes */ };

static const char bom[] = "\xef\xbb\xbf";
enum { BOM = sizeof bom - 1 };

/* Bytes of the mark at the very start of a text; *more: it cannot be told yet. */
static size_t find_bom(const char *p, size_t n, bool eof, bool *more)
{
	bool begins = !memcmp(p, bom, n < BOM ? n : BOM);
	*more = begins && n < BOM && !eof;
	return begins && n >= BOM ? BOM : 0;
}

bool source_has_head(const struct source *s)
{
	const struct format *format = s->opt.input.format;
	return format->head && (format->traits & (F_KINDS | F_HEAD) || format_header(&s->opt.input));
}

enum head_status source_read_head(struct source *s, const char *name, const char *p, size_t n, bool eof, struct head *head, size_t *used)
{
	bool more;
	const struct packing *by = packing_find(p, n, eof, &more);
	size_t start = more ? 0 : find_bom(p, n, eof, &more);
	*used = 0;
	if (more)
		return HEAD_MORE;
	if (by) {
		err_set(s->err, ERR_FAILED, s->opt.unpack ? "%s: compressed twice (within: %s); unpack it once yourself" : "%s: compressed input (%s); add -z", name,
			by->program);
		return HEAD_FAILED;
	}
	enum head_status status = HEAD_DONE;
	if (source_has_head(s))
		status = s->opt.input.format->head(&s->opt.input, p + start, n - start, eof, head, used, s->err);
	*used += start;
	if (status == HEAD_FAILED)
		err_before(s->err, "%s", name);
	if (status == HEAD_MORE && n - start > HEAD_MOST) {
		err_set(s->err, ERR_FAILED, "%s: the line of names does not end", name);
		return HEAD_FAILED;
	}
	return status;
}

static int add_names(struct source *s, const struct schema *names)
{
	s->schema.kind = SCHEMA_CLOSED;
	s->named = true;
	for (uint32_t i = 0; i < names->n; i++)
		if (schema_add(&s->schema, names->col[i].name, names->col[i].len, T_RAW) < 0)
			return err_memory(s->err);
	return 0;
}

/* The columns of @key; none if one of them is not in the schema. */
static int add_key(struct source *s, const struct head *head)
{
	s->key = arena_alloc(s->plan, (head->nkey + 1) * sizeof *s->key);
	if (!s->key)
		return err_memory(s->err);
	for (uint32_t k = 0; k < head->nkey; k++) {
		char name[16];
		struct schema_place place = { .col = head->key[k], .field = -1 };
		int len = snprintf(name, sizeof name, "c%u", head->key[k] + 1);
		bool found = s->named ? head->key[k] < s->schema.n : schema_find(&s->schema, name, (size_t)len, &place);
		if (!found) {
			s->nkey = 0;
			return 0;
		}
		s->key[s->nkey++] = place.col;
	}
	return 0;
}

int source_adopt(struct source *s, const struct head *head)
{
	bool names = head->names->n || format_header(&s->opt.input); /* else c1, c2, ... of a changelog */
	s->seen = true;
	s->kinds = head->kinds;
	if (names && !s->named && add_names(s, head->names))
		return -1;
	/* Two changelogs together may hold the same key twice. */
	return s->nfile == 1 && head->nkey ? add_key(s, head) : 0;
}

int source_match(struct source *s, const char *name, const struct head *head, uint32_t *pos)
{
	if (s->started && head->kinds & ~s->kinds)
		return err_set(s->err, ERR_FAILED, "%s: @kinds announces more kinds than the files before", name);
	s->kinds |= head->kinds;
	bool closed = s->schema.kind == SCHEMA_CLOSED, by_name = closed && !s->opt.input.nfield && head->names->n;
	for (uint32_t c = 0; c < s->schema.n; c++) {
		const struct schema_column *column = &s->schema.col[c];
		int64_t field = closed ? c : column->pos;
		if (by_name)
			field = schema_index(head->names, column->name, column->len);
		if (field < 0 && !s->opt.input.ragged && !(s->opt.input.format->traits & F_HEAD))
			return err_set(s->err, ERR_FAILED, "%s: no column \"%.200s\", which the first file has", name, column->name);
		if (pos)
			pos[c] = field < 0 ? NO_FIELD : (uint32_t)field;
	}
	return 0;
}

static int by_pos(const void *a, const void *b)
{
	const struct want *x = a, *y = b;
	return (x->pos > y->pos) - (x->pos < y->pos);
}

/* What the decoder is to find. */
static void list_wants(struct source *s)
{
	struct lane *in = s->in;
	struct decoder *d = &in->decoder;
	d->want = in->want;
	d->nwant = 0;
	d->row_col = -1;
	in->lacks = false;
	for (uint32_t c = 0; c < s->batch.ncol; c++) {
		if (!s->need[c])
			continue;
		if (s->schema.col[c].type == T_ROW || s->schema.col[c].type == T_RECORD)
			d->row_col = (int)c;
		else if (in->pos[c] != NO_FIELD)
			in->want[d->nwant++] = (struct want){ in->pos[c], c };
		else
			in->lacks = true;
	}
	qsort(in->want, d->nwant, sizeof *in->want, by_pos);
}

void source_null_lacking(struct source *s)
{
	for (uint32_t c = 0; c < s->batch.ncol; c++)
		if (s->need[c] && s->in->pos[c] == NO_FIELD && s->schema.col[c].type != T_ROW && s->schema.col[c].type != T_RECORD)
			memset(s->batch.col[c].v, 0, s->records.max * sizeof(struct value));
}

int source_begin_records(struct source *s)
{
	struct lane *in = s->in;
	struct decoder *d = &in->decoder;
	const struct input_options *opt = &s->opt.input;
	if (source_match(s, in->file->name, &in->head, in->pos))
		return -1;
	bool strict = s->named && opt->format->traits & F_NAMES_ALLOWED && !opt->ragged;
	memset(d->state, 0, d->type->state_size);
	d->nfield = !strict ? 0 : in->head.names->n && !opt->nfield ? in->head.names->n : s->schema.n;
	d->kinds = in->head.kinds;
	d->nkey = in->head.nkey;
	d->key = in->head.key;
	d->eof = d->begun = false;
	d->schema = &s->schema;
	d->mem = &in->file_mem;
	list_wants(s);
	s->filled = NULL;
	return d->type->open(d);
}
