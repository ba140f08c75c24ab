#include "parse/format/logformat.h"

#include "core/show.h"
#include "parse/format/field.h"
#include "parse/format/find.h"
#include "parse/format/logfmt_pair.h"

int log_schema(const struct log_shape *shape, struct schema *schema)
{
	for (uint32_t i = 0; i < shape->ncolumn; i++)
		if (schema_add(schema, shape->column[i].name, strlen(shape->column[i].name), T_RAW) < 0)
			return -1;
	return 0;
}

int log_open(struct decoder *d, const struct log_shape *shape)
{
	struct log_state *log = d->state;
	cutter_open(&log->cutter, '"', '"');
	log->shape = shape;
	log->part = arena_alloc(d->mem, (shape->nfield + LOG_SURPLUS) * sizeof *log->part);
	return log->part ? 0 : err_memory(d->err);
}

/* ---- where fields end ---------------------------------------------------------------------- */

/* A line on its way through the fields. */
struct walk {
	const char *base, *end;       /* of the piece; of the line */
	const uint32_t *quote, *last; /* quotes that are not passed: offsets from base */
	bool loose, dirty;            /* dirty: it may hold a backslash */
};

/* The first quote from p on, NULL if there is none. */
static inline const char *find_quote(struct walk *w, const char *p)
{
	while (w->quote < w->last && w->base + *w->quote < p)
		w->quote++;
	return w->quote < w->last ? w->base + *w->quote : NULL;
}

/* Behind the text, if it stands at p; else NULL. */
static inline const char *match(const struct walk *w, const char *p, const char *text, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (p >= w->end || *p != text[i])
			return NULL;
		p++;
		if (w->loose && text[i] == ' ')
			p = skip_blanks(p, w->end);
	}
	return p;
}

/* Does a backslash escape the byte at p? */
static bool escaped(const char *begin, const char *p)
{
	const char *from = p;
	while (from > begin && from[-1] == '\\')
		from--;
	return (p - from) & 1;
}

/* Is [p, stop) the whole field, though more might belong to it? */
static bool is_whole(const struct log_field *f, const char *p, const char *stop, const char *end)
{
	if (f->doubt == LOG_REQUEST)
		return request_split(p, (uint32_t)(stop - p)).method.p;
	bool comma = stop > p && stop[-1] == ',', behind_colon = stop - p >= 2 && !memcmp(stop - 2, " :", 2);
	return !comma && !behind_colon && !(end - stop >= 3 && !memcmp(stop, " : ", 3));
}

/* The end of a LOG_TEXT field; if none is certain, the first that is possible. */
static const char *text_end(const struct walk *w, const struct log_field *f, const char *p, const char **behind)
{
	const char *maybe = NULL;
	for (const char *stop = find_byte(p, w->end, *f->behind); stop; stop = find_byte(stop + 1, w->end, *f->behind)) {
		*behind = match(w, stop, f->behind, f->nbehind);
		if (*behind && (f->doubt == LOG_SURE || is_whole(f, p, stop, w->end)))
			return stop;
		if (*behind && !maybe)
			maybe = stop;
	}
	*behind = maybe ? match(w, maybe, f->behind, f->nbehind) : NULL;
	return maybe;
}

/* The first quote from p on that no backslash escapes. */
static inline const char *closing_quote(struct walk *w, const char *p)
{
	const char *quote = find_quote(w, p);
	while (quote && w->dirty && escaped(p, quote))
		quote = find_quote(w, quote + 1);
	return quote;
}

/* The end of the field that begins at p, NULL if there is none; *behind: what follows the text there, NULL if that text is another. */
static inline const char *field_end(struct walk *w, const struct log_field *f, const char *p, const char **behind)
{
	const char *stop;
	switch (f->end) {
	case LOG_TEXT:
		return text_end(w, f, p, behind);
	case LOG_FIRST:
		stop = find_byte(p, w->end, *f->behind);
		break;
	case LOG_QUOTE:
		stop = closing_quote(w, p);
		break;
	case LOG_BLANK:
		stop = find_byte(p, w->end, ' ');
		stop = stop ? stop : w->end;
		break;
	case LOG_WIDTH:
		stop = (size_t)(w->end - p) < f->width ? NULL : p + f->width;
		break;
	default:
		stop = (size_t)(w->end - p) < f->nbehind ? NULL : w->end - f->nbehind;
	}
	*behind = stop ? match(w, stop, f->behind, f->nbehind) : NULL;
	return stop;
}

