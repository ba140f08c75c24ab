#include "parse/source.h"

#include <string.h>

#include "parse/source_parts.h"

/* ---- files -------------------------------------------------------------------------------- */

/* Looks at the first bytes of the file at work; with -z a compressed one is unpacked from now on. */
static enum head_status find_packing(struct source *s)
{
	struct lane *in = s->in;
	struct reader *r = &in->reader;
	bool more;
	const struct packing *by = packing_find(reader_at(r), reader_left(r), r->eof, &more);
	if (more)
		return HEAD_MORE;
	in->known = true;
	if (!by)
		return HEAD_DONE;
	return reader_unpack(r, by, s->err) ? HEAD_FAILED : HEAD_MORE;
}

/* Goes on reading the head of the file at work, opening it if need be: HEAD_MORE if bytes are missing. Behind it the records begin. */
enum head_status source_enter(struct source *s)
{
	struct lane *in = s->in;
	struct source_file *file = in->file;
	struct reader *r = &in->reader;
	if (r->fd < 0) {
		if (source_open_file(s, file))
			return HEAD_FAILED;
		reader_start(r, file->fd, file->name, file->regular);
	}
	enum head_status packing = s->opt.unpack && !in->known ? find_packing(s) : HEAD_DONE;
	if (packing != HEAD_DONE)
		return packing;
	arena_reset(&in->file_mem);
	schema_init(&in->names, SCHEMA_CLOSED, &in->file_mem);
	in->head = (struct head){ .names = &in->names };
	size_t used;
	bool nothing = r->eof && !reader_left(r);
	enum head_status status = source_read_head(s, file->name, reader_at(r), reader_left(r), r->eof, &in->head, &used);
	if (status != HEAD_DONE)
		return status;
	bool names = format_header(&s->opt.input) || s->opt.input.format->traits & F_HEAD;
	nothing |= names && source_has_head(s) && !in->names.n && r->eof && used == reader_left(r);
	if (!s->seen && !nothing && source_adopt(s, &in->head))
		return HEAD_FAILED;
	r->at += used;
	in->line += in->head.lines;
	in->entered = true;
	if (s->started && !nothing && source_begin_records(s))
		return HEAD_FAILED;
	return HEAD_DONE;
}

/* ---- blocks ------------------------------------------------------------------------------- */

enum work {
	WORK_ROWS,
	WORK_CONTROL, /* `held` is to be told */
	WORK_MORE,    /* bytes are missing */
	WORK_AGAIN,   /* something was done, but nothing came out */
	WORK_FAILED,
};

static int too_many(struct source *s)
{
	return err_set(s->err, ERR_FAILED, "more than %llu bad record%s (--max-bad)", (unsigned long long)s->opt.max_bad, s->opt.max_bad == 1 ? "" : "s");
}

/* Is the line at the front longer than --max-line, and its end not in sight? */
static bool endless(const struct source *s)
{
	const struct reader *r = &s->in->reader;
	size_t most = s->opt.input.max_line + 1;
	return reader_left(r) >= most && !memchr(reader_at(r), '\n', most);
}

/* Passes over the rest of a line that is longer than --max-line. */
static enum work skip(struct source *s, bool begins)
{
	struct lane *in = s->in;
	struct reader *r = &in->reader;
	const char *p = reader_at(r), *lf = memchr(p, '\n', reader_left(r));
	size_t n = lf ? (size_t)(lf - p) + 1 : reader_left(r);
	bad_bytes(&s->bad, p, n, begins);
	r->at += n;
	in->line += lf != NULL;
	in->skipping = !lf;
	return lf ? WORK_AGAIN : WORK_MORE;
}

static enum work begin_skipping(struct source *s)
{
	s->bad.records++;
	s->in->decoder.begun = true;
	bad_add(&s->bad, s->in->file->name, s->in->line, &(struct record_bad){ .why = why_long });
	enum work work = skip(s, true);
	return s->bad.stopped ? WORK_FAILED : work;
}

/* Nothing came of the bytes in hand. */
static enum work stuck(struct source *s)
{
	if (s->in->reader.eof) {
		err_set(s->err, ERR_FAILED, "%s: the decoder leaves bytes behind", s->in->file->name);
		return WORK_FAILED;
	}
	if (endless(s))
		return begin_skipping(s);
	reader_looked(&s->in->reader);
	return WORK_MORE;
}

