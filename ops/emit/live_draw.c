#include "ops/emit/live_draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/show.h"
#include "core/width.h"

enum {
	GAP = 2,          /* blanks between columns */
	TEXT_LEAST = 8,   /* columns of text are not made narrower to make room */
	BAR_LEAST = 4,    /* shorter ones tell nothing */
	BAR_SHARE = 8,    /* one in so many columns is kept for bars before texts are cut */
};

#define BOLD "\x1b[1m"
#define DIM "\x1b[2m"
#define CYAN "\x1b[36m"
#define PLAIN "\x1b[0m"

struct live_cell {
	const char *p;    /* the text; not yet as it is shown */
	uint32_t len, width;
	bool number, null;
};

struct live_line {
	uint32_t n;
	struct live_cell *cell;
};

struct live_side {
	uint32_t width;
	bool text;        /* something that is no number stands there */
};

/* A frame in the making. */
struct frame {
	const struct live_picture *picture;
	const struct live_screen *screen;
	struct buf *out;
	struct arena mem;
	struct live_line *line; /* the names, if any, then the rows */
	uint32_t nline, nside, bar; /* bar: columns of the longest; 0: none */
	struct live_side *side;
	double largest;
	uint32_t at;      /* columns written of this line */
};

/* ---- cells ------------------------------------------------------------------------------- */

/* Columns of a text, but not much more than `most`: what is behind is not seen. */
static uint32_t width_up_to(const char *p, uint32_t n, uint32_t most)
{
	uint32_t width = 0, columns;
	for (const char *end = p + n; p < end && width <= most; width += columns)
		p += width_next(p, (size_t)(end - p), &columns);
	return width;
}

static int set_cell(struct frame *frame, const struct value *v, struct live_cell *cell)
{
	struct value number;
	char *scratch = arena_alloc(&frame->mem, v->type == V_TIME ? TIME_TEXT_MAX : VALUE_TEXT_MAX);
	if (!scratch)
		return -1;
	cell->p = scratch;
	cell->len = v->type == V_TIME ? time_print(v->u.i, frame->picture->style, scratch) : value_print(v, scratch, &cell->p);
	cell->width = width_up_to(cell->p, cell->len, frame->screen->width);
	cell->null = v->type == V_NULL;
	cell->number = value_is_number(v) || (v->type == V_RAW && number_of(v, &number));
	return 0;
}

/* No line has room for more cells than the terminal has columns. */
static int begin_line(struct frame *frame, uint32_t cells)
{
	struct live_line *line = &frame->line[frame->nline++];
	line->n = cells < frame->screen->width ? cells : frame->screen->width;
	line->cell = arena_alloc(&frame->mem, (line->n ? line->n : 1) * sizeof *line->cell);
	frame->nside = line->n > frame->nside ? line->n : frame->nside;
	return line->cell ? 0 : -1;
}

static int add_names(struct frame *frame, const struct schema *names)
{
	if (begin_line(frame, names->n))
		return -1;
	struct live_line *line = &frame->line[0];
	for (uint32_t i = 0; i < line->n; i++) {
		struct value name = value_text(names->col[i].name, names->col[i].len);
		if (set_cell(frame, &name, &line->cell[i]))
			return -1;
	}
	return 0;
}

static int add_row(struct frame *frame, const struct row *row)
{
	uint32_t n = 0, i = 0;
	for (uint32_t c = 0; c < frame->picture->ncol; c++)
		n += row->v[c].type == V_ROW ? row->v[c].len : 1;
	if (begin_line(frame, n))
		return -1;
	struct live_line *line = &frame->line[frame->nline - 1];
	for (uint32_t c = 0; c < frame->picture->ncol; c++) {
		bool whole = row->v[c].type == V_ROW;
		const struct value *v = whole ? row->v[c].u.row : &row->v[c];
		for (uint32_t fields = whole ? row->v[c].len : 1; fields && i < line->n; fields--)
			if (set_cell(frame, v++, &line->cell[i++]))
				return -1;
	}
	return 0;
}

/* ---- widths ------------------------------------------------------------------------------ */

static int measure(struct frame *frame)
{
	frame->side = arena_alloc(&frame->mem, (frame->nside ? frame->nside : 1) * sizeof *frame->side);
	if (!frame->side)
		return -1;
	memset(frame->side, 0, frame->nside * sizeof *frame->side);
	for (uint32_t l = 0; l < frame->nline; l++)
		for (uint32_t i = 0; i < frame->line[l].n; i++) {
			const struct live_cell *cell = &frame->line[l].cell[i];
			struct live_side *side = &frame->side[i];
			side->width = cell->width > side->width ? cell->width : side->width;
			side->text |= !(l == 0 && frame->picture->names) && !cell->null && !cell->number;
		}
	return 0;
}

