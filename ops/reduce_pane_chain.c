#include <string.h>

#include "ops/reduce_pane.h"

static void *suffix(const struct pane_conf *conf, struct pane_node *node)
{
	return (char *)node + conf->suffix_at;
}

/* What the front holds from a node of it on. */
static void *front_from(const struct pane_conf *conf, const struct pane_key *key, struct pane_node *node)
{
	return node == key->flip ? pane_block(conf, node) : suffix(conf, node);
}

/* ---- links ------------------------------------------------------------------------------- */

/* Totals and suffixes no longer tell what the chain holds. */
static void make_stale(struct pane_key *key)
{
	key->stale = 1;
	key->flip = NULL;
}

/* The chain has an oldest node, or another one. */
static void begin_chain(struct op *op, struct pane_key *key, struct pane_node *oldest)
{
	if (key->oldest)
		pane_set_first(key->oldest, false);
	else
		((struct reduce_pane *)op->state)->nchain++;
	pane_set_first(oldest, true);
	key->oldest = oldest;
}

/* Links a node before a newer one of the list; NULL: as the newest. */
static void link_before(struct op *op, struct pane_node *newer, struct pane_node *node)
{
	struct pane_key *key = pane_key(node->entry);
	struct pane_node *older = newer ? newer->older : key->newest;
	if (!node->pane->past && key->oldest == newer)
		begin_chain(op, key, node);
	if (newer)
		newer->older = node;
	else
		key->newest = node;
	if (older)
		older->newer = node;
	node->older = older;
	node->newer = newer;
}

void pane_chain_append(struct op *op, struct pane_node *node)
{
	link_before(op, NULL, node);
}

void pane_chain_unlink(struct op *op, struct pane_node *node)
{
	const struct pane_conf *conf = op->conf;
	struct pane_key *key = pane_key(node->entry);
	if (node->newer)
		node->newer->older = node->older;
	else
		key->newest = node->older;
	if (node->older)
		node->older->newer = node->newer;
	if (node->pane->past)
		return;
	make_stale(key);
	if (key->oldest != node)
		return;
	key->oldest = node->newer;
	if (key->oldest) {
		pane_set_first(key->oldest, true);
		return;
	}
	((struct reduce_pane *)op->state)->nchain--;
	key->stale = 0;
	accs_empty(&conf->accs, pane_total(key));
}

/* ---- rows of closed panes ---------------------------------------------------------------- */

/* Where nodes are not kept: the oldest one keeps the place of its key, which a row of an older pane moves there. */
static int move_place(struct op *op, struct entry *entry, uint32_t hash, struct pane *pane)
{
	struct pane_key *key = pane_key(entry);
	struct pane_node *node = pane_node_new(op, entry, hash, pane), *gone = key->oldest;
	if (!node)
		return -1;
	if (gone)
		pane_node_free(op, gone);
	else
		((struct reduce_pane *)op->state)->nchain++;
	key->oldest = key->newest = node;
	pane_set_first(node, true);
	return 0;
}

int pane_chain_find(struct op *op, struct entry *entry, uint32_t hash, struct pane *pane, bool make, struct pane_node **node, void **block)
{
	const struct pane_conf *conf = op->conf;
	struct pane_key *key = pane_key(entry);
	*node = NULL;
	*block = pane_total(key);
	if (!conf->keeps)
		return key->oldest && key->oldest->pane->start <= pane->start ? 0 : move_place(op, entry, hash, pane);
	struct pane_node *newer = NULL, *there = key->newest;
	for (; there && there->pane->start > pane->start; there = there->older)
		newer = there;
	if (there && there->pane == pane) {
		*node = there;
	} else if (make) {
		*node = pane_node_new(op, entry, hash, pane);
		if (!*node)
			return -1;
		link_before(op, newer, *node);
	}
	if (*node && !pane->past)
		make_stale(key);
	*block = *node ? pane_block(conf, *node) : NULL;
	return 0;
}

/* ---- closing ----------------------------------------------------------------------------- */

/* Cumulates over rows that only add: the total takes the node's place. */
static int close_into_total(struct op *op, struct pane_node *node)
{
	const struct pane_conf *conf = op->conf;
	struct pane_key *key = pane_key(node->entry);
	void *block = pane_block(conf, node);
	if (!key->oldest) {
		memcpy(pane_total(key), block, conf->accs.size);
		memset(block, 0, conf->accs.size);
		pane_chain_append(op, node);
		return 0;
	}
	int status = accs_merge(&conf->accs, pane_total(key), block);
	pane_node_free(op, node);
	return status;
}

static int close_node(struct op *op, struct pane_node *node)
{
	const struct pane_conf *conf = op->conf;
	struct pane_key *key = pane_key(node->entry);
	pane_open_unlink(node);
	if (!conf->keeps)
		return close_into_total(op, node);
	pane_chain_append(op, node);
	if (!key->stale && accs_merge(&conf->accs, pane_total(key), pane_block(conf, node))) {
		make_stale(key);
		return -1;
	}
	return 0;
}

