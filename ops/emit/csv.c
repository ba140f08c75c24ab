/* -o csv: RFC 4180 with LF. NULL is an empty field, the empty text is "", and a field is quoted only where it must be: reading it gives back
 * the same values. The kind is the first field, named op, unless the result alone is wanted. */
#include "ops/emit/emit.h"
#include "ops/emit/text.h"

/* Empty text must not look like NULL. */
static bool must_quote(const char *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (p[i] == ',' || p[i] == '"' || p[i] == '\n' || p[i] == '\r')
			return true;
	return n == 0;
}

/* Bytes as they are, or as a terminal may see them. */
static void put_bytes(struct emitter *emitter, const char *p, size_t n)
{
	struct buf *buf = &emitter->out->buf;
	const struct escape *escape = emitter->state;
	if (!escape->any) {
		buf_put(buf, p, n);
		return;
	}
	char *to = buf_room(buf, n * ESCAPE_GROWTH);
	if (to)
		buf->n = (size_t)(escape_write(escape, to, p, (uint32_t)n) - buf->p);
}

static void put_text(struct emitter *emitter, const char *p, uint32_t n)
{
	struct buf *buf = &emitter->out->buf;
	if (!must_quote(p, n)) {
		put_bytes(emitter, p, n);
		return;
	}
	buf_putc(buf, '"');
	for (const char *end = p + n, *next; p < end; p = next) {
		const char *quote = memchr(p, '"', (size_t)(end - p));
		next = quote ? quote + 1 : end;
		put_bytes(emitter, p, (size_t)(next - p));
		if (quote)
			buf_putc(buf, '"');
	}
	buf_putc(buf, '"');
}

static void put_cell(struct emitter *emitter, const struct value *v)
{
	if (v->type == V_NULL)
		return;
	char scratch[TIME_TEXT_MAX];
	const char *p;
	uint32_t n = emit_print(emitter, v, scratch, &p);
	put_text(emitter, p, n);
}

static int end_line(struct emitter *emitter)
{
	buf_putc(&emitter->out->buf, '\n');
	return emit_push(emitter);
}

static int begin(struct emitter *emitter)
{
	struct buf *buf = &emitter->out->buf;
	escape_init(emitter->state, "", emitter->opt->terminal);
	if (!emit_names(emitter))
		return 0;
	if (!emitter->opt->final)
		buf_puts(buf, "op,");
	for (uint32_t c = 0; c < emitter->shown->n; c++) {
		if (c)
			buf_putc(buf, ',');
		put_text(emitter, emitter->shown->col[c].name, emitter->shown->col[c].len);
	}
	return end_line(emitter);
}

static int rows(struct emitter *emitter, const struct batch *batch)
{
	struct buf *buf = &emitter->out->buf;
	bool kinds = !emitter->opt->final;
	for (uint32_t r = 0; r < batch->n; r++) {
		bool comma = kinds;
		if (kinds)
			buf_put(buf, text_kinds[batch_kind(batch, r) & K_MASK], 2);
		for (uint32_t c = 0; c < batch->ncol; c++) {
			const struct value *v = &batch->col[c].v[r];
			uint32_t n = v->type == V_ROW ? v->len : 1;
			for (const struct value *cell = v->type == V_ROW ? v->u.row : v; n--; cell++) {
				if (comma)
					buf_putc(buf, ',');
				put_cell(emitter, cell);
				comma = true;
			}
		}
		if (end_line(emitter))
			return -1;
	}
	return 0;
}

const struct emit_type csv_emit = {
	.name = "csv",
	.help = "a line of names first; NULL is empty, empty text is \"\"",
	.more = "Quotes where they are needed (RFC 4180). A row of one NULL is an empty line,\n"
		"which readers skip.\n",
	.traits = E_NAMES | E_NAMES_ALLOWED,
	.state_size = sizeof(struct escape),
	.begin = begin,
	.rows = rows,
};
