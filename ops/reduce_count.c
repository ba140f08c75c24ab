/* --reduce in windows of rows: --tumble '100 rows', --hop '5 rows every 3 rows'. One +I for each window of each key, behind the row that fills it. */
#include "ops/reduce_count.h"

#include <string.h>

#include "ops/state/snapshot.h"

/* ---- plan ---- */

/* The window is full when it is full: nothing else makes it fire, and nothing is late. */
static int refuse_flags(const struct op_window *w, struct err *err)
{
	const struct op *flag[] = { w->trigger_flag, w->evict_flag, w->lateness_flag, w->late_flag };
	for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
		if (flag[i])
			return err_set(err, ERR_USAGE, "%s '%s': a window of rows (%s '%s') is written once, when it is full; it takes no %s", flag[i]->flag,
				       flag[i]->text, w->window_flag->flag, w->window_flag->text, flag[i]->flag);
	return 0;
}

static void cut(struct count_conf *conf, const struct window_ast *window)
{
	int64_t size = window->size, step = window->step, rest = size % step;
	conf->size = size;
	conf->step = step;
	conf->end = size <= step ? size : rest ? rest : step;
	conf->panes = size <= step ? 1 : rest ? 2 * (size / step) + 1 : size / step;
	conf->goes = size > step && rest ? 2 : 1;
}

static int count_plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	struct count_conf *conf = arena_alloc(op->plan, sizeof *conf);
	if (!conf)
		return err_memory(err);
	*conf = (struct count_conf){ .list = *(const struct named_list *)op->conf };
	op->conf = conf;
	cut(conf, &op->window->window);
	conf->emit = (struct window_emit){ .op = op, .key = &conf->key, .accs = &conf->accs };
	if (refuse_flags(op->window, err) || key_bind(&conf->key, op, in->schema, err) || accs_bind(&conf->accs, op, &conf->list, &conf->key, in, err) ||
	    window_describe(&conf->emit, 0, true, out, err))
		return -1;
	out->has_key = false; /* a key has many windows, and nothing names them */
	out->nkey = 0;
	out->trend = NULL;
	return 0;
}

/* What is taken back has to come. */
static bool count_before(const struct op *op, bool wanted)
{
	(void)op;
	(void)wanted;
	return true;
}

static void count_need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	window_need(&((const struct count_conf *)op->conf)->emit, out, in);
}

static void count_explain(const struct op *op, struct buf *out)
{
	const struct count_conf *conf = op->conf;
	buf_printf(out, "  variant    windows of %lld rows, ", (long long)conf->size);
	if (conf->step != conf->size)
		buf_printf(out, "one every %lld, ", (long long)conf->step);
	buf_puts(out, conf->accs.retracts ? "over updating input\n" : "over insert-only input\n");
	buf_printf(out, "  state      for each key %zu bytes and the key, %zu bytes for each pane of a window that is not full (a window has %lld)",
		   sizeof(struct count_key) + sizeof(struct entry), sizeof(struct row_pane) + conf->accs.size, (long long)conf->panes);
	accs_explain(&conf->accs, out);
	buf_putc(out, '\n');
}

/* ---- life ---- */

static int count_open(struct op *op)
{
	const struct count_conf *conf = op->conf;
	struct count *count = op->state;
	pool_init(&count->pool, sizeof(struct row_pane) + conf->accs.size, op->mem);
	count->table = keyed_table(op, sizeof(struct count_key));
	return count->table ? 0 : err_memory(op->err);
}

static void count_close(struct op *op)
{
	struct count *count = op->state;
	if (!count->table)
		return;
	struct entry *entry;
	for (uint64_t pos = 0; table_next(count->table, &pos, &entry);) {
		struct count_key *key = entry_state(entry);
		row_pane_free(op, key->open);
		row_panes_free(op, &key->panes);
	}
	table_free(count->table);
	pool_release(&count->pool);
	*count = (struct count){ 0 };
}

/* ---- snapshot: the number of keys; each: its bytes, its place, whether a pane is open, that pane, the closed ones ---- */

static int count_save(const struct op *op, struct snap_out *out)
{
	const struct count *count = op->state;
	struct entry *entry;
	snap_put_u64(out, table_count(count->table));
	for (uint64_t pos = 0; table_next(count->table, &pos, &entry);) {
		struct count_key *key = entry_state(entry);
		uint32_t len;
		const char *bytes = entry_key(count->table, entry, &len);
		key_save(out, bytes, len);
		snap_put_i64(out, key->at);
		snap_put_u64(out, key->open != NULL);
		if (key->open)
			row_pane_save(op, key->open, out);
		row_panes_save(op, &key->panes, out);
	}
	return out->buf->failed ? err_memory(op->err) : 0;
}

static int load_key(struct op *op, struct snap_in *in)
{
	const struct count_conf *conf = op->conf;
	struct count *count = op->state;
	struct saved_key saved = key_load(in, table_seed(count->table));
	struct entry *entry;
	uint8_t fresh;
	if (in->bad || table_find(count->table, 1, &saved.hash, &saved.bytes, &saved.len, true, NULL, &entry, &fresh))
		return -1;
	struct count_key *key = entry_state(entry);
	if (!fresh) {
		in->bad = true; /* the same key twice */
		return -1;
	}
	key->at = snap_i64(in);
	if (key->at < 0 || key->at >= conf->step)
		in->bad = true;
	if (snap_u64(in) && !(key->open = row_pane_load(op, in)))
		return -1;
	return row_panes_load(op, &key->panes, in);
}

static int count_load(struct op *op, struct snap_in *in)
{
	for (uint64_t n = snap_count(in); n && !in->bad; n--)
		if (load_key(op, in) && !in->bad)
			return err_memory(op->err);
	return in->bad ? snap_done(in, op->flag, op->err) : 0;
}

const struct op_type reduce_count_op = {
	.name = "reduce",
	.traits = OP_KEYED | OP_WINDOWED,
	.state_size = sizeof(struct count),
	.plan = count_plan,
	.before = count_before,
	.need = count_need,
	.explain = count_explain,
	.open = count_open,
	.push = reduce_count_push,
	.save = count_save,
	.load = count_load,
	.close = count_close,
};
