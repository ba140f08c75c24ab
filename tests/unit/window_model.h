/* A slow model of windows that may fire more than once: for each key and window its rows, looked through at every firing; each instant is looked for among
 * all windows. Times are small, so that borders are looked for step by step. */
#ifndef WINDOW_MODEL_H
#define WINDOW_MODEL_H
#include <inttypes.h>

#include "core/buf.h"
#include "ops/op.h"
#include "rig.h"

enum { MODEL_ROWS = 3000, MODEL_WINDOWS = 3000, MODEL_CONDS = 3, MODEL_TEXT = 120 };

struct model_row {
	bool adds;
	uint32_t key;
	int x, number; /* x -1: NULL */
	int64_t time;
};

struct model_result {
	int64_t start, end;
	char text[MODEL_TEXT];
};

struct model_window {
	bool there, ended, asked[MODEL_CONDS]; /* asked: next is set */
	uint32_t key;
	int64_t start, end, next[MODEL_CONDS];
	int number, count[MODEL_CONDS], base[MODEL_CONDS]; /* base -1: none */
	struct model_row *row;
	uint32_t n, nresult;
	struct model_result result[8];
};

struct model {
	struct op_window window;
	const struct op_type *type; /* of the operator; NULL: reduce_window_op */
	bool keyed, timed, updating, foreign; /* foreign: a changelog of somebody else's */
	const char *reduce;
	int64_t wm, now; /* own time is one of them */
	struct model_window *w;
	uint32_t nw;
	int made, arrived;
	uint64_t nlate, ignored;
	struct buf out, late;
};

static bool model_over(const struct model *m, int64_t end) { return m->timed && end - 1 <= m->wm; }
static int64_t model_close(const struct model *m, int64_t end) { return end == INT64_MAX ? INT64_MAX : end - 1 + m->window.lateness; }
static bool model_late(const struct model *m, int64_t end) { return m->timed && model_close(m, end) <= m->wm; }

static bool model_has(const struct model *m, enum trigger_kind kind)
{
	for (uint32_t c = 0; c < m->window.trigger.n; c++)
		if (m->window.trigger.cond[c].kind == kind)
			return true;
	return kind == TRIGGER_END && !m->window.trigger.n && m->window.window.kind != WINDOW_GLOBAL;
}

static bool model_ends(const struct model *m) { return model_has(m, TRIGGER_END) || model_has(m, TRIGGER_EVERY); }

static bool model_once(const struct model *m)
{
	const struct trigger_ast *t = &m->window.trigger;
	for (uint32_t c = 0; c < t->n; c++)
		if (t->cond[c].kind != TRIGGER_END)
			return false;
	return !m->window.lateness;
}

/* ---- results ---- */

/* What rows come to, for the list of aggregates; false: nothing. Rows that are taken back are left out with the first equal one. */
static bool model_value(const struct model *m, const struct model_window *w, char *out)
{
	int rows = 0, sum = 0, some = 0, min = 99, n = 0, x[MODEL_ROWS];
	for (uint32_t i = 0; i < w->n; i++) {
		rows += w->row[i].adds ? 1 : -1;
		if (w->row[i].adds)
			x[n++] = w->row[i].x;
		for (int k = 0; !w->row[i].adds && k < n; k++)
			if (x[k] == w->row[i].x) {
				memmove(x + k, x + k + 1, (size_t)(--n - k) * sizeof *x);
				break;
			}
	}
	if (!rows)
		return false;
	int values = 0, first = -1, last = -1;
	for (int i = 0; i < n; i++) {
		values += x[i] >= 0;
		sum += x[i] >= 0 ? x[i] : 0;
		some += x[i] > 4;
		min = x[i] >= 0 && x[i] < min ? x[i] : min;
		first = first < 0 ? x[i] : first;
		last = x[i] >= 0 ? x[i] : last;
	}
	char texts[3][16] = { "\\N", "\\N", "\\N" };
	if (values) {
		sprintf(texts[0], "%d", sum);
		sprintf(texts[1], "%d", strstr(m->reduce, "first") ? first : min);
		sprintf(texts[2], "%d", last);
	}
	sprintf(out, strstr(m->reduce, "last") ? "%d %s %d %s %s" : "%d %s %d %s", rows, texts[0], some, texts[1], texts[2]);
	return true;
}

static void model_put(struct model *m, const char *kind, const struct model_window *w, int64_t start, int64_t end, const char *text)
{
	buf_puts(&m->out, kind);
	if (m->window.window.kind != WINDOW_GLOBAL)
		buf_printf(&m->out, " %" PRId64 " %" PRId64, start, end);
	if (m->keyed)
		buf_printf(&m->out, " k%u", w->key);
	buf_printf(&m->out, " %s;", text);
}

