#include <string.h>

#include "ops/reduce_pane.h"

enum {
	PANES_FIRST = 16,
	PLACES_FIRST = 4,
};

/* ---- panes by start ---------------------------------------------------------------------- */

static inline bool holds(const struct pane *pane, int64_t t)
{
	return t >= pane->start && t < pane->end;
}

/* The number of the first pane that ends behind t. */
static uint32_t search(const struct reduce_pane *state, int64_t t)
{
	uint32_t low = 0, high = state->n;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (pane_number(state, mid)->end <= t)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Rows that are not quite in order go back and forth between neighbours. */
static uint32_t search_near(const struct reduce_pane *state, int64_t t)
{
	uint32_t at = state->at;
	if (at < state->n) {
		const struct pane *pane = pane_number(state, at);
		if (holds(pane, t))
			return at;
		if (t >= pane->end && at + 1 < state->n && holds(pane_number(state, at + 1), t))
			return at + 1;
		if (t < pane->start && at && holds(pane_number(state, at - 1), t))
			return at - 1;
	}
	return search(state, t);
}

/* Room for one more before the first or behind the last. A new place of all is in the middle, so that either end is good for many more. */
static int make_room(struct op *op, bool before)
{
	struct reduce_pane *state = op->state;
	if (before ? state->from > 0 : state->from + state->n < state->cap)
		return 0;
	uint32_t cap = !state->cap ? (uint32_t)PANES_FIRST : state->n > state->cap / 2 ? state->cap * 2 : state->cap;
	if (cap > state->cap) {
		struct pane **pane = cap > UINT32_MAX / 4 ? NULL : mem_resize(op->mem, state->pane, state->cap * sizeof(struct pane *), cap * sizeof(struct pane *));
		if (!pane)
			return -1;
		state->pane = pane;
		state->cap = cap;
	}
	uint32_t from = (cap - state->n) / 2;
	memmove(state->pane + from, state->pane + state->from, state->n * sizeof(struct pane *));
	state->from = from;
	return 0;
}

/* Puts a pane before number i, moving the shorter side. */
static int insert(struct op *op, uint32_t i, struct pane *pane)
{
	struct reduce_pane *state = op->state;
	bool before = i < state->n / 2;
	if (make_room(op, before))
		return -1;
	struct pane **first = state->pane + state->from;
	if (before) {
		memmove(first - 1, first, i * sizeof(struct pane *));
		state->from--;
	} else {
		memmove(first + i + 1, first + i, (state->n - i) * sizeof(struct pane *));
	}
	state->pane[state->from + i] = pane;
	state->n++;
	state->nclosed += pane->closed;
	state->npast += pane->past;
	state->at = i;
	return 0;
}

static struct pane *new_pane(struct op *op, uint32_t i, const struct pane *bounds)
{
	struct pane *pane = mem_alloc(op->mem, sizeof *pane);
	if (!pane)
		return NULL;
	*pane = *bounds;
	if (insert(op, i, pane)) {
		mem_free(op->mem, pane, sizeof *pane);
		return NULL;
	}
	return pane;
}

int pane_find(struct op *op, int64_t t, bool make, struct pane **out, int64_t *last_end)
{
	const struct windows *windows = &((const struct pane_conf *)op->conf)->windows;
	struct reduce_pane *state = op->state;
	uint32_t i = search_near(state, t);
	*out = NULL;
	if (i < state->n && holds(pane_number(state, i), t)) {
		state->at = i;
		*out = pane_number(state, i);
		return 0;
	}
	struct window bounds;
	*last_end = INT64_MAX;
	if (!windows_pane(windows, t, &bounds))
		return 0;
	*last_end = windows_last_end(windows, t);
	if (!make || (op->timed && pane_close_time(op->conf, *last_end) <= op->wm))
		return 0;
	struct pane pane = { .start = bounds.start, .end = bounds.end, .first_end = windows_next_end(windows, bounds.start), .last_end = *last_end };
	pane.past = i < state->npast || (op->timed && i == state->npast && pane.last_end - 1 <= op->wm);
	pane.closed = pane.past || (pane.first_end < pane.last_end && pane.first_end - 1 <= pane_fired(op));
	*out = new_pane(op, i, &pane);
	return *out ? 0 : -1;
}

struct pane *pane_append(struct op *op, const struct pane *bounds)
{
	return new_pane(op, ((struct reduce_pane *)op->state)->n, bounds);
}

void pane_free(struct op *op, struct pane *pane)
{
	while (pane->n)
		pane_node_free(op, pane->node[pane->n - 1]);
	pane_index_free(op, pane);
	mem_free(op->mem, pane->node, pane->cap * sizeof(struct pane_node *));
	mem_free(op->mem, pane->first, (pane->cap + 63) / 64 * sizeof *pane->first);
	mem_free(op->mem, pane, sizeof *pane);
}

void pane_drop(struct op *op, uint32_t i)
{
	struct reduce_pane *state = op->state;
	struct pane **first = state->pane + state->from;
	state->nclosed -= first[i]->closed;
	state->npast -= first[i]->past;
	pane_free(op, first[i]);
	if (i < state->n / 2) {
		memmove(first + 1, first, i * sizeof(struct pane *));
		state->from++;
	} else {
		memmove(first + i, first + i + 1, (state->n - i - 1) * sizeof(struct pane *));
	}
	state->n--;
	if (state->at > i)
		state->at--;
}

void pane_drop_empty(struct op *op, struct pane *pane)
{
	if (!pane->live)
		pane_drop(op, search(op->state, pane->start));
}

/* ---- nodes of a pane, by arrival --------------------------------------------------------- */

static void put_bit(struct pane *pane, uint32_t place, bool set)
{
	uint64_t bit = UINT64_C(1) << place % 64;
	if (set)
		pane->first[place / 64] |= bit;
	else
		pane->first[place / 64] &= ~bit;
}

/* Closes the gaps that nodes have left. */
static void close_ranks(struct pane *pane)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < pane->n; i++) {
		struct pane_node *node = pane->node[i];
		if (!node)
			continue;
		if (pane->first) {
			bool first = pane_is_first(pane, i);
			put_bit(pane, i, false);
			put_bit(pane, n, first);
		}
		pane->node[n] = node;
		node->place = n++;
	}
	pane->n = n;
}

