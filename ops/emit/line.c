#include "ops/emit/line.h"

#include "core/number.h"

enum { MARKS = 16 /* room for all marks around one cell, and what a mark is copied beyond its end */ };

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

static inline char *put_text(const struct line *line, struct buf *buf, char *to, const struct value *v)
{
	if (text_escapes(&line->escape, v)) {
		to = room(buf, to, (size_t)v->len * ESCAPE_GROWTH + MARKS);
		return to ? escape_write(&line->escape, to, v->u.p, v->len) : NULL;
	}
	to = room(buf, to, (size_t)v->len + MARKS);
	return to ? text_copy(to, v->u.p, v->len) : NULL;
}

/* The cell, and after it at least MARKS bytes of room. */
static inline char *put_cell(const struct line *line, struct buf *buf, char *to, const struct value *v)
{
	if (v->type == V_RAW || v->type == V_TEXT || v->type == V_BIG)
		return put_text(line, buf, to, v);
	to = room(buf, to, VALUE_TEXT_MAX + MARKS);
	if (!to)
		return NULL;
	if (v->type == V_NULL)
		return put_mark(to, &line->null);
	if (v->type == V_DEC || v->type == V_DBL)
		return to + number_print(v, to);
	char scratch[VALUE_TEXT_MAX];
	const char *text;
	uint32_t len = value_print(v, scratch, &text);
	return text_copy(to, text, len);
}

static char *put_cells(const struct line *line, struct buf *buf, char *to, const struct value *v, uint32_t n)
{
	for (uint32_t i = 0; to && i < n; i++) {
		if (i)
			to = put_mark(to, &line->sep);
		to = put_cell(line, buf, to, &v[i]);
	}
	return to;
}

static char *put_row(const struct line *line, struct buf *buf, char *to, const struct batch *batch, uint32_t row)
{
	const struct mark *mark = &line->first;
	for (uint32_t c = 0; to && c < batch->ncol; c++) {
		const struct value *v = &batch->col[c].v[row];
		if (v->type == V_ROW && !v->len)
			continue;
		to = put_mark(to, mark);
		to = v->type == V_ROW ? put_cells(line, buf, to, v->u.row, v->len) : put_cell(line, buf, to, v);
		mark = &line->sep;
	}
	return to;
}

int line_rows(struct emitter *emitter, const struct line *line, const struct batch *batch)
{
	struct buf *buf = &emitter->out->buf;
	for (uint32_t r = 0; r < batch->n; r++) {
		char *to = buf_room(buf, MARKS);
		if (to && line->kinds) {
			memcpy(to, text_kinds[batch_kind(batch, r) & K_MASK], 2);
			to = put_mark(to + 2, &line->lead);
		}
		if (to)
			to = put_row(line, buf, to, batch, r);
		if (!to)
			return err_memory(emitter->err);
		to = put_mark(to, &line->close);
		buf->n = (size_t)(to - buf->p);
		if (emit_push(emitter))
			return -1;
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
