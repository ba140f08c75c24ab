/* Borders on the clock of a zone. A zone is a row of segments, in each of which local time is the instant plus a fixed offset. */
#include "ops/grid.h"

static inline int64_t local_of(const struct grid *grid, int64_t t)
{
	return t + zone_offset(grid->zone, t);
}

/* ---- steps below a day: every instant counts ---- */

/* Is the beginning of a segment a border? The clock jumped from `before` to `after` there. */
static bool border_at_change(const struct grid *grid, int64_t change)
{
	int64_t before = change + zone_offset(grid->zone, change - 1), after = local_of(grid, change);
	int64_t last = after - grid_over(grid, after);
	return last == after || last >= before;
}

static int64_t clock_floor(const struct grid *grid, int64_t t)
{
	for (;;) {
		int64_t change = zone_last_change(grid->zone, t), border = t - grid_over(grid, local_of(grid, t));
		if (border >= change)
			return border;
		if (border_at_change(grid, change))
			return change;
		t = change - 1;
	}
}

static int64_t clock_next(const struct grid *grid, int64_t t)
{
	for (;;) {
		int64_t change = zone_next_change(grid->zone, t), border = t - grid_over(grid, local_of(grid, t)) + grid->step;
		if (border < change)
			return border;
		if (border_at_change(grid, change))
			return change;
		t = change;
	}
}

/* ---- steps from a day: numbered, the first instant counts ---- */

static int64_t numbered(const struct grid *grid, int64_t k)
{
	int64_t local = grid->origin + k * grid->step, later;
	int64_t instant = zone_instant(grid->zone, local, &later);
	return local_of(grid, instant) == local ? instant : zone_last_change(grid->zone, instant);
}

/* The number of the last cell that begins at or before t. The local time of t alone does not tell: it may be one of the day before, shown again. */
static int64_t number_of(const struct grid *grid, int64_t t)
{
	int64_t local = local_of(grid, t), k = (local - grid_over(grid, local) - grid->origin) / grid->step;
	while (numbered(grid, k) > t)
		k--;
	while (numbered(grid, k + 1) <= t)
		k++;
	return k;
}

/* No clock is ever changed by more. Behind that, what a segment shows, it shows for the first time. */
static const int64_t settled = 2 * (int64_t)DAY_MS;

static int64_t day_floor(const struct grid *grid, int64_t t)
{
	int64_t border = t - grid_over(grid, local_of(grid, t));
	return border >= zone_last_change(grid->zone, t) + settled ? border : numbered(grid, number_of(grid, t));
}

static int64_t day_next(const struct grid *grid, int64_t t)
{
	int64_t border = t - grid_over(grid, local_of(grid, t)) + grid->step;
	bool plain = t >= zone_last_change(grid->zone, t) + settled && border < zone_next_change(grid->zone, t);
	return plain ? border : numbered(grid, number_of(grid, t) + 1);
}

/* ---- both ---- */

int64_t grid_zone_floor(const struct grid *grid, int64_t t)
{
	return grid->step >= DAY_MS ? day_floor(grid, t) : clock_floor(grid, t);
}

int64_t grid_zone_next(const struct grid *grid, int64_t t)
{
	return grid->step >= DAY_MS ? day_next(grid, t) : clock_next(grid, t);
}

/* A border at which the clock shows a multiple: other borders of its segment are whole steps away. */
static bool regular(const struct grid *grid, int64_t border)
{
	return grid_over(grid, local_of(grid, border)) == 0;
}

/* How many borders of its segment lie behind this one. */
static int64_t steps_after(const struct grid *grid, int64_t border)
{
	int64_t change = zone_next_change(grid->zone, border);
	if (!regular(grid, border))
		return 0;
	return change == INT64_MAX ? INT64_MAX : (change - 1 - border) / grid->step;
}

/* How many lie before it that no earlier segment can have shown. */
static int64_t steps_before(const struct grid *grid, int64_t border)
{
	int64_t change = zone_last_change(grid->zone, border);
	if (change == INT64_MIN)
		return INT64_MAX;
	return regular(grid, border) && border - change > settled ? (border - change - settled) / grid->step : 0;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t grid_move(const struct grid *grid, int64_t border, int64_t n)
{
	if (!grid->zone)
		return grid_add(border, n * grid->step);
	while (n > 0) {
		border = grid_zone_next(grid, border);
		int64_t leap = --n ? least(n, steps_after(grid, border)) : 0;
		border += leap * grid->step;
		n -= leap;
	}
	while (n < 0) {
		border = grid_zone_floor(grid, border - 1);
		int64_t leap = ++n ? least(-n, steps_before(grid, border)) : 0;
		border -= leap * grid->step;
		n += leap;
	}
	return border;
}