static uint64_t total(const struct frame *frame, bool squeezed)
{
	uint64_t sum = frame->nside ? (frame->nside - 1) * (uint64_t)GAP : 0;
	for (uint32_t i = 0; i < frame->nside; i++) {
		const struct live_side *side = &frame->side[i];
		sum += squeezed && side->text && side->width > TEXT_LEAST ? TEXT_LEAST : side->width;
	}
	return sum;
}

/* Makes texts narrower, the widest first, until all fits into `room`; false, and nothing is done, if that cannot be. Numbers stay whole. */
static bool squeeze(struct frame *frame, uint32_t room)
{
	if (total(frame, true) > room)
		return false;
	for (uint64_t sum = total(frame, false); sum > room; sum--) {
		struct live_side *widest = NULL;
		for (uint32_t i = 0; i < frame->nside; i++) {
			struct live_side *side = &frame->side[i];
			if (side->text && side->width > TEXT_LEAST && (!widest || side->width > widest->width))
				widest = side;
		}
		if (!widest)
			break;
		widest->width--;
	}
	return true;
}

/* Bars take what the columns leave, and some of the texts' room; else there are none. Then columns at the end are not shown. */
static void fit(struct frame *frame)
{
	uint32_t width = frame->screen->width, bar = width / BAR_SHARE;
	bar = bar < BAR_LEAST ? BAR_LEAST : bar;
	if (frame->largest > 0 && width > GAP + bar && squeeze(frame, width - GAP - bar)) {
		uint32_t left = width - GAP - (uint32_t)total(frame, false);
		frame->bar = left < width / 2 ? left : width / 2;
		return;
	}
	while (!squeeze(frame, width) && frame->nside > 1)
		frame->nside--;
	if (total(frame, false) > width)
		frame->side[0].width = width;
}

/* ---- lines ------------------------------------------------------------------------------- */

static void style(struct frame *frame, const char *escape)
{
	if (frame->screen->colour)
		buf_puts(frame->out, escape);
}

static void blanks(struct frame *frame, uint32_t n)
{
	char *to = buf_room(frame->out, n);
	frame->at += n;
	if (!to)
		return;
	memset(to, ' ', n);
	frame->out->n += n;
}

/* The first columns of a text, a mark where it is cut. Gives the columns written. */
static uint32_t put_text(struct frame *frame, const char *p, uint32_t n, uint32_t most)
{
	bool cut = width_up_to(p, n, most) > most;
	uint32_t width = 0, room = cut ? most - 1 : most, columns, len;
	for (const char *end = p + n; p < end; p += len, width += columns) {
		len = width_next(p, (size_t)(end - p), &columns);
		if (width + columns > room)
			break;
		char *to = buf_room(frame->out, SHOW_MOST);
		frame->out->n += to ? (size_t)(width_show(to, p, len) - to) : 0;
	}
	if (cut)
		buf_puts(frame->out, frame->screen->utf8 ? "\xe2\x80\xa6" : "~");
	frame->at += width + cut;
	return width + cut;
}

/* Nothing behind the last column is written into: some terminals erase it then. */
static void end_line(struct frame *frame, struct live_drawn *drawn)
{
	if (frame->screen->escapes && frame->at < frame->screen->width)
		buf_puts(frame->out, "\x1b[K");
	buf_puts(frame->out, frame->screen->escapes ? "\r\n" : "\n");
	drawn->width[drawn->n++] = frame->at;
	frame->at = 0;
}

static double bar_value(const struct frame *frame, const struct row *row)
{
	struct value number;
	const struct value *v = &row->v[frame->picture->bar];
	if (v->type == V_TIME || !number_of(v, &number) || number.type == V_NULL)
		return 0;
	double d = number_double(&number);
	return d > 0 ? d : 0;
}

static void put_bar(struct frame *frame, double value)
{
	static const char block[][4] = { "\xe2\x96\x88", "\xe2\x96\x8f", "\xe2\x96\x8e", "\xe2\x96\x8d", "\xe2\x96\x8c", "\xe2\x96\x8b", "\xe2\x96\x8a",
		"\xe2\x96\x89" };
	uint32_t steps = frame->screen->utf8 ? 8 : 1;
	uint32_t n = (uint32_t)(value / frame->largest * frame->bar * steps + 0.5);
	n = n ? n : 1;
	style(frame, CYAN);
	for (uint32_t i = 0; i < n / steps; i++)
		buf_puts(frame->out, steps == 8 ? block[0] : "#");
	if (n % steps)
		buf_puts(frame->out, block[n % steps]);
	style(frame, PLAIN);
	frame->at += (n + steps - 1) / steps;
}