static enum work decode(struct source *s)
{
	struct lane *in = s->in;
	struct reader *r = &in->reader;
	struct control control = { .kind = C_NONE };
	size_t used;
	arena_reset(&s->scratch);
	s->batch.n = s->records.lines = 0;
	in->decoder.eof = r->eof;
	in->decoder.passed = reader_passed(r);
	if (s->filled != in && in->lacks)
		source_null_lacking(s);
	s->filled = in;
	enum decode status = in->decoder.type->decode(&in->decoder, reader_at(r), reader_left(r), &s->records, &used, &control);
	if (status == DECODE_FAILED) {
		unsigned long long line = in->line + s->records.lines;
		err_before(s->err, "%s:%llu", in->file->name, line);
		return WORK_FAILED;
	}
	if (s->batch.n) {
		source_hint(s);
		if (source_check(s)) {
			err_memory(s->err);
			return WORK_FAILED;
		}
		source_hint_count(s);
	}
	r->at += used;
	in->line += s->records.lines;
	if (status == DECODE_CONTROL && !s->bad.stopped && (control.kind != C_PT || s->opt.clock_input))
		s->held = control;
	if (s->batch.n)
		return WORK_ROWS;
	if (s->bad.stopped)
		return WORK_FAILED;
	if (s->held.kind)
		return WORK_CONTROL;
	return used ? WORK_AGAIN : stuck(s);
}

/* One step with the bytes in hand. */
static enum work go_on(struct source *s)
{
	struct reader *r = &s->in->reader;
	if (!s->in->entered) {
		enum head_status status = source_enter(s);
		return status == HEAD_MORE ? WORK_MORE : status == HEAD_FAILED ? WORK_FAILED : WORK_AGAIN;
	}
	if (r->eof && !reader_left(r)) {
		source_leave(s);
		return WORK_AGAIN;
	}
	if (s->in->skipping)
		return skip(s, false);
	if (r->eof || reader_has_line(r) || reader_left(r) > s->opt.input.max_line)
		return decode(s);
	return WORK_MORE;
}

static enum source_status fail(struct source *s)
{
	if (s->bad.stopped && !s->err->code)
		too_many(s);
	s->failed = true;
	return SOURCE_FAILED;
}

static enum source_status tell_control(struct source *s)
{
	s->control = s->held;
	s->held.kind = C_NONE;
	return SOURCE_CONTROL;
}

enum source_status source_next(struct source *s, struct batch **batch)
{
	if (s->failed || s->bad.stopped)
		return fail(s);
	if (s->held.kind)
		return tell_control(s);
	while (s->now < s->last) {
		switch (go_on(s)) {
		case WORK_ROWS:
			*batch = &s->batch;
			return SOURCE_ROWS;
		case WORK_CONTROL:
			return tell_control(s);
		case WORK_FAILED:
			return fail(s);
		case WORK_AGAIN:
			continue;
		case WORK_MORE:
			break;
		}
		enum read_status status = source_fill_lane(s);
		if (status == READ_FAILED || (status == READ_WAIT && bad_flush(&s->bad, s->err)))
			return fail(s);
		if (status == READ_WAIT)
			return SOURCE_BLOCK;
	}
	return SOURCE_END;
}

/* ---- set-up and questions ------------------------------------------------------------------ */

enum { CELLS_MAX = 1 << 18 }; /* of a batch: 4 MiB of values */

/* The cells of one column. */
static int open_column(struct source *s, struct column *column, unsigned need, uint32_t rows)
{
	*column = (struct column){ 0 };
	if (need)
		column->v = arena_alloc(s->plan, rows * sizeof *column->v);
	if (need & NEED_NUMBER)
		column->num = arena_alloc(s->plan, rows * sizeof *column->num);
	return (need && !column->v) || (need & NEED_NUMBER && !column->num) ? -1 : 0;
}

/* Rows of a batch: fewer where a row has many columns; an update is never cut in two. */
static uint32_t rows_at_once(const struct source *s, const uint8_t *need)
{
	uint32_t max = s->opt.batch_max && s->opt.batch_max < BATCH_MAX ? s->opt.batch_max : BATCH_MAX, columns = 1;
	for (uint32_t c = 0; c < s->schema.n; c++)
		columns += need[c] != 0;
	if (max > CELLS_MAX / columns)
		max = CELLS_MAX / columns;
	return max ? max < 2 && s->kinds ? 2 : max : 1;
}

