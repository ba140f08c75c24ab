/* Rows within --lateness. The windows that one of them fires all hold its pane; what the key has in such a window is
 *
 *     left | the row's node | right
 *
 *           p1     p2     ROW    p4     p5
 *     w0  [ p1     p2     ROW ]               left p1+p2  right -
 *     w1         [ p2     ROW    p4 ]         left p2     right p4
 *     w2                [ ROW    p4     p5 ]  left -      right p4+p5
 *
 * Lefts grow from the last window to the first, rights from the first to the last: a merge or two for each, however many panes a window has. */
#include <string.h>

#include "ops/reduce_pane.h"

/* Content of the panes on either side of the row's; NULL: nothing. */
struct pane_late_window {
	struct window window;
	void *left, *right;
};

/* A block of its own; behind it the block. */
struct pane_spare {
	struct pane_spare *next;
	uint64_t block[];
};

/* ---- which windows ----------------------------------------------------------------------- */

/* The end of the first window of the pane that is not closed. */
static int64_t first_open_end(const struct op *op, const struct pane *pane)
{
	const struct pane_conf *conf = op->conf;
	int64_t closed;
	if (__builtin_sub_overflow(op->wm, conf->lateness - 1, &closed) || closed < pane->start)
		return pane->first_end;
	return windows_next_end(&conf->windows, closed);
}

static bool fires(const struct op *op, const struct pane *pane, int64_t end)
{
	return end <= pane->last_end && end - 1 <= op->wm;
}

bool pane_late_fires(const struct op *op, const struct pane *pane)
{
	return ((const struct pane_conf *)op->conf)->lateness && pane->closed && fires(op, pane, first_open_end(op, pane));
}

static int list_windows(struct pane_late *late, const struct pane *pane)
{
	struct op *op = late->op;
	const struct windows *windows = &((const struct pane_conf *)op->conf)->windows;
	int64_t first = first_open_end(op, pane);
	uint32_t n = 0;
	for (int64_t end = first; fires(op, pane, end); end = windows_next_end(windows, end))
		n++;
	late->window = arena_alloc(&((struct reduce_pane *)op->state)->scratch, (n + 1) * sizeof *late->window);
	if (!late->window)
		return -1;
	for (int64_t end = first; late->n < n; end = windows_next_end(windows, end))
		late->window[late->n++] = (struct pane_late_window){ .window = { windows_start(windows, end), end } };
	return 0;
}

/* ---- content ----------------------------------------------------------------------------- */

/* A new empty block; NULL if memory is refused. */
static void *new_block(struct pane_late *late)
{
	size_t size = ((const struct pane_conf *)late->op->conf)->accs.size;
	struct pane_spare *spare = arena_alloc(&((struct reduce_pane *)late->op->state)->scratch, sizeof *spare + size);
	if (!spare)
		return NULL;
	memset(spare->block, 0, size);
	spare->next = late->spare;
	late->spare = spare;
	return spare->block;
}

static bool is_empty(const struct pane_conf *conf, struct pane_node *node)
{
	return conf->accs.retracts && *pane_rows(node) <= 0;
}

/* What the nodes from `from` up to the one before `to` hold, between what is before and behind them: *out, which may be one of these. */
static int gather(struct pane_late *late, const void *before, struct pane_node *from, const struct pane_node *to, const void *behind, void **out)
{
	const struct pane_conf *conf = late->op->conf;
	void *block = NULL;
	*out = (void *)(uintptr_t)(before ? before : behind);
	for (struct pane_node *node = from; node != to; node = node->newer) {
		if (is_empty(conf, node))
			continue;
		if (!block && (!(block = new_block(late)) || (before && accs_merge(&conf->accs, block, before))))
			return -1;
		if (accs_merge(&conf->accs, block, pane_block(conf, node)))
			return -1;
	}
	if (!block)
		return 0;
	*out = block;
	return behind ? accs_merge(&conf->accs, block, behind) : 0;
}

static int find_lefts(struct pane_late *late)
{
	struct pane_node *from = late->node;
	void *left = NULL;
	for (uint32_t i = late->n; i-- > 0;) {
		struct pane_node *to = from;
		while (from->older && from->older->pane->start >= late->window[i].window.start)
			from = from->older;
		if (gather(late, NULL, from, to, left, &left))
			return -1;
		late->window[i].left = left;
	}
	return 0;
}

static int find_rights(struct pane_late *late)
{
	struct pane_node *to = late->node->newer;
	void *right = NULL;
	for (uint32_t i = 0; i < late->n; i++) {
		struct pane_node *from = to;
		while (to && to->pane->end <= late->window[i].window.end)
			to = to->newer;
		if (gather(late, right, from, to, NULL, &right))
			return -1;
		late->window[i].right = right;
	}
	return 0;
}

int pane_late_begin(struct pane_late *late, struct op *op, struct pane_node *node, bool holds)
{
	const struct pane_conf *conf = op->conf;
	struct arena *mem = &((struct reduce_pane *)op->state)->scratch;
	arena_reset(mem);
	*late = (struct pane_late){ .op = op, .node = node };
	late->key = arena_alloc(mem, (conf->key.n + 1) * sizeof *late->key);
	late->value = arena_alloc(mem, (2 * conf->accs.nagg + 1) * sizeof *late->value);
	late->before = new_block(late);
	late->after = new_block(late);
	if (!late->key || !late->value || !late->before || !late->after)
		return -1;
	if (holds && (!(late->was = new_block(late)) || accs_merge(&conf->accs, late->was, pane_block(conf, node))))
		return -1;
	return list_windows(late, node->pane) || find_lefts(late) || find_rights(late) ? -1 : 0;
}