/* Room for one more bit for each of cap places. */
static int grow_bits(struct op *op, struct pane *pane, uint32_t cap)
{
	size_t have = (pane->cap + 63) / 64, want = (cap + 63) / 64;
	if (((const struct pane_conf *)op->conf)->value == PANE_ONE || have == want)
		return 0;
	uint64_t *first = mem_resize(op->mem, pane->first, have * sizeof *first, want * sizeof *first);
	if (!first)
		return -1;
	memset(first + have, 0, (want - have) * sizeof *first);
	pane->first = first;
	return 0;
}

static int place_room(struct op *op, struct pane *pane)
{
	if (pane->n < pane->cap)
		return 0;
	if (pane->live < pane->cap / 2) {
		close_ranks(pane);
		return 0;
	}
	if (pane->cap > UINT32_MAX / 4)
		return -1;
	uint32_t cap = pane->cap ? pane->cap * 2 : PLACES_FIRST;
	struct pane_node **node = mem_resize(op->mem, pane->node, pane->cap * sizeof(struct pane_node *), cap * sizeof(struct pane_node *));
	if (!node)
		return -1;
	pane->node = node;
	if (grow_bits(op, pane, cap)) {
		pane->node = mem_resize(op->mem, node, cap * sizeof(struct pane_node *), pane->cap * sizeof(struct pane_node *));
		return -1;
	}
	pane->cap = cap;
	return 0;
}

struct pane_node *pane_node_new(struct op *op, struct entry *entry, uint32_t hash, struct pane *pane)
{
	struct reduce_pane *state = op->state;
	if (place_room(op, pane))
		return NULL;
	struct pane_node *node = pool_get(&state->nodes);
	if (!node)
		return NULL;
	node->entry = entry;
	node->pane = pane;
	node->hash = hash;
	if (pane_index_add(op, node)) {
		pool_put(&state->nodes, node);
		return NULL;
	}
	node->place = pane->n;
	pane->node[pane->n++] = node;
	pane->live++;
	entry->mark = 0;
	state->made++;
	return node;
}

/* Leaves the place of a node, and the empty ones behind all nodes. */
static void leave(struct pane *pane, uint32_t place)
{
	pane->node[place] = NULL;
	while (pane->n && !pane->node[pane->n - 1])
		pane->n--;
}

int pane_node_again(struct op *op, struct pane_node *node)
{
	struct pane *pane = node->pane;
	if (place_room(op, pane))
		return -1;
	bool first = pane->first && pane_is_first(pane, node->place);
	if (first)
		pane_set_first(node, false);
	pane->node[pane->n] = node;
	leave(pane, node->place);
	node->place = pane->n++;
	if (first)
		pane_set_first(node, true);
	return 0;
}

void pane_node_free(struct op *op, struct pane_node *node)
{
	const struct pane_conf *conf = op->conf;
	struct pane *pane = node->pane;
	if (pane->slot)
		pane_index_remove(node);
	if (pane->first)
		pane_set_first(node, false);
	leave(pane, node->place);
	pane->live--;
	if (conf->accs.heap) {
		accs_empty(&conf->accs, pane_block(conf, node));
		if (conf->suffix_at)
			accs_empty(&conf->accs, (char *)node + conf->suffix_at);
	}
	pool_put(&((struct reduce_pane *)op->state)->nodes, node);
}

/* ---- open nodes of a key ----------------------------------------------------------------- */

void pane_open_link(struct pane_node *node)
{
	struct pane_key *key = pane_key(node->entry);
	node->newer = NULL;
	node->older = key->open;
	if (key->open)
		key->open->newer = node;
	key->open = node;
	key->nopen++;
}

void pane_open_unlink(struct pane_node *node)
{
	struct pane_key *key = pane_key(node->entry);
	if (key->last == node) {
		key->last = NULL;
		key->last_pane = NULL;
	}
	if (node->newer)
		node->newer->older = node->older;
	else
		key->open = node->older;
	if (node->older)
		node->older->newer = node->newer;
	node->older = node->newer = NULL;
	key->nopen--;
}