/* ---- cutting a line ------------------------------------------------------------------------ */

/* What is wrong with a line: the field (NULL: the text before the first), where it begins and ends (NULL: not found), and if its text is there. */
struct wrong {
	const struct log_field *field;
	const char *p, *stop, *behind;
};

static void say_bad(const struct log_shape *shape, struct wrong wrong, const char *end, struct records *records, uint32_t row)
{
	const struct log_field *f = wrong.field;
	char text[40 * SHOW_MOST + 1];
	const char *behind = f ? f->behind : shape->head;
	uint32_t n = f ? f->nbehind : shape->nhead;
	show(text, sizeof text, behind, n < 40 ? n : 40);
	if (!f)
		record_bad(records, row, NULL, "the line does not begin with '%s'", text);
	else if (!wrong.stop && wrong.p == end)
		record_bad(records, row, NULL, "the line ends before %s", f->name);
	else if (!wrong.stop && f->end == LOG_QUOTE)
		record_bad(records, row, f->name, "a quote is never closed");
	else if (!wrong.behind)
		record_bad(records, row, f->name, "no '%s' behind it", text);
	else
		record_bad(records, row, f->name, "text behind it, where the line should end");
}

/* Cuts the line that begins at p into fields. False if it is bad: *wrong says why. */
static inline bool cut_line(struct walk *w, const struct log_shape *shape, const char *p, struct piece *part, struct wrong *wrong)
{
	const char *stop = NULL;
	p = match(w, w->loose ? skip_blanks(p, w->end) : p, shape->head, shape->nhead);
	if (!p) {
		*wrong = (struct wrong){ 0 };
		return false;
	}
	const struct log_field *f = shape->field, *last = f + shape->nfield;
	for (const char *behind; f < last; f++, part++, p = behind) {
		stop = field_end(w, f, p, &behind);
		if (!behind) {
			*wrong = (struct wrong){ f, p, stop, NULL };
			return false;
		}
		*part = (struct piece){ p, (uint32_t)(stop - p) };
	}
	if (p == w->end || (shape->surplus && *p == ' '))
		return true;
	*wrong = (struct wrong){ f - 1, p, stop, p };
	return false;
}

/* Up to LOG_SURPLUS fields behind the last one: nothing is wrong with them. */
static void cut_surplus(struct walk *w, const char *p, struct piece *part)
{
	for (int i = 0; i < LOG_SURPLUS; i++) {
		p = skip_blanks(p, w->end);
		part[i] = (struct piece){ 0 };
		if (p == w->end)
			continue;
		bool quoted = *p == '"';
		const char *begin = p + quoted, *stop = quoted ? closing_quote(w, begin) : find_byte(begin, w->end, ' ');
		if (!stop)
			stop = w->end;
		part[i] = (struct piece){ begin, (uint32_t)(stop - begin) };
		p = stop + (quoted && stop < w->end);
	}
}

/* ---- from fields to values ----------------------------------------------------------------- */

/* Resolves \" and \\, in place. */
static uint32_t unescape(char *p, uint32_t len)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < len; i++) {
		i += p[i] == '\\' && i + 1 < len && (p[i + 1] == '"' || p[i + 1] == '\\');
		p[n++] = p[i];
	}
	return n;
}

/* Resolves the escapes of a field that has some, in batch memory. 0, or -1 if memory is refused. A field that cannot be read makes the row bad. */
static int resolve(const struct log_shape *shape, uint32_t field, struct piece *part, struct records *records, uint32_t row)
{
	char *copy = arena_copy(records->batch->mem, part->p, part->len);
	if (!copy)
		return -1;
	int64_t n = shape->escape == LOG_JSON ? logfmt_unescape(part->p, part->len, copy) : unescape(copy, part->len);
	if (n < 0)
		record_bad(records, row, shape->field[field].name, "an escape that is none in the field");
	*part = (struct piece){ copy, n < 0 ? 0 : (uint32_t)n };
	return 0;
}