static int open_batch(struct source *s, const uint8_t *need)
{
	uint32_t ncol = s->schema.n;
	uint32_t max = rows_at_once(s, need);
	uint8_t *copy = arena_alloc(s->plan, ncol);
	s->need = copy;
	s->batch = (struct batch){ .ncol = ncol, .mem = &s->scratch, .col = arena_alloc(s->plan, ncol * sizeof *s->batch.col) };
	s->records = (struct records){ .batch = &s->batch, .max = max };
	s->records.at = arena_alloc(s->plan, BATCH_MAX * sizeof *s->records.at);
	s->records.bad = arena_alloc(s->plan, BATCH_MAX * sizeof *s->records.bad);
	if (s->kinds)
		s->batch.kind = arena_alloc(s->plan, BATCH_MAX);
	if (s->stamp)
		s->batch.time = arena_alloc(s->plan, BATCH_MAX * sizeof *s->batch.time);
	if ((s->stamp && !s->batch.time) || !copy || !s->batch.col || !s->records.at || !s->records.bad || (s->kinds && !s->batch.kind))
		return -1;
	memset(s->records.bad, 0, BATCH_MAX * sizeof *s->records.bad);
	memcpy(copy, need, ncol);
	for (uint32_t i = 0; i < s->lanes; i++) {
		s->lane[i].pos = arena_alloc(s->plan, ncol * sizeof *s->lane[i].pos);
		s->lane[i].want = arena_alloc(s->plan, ncol * sizeof *s->lane[i].want);
		if (!s->lane[i].pos || !s->lane[i].want)
			return -1;
	}
	for (uint32_t c = 0; c < ncol; c++)
		if (open_column(s, &s->batch.col[c], need[c], max))
			return -1;
	return 0;
}

int source_start(struct source *s, const uint8_t *need)
{
	if (open_batch(s, need))
		return err_memory(s->err);
	s->started = true;
	return s->now < s->nfile && s->in->entered ? source_begin_records(s) : 0;
}

struct schema *source_schema(struct source *s)
{
	return &s->schema;
}

bool source_empty(const struct source *s)
{
	return source_has_head(s) && !s->seen && !s->named;
}

unsigned source_kinds(const struct source *s)
{
	return s->kinds;
}

const uint32_t *source_key(const struct source *s, uint32_t *n)
{
	*n = s->nkey;
	return s->key;
}

struct control source_control(const struct source *s)
{
	return s->control;
}

int source_finish(struct source *s, struct err *err)
{
	source_hint_end(s);
	int status = bad_finish(&s->bad, err);
	if (s->broken)
		status = err_set(err, ERR_FAILED, "%u input%s broke off: the rest is missing in the result", s->broken, s->broken == 1 ? "" : "s");
	return status;
}

void source_set_stamp(struct source *s, source_stamp *stamp, void *ctx)
{
	s->stamp = stamp;
	s->stamp_ctx = ctx;
}

struct source_place source_place(const struct source *s, uint32_t row)
{
	return (struct source_place){ s->in->file->name, s->in->line - s->records.lines + s->records.at[row].line };
}

struct source_amount source_amount(const struct source *s)
{
	struct source_amount amount = { 0 };
	bool known = true;
	for (uint32_t i = 0; i < s->lanes; i++)
		amount.bytes += reader_taken(&s->lane[i].reader);
	for (uint32_t i = 0; i < s->nfile; i++) {
		known &= s->file[i].regular;
		amount.size += s->file[i].size;
	}
	amount.size = known ? amount.size : 0;
	return amount;
}

uint64_t source_records(const struct source *s)
{
	return s->bad.records;
}

uint64_t source_bad(const struct source *s)
{
	return s->bad.bad;
}

void source_close(struct source *s)
{
	for (uint32_t i = 0; i < s->lanes; i++) {
		struct lane *lane = &s->lane[i];
		reader_release(&lane->reader);
		arena_release(&lane->file_mem);
		mem_free(s->mem, lane->decoder.state, lane->decoder.type->state_size);
	}
	for (uint32_t i = s->now; s->file && i < s->nfile; i++)
		source_close_file(&s->file[i]);
	bad_close(&s->bad);
	arena_release(&s->scratch);
	mem_free(s->mem, s, sizeof *s);
}
