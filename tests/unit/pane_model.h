/* A slow model of windows of time that fire at their end, and again for late rows: a list of rows, looked through for every window. Times are small, so
 * that borders can be looked for step by step. */
#ifndef PANE_MODEL_H
#define PANE_MODEL_H
#include <inttypes.h>

#include "core/buf.h"
#include "parse/lang/ast.h"
#include "rig.h"

enum { MODEL_KEYS = 6, MODEL_ROWS = 4000 };

struct model_row {
	uint32_t key;
	int x;
	int64_t time, pane;
	uint64_t born; /* when its key came into the pane (again) */
	bool gone;
};

struct model {
	struct window_ast window;
	int aggs;      /* which list of model_reduce */
	uint32_t keys; /* 1: the operator has no key */
	uint32_t columns; /* the key comes in so many */
	bool timed, before; /* before: -U is wanted */
	int64_t lateness;
	int64_t done;  /* up to where windows have fired */
	struct model_row row[MODEL_ROWS];
	uint32_t n;
	uint64_t clock; /* counts rows */
	uint64_t nlate, ignored;
	struct buf out, late;
};

static const char *const model_reduce[] = {
	"count, sum(x)",
	"count, min(x), max(x), sum(x)",
	"first(x), last(x), count(distinct x), join(x)",
	"last(x), count, sum(x) where x > 3 as s",
};

static int64_t model_mod(int64_t a, int64_t b)
{
	return (a % b + b) % b;
}

static bool model_is_end(const struct window_ast *w, int64_t e)
{
	return model_mod(e - w->offset - (w->kind == WINDOW_CUMULATE ? 0 : w->size), w->step) == 0;
}

static int64_t model_start(const struct window_ast *w, int64_t e)
{
	return w->kind == WINDOW_CUMULATE ? e - 1 - model_mod(e - 1 - w->offset, w->size) : e - w->size;
}

static bool model_in(const struct window_ast *w, int64_t e, int64_t t)
{
	return model_is_end(w, e) && model_start(w, e) <= t && t < e;
}

static int64_t model_pane(const struct window_ast *w, int64_t t)
{
	while (!model_is_end(w, t) && model_mod(t - w->offset, w->step))
		t--;
	return t;
}

/* The last window that holds t; INT64_MIN: none does. */
static int64_t model_last_end(const struct window_ast *w, int64_t t)
{
	for (int64_t e = t + w->size; e > t; e--)
		if (model_in(w, e, t))
			return e;
	return INT64_MIN;
}

/* Does it come too late for a window with this end? */
static bool model_late(const struct model *m, int64_t end)
{
	return m->timed && end - 1 + m->lateness <= m->done;
}

/* Forgets rows that no window holds that may fire. */
static void model_forget(struct model *m)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < m->n; i++)
		if (!m->row[i].gone && model_last_end(&m->window, m->row[i].time) - 1 + m->lateness > m->done)
			m->row[n++] = m->row[i];
	m->n = n;
}

static void model_add(struct model *m, uint32_t key, int x, int64_t time)
{
	struct model_row row = { key, x, time, model_pane(&m->window, time), ++m->clock, false };
	for (uint32_t i = 0; i < m->n; i++)
		if (!m->row[i].gone && m->row[i].key == key && m->row[i].pane == row.pane)
			row.born = m->row[i].born;
	ck_assert_uint_lt(m->n, MODEL_ROWS);
	m->row[m->n++] = row;
}

/* Takes the first equal row of the pane back, if there is one. */
static void model_take_back(struct model *m, uint32_t key, int x, int64_t time)
{
	int64_t pane = model_pane(&m->window, time);
	for (uint32_t i = 0; i < m->n; i++) {
		struct model_row *row = &m->row[i];
		if (!row->gone && row->key == key && row->x == x && row->pane == pane) {
			row->gone = true;
			return;
		}
	}
	m->ignored++;
}

/* Rows by pane, then by arrival. */
static int model_by_pane(const void *a, const void *b)
{
	const struct model_row *x = *(struct model_row *const *)a, *y = *(struct model_row *const *)b;
	return x->pane != y->pane ? (x->pane < y->pane ? -1 : 1) : x < y ? -1 : 1;
}

static void model_values(const struct model *m, struct model_row *const *row, uint32_t n, struct buf *out)
{
	int sum = 0, min = 99, max = -1, some = 0, distinct = 0;
	bool seen[100] = { false }, any = false;
	for (uint32_t i = 0; i < n; i++) {
		int x = row[i]->x;
		sum += x;
		min = x < min ? x : min;
		max = x > max ? x : max;
		some += x > 3 ? x : 0;
		any = any || x > 3;
		distinct += !seen[x];
		seen[x] = true;
	}
	if (m->aggs == 0)
		buf_printf(out, " %u %d;", n, sum);
	if (m->aggs == 1)
		buf_printf(out, " %u %d %d %d;", n, min, max, sum);
	if (m->aggs == 2) {
		buf_printf(out, " %d %d %d ", row[0]->x, row[n - 1]->x, distinct);
		for (uint32_t i = 0; i < n; i++)
			buf_printf(out, "%s%d", i ? "," : "", row[i]->x);
		buf_puts(out, ";");
	}
	if (m->aggs == 3) {
		buf_printf(out, " %d %u ", row[n - 1]->x, n);
		buf_printf(out, any ? "%d;" : "\\N;", some);
	}
}

