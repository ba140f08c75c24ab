#include <string.h>

#include "ops/late.h"
#include "ops/pick.h"
#include "ops/reduce_pane.h"

enum {
	LOOK = 4,          /* open nodes of a key that are looked at before the pane's index is asked */
	SWEEP_FIRST = 256, /* fewer keys are never too many */
};

/* A batch on its way. Arrays are by row, in the batch's memory. */
struct push {
	struct op *op;
	const struct batch *in;
	struct batch picked;     /* where some rows were dropped */
	uint32_t n;
	struct pane **pane;      /* NULL: the row takes back, and the pane is not there */
	bool closed;             /* some of these are closed */
	uint16_t *late;          /* rows that fire windows again */
	uint32_t nlate;
	struct keyed keys;
	struct accs_input input;
	void **block;            /* where it counts; NULL: nowhere */
	uint8_t *act;            /* only if the input takes back */
	struct pane_node **gone; /* nodes that had no row left after a row of the batch; one may be there several times */
	uint32_t ngone;
};

/* ---- panes ------------------------------------------------------------------------------- */

/* Rows by what becomes of them. */
struct sorted {
	uint16_t *kept, *late;
	uint32_t nkept, nlate;
};

/* A row that is not in the pane of the one before. */
static int sort_row(struct push *p, struct sorted *to, uint32_t row, int64_t t, struct pane **pane)
{
	struct op *op = p->op;
	bool adds = !((const struct pane_conf *)op->conf)->accs.retracts || kind_adds(batch_kind(p->in, row));
	int64_t last_end;
	if (pane_find(op, t, adds, pane, &last_end))
		return err_memory(op->err);
	if (!*pane && last_end == INT64_MAX)
		return 0;
	if (!*pane && op->timed && pane_close_time(op->conf, last_end) <= op->wm) {
		late_count(op, pane_close_time(op->conf, last_end) - 1);
		to->late[to->nlate++] = (uint16_t)row;
		return 0;
	}
	p->closed |= *pane && (*pane)->closed;
	p->pane[to->nkept] = *pane;
	to->kept[to->nkept++] = (uint16_t)row;
	return 0;
}

static int sort_rows(struct push *p, struct sorted *to)
{
	const int64_t *time = p->op->timed ? p->in->time : NULL;
	struct pane *pane = NULL;
	int64_t t = p->op->now;
	for (uint32_t i = 0; i < p->in->n; i++) {
		t = time ? time[i] : t;
		if (!pane || t < pane->start || t >= pane->end) {
			if (sort_row(p, to, i, t, &pane))
				return -1;
			continue;
		}
		p->pane[to->nkept] = pane;
		to->kept[to->nkept++] = (uint16_t)i;
	}
	return 0;
}

/* The batch without the rows that are dropped. */
static int pick(struct push *p, const struct sorted *sorted)
{
	uint8_t *kind = p->in->kind ? arena_alloc(p->in->mem, sorted->nkept + 1) : NULL;
	if (p->in->kind && !kind)
		return err_memory(p->op->err);
	for (uint32_t i = 0; kind && i < sorted->nkept; i++)
		kind[i] = p->in->kind[sorted->kept[i]] & K_MASK; /* one half of an update may be dropped alone */
	if (batch_pick(p->in, sorted->kept, sorted->nkept, kind, &p->picked))
		return err_memory(p->op->err);
	p->in = &p->picked;
	return 0;
}

static int find_panes(struct push *p)
{
	struct arena *mem = p->in->mem;
	uint32_t n = p->in->n;
	struct sorted to = { .kept = arena_alloc(mem, n * sizeof *to.kept), .late = arena_alloc(mem, n * sizeof *to.late) };
	p->pane = arena_alloc(mem, n * sizeof(struct pane *));
	if (!to.kept || !to.late || !p->pane)
		return err_memory(p->op->err);
	if (sort_rows(p, &to) || late_send(p->op, p->in, to.late, to.nlate) || (to.nkept < n && pick(p, &to)))
		return -1;
	p->n = to.nkept;
	return 0;
}

