#include "parse/format/section.h"

#include "parse/format/field.h"

static const char why_no_names[] = "no line with # has named the fields before this record";

int section_open(struct decoder *d, struct section_syntax syntax, section_control *control, section_fill *fill)
{
	struct section *s = d->state;
	cutter_open(&s->cutter, syntax.sep[0], syntax.sep[1]);
	s->syntax = syntax;
	s->control = control;
	s->fill = fill;
	s->field = arena_alloc(d->mem, (d->nwant + 1) * sizeof *s->field);
	return s->field ? 0 : err_memory(d->err);
}

enum head_status section_head(struct section_syntax syntax, section_control *control, const char *p, size_t n, bool eof, struct head *head, size_t *used,
	struct err *err)
{
	const char *line, *why = NULL;
	size_t len, took;
	uint32_t lines;
	for (size_t at = 0;; at += took, head->lines += lines) {
		enum head_status status = head_line(p + at, n - at, eof, &line, &len, &took, &lines);
		*used = at + took;
		if (status == HEAD_DONE && !line)
			head->lines += lines;
		if (status != HEAD_DONE || !line)
			return status;
		if (*line == '#' && control(&syntax, line, len, head->names, &why)) {
			err_memory(err);
			return HEAD_FAILED;
		}
		if (*line != '#' || why) {
			err_set(err, ERR_FAILED, "line %u: %s%s", head->lines + lines, why ? why : why_no_names,
				*line == '{' ? "; this looks like -f json" : "");
			return HEAD_FAILED;
		}
		if (head->names->n) {
			*used = 0; /* decode sees all of it again */
			head->lines = 0;
			return HEAD_DONE;
		}
	}
}

void section_count_wrong(const struct section *s, struct records *records, uint32_t row, uint32_t fields)
{
	if (!s->nfield)
		record_bad(records, row, NULL, "%s", why_no_names);
	else
		record_bad(records, row, NULL, "%u field%s instead of %u", fields, fields == 1 ? "" : "s", s->nfield);
}

/* A new section begins: looks where the wanted columns are. */
static void begin(const struct decoder *d, const struct schema *names)
{
	struct section *s = d->state;
	s->nfield = names->n;
	for (uint32_t w = 0; w < d->nwant; w++) {
		const struct schema_column *column = &d->schema->col[d->want[w].col];
		int field = schema_index(names, column->name, column->len);
		s->field[w] = field < 0 ? NOT_HERE : (uint32_t)field;
	}
}

/* Line i begins with #. 0 or -1. */
static int take_control(const struct decoder *d, uint32_t i, struct records *records)
{
	struct section *s = d->state;
	const struct cut *cut = &s->cutter.cut[i];
	struct schema names;
	const char *why = NULL;
	schema_init(&names, SCHEMA_CLOSED, records->batch->mem);
	if (cutter_too_long(&s->cutter, i, d))
		why = why_long;
	else if (s->control(&s->syntax, s->cutter.p + cut->begin, cut->end - cut->begin, &names, &why))
		return err_memory(d->err);
	if (why) {
		uint32_t row = records->batch->n++;
		cutter_place(&s->cutter, i, d, records, row);
		record_bad(records, row, NULL, "%s", why);
	} else if (names.n) {
		begin(d, &names);
	}
	return 0;
}

/* Rows for cuts i .. end - 1. 0 or -1. */
static int take_records(const struct decoder *d, uint32_t i, uint32_t end, struct records *records)
{
	struct section *s = d->state;
	for (uint32_t k = i; k < end; k++)
		cutter_place(&s->cutter, k, d, records, records->batch->n + k - i);
	if (s->fill(d, i, end, records))
		return -1;
	records->batch->n += end - i;
	return 0;
}

/* All lines that have been cut, or up to one that changes the separator. Gives the bytes they take; 0: an error. */
static size_t take_lines(const struct decoder *d, size_t bytes, struct records *records)
{
	struct section *s = d->state;
	struct cutter *c = &s->cutter;
	for (uint32_t i = 0, end; i < c->n; i = end + 1) {
		for (end = i; end < c->n && c->p[c->cut[end].begin] != '#';)
			end++;
		if (end > i && take_records(d, i, end, records))
			return 0;
		if (end == c->n)
			break;
		if (take_control(d, end, records))
			return 0;
		if (memcmp(s->syntax.sep, c->set.sep, sizeof c->set.sep) != 0) {
			const struct cut *cut = &c->cut[end];
			cutter_open(c, s->syntax.sep[0], s->syntax.sep[1]);
			records->lines = cut->line + (c->p[cut->next - 1] == '\n');
			return cut->next;
		}
	}
	return bytes;
}

enum decode section_decode(struct decoder *d, const char *p, size_t n, struct records *records, size_t *used, struct control *control)
{
	struct section *s = d->state;
	(void)control;
	*used = 0;
	while (records->batch->n < records->max) {
		int64_t took = cutter_next(&s->cutter, d, p + *used, n - *used, records->max - records->batch->n, records);
		if (!took)
			break;
		size_t taken = took < 0 ? 0 : take_lines(d, (size_t)took, records);
		if (!taken)
			return DECODE_FAILED;
		*used += taken;
	}
	return DECODE_ROWS;
}
