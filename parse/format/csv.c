/* RFC 4180: fields between commas (or -d); a field that begins with a quote ends at the next single one, may hold separators and line ends, and
 * doubled quotes stand for one. A backslash means nothing. NULL: empty and not quoted.
 *
 * Records are cut as lines of tsv are, with an eye on quotes, and quotes are taken off the fields that are wanted. What the cutter does not take is read
 * field by field, one record: where quotes stand within a bare field, a record is longer than a piece or not all there, or goes wrong (a quote never closes,
 * or text stands behind the closing one), which costs its first line only.
 *
 *     [ records, cut ][ a record by itself ][ records, cut ] ... */
#include "parse/format/csv_record.h"
#include "parse/format/field.h"
#include "parse/format/find.h"

struct csv {
	struct cutter cutter;
	struct csv_progress progress;
	struct csv_tries tries;
	char sep;
	bool cuts_quotes;
};

static const char why_open[] = "a quote is never closed";
static const char why_text[] = "text behind a closing quote";

static char separator(const struct input_options *opt)
{
	return opt->delimiter ? opt->delimiter : ',';
}

/* A short --max-line or a --null in quotes is left to those who look at each record. */
static bool cuts_quotes(const struct input_options *opt)
{
	return opt->max_line >= SCAN_MAX && !(opt->null_text && opt->null_text[0] == '"');
}

static int open(struct decoder *d)
{
	struct csv *csv = d->state;
	csv->sep = separator(d->opt);
	cutter_open(&csv->cutter, csv->sep, csv->sep);
	csv->cuts_quotes = cuts_quotes(d->opt);
	return csv_tries_open(&csv->tries, d->opt->max_line, d->mem) ? err_memory(d->err) : 0;
}

/* The bytes of v, which came in quotes; doubled ones in it are resolved in batch memory. 0 or -1. */
static int undouble(const struct decoder *d, struct batch *batch, struct value *v)
{
	char *copy = arena_alloc(batch->mem, v->len), *to = copy;
	if (!copy)
		return err_memory(d->err);
	for (const char *p = v->u.p, *end = p + v->len; p < end;) {
		const char *quote = memchr(p, '"', (size_t)(end - p)), *stop = quote ? quote + 1 : end;
		memcpy(to, p, (size_t)(stop - p));
		to += stop - p;
		p = stop + (quote != NULL);
	}
	v->u.p = copy;
	v->len = (uint32_t)(to - copy);
	return 0;
}

static int read_field(const struct decoder *d, struct batch *batch, const struct field *f, struct value *v)
{
	*v = value_null();
	if (!f->quoted) {
		if (f->len)
			*v = field_value(d->opt, f->p, f->len, 0);
		return 0;
	}
	*v = (struct value){ .type = V_RAW, .flags = VF_QUOTED, .len = (uint32_t)f->len, .u.p = f->p };
	return f->doubled ? undouble(d, batch, v) : 0;
}

/* Fills the cells of a whole record of `fields` fields. */
static int fill_record(const struct decoder *d, const char *p, size_t n, uint32_t fields, struct batch *batch)
{
	uint32_t row = batch->n, w = 0;
	struct value *cell = NULL;
	if (d->row_col >= 0) {
		cell = arena_alloc(batch->mem, fields * sizeof *cell);
		if (!cell)
			return err_memory(d->err);
		batch->col[d->row_col].v[row] = (struct value){ .type = V_ROW, .len = fields, .u.row = cell };
	}
	char sep = ((struct csv *)d->state)->sep;
	struct csv_progress progress = { 0 };
	for (uint32_t i = 0; i < fields; i++) {
		struct field field;
		struct value v;
		csv_field(sep, p, n, true, &progress, &field);
		if (!cell && (w == d->nwant || d->want[w].pos != i))
			continue;
		if (read_field(d, batch, &field, &v))
			return -1;
		if (cell)
			cell[i] = v;
		for (; w < d->nwant && d->want[w].pos == i; w++)
			batch->col[d->want[w].col].v[row] = v;
	}
	for (; w < d->nwant; w++)
		batch->col[d->want[w].col].v[row] = value_null();
	return 0;
}

