#include "ops/emit/line.h"

#include "core/number_word.h"

enum {
	MARKS = 16,                   /* room for all marks around one cell, and what a mark is copied beyond its end */
	CELL = VALUE_TEXT_MAX + MARKS /* room for the usual cell, a short one */
};

static inline char *put_mark(char *to, const struct mark *mark)
{
	memcpy(to, mark->text, sizeof mark->text);
	return to + mark->len;
}

/* `to` is the end of what was written; gives it back with room for `need` bytes behind it. NULL if memory is refused. */
static inline char *room(struct buf *buf, char *to, size_t need)
{
	if (need <= buf->cap - (size_t)(to - buf->p))
		return to;
	buf->n = (size_t)(to - buf->p);
	return buf_room(buf, need);
}

/* A batch, and of each column the words of its numbers (number_words) or NULL. */
struct rows {
	const struct batch *batch;
	const uint64_t **word;
};

static inline bool is_text(const struct value *v)
{
	return v->type == V_RAW || v->type == V_TEXT || v->type == V_BIG;
}

/* A pattern of --time-format may give any bytes. */
static char *put_time(const struct line *line, struct buf *buf, char *to, int64_t time, size_t rest)
{
	char text[TIME_TEXT_MAX];
	uint32_t len = time_print(time, line->style, text);
	to = room(buf, to, (size_t)len * ESCAPE_GROWTH + MARKS + rest);
	return to ? escape_write(&line->escape, to, text, len) : NULL;
}

/* The cells that are rare or long: those that put_cell does not write itself. */
static char *put_other(const struct line *line, struct buf *buf, char *to, const struct value *v, size_t rest)
{
	if (v->type == V_NULL)
		return put_mark(to, &line->null);
	if (is_text(v) && text_escapes(&line->escape, v)) {
		to = room(buf, to, (size_t)v->len * ESCAPE_GROWTH + MARKS + rest);
		return to ? escape_write(&line->escape, to, v->u.p, v->len) : NULL;
	}
	if (v->type == V_TIME)
		return put_time(line, buf, to, v->u.i, rest);
	char scratch[VALUE_TEXT_MAX];
	const char *text;
	uint32_t len = value_print(v, scratch, &text);
	to = room(buf, to, (size_t)len + MARKS + rest);
	return to ? text_copy(to, text, len) : NULL;
}

/* A cell. There is room for CELL bytes at `to` and for `rest` more. Inlined in both loops: a call for each cell costs a tenth of a line. */
static inline __attribute__((always_inline)) char *put_cell(const struct line *line, struct buf *buf, char *to, const struct value *v, size_t rest)
{
	if (number_in_word(v))
		return number_put(v, to);
	if (is_text(v) && v->len <= VALUE_TEXT_MAX && !text_escapes(&line->escape, v))
		return text_copy(to, v->u.p, v->len);
	return put_other(line, buf, to, v, rest);
}

/* A whole record; `rest` as there. */
static __attribute__((noinline)) char *put_record(const struct line *line, struct buf *buf, char *to, const struct value *v, size_t rest)
{
	const struct value *cell = v->u.row, *end = cell + v->len;
	to = room(buf, to, v->len * (size_t)CELL + rest);
	for (; to && cell < end; cell++) {
		if (cell > v->u.row)
			to = put_mark(to, &line->sep);
		to = put_cell(line, buf, to, cell, (size_t)(end - cell) * CELL + rest);
	}
	return to;
}

/* The words of columns that begin with a number, in the batch's memory; NULL where there are none. NULL if memory is refused. */
static const uint64_t **words_of(const struct batch *batch)
{
	const uint64_t **words = arena_alloc(batch->mem, batch->ncol * sizeof *words);
	for (uint32_t c = 0; words && c < batch->ncol; c++) {
		const struct value *v = batch->col[c].v;
		words[c] = NULL;
		if (v->type != V_DEC)
			continue;
		uint64_t *word = arena_alloc(batch->mem, batch->n * sizeof *word);
		if (!word)
			return NULL;
		if (number_words(v, batch->n, word))
			words[c] = word;
	}
	return words;
}

/* The cells of a row. There is room for CELL bytes for each column and MARKS more; a cell that takes more makes room for itself and all behind it. */
static inline char *put_row(const struct line *line, struct buf *buf, char *to, const struct rows *rows, uint32_t row)
{
	const struct batch *batch = rows->batch;
	const struct mark *mark = &line->first;
	size_t rest = batch->ncol * (size_t)CELL + MARKS;
	for (const struct column *col = batch->col, *end = col + batch->ncol; to && col < end; col++) {
		const struct value *v = &col->v[row];
		rest -= CELL;
		if (v->type == V_ROW && !v->len)
			continue;
		to = put_mark(to, mark);
		mark = &line->sep;
		const uint64_t *word = rows->word[col - batch->col];
		if (word && number_in_word(v))
			to = number_put_word(v, word[row], to);
		else
			to = v->type == V_ROW ? put_record(line, buf, to, v, rest) : put_cell(line, buf, to, v, rest);
	}
	return to;
}

int line_rows(struct emitter *emitter, const struct line *line, const struct batch *batch)
{
	struct buf *buf = &emitter->out->buf;
	if (!batch->n)
		return 0;
	struct rows rows = { batch, words_of(batch) };
	char *to = rows.word ? buf_room(buf, MARKS) : NULL;
	for (uint32_t r = 0; r < batch->n; r++) {
		to = to ? room(buf, to, batch->ncol * (size_t)CELL + MARKS) : NULL;
		if (to && line->kinds) {
			memcpy(to, text_kinds[batch_kind(batch, r) & K_MASK], 2);
			to = put_mark(to + 2, &line->lead);
		}
		if (to)
			to = put_row(line, buf, to, &rows, r);
		if (!to)
			return err_memory(emitter->err);
		to = put_mark(to, &line->close);
		buf->n = (size_t)(to - buf->p);
		if (emit_push(emitter))
			return -1;
		to = buf->p + buf->n;
	}
	return 0;
}

int line_names(struct emitter *emitter, const struct line *line, const char *first, const uint32_t *index, uint32_t n)
{
	struct buf *buf = &emitter->out->buf;
	if (first)
		buf_puts(buf, first);
	for (uint32_t i = 0; i < n; i++) {
		const struct schema_column *col = &(index ? emitter->in->schema : emitter->shown)->col[index ? index[i] : i];
		if (first || i)
			buf_putc(buf, '\t');
		char *to = buf_room(buf, (size_t)col->len * ESCAPE_GROWTH);
		if (to)
			buf->n = (size_t)(escape_write(&line->escape, to, col->name, col->len) - buf->p);
	}
	buf_putc(buf, '\n');
	return emit_push(emitter);
}
