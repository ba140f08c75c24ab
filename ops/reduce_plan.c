#include "ops/reduce.h"
#include "parse/lang/parse.h"

int reduce_parse(struct op *op, struct err *err)
{
	struct reduce_conf *conf = op->conf;
	return parse_reduce(op->flag, op->text, op->plan, &conf->list, err);
}

/* Places in the state of a key. */
static void lay_out(struct op *op)
{
	struct reduce_conf *conf = op->conf;
	conf->written_at = conf->accs.retracts ? sizeof(int64_t) : 0;
	conf->slot_at = conf->written_at + (op->ttl ? sizeof(int64_t) : 0);
	conf->block_at = conf->slot_at + (conf->closing.on ? sizeof(struct closing_slot) : 0);
	conf->state_size = conf->block_at + conf->accs.size;
}

/* The variant for the window before the operator; it takes the parsed list and goes on as one of its own. NULL: there is no window. */
static const struct op_type *pick_variant(const struct op *op)
{
	const struct op_window *w = op->window;
	if (!w)
		return NULL;
	if (w->window.rows)
		return &reduce_count_op;
	bool tiles = w->window.kind == WINDOW_TUMBLE || w->window.kind == WINDOW_HOP || w->window.kind == WINDOW_CUMULATE;
	bool at_end = !w->trigger.n || (w->trigger.n == 1 && w->trigger.cond[0].kind == TRIGGER_END);
	bool changes = op->timed && !w->trigger.purge; /* what a late row does to a window; lateness on the clock is for the other one to refuse */
	return tiles && at_end && (!w->lateness_flag || changes) && !w->evict_flag ? &reduce_pane_op : &reduce_window_op;
}

/* Keyed by window: the key's columns come first. */
static void describe_windows(const struct reduce_conf *conf, const struct stream *in, struct stream *out)
{
	const struct closing_conf *closing = &conf->closing;
	closing_describe(in, closing->end, closing->start == NO_START ? closing->end : closing->start, out);
	out->schema->timed = out->timed;
}

int reduce_plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	struct reduce_conf *conf = op->conf;
	const struct op_type *variant = pick_variant(op);
	if (variant) {
		op->type = variant;
		return variant->plan(op, in, out, err);
	}
	if (key_bind(&conf->key, op, in->schema, err) || accs_bind(&conf->accs, op, &conf->list, &conf->key, in, err))
		return -1;
	closing_bind(&conf->closing, op, &conf->key, in, false);
	conf->quiet = op->final || op->bundled || conf->closing.held;
	lay_out(op);
	conf->emit = (struct window_emit){ .op = op, .key = &conf->key, .accs = &conf->accs };
	if (window_describe(&conf->emit, conf->closing.held ? 0 : in->kinds ? S_U | S_D : S_U, false, out, err))
		return -1;
	if (conf->closing.on) {
		op->type = &reduce_closing_op;
		describe_windows(conf, in, out);
	}
	return 0;
}

/* A row that changed has to be taken back, whoever wants what of the result. */
bool reduce_before(const struct op *op, bool wanted)
{
	(void)op;
	(void)wanted;
	return true;
}

void reduce_need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	window_need(&((const struct reduce_conf *)op->conf)->emit, out, in);
}

void reduce_explain(const struct op *op, struct buf *out)
{
	const struct reduce_conf *conf = op->conf;
	buf_printf(out, "  variant    %s", conf->closing.held ? "one result for each key" : op->final ? "one result at the end" : op->bundled ? "one change per key and bundle" : "a change per row");
	buf_puts(out, conf->accs.retracts ? ", over updating input\n" : ", over insert-only input\n");
	buf_printf(out, "  state      %zu bytes and the key, for each key", conf->state_size + sizeof(struct entry));
	accs_explain(&conf->accs, out);
	buf_putc(out, '\n');
	if (conf->closing.on)
		closing_explain(&conf->closing, out);
}
