#include "parse/format/cut.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char why_long[] = "the line is longer than --max-line";

void record_bad(struct records *records, uint32_t row, const char *column, const char *format, ...)
{
	struct record_bad *bad = &records->bad[row];
	if (bad->why)
		return;
	char text[300];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	const char *why = arena_copy(records->batch->mem, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
	*bad = (struct record_bad){ why ? why : "bad record", column };
	records->nbad++;
}

bool format_header(const struct input_options *opt)
{
	if (opt->header >= 0)
		return opt->header;
	return opt->format->traits & F_NAMES_DEFAULT && !opt->nfield;
}

void cutter_open(struct cutter *cutter, char a, char b)
{
	bool tab = a == '\t' || b == '\t';
	cutter->scan = scan_best();
	cutter->set = (struct scan_set){ .sep = { a, b }, .dirty = { '\\', '\r', tab ? '\\' : '\t' } };
}

/* Where the separators of the piece lie, line by line. */
struct places {
	const uint32_t *pos, *line;
	uint32_t n, nline;
	uint32_t bytes; /* of the piece; a last line without LF ends there */
};

/* A last line without LF ends like one that has it, one byte behind the piece. */
static void end_last_line(uint32_t *pos, uint32_t *n, uint32_t *line, uint32_t *nline, uint32_t bytes)
{
	pos[*n] = bytes;
	line[(*nline)++] = (*n)++;
}

/* One line longer than a piece: its index goes to the batch's memory. p[n - 1] is its LF, or the end of the file (open). 0 or -1. */
static int index_long_line(struct cutter *c, const struct decoder *d, const char *p, uint32_t n, bool open, struct records *records, struct places *out)
{
	struct scan_index *index = &c->index;
	size_t total = 0;
	for (uint32_t at = 0; at < n; at += SCAN_MAX, total += index->n)
		c->scan(&c->set, p + at, n - at < SCAN_MAX ? n - at : SCAN_MAX, index);
	uint32_t *pos = arena_alloc(records->batch->mem, (total + 1) * sizeof *pos);
	if (!pos)
		return err_memory(d->err);
	*out = (struct places){ .pos = pos, .line = index->line, .bytes = n };
	bool dirty = false;
	for (uint32_t at = 0; at < n; at += SCAN_MAX) {
		c->scan(&c->set, p + at, n - at < SCAN_MAX ? n - at : SCAN_MAX, index);
		for (uint32_t i = 0; i < index->n; i++)
			pos[out->n++] = at + index->pos[i];
		dirty |= index->dirty;
	}
	c->dirty = dirty;
	index->nline = 0;
	if (open)
		end_last_line(pos, &out->n, index->line, &index->nline, n);
	else
		index->line[index->nline++] = out->n - 1;
	out->nline = 1;
	return 0;
}

/* Indexes the next piece: 1, 0 if no line ends in sight, -1 on an error. */
static int index_piece(struct cutter *c, const struct decoder *d, const char *p, size_t n, struct records *records, struct places *out)
{
	struct scan_index *index = &c->index;
	uint32_t bytes = n < SCAN_MAX ? (uint32_t)n : SCAN_MAX;
	c->scan(&c->set, p, bytes, index);
	bool whole = d->eof && bytes == n;
	if (whole && !index->open && p[bytes - 1] != '\n')
		end_last_line(index->pos, &index->n, index->line, &index->nline, bytes);
	if (index->nline) {
		c->dirty = index->dirty;
		*out = (struct places){ index->pos, index->line, index->n, index->nline, bytes };
		return 1;
	}
	if (c->set.quote)
		return 0;
	const char *lf = memchr(p + bytes, '\n', n - bytes);
	if (!lf && !d->eof)
		return 0;
	size_t len = lf ? (size_t)(lf - p) + 1 : n;
	return index_long_line(c, d, p, (uint32_t)len, !lf, records, out) ? -1 : 1;
}

/* Line ends within records count, too. */
static void count_inner(struct cutter *c, struct records *records)
{
	uint32_t inner = 0;
	for (uint32_t i = 0; i < c->n; i++) {
		struct cut *cut = &c->cut[i];
		cut->line += inner;
		for (const char *p = c->p + cut->begin, *end = c->p + cut->end; (p = memchr(p, '\n', (size_t)(end - p))); p++)
			inner++;
	}
	records->lines += inner;
}

int64_t cutter_next(struct cutter *c, const struct decoder *d, const char *p, size_t n, uint32_t max, struct records *records)
{
	c->n = 0;
	c->p = p;
	struct places in = { 0 };
	int found = n ? index_piece(c, d, p, n, records, &in) : 0;
	if (found <= 0)
		return found;
	c->pos = in.pos;
	bool keep_blank = d->type->traits & F_BLANK_IS_DATA, maybe_cr = c->dirty;
	uint32_t begin = 0, first = 0, lines = records->lines, cuts = 0, nline = in.nline, bytes = in.bytes;
	const uint32_t *pos = in.pos, *line = in.line;
	uint32_t odd = 0;
	for (uint32_t k = 0; k < nline && cuts < max; k++) {
		uint32_t last = line[k], lf = pos[last], end = lf;
		bool open = lf == bytes;
		if (maybe_cr && end > begin && !open && p[end - 1] == '\r')
			end--;
		uint32_t next = lf + !open;
		odd |= (last - first) ^ line[0];
		c->cut[cuts] = (struct cut){ begin, end, next, first, last - first, lines };
		cuts += end > begin || keep_blank;
		begin = next;
		first = last + 1;
		lines += !open;
	}
	c->n = cuts;
	c->even = !odd && !maybe_cr && cuts && c->cut->nsep;
	records->lines = lines;
	if (c->set.quote && c->index.inner)
		count_inner(c, records);
	return begin;
}

bool cutter_too_long(const struct cutter *c, uint32_t i, const struct decoder *d)
{
	const struct cut *cut = &c->cut[i];
	uint32_t len = cut->next - cut->begin;
	return len > d->opt->max_line && len - (c->p[cut->next - 1] == '\n') > d->opt->max_line;
}

static inline void place(const struct cutter *c, uint32_t i, struct records *records, uint32_t row)
{
	const struct cut *cut = &c->cut[i];
	records->at[row] = (struct record_at){ c->p + cut->begin, cut->next - cut->begin, cut->line };
}

void cutter_place(const struct cutter *c, uint32_t i, const struct decoder *d, struct records *records, uint32_t row)
{
	place(c, i, records, row);
	if (__builtin_expect(cutter_too_long(c, i, d), 0))
		record_bad(records, row, NULL, "%s", why_long);
}

/* A piece that is not longer than --max-line holds no line that is. */
static void place_all(const struct cutter *c, const struct decoder *d, struct records *records, bool maybe_long)
{
	uint32_t row = records->batch->n;
	for (uint32_t i = 0; i < c->n; i++, row++) {
		if (maybe_long)
			cutter_place(c, i, d, records, row);
		else
			place(c, i, records, row);
	}
}

enum decode cut_decode(struct decoder *d, struct cutter *c, const char *p, size_t n, struct records *records, size_t *used, cut_fill *fill)
{
	struct batch *batch = records->batch;
	while (batch->n < records->max) {
		int64_t took = cutter_next(c, d, p + *used, n - *used, records->max - batch->n, records);
		if (took < 0)
			return DECODE_FAILED;
		if (!took)
			break;
		*used += (size_t)took;
		place_all(c, d, records, took > (int64_t)d->opt->max_line);
		if (fill(d, c, records))
			return DECODE_FAILED;
		batch->n += c->n;
	}
	return DECODE_ROWS;
}

enum decode decode_lines(struct decoder *d, const char *p, size_t n, struct records *records, size_t *used, struct control *control)
{
	(void)control;
	*used = 0;
	return cut_decode(d, d->state, p, n, records, used, d->type->fill);
}
