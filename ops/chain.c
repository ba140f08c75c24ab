#include "ops/chain.h"

#include <string.h>

#include "ops/state/snapshot.h"
#include "ops/state/table.h"

void chain_init(struct chain *chain, struct mem *mem, uint32_t batch_max, struct err *err)
{
	*chain = (struct chain){ .mem = mem, .batch_max = batch_max, .err = err, .wm = WM_NONE };
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

/* The sink of a side output. */
static int open_side(struct chain *chain, struct chain_side *side)
{
	struct op *op = side->sink;
	if (edge_open(&side->edge, op, chain->mem, chain->batch_max, chain->err))
		return -1;
	op->state = arena_alloc(&chain->plan, op->type->state_size);
	if (!op->state)
		return err_memory(chain->err);
	memset(op->state, 0, op->type->state_size);
	side->opened = true;
	return op->type->open(op);
}

int chain_open(struct chain *chain)
{
	for (uint32_t i = 0; i < chain->nside; i++)
		if (open_side(chain, chain->side[i]))
			return -1;
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

/* One operator gets *wm; leaves what the next one gets. */
static int watermark_op(struct op *op, int64_t *wm)
{
	int64_t got = *wm;
	if (op->type->watermark && push_on(op, op->type->watermark(op, wm)))
		return -1;
	if (op->began == WM_NONE)
		op->began = got;
	op->wm = got;
	return 0;
}

int chain_watermark(struct chain *chain, int64_t wm, int64_t now)
{
	bool flush = false;
	if (wm <= chain->wm)
		return 0;
	set_clock(chain, now);
	chain->wm = wm;
	for (struct op *op = chain->op[0]; op; op = op->out ? op->out->to : NULL) {
		if (wm <= op->wm)
			return 0;
		if ((flush && flush_op(op)) || watermark_op(op, &wm))
			return -1;
		flush |= op->steps;
	}
	return 0;
}

int64_t chain_passed(const struct chain *chain)
{
	int64_t passed = chain->wm;
	for (uint32_t i = 0; i < chain->n; i++)
		passed = chain->op[i]->wm > passed ? chain->op[i]->wm : passed;
	return passed;
}

static int64_t find_due(const struct chain *chain, bool lagging)
{
	int64_t due = INT64_MAX;
	for (uint32_t i = 0; i < chain->n; i++) {
		const struct op *op = chain->op[i];
		int64_t at = op->type->due && (lagging || !op->lags) ? op->type->due(op) : INT64_MAX;
		if (op->ttl && op->timed && op->wm < WM_END) /* any watermark may make a key too old */
			at = op->wm + 1;
		due = at < due ? at : due;
		if (op->steps) /* what is behind moves with its steps alone */
			break;
	}
	return due;
}

int64_t chain_due(const struct chain *chain)
{
	return find_due(chain, true);
}

int64_t chain_due_now(const struct chain *chain)
{
	return find_due(chain, false);
}

/* The windows of an operator close. Its watermark is then where the last of them closed (out->at, which rows set, and who closes without a row), so that a
 * later run over its state goes on from there: what comes for them is late, what comes for later ones is not. */
static int end_windows(struct op *op)
{
	int64_t wm = WM_END, before = op->wm, began = op->began;
	op->out->at = WM_NONE;
	if (watermark_op(op, &wm))
		return -1;
	op->wm = op->out->at > before && op->out->stream.timed ? op->out->at : before;
	op->began = began;
	return 0;
}

/* The sink gets no watermark then: the end of input is no line of the output. */
static int end_op(struct op *op, bool windows, bool result)
{
	if (flush_op(op) || (windows && op->out && op->wm < WM_END && end_windows(op)))
		return -1;
	return result && op->type->result ? push_on(op, op->type->result(op)) : 0;
}

/* The first operator that holds its result back until the end; n: none. */
static uint32_t first_result(const struct chain *chain)
{
	uint32_t i = 0;
	while (i < chain->n && !(chain->final && chain->op[i]->type->result && !chain->op[i]->at_once))
		i++;
	return i;
}

int chain_settle(struct chain *chain, bool windows)
{
	uint32_t n = first_result(chain);
	for (uint32_t i = 0; i < n; i++)
		if (end_op(chain->op[i], windows, false))
			return -1;
	return 0;
}

int chain_result(struct chain *chain, bool windows)
{
	for (uint32_t i = first_result(chain); i < chain->n; i++)
		if (end_op(chain->op[i], windows, chain->final))
			return -1;
	return 0;
}

uint64_t chain_late(struct chain *chain, int64_t *last)
{
	uint64_t n = 0;
	*last = INT64_MAX;
	for (uint32_t i = 0; i < chain->n; i++) {
		struct op *op = chain->op[i];
		n += op->nlate;
		*last = op->late_last < *last ? op->late_last : *last;
		op->late_last = INT64_MAX;
	}
	return n;
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

bool chain_keys(const struct chain *chain, uint64_t *n)
{
	bool any = false;
	*n = 0;
	for (uint32_t i = 0; i < chain->n; i++) {
		const struct table *keys = chain->op[i]->keys;
		any |= keys != NULL;
		*n += keys ? table_count(keys) : 0;
	}
	return any;
}

uint64_t chain_rows(const struct chain *chain)
{
	return sink_rows(chain->op[chain->n - 1]);
}

void chain_save_time(const struct chain *chain, struct snap_out *out)
{
	snap_put_i64(out, chain->wm);
	for (uint32_t i = 0; i < chain->n; i++)
		snap_put_i64(out, chain->op[i]->wm);
	for (uint32_t i = 0; i < chain->n; i++)
		snap_put_i64(out, chain->op[i]->began);
}

void chain_load_time(struct chain *chain, struct snap_in *in)
{
	chain->wm = snap_i64(in);
	for (uint32_t i = 0; i < chain->n; i++)
		chain->op[i]->wm = snap_i64(in);
	for (uint32_t i = 0; i < chain->n; i++)
		chain->op[i]->began = snap_i64(in);
}

void chain_close(struct chain *chain)
{
	for (uint32_t i = 0; i < chain->nside; i++) {
		struct chain_side *side = chain->side[i];
		if (side->opened)
			side->sink->type->close(side->sink);
		edge_close(&side->edge);
	}
	for (uint32_t i = 0; i < chain->n; i++) {
		if (i < chain->opened && chain->op[i]->type->close)
			chain->op[i]->type->close(chain->op[i]);
		edge_close(chain->edge[i]);
	}
	arena_release(&chain->plan);
	chain->n = chain->opened = 0;
}
