#include "ops/reduce_window.h"
#include "ops/state/snapshot.h"

/* ---- out ---- */

static void put_window(struct snap_out *out, struct window window)
{
	snap_put_i64(out, window.start);
	snap_put_i64(out, window.end);
}

static void put_was(const struct rw_conf *conf, const struct rw_was *was, struct snap_out *out)
{
	uint64_t n = 0;
	for (const struct rw_was *w = was; w; w = w->next)
		n++;
	snap_put_u64(out, n);
	for (; was; was = was->next) {
		put_window(out, was->window);
		for (uint32_t i = 0; i < conf->accs.nagg; i++)
			snap_put_value(out, &was->value[i]);
	}
}

static void put_kept(const struct rw_kept_list *list, struct snap_out *out)
{
	snap_put_i64(out, list->newest);
	snap_put_u64(out, list->n);
	for (uint32_t r = 0; r < list->n; r++) {
		const struct rw_kept *kept = &list->p[list->from + r];
		snap_put_i64(out, kept->time);
		snap_put_u64(out, kept->number);
		row_save(kept->row, out);
	}
}

/* The flags, and which beats the node waits for. */
enum { FLAGS = RW_NEW | RW_ENDED, WAITS = RW_GONE << 1 };

static uint64_t flags_of(const struct rw_conf *conf, const struct rw_node *node)
{
	uint64_t flags = node->flags;
	for (int beat = 0; beat < RW_BEATS; beat++)
		if (conf->beat_at[beat] && *rw_beat(conf, node, beat) != RW_NO_BEAT)
			flags |= (uint64_t)WAITS << beat;
	return flags;
}

static void put_node(const struct rw_conf *conf, const struct rw_node *node, struct snap_out *out)
{
	put_window(out, node->window);
	snap_put_u64(out, node->number);
	snap_put_u64(out, flags_of(conf, node));
	if (conf->counts)
		snap_put_i64(out, *rw_rows(conf, node));
	rw_trigger_save(conf, node, out);
	if (conf->was_at)
		put_was(conf, *rw_was(conf, node), out);
	if (conf->kept_at)
		put_kept(rw_kept(conf, node), out);
	else
		accs_save(&conf->accs, rw_at(node, conf->block_at), out);
}

int rw_save(const struct op *op, struct snap_out *out)
{
	const struct rw *rw = op->state;
	struct entry *entry;
	snap_put_u64(out, rw->made);
	snap_put_u64(out, rw->arrived);
	snap_put_u64(out, table_count(rw->table));
	for (uint64_t pos = 0; table_next(rw->table, &pos, &entry);) {
		uint32_t len;
		uint64_t n = 0;
		const char *key = entry_key(rw->table, entry, &len);
		key_save(out, key, len);
		for (const struct rw_node *node = *rw_first(entry); node; node = node->next)
			n++;
		snap_put_u64(out, n);
		for (const struct rw_node *node = *rw_first(entry); node; node = node->next)
			put_node(op->conf, node, out);
	}
	return out->buf->failed ? err_memory(op->err) : 0;
}

/* ---- in: -1 if memory is refused; what cannot be sets in->bad ---- */

/* Can an expression of that type have this value? */
static bool fits(enum type type, const struct value *v)
{
	switch (type) {
	case T_NUMBER:
	case T_DURATION:
		return v->type == V_NULL || value_is_number(v);
	case T_BOOL:
		return v->type == V_NULL || v->type == V_BOOL;
	case T_TIME:
		return v->type == V_NULL || v->type == V_TIME;
	default:
		return v->type != V_ROW;
	}
}

static int get_was(struct op *op, struct rw_was **was, struct snap_in *in)
{
	const struct rw_conf *conf = op->conf;
	for (uint64_t n = snap_count(in); n && !in->bad; n--) {
		struct window window = { snap_i64(in), 0 };
		window.end = snap_i64(in);
		struct value *value = arena_alloc(in->mem, (conf->accs.nagg + 1) * sizeof *value);
		if (!value)
			return -1;
		for (uint32_t i = 0; i < conf->accs.nagg; i++) {
			snap_value(in, &value[i]);
			in->bad |= value[i].type == V_ROW;
		}
		*was = in->bad ? NULL : rw_was_new(op, window, value, 1);
		if (!*was)
			return in->bad ? 0 : -1;
		was = &(*was)->next;
	}
	return 0;
}

/* Is it a row as rw_keep makes them? */
static bool is_kept(const struct rw_conf *conf, const struct row *row)
{
	uint32_t c = 0;
	if (row->n != conf->nkept)
		return false;
	for (uint32_t i = 0; i < conf->accs.nagg; i++) {
		const struct accs_agg *a = &conf->accs.agg[i];
		for (uint32_t k = 0; k < a->agg.narg; k++)
			if (a->whole ? !a->whole->fits(a->whole->conf, &row->v[c++]) : !fits(expr_type(a->agg.arg[k]), &row->v[c++]))
				return false;
		if (a->filter && row->v[c++].type != V_BOOL)
			return false;
	}
	for (uint32_t d = 0; d < conf->accs.ndistinct; d++)
		if (row->v[c++].type == V_ROW)
			return false;
	return !conf->evict_expr || fits(T_NUMBER, &row->v[c]);
}

