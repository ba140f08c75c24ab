#include "ops/chain.h"

#include <string.h>

#include "ops/state/snapshot.h"

void chain_init(struct chain *chain, struct mem *mem, uint32_t batch_max, struct err *err)
{
	*chain = (struct chain){ .mem = mem, .batch_max = batch_max, .err = err };
	arena_init(&chain->plan, mem);
}

static int open_op(struct chain *chain, uint32_t i)
{
	struct op *op = chain->op[i];
	if (edge_open(chain->edge[i], op, chain->mem, chain->batch_max, chain->err))
		return -1;
	if (op->type->state_size) {
		op->state = arena_alloc(&chain->plan, op->type->state_size);
		if (!op->state)
			return err_memory(chain->err);
		memset(op->state, 0, op->type->state_size);
	}
	chain->opened = i + 1;
	return op->type->open ? op->type->open(op) : 0;
}

int chain_open(struct chain *chain)
{
	for (uint32_t i = 0; i < chain->n; i++)
		if (open_op(chain, i))
			return -1;
	return 0;
}

static void set_clock(struct chain *chain, int64_t now)
{
	for (uint32_t i = 0; i < chain->n; i++) {
		chain->op[i]->now = now;
		chain->edge[i]->batch.now = now;
	}
}

/* After a call into an operator, which gave `status`: pushes what it has left on its edge (the sink has none), also if it failed. */
static int push_on(struct op *op, int status)
{
	return op->out && edge_push(op->out) ? -1 : status;
}

int chain_push(struct chain *chain, const struct batch *batch, int64_t now)
{
	set_clock(chain, now);
	return edge_send(chain->edge[0], batch);
}

int chain_timer(struct chain *chain, int64_t now)
{
	set_clock(chain, now);
	for (uint32_t i = 0; i < chain->n; i++) {
		struct op *op = chain->op[i];
		if (!op->type->timer)
			continue;
		if (push_on(op, op->type->timer(op, now)))
			return -1;
	}
	return 0;
}

int64_t chain_alarm(const struct chain *chain)
{
	int64_t next = INT64_MAX;
	for (uint32_t i = 0; i < chain->n; i++) {
		const struct op *op = chain->op[i];
		int64_t at = op->type->alarm ? op->type->alarm(op) : INT64_MAX;
		next = at < next ? at : next;
	}
	return next;
}

static int flush_op(struct op *op)
{
	return op->type->flush ? push_on(op, op->type->flush(op)) : 0;
}

int chain_flush(struct op *from)
{
	for (struct op *op = from; op->out; op = op->out->to)
		if (flush_op(op->out->to))
			return -1;
	return 0;
}

int chain_flush_all(struct chain *chain)
{
	return flush_op(chain->op[0]) || chain_flush(chain->op[0]) ? -1 : 0;
}

int chain_result(struct chain *chain)
{
	for (uint32_t i = 0; i < chain->n; i++) {
		struct op *op = chain->op[i];
		if (!op->type->result)
			continue;
		if (push_on(op, op->type->result(op)))
			return -1;
	}
	return 0;
}

/* Has the operator i state that a snapshot must hold? */
static bool saved(const struct chain *chain, uint32_t i)
{
	if (!chain->op[i]->type->save)
		return false;
	for (uint32_t k = 0; chain->final && k < i; k++)
		if (chain->op[k]->type->result && !chain->op[k]->at_once)
			return false;
	return true;
}

int chain_save(struct chain *chain, struct snap_out *out)
{
	for (uint32_t i = 0; i < chain->n; i++) {
		struct op *op = chain->op[i];
		if (!saved(chain, i))
			continue;
		size_t mark = snap_section_begin(out, op->type->name);
		if (op->type->save(op, out))
			return -1;
		snap_section_end(out, mark);
	}
	return out->buf->failed ? err_memory(chain->err) : 0;
}

int chain_load(struct chain *chain, struct snap_in *file)
{
	for (uint32_t i = 0; i < chain->n; i++) {
		struct op *op = chain->op[i];
		struct snap_in part;
		if (!saved(chain, i))
			continue;
		if (snap_want(file, op->type->name, &part, chain->err) || op->type->load(op, &part) || snap_done(&part, op->type->name, chain->err))
			return -1;
	}
	return 0;
}

uint64_t chain_ignored(const struct chain *chain)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < chain->n; i++)
		n += chain->op[i]->ignored;
	return n;
}

uint64_t chain_rows(const struct chain *chain)
{
	return sink_rows(chain->op[chain->n - 1]);
}

void chain_close(struct chain *chain)
{
	for (uint32_t i = 0; i < chain->n; i++) {
		if (i < chain->opened && chain->op[i]->type->close)
			chain->op[i]->type->close(chain->op[i]);
		edge_close(chain->edge[i]);
	}
	arena_release(&chain->plan);
	chain->n = chain->opened = 0;
}
