#include "ops/reduce_window.h"

struct rw_node *rw_node_new(struct op *op, struct entry *entry, struct rw_node *newer, struct window window)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	struct rw_node *node = pool_get(&rw->nodes);
	if (!node)
		return NULL;
	node->entry = entry;
	node->window = window;
	node->number = ++rw->made;
	node->next = *rw_behind(entry, newer);
	*rw_behind(entry, newer) = node;
	if (conf->kind == WINDOW_SESSION) {
		node->due = INT64_MAX;
	} else {
		node->newer = newer;
		if (node->next)
			node->next->newer = node;
	}
	rw_trigger_init(conf, node);
	return node;
}

void rw_node_clear(struct op *op, struct rw_node *node)
{
	const struct rw_conf *conf = op->conf;
	if (conf->kept_at)
		rw_kept_drop(op, rw_kept(conf, node));
	else
		accs_empty(&conf->accs, rw_at(node, conf->block_at));
	if (conf->counts)
		*rw_rows(conf, node) = 0;
}

void rw_node_free(struct op *op, struct rw_node *node)
{
	if (!node->timers)
		pool_put(&((struct rw *)op->state)->nodes, node);
}

/* Frees what a node owns. */
static void let_go(struct op *op, struct rw_node *node)
{
	const struct rw_conf *conf = op->conf;
	if (conf->kept_at || conf->accs.heap)
		rw_node_clear(op, node);
	if (conf->was_at)
		rw_was_free(op, *rw_was(conf, node));
	node->flags = RW_GONE;
	rw_node_free(op, node);
}

static struct rw_node *newer_of(const struct rw_conf *conf, const struct rw_node *node)
{
	if (conf->kind != WINDOW_SESSION)
		return node->newer;
	struct rw_node *at = *rw_first(node->entry), *newer = NULL;
	for (; at != node; at = at->next)
		newer = at;
	return newer;
}

void rw_node_drop(struct op *op, struct rw_node *node)
{
	const struct rw_conf *conf = op->conf;
	struct entry *entry = node->entry;
	struct rw_node *newer = newer_of(conf, node);
	*rw_behind(entry, newer) = node->next;
	if (node->next && conf->kind != WINDOW_SESSION)
		node->next->newer = newer;
	if (!*rw_first(entry))
		table_remove(((struct rw *)op->state)->table, entry);
	let_go(op, node);
}

void rw_node_drop_all(struct op *op)
{
	struct rw *rw = op->state;
	struct entry *entry;
	for (uint64_t pos = 0; table_next(rw->table, &pos, &entry);)
		while (*rw_first(entry)) {
			struct rw_node *node = *rw_first(entry);
			*rw_first(entry) = node->next;
			let_go(op, node);
		}
}

void rw_moved(void *ctx, struct entry *entry)
{
	(void)ctx;
	for (struct rw_node *node = *rw_first(entry); node; node = node->next)
		node->entry = entry;
}

/* The results of both, by start. */
static void merge_was(struct rw_was **into, struct rw_was *from)
{
	while (from) {
		struct rw_was *next = from->next;
		while (*into && (*into)->window.start < from->window.start)
			into = &(*into)->next;
		from->next = *into;
		*into = from;
		from = next;
	}
}

int rw_node_merge(struct op *op, struct rw_node *into, struct rw_node *from)
{
	const struct rw_conf *conf = op->conf;
	if (conf->kept_at ? rw_kept_merge(op, rw_kept(conf, into), rw_kept(conf, from)) :
			    accs_merge(&conf->accs, rw_at(into, conf->block_at), rw_at(from, conf->block_at)))
		return -1;
	if (conf->counts)
		*rw_rows(conf, into) += *rw_rows(conf, from);
	if (conf->was_at) {
		merge_was(rw_was(conf, into), *rw_was(conf, from));
		*rw_was(conf, from) = NULL;
	}
	rw_trigger_merge(conf, into, from);
	return 0;
}