void pane_late_end(struct pane_late *late)
{
	const struct pane_conf *conf = late->op->conf;
	for (struct pane_spare *spare = conf->accs.heap ? late->spare : NULL; spare; spare = spare->next)
		accs_empty(&conf->accs, spare->block);
}

/* ---- rows out ---------------------------------------------------------------------------- */

/* Values of a window with `middle` in the row's pane; *some: it has rows. */
static int value_of(const struct pane_late *late, const struct pane_late_window *window, void *middle, void *spare, struct value *value, bool *some)
{
	const struct pane_conf *conf = late->op->conf;
	void *part[3], *block = spare;
	uint32_t n = 0;
	if (window->left)
		part[n++] = window->left;
	if (middle)
		part[n++] = middle;
	if (window->right)
		part[n++] = window->right;
	*some = n > 0;
	if (n == 1)
		block = part[0];
	for (uint32_t i = 0; n > 1 && i < n; i++)
		if (accs_merge(&conf->accs, spare, part[i]))
			return -1;
	return n ? accs_values(&conf->accs, &block, 1, value, &((struct reduce_pane *)late->op->state)->scratch) : 0;
}

static bool is_text(const struct value *v)
{
	return v->type == V_BIG || v->type == V_RAW || v->type == V_TEXT;
}

/* There is room for it on the edge. Texts are copied: blocks change before the row goes on. */
static int put(const struct pane_late *late, uint8_t kind, struct window window, struct value *value)
{
	struct op *op = late->op;
	const struct pane_conf *conf = op->conf;
	for (uint32_t i = 0; i < conf->accs.nagg; i++)
		if (is_text(&value[i]) && value_copy(&value[i], &value[i], op->out->batch.mem))
			return -1;
	window_row(&conf->emit, kind, window, late->key, value, 1);
	return 0;
}

static bool same(const struct value *a, const struct value *b, uint32_t n)
{
	uint32_t i = 0;
	while (i < n && value_same(&a[i], &b[i]))
		i++;
	return i == n;
}

static int put_change(const struct pane_late *late, struct window window, bool was, bool is)
{
	struct op *op = late->op;
	uint32_t n = ((const struct pane_conf *)op->conf)->accs.nagg;
	struct value *before = late->value, *after = late->value + n;
	if ((!was && !is) || (was && is && same(before, after, n)))
		return 0;
	if (edge_room(op->out, 2))
		return -1;
	if (!was)
		return put(late, K_I, window, after);
	if (!is)
		return put(late, K_D, window, before);
	if (op->before && put(late, K_UB | K_PAIR, window, before))
		return -1;
	return put(late, K_UA, window, after);
}

static int fire_window(const struct pane_late *late, const struct pane_late_window *w)
{
	const struct pane_conf *conf = late->op->conf;
	void *is = is_empty(conf, late->node) ? NULL : pane_block(conf, late->node);
	bool had, has;
	int status = value_of(late, w, late->was, late->before, late->value, &had) || value_of(late, w, is, late->after, late->value + conf->accs.nagg, &has) ||
		put_change(late, w->window, had, has);
	accs_empty(&conf->accs, late->before);
	accs_empty(&conf->accs, late->after);
	return status ? -1 : 0;
}

/* As Flink has it, windows of a hop come from the latest start backwards; those of a cumulate, which start together, by end. */
int pane_late_fire(struct pane_late *late)
{
	const struct pane_conf *conf = late->op->conf;
	const struct entry *entry = late->node->entry;
	uint32_t len;
	const char *bytes = entry_key(((struct reduce_pane *)late->op->state)->table, entry, &len);
	key_values(&conf->key, bytes, len, entry->flags & ENTRY_CLEAN, late->key);
	for (uint32_t i = 0; i < late->n; i++)
		if (fire_window(late, &late->window[conf->windows.kind == WINDOW_HOP ? late->n - 1 - i : i]))
			return err_memory(late->op->err); /* or what else there was before */
	return 0;
}

/* ---- panes that are past ----------------------------------------------------------------- */

void pane_late_keep(struct op *op, struct pane *pane)
{
	struct reduce_pane *state = op->state;
	pane->closed = pane->past = true;
	state->nclosed++;
	state->npast++;
	pane_index_free(op, pane);
	for (uint32_t i = 0; i < pane->n; i++) {
		if (!pane->node[i])
			continue;
		pane_open_unlink(pane->node[i]);
		pane_chain_append(op, pane->node[i]);
	}
}

void pane_late_forget(struct op *op, int64_t wm)
{
	const struct reduce_pane *state = op->state;
	while (state->npast && pane_close_time(op->conf, pane_number(state, 0)->last_end) <= wm) {
		const struct pane *pane = pane_number(state, 0);
		int64_t close = pane_close_time(op->conf, pane->last_end);
		if (close > op->out->at && close < WM_END)
			op->out->at = close; /* no row says so: behind the end of input the chain goes by it, see end_windows in ops/chain.c */
		for (uint32_t i = 0; i < pane->n; i++)
			if (pane->node[i])
				pane_chain_unlink(op, pane->node[i]);
		pane_drop(op, 0);
	}
}
