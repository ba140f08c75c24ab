#include "ops/emit/json_rows.h"

#include "ops/emit/json_text.h"
#include "ops/emit/text.h"
#include "parse/format/logfmt_pair.h"

/* ---- names --------------------------------------------------------------------------------- */

static void add_name(struct buf *names, const char *name, uint32_t len)
{
	char *to = buf_room(names, (size_t)len * JSON_GROWTH + 3);
	if (!to)
		return;
	to = json_put_string(to, name, len);
	*to++ = ':';
	names->n = (size_t)(to - names->p);
}

int json_rows_begin(struct emitter *emitter, const struct envelope envelope[4])
{
	struct json_rows *rows = emitter->state;
	const struct schema *shown = emitter->shown;
	rows->envelope = envelope;
	buf_init(&rows->names, emitter->mem);
	buf_init(&rows->scratch, emitter->mem);
	rows->nname = shown->n + 1;
	rows->name_at = mem_alloc(emitter->mem, rows->nname * sizeof *rows->name_at);
	if (!rows->name_at)
		return err_memory(emitter->err);
	for (uint32_t c = 0; c < shown->n; c++) {
		rows->name_at[c] = (uint32_t)rows->names.n;
		add_name(&rows->names, shown->col[c].name, shown->col[c].len);
	}
	rows->name_at[shown->n] = (uint32_t)rows->names.n;
	return rows->names.failed ? err_memory(emitter->err) : 0;
}

void json_rows_close(struct emitter *emitter)
{
	struct json_rows *rows = emitter->state;
	if (rows->name_at)
		mem_free(emitter->mem, rows->name_at, rows->nname * sizeof *rows->name_at);
	if (rows->names.mem) {
		buf_release(&rows->names);
		buf_release(&rows->scratch);
	}
}

/* ---- values -------------------------------------------------------------------------------- */

static void put_string(struct buf *buf, const char *p, uint32_t n)
{
	char *to = buf_room(buf, (size_t)n * JSON_GROWTH + 2);
	if (to)
		buf->n = (size_t)(json_put_string(to, p, n) - buf->p);
}

static void put_time(struct emitter *emitter, int64_t time)
{
	const struct time_style *style = emitter->opt->style;
	char text[TIME_TEXT_MAX];
	uint32_t len = time_print(time, style, text);
	if (style && (style->kind == STYLE_S || style->kind == STYLE_MS))
		buf_put(&emitter->out->buf, text, len);
	else
		put_string(&emitter->out->buf, text, len);
}

static void put_value(struct emitter *emitter, const struct value *v)
{
	struct buf *buf = &emitter->out->buf;
	char scratch[VALUE_TEXT_MAX];
	const char *p;
	uint32_t len;
	switch ((enum vtype)v->type) {
	case V_NULL:
		buf_put(buf, "null", 4);
		break;
	case V_TIME:
		put_time(emitter, v->u.i);
		break;
	case V_RAW:
		if (v->flags & VF_JSON || (!(v->flags & VF_QUOTED) && json_is_number(v->u.p, v->len)))
			buf_put(buf, v->u.p, v->len);
		else
			put_string(buf, v->u.p, v->len);
		break;
	case V_TEXT:
		put_string(buf, v->u.p, v->len);
		break;
	default:
		len = value_print(v, scratch, &p);
		buf_put(buf, p, len);
	}
}

/* ---- members ------------------------------------------------------------------------------- */

/* Between two members; no value ends with a brace that opens. */
static void put_comma(struct buf *buf)
{
	if (buf->n && buf->p[buf->n - 1] != '{')
		buf_putc(buf, ',');
}

static void put_column(struct emitter *emitter, uint32_t c, const struct value *v)
{
	const struct json_rows *rows = emitter->state;
	put_comma(&emitter->out->buf);
	buf_put(&emitter->out->buf, rows->names.p + rows->name_at[c], rows->name_at[c + 1] - rows->name_at[c]);
	put_value(emitter, v);
}

/* "c12": */
static void put_field_name(struct buf *buf, uint32_t number)
{
	char text[20], *end = text + sizeof text, *to = end;
	*--to = ':';
	*--to = '"';
	for (; number; number /= 10)
		*--to = (char)('0' + number % 10);
	*--to = 'c';
	*--to = '"';
	put_comma(buf);
	buf_put(buf, to, (size_t)(end - to));
}

static void put_fields(struct emitter *emitter, const struct value *row)
{
	for (uint32_t i = 0; i < row->len; i++) {
		put_field_name(&emitter->out->buf, i + 1);
		put_value(emitter, &row->u.row[i]);
	}
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* A record of json input: what stands between the braces of its text. Anything but an object is a column as others are. */
static void put_object(struct emitter *emitter, uint32_t c, const struct value *v)
{
	struct buf *buf = &emitter->out->buf;
	const char *p = v->u.p, *end = p + v->len;
	if (p == end || *p != '{') {
		put_column(emitter, c, v);
		return;
	}
	for (p++, end--; p < end && is_blank(*p);)
		p++;
	while (p < end && is_blank(end[-1]))
		end--;
	if (p == end)
		return;
	put_comma(buf);
	buf_put(buf, p, (size_t)(end - p));
}

static void put_pair(struct emitter *emitter, const struct logfmt_pair *pair)
{
	struct json_rows *rows = emitter->state;
	struct value v = value_raw(pair->value, pair->len);
	v.flags = (uint16_t)(pair->bare ? VF_JSON : pair->quoted ? VF_QUOTED : 0);
	if (pair->escaped) {
		rows->scratch.n = 0;
		char *text = buf_room(&rows->scratch, pair->len);
		int64_t len = text ? logfmt_unescape(pair->value, pair->len, text) : -1;
		if (len >= 0)
			v.u.p = text, v.len = (uint32_t)len;
	}
	put_comma(&emitter->out->buf);
	add_name(&emitter->out->buf, pair->key, pair->key_len);
	put_value(emitter, &v);
}

/* A record of logfmt input; it has been read before, so its pairs are well formed. An escape that is none, in a key that nobody read, stays as written. */
static void put_pairs(struct emitter *emitter, const struct value *v)
{
	const char *p = v->u.p, *why;
	struct logfmt_pair pair;
	while (logfmt_next(&p, v->u.p + v->len, &pair, &why) == LOGFMT_PAIR)
		put_pair(emitter, &pair);
}

static void put_cell(struct emitter *emitter, uint32_t c, const struct value *v)
{
	bool record = emitter->shown->col[c].type == T_RECORD && v->type == V_RAW;
	if (v->type == V_ROW)
		put_fields(emitter, v);
	else if (record && v->flags & VF_JSON)
		put_object(emitter, c, v);
	else if (record)
		put_pairs(emitter, v);
	else
		put_column(emitter, c, v);
}

/* ---- rows ---------------------------------------------------------------------------------- */

int json_rows(struct emitter *emitter, const struct batch *batch)
{
	const struct json_rows *rows = emitter->state;
	struct buf *buf = &emitter->out->buf;
	for (uint32_t r = 0; r < batch->n; r++) {
		unsigned kind = batch_kind(batch, r) & K_MASK;
		buf_puts(buf, rows->envelope[kind].head);
		for (uint32_t c = 0; c < batch->ncol; c++)
			put_cell(emitter, c, &batch->col[c].v[r]);
		buf_puts(buf, rows->envelope[kind].tail);
		buf_putc(buf, '\n');
		if (emit_push(emitter))
			return -1;
	}
	return rows->scratch.failed ? err_memory(emitter->err) : 0;
}
