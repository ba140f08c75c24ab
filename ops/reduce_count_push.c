#include "ops/reduce_count.h"

enum { FORGET_FROM = 4096 /* borders */ };

/* A pane that a row has closed; its values are not yet in it. */
struct closed {
	struct entry *entry;
	struct row_pane *pane;    /* NULL: it is somebody else's by now */
	uint32_t row;
	bool ends;            /* a window ends with it */
};

/* A batch on its way. Arrays are by row, in the batch's memory. */
struct work {
	struct keyed keys;
	void **block;          /* of the pane that the row goes into; NULL: none */
	uint8_t *act;          /* NULL: all add */
	struct closed *closed; /* by row */
	uint32_t nclosed;
	struct row_pane **window;  /* full ones, in order, and the rows that filled them */
	uint32_t *row, nwindow;
};

static struct count_key *key_of(struct entry *entry)
{
	return entry_state(entry);
}

static int take_arrays(struct work *w, const struct batch *in, bool retracts)
{
	w->block = arena_alloc(in->mem, in->n * sizeof *w->block);
	w->act = retracts ? arena_alloc(in->mem, in->n) : NULL;
	w->closed = arena_alloc(in->mem, in->n * sizeof *w->closed);
	w->window = arena_alloc(in->mem, in->n * sizeof(struct row_pane *));
	w->row = arena_alloc(in->mem, in->n * sizeof *w->row);
	return w->block && (w->act || !retracts) && w->closed && w->window && w->row ? 0 : -1;
}

/* ---- rows into panes ---- */

/* The place of a key has gone on by a row: what that closes. */
static void go_on(struct op *op, struct work *w, uint32_t i)
{
	const struct count_conf *conf = op->conf;
	struct entry *entry = w->keys.entry[i];
	struct count_key *key = key_of(entry);
	bool ends = ++key->at == conf->end, border = key->at == conf->step;
	if (border) {
		key->at = 0;
		((struct count *)op->state)->borders++;
	}
	if ((ends || border) && key->open) {
		w->closed[w->nclosed++] = (struct closed){ entry, key->open, i, ends };
		key->open = NULL;
	}
}

/* A retraction is ignored where its pane has nothing: it is no row of the key then. */
static int place_row(struct op *op, struct work *w, uint32_t i)
{
	const struct count_conf *conf = op->conf;
	struct entry *entry = w->keys.entry[i];
	struct count_key *key = entry ? key_of(entry) : NULL;
	bool adds = keyed_adds(&w->keys, i);
	w->block[i] = NULL;
	if (w->act)
		w->act[i] = ACT_SKIP;
	if (!key || (!adds && key->at < conf->size && !(key->open && key->open->rows))) {
		op->ignored++;
		return 0;
	}
	if (key->at < conf->size) {
		if (!key->open)
			key->open = pool_get(&((struct count *)op->state)->pool);
		if (!key->open)
			return -1;
		uint8_t act = act_count(&key->open->rows, adds);
		w->block[i] = row_pane_block(key->open);
		if (w->act)
			w->act[i] = act;
	}
	go_on(op, w, i);
	return 0;
}

/* ---- windows ---- */

/* What a closed pane comes to, in the order of rows: a window, a part of others, or both. */
static int settle(struct op *op, struct work *w, struct closed *closed)
{
	const struct count_conf *conf = op->conf;
	struct row_panes *panes = &key_of(closed->entry)->panes;
	struct row_pane *window = closed->pane;
	if (conf->panes > 1) {
		if (row_panes_add(op, panes, closed->pane))
			return -1;
		closed->pane = NULL;
		if (!closed->ends || panes->n - panes->from < conf->panes)
			return 0;
		window = row_panes_window(op, panes);
		if (!window)
			return -1;
	}
	closed->pane = NULL;
	w->row[w->nwindow] = closed->row;
	w->window[w->nwindow++] = window;
	return 0;
}

/* One row for each window that is not empty by what was taken back. Its texts are the panes': it must be out before they go. */
static int emit_windows(struct op *op, struct work *w, struct arena *mem)
{
	const struct count_conf *conf = op->conf;
	uint32_t n = w->nwindow;
	struct value *value = arena_alloc(mem, (size_t)n * conf->accs.nagg * sizeof *value), *key = arena_alloc(mem, (conf->key.n + 1) * sizeof *key);
	void **block = arena_alloc(mem, n * sizeof *block);
	if (!value || !key || !block)
		return err_memory(op->err);
	for (uint32_t i = 0; i < n; i++)
		block[i] = row_pane_block(w->window[i]);
	if (accs_values(&conf->accs, block, n, value, mem))
		return err_memory(op->err);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = w->row[i];
		if (!w->window[i]->rows)
			continue;
		if (edge_room(op->out, 1))
			return -1;
		key_values(&conf->key, w->keys.bytes[row], w->keys.len[row], w->keys.entry[row]->flags & ENTRY_CLEAN, key);
		window_row(&conf->emit, K_I, (struct window){ 0 }, key, value + i, n);
	}
	return edge_push(op->out);
}

/* Forgets keys that are at a border between two windows: their next row would be their first one. Not often: most of them come back. */
static void forget(struct op *op)
{
	struct count *count = op->state;
	struct entry *entry;
	if (((const struct count_conf *)op->conf)->panes > 1 || count->borders < FORGET_FROM || count->borders < table_count(count->table))
		return;
	for (uint64_t pos = 0; table_next(count->table, &pos, &entry);)
		if (!key_of(entry)->at)
			table_remove(count->table, entry);
	count->borders = 0;
}

static int take_rows(struct op *op, const struct batch *in, struct work *w)
{
	const struct count_conf *conf = op->conf;
	struct accs_input input;
	if (take_arrays(w, in, conf->accs.retracts) || accs_input(&conf->accs, in, &input))
		return -1;
	if (keyed_find(&w->keys, ((struct count *)op->state)->table, &conf->key, in, conf->accs.retracts))
		return -1;
	for (uint32_t i = 0; i < in->n; i++)
		if (place_row(op, w, i))
			return -1;
	if (accs_update(&conf->accs, &input, 0, in->n, w->block, w->act))
		return -1;
	for (uint32_t i = 0; i < w->nclosed; i++)
		if (settle(op, w, &w->closed[i]))
			return -1;
	return 0;
}

int reduce_count_push(struct op *op, const struct batch *in)
{
	struct work w = { 0 };
	if (!in->n)
		return 0;
	int status = take_rows(op, in, &w) ? err_memory(op->err) : 0;
	if (!status && w.nwindow)
		status = emit_windows(op, &w, in->mem);
	for (uint32_t i = 0; i < w.nclosed; i++)
		row_pane_free(op, w.closed[i].pane);
	for (uint32_t i = 0; i < w.nwindow; i++)
		row_pane_free(op, w.window[i]);
	if (status)
		return -1;
	forget(op);
	table_tick(((struct count *)op->state)->table, in->n);
	return 0;
}
