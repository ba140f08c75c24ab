/* -o table: aligned columns for people, two blanks between, numbers to the right.
 *
 * Widths must be known before the first line, so rows wait: some thousand of them at most, then they are printed, and what comes
 * after that goes out at once with the widths so far.
 *
 *     grid.row[] -> | n | cell | cell |   in grid.text, as everything that waits
 *     grid.side[]   width and kind of each column, over all rows so far */
#include "core/number.h"
#include "core/show.h"
#include "core/width.h"
#include "ops/emit/emit.h"

enum { ROWS_WAITING = 4096, BYTES_WAITING = 4 << 20 };

struct grid_cell {
	const char *p;
	uint32_t len, width; /* width: columns */
	bool number, null;
};

struct line_of_cells {
	uint32_t n;
	struct grid_cell cell[];
};

struct side {
	uint32_t width;
	bool text; /* something that is no number stands there */
};

struct grid {
	struct arena text;
	struct line_of_cells *row[ROWS_WAITING];
	uint32_t n;
	size_t bytes;
	struct side *side;
	uint32_t nside;
	bool printed; /* the widths are settled */
};

/* The text of a value, what a terminal must not get as \xHH, in grid->text. */
static int make_cell(struct emitter *emitter, const struct value *v, struct grid_cell *cell)
{
	struct grid *grid = emitter->state;
	char scratch[TIME_TEXT_MAX];
	const char *p;
	struct value number;
	uint32_t n = emit_print(emitter, v, scratch, &p);
	char *to = arena_alloc(&grid->text, (size_t)n * SHOW_MOST);
	if (!to)
		return -1;
	*cell = (struct grid_cell){ .p = to, .len = (uint32_t)(width_show(to, p, n) - to), .width = width_of(p, n) };
	cell->null = v->type == V_NULL;
	cell->number = value_is_number(v) || (v->type == V_RAW && number_of(v, &number));
	grid->bytes += (size_t)n * SHOW_MOST + sizeof *cell;
	return 0;
}

static uint32_t cells_in(const struct batch *batch, uint32_t row)
{
	uint32_t n = 0;
	for (uint32_t c = 0; c < batch->ncol; c++) {
		const struct value *v = &batch->col[c].v[row];
		n += v->type == V_ROW ? v->len : 1;
	}
	return n;
}

static struct line_of_cells *make_row(struct emitter *emitter, const struct batch *batch, uint32_t row)
{
	struct grid *grid = emitter->state;
	uint32_t n = cells_in(batch, row), i = 0;
	struct line_of_cells *line = arena_alloc(&grid->text, sizeof *line + n * sizeof *line->cell);
	if (!line)
		return NULL;
	line->n = n;
	for (uint32_t c = 0; c < batch->ncol; c++) {
		const struct value *v = &batch->col[c].v[row];
		uint32_t cells = v->type == V_ROW ? v->len : 1;
		for (const struct value *one = v->type == V_ROW ? v->u.row : v; cells--; one++)
			if (make_cell(emitter, one, &line->cell[i++]))
				return NULL;
	}
	return line;
}

static struct line_of_cells *make_header(struct emitter *emitter, const struct schema *schema)
{
	struct grid *grid = emitter->state;
	struct line_of_cells *line = arena_alloc(&grid->text, sizeof *line + schema->n * sizeof *line->cell);
	if (!line)
		return NULL;
	line->n = schema->n;
	for (uint32_t c = 0; c < schema->n; c++) {
		struct value name = value_text(schema->col[c].name, schema->col[c].len);
		if (make_cell(emitter, &name, &line->cell[c]))
			return NULL;
	}
	return line;
}

/* Widens the columns for a row; a header says nothing about what a column holds. */
static int measure(struct emitter *emitter, const struct line_of_cells *line, bool header)
{
	struct grid *grid = emitter->state;
	if (line->n > grid->nside) {
		struct side *side = mem_resize(emitter->mem, grid->side, grid->nside * sizeof *side, line->n * sizeof *side);
		if (!side)
			return -1;
		memset(side + grid->nside, 0, (line->n - grid->nside) * sizeof *side);
		grid->side = side;
		grid->nside = line->n;
	}
	for (uint32_t i = 0; i < line->n; i++) {
		const struct grid_cell *cell = &line->cell[i];
		if (cell->width > grid->side[i].width)
			grid->side[i].width = cell->width;
		grid->side[i].text |= !header && !cell->null && !cell->number;
	}
	return 0;
}

static void pad(struct buf *buf, uint32_t n)
{
	char *to = buf_room(buf, n);
	if (!to)
		return;
	memset(to, ' ', n);
	buf->n += n;
}

/* No blanks at the end of a line. */
static int print_row(struct emitter *emitter, const struct line_of_cells *line)
{
	struct grid *grid = emitter->state;
	struct buf *buf = &emitter->out->buf;
	uint32_t owed = 0;
	for (uint32_t i = 0; i < line->n; i++) {
		const struct grid_cell *cell = &line->cell[i];
		uint32_t space = grid->side[i].width - cell->width;
		bool right = !grid->side[i].text;
		owed += right ? space : 0;
		if (cell->len) {
			pad(buf, owed);
			buf_put(buf, cell->p, cell->len);
			owed = 0;
		}
		owed += (right ? 0 : space) + 2;
	}
	buf_putc(buf, '\n');
	return emit_push(emitter);
}

/* Prints what waits. */
static int print(struct emitter *emitter)
{
	struct grid *grid = emitter->state;
	for (uint32_t i = 0; i < grid->n; i++)
		if (print_row(emitter, grid->row[i]))
			return -1;
	grid->printed = true;
	grid->n = 0;
	grid->bytes = 0;
	arena_reset(&grid->text);
	return 0;
}

static int add(struct emitter *emitter, struct line_of_cells *line, bool header)
{
	struct grid *grid = emitter->state;
	if (!line || measure(emitter, line, header))
		return err_memory(emitter->err);
	grid->row[grid->n++] = line;
	return grid->printed || grid->n == ROWS_WAITING || grid->bytes > BYTES_WAITING ? print(emitter) : 0;
}

static int begin(struct emitter *emitter)
{
	struct grid *grid = emitter->state;
	arena_init(&grid->text, emitter->mem);
	if (!emit_names(emitter))
		return 0;
	return add(emitter, make_header(emitter, emitter->shown), true);
}

static int rows(struct emitter *emitter, const struct batch *batch)
{
	for (uint32_t r = 0; r < batch->n; r++)
		if (add(emitter, make_row(emitter, batch, r), false))
			return -1;
	return 0;
}

static void close_table(struct emitter *emitter)
{
	struct grid *grid = emitter->state;
	if (grid->text.mem)
		arena_release(&grid->text);
	mem_free(emitter->mem, grid->side, grid->nside * sizeof *grid->side);
}

const struct emit_type table_emit = {
	.name = "table",
	.help = "aligned columns for people; implies -F",
	.traits = E_FINAL | E_NAMES | E_NAMES_ALLOWED,
	.state_size = sizeof(struct grid),
	.begin = begin,
	.rows = rows,
	.end = print,
	.close = close_table,
};