static struct piece behind(struct piece part, char c, bool itself)
{
	const char *at = (c == ':' ? find_last : find_byte)(part.p, part.p + part.len, c);
	if (!at)
		return (struct piece){ 0 };
	at += !itself;
	return (struct piece){ at, (uint32_t)(part.p + part.len - at) };
}

/* The request that was split last, and its field + 1. */
struct split {
	struct request request;
	uint32_t field;
};

static struct piece piece_of(const struct log_column *column, struct piece part, struct split *split)
{
	struct piece from, whole = part;
	if (column->piece >= LOG_METHOD && column->piece <= LOG_PROTO && split->field != column->field + 1)
		*split = (struct split){ request_split(part.p, part.len), column->field + 1 };
	switch (column->piece) {
	case LOG_METHOD: return split->request.method;
	case LOG_URL: return split->request.url;
	case LOG_PATH: return split->request.path;
	case LOG_QUERY: return split->request.query;
	case LOG_PROTO: return split->request.proto;
	case LOG_FROM: return behind(part, column->at, true);
	case LOG_BEHIND: return behind(part, column->at, false);
	case LOG_BEFORE:
		from = behind(part, column->at, true);
		whole.len -= from.len;
		return whole;
	case LOG_WHOLE: break;
	}
	return whole;
}

/* The value of a piece of a field. */
static struct value value_of(const struct decoder *d, const struct log_shape *shape, uint32_t field, struct piece piece, unsigned flags)
{
	bool dash = piece.len == 1 && *piece.p == '-' && !(field < shape->nfield && shape->field[field].dash);
	if (!piece.p || dash || (!piece.len && shape->empty_null))
		return value_null();
	return field_value(d->opt, piece.p, piece.len, flags);
}

/* The cells of one line, whose fields were cut. 0, or -1 if memory is refused. */
static int fill_row(const struct decoder *d, const struct log_state *log, unsigned flags, struct records *records, uint32_t row)
{
	const struct log_shape *shape = log->shape;
	struct split split = { .field = 0 };
	bool escapes = log->cutter.dirty && shape->escape != LOG_AS_IS;
	uint32_t resolved = 0; /* fields before this one: wanted columns rise, and so do their fields */
	for (uint32_t w = 0; w < d->nwant; w++) {
		const struct log_column *column = &shape->column[d->want[w].pos];
		uint32_t field = column->field;
		struct piece *part = &log->part[field];
		if (escapes && part->p && field >= resolved && memchr(part->p, '\\', part->len) && resolve(shape, field, part, records, row))
			return -1;
		resolved = field + 1;
		struct piece piece = part->p ? piece_of(column, *part, &split) : (struct piece){ 0 };
		records->batch->col[d->want[w].col].v[row] = value_of(d, shape, field, piece, flags);
	}
	return 0;
}

int log_fill(const struct decoder *d, struct cutter *c, struct records *records)
{
	const struct log_state *log = d->state;
	const struct log_shape *shape = log->shape;
	bool surplus = d->nwant && shape->column[d->want[d->nwant - 1].pos].field >= shape->nfield;
	for (uint32_t i = 0; i < c->n; i++) {
		const struct cut *cut = &c->cut[i];
		const uint32_t *quote = c->pos + cut->first;
		struct walk w = { c->p, c->p + cut->end, quote, quote + cut->nsep, shape->loose, c->dirty };
		struct wrong wrong;
		uint32_t row = records->batch->n + i;
		if (!cut_line(&w, shape, c->p + cut->begin, log->part, &wrong)) {
			say_bad(shape, wrong, w.end, records, row);
			continue;
		}
		if (surplus) {
			const struct piece *last = &log->part[shape->nfield - 1];
			cut_surplus(&w, last->p + last->len + shape->field[shape->nfield - 1].nbehind, &log->part[shape->nfield]);
		}
		if (fill_row(d, log, cutter_flags(c), records, row))
			return err_memory(d->err);
	}
	return 0;
}