static void model_change(struct model *m, struct model_window *w, bool some, const char *text)
{
	struct model_result *old = w->result;
	if (some && w->nresult == 1 && old->start == w->start && old->end == w->end && !strcmp(old->text, text))
		return;
	for (uint32_t i = some; i < w->nresult; i++)
		model_put(m, "-D", w, old[i].start, old[i].end, old[i].text);
	if (some && w->nresult)
		model_put(m, "-U", w, old->start, old->end, old->text);
	if (some)
		model_put(m, w->nresult ? "+U" : "+I", w, w->start, w->end, text);
	w->nresult = some;
	old->start = w->start;
	old->end = w->end;
	strcpy(old->text, text);
}

static bool model_evicted(const struct model *m, const struct model_window *w, uint32_t i, int64_t newest)
{
	const struct evict_ast *e = &m->window.evict;
	int x = w->row[i].x, last = w->row[w->n - 1].x;
	if (e->kind == EVICT_ROWS)
		return i + e->n < w->n;
	if (e->kind == EVICT_TIME)
		return w->row[i].time <= newest - e->n;
	return x >= 0 && last >= 0 && abs(x - last) >= e->delta.u.i;
}

static void model_evict(const struct model *m, struct model_window *w)
{
	int64_t newest = INT64_MIN;
	struct model_row stay[MODEL_ROWS];
	uint32_t n = 0;
	for (uint32_t i = 0; i < w->n; i++)
		newest = w->row[i].time > newest ? w->row[i].time : newest;
	for (uint32_t i = 0; i < w->n; i++)
		if (!model_evicted(m, w, i, newest))
			stay[n++] = w->row[i];
	memcpy(w->row, stay, n * sizeof *stay);
	w->n = n;
}

static void model_fire(struct model *m, struct model_window *w)
{
	const struct evict_ast *e = &m->window.evict;
	char text[MODEL_TEXT] = "";
	if (e->kind != EVICT_NONE && !e->after)
		model_evict(m, w);
	bool some = model_value(m, w, text);
	if (m->window.trigger.purge || model_once(m)) {
		if (some)
			model_put(m, "+I", w, w->start, w->end, text);
	} else {
		model_change(m, w, some, text);
	}
	if (e->kind != EVICT_NONE && e->after)
		model_evict(m, w);
	if (m->window.trigger.purge)
		w->n = 0;
}

/* ---- time ---- */

/* Has condition c an instant to come? The clock's if `clock`, else one of its own time. */
static bool model_waits(const struct model *m, const struct model_window *w, uint32_t c, bool clock)
{
	const struct trigger_cond *cond = &m->window.trigger.cond[c];
	if (cond->kind == TRIGGER_CLOCK)
		return w->asked[c] && clock == m->timed;
	return cond->kind == TRIGGER_EVERY && w->asked[c] && !clock && !(w->ended && w->next[c] >= w->end - 1);
}

/* The next instant at which a window has something to do. */
static bool model_instant(const struct model *m, const struct model_window *w, bool clock, int64_t *at)
{
	bool some = false;
	*at = INT64_MAX;
	if (!clock) {
		*at = model_ends(m) && !w->ended ? w->end - 1 : model_close(m, w->end);
		some = true;
	}
	for (uint32_t c = 0; c < m->window.trigger.n; c++) {
		if (!model_waits(m, w, c, clock))
			continue;
		some = true;
		*at = w->next[c] < *at ? w->next[c] : *at;
	}
	return some;
}

static void model_at(struct model *m, struct model_window *w, bool clock, int64_t at, bool last_call)
{
	bool fires = false;
	for (uint32_t c = 0; c < m->window.trigger.n; c++) {
		const struct trigger_cond *cond = &m->window.trigger.cond[c];
		if (!model_waits(m, w, c, clock) || w->next[c] > at)
			continue;
		fires = true;
		w->next[c] = at < INT64_MAX - cond->n ? at + cond->n : INT64_MAX - 1;
		if (cond->kind == TRIGGER_EVERY && w->next[c] > w->end - 1)
			w->next[c] = w->end - 1;
		if (m->window.window.kind == WINDOW_GLOBAL && last_call && at > 5000) /* as good as the end */
			w->next[c] = INT64_MAX - 1;
	}
	if (!clock && model_ends(m) && !w->ended && at >= w->end - 1)
		fires = w->ended = true;
	if (fires)
		model_fire(m, w);
	if (!clock && (w->ended || !model_ends(m)) && at >= model_close(m, w->end)) {
		w->there = false;
		free(w->row);
	}
}

static int model_order(const struct model_window *a, const struct model_window *b)
{
	return a->end != b->end ? (a->end < b->end ? -1 : 1) : a->start != b->start ? (a->start < b->start ? -1 : 1) : a->number < b->number ? -1 : 1;
}

/* At one instant: ends, then beats, then closes. */
static int model_rank(const struct model *m, const struct model_window *w, bool clock, int64_t at)
{
	if (!clock && model_ends(m) && !w->ended && w->end - 1 == at)
		return 0;
	for (uint32_t c = 0; c < m->window.trigger.n; c++)
		if (model_waits(m, w, c, clock) && w->next[c] <= at)
			return 1;
	return 2;
}