/* The cells of a line; gives the columns that are owed up to the end of its last column. */
static uint32_t put_cells(struct frame *frame, const struct live_line *line)
{
	uint32_t owed = 0;
	for (uint32_t i = 0; i < frame->nside; i++) {
		const struct live_side *side = &frame->side[i];
		static const struct live_cell none = { .p = "" };
		const struct live_cell *cell = i < line->n ? &line->cell[i] : &none;
		uint32_t width = cell->width < side->width ? cell->width : side->width, space = side->width - width;
		owed += (i ? GAP : 0) + (side->text ? 0 : space);
		if (width) {
			blanks(frame, owed);
			owed = side->width - (side->text ? 0 : space) - put_text(frame, cell->p, cell->len, side->width);
		} else {
			owed += side->text ? space : 0;
		}
	}
	return owed;
}

static void put_row(struct frame *frame, const struct live_line *line, const struct row *row)
{
	uint32_t owed = put_cells(frame, line);
	double value = frame->bar ? bar_value(frame, row) : 0;
	if (value > 0) {
		blanks(frame, owed + GAP);
		put_bar(frame, value);
	}
}

static void put_more(struct frame *frame, uint64_t more)
{
	char text[40];
	int len = snprintf(text, sizeof text, "... %" PRIu64 " more", more);
	style(frame, DIM);
	put_text(frame, text, (uint32_t)len, frame->screen->width);
	style(frame, PLAIN);
}

/* ---- the frame --------------------------------------------------------------------------- */

/* Lines that the picture takes now: a terminal that has become narrower has broken those that no longer fit. */
static uint32_t lines_of(const struct live_drawn *drawn, uint32_t width)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < drawn->n; i++)
		n += drawn->width[i] > width ? (drawn->width[i] + width - 1) / width : 1;
	return n;
}

static void go_up(uint32_t width, struct buf *out, struct live_drawn *drawn)
{
	uint32_t n = lines_of(drawn, width);
	drawn->n = 0;
	buf_puts(out, "\r");
	if (n)
		buf_printf(out, "\x1b[%uA", n);
}

void live_erase(uint32_t width, struct buf *out, struct live_drawn *drawn)
{
	go_up(width, out, drawn);
	buf_puts(out, "\x1b[J");
}

/* How many rows are shown; the names and the line that tells of the rest need room, too. */
static uint32_t rows_shown(const struct live_picture *picture, uint32_t lines)
{
	uint32_t room = lines - (picture->names && lines > 1);
	uint64_t n = picture->total <= room ? picture->total : room - 1;
	return n < picture->n ? (uint32_t)n : picture->n;
}

static int lay_out(struct frame *frame, uint32_t rows)
{
	const struct live_picture *picture = frame->picture;
	frame->line = arena_alloc(&frame->mem, (rows + 1) * sizeof *frame->line);
	if (!frame->line || (picture->names && add_names(frame, picture->names)))
		return -1;
	for (uint32_t r = 0; r < rows; r++) {
		double value = picture->bar < 0 ? 0 : bar_value(frame, picture->row[r]);
		frame->largest = value > frame->largest ? value : frame->largest;
		if (add_row(frame, picture->row[r]))
			return -1;
	}
	if (measure(frame))
		return -1;
	fit(frame);
	return 0;
}

static int draw_lines(struct frame *frame, uint32_t lines, struct live_drawn *drawn)
{
	const struct live_picture *picture = frame->picture;
	uint32_t rows = rows_shown(picture, lines), names = picture->names && lines > 1;
	if (lay_out(frame, rows))
		return -1;
	if (names) {
		style(frame, BOLD);
		put_cells(frame, &frame->line[0]);
		style(frame, PLAIN);
		end_line(frame, drawn);
	}
	for (uint32_t r = 0; r < rows; r++) {
		put_row(frame, &frame->line[(picture->names != NULL) + r], picture->row[r]);
		end_line(frame, drawn);
	}
	if (picture->total > rows) {
		put_more(frame, picture->total - rows);
		end_line(frame, drawn);
	}
	return 0;
}

int live_draw(const struct live_picture *picture, const struct live_screen *screen, struct buf *out, struct live_drawn *drawn)
{
	struct frame frame = { .picture = picture, .screen = screen, .out = out };
	uint32_t lines = screen->height > 1 ? screen->height - 1 : 1;
	lines = lines < LIVE_LINES ? lines : LIVE_LINES;
	arena_init(&frame.mem, out->mem);
	if (screen->escapes)
		go_up(screen->width, out, drawn);
	drawn->n = 0;
	int status = picture->total ? draw_lines(&frame, lines, drawn) : 0;
	if (screen->escapes)
		buf_puts(out, "\x1b[J");
	arena_release(&frame.mem);
	return status || out->failed ? -1 : 0;
}
