#include "parse/format/field.h"

#include <stdio.h>

void field_count_wrong(const struct decoder *d, struct records *records, uint32_t row, uint32_t fields)
{
	record_bad(records, row, NULL, "%u field%s instead of %u", fields, fields == 1 ? "" : "s", d->nfield);
}

int field_name(struct schema *names, const char *p, size_t len, struct err *err)
{
	char place[16];
	if (!len) {
		len = (size_t)snprintf(place, sizeof place, "c%u", names->n + 1);
		p = place;
	}
	return schema_add(names, p, len, T_RAW) < 0 ? err_memory(err) : 0;
}

enum head_status head_line(const char *p, size_t n, bool eof, const char **line, size_t *len, size_t *used, uint32_t *lines)
{
	size_t at = 0;
	for (*lines = 0; at < n; ++*lines) {
		const char *begin = p + at, *lf = memchr(begin, '\n', n - at);
		if (!lf && !eof)
			return HEAD_MORE;
		const char *end = lf ? lf : p + n;
		at = lf ? (size_t)(lf - p) + 1 : n;
		if (lf && end > begin && end[-1] == '\r')
			end--;
		if (end > begin) {
			*lines += lf != NULL;
			*line = begin;
			*len = (size_t)(end - begin);
			*used = at;
			return HEAD_DONE;
		}
	}
	*line = NULL;
	*used = n;
	return eof ? HEAD_DONE : HEAD_MORE;
}

static void check_counts(const struct decoder *d, const struct cutter *c, struct records *records)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (__builtin_expect(c->cut[i].nsep + 1 != d->nfield, 0))
			field_count_wrong(d, records, records->batch->n + i, c->cut[i].nsep + 1);
}

/* How a field reads in this piece: made once, so that the loops below stay small. */
struct reading {
	const struct input_options *opt;
	struct value text; /* a field that is not NULL, without its bytes */
	bool backslash_n; /* \N is NULL, and may occur */
	bool plain;       /* nothing but the empty field is NULL */
};

/* Sets *v; what all texts of the piece have in common is copied as one word. */
static inline __attribute__((always_inline)) void read_field(struct reading r, const char *p, uint32_t len, struct value *v)
{
	bool null = !len;
	if (__builtin_expect(!r.plain, 0))
		null |= (r.backslash_n && len == 2 && p[0] == '\\' && p[1] == 'N') || field_is_null(r.opt, p, len);
	if (null) {
		*v = value_null();
		return;
	}
	memcpy(v, &r.text, offsetof(struct value, len));
	v->len = len;
	v->u.p = p;
}

/* In a piece of even lines what lies before a field is a separator or the LF of the line before: no line has to be looked at. */
static void fill_even(const struct cutter *c, struct reading r, uint32_t field, struct value *v)
{
	const char *p = c->p;
	uint32_t n = c->n, places = c->cut->nsep + 1;
	const uint32_t *sep = c->pos + field;
	uint32_t begin = field ? sep[-1] + 1 : 0;
	read_field(r, p + begin, *sep - begin, v);
	for (uint32_t i = 1; i < n; i++) {
		sep += places;
		begin = sep[-1] + 1;
		read_field(r, p + begin, *sep - begin, &v[i]);
	}
}

/* Everything is a copy here, which the stores into v cannot change. */
static void fill_column(const struct cutter *c, struct reading r, uint32_t field, struct value *v)
{
	const char *p = c->p;
	const uint32_t *pos = c->pos;
	uint32_t n = c->n;
	const struct cut *cut = c->cut;
	for (uint32_t i = 0; i < n; i++, cut++) {
		if (field > cut->nsep) {
			v[i] = value_null();
			continue;
		}
		const uint32_t *sep = pos + cut->first + field; /* behind the field */
		uint32_t begin = field ? sep[-1] + 1 : cut->begin;
		uint32_t end = field < cut->nsep ? *sep : cut->end;
		read_field(r, p + begin, end - begin, &v[i]);
	}
}

/* Whole rows: the cells of all lines of the piece lie in one block. */
static int fill_rows(const struct decoder *d, const struct cutter *c, struct reading r, struct batch *batch, struct value *v)
{
	const char *p = c->p;
	const uint32_t *pos = c->pos;
	size_t cells = 0;
	for (uint32_t i = 0; i < c->n; i++)
		cells += c->cut[i].nsep + 1;
	struct value *cell = arena_alloc(batch->mem, cells * sizeof *cell);
	if (!cell)
		return err_memory(d->err);
	for (uint32_t i = 0; i < c->n; i++) {
		const struct cut *cut = &c->cut[i];
		v[i] = (struct value){ .type = V_ROW, .len = cut->nsep + 1, .u.row = cell };
		uint32_t begin = cut->begin;
		for (const uint32_t *sep = pos + cut->first, *last = sep + cut->nsep; sep < last; sep++) {
			read_field(r, p + begin, *sep - begin, cell++);
			begin = *sep + 1;
		}
		read_field(r, p + begin, cut->end - begin, cell++);
	}
	return 0;
}

int split_fill(const struct decoder *d, struct cutter *c, struct records *records, bool backslash_n)
{
	struct batch *batch = records->batch;
	bool maybe_n = backslash_n && c->dirty; /* a piece without a backslash holds no \N */
	struct value text = { .type = V_RAW, .flags = (uint16_t)cutter_flags(c) };
	struct reading reading = { d->opt, text, maybe_n, !maybe_n && !d->opt->null_text };
	if (d->nfield)
		check_counts(d, c, records);
	for (uint32_t w = 0; w < d->nwant; w++)
		(c->even && d->want[w].pos <= c->cut->nsep ? fill_even : fill_column)(c, reading, d->want[w].pos, batch->col[d->want[w].col].v + batch->n);
	if (d->row_col < 0)
		return 0;
	return fill_rows(d, c, reading, batch, batch->col[d->row_col].v + batch->n);
}