static void model_put(struct model *m, const char *kind, uint32_t key, int64_t end, const char *values)
{
	struct value start_value = { .type = V_TIME, .u.i = model_start(&m->window, end) }, end_value = { .type = V_TIME, .u.i = end };
	buf_puts(&m->out, kind);
	rig_put_value(&m->out, &start_value);
	rig_put_value(&m->out, &end_value);
	for (uint32_t i = 0; i < m->columns; i++)
		buf_printf(&m->out, " k%u", key);
	buf_puts(&m->out, values);
}

/* The values of a key in a window; "": it has no rows there. */
static char *model_value(const struct model *m, uint32_t key, int64_t end)
{
	static struct model_row *of[MODEL_ROWS];
	static struct mem mem;
	struct buf out;
	uint32_t n = 0;
	for (uint32_t i = 0; i < m->n; i++)
		if (!m->row[i].gone && m->row[i].key == key && model_in(&m->window, end, m->row[i].time))
			of[n++] = (struct model_row *)(uintptr_t)&m->row[i];
	qsort(of, n, sizeof *of, model_by_pane);
	buf_init(&out, &mem);
	if (n)
		model_values(m, of, n, &out);
	buf_putc(&out, '\0');
	char *text = strdup(out.p);
	buf_release(&out);
	return text;
}

/* Keys by their oldest pane, then by when they came into it. */
static void model_window(struct model *m, int64_t end)
{
	static struct model_row *row[MODEL_ROWS];
	uint32_t n = 0;
	bool written[MODEL_KEYS] = { false };
	for (uint32_t i = 0; i < m->n; i++)
		if (!m->row[i].gone && model_in(&m->window, end, m->row[i].time))
			row[n++] = &m->row[i];
	qsort(row, n, sizeof *row, model_by_pane);
	for (;;) {
		const struct model_row *first = NULL;
		for (uint32_t i = 0; i < n; i++) {
			if (written[row[i]->key] || (first && row[i]->pane != first->pane))
				continue;
			if (!first || row[i]->born < first->born)
				first = row[i];
		}
		if (!first)
			return;
		char *values = model_value(m, first->key, end);
		model_put(m, "+I", first->key, end, values);
		free(values);
		written[first->key] = true;
	}
}

/* ---- rows ---- */

static void model_change(struct model *m, uint32_t key, int64_t end, const char *was, const char *is)
{
	if (!strcmp(was, is))
		return;
	if (*was && !*is)
		model_put(m, "-D", key, end, was);
	if (*was && *is && m->before)
		model_put(m, "-U", key, end, was);
	if (*is)
		model_put(m, *was ? "+U" : "+I", key, end, is);
}

/* Windows that have fired and are not closed fire again: those of a hop from the latest start backwards, those of a cumulate by end. */
static inline void model_row(struct model *m, bool adds, uint32_t key, int x, int64_t time)
{
	int64_t last = model_last_end(&m->window, time), end[64];
	char *was[64];
	int n = 0;
	if (last == INT64_MIN)
		return;
	if (model_late(m, last)) {
		m->nlate++;
		buf_printf(&m->late, "%s k%u %d %" PRId64 ";", adds ? "+I" : "-D", key, x, time);
		return;
	}
	for (int64_t e = time + 1; m->timed && e <= last && e - 1 <= m->done; e++) {
		if (!model_in(&m->window, e, time) || model_late(m, e))
			continue;
		end[n] = e;
		was[n++] = model_value(m, key, e);
	}
	if (adds)
		model_add(m, key, x, time);
	else
		model_take_back(m, key, x, time);
	for (int i = 0; i < n; i++) {
		int k = m->window.kind == WINDOW_HOP ? n - 1 - i : i;
		char *is = model_value(m, key, end[k]);
		model_change(m, key, end[k], was[k], is);
		free(was[k]);
		free(is);
	}
}

/* ---- time ---- */

/* Fires the windows up to w, in order of their ends. */
static inline void model_fire(struct model *m, int64_t w)
{
	for (;;) {
		int64_t end = INT64_MAX;
		for (uint32_t i = 0; i < m->n; i++)
			for (int64_t t = m->row[i].time, e = t + 1; !m->row[i].gone && e <= t + m->window.size && e < end; e++)
				if (model_in(&m->window, e, t) && e - 1 > m->done)
					end = e;
		if (end == INT64_MAX || end - 1 > w)
			break;
		model_window(m, end);
		m->done = end - 1;
		model_forget(m);
	}
	m->done = w > m->done ? w : m->done;
	model_forget(m);
}
#endif
