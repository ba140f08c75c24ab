/* What weir writes: kind TAB field TAB field ...; \t \n \r \\ in fields stand for the bytes, \N is NULL, an empty field is the empty text. Between
 * the records stand control lines: @names @key @kinds (before the first record), @wm, @pt.
 *
 * A -U is held until the next line is there: if that is a +U (of the same key, where @key says what it is) the two are a pair. */
#include "parse/format/changelog.h"

#include <string.h>

#include "parse/format/field.h"

enum { NO_ROW = -1 };

struct changelog {
	struct cutter cutter;
	int64_t held;      /* row of a -U that the next line may make a pair; else NO_ROW */
	struct value *key; /* its key, in batch memory; NULL: no room made yet */
};

static int open(struct decoder *d)
{
	struct changelog *log = d->state;
	cutter_open(&log->cutter, '\t', '\t');
	return 0;
}

/* The value of a field of the record; 0 or -1. */
static int read_field(const struct decoder *d, const struct cutter *c, const struct cut *cut, uint32_t field, struct batch *batch, struct value *v)
{
	*v = value_null();
	if (field >= cut->nsep)
		return 0;
	uint32_t begin = c->pos[cut->first + field] + 1, end = field + 1 < cut->nsep ? c->pos[cut->first + field + 1] : cut->end;
	uint32_t len = end - begin;
	const char *p = c->p + begin;
	if (field_is_null(d->opt, p, len))
		return 0;
	struct value raw = { .type = V_RAW, .flags = (uint16_t)cutter_flags(c), .len = len, .u.p = p };
	if (c->dirty && memchr(p, '\\', len)) {
		if (len == 2 && p[1] == 'N')
			return 0;
		char *copy = arena_alloc(batch->mem, len);
		if (!copy)
			return err_memory(d->err);
		raw.len = changelog_unescape(p, len, copy);
		raw.u.p = copy;
	}
	*v = raw;
	return 0;
}

/* The kind that the line begins with, or -1. */
static int kind_of(const char *p, uint32_t begin, uint32_t end)
{
	static const char word[][3] = { [K_I] = "+I", [K_UB] = "-U", [K_UA] = "+U", [K_D] = "-D" };
	if (end - begin >= 2)
		for (int kind = K_I; kind <= K_D; kind++)
			if (p[begin] == word[kind][0] && p[begin + 1] == word[kind][1])
				return end - begin == 2 || p[begin + 2] == '\t' ? kind : -1;
	return -1;
}

/* May a row of this kind come? */
static bool expected(const struct decoder *d, int kind)
{
	return kind == K_I || (d->kinds & (kind == K_D ? S_D : S_U));
}

static int fill_row(const struct decoder *d, const struct cutter *c, const struct cut *cut, struct batch *batch, uint32_t row)
{
	for (uint32_t w = 0; w < d->nwant; w++)
		if (read_field(d, c, cut, d->want[w].pos, batch, &batch->col[d->want[w].col].v[row]))
			return -1;
	if (d->row_col < 0)
		return 0;
	struct value *cell = arena_alloc(batch->mem, cut->nsep * sizeof *cell);
	if (!cell)
		return err_memory(d->err);
	for (uint32_t f = 0; f < cut->nsep; f++)
		if (read_field(d, c, cut, f, batch, &cell[f]))
			return -1;
	batch->col[d->row_col].v[row] = (struct value){ .type = V_ROW, .len = cut->nsep, .u.row = cell };
	return 0;
}

/* ---- pairs --------------------------------------------------------------------------------- */

/* Holds the -U in `row`, with its key. 0 or -1. */
static int hold(const struct decoder *d, const struct cut *cut, struct batch *batch, uint32_t row)
{
	struct changelog *log = d->state;
	log->held = row;
	if (d->nkey && !log->key)
		log->key = arena_alloc(batch->mem, d->nkey * sizeof *log->key);
	if (d->nkey && !log->key)
		return err_memory(d->err);
	for (uint32_t k = 0; k < d->nkey; k++)
		if (read_field(d, &log->cutter, cut, d->key[k], batch, &log->key[k]))
			return -1;
	return 0;
}

static bool same(const struct value *a, const struct value *b)
{
	return a->type == b->type && a->len == b->len && (!a->len || !memcmp(a->u.p, b->u.p, a->len));
}

