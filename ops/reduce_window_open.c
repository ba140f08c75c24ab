#include <string.h>

#include "ops/reduce_window.h"

/* ---- open windows ---- */

static int order(struct window a, struct window b)
{
	if (a.end != b.end)
		return a.end < b.end ? -1 : 1;
	return (a.start > b.start) - (a.start < b.start);
}

static int open_room(struct op *op, struct rw *rw)
{
	if (rw->nopen < rw->open_cap)
		return 0;
	uint32_t cap = rw->open_cap ? 2 * rw->open_cap : 16;
	struct rw_open **open = mem_resize(op->mem, rw->open, rw->open_cap * sizeof(struct rw_open *), cap * sizeof(struct rw_open *));
	if (!open)
		return -1;
	rw->open = open;
	rw->open_cap = cap;
	return 0;
}

struct rw_open *rw_open_get(struct op *op, struct window window)
{
	struct rw *rw = op->state;
	uint32_t lo = 0, hi = rw->nopen;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		int way = order(rw->open[mid]->window, window);
		if (!way)
			return rw->open[mid];
		if (way < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	struct rw_open *open = open_room(op, rw) ? NULL : mem_alloc(op->mem, sizeof *open);
	if (!open)
		return NULL;
	open->window = window;
	open->ended = rw_ended(op, window.end);
	memmove(rw->open + lo + 1, rw->open + lo, (rw->nopen++ - lo) * sizeof(struct rw_open *));
	rw->open[lo] = open;
	return open;
}

int rw_open_room(struct op *op, struct rw_open *open)
{
	if (open->n < open->cap)
		return 0;
	uint64_t cap = open->cap ? 2 * open->cap : 4;
	struct rw_node **node = mem_resize(op->mem, open->node, open->cap * sizeof(struct rw_node *), cap * sizeof(struct rw_node *));
	if (!node)
		return -1;
	open->node = node;
	open->cap = cap;
	return 0;
}

static void free_open(struct op *op, struct rw_open *open)
{
	mem_free(op->mem, open->node, open->cap * sizeof(struct rw_node *));
	mem_free(op->mem, open, sizeof *open);
}

void rw_open_close(struct op *op, uint32_t n)
{
	struct rw *rw = op->state;
	for (uint32_t i = 0; i < n; i++) {
		const struct rw_open *open = rw->open[i];
		for (uint64_t k = 0; k < open->n; k++) {
			rw_open_fetch(open, k);
			rw_node_drop(op, open->node[k]);
		}
		free_open(op, rw->open[i]);
	}
	rw->nopen -= n;
	if (n)
		memmove(rw->open, rw->open + n, rw->nopen * sizeof(struct rw_open *));
}

void rw_open_free(struct op *op)
{
	struct rw *rw = op->state;
	for (uint32_t i = 0; i < rw->nopen; i++)
		free_open(op, rw->open[i]);
	mem_free(op->mem, rw->open, rw->open_cap * sizeof *rw->open);
	mem_free(op->mem, rw->here, rw->here_cap * sizeof *rw->here);
	mem_free(op->mem, rw->hit, 2 * (size_t)rw->here_cap * sizeof *rw->hit);
}

/* ---- the windows that hold an instant ---- */

static int here_room(struct op *op, struct rw *rw)
{
	if (rw->nhere < rw->here_cap)
		return 0;
	uint32_t old = rw->here_cap, cap = old ? 2 * old : 8;
	struct rw_here *here = mem_resize(op->mem, rw->here, old * sizeof *here, cap * sizeof *here);
	if (!here)
		return -1;
	rw->here = here;
	struct rw_node **hit = mem_resize(op->mem, rw->hit, 2 * (size_t)old * sizeof(struct rw_node *), 2 * (size_t)cap * sizeof(struct rw_node *));
	if (!hit) {
		rw->here = mem_resize(op->mem, here, cap * sizeof *here, old * sizeof *here);
		return -1;
	}
	rw->hit = hit;
	rw->fire = hit + cap;
	rw->here_cap = cap;
	return 0;
}

static int here_add(struct op *op, struct window window)
{
	struct rw *rw = op->state;
	if (here_room(op, rw))
		return -1;
	rw->here[rw->nhere++] = (struct rw_here){ .window = window, .late = rw_late(op, window.end) };
	return 0;
}

static int list_windows(struct op *op, int64_t t)
{
	const struct windows *windows = &((const struct rw_conf *)op->conf)->windows;
	int64_t last = windows_last_end(windows, t);
	for (int64_t end = windows_next_end(windows, t);; end = windows_next_end(windows, end)) {
		if (here_add(op, (struct window){ windows_start(windows, end), end }))
			return -1;
		if (end >= last)
			return 0;
	}
}

int rw_here_find(struct op *op, int64_t t)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	struct window pane = { INT64_MIN, INT64_MAX };
	rw->nhere = 0;
	rw->pane = (struct window){ 0 };
	if (conf->kind == WINDOW_GLOBAL) {
		if (here_add(op, pane))
			return -1;
	} else if (!windows_pane(&conf->windows, t, &pane)) {
		return 0;
	} else if (list_windows(op, t)) {
		return -1;
	}
	rw->pane = pane;
	return 0;
}
