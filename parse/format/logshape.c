#include "parse/format/logshape.h"

#include <stdio.h>
#include <string.h>

/* ---- texts of configurations --------------------------------------------------------------- */

int config_text_init(struct config_text *text, const struct shaper *shaper)
{
	size_t room = strlen(shaper->in->spec) + 1;
	*text = (struct config_text){ .p = arena_alloc(shaper->mem, room), .at = arena_alloc(shaper->mem, room * sizeof *text->at) };
	return text->p && text->at ? 0 : err_memory(shaper->err);
}

void config_text_add(struct config_text *text, const char *spec, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		char c = spec[i], next = c == '\\' && i + 1 < to ? spec[i + 1] : '\0';
		text->at[text->n] = (uint32_t)i;
		if (next == '\n') {
			i++;
			continue;
		}
		if (next == '"' || next == '\'' || next == '\\' || next == 't') {
			c = next == 't' ? '\t' : next;
			i++;
		}
		text->p[text->n++] = c;
	}
	text->at[text->n] = (uint32_t)to;
	text->p[text->n] = '\0';
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

void config_text_all(struct config_text *text, const char *spec)
{
	size_t from = 0, to = strlen(spec);
	while (from < to && is_space(spec[from]))
		from++;
	while (to > from && is_space(spec[to - 1]))
		to--;
	config_text_add(text, spec, from, to);
}

const char *config_quote_end(const char *p)
{
	char quote = *p++;
	for (; *p && *p != quote; p++)
		p += *p == '\\' && p[1];
	return *p ? p : NULL;
}

/* ---- items and what stands between --------------------------------------------------------- */

int shaper_init(struct shaper *s, struct input_options *in, struct arena *mem, struct err *err)
{
	size_t most = strlen(in->spec); /* an item takes two bytes and gives at most 6 columns; a byte of text, or a bracket that %t implies, takes one */
	*s = (struct shaper){ .in = in, .mem = mem, .err = err };
	s->shape = arena_alloc(mem, sizeof *s->shape);
	s->field = arena_alloc(mem, (most / 2 + 1) * sizeof *s->field);
	s->place = arena_alloc(mem, (most / 2 + 1) * sizeof *s->place);
	s->column = arena_alloc(mem, (most * 3 + 1) * sizeof *s->column);
	s->text = arena_alloc(mem, most + 1);
	if (!s->shape || !s->field || !s->place || !s->column || !s->text)
		return err_memory(err);
	*s->shape = (struct log_shape){ .head = "", .field = s->field, .column = s->column };
	snprintf(s->flag, sizeof s->flag, "-f %s", in->format->name);
	return 0;
}

struct span shaper_span(const struct shaper *s, size_t at, size_t len)
{
	return (struct span){ s->flag, s->in->spec, at, len };
}

int shaper_text(struct shaper *s, char c, size_t at)
{
	struct log_shape *shape = s->shape;
	struct log_field *last = shape->nfield ? &s->field[shape->nfield - 1] : NULL;
	char *to = s->text + s->ntext++;
	if (c == '\n' || c == '\r')
		return err_at(s->err, shaper_span(s, at, 1), "a line end inside the format; a record is one line");
	*to = c;
	s->quoted ^= c == '"';
	if (last && !last->nbehind++)
		last->behind = to;
	else if (!last && !shape->nhead++)
		shape->head = to;
	return 0;
}

static void add_column(struct shaper *s, const char *name, enum log_piece piece, char at)
{
	s->column[s->shape->ncolumn++] = (struct log_column){ name, s->shape->nfield - 1, piece, at };
}

/* An item right behind another one: both are pieces of one field. */
static int follow(struct shaper *s, const struct log_item *item, size_t at, size_t len)
{
	struct shaper_place *place = &s->place[s->shape->nfield - 1];
	struct log_column *before = &s->column[s->shape->ncolumn - 1];
	place->len = at + len - place->at;
	if (!item->lead || before->piece != LOG_WHOLE)
		return err_at(s->err, shaper_span(s, place->at, place->len), "nothing stands between the two: where one ends cannot be seen");
	before->piece = LOG_BEFORE;
	before->at = item->lead;
	add_column(s, item->name, item->lead == '?' ? LOG_BEHIND : LOG_FROM, item->lead);
	return 0;
}

/* The first time of the record is its event time; its column, which was added last, is not the first of that name if the server's own words gave it before. */
static int set_time(struct shaper *s, const struct log_item *item)
{
	uint32_t same = 0;
	for (uint32_t i = 0; i < s->shape->ncolumn; i++)
		same += !strcmp(s->column[i].name, item->name);
	char name[40];
	int n = same > 1 ? snprintf(name, sizeof name, "%s_%u", item->name, same) : 0;
	s->in->time = n ? arena_copy(s->mem, name, (size_t)n) : item->name;
	s->in->time_stamp = item->stamp;
	return s->in->time ? 0 : err_memory(s->err);
}

int shaper_item(struct shaper *s, const struct log_item *item, size_t at, size_t len)
{
	static const struct { const char *name; enum log_piece piece; } part[] = {
		{ "method", LOG_METHOD }, { "url", LOG_URL }, { "path", LOG_PATH }, { "query", LOG_QUERY }, { "proto", LOG_PROTO },
	};
	uint32_t n = s->shape->nfield;
	if (n && !s->field[n - 1].nbehind && !s->field[n - 1].width)
		return follow(s, item, at, len);
	s->field[n] = (struct log_field){ .name = item->name, .behind = "", .width = item->width, .dash = item->dash };
	s->field[n].end = item->width ? LOG_WIDTH : s->quoted && s->shape->escape != LOG_AS_IS ? LOG_QUOTE : LOG_TEXT; /* as if a quote followed */
	s->field[n].doubt = item->request ? LOG_REQUEST : item->list ? LOG_LIST : LOG_SURE;
	s->place[n] = (struct shaper_place){ at, len, item->blanks };
	s->shape->nfield++;
	add_column(s, item->name, LOG_WHOLE, 0);
	for (size_t i = 0; item->request && i < sizeof part / sizeof *part; i++)
		add_column(s, part[i].name, part[i].piece, 0);
	return item->time && !s->in->time ? set_time(s, item) : 0;
}

int shaper_end(struct shaper *s, const char *what)
{
	uint32_t n = s->shape->nfield;
	if (!n)
		return err_at(s->err, shaper_span(s, 0, strlen(s->in->spec)), "no %s in it", what);
	for (uint32_t i = 0; i < n; i++) {
		struct log_field *f = &s->field[i];
		if (f->end == LOG_QUOTE && *f->behind != '"')
			f->end = LOG_TEXT;
		if (f->end == LOG_TEXT && i + 1 == n)
			f->end = LOG_LINE;
		const struct shaper_place *place = &s->place[i];
		if (f->end == LOG_TEXT && place->blanks && *f->behind == ' ')
			return err_at(s->err, shaper_span(s, place->at, place->len), "%s has blanks in it, and no quotes around it: where it ends cannot be seen",
				      f->name);
	}
	s->in->shape = s->shape;
	return 0;
}

int shaped_schema(const struct input_options *opt, struct schema *schema)
{
	return log_schema(opt->shape, schema);
}

int shaped_open(struct decoder *d)
{
	return log_open(d, d->opt->shape);
}
