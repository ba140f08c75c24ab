/* --reduce: aggregates by key. Each row that changes the aggregates of its key gives -U and +U (the first one +I, the one that empties the key -D);
 * in a mini-batch each key gives one change, under --final one row at the end. */
#include "ops/reduce.h"

static int reduce_open(struct op *op)
{
	const struct reduce_conf *conf = op->conf;
	struct reduce *reduce = op->state;
	reduce->sweep = (struct keyed_sweep){ .written_at = conf->written_at, .forget = reduce_forget, .oldest = INT64_MIN };
	arena_init(&reduce->bundle, op->mem);
	reduce->table = keyed_table(op, conf->state_size);
	if (!reduce->table || (conf->closing.on && closing_init(&reduce->closing, &conf->closing, reduce->table, conf->slot_at, op->mem)))
		return err_memory(op->err);
	return 0;
}

static void reduce_close(struct op *op)
{
	const struct reduce_conf *conf = op->conf;
	struct reduce *reduce = op->state;
	if (!reduce->table)
		return;
	struct entry *entry;
	for (uint64_t pos = 0; conf->accs.heap && table_next(reduce->table, &pos, &entry);)
		accs_empty(&conf->accs, reduce_block(conf, entry));
	closing_release(&reduce->closing);
	table_free(reduce->table);
	arena_release(&reduce->bundle);
	*reduce = (struct reduce){ 0 };
}

const struct op_type reduce_op = {
	.name = "reduce",
	.letter = 'r',
	.traits = OP_KEYED | OP_BUNDLES | OP_WINDOWED,
	.arg = "AGG, ...",
	.help = "aggregates by key: count, sum(x), p95(x), ...",
	.more = "One row for each key: the key, then the aggregates. `as` names one, else its\n"
		"words do: count, sum_bytes, p95_ms. Each takes `distinct` before x and `where`\n"
		"behind. All but count ignore NULL; of nothing count is 0, the others NULL.\n"
		"What is computed of aggregates belongs in a -s behind.\n"
		"\n"
		"  weir -f combined -k path -r 'count, sum(bytes) as sum, p95(bytes)' access.log\n"
		"  weir -k c1 -r 'count(distinct c2) as users, count where c3 >= 500 as errors'\n"
		"  weir -k c1 -r 'sum(c2) as s, count as n' -s 'c1, round(s / n, 2) as mean'\n",
	.conf_size = sizeof(struct reduce_conf),
	.state_size = sizeof(struct reduce),
	.parse = reduce_parse,
	.plan = reduce_plan,
	.before = reduce_before,
	.need = reduce_need,
	.explain = reduce_explain,
	.open = reduce_open,
	.push = reduce_push,
	.flush = reduce_flush,
	.result = reduce_result,
	.save = reduce_save,
	.load = reduce_load,
	.close = reduce_close,
};

const struct op_type reduce_closing_op = {
	.name = "reduce",
	.traits = OP_KEYED | OP_BUNDLES,
	.state_size = sizeof(struct reduce),
	.before = reduce_before,
	.need = reduce_need,
	.explain = reduce_explain,
	.open = reduce_open,
	.push = reduce_closing_push,
	.flush = reduce_flush,
	.timer = reduce_closing_timer,
	.alarm = reduce_closing_alarm,
	.watermark = reduce_closing_watermark,
	.due = reduce_closing_due,
	.save = reduce_save,
	.load = reduce_load,
	.close = reduce_close,
};