int pane_close(struct op *op, struct pane *pane)
{
	pane->closed = true;
	((struct reduce_pane *)op->state)->nclosed++;
	pane_index_free(op, pane);
	for (uint32_t i = 0; i < pane->n; i++)
		if (pane->node[i] && close_node(op, pane->node[i]))
			return -1;
	return 0;
}

/* ---- values ------------------------------------------------------------------------------ */

static int merge_total(const struct pane_conf *conf, struct pane_key *key)
{
	accs_empty(&conf->accs, pane_total(key));
	for (struct pane_node *node = key->oldest; node; node = node->newer)
		if (accs_merge(&conf->accs, pane_total(key), pane_block(conf, node)))
			return -1;
	return 0;
}

/* All nodes from `oldest` on become the front. */
static int merge_front(const struct pane_conf *conf, struct pane_key *key, struct pane_node *oldest)
{
	make_stale(key);
	accs_empty(&conf->accs, pane_total(key));
	for (struct pane_node *node = key->newest; node != oldest;) {
		const void *newer = node == key->newest ? pane_block(conf, node) : suffix(conf, node);
		node = node->older;
		accs_empty(&conf->accs, suffix(conf, node));
		if (accs_merge(&conf->accs, suffix(conf, node), pane_block(conf, node)) || accs_merge(&conf->accs, suffix(conf, node), newer))
			return -1;
	}
	key->flip = key->newest;
	key->stale = 0;
	return 0;
}

static void *stacks_value(const struct pane_conf *conf, struct pane_key *key, void *spare)
{
	if (key->stale && merge_front(conf, key, key->oldest))
		return NULL;
	if (!key->flip)
		return pane_total(key);
	void *front = front_from(conf, key, key->oldest);
	if (key->newest == key->flip)
		return front;
	return accs_merge(&conf->accs, spare, front) || accs_merge(&conf->accs, spare, pane_total(key)) ? NULL : spare;
}

void *pane_chain_value(struct op *op, struct pane_key *key, void *spare)
{
	const struct pane_conf *conf = op->conf;
	if (conf->value == PANE_STACKS)
		return stacks_value(conf, key, spare);
	if (key->stale && merge_total(conf, key))
		return NULL;
	key->stale = 0;
	return pane_total(key);
}

/* ---- sliding on -------------------------------------------------------------------------- */

static int take_out(const struct pane_conf *conf, struct pane_key *key, struct pane_node *node)
{
	char *total = pane_total(key), *block = pane_block(conf, node);
	for (uint32_t i = 0; i < conf->accs.nagg; i++) {
		const struct accs_agg *a = &conf->accs.agg[i];
		if (a->agg.type->unmerge(&a->agg, total + a->at, block + a->at)) {
			make_stale(key);
			return -1;
		}
	}
	return 0;
}

/* The oldest node is about to leave a chain that goes on. */
static int let_go(const struct pane_conf *conf, struct pane_key *key, struct pane_node *node)
{
	if (key->stale || conf->windows.kind == WINDOW_CUMULATE)
		return 0;
	if (conf->value == PANE_TOTAL)
		return take_out(conf, key, node);
	if (!key->flip)
		return merge_front(conf, key, node->newer);
	if (key->flip == node)
		key->flip = NULL;
	return 0;
}

static int shift_node(struct op *op, struct pane_node *node)
{
	const struct pane_conf *conf = op->conf;
	struct pane_key *key = pane_key(node->entry);
	if (node->newer) {
		if (let_go(conf, key, node))
			return -1;
		key->oldest = node->newer;
	} else {
		key->oldest = key->flip = NULL;
		key->stale = 0;
		accs_empty(&conf->accs, pane_total(key));
		((struct reduce_pane *)op->state)->nchain--;
	}
	if (conf->lateness) {
		pane_set_first(node, false);
		if (conf->suffix_at)
			accs_empty(&conf->accs, suffix(conf, node));
		return 0;
	}
	if (node->newer)
		node->newer->older = NULL;
	else
		key->newest = NULL;
	pane_node_free(op, node);
	return 0;
}

/* The next nodes lie anywhere in memory. In a loop that does nothing else the waits for them overlap. */
static void pass_first_on(const struct pane *pane)
{
	for (uint32_t i = 0; i < pane->n; i++)
		if (pane->node[i] && pane->node[i]->newer)
			pane_set_first(pane->node[i]->newer, true);
}

int pane_shift(struct op *op, struct pane *pane)
{
	struct reduce_pane *state = op->state;
	pass_first_on(pane);
	for (uint32_t i = 0; i < pane->n; i++)
		if (pane->node[i] && shift_node(op, pane->node[i]))
			return -1;
	if (!((const struct pane_conf *)op->conf)->lateness) {
		pane_drop(op, 0);
		return 0;
	}
	pane->past = true;
	state->npast++;
	return 0;
}
