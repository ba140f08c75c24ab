/* Firings: what a node holds now, against what it wrote last. */
#include <string.h>

#include "ops/reduce_window.h"

enum { FIRE_MOST = 256 /* nodes at once: their values are found together */ };

static bool has_text(const struct value *v)
{
	return v->type == V_BIG || v->type == V_RAW || v->type == V_TEXT;
}

/* ---- rows out ---- */

/* There is room for it on the edge. Its texts are copied: what they come from may change before the row goes on. */
static int put(struct op *op, uint8_t kind, struct window window, const struct value *key, const struct value *value, size_t stride)
{
	const struct rw_conf *conf = op->conf;
	struct value *copy = ((struct rw *)op->state)->copy;
	for (uint32_t i = 0; i < conf->accs.nagg; i++) {
		copy[i] = value[i * stride];
		if (has_text(&copy[i]) && value_copy(&copy[i], &copy[i], op->out->batch.mem))
			return err_memory(op->err);
	}
	window_row(&conf->emit, kind, window, key, copy, 1);
	return 0;
}

static int put_old(struct op *op, uint8_t kind, const struct rw_was *was, const struct value *key)
{
	return put(op, kind, was->window, key, was->value, 1);
}

/* ---- what was written ---- */

void rw_was_free(struct op *op, struct rw_was *was)
{
	for (struct rw_was *next; was; was = next) {
		next = was->next;
		mem_free(op->mem, was, was->size);
	}
}

static size_t size_of(const struct rw_conf *conf, const struct value *value, size_t stride)
{
	size_t size = sizeof(struct rw_was) + conf->accs.nagg * sizeof *value;
	for (uint32_t i = 0; i < conf->accs.nagg; i++)
		size += has_text(&value[i * stride]) ? value[i * stride].len : 0;
	return size;
}

/* Copies the values, and their texts behind them. */
static void set_was(const struct rw_conf *conf, struct rw_was *was, struct window window, const struct value *value, size_t stride)
{
	char *text = (char *)(was->value + conf->accs.nagg);
	was->window = window;
	for (uint32_t i = 0; i < conf->accs.nagg; i++) {
		struct value v = value[i * stride];
		if (has_text(&v) && v.len) {
			v.u.p = memcpy(text, v.u.p, v.len);
			text += v.len;
		}
		was->value[i] = v;
	}
}

struct rw_was *rw_was_new(struct op *op, struct window window, const struct value *value, size_t stride)
{
	size_t size = size_of(op->conf, value, stride);
	struct rw_was *was = mem_alloc(op->mem, size);
	if (was) {
		was->size = size;
		set_was(op->conf, was, window, value, stride);
	}
	return was;
}

/* Makes this the only result of the list, in the memory of the first one if it fits. */
static int remember(struct op *op, struct rw_was **was, struct window window, const struct value *value, size_t stride)
{
	struct rw_was *old = *was;
	if (old && old->size >= size_of(op->conf, value, stride)) {
		rw_was_free(op, old->next);
		old->next = NULL;
		set_was(op->conf, old, window, value, stride);
		return 0;
	}
	struct rw_was *now = rw_was_new(op, window, value, stride);
	if (!now)
		return err_memory(op->err);
	rw_was_free(op, old);
	*was = now;
	return 0;
}

static bool same(const struct rw_was *was, struct window window, const struct value *value, size_t stride, uint32_t n)
{
	if (was->next || was->window.start != window.start || was->window.end != window.end)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!value_same(&was->value[i], &value[i * stride]))
			return false;
	return true;
}

/* Takes back what was written, from `was` on. */
static int take_back(struct op *op, const struct rw_was *was, const struct value *key)
{
	for (; was; was = was->next)
		if (edge_room(op->out, 1) || put_old(op, K_D, was, key))
			return -1;
	return 0;
}

