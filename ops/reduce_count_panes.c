#include <string.h>

#include "ops/reduce_count.h"
#include "ops/state/snapshot.h"

static const struct accs *accs_of(const struct op *op)
{
	return &((const struct count_conf *)op->conf)->accs;
}

static struct row_pane *row_pane_new(const struct op *op)
{
	return pool_get(&((struct count *)op->state)->pool);
}

void row_pane_free(const struct op *op, struct row_pane *pane)
{
	if (!pane)
		return;
	accs_empty(accs_of(op), row_pane_block(pane));
	pool_put(&((struct count *)op->state)->pool, pane);
}

/* Adds the rows of a later pane. */
static int merge(const struct op *op, struct row_pane *into, struct row_pane *from)
{
	into->rows += from->rows;
	return accs_merge(accs_of(op), row_pane_block(into), row_pane_block(from));
}

/* Room for one more pane: where those that are gone were, if they are half. */
static int room(const struct op *op, struct row_panes *panes)
{
	if (panes->n < panes->cap)
		return 0;
	if (panes->from && panes->from >= panes->cap / 2) {
		memmove(panes->pane, panes->pane + panes->from, (panes->n - panes->from) * sizeof *panes->pane);
		panes->n -= panes->from;
		panes->flip -= panes->from;
		panes->from = 0;
		return 0;
	}
	uint32_t cap = panes->cap ? 2 * panes->cap : 4;
	struct row_pane **more = mem_resize(op->mem, panes->pane, panes->cap * sizeof *more, cap * sizeof *more);
	if (!more)
		return -1;
	panes->pane = more;
	panes->cap = cap;
	return 0;
}

int row_panes_add(const struct op *op, struct row_panes *panes, struct row_pane *pane)
{
	if (room(op, panes))
		return -1;
	if (!accs_of(op)->grows) {
		if (!panes->back)
			panes->back = row_pane_new(op);
		if (!panes->back || merge(op, panes->back, pane))
			return -1;
	}
	panes->pane[panes->n++] = pane;
	return 0;
}

/* Merges the panes behind flip, each with all that follow it, if there are no others. */
static int flip(const struct op *op, struct row_panes *panes)
{
	if (panes->from < panes->flip)
		return 0;
	for (uint32_t i = panes->n - 1; i > panes->from; i--)
		if (merge(op, panes->pane[i - 1], panes->pane[i]))
			return -1;
	panes->flip = panes->n;
	row_pane_free(op, panes->back);
	panes->back = NULL;
	return 0;
}

static int merge_all(const struct op *op, struct row_panes *panes, struct row_pane *window)
{
	if (accs_of(op)->grows) {
		for (uint32_t i = panes->from; i < panes->n; i++)
			if (merge(op, window, panes->pane[i]))
				return -1;
		return 0;
	}
	if (flip(op, panes) || merge(op, window, panes->pane[panes->from]))
		return -1;
	return panes->back ? merge(op, window, panes->back) : 0;
}

static int drop_oldest(const struct op *op, struct row_panes *panes)
{
	if (accs_of(op)->grows)
		panes->flip++;
	else if (flip(op, panes))
		return -1;
	row_pane_free(op, panes->pane[panes->from++]);
	return 0;
}

struct row_pane *row_panes_window(const struct op *op, struct row_panes *panes)
{
	struct row_pane *window = row_pane_new(op);
	int status = window ? merge_all(op, panes, window) : -1;
	for (uint32_t i = 0; !status && i < ((const struct count_conf *)op->conf)->goes; i++)
		status = drop_oldest(op, panes);
	if (!status)
		return window;
	row_pane_free(op, window);
	return NULL;
}

void row_panes_free(const struct op *op, struct row_panes *panes)
{
	for (uint32_t i = panes->from; i < panes->n; i++)
		row_pane_free(op, panes->pane[i]);
	row_pane_free(op, panes->back);
	mem_free(op->mem, panes->pane, panes->cap * sizeof *panes->pane);
	*panes = (struct row_panes){ 0 };
}

/* ---- snapshot: a pane is its rows and its block; panes are their number, how many of them are before flip, they, and `back` if it is there ---- */

void row_pane_save(const struct op *op, struct row_pane *pane, struct snap_out *out)
{
	snap_put_i64(out, pane->rows);
	accs_save(accs_of(op), row_pane_block(pane), out);
}

struct row_pane *row_pane_load(const struct op *op, struct snap_in *in)
{
	struct row_pane *pane = row_pane_new(op);
	if (!pane)
		return NULL;
	pane->rows = snap_i64(in);
	if (pane->rows < 0)
		in->bad = true;
	if (!accs_load(accs_of(op), row_pane_block(pane), in) && !in->bad)
		return pane;
	row_pane_free(op, pane);
	return NULL;
}

void row_panes_save(const struct op *op, const struct row_panes *panes, struct snap_out *out)
{
	snap_put_u64(out, panes->n - panes->from);
	snap_put_u64(out, panes->flip - panes->from);
	for (uint32_t i = panes->from; i < panes->n; i++)
		row_pane_save(op, panes->pane[i], out);
	if (panes->back)
		row_pane_save(op, panes->back, out);
}

int row_panes_load(const struct op *op, struct row_panes *panes, struct snap_in *in)
{
	uint64_t n = snap_count(in), before_flip = snap_u64(in);
	if (before_flip > n || n >= UINT32_MAX)
		in->bad = true;
	while (!in->bad && panes->n < n) {
		struct row_pane *pane = room(op, panes) ? NULL : row_pane_load(op, in);
		if (!pane)
			return -1;
		panes->pane[panes->n++] = pane;
	}
	if (in->bad)
		return -1;
	panes->flip = (uint32_t)before_flip;
	if (!accs_of(op)->grows && panes->flip < panes->n) {
		panes->back = row_pane_load(op, in);
		return panes->back ? 0 : -1;
	}
	return 0;
}