/* ---- nodes ------------------------------------------------------------------------------- */

/* The node of a key in an open pane; *out is NULL if there is none. */
static int find_open(struct op *op, struct entry *entry, uint32_t hash, struct pane *pane, struct pane_node **out)
{
	struct pane_key *key = pane_key(entry);
	struct pane_node *node = key->open;
	for (int i = 0; node && node->pane != pane && i < LOOK; i++)
		node = node->older;
	*out = node && node->pane == pane ? node : NULL;
	return *out || key->nopen <= LOOK ? 0 : pane_index_find(op, pane, entry, hash, out);
}

/* The block of row i whose key last was in another pane, and its node, if it has one. Made if `make`. */
static int find_node(struct push *p, uint32_t i, bool make, struct pane_node **node)
{
	struct op *op = p->op;
	struct entry *entry = p->keys.entry[i];
	struct pane *pane = p->pane[i];
	struct pane_key *key = pane_key(entry);
	uint32_t hash = (uint32_t)p->keys.hash[i];
	if (pane->closed)
		return pane_chain_find(op, entry, hash, pane, make, node, &p->block[i]);
	if (find_open(op, entry, hash, pane, node))
		return -1;
	if (!*node && make) {
		*node = pane_node_new(op, entry, hash, pane);
		if (!*node)
			return -1;
		pane_open_link(*node);
	}
	p->block[i] = *node ? pane_block(op->conf, *node) : NULL;
	if (*node) {
		key->last = *node;
		key->last_pane = pane;
	}
	return 0;
}

/* Rows that fire windows again wait until the others are in, which is no matter to them. */
static bool is_late(struct push *p, uint32_t i)
{
	if (!p->closed || !p->pane[i] || !pane_late_fires(p->op, p->pane[i]))
		return false;
	p->block[i] = NULL;
	p->late[p->nlate++] = (uint16_t)i;
	return true;
}

static int find_blocks(struct push *p)
{
	const struct pane_conf *conf = p->op->conf;
	for (uint32_t i = 0; i < p->n; i++) {
		const struct pane_key *key = pane_key(p->keys.entry[i]);
		struct pane_node *node;
		if (key->last_pane == p->pane[i])
			p->block[i] = pane_block(conf, key->last);
		else if (!is_late(p, i) && find_node(p, i, true, &node))
			return -1;
	}
	return 0;
}

/* Where rows take back: counts row i at its node, NULL if there is none. */
static int count_at(struct push *p, uint32_t i, struct pane_node *node)
{
	bool adds = keyed_adds(&p->keys, i);
	if (!node || (!adds && !*pane_rows(node))) {
		p->block[i] = NULL;
		p->op->ignored++;
		return 0;
	}
	int64_t *rows = pane_rows(node);
	if (adds) {
		p->act[i] = *rows ? ACT_ADD : ACT_FIRST;
		if (!*rows && node->place + 1 < node->pane->n && pane_node_again(p->op, node))
			return -1;
		++*rows;
		return 0;
	}
	p->act[i] = ACT_SUB;
	if (!--*rows) {
		p->act[i] |= ACT_LAST;
		p->gone[p->ngone++] = node;
	}
	return 0;
}

static int count_row(struct push *p, uint32_t i)
{
	struct pane_node *node = NULL;
	p->block[i] = NULL;
	if (is_late(p, i))
		return 0;
	if (p->keys.entry[i] && p->pane[i] && find_node(p, i, keyed_adds(&p->keys, i), &node))
		return -1;
	return count_at(p, i, node);
}

static int count_rows(struct push *p)
{
	struct arena *mem = p->in->mem;
	p->act = arena_alloc(mem, p->n);
	p->gone = arena_alloc(mem, p->n * sizeof(struct pane_node *));
	if (!p->act || !p->gone)
		return -1;
	for (uint32_t i = 0; i < p->n; i++)
		if (count_row(p, i))
			return -1;
	return 0;
}