/* The first one: +I. A later one: of several old results the one that starts first becomes the -U of the pair, the others go before it. */
static int change(struct op *op, struct rw_node *node, const struct value *key, const struct value *value, size_t stride)
{
	const struct rw_conf *conf = op->conf;
	struct rw_was **was = rw_was(conf, node);
	if (*was && same(*was, node->window, value, stride, conf->accs.nagg))
		return 0;
	if ((*was && take_back(op, (*was)->next, key)) || edge_room(op->out, 2))
		return -1;
	if (*was && op->before && put_old(op, K_UB | K_PAIR, *was, key))
		return -1;
	if (put(op, *was ? K_UA : K_I, node->window, key, value, stride))
		return -1;
	return remember(op, was, node->window, value, stride);
}

/* ---- firing ---- */

static bool is_empty(const struct rw_conf *conf, const struct rw_node *node)
{
	return conf->kept_at ? !rw_kept(conf, node)->n : conf->counts && !*rw_rows(conf, node);
}

/* `value` is what the node comes to. */
static int write(struct op *op, struct rw_node *node, const struct value *value, size_t stride)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	bool empty = is_empty(conf, node);
	if (empty && (!conf->updates || !*rw_was(conf, node)))
		return 0;
	uint32_t len;
	const char *bytes = entry_key(rw->table, node->entry, &len);
	key_values(&conf->key, bytes, len, node->entry->flags & ENTRY_CLEAN, rw->key);
	if (!conf->updates)
		return edge_room(op->out, 1) || put(op, K_I, node->window, rw->key, value, stride) ? -1 : 0;
	if (!empty)
		return change(op, node, rw->key, value, stride);
	if (take_back(op, *rw_was(conf, node), rw->key))
		return -1;
	rw_was_free(op, *rw_was(conf, node));
	*rw_was(conf, node) = NULL;
	return 0;
}

/* Nothing is new any more; rows that are evicted behind the firing are. */
static void settle(struct op *op, struct rw_node *node)
{
	const struct rw_conf *conf = op->conf;
	node->flags &= ~(uint32_t)RW_NEW;
	if (conf->purge)
		rw_node_clear(op, node);
	else if (conf->kept_at && conf->evict.after && rw_evict(op, node))
		node->flags |= RW_NEW;
}

static int fire_kept(struct op *op, struct rw_node *node)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	struct value *value = arena_alloc(&rw->scratch, (conf->accs.nagg + 1) * sizeof *value);
	if (!conf->evict.after)
		rw_evict(op, node);
	int status = !value || rw_kept_take(op, rw_kept(conf, node)) || accs_values(&conf->accs, &rw->spare, 1, value, &rw->scratch) ? err_memory(op->err) :
																      write(op, node, value, 1);
	accs_empty(&conf->accs, rw->spare);
	if (!status)
		settle(op, node);
	return status;
}

static int fire_blocks(struct op *op, struct rw_node *const *node, uint32_t n)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	struct value *value = arena_alloc(&rw->scratch, ((size_t)conf->accs.nagg * n + 1) * sizeof *value);
	void *block[FIRE_MOST];
	for (uint32_t i = 0; i < n; i++)
		block[i] = rw_at(node[i], conf->block_at);
	if (!value || accs_values(&conf->accs, block, n, value, &rw->scratch))
		return err_memory(op->err);
	for (uint32_t i = 0; i < n; i++) {
		if (write(op, node[i], value + i, n))
			return -1;
		settle(op, node[i]);
	}
	return 0;
}

int rw_fire(struct op *op, struct rw_node *const *node, uint32_t n)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	struct rw_node *fire[FIRE_MOST];
	for (uint32_t i = 0; i < n;) {
		uint32_t most = conf->kept_at ? 1 : FIRE_MOST, m = 0;
		for (; i < n && m < most; i++)
			if (node[i]->flags & RW_NEW)
				fire[m++] = node[i];
		arena_reset(&rw->scratch);
		if (m && (conf->kept_at ? fire_kept(op, fire[0]) : fire_blocks(op, fire, m)))
			return -1;
	}
	return 0;
}
