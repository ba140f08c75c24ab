/* The other half of window_model.h: rows into their windows. */
#ifndef WINDOW_MODEL_ROWS_H
#define WINDOW_MODEL_ROWS_H
#include "window_model.h"

static int64_t model_mod(int64_t a, int64_t b) { return (a % b + b) % b; }

/* Does [start, end) hold t, and is it a window? */
static bool model_in(const struct window_ast *w, int64_t start, int64_t end, int64_t t)
{
	if (t < start || t >= end)
		return false;
	if (w->kind == WINDOW_CUMULATE)
		return !model_mod(start - w->offset, w->size) && end <= start + w->size && !model_mod(end - start, w->step);
	return end == start + w->size && !model_mod(start - w->offset, w->step);
}

static struct model_window *model_find(struct model *m, uint32_t key, int64_t start, int64_t end)
{
	for (uint32_t i = 0; i < m->nw; i++)
		if (m->w[i].there && m->w[i].key == key && m->w[i].start == start && m->w[i].end == end)
			return &m->w[i];
	return NULL;
}

/* What the row comes to. */
struct model_fate { bool held, late, taken; };

static void model_one(struct model *m, const struct model_row *row, int64_t start, int64_t end, struct model_fate *fate)
{
	fate->held = true;
	if (model_late(m, end))
		return;
	fate->late = false;
	struct model_window *w = model_find(m, row->key, start, end);
	if (!w && row->adds)
		w = model_make(m, row->key, start, end);
	if (w && model_into(m, w, row))
		fate->taken = true;
}

static void model_settle(struct model *m, const struct model_row *row, struct model_fate fate)
{
	if (fate.held && fate.late)
		model_note_late(m, row);
	else if (fate.held && !fate.taken)
		m->ignored++;
}

/* Windows from the latest start backwards, those of one start by end. */
static void model_grid(struct model *m, const struct model_row *row)
{
	const struct window_ast *w = &m->window.window;
	struct model_fate fate = { .late = true };
	if (w->kind == WINDOW_GLOBAL)
		model_one(m, row, INT64_MIN, INT64_MAX, &fate);
	for (int64_t start = row->time; w->kind != WINDOW_GLOBAL && start > row->time - w->size; start--)
		for (int64_t end = row->time + 1; end <= start + w->size; end++)
			if (model_in(w, start, end, row->time))
				model_one(m, row, start, end, &fate);
	model_settle(m, row, fate);
}

static int model_by_start(const void *x, const void *y)
{
	const struct model_result *a = x, *b = y;
	return (a->start > b->start) - (a->start < b->start);
}

static int model_by_number(const void *x, const void *y)
{
	const struct model_row *a = x, *b = y;
	return (a->number > b->number) - (a->number < b->number);
}

/* Accumulators: session by session, the one that began first first. Rows that are kept: by arrival. */
static void model_join_rows(const struct model *m, struct model_window *a, struct model_window *b)
{
	struct model_window first = a->number < b->number ? *a : *b, second = a->number < b->number ? *b : *a;
	memcpy(first.row + first.n, second.row, second.n * sizeof *second.row);
	a->row = first.row;
	b->row = second.row;
	a->n = first.n + second.n;
	if (m->window.evict.kind != EVICT_NONE)
		qsort(a->row, a->n, sizeof *a->row, model_by_number);
}

/* The session b into a. */
static void model_join(struct model *m, struct model_window *a, struct model_window *b)
{
	model_join_rows(m, a, b);
	ck_assert_uint_le(a->nresult + b->nresult, 8);
	memcpy(a->result + a->nresult, b->result, b->nresult * sizeof *b->result);
	a->nresult += b->nresult;
	qsort(a->result, a->nresult, sizeof *a->result, model_by_start);
	a->start = a->start < b->start ? a->start : b->start;
	a->end = a->end > b->end ? a->end : b->end;
	a->number = a->number < b->number ? a->number : b->number;
	for (uint32_t c = 0; c < m->window.trigger.n; c++) {
		a->count[c] += b->count[c];
		if (b->asked[c] && (!a->asked[c] || b->next[c] < a->next[c]))
			a->next[c] = b->next[c];
		a->asked[c] |= b->asked[c];
	}
	b->there = false;
	free(b->row);
}

static void model_session(struct model *m, const struct model_row *row)
{
	struct model_window *into = NULL;
	int64_t start = row->time, end = row->time + m->window.window.size;
	struct model_fate fate = { .held = true };
	for (uint32_t i = 0; i < m->nw; i++) {
		struct model_window *w = &m->w[i];
		if (!w->there || w->key != row->key || w->start > end || w->end < start)
			continue;
		if (!into)
			into = w;
		else if (row->adds)
			model_join(m, into, w);
		else if (w->start < into->start)
			into = w;
	}
	fate.late = !into && model_late(m, end);
	if (!into && !fate.late && row->adds)
		into = model_make(m, row->key, start, end);
	if (into && row->adds) {
		into->start = start < into->start ? start : into->start;
		into->end = end > into->end ? end : into->end;
		into->ended = model_over(m, into->end);
	}
	fate.taken = into && model_into(m, into, row);
	model_settle(m, row, fate);
}

static void model_row(struct model *m, struct model_row row)
{
	row.number = ++m->arrived;
	if (m->window.window.kind == WINDOW_SESSION)
		model_session(m, &row);
	else
		model_grid(m, &row);
}
#endif