static uint32_t count_lines(const char *p, size_t n)
{
	uint32_t lines = 0;
	for (const char *end = p + n; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		lines++;
	return lines;
}

/* Ends the row of the record p[0..len); gives len. */
static int64_t end_row(struct records *records, const char *p, size_t len)
{
	records->at[records->batch->n++] = (struct record_at){ p, (uint32_t)len, records->lines };
	records->lines += count_lines(p, len);
	return (int64_t)len;
}

/* The first line of [p, p + n) is a bad record. Gives its length; 0 if it does not end there. */
static int64_t bad_line(const struct decoder *d, const char *p, size_t n, struct records *records, const char *why)
{
	const char *lf = memchr(p, '\n', n);
	if (!lf && !d->eof)
		return 0;
	size_t len = lf ? (size_t)(lf - p) : n;
	record_bad(records, records->batch->n, NULL, "%s", len > d->opt->max_line ? why_long : why);
	return end_row(records, p, lf ? len + 1 : n);
}

/* One record with quotes, which begins at `begin` of the file: the bytes it takes, 0 if it does not end in those given, -1 on an error. */
static int64_t quoted_record(struct decoder *d, uint64_t begin, const char *p, size_t n, struct records *records)
{
	struct csv *csv = d->state;
	bool cut = n > d->opt->max_line; /* a record may not be longer than a line */
	size_t room = cut ? (size_t)d->opt->max_line + 1 : n;
	enum stop stop = csv_try(&csv->tries, begin, csv->sep, p, room, d->eof && !cut, &csv->progress);
	if (stop == STOP_MORE && !cut)
		return 0;
	struct csv_progress end = csv->progress;
	csv->progress = (struct csv_progress){ 0 };
	if (csv->tries.met && stop == STOP_LINE) { /* its fields have to be counted */
		end = csv->progress;
		stop = csv_record(csv->sep, p, room, d->eof && !cut, &end);
	}
	csv_tries_end(&csv->tries, begin, &end, stop != STOP_LINE || end.at > d->opt->max_line);
	if (stop == STOP_OPEN)
		return bad_line(d, p, n, records, why_open);
	if (stop == STOP_TEXT)
		return bad_line(d, p, n, records, why_text);
	if (stop == STOP_MORE || end.at > d->opt->max_line)
		return bad_line(d, p, n, records, "the quoted record is longer than --max-line");
	size_t len = end.at < n ? end.at + 1 : n;
	if (d->nfield && end.fields != d->nfield)
		field_count_wrong(d, records, records->batch->n, end.fields);
	if (fill_record(d, p, len, end.fields, records->batch))
		return -1;
	return end_row(records, p, len);
}

/* Takes the quotes off n values of cut records, which have them on both sides or not at all. */
static int take_quotes(const struct decoder *d, struct batch *batch, struct value *v, size_t n)
{
	for (struct value *end = v + n; v < end; v++) {
		if (v->type != V_RAW || v->u.p[0] != '"')
			continue;
		v->flags |= VF_QUOTED;
		v->u.p++;
		v->len -= 2;
		if (memchr(v->u.p, '"', v->len) && undouble(d, batch, v))
			return -1;
	}
	return 0;
}

static int fill(const struct decoder *d, struct cutter *cutter, struct records *records)
{
	struct batch *batch = records->batch;
	if (split_fill(d, cutter, records, false))
		return -1;
	if (!cutter->set.quote || !cutter->index.quoted)
		return 0;
	for (uint32_t w = 0; w < d->nwant; w++)
		if (take_quotes(d, batch, batch->col[d->want[w].col].v + batch->n, cutter->n))
			return -1;
	const struct value *row = d->row_col < 0 ? NULL : batch->col[d->row_col].v + batch->n;
	for (uint32_t i = 0; row && i < cutter->n; i++)
		if (take_quotes(d, batch, (struct value *)(uintptr_t)row[i].u.row, row[i].len))
			return -1;
	return 0;
}

/* How many bytes at the front are lines without a quote. 0: the first line may have one. */
static size_t plain_bytes(const char *p, size_t n)
{
	size_t piece = n < SCAN_MAX ? n : SCAN_MAX;
	const char *quote = memchr(p, '"', piece);
	if (!quote && piece < n && !find_last(p, p + piece, '\n')) { /* a line longer than a piece */
		const char *lf = memchr(p + piece, '\n', n - piece);
		piece = lf ? (size_t)(lf - p) + 1 : n;
		quote = memchr(p, '"', piece);
	}
	if (!quote)
		return piece;
	const char *lf = find_last(p, quote, '\n');
	return lf ? (size_t)(lf - p) + 1 : 0;
}

/* Cuts lines from the front of [p + *used, p + n). */
static enum decode cut(struct decoder *d, const char *p, size_t n, struct records *records, size_t *used, char quote)
{
	struct csv *csv = d->state;
	csv->cutter.set.quote = quote;
	size_t before = *used;
	enum decode status = cut_decode(d, &csv->cutter, p, n, records, used, fill);
	if (*used > before) {
		csv_tries_end(&csv->tries, 0, &csv->progress, false);
		csv->progress = (struct csv_progress){ 0 };
	}
	return status;
}

/* Lines without a quote that the cutter has not taken: those longer than a piece. */
static enum decode cut_plain(struct decoder *d, const char *p, size_t n, struct records *records, size_t *used)
{
	bool eof = d->eof;
	size_t plain = plain_bytes(p + *used, n - *used);
	d->eof = eof && *used + plain == n;
	enum decode status = plain ? cut(d, p, *used + plain, records, used, 0) : DECODE_ROWS;
	d->eof = eof;
	return status;
}

static enum decode decode(struct decoder *d, const char *p, size_t n, struct records *records, size_t *used, struct control *control)
{
	(void)control;
	struct csv *csv = d->state;
	*used = 0;
	while (records->batch->n < records->max && *used < n) {
		size_t before = *used;
		enum decode status = DECODE_ROWS;
		if (!csv->progress.seen && csv->cuts_quotes)
			status = cut(d, p, n, records, used, '"');
		if (status == DECODE_ROWS && *used == before && !csv->progress.seen)
			status = cut_plain(d, p, n, records, used);
		if (status != DECODE_ROWS)
			return status;
		if (*used > before)
			continue;
		int64_t took = quoted_record(d, d->passed + *used, p + *used, n - *used, records);
		if (took < 0)
			return DECODE_FAILED;
		if (!took)
			break;
		*used += (size_t)took;
	}
	return DECODE_ROWS;
}

/* Adds the names in a record of `fields` fields. 0 or -1. */
static int read_names(const struct input_options *opt, const char *p, size_t n, uint32_t fields, struct schema *names, struct err *err)
{
	struct input_options as_text = *opt;
	as_text.null_text = NULL;
	struct decoder reading = { .opt = &as_text, .err = err };
	struct batch scratch = { .mem = names->mem };
	struct csv_progress progress = { 0 };
	for (uint32_t i = 0; i < fields; i++) {
		struct field field;
		struct value v;
		csv_field(separator(opt), p, n, true, &progress, &field);
		if (read_field(&reading, &scratch, &field, &v) || field_name(names, v.u.p, v.len, err))
			return -1;
	}
	return 0;
}

static enum head_status head(const struct input_options *opt, const char *p, size_t n, bool eof, struct head *head, size_t *used, struct err *err)
{
	const char *line;
	size_t len;
	enum head_status status = head_line(p, n, eof, &line, &len, used, &head->lines);
	if (status != HEAD_DONE || !line)
		return status;
	size_t rest = n - (size_t)(line - p);
	struct csv_progress progress = { 0 };
	enum stop stop = csv_record(separator(opt), line, rest, eof, &progress);
	if (stop == STOP_MORE)
		return HEAD_MORE;
	if (stop != STOP_LINE) {
		err_set(err, ERR_FAILED, "the line of names: %s", stop == STOP_OPEN ? why_open : why_text);
		return HEAD_FAILED;
	}
	size_t end = progress.at < rest ? progress.at + 1 : rest;
	*used = (size_t)(line - p) + end;
	head->lines = count_lines(p, *used);
	return read_names(opt, line, end, progress.fields, head->names, err) ? HEAD_FAILED : HEAD_DONE;
}

const struct format csv_format = {
	.name = "csv",
	.help = "names in the first line; empty without quotes is NULL",
	.more = "RFC 4180; a quoted field may span lines. --no-header: columns are c1, c2, ...\n",
	.traits = F_NAMES_DEFAULT | F_NAMES_ALLOWED | F_DELIMITER,
	.state_size = sizeof(struct csv),
	.head = head,
	.open = open,
	.decode = decode,
};
