/* Which node a key has in a pane, by the hash of the key: for rows that come in no order at all, where keys have nodes in very many open panes. Made when
 * it is first asked, kept true from then on, dropped when the pane closes.
 *
 *     slot[hash & (nslot - 1)], or the next free one: a node; at most three quarters are taken */
#include "ops/reduce_pane.h"

enum { SLOTS_FIRST = 8 };

static void put(struct pane *pane, struct pane_node *node)
{
	uint32_t i = node->hash & (pane->nslot - 1);
	while (pane->slot[i])
		i = (i + 1) & (pane->nslot - 1);
	pane->slot[i] = node;
}

/* Anew, with room for the pane's nodes and at least one more. */
static int build(struct op *op, struct pane *pane)
{
	uint32_t n = SLOTS_FIRST;
	while (n / 2 <= pane->live) {
		if (n > UINT32_MAX / 4)
			return -1;
		n *= 2;
	}
	struct pane_node **slot = mem_alloc(op->mem, n * sizeof(struct pane_node *));
	if (!slot)
		return -1;
	pane_index_free(op, pane);
	pane->slot = slot;
	pane->nslot = n;
	pane->nused = pane->live;
	for (uint32_t i = 0; i < pane->n; i++)
		if (pane->node[i])
			put(pane, pane->node[i]);
	return 0;
}

int pane_index_find(struct op *op, struct pane *pane, const struct entry *entry, uint32_t hash, struct pane_node **out)
{
	if (!pane->slot && build(op, pane))
		return -1;
	uint32_t i = hash & (pane->nslot - 1);
	while (pane->slot[i] && pane->slot[i]->entry != entry)
		i = (i + 1) & (pane->nslot - 1);
	*out = pane->slot[i];
	return 0;
}

int pane_index_add(struct op *op, struct pane_node *node)
{
	struct pane *pane = node->pane;
	if (!pane->slot)
		return 0;
	if (pane->nused >= pane->nslot / 4 * 3 && build(op, pane))
		return -1;
	put(pane, node);
	pane->nused++;
	return 0;
}

/* The nodes behind the gap that could not be put nearer to their home before may now. */
void pane_index_remove(struct pane_node *node)
{
	struct pane *pane = node->pane;
	uint32_t mask = pane->nslot - 1, gap = node->hash & mask;
	while (pane->slot[gap] != node)
		gap = (gap + 1) & mask;
	for (uint32_t i = (gap + 1) & mask; pane->slot[i]; i = (i + 1) & mask) {
		uint32_t home = pane->slot[i]->hash & mask;
		if (((i - home) & mask) < ((i - gap) & mask))
			continue;
		pane->slot[gap] = pane->slot[i];
		gap = i;
	}
	pane->slot[gap] = NULL;
	pane->nused--;
}

void pane_index_free(struct op *op, struct pane *pane)
{
	mem_free(op->mem, pane->slot, pane->nslot * sizeof(struct pane_node *));
	pane->slot = NULL;
	pane->nslot = pane->nused = 0;
}
