#include "ops/reduce_window.h"

int64_t rw_session_due(const struct rw_conf *conf, const struct rw_node *node)
{
	return conf->ends && !(node->flags & RW_ENDED) ? node->window.end - 1 : rw_close(conf, node->window.end);
}

int rw_session_timer(struct op *op, struct rw_node *node)
{
	struct rw *rw = op->state;
	int64_t due = rw_session_due(op->conf, node);
	if (due >= node->due)
		return 0;
	if (wheel_add(&rw->ends, (struct wheel_timer){ due, node }))
		return -1;
	node->due = due;
	node->timers++;
	return 0;
}

static bool touches(const struct rw_node *node, struct window own)
{
	return node && node->window.start <= own.end && node->window.end >= own.start;
}

/* The newest node of a key that does not begin behind a row's own window: if any touches that, it does. *newer: the one before it. */
static struct rw_node *find_node(struct entry *entry, struct window own, struct rw_node **newer)
{
	struct rw_node *node = *rw_first(entry);
	*newer = NULL;
	for (; node && node->window.start > own.end; node = node->next)
		*newer = node;
	return node;
}

/* Makes one of two neighbours; the one that came first stays. Rows before row i may wait for either: they do not any longer. */
static struct rw_node *join(struct rw_push *push, uint32_t i, struct rw_node *newer)
{
	struct rw_node *older = newer->next;
	struct rw_node *into = older->number < newer->number ? older : newer, *from = into == older ? newer : older;
	struct window window = { older->window.start, newer->window.end };
	rw_wake(push->op, older);
	if (rw_settle(push, i) || rw_node_merge(push->op, into, from))
		return NULL;
	into->window = window;
	rw_node_drop(push->op, from);
	return into;
}

/* The node and those behind it that touch the row's window, too, become one with it; NULL if memory is refused. */
static struct rw_node *grow(struct rw_push *push, uint32_t i, struct rw_node *node, struct window own)
{
	rw_wake(push->op, node);
	while (node && touches(node->next, own))
		node = join(push, i, node);
	if (!node)
		return NULL;
	if (own.start < node->window.start)
		node->window.start = own.start;
	if (own.end > node->window.end)
		node->window.end = own.end;
	if (!rw_ended(push->op, node->window.end))
		node->flags &= ~(uint32_t)RW_ENDED;
	return rw_session_timer(push->op, node) ? NULL : node;
}

/* A session of its own for the row. */
static struct rw_node *begin(struct rw_push *push, uint32_t i, struct rw_node *newer, struct window own)
{
	struct rw_node *node = rw_node_new(push->op, push->keys.entry[i], newer, own);
	if (!node)
		return NULL;
	rw_wake(push->op, node);
	if (rw_ended(push->op, own.end)) /* a late row */
		node->flags |= RW_ENDED;
	if (!rw_session_timer(push->op, node))
		return node;
	rw_node_drop(push->op, node);
	return NULL;
}

/* The session of a row that adds; NULL: it comes too late, or, with `refused`, memory is. */
static struct rw_node *enter(struct rw_push *push, uint32_t i, struct window own, bool *refused)
{
	struct rw_node *newer, *node = find_node(push->keys.entry[i], own, &newer);
	if (!touches(node, own) && rw_late(push->op, own.end)) {
		rw_note_late(push, i, own.end);
		return NULL;
	}
	node = touches(node, own) ? grow(push, i, node, own) : begin(push, i, newer, own);
	*refused = !node;
	return node;
}

/* That of a row that takes back, which neither makes one nor changes its bounds; NULL: it is ignored, or comes too late. */
static struct rw_node *look_up(struct rw_push *push, uint32_t i, struct window own)
{
	struct entry *entry = push->keys.entry[i];
	struct rw_node *newer, *node = entry ? find_node(entry, own, &newer) : NULL;
	while (touches(node, own) && touches(node->next, own)) /* of two, that which had begun */
		node = node->next;
	if (touches(node, own) && *rw_rows(push->conf, node)) {
		rw_wake(push->op, node);
		return node;
	}
	if (!touches(node, own) && rw_late(push->op, own.end))
		rw_note_late(push, i, own.end);
	else
		push->op->ignored++;
	return NULL;
}

int rw_session_row(struct rw_push *push, uint32_t i, int64_t t)
{
	struct window own = { t, 0 };
	bool refused = false, fires = false;
	if (__builtin_add_overflow(t, push->conf->gap, &own.end))
		own.end = INT64_MAX;
	struct rw_node *node = keyed_adds(&push->keys, i) ? enter(push, i, own, &refused) : look_up(push, i, own);
	if (!node)
		return refused ? err_memory(push->op->err) : 0;
	if (rw_take(push, i, t, node, 0) || rw_trigger_row(push, i, t, node, &fires))
		return err_memory(push->op->err);
	if (!fires)
		return 0;
	return rw_settle(push, i + 1) ? err_memory(push->op->err) : rw_fire(push->op, &node, 1);
}
