#include "ops/reduce_pane.h"

#include <string.h>

#include "core/buf.h"

/* ---- plan -------------------------------------------------------------------------------- */

static bool minds_order(const struct accs *accs)
{
	for (uint32_t i = 0; i < accs->nagg; i++)
		if (accs->agg[i].agg.type->can & A_ORDERED)
			return true;
	return false;
}

/* Can what a pane holds be taken out of a total again? */
static bool comes_out(const struct accs *accs)
{
	for (uint32_t i = 0; i < accs->nagg; i++)
		if (!accs->agg[i].agg.type->unmerge)
			return false;
	return !accs->ndistinct;
}

/* Texts, and values that are as they were read. */
static bool borrows(const struct accs *accs)
{
	for (uint32_t i = 0; i < accs->nagg; i++) {
		const struct agg *agg = &accs->agg[i].agg;
		if (agg->type->passes || (agg->result != T_NUMBER && agg->result != T_DURATION && agg->result != T_BOOL && agg->result != T_TIME))
			return true;
	}
	return false;
}

static void lay_out(struct pane_conf *conf)
{
	const struct accs *accs = &conf->accs;
	bool cumulate = conf->windows.kind == WINDOW_CUMULATE;
	conf->value = windows_panes(&conf->windows) == 1 ? PANE_ONE : cumulate || comes_out(accs) ? PANE_TOTAL : PANE_STACKS;
	conf->keeps = !cumulate || conf->lateness || accs->retracts || minds_order(accs);
	conf->lists = conf->value != PANE_ONE || conf->lateness;
	conf->borrows = borrows(accs);
	conf->block_at = sizeof(struct pane_node) + (accs->retracts ? sizeof(int64_t) : 0);
	conf->node_size = conf->block_at + accs->size;
	conf->key_size = !conf->lists ? offsetof(struct pane_key, newest) : sizeof(struct pane_key) + (conf->value == PANE_ONE ? 0 : accs->size);
	if (conf->value == PANE_STACKS) {
		conf->suffix_at = conf->node_size;
		conf->node_size += accs->size;
	}
}

/* op->conf comes as that of --reduce, whose first member is the list. */
static int plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	const struct named_list *list = op->conf;
	struct pane_conf *conf = arena_alloc(op->plan, sizeof *conf);
	if (!conf)
		return err_memory(err);
	*conf = (struct pane_conf){ 0 };
	if (key_bind(&conf->key, op, in->schema, err) || accs_bind(&conf->accs, op, list, &conf->key, in, err))
		return -1;
	windows_init(&conf->windows, &op->window->window, in->schema->zone);
	conf->emit = (struct window_emit){ .op = op, .key = &conf->key, .accs = &conf->accs, .bounds = true };
	conf->lateness = op->window->lateness;
	lay_out(conf);
	op->conf = conf;
	return window_describe(&conf->emit, !conf->lateness ? 0 : conf->accs.retracts ? S_U | S_D : S_U, !conf->lateness, out, err);
}

/* Retractions count against what is there, whatever they update. */
static bool before(const struct op *op, bool wanted)
{
	(void)op;
	(void)wanted;
	return true;
}

static void need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	window_need(&((const struct pane_conf *)op->conf)->emit, out, in);
}

/* ---- --explain --------------------------------------------------------------------------- */

static void put_duration(struct buf *out, int64_t ms)
{
	static const struct { int64_t ms; const char *unit; } units[] = { { 604800000, "w" }, { 86400000, "d" }, { 3600000, "h" }, { 60000, "m" }, { 1000, "s" }, { 1, "ms" } };
	int i = 0;
	while (ms % units[i].ms)
		i++;
	buf_printf(out, "%lld%s", (long long)(ms / units[i].ms), units[i].unit);
}

/* Which panes of a key are there at a time. */
static void put_panes(const struct pane_conf *conf, struct buf *out)
{
	if (conf->value == PANE_ONE) {
		buf_puts(out, "open window of ");
		put_duration(out, conf->windows.size);
	} else if (!conf->keeps) {
		buf_puts(out, "open pane of ");
		put_duration(out, conf->windows.step);
		buf_puts(out, ", and once more for its total");
	} else {
		buf_printf(out, "pane (%lld for ", (long long)windows_panes(&conf->windows));
		put_duration(out, conf->windows.size);
		buf_puts(out, ", and the open ones)");
	}
}

static void explain(const struct op *op, struct buf *out)
{
	static const char *const value[] = { "", "; one total for each key", "; two stacks of panes for each key" };
	const struct pane_conf *conf = op->conf;
	const char *when = conf->lateness ? " at its end, and again for each late row" : op->timed ? " once" : " once, by the clock";
	buf_printf(out, "  variant    every window fires%s, over %s input%s\n", when, conf->accs.retracts ? "updating" : "insert-only",
		value[conf->value]);
	buf_printf(out, "  state      %zu bytes for each key and ", conf->node_size + sizeof(struct pane_node *));
	put_panes(conf, out);
	if (conf->lateness) {
		buf_puts(out, ", kept ");
		put_duration(out, conf->lateness);
		buf_puts(out, " longer for late rows");
	}
	buf_printf(out, "; %zu bytes and the key, for each such key", conf->key_size + sizeof(struct entry));
	accs_explain(&conf->accs, out);
	buf_putc(out, '\n');
}

/* ---- life -------------------------------------------------------------------------------- */

/* An entry has moved: its nodes follow. */
static void follow(void *ctx, struct entry *entry)
{
	const struct pane_conf *conf = ctx;
	struct pane_key *key = pane_key(entry);
	for (struct pane_node *node = key->open; node; node = node->older)
		node->entry = entry;
	for (struct pane_node *node = conf->lists ? key->newest : NULL; node; node = node->older)
		node->entry = entry;
}

static int open_state(struct op *op)
{
	const struct pane_conf *conf = op->conf;
	struct reduce_pane *state = op->state;
	pool_init(&state->nodes, conf->node_size, op->mem);
	arena_init(&state->scratch, op->mem);
	state->clock = WM_NONE;
	state->table = keyed_table(op, conf->key_size);
	if (!state->table)
		return err_memory(op->err);
	table_on_move(state->table, follow, op->conf);
	return 0;
}

static void close_state(struct op *op)
{
	const struct pane_conf *conf = op->conf;
	struct reduce_pane *state = op->state;
	struct entry *entry;
	if (!state->table)
		return;
	for (uint32_t i = 0; i < state->n; i++)
		pane_free(op, pane_number(state, i));
	for (uint64_t pos = 0; conf->value != PANE_ONE && conf->accs.heap && table_next(state->table, &pos, &entry);)
		accs_empty(&conf->accs, pane_total(pane_key(entry)));
	table_free(state->table);
	pool_release(&state->nodes);
	arena_release(&state->scratch);
	mem_free(op->mem, state->pane, state->cap * sizeof(struct pane *));
	*state = (struct reduce_pane){ 0 };
}

const struct op_type reduce_pane_op = {
	.name = "reduce",
	.letter = 'r',
	.traits = OP_KEYED | OP_WINDOWED,
	.state_size = sizeof(struct reduce_pane),
	.plan = plan,
	.before = before,
	.need = need,
	.explain = explain,
	.open = open_state,
	.push = pane_push,
	.timer = pane_timer,
	.alarm = pane_alarm,
	.watermark = pane_watermark,
	.due = pane_due,
	.save = pane_save,
	.load = pane_load,
	.close = close_state,
};
