#include "ops/emit/live_record.h"

#include <string.h>

void live_record_begin(struct live_record *record, const struct input_options *input, struct arena *mem, struct err *err)
{
	record->opt = *input;
	if (input->format->traits & F_KINDS) /* records of an envelope are JSON */
		record->opt.format = format_find("json", 4);
	record->mem = mem;
	schema_init(&record->schema, SCHEMA_PATHS, mem);
	record->decoder = (struct decoder){ .type = record->opt.format, .opt = &record->opt, .schema = &record->schema, .mem = mem, .row_col = -1, .eof = true, .err = err };
}

int live_record_open(struct live_record *record, const uint8_t *need)
{
	struct decoder *d = &record->decoder;
	struct want *want = arena_alloc(record->mem, (record->schema.n ? record->schema.n : 1) * sizeof *want);
	d->state = arena_alloc(record->mem, d->type->state_size);
	if (!want || !d->state)
		return err_memory(d->err);
	for (uint32_t c = 0; c < record->schema.n; c++) {
		if (need[c] && record->schema.col[c].type == T_RECORD)
			d->row_col = (int)c;
		else if (need[c])
			want[d->nwant++] = (struct want){ c, c };
	}
	d->want = want;
	memset(d->state, 0, d->type->state_size);
	return d->type->open(d);
}

/* The texts as a file would have them: a line each. NULL if memory is refused. */
static const char *join(const struct batch *batch, const struct value *text, size_t *n)
{
	*n = 0;
	for (uint32_t r = 0; r < batch->n; r++)
		*n += text[r].len + 1;
	char *lines = arena_alloc(batch->mem, *n), *at = lines;
	for (uint32_t r = 0; lines && r < batch->n; r++) {
		memcpy(at, text[r].u.p, text[r].len);
		at += text[r].len;
		*at++ = '\n';
	}
	return lines;
}

static int make_columns(const struct live_record *record, const struct batch *batch, struct batch *out)
{
	uint32_t ncol = record->schema.n;
	*out = *batch;
	out->n = 0;
	out->ncol = ncol;
	out->col = arena_alloc(batch->mem, (ncol ? ncol : 1) * sizeof *out->col);
	if (!out->col)
		return -1;
	for (uint32_t c = 0; c < ncol; c++) {
		out->col[c] = (struct column){ .v = arena_alloc(batch->mem, batch->n * sizeof(struct value)) };
		if (!out->col[c].v)
			return -1;
		memset(out->col[c].v, 0, batch->n * sizeof(struct value));
	}
	return 0;
}

int live_record_read(struct live_record *record, const struct batch *batch, uint32_t text, struct batch *out)
{
	struct decoder *d = &record->decoder;
	struct record_at at[BATCH_MAX];
	struct record_bad bad[BATCH_MAX] = { 0 };
	struct control control;
	size_t n, used;
	const char *lines = join(batch, batch->col[text].v, &n);
	if (!lines || make_columns(record, batch, out))
		return err_memory(d->err);
	struct records records = { .batch = out, .max = batch->n, .at = at, .bad = bad };
	while (out->n < batch->n) {
		if (d->type->decode(d, lines, n, &records, &used, &control) == DECODE_FAILED)
			return -1;
		if (!used)
			break;
		lines += used;
		n -= used;
	}
	out->n = batch->n;
	for (uint32_t r = 0; r < batch->n; r++)
		for (uint32_t c = 0; bad[r].why && c < out->ncol; c++)
			out->col[c].v[r] = value_null();
	return 0;
}