/* A +U has come: if it has the key of the -U right before it, they are a pair. 0 or -1. */
static int pair(const struct decoder *d, const struct cut *cut, struct batch *batch)
{
	struct changelog *log = d->state;
	for (uint32_t k = 0; k < d->nkey; k++) {
		struct value v;
		if (read_field(d, &log->cutter, cut, d->key[k], batch, &v))
			return -1;
		if (!same(&v, &log->key[k]))
			return 0;
	}
	if (batch->kind) /* it is there: a -U was expected */
		batch->kind[log->held] |= K_PAIR;
	return 0;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* A record: fills row batch->n. 0 or -1. */
static int take_record(struct decoder *d, uint32_t i, struct records *records)
{
	struct changelog *log = d->state;
	const struct cutter *c = &log->cutter;
	const struct cut *cut = &c->cut[i];
	struct batch *batch = records->batch;
	uint32_t row = batch->n++;
	int64_t held = log->held;
	int kind = kind_of(c->p, cut->begin, cut->end);
	log->held = NO_ROW;
	d->begun = true; /* names, key and kinds are settled */
	cutter_place(c, i, d, records, row);
	if (kind < 0)
		record_bad(records, row, NULL, "the line does not begin with +I, -U, +U or -D");
	else if (!expected(d, kind))
		record_bad(records, row, NULL, "@kinds does not announce this kind");
	else if (d->nfield && cut->nsep != d->nfield)
		field_count_wrong(d, records, row, cut->nsep);
	if (batch->kind)
		batch->kind[row] = kind < 0 ? (uint8_t)K_I : (uint8_t)kind;
	if (records->bad[row].why)
		return 0;
	if (kind == K_UB && hold(d, cut, batch, row))
		return -1;
	if (kind == K_UA && held != NO_ROW) {
		log->held = held;
		int status = pair(d, cut, batch);
		log->held = NO_ROW;
		if (status)
			return -1;
	}
	return fill_row(d, c, cut, batch, row);
}

/* A control line that says nothing is a bad record. */
static void bad_control(struct decoder *d, uint32_t i, struct records *records, const char *why)
{
	uint32_t row = records->batch->n++;
	d->begun = true;
	cutter_place(&((struct changelog *)d->state)->cutter, i, d, records, row);
	record_bad(records, row, NULL, "%s", why);
	if (records->batch->kind)
		records->batch->kind[row] = K_I;
}

/* A line that begins with @. DECODE_ROWS: go on. */
static enum decode take_control(struct decoder *d, uint32_t i, struct records *records, struct control *control)
{
	struct changelog *log = d->state;
	const struct cut *cut = &log->cutter.cut[i];
	struct control_line line = control_begin(log->cutter.p + cut->begin, cut->end - cut->begin);
	bool head = line.word == W_NAMES || line.word == W_KEY || line.word == W_KINDS, time = line.word == W_WM || line.word == W_PT;
	log->held = NO_ROW;
	if (cutter_too_long(&log->cutter, i, d)) {
		bad_control(d, i, records, why_long);
	} else if (head && d->begun) {
		if (!records->batch->n)
			err_set(d->err, ERR_FAILED, "a line @names, @key or @kinds behind the first record");
		return DECODE_FAILED;
	} else if (time && control_number(line, &control->value)) {
		control->kind = line.word == W_WM ? C_WM : C_PT;
		return DECODE_CONTROL;
	} else if (!head) {
		bad_control(d, i, records, time ? "no time in milliseconds behind @wm or @pt" : "unknown control line");
	}
	return DECODE_ROWS;
}

/* A -U in the last row waits for the next line: it is given back, unless the file has ended or what follows is a line too long to be one. */
static void give_back(struct decoder *d, const char *p, size_t n, struct records *records, size_t *used)
{
	struct changelog *log = d->state;
	uint32_t last = records->batch->n - 1;
	bool end = (d->eof && *used == n) || (n - *used > d->opt->max_line && !memchr(p + *used, '\n', n - *used));
	if (log->held == NO_ROW || log->held != last || end)
		return;
	records->batch->n = last;
	records->lines = records->at[last].line;
	*used = (size_t)(records->at[last].p - p);
}

static enum decode decode(struct decoder *d, const char *p, size_t n, struct records *records, size_t *used, struct control *control)
{
	struct changelog *log = d->state;
	struct cutter *c = &log->cutter;
	log->held = NO_ROW;
	log->key = NULL;
	*used = 0;
	while (records->batch->n < records->max) {
		int64_t took = cutter_next(c, d, p + *used, n - *used, records->max - records->batch->n, records);
		if (took < 0)
			return DECODE_FAILED;
		if (!took)
			break;
		for (uint32_t i = 0; i < c->n; i++) {
			if (c->p[c->cut[i].begin] != '@') {
				if (take_record(d, i, records))
					return DECODE_FAILED;
				continue;
			}
			enum decode status = take_control(d, i, records, control);
			if (status == DECODE_ROWS)
				continue;
			bool passed = status == DECODE_CONTROL;
			records->lines = c->cut[i].line + (passed && c->p[c->cut[i].next - 1] == '\n');
			*used += passed ? c->cut[i].next : c->cut[i].begin;
			return !passed && records->batch->n ? DECODE_ROWS : status; /* rows go out first, then the line is seen again */
		}
		*used += (size_t)took;
	}
	give_back(d, p, n, records, used);
	return DECODE_ROWS;
}

const struct format changelog_format = {
	.name = "changelog",
	.help = "what weir writes: a kind, TAB, fields; \\N is NULL",
	.more = "Lines that begin with @ are control lines, @names and @key among them. A stream\n"
		"without -U is read with --upsert KEYS.\n",
	.traits = F_NAMES_ALLOWED | F_KINDS | F_CONTROL,
	.state_size = sizeof(struct changelog),
	.head = changelog_head,
	.open = open,
	.decode = decode,
};