static int take_in(struct push *p)
{
	const struct pane_conf *conf = p->op->conf;
	struct reduce_pane *state = p->op->state;
	p->block = arena_alloc(p->in->mem, p->n * sizeof *p->block);
	p->late = p->closed ? arena_alloc(p->in->mem, p->n * sizeof *p->late) : NULL;
	if (!p->block || (p->closed && !p->late) || keyed_find(&p->keys, state->table, &conf->key, p->in, conf->accs.retracts))
		return -1;
	if (conf->accs.retracts ? count_rows(p) : find_blocks(p))
		return -1;
	return accs_input(&conf->accs, p->in, &p->input) || accs_update(&conf->accs, &p->input, 0, p->n, p->block, p->act) ? -1 : 0;
}

/* ---- rows that fire windows again -------------------------------------------------------- */

static int late_row(struct push *p, uint32_t i)
{
	struct op *op = p->op;
	const struct pane_conf *conf = op->conf;
	const struct reduce_pane *state = op->state;
	struct pane_node *node = NULL;
	struct pane_late late;
	uint64_t made = state->made;
	if (p->keys.entry[i] && find_node(p, i, keyed_adds(&p->keys, i), &node))
		return err_memory(op->err);
	bool holds = node && (conf->accs.retracts ? *pane_rows(node) > 0 : state->made == made);
	if (conf->accs.retracts && count_at(p, i, node))
		return err_memory(op->err);
	if (!p->block[i])
		return 0;
	int status = pane_late_begin(&late, op, node, holds) || accs_update(&conf->accs, &p->input, i, 1, &p->block[i], p->act ? &p->act[i] : NULL);
	status = status ? err_memory(op->err) : pane_late_fire(&late);
	pane_late_end(&late);
	return status;
}

/* What they write borrows keys, which move when the batch is done. */
static int late_rows(struct push *p)
{
	for (uint32_t k = 0; k < p->nlate; k++)
		if (late_row(p, p->late[k]))
			return -1;
	return p->nlate ? edge_push(p->op->out) : 0;
}

/* ---- what has gone ----------------------------------------------------------------------- */

static void drop_gone(struct push *p)
{
	for (uint32_t i = 0; i < p->ngone; i++) {
		struct pane_node *node = p->gone[i];
		struct pane *pane = node->pane;
		if (*pane_rows(node))
			continue; /* rows have come again */
		*pane_rows(node) = -1; /* stays readable, if it is there once more: nothing is made meanwhile */
		if (pane->closed)
			pane_chain_unlink(p->op, node);
		else
			pane_open_unlink(node);
		pane_node_free(p->op, node);
		pane_drop_empty(p->op, pane);
	}
}

/* Keys that were without nodes at the last look, too, go. It is time to look when there are a quarter more keys than the last one left, so that there are
 * never many more than were needed at once; and now and then, as the need may have fallen. */
static void sweep(const struct pane_conf *conf, struct reduce_pane *state)
{
	uint64_t n = table_count(state->table);
	if (n < SWEEP_FIRST || (n < state->kept + state->kept / 4 && state->made < 4 * n))
		return;
	struct entry *entry;
	for (uint64_t pos = 0; table_next(state->table, &pos, &entry);) {
		if (pane_key_busy(conf, pane_key(entry)))
			continue;
		if (entry->mark)
			table_remove(state->table, entry);
		else
			entry->mark = 1;
	}
	state->kept = table_count(state->table);
	state->made = 0;
}

int pane_push(struct op *op, const struct batch *in)
{
	struct push p = { .op = op, .in = in };
	struct reduce_pane *state = op->state;
	if (!in->n)
		return 0;
	if (find_panes(&p))
		return -1;
	if (!p.n)
		return 0;
	int status = take_in(&p) ? err_memory(op->err) : late_rows(&p);
	drop_gone(&p);
	if (status)
		return -1;
	sweep(op->conf, state);
	table_tick(state->table, p.n);
	return 0;
}
