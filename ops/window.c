#include "ops/window.h"

enum { DAYS_OF_WEEK = 7, MONDAY = -3 /* the last one before 1970-01-01, in days from there */ };

/* Does a clock on the wall have a say in steps of that length? */
static bool is_local(int64_t step)
{
	return DAY_MS % step == 0 || step % DAY_MS == 0;
}

/* A grid that has a border `origin` behind the epoch. */
static struct grid make_grid(int64_t step, int64_t origin, const struct zone *zone)
{
	struct grid grid = { .step = step, .zone = zone };
	grid.origin = grid_over(&grid, origin);
	return grid;
}

void windows_init(struct windows *windows, const struct window_ast *ast, const struct zone *zone)
{
	bool cumulate = ast->kind == WINDOW_CUMULATE;
	int64_t cell = cumulate ? ast->size : ast->step, origin = ast->offset;
	if (cell % (DAYS_OF_WEEK * (int64_t)DAY_MS) == 0)
		origin += MONDAY * (int64_t)DAY_MS;
	if (!is_local(cell))
		zone = NULL;
	*windows = (struct windows){ .kind = ast->kind, .size = ast->size, .step = ast->step, .grid = make_grid(ast->step, origin, zone) };
	if (cumulate)
		windows->whole = make_grid(ast->size, origin, zone);
	if (ast->kind != WINDOW_HOP)
		return;
	windows->cells = ast->size / ast->step;
	windows->rest = ast->size % ast->step;
	windows->cut = make_grid(ast->step, origin + windows->rest, zone);
}

/* The cell of the grid that holds t. */
static struct window cell_of(const struct windows *windows, int64_t t)
{
	int64_t start = grid_floor(&windows->grid, t);
	bool simple = !windows->grid.zone && start != INT64_MIN; /* the cell that the beginning of time cuts ends at a border, too */
	return (struct window){ start, simple ? grid_add(start, windows->step) : grid_next(&windows->grid, t) };
}

/* Where a window of a hop ends in a cell. If the clock does not show that time there, because it was changed: where it would be had it not been. In the
 * cell that the beginning of time cuts it may lie before that: then it is the start. */
static int64_t cut_of(const struct windows *windows, struct window cell)
{
	int64_t cut = grid_next(&windows->cut, cell.start);
	if (cut < cell.end)
		return cut;
	if (cell.start == INT64_MIN)
		return cell.start;
	cut = grid_add(cell.start, windows->rest);
	return cut < cell.end ? cut : cell.end;
}

/* The same in the cell that begins at a border. */
static int64_t cut_behind(const struct windows *windows, int64_t border)
{
	return border == INT64_MAX ? INT64_MAX : cut_of(windows, cell_of(windows, border));
}

bool windows_pane(const struct windows *windows, int64_t t, struct window *pane)
{
	*pane = cell_of(windows, t);
	if (!windows->rest)
		return true;
	int64_t cut = cut_of(windows, *pane);
	if (t < cut)
		pane->end = cut;
	else
		pane->start = cut;
	return t < cut || windows->cells;
}

int64_t windows_next_end(const struct windows *windows, int64_t t)
{
	const int64_t far = 2 * TIME_MAX; /* no window of a valid time reaches so far, and no zone needs to */
	if (windows->grid.zone && t >= far)
		return INT64_MAX;
	if (windows->grid.zone && t < -far)
		t = -far;
	if (!windows->rest)
		return grid_next(&windows->grid, t);
	struct window cell = cell_of(windows, t);
	int64_t cut = cut_of(windows, cell);
	return t < cut ? cut : cut_behind(windows, cell.end);
}

int64_t windows_start(const struct windows *windows, int64_t end)
{
	if (windows->kind == WINDOW_CUMULATE)
		return grid_floor(&windows->whole, end - 1);
	if (windows->kind == WINDOW_TUMBLE)
		return grid_floor(&windows->grid, end - 1);
	return grid_move(&windows->grid, grid_floor(&windows->grid, end - 1), windows->rest ? -windows->cells : 1 - windows->cells);
}

int64_t windows_last_end(const struct windows *windows, int64_t t)
{
	if (windows->kind == WINDOW_CUMULATE)
		return grid_next(&windows->whole, t);
	if (windows->kind == WINDOW_TUMBLE)
		return grid_next(&windows->grid, t);
	int64_t cell = grid_move(&windows->grid, grid_floor(&windows->grid, t), windows->cells);
	return windows->rest ? cut_behind(windows, cell) : cell;
}

int64_t windows_panes(const struct windows *windows)
{
	int64_t panes = windows->size / windows->step;
	if (windows->kind == WINDOW_HOP && windows->rest)
		return 2 * windows->cells + 1;
	/* A clock that is turned back shows borders again. */
	if (windows->kind == WINDOW_CUMULATE && windows->grid.zone && panes > 1 && windows->step < DAY_MS)
		panes += DAY_MS / windows->step + 1;
	return panes;
}
