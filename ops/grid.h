/* A grid: the instants (borders) at which cells of time meet. They lie `step` apart on some clock, which is what a zone makes difficult:
 *
 *     no zone                    origin + k * step
 *     a zone, step below a day   the instants at which a wall clock shows such a time: both of them if it shows it twice; the end of a gap that leaves one out
 *     a zone, step from a day    the same, but of two instants the first; so every cell begins with its first local day
 *
 * Cells are never empty: a day that a zone leaves out is none. */
#ifndef WEIR_GRID_H
#define WEIR_GRID_H
#include "core/time.h"

struct grid {
	int64_t step;            /* ms, above 0 */
	int64_t origin;          /* 0 <= origin < step */
	const struct zone *zone; /* NULL: none */
};

/* The two that need a zone; use those below. */
int64_t grid_zone_floor(const struct grid *grid, int64_t t);
int64_t grid_zone_next(const struct grid *grid, int64_t t);

/* a + b; what does not fit is the end of time. */
static inline int64_t grid_add(int64_t a, int64_t b)
{
	int64_t sum;
	return !__builtin_add_overflow(a, b, &sum) ? sum : b < 0 ? INT64_MIN : INT64_MAX;
}

/* How far t is behind the last origin + k * step; t may be a local time. */
static inline int64_t grid_over(const struct grid *grid, int64_t t)
{
	int64_t over = t % grid->step - grid->origin;
	over += over < 0 ? grid->step : 0;
	return over < 0 ? over + grid->step : over;
}

/* The last border <= t. */
static inline int64_t grid_floor(const struct grid *grid, int64_t t)
{
	return grid->zone ? grid_zone_floor(grid, t) : grid_add(t, -grid_over(grid, t));
}

/* The first border > t. */
static inline int64_t grid_next(const struct grid *grid, int64_t t)
{
	return grid->zone ? grid_zone_next(grid, t) : grid_add(t, grid->step - grid_over(grid, t));
}

/* The border that is n cells behind this one; n < 0: before it. */
int64_t grid_move(const struct grid *grid, int64_t border, int64_t n);
#endif
