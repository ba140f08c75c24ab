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

/* The first node of a key that a row's own window touches, in its link; where a new one belongs if there is none. */
static struct rw_node **find_touching(struct entry *entry, struct window own, bool *touches)
{
	struct rw_node **link = rw_first(entry);
	while (*link && (*link)->window.end < own.start)
		link = &(*link)->next;
	*touches = *link && (*link)->window.start <= own.end;
	return link;
}

/* Makes one of two neighbours; the one that began first stays. */
static struct rw_node *join(struct rw_push *push, uint32_t i, struct rw_node **link)
{
	struct rw_node *a = *link, *b = a->next;
	struct rw_node *into = a->number < b->number ? a : b, *from = into == a ? b : a;
	rw_wake(push->op, b);
	if (rw_settle(push, i) || rw_node_merge(push->op, into, from))
		return NULL;
	into->window.start = a->window.start;
	into->window.end = b->window.end;
	rw_node_drop(push->op, from);
	return into;
}

/* Nodes that touch become one with the row's window; NULL if memory is refused. */
static struct rw_node *grow(struct rw_push *push, uint32_t i, struct rw_node **link, struct window own)
{
	struct rw_node *node = *link;
	rw_wake(push->op, node);
	while (node->next && node->next->window.start <= own.end)
		if (!(node = join(push, i, link)))
			return NULL;
	if (own.start < node->window.start)
		node->window.start = own.start;
	if (own.end > node->window.end)
		node->window.end = own.end;
	if (!rw_ended(push->op, node->window.end))
		node->flags &= ~(uint32_t)RW_ENDED;
	return rw_session_timer(push->op, node) ? NULL : node;
}

static struct rw_node *begin(struct rw_push *push, uint32_t i, struct rw_node **link, struct window own)
{
	struct rw_node *node = rw_node_new(push->op, push->keys.entry[i], link, own);
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

/* A row that takes back neither makes a session nor changes its bounds. */
static struct rw_node *find_session(struct rw_push *push, uint32_t i, struct window own)
{
	struct entry *entry = push->keys.entry[i];
	bool touches = false;
	struct rw_node **link = entry ? find_touching(entry, own, &touches) : NULL;
	if (!touches && rw_late(push->op, own.end))
		rw_note_late(push, i, own.end);
	else if (!touches || !*rw_rows(push->conf, *link))
		push->op->ignored++;
	else
		return *link;
	return NULL;
}

int rw_session_row(struct rw_push *push, uint32_t i, int64_t t)
{
	struct window own = { t, 0 };
	struct rw_node *node;
	bool touches, fires = false;
	if (__builtin_add_overflow(t, push->conf->gap, &own.end))
		own.end = INT64_MAX;
	if (keyed_adds(&push->keys, i)) {
		struct rw_node **link = find_touching(push->keys.entry[i], own, &touches);
		if (!touches && rw_late(push->op, own.end)) {
			rw_note_late(push, i, own.end);
			return 0;
		}
		node = touches ? grow(push, i, link, own) : begin(push, i, link, own);
		if (!node)
			return err_memory(push->op->err);
	} else {
		node = find_session(push, i, own);
		if (!node)
			return 0;
		rw_wake(push->op, node);
	}
	if (rw_take(push, i, t, node, 0) || rw_trigger_row(push, i, t, node, &fires))
		return err_memory(push->op->err);
	if (!fires)
		return 0;
	return rw_settle(push, i + 1) ? err_memory(push->op->err) : rw_fire(push->op, &node, 1);
}