/* Windows of a hop with a beat come from the latest start backwards. */
static bool model_before(const struct model *m, const struct model_window *a, const struct model_window *b, bool clock, int64_t at)
{
	int x = model_rank(m, a, clock, at), y = model_rank(m, b, clock, at);
	if (x != y)
		return x < y;
	if (m->window.window.kind == WINDOW_HOP && x == 1 && a->start != b->start)
		return a->start > b->start;
	return model_order(a, b) < 0;
}

/* Everything up to `to`, in order of time. */
static void model_advance(struct model *m, bool clock, int64_t to)
{
	for (uint32_t i = 0; to == WM_END && i < m->nw; i++) /* the clock has not come to these */
		for (uint32_t c = 0; c < m->window.trigger.n; c++)
			if (m->window.trigger.cond[c].kind == TRIGGER_CLOCK)
				m->w[i].asked[c] = false;
	for (;;) {
		struct model_window *first = NULL;
		int64_t least = 0, at;
		for (uint32_t i = 0; i < m->nw; i++) {
			struct model_window *w = &m->w[i];
			if (!w->there || !model_instant(m, w, clock, &at) || at > to)
				continue;
			if (!first || at < least || (at == least && model_before(m, w, first, clock, at))) {
				first = w;
				least = at;
			}
		}
		if (!first)
			break;
		model_at(m, first, clock, least, to == WM_END);
	}
	if (to == WM_END) /* what no instant closes */
		for (uint32_t i = 0; i < m->nw; i++)
			if (m->w[i].there) {
				m->w[i].there = false;
				free(m->w[i].row);
			}
	uint32_t n = 0;
	for (uint32_t i = 0; i < m->nw; i++)
		if (m->w[i].there)
			m->w[n++] = m->w[i];
	m->nw = n;
}

/* ---- rows ---- */

static struct model_window *model_make(struct model *m, uint32_t key, int64_t start, int64_t end)
{
	ck_assert_uint_lt(m->nw, MODEL_WINDOWS);
	struct model_window *w = &m->w[m->nw++];
	*w = (struct model_window){ .there = true, .key = key, .start = start, .end = end, .number = ++m->made, .base = { -1, -1, -1 } };
	w->ended = model_over(m, end);
	w->row = malloc(MODEL_ROWS * sizeof *w->row);
	return w;
}

static bool model_cond(struct model *m, struct model_window *w, uint32_t c, const struct model_row *row)
{
	const struct trigger_cond *cond = &m->window.trigger.cond[c];
	bool over = model_over(m, w->end), fires = false;
	int base = w->base[c];
	switch (cond->kind) {
	case TRIGGER_END:
		return over;
	case TRIGGER_EACH:
		return true;
	case TRIGGER_COUNT:
		fires = ++w->count[c] >= cond->n;
		w->count[c] = fires ? 0 : w->count[c];
		return fires;
	case TRIGGER_DELTA:
		fires = row->x >= 0 && base >= 0 && abs(row->x - base) > cond->delta.u.i;
		if (row->x >= 0 && (base < 0 || fires))
			w->base[c] = row->x;
		return fires;
	case TRIGGER_CLOCK:
		if (w->asked[c])
			return false;
		w->next[c] = (m->now / cond->n + 1) * cond->n;
		w->asked[c] = true;
		return false;
	default:
		break;
	}
	if (over || w->asked[c])
		return over;
	w->asked[c] = true;
	w->next[c] = row->time - row->time % cond->n + cond->n;
	if (w->next[c] > w->end - 1)
		w->next[c] = w->end - 1;
	return false;
}

static int model_rows_of(const struct model_window *w)
{
	int rows = 0;
	for (uint32_t i = 0; i < w->n; i++)
		rows += w->row[i].adds ? 1 : -1;
	return rows;
}

/* False: it takes back what is not there. */
static bool model_into(struct model *m, struct model_window *w, const struct model_row *row)
{
	bool fires = false;
	if (!row->adds && !model_rows_of(w))
		return false;
	ck_assert_uint_lt(w->n, MODEL_ROWS);
	w->row[w->n++] = *row;
	if (!m->window.trigger.n)
		fires = m->window.window.kind != WINDOW_GLOBAL && model_over(m, w->end);
	for (uint32_t c = 0; c < m->window.trigger.n; c++)
		fires |= model_cond(m, w, c, row);
	if (fires)
		model_fire(m, w);
	return true;
}

static void model_note_late(struct model *m, const struct model_row *row)
{
	m->nlate++;
	buf_printf(&m->late, "%s k%u ", row->adds ? "+I" : "-D", row->key);
	buf_printf(&m->late, row->x < 0 ? "\\N" : "%d", row->x);
	buf_printf(&m->late, " %" PRId64 ";", row->time);
}
#endif