static int get_kept(struct op *op, struct rw_kept_list *list, struct snap_in *in)
{
	list->newest = snap_i64(in);
	uint64_t n = snap_count(in);
	if (n && !in->bad && rw_kept_room(op, list, n))
		return -1;
	for (; n && !in->bad; n--) {
		struct rw_kept kept = { .time = snap_i64(in) };
		kept.number = snap_u64(in);
		kept.row = row_load(in, op->mem);
		if (!kept.row)
			return in->refused ? -1 : 0;
		list->p[list->n++] = kept;
		in->bad |= !is_kept(op->conf, kept.row);
	}
	return 0;
}

static int get_content(struct op *op, struct rw_node *node, struct snap_in *in)
{
	const struct rw_conf *conf = op->conf;
	if (conf->counts)
		*rw_rows(conf, node) = snap_i64(in);
	rw_trigger_load(conf, node, in);
	if (conf->was_at && get_was(op, rw_was(conf, node), in))
		return -1;
	if (in->bad)
		return 0;
	return conf->kept_at ? get_kept(op, rw_kept(conf, node), in) : accs_load(&conf->accs, rw_at(node, conf->block_at), in);
}

static int set_timers(struct op *op, struct rw_node *node, uint64_t flags)
{
	const struct rw_conf *conf = op->conf;
	if (conf->kind == WINDOW_SESSION && rw_session_timer(op, node))
		return -1;
	for (int beat = 0; beat < RW_BEATS; beat++)
		if (conf->beat_at[beat] && flags & (uint64_t)WAITS << beat && rw_beat_set(op, node, beat))
			return -1;
	return 0;
}

static int get_node(struct op *op, struct entry *entry, struct rw_node *newer, struct snap_in *in)
{
	struct window window = { snap_i64(in), 0 };
	window.end = snap_i64(in);
	uint64_t number = snap_u64(in), flags = snap_u64(in);
	if (window.start >= window.end || (newer && !rw_before(window, newer->window)) || number > INT64_MAX || flags >> 8)
		in->bad = true;
	if (in->bad)
		return 0;
	struct rw_node *node = rw_node_new(op, entry, newer, window);
	if (!node)
		return -1;
	node->number = number;
	node->flags = flags & FLAGS;
	if (get_content(op, node, in))
		return -1;
	return in->bad ? 0 : set_timers(op, node, flags);
}

static int get_key(struct op *op, struct snap_in *in)
{
	struct rw *rw = op->state;
	struct saved_key key = key_load(in, table_seed(rw->table));
	struct entry *entry;
	uint8_t fresh;
	uint64_t n = snap_count(in);
	in->bad |= !n;
	if (in->bad)
		return 0;
	if (table_find(rw->table, 1, &key.hash, &key.bytes, &key.len, true, NULL, &entry, &fresh))
		return -1;
	in->bad |= !fresh; /* the same key twice */
	struct rw_node *newer = NULL;
	for (; n && !in->bad; n--) {
		if (get_node(op, entry, newer, in))
			return -1;
		newer = *rw_behind(entry, newer);
	}
	return 0;
}

static int list_node(struct op *op, struct rw_node *node)
{
	struct rw_open *open = rw_open_get(op, node->window);
	if (!open || rw_open_room(op, open))
		return -1;
	open->node[open->n++] = node;
	return 0;
}

/* Nodes into the lists of their windows, by number: a queue of timers sorts them. */
static int list_nodes(struct op *op)
{
	struct rw *rw = op->state;
	struct timers sorted;
	struct entry *entry;
	int status = 0;
	timers_init(&sorted, op->mem);
	for (uint64_t pos = 0; !status && table_next(rw->table, &pos, &entry);)
		for (struct rw_node *node = *rw_first(entry); !status && node; node = node->next)
			status = timers_add(&sorted, (struct timer){ .time = (int64_t)node->number, .of = node });
	while (!status && timers_first(&sorted))
		status = list_node(op, timers_pop(&sorted).of);
	timers_release(&sorted);
	return status;
}

int rw_load(struct op *op, struct snap_in *in)
{
	struct rw *rw = op->state;
	rw->made = snap_u64(in);
	rw->arrived = snap_u64(in);
	uint64_t made = rw->made;
	for (uint64_t n = snap_count(in); n && !in->bad; n--)
		if (get_key(op, in))
			return err_memory(op->err);
	rw->made = made;
	if (((const struct rw_conf *)op->conf)->kind != WINDOW_SESSION && !in->bad && list_nodes(op))
		return err_memory(op->err);
	return in->bad ? snap_done(in, op->flag, op->err) : 0;
}
