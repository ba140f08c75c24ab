/* --reduce in sessions, in global windows, and in tumble, hop and cumulate with a trigger, lateness or an evictor. */
#include "ops/reduce_window.h"

static int start(struct op *op)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	arena_init(&rw->scratch, op->mem);
	pool_init(&rw->nodes, conf->node_size, op->mem);
	wheel_init(&rw->ends, op->mem);
	for (int beat = 0; beat < RW_BEATS; beat++)
		timers_init(&rw->beats[beat], op->mem);
	rw->table = keyed_table(op, sizeof(struct rw_node *));
	rw->key = mem_alloc(op->mem, (conf->key.n + conf->accs.nagg) * sizeof *rw->key);
	rw->spare = conf->kept_at ? mem_alloc(op->mem, conf->accs.size) : NULL;
	if (!rw->table || !rw->key || (conf->kept_at && !rw->spare))
		return err_memory(op->err);
	rw->copy = rw->key + conf->key.n;
	table_recycle(rw->table);
	table_on_move(rw->table, rw_moved, NULL);
	return 0;
}

static void stop(struct op *op)
{
	const struct rw_conf *conf = op->conf;
	struct rw *rw = op->state;
	if (rw->table)
		rw_node_drop_all(op);
	rw_open_free(op);
	mem_free(op->mem, rw->due, rw->due_cap * sizeof *rw->due);
	mem_free(op->mem, rw->key, (conf->key.n + conf->accs.nagg) * sizeof *rw->key);
	mem_free(op->mem, rw->spare, conf->accs.size);
	wheel_release(&rw->ends);
	for (int beat = 0; beat < RW_BEATS; beat++)
		timers_release(&rw->beats[beat]);
	pool_release(&rw->nodes);
	arena_release(&rw->scratch);
	table_free(rw->table);
	*rw = (struct rw){ 0 };
}

static bool wants_before(const struct op *op, bool wanted)
{
	(void)op;
	(void)wanted;
	return true;
}

const struct op_type reduce_window_op = {
	.name = "reduce",
	.traits = OP_KEYED | OP_WINDOWED,
	.conf_size = sizeof(struct rw_conf),
	.state_size = sizeof(struct rw),
	.plan = rw_plan,
	.before = wants_before,
	.need = rw_need,
	.explain = rw_explain,
	.open = start,
	.push = rw_push,
	.timer = rw_timer,
	.alarm = rw_alarm,
	.watermark = rw_watermark,
	.due = rw_due,
	.save = rw_save,
	.load = rw_load,
	.close = stop,
};
