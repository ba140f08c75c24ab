/* Fields between runs of blanks (spaces and TABs), as awk splits: leading and trailing blanks do not count, quotes are data. A line of
 * blanks alone is a record without fields. Nothing is NULL but a field that the line is too short for (and by --null). */
#include "parse/format/field.h"

static int open(struct decoder *d)
{
	cutter_open(d->state, ' ', '\t');
	return 0;
}

/* The fields of a line, one after the other. */
struct walk {
	const struct cutter *c;
	const struct cut *cut;
	uint32_t sep, begin; /* separators passed; where the next field may begin */
};

static bool next_field(struct walk *walk, uint32_t *begin, uint32_t *end)
{
	const struct cut *cut = walk->cut;
	while (walk->sep <= cut->nsep) {
		*begin = walk->begin;
		*end = walk->sep < cut->nsep ? walk->c->pos[cut->first + walk->sep] : cut->end;
		walk->sep++;
		walk->begin = *end + 1;
		if (*end > *begin)
			return true;
	}
	return false;
}

/* The wanted cells of one line; gives how many fields it has. */
static uint32_t fill_wanted(const struct decoder *d, const struct cutter *c, const struct cut *cut, struct batch *batch, uint32_t row)
{
	struct walk walk = { c, cut, 0, cut->begin };
	uint32_t fields = 0, begin, end, w = 0;
	while ((w < d->nwant || d->nfield) && next_field(&walk, &begin, &end)) {
		for (; w < d->nwant && d->want[w].pos == fields; w++)
			batch->col[d->want[w].col].v[row] = field_value(d->opt, c->p + begin, end - begin, cutter_flags(c));
		fields++;
	}
	for (; w < d->nwant; w++)
		batch->col[d->want[w].col].v[row] = value_null();
	return fields;
}

static int fill_row(const struct decoder *d, const struct cutter *c, const struct cut *cut, struct batch *batch, uint32_t row)
{
	struct value *cell = arena_alloc(batch->mem, (cut->nsep + 1) * sizeof *cell);
	if (!cell)
		return err_memory(d->err);
	struct walk walk = { c, cut, 0, cut->begin };
	uint32_t fields = 0, begin, end;
	while (next_field(&walk, &begin, &end))
		cell[fields++] = field_value(d->opt, c->p + begin, end - begin, cutter_flags(c));
	batch->col[d->row_col].v[row] = (struct value){ .type = V_ROW, .len = fields, .u.row = cell };
	return 0;
}

static int fill(const struct decoder *d, struct cutter *c, struct records *records)
{
	struct batch *batch = records->batch;
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t row = batch->n + i, fields = fill_wanted(d, c, &c->cut[i], batch, row);
		if (d->nfield && fields != d->nfield)
			field_count_wrong(d, records, row, fields);
		if (d->row_col >= 0 && fill_row(d, c, &c->cut[i], batch, row))
			return -1;
	}
	return 0;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

static enum head_status head(const struct input_options *opt, const char *p, size_t n, bool eof, struct head *head, size_t *used, struct err *err)
{
	(void)opt;
	const char *line;
	size_t len;
	enum head_status status = head_line(p, n, eof, &line, &len, used, &head->lines);
	if (status != HEAD_DONE || !line)
		return status;
	for (size_t i = 0; i < len;) {
		size_t begin = i;
		while (i < len && !blank(line[i]))
			i++;
		if (i > begin && field_name(head->names, line + begin, i - begin, err))
			return HEAD_FAILED;
		while (i < len && blank(line[i]))
			i++;
	}
	return status;
}

const struct format space_format = {
	.name = "space",
	.help = "fields between runs of blanks, as awk",
	.traits = F_NAMES_ALLOWED,
	.state_size = sizeof(struct cutter),
	.head = head,
	.open = open,
	.decode = decode_lines,
	.fill = fill,
};
