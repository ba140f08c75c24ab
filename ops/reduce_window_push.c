#include "ops/late.h"
#include "ops/reduce_window.h"

/* ---- rows that wait for their blocks ---- */

enum { WAIT_MOST = 1 << 15 /* blocks on all layers */ };

/* Makes room for rows in so many windows each. No row waits. */
static int make_layers(struct rw_push *push, uint32_t layers)
{
	if (layers <= push->layers || push->conf->kept_at)
		return 0;
	uint32_t cap = layers > WAIT_MOST ? 1 : WAIT_MOST / layers;
	if (cap > push->in->n)
		cap = push->in->n;
	push->block = arena_alloc(push->in->mem, (size_t)cap * layers * sizeof *push->block);
	push->act = push->conf->counts ? arena_alloc(push->in->mem, (size_t)cap * layers) : NULL;
	if (!push->block || (push->conf->counts && !push->act))
		return -1;
	push->layers = layers;
	push->cap = cap;
	return 0;
}

int rw_settle(struct rw_push *push, uint32_t to)
{
	uint32_t n = to - push->from;
	for (uint32_t layer = 0; n && layer < push->layers; layer++) {
		size_t at = (size_t)layer * push->cap;
		if (accs_update(&push->conf->accs, &push->input, push->from, n, push->block + at, push->act ? push->act + at : NULL))
			return -1;
	}
	push->from = to;
	return 0;
}

/* Row i waits now; it is in no block so far. */
static int wait_begin(struct rw_push *push, uint32_t i)
{
	if (push->layers && i - push->from == push->cap && rw_settle(push, i))
		return -1;
	for (uint32_t layer = 0; layer < push->layers; layer++)
		push->block[(size_t)layer * push->cap + i - push->from] = NULL;
	return 0;
}

int rw_take(struct rw_push *push, uint32_t i, int64_t t, struct rw_node *node, uint32_t layer)
{
	const struct rw_conf *conf = push->conf;
	node->flags |= RW_NEW;
	if (conf->kept_at)
		return rw_keep(push, i, node, t);
	size_t at = (size_t)layer * push->cap + i - push->from;
	push->block[at] = rw_at(node, conf->block_at);
	if (conf->counts)
		push->act[at] = act_count(rw_rows(conf, node), keyed_adds(&push->keys, i));
	return 0;
}

void rw_note_late(struct rw_push *push, uint32_t i, int64_t end)
{
	late_count(push->op, rw_close(push->conf, end) - 1);
	push->late[push->nlate++] = (uint16_t)i;
	push->missed = true;
}

/* ---- rows into windows of the grid ---- */

static struct rw_node *add_node(struct rw_push *push, struct entry *entry, struct rw_node *newer, struct rw_here *here)
{
	if (!here->open)
		here->open = rw_open_get(push->op, here->window);
	if (!here->open || rw_open_room(push->op, here->open))
		return NULL;
	struct rw_node *node = rw_node_new(push->op, entry, newer, here->window);
	if (node)
		here->open->node[here->open->n++] = node;
	return node;
}

/* Finds the key's nodes in the windows at hand; makes those that are not there. */
static int find_nodes(struct rw_push *push, struct entry *entry, bool make)
{
	struct rw *rw = push->rw;
	struct rw_node *newer = NULL, *node = *rw_first(entry);
	for (uint32_t w = rw->nhere; w-- > 0;) {
		struct rw_here *here = &rw->here[w];
		rw->hit[w] = NULL;
		if (here->late)
			continue;
		for (; node && rw_before(here->window, node->window); node = node->next)
			newer = node;
		bool there = node && !rw_before(node->window, here->window);
		if (!there && !make)
			continue;
		if (!there && !(node = add_node(push, entry, newer, here)))
			return -1;
		rw->hit[w] = newer = node;
		node = node->next;
	}
	return 0;
}

/* The row into window number w of those at hand; a node that it makes fire is noted. */
static int take_window(struct rw_push *push, uint32_t i, int64_t t, uint32_t w, uint32_t *nfire)
{
	struct rw_node *node = push->rw->hit[w];
	bool fires = false;
	rw_wake(push->op, node);
	if (rw_take(push, i, t, node, w) || rw_trigger_row(push, i, t, node, &fires))
		return -1;
	if (fires)
		push->rw->fire[(*nfire)++] = node;
	return 0;
}

static bool all_late(const struct rw *rw)
{
	uint32_t w = 0;
	while (w < rw->nhere && rw->here[w].late)
		w++;
	return w == rw->nhere;
}

/* A row that adds goes into all windows that hold it and are not closed, one that takes back into those where its key has rows. Windows come from the
 * latest start backwards, those of one start by end. */
