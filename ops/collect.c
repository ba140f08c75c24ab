/* Under --final, behind a chain whose result updates and that has nobody who holds it: the rows still there, in the order in which they came.
 * An updated row comes anew.
 *
 *     head[] (by hash)      item[] (by arrival)
 *     +---+                 +-----+------+
 *     | 1 |---------------->| row | next |--+      a chain runs in order of arrival, so of equal rows the
 *     | . |                 | gone|      |  |      first is found first, and found at once
 *     | . |                 | row | next |<-+
 *     +---+                 +-----+------+
 *
 * Gone items leave their chain at once and item[] when half of it is gone. Numbers in head and next are places in item[] + 1; 0 ends a chain. */
#include <string.h>

#include "ops/op.h"
#include "ops/state/row.h"
#include "ops/state/snapshot.h"

struct item {
	struct row *row; /* NULL: gone */
	uint32_t next;
};

struct chain_ends {
	uint32_t head, tail;
};

struct collect {
	struct item *item;
	uint32_t n, cap, gone;
	struct chain_ends *slot; /* cap of them, a power of two */
};

static bool before(const struct op *op, bool wanted)
{
	(void)op;
	(void)wanted;
	return true;
}

static void explain(const struct op *op, struct buf *out)
{
	(void)op;
	buf_puts(out, "  state      every row that is still there: as large as the result\n");
}

static struct chain_ends *slot_of(const struct collect *collect, uint64_t hash)
{
	return &collect->slot[hash & (collect->cap - 1)];
}

static void link_last(struct collect *collect, uint32_t place)
{
	struct chain_ends *slot = slot_of(collect, row_hash(collect->item[place].row));
	collect->item[place].next = 0;
	if (slot->tail)
		collect->item[slot->tail - 1].next = place + 1;
	else
		slot->head = place + 1;
	slot->tail = place + 1;
}

/* Slides the items together and links them anew. */
static void compact(struct collect *collect)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < collect->n; i++)
		if (collect->item[i].row)
			collect->item[n++] = collect->item[i];
	collect->n = n;
	collect->gone = 0;
	memset(collect->slot, 0, collect->cap * sizeof *collect->slot);
	for (uint32_t i = 0; i < n; i++)
		link_last(collect, i);
}

/* Room for one more item. */
static int make_room(struct op *op)
{
	struct collect *collect = op->state;
	if (collect->n < collect->cap)
		return 0;
	if (collect->gone > collect->n / 2) {
		compact(collect);
		return 0;
	}
	if (collect->cap > UINT32_MAX / 2)
		return err_set(op->err, ERR_FAILED, "the result has more rows than fit");
	uint32_t cap = collect->cap ? 2 * collect->cap : 64;
	struct chain_ends *slot = mem_alloc(op->mem, cap * sizeof *slot);
	struct item *item = slot ? mem_resize(op->mem, collect->item, collect->cap * sizeof *item, cap * sizeof *item) : NULL;
	if (!item) {
		mem_free(op->mem, slot, cap * sizeof *slot);
		return err_memory(op->err);
	}
	mem_free(op->mem, collect->slot, collect->cap * sizeof *slot);
	collect->item = item;
	collect->slot = slot;
	collect->cap = cap;
	compact(collect);
	return 0;
}

/* Takes the row over, also if it fails. */
static int append(struct op *op, struct row *row)
{
	struct collect *collect = op->state;
	if (!row)
		return err_memory(op->err);
	if (make_room(op)) {
		row_free(row, op->mem);
		return -1;
	}
	collect->item[collect->n++] = (struct item){ .row = row };
	link_last(collect, collect->n - 1);
	return 0;
}

/* Takes the first row away that equals row r; false if there is none. */
static bool take(struct op *op, const struct batch *in, uint32_t r)
{
	struct collect *collect = op->state;
	if (!collect->cap)
		return false;
	uint64_t hash = row_hash_batch(in, r, in->ncol);
	struct chain_ends *slot = slot_of(collect, hash);
	uint32_t last = 0;
	for (uint32_t at = slot->head; at; last = at, at = collect->item[at - 1].next) {
		struct item *item = &collect->item[at - 1];
		if (row_hash(item->row) != hash || !row_same_batch(item->row, in, r))
			continue;
		if (last)
			collect->item[last - 1].next = item->next;
		else
			slot->head = item->next;
		if (slot->tail == at)
			slot->tail = last;
		row_free(item->row, op->mem);
		item->row = NULL;
		collect->gone++;
		return true;
	}
	return false;
}

static int push(struct op *op, const struct batch *in)
{
	for (uint32_t r = 0; r < in->n; r++) {
		if (!kind_adds(batch_kind(in, r)))
			op->ignored += !take(op, in, r);
		else if (append(op, row_of_batch(in, r, in->ncol, op->mem)))
			return -1;
	}
	return 0;
}

static int result(struct op *op)
{
	const struct collect *collect = op->state;
	uint32_t ncol = op->out->batch.ncol;
	for (uint32_t i = 0; i < collect->n; i++) {
		const struct row *row = collect->item[i].row;
		if (!row)
			continue;
		if (edge_room(op->out, 1))
			return -1;
		uint32_t to = edge_add(op->out, K_I);
		for (uint32_t c = 0; c < ncol; c++)
			if (edge_col(op->out, c))
				edge_col(op->out, c)[to] = row->v[c];
	}
	return 0;
}

static int save(const struct op *op, struct snap_out *out)
{
	const struct collect *collect = op->state;
	snap_put_u64(out, collect->n - collect->gone);
	for (uint32_t i = 0; i < collect->n; i++)
		if (collect->item[i].row)
			row_save(collect->item[i].row, out);
	return 0;
}

static int load(struct op *op, struct snap_in *in)
{
	uint32_t ncol = op->out->stream.schema->n;
	for (uint64_t n = snap_u64(in); n && !in->bad; n--) {
		struct row *row = row_load(in, op->mem);
		if (row && row->n != ncol)
			in->bad = true;
		if (!row && in->bad)
			return 0;
		if (append(op, row))
			return -1;
	}
	return 0;
}

static void close_collect(struct op *op)
{
	struct collect *collect = op->state;
	for (uint32_t i = 0; i < collect->n; i++)
		if (collect->item[i].row)
			row_free(collect->item[i].row, op->mem);
	mem_free(op->mem, collect->item, collect->cap * sizeof *collect->item);
	mem_free(op->mem, collect->slot, collect->cap * sizeof *collect->slot);
	*collect = (struct collect){ 0 };
}

const struct op_type collect_op = {
	.name = "collect",
	.state_size = sizeof(struct collect),
	.before = before,
	.explain = explain,
	.push = push,
	.result = result,
	.save = save,
	.load = load,
	.close = close_collect,
};