static int grid_row(struct rw_push *push, uint32_t i, int64_t t)
{
	struct rw *rw = push->rw;
	struct entry *entry = push->keys.entry[i];
	bool adds = keyed_adds(&push->keys, i), taken = false;
	uint32_t n = rw->nhere, nfire = 0;
	if (n && all_late(rw)) {
		rw_note_late(push, i, rw->here[n - 1].window.end);
		return 0;
	}
	if (entry && find_nodes(push, entry, adds))
		return err_memory(push->op->err);
	for (uint32_t k = 0; entry && k < n; k++) {
		uint32_t w = push->conf->kind == WINDOW_HOP ? n - 1 - k : k;
		if (!rw->hit[w] || (!adds && !*rw_rows(push->conf, rw->hit[w])))
			continue;
		taken = true;
		if (take_window(push, i, t, w, &nfire))
			return err_memory(push->op->err);
	}
	push->op->ignored += n && !taken;
	push->missed |= !taken;
	if (!nfire)
		return 0;
	return rw_settle(push, i + 1) ? err_memory(push->op->err) : rw_fire(push->op, rw->fire, nfire);
}

/* Another pane, other windows: rows of the one before do not wait any longer, see struct rw_push. */
static int change_pane(struct rw_push *push, uint32_t i, int64_t t)
{
	enum window_kind kind = push->conf->kind;
	if ((kind == WINDOW_HOP || kind == WINDOW_CUMULATE) && rw_settle(push, i))
		return -1;
	return rw_here_find(push->op, t) || make_layers(push, push->rw->nhere) ? -1 : 0;
}

static int grid_rows(struct rw_push *push)
{
	struct rw *rw = push->rw;
	if (make_layers(push, rw->nhere ? rw->nhere : 1))
		return err_memory(push->op->err);
	for (uint32_t i = 0; i < push->n; i++) {
		int64_t t = push->op->timed ? push->in->time[i] : push->op->now;
		bool elsewhere = t < rw->pane.start || t >= rw->pane.end;
		if ((elsewhere && change_pane(push, i, t)) || wait_begin(push, i))
			return err_memory(push->op->err);
		if (grid_row(push, i, t))
			return -1;
	}
	return 0;
}

/* ---- a batch ---- */

/* The newest session of the key of row i, which comes soon. */
static void fetch_session(const struct rw_push *push, uint32_t i)
{
	if (i < push->n && push->keys.entry[i])
		__builtin_prefetch(*rw_first(push->keys.entry[i]), 1);
}

static int session_rows(struct rw_push *push)
{
	enum { AHEAD = 16 };
	if (make_layers(push, 1))
		return err_memory(push->op->err);
	for (uint32_t i = 0; i < AHEAD; i++)
		fetch_session(push, i);
	for (uint32_t i = 0; i < push->n; i++) {
		fetch_session(push, i + AHEAD);
		if (wait_begin(push, i))
			return err_memory(push->op->err);
		if (rw_session_row(push, i, push->op->timed ? push->in->time[i] : push->op->now))
			return -1;
	}
	return 0;
}

static int begin(struct rw_push *push)
{
	const struct rw_conf *conf = push->conf;
	const struct batch *in = push->in;
	push->late = arena_alloc(in->mem, in->n * sizeof *push->late);
	push->delta = arena_alloc(in->mem, (conf->ncond + 1) * sizeof *push->delta);
	if (!push->late || !push->delta || accs_input(&conf->accs, in, &push->input))
		return -1;
	for (uint32_t i = 0; i < conf->ncond; i++)
		if (conf->cond[i].expr && expr_eval(conf->cond[i].expr, in, &push->delta[i]))
			return -1;
	if (conf->kept_at && rw_keep_begin(push))
		return -1;
	return keyed_find(&push->keys, push->rw->table, &conf->key, in, conf->counts);
}

/* Keys are made ahead of their rows; some rows come to nothing. */
static void remove_empty(struct rw_push *push)
{
	const struct keyed *keys = &push->keys;
	for (uint32_t i = 0; i < keys->n; i++)
		if (keys->fresh[i] && !*rw_first(keys->entry[i]) && !(keys->entry[i]->flags & ENTRY_DEAD))
			table_remove(keys->table, keys->entry[i]);
}

/* How many rows there are before one that takes back. */
static uint32_t count_adding(const struct batch *in)
{
	uint32_t n = 0;
	while (n < in->n && kind_adds(batch_kind(in, n)))
		n++;
	return n;
}

static int refuse_row(struct op *op)
{
	const struct op *flag = op->window->evict_flag;
	return err_set(op->err, ERR_FAILED, "%s '%s': no evictor where rows are taken back, and one is here: what it has dropped could not be", flag->flag,
		       flag->text);
}

int rw_push(struct op *op, const struct batch *in)
{
	struct rw_push push = { .op = op, .conf = op->conf, .rw = op->state, .in = in };
	if (!in->n)
		return 0;
	if (begin(&push))
		return err_memory(op->err);
	push.n = push.conf->kept_at ? count_adding(in) : in->n;
	int status = push.conf->kind == WINDOW_SESSION ? session_rows(&push) : grid_rows(&push);
	if (!status && rw_settle(&push, push.n))
		status = err_memory(op->err);
	if (!status && push.n < in->n)
		status = refuse_row(op);
	if (status || push.missed)
		remove_empty(&push);
	if (status || late_send(op, in, push.late, push.nlate) || edge_push(op->out)) /* rows on the edge borrow keys, which move below */
		return -1;
	table_tick(push.rw->table, in->n);
	return 0;
}
