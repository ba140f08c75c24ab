#include "ops/emit/live_view.h"

#include <string.h>

/* ---- set-up ------------------------------------------------------------------------------ */

/* Binds what the rows are ranked by to a schema. 0, or -1 with err set: it may not have these names. */
static int bind_sort(struct live_view *view, struct schema *schema, struct err *err)
{
	const struct stream_rank *rank = view->in->rank;
	for (uint32_t i = 0; i < rank->ast->nby; i++) {
		const struct order_by *by = &rank->ast->by[i];
		struct expr *expr = expr_bind(by->expr, schema, &view->words, err);
		if (!expr)
			return -1;
		bool nulls_first = by->nulls == NULLS_DEFAULT ? !by->desc : by->nulls == NULLS_FIRST;
		view->sort[i] = (struct live_sort){ expr, by->desc != rank->ast->last, nulls_first != rank->ast->last };
	}
	return key_bind(&view->key, rank->op, schema, err);
}

/* They are members of the record that passes. */
static int bind_record(struct live_view *view, struct err *err)
{
	struct schema *schema = &view->record.schema;
	live_record_begin(&view->record, view->input, &view->words, err);
	schema->zone = view->in->schema->zone;
	if (bind_sort(view, schema, err))
		return -1;
	uint8_t *need = arena_alloc(&view->words, schema->n ? schema->n : 1);
	if (!need)
		return err_memory(err);
	memset(need, 0, schema->n);
	for (uint32_t i = 0; i < view->in->rank->ast->nby; i++)
		expr_need(view->sort[i].expr, NEED_VALUE, need);
	for (uint32_t i = 0; i < view->key.n; i++)
		expr_need(view->key.expr[i], NEED_VALUE, need);
	if (live_record_open(&view->record, need))
		return -1;
	view->record.decoder.err = view->err;
	return 0;
}

/* The column of records that pass whole; -1: there is none, or nothing says how they were read. */
static int32_t find_record(const struct live_view *view)
{
	for (uint32_t c = 0; view->input && c < view->ncol; c++)
		if (view->shown->col[c].type == T_RECORD)
			return (int32_t)c;
	return -1;
}

/* What the rows are ranked by is bound anew, to what is shown of them. Where that cannot be, they stay by arrival. */
static int bind_rank(struct live_view *view)
{
	uint32_t nby = view->in->rank->ast->nby;
	struct err err = { 0 };
	view->sort = arena_alloc(&view->words, (nby ? nby : 1) * sizeof *view->sort);
	if (!view->sort)
		return err_memory(view->err);
	int status = bind_sort(view, view->in->schema, &err);
	if (status && err.code == ERR_USAGE && (view->text = find_record(view)) >= 0) {
		err = (struct err){ 0 };
		status = bind_record(view, &err);
	}
	if (status)
		return err.code == ERR_USAGE ? 0 : err_memory(view->err);
	view->nsort = nby;
	if (!view->key.n)
		return 0;
	view->lists = table_new(sizeof(uint64_t), (uint64_t)(uintptr_t)view->sort, view->mem);
	return view->lists ? 0 : err_memory(view->err);
}

/* A row of its own width is no key: only some of its fields are. */
static bool has_key(const struct live_view *view)
{
	for (uint32_t i = 0; i < view->in->nkey; i++)
		if (view->shown->col[view->in->key[i]].type == T_ROW)
			return false;
	return view->in->has_key;
}

static int set_ident(struct live_view *view)
{
	bool closed = view->in->schema == view->shown;
	view->keyed = closed && has_key(view);
	view->window = closed && view->in->windowed ? (int32_t)view->in->end : -1;
	view->nident = view->keyed ? view->in->nkey : view->ncol;
	view->ident = arena_alloc(&view->words, (view->nident ? view->nident : 1) * sizeof *view->ident);
	for (uint32_t i = 0; view->ident && i < view->nident; i++)
		view->ident[i] = view->keyed ? view->in->key[i] : i;
	return view->ident ? 0 : -1;
}

int live_view_open(struct live_view *view, const struct emitter *emitter)
{
	view->input = emitter->opt->input;
	view->in = emitter->in;
	view->text = -1;
	view->shown = emitter->shown;
	view->ncol = view->shown->n;
	view->mem = view->store.mem = emitter->mem;
	view->err = emitter->err;
	view->begun = true;
	arena_init(&view->words, view->mem);
	if (set_ident(view))
		return err_memory(view->err);
	return view->in->rank ? bind_rank(view) : 0;
}

void live_view_close(struct live_view *view)
{
	if (!view->begun)
		return;
	live_release(&view->store);
	if (view->lists)
		table_free(view->lists);
	mem_free(view->mem, view->best, view->room * sizeof *view->best);
	mem_free(view->mem, view->top, view->room * sizeof *view->top);
	arena_release(&view->words);
	*view = (struct live_view){ 0 };
}

/* ---- changes ----------------------------------------------------------------------------- */

/* A batch as it is applied. */
struct changes {
	struct batch row;   /* with what it is sorted by */
	struct batch ident; /* the columns by which a row is found */
	struct batch from;  /* the columns that rank and key are read from */
	struct entry *list[BATCH_MAX];
};

/* Lists are counted anew in each window. */
static int begin_window(struct live_view *view, const struct value *end)
{
	view->newest = value_time(end->u.i);
	view->changed = true;
	live_clear(&view->store);
	if (!view->lists)
		return 0;
	struct table *lists = table_new(sizeof(uint64_t), table_seed(view->lists), view->mem);
	if (!lists)
		return -1;
	table_free(view->lists);
	view->lists = lists;
	view->nlists = 0;
	return 0;
}

/* Moves on to the newest window of the batch. */
static int find_newest(struct live_view *view, const struct batch *batch)
{
	const struct value *newest = &view->newest, *end = view->window < 0 ? NULL : batch->col[view->window].v;
	for (uint32_t r = 0; end && r < batch->n; r++)
		if (end[r].type == V_TIME && (newest->type == V_NULL || end[r].u.i > newest->u.i))
			newest = &end[r];
	return newest == &view->newest ? 0 : begin_window(view, newest);
}

static bool is_newest(const struct live_view *view, const struct batch *batch, uint32_t r)
{
	if (view->window < 0)
		return true;
	const struct value *end = &batch->col[view->window].v[r];
	return end->type == V_TIME && end->u.i == view->newest.u.i;
}

static int set_row(struct live_view *view, const struct batch *batch, struct changes *changes)
{
	uint32_t n = view->ncol + view->nsort;
	struct column *col = arena_alloc(batch->mem, (n ? n : 1) * sizeof *col), *ident = arena_alloc(batch->mem, (view->nident ? view->nident : 1) * sizeof *ident);
	if (!col || !ident)
		return -1;
	memcpy(col, batch->col, view->ncol * sizeof *col);
	changes->from = *batch;
	if (view->text >= 0 && view->nsort && live_record_read(&view->record, batch, (uint32_t)view->text, &changes->from))
		return -1;
	for (uint32_t i = 0; i < view->nsort; i++) {
		col[view->ncol + i] = (struct column){ 0 };
		if (expr_eval(view->sort[i].expr, &changes->from, &col[view->ncol + i].v))
			return -1;
	}
	for (uint32_t i = 0; i < view->nident; i++)
		ident[i] = col[view->ident[i]];
	changes->row = changes->ident = *batch;
	changes->row.ncol = n;
	changes->row.col = col;
	changes->ident.ncol = view->nident;
	changes->ident.col = ident;
	return 0;
}

/* Which list each row of the newest window is in. */
static int find_lists(struct live_view *view, const struct batch *batch, struct changes *changes)
{
	const char *bytes[BATCH_MAX];
	uint32_t len[BATCH_MAX];
	uint64_t hash[BATCH_MAX];
	uint8_t wanted[BATCH_MAX], fresh[BATCH_MAX];
	if (!view->lists)
		return 0;
	table_tick(view->lists, batch->n);
	for (uint32_t r = 0; r < batch->n; r++)
		wanted[r] = is_newest(view, batch, r) && kind_adds(batch_kind(batch, r));
	if (key_rows(&view->key, &changes->from, table_seed(view->lists), bytes, len, hash) ||
	    table_find(view->lists, batch->n, hash, bytes, len, true, wanted, changes->list, fresh))
		return -1;
	for (uint32_t r = 0; r < batch->n; r++)
		if (fresh[r])
			*(uint64_t *)entry_state(changes->list[r]) = ++view->nlists;
	return 0;
}

static int add(struct live_view *view, const struct changes *changes, uint32_t r, struct live_item *old, uint64_t hash)
{
	uint64_t list = view->lists ? *(uint64_t *)entry_state(changes->list[r]) : 0;
	struct row *row = row_of_batch(&changes->row, r, changes->row.ncol, view->mem);
	if (!row)
		return -1;
	if (old) {
		row_free(old->row, view->mem);
		old->row = row;
		old->list = list;
		return 0;
	}
	if (!live_add(&view->store, row, hash, list))
		return 0;
	row_free(row, view->mem);
	return -1;
}

/* An update of a keyed row leaves it where it is; its first half says nothing. */
static int change(struct live_view *view, const struct changes *changes, uint32_t r)
{
	uint8_t kind = batch_kind(&changes->row, r);
	if (view->keyed && kind == (K_UB | K_PAIR))
		return 0;
	struct live_ident ident = { &changes->ident, view->ident };
	uint64_t hash = row_hash_batch(&changes->ident, r, view->nident);
	struct live_item *old = kind_adds(kind) && !view->keyed ? NULL : live_find(&view->store, &ident, r, hash);
	view->changed = true;
	if (kind_adds(kind))
		return add(view, changes, r, old, hash);
	if (old)
		live_take(&view->store, old);
	return 0;
}

int live_view_apply(struct live_view *view, const struct batch *batch)
{
	struct changes changes;
	if (find_newest(view, batch) || set_row(view, batch, &changes) || find_lists(view, batch, &changes))
		return err_memory(view->err);
	for (uint32_t r = 0; r < batch->n; r++)
		if (is_newest(view, batch, r) && change(view, &changes, r))
			return err_memory(view->err);
	return 0;
}

/* ---- order ------------------------------------------------------------------------------- */

static int compare_values(const struct live_sort *sort, const struct value *a, const struct value *b)
{
	if (a->type == V_NULL || b->type == V_NULL)
		return a->type == b->type ? 0 : (a->type == V_NULL) == sort->nulls_first ? -1 : 1;
	int order = value_order(a, b);
	return sort->desc ? -order : order;
}

/* Of equals the rank decides, where it is shown, else who came first (last N: last). */
static int compare(const struct live_view *view, const struct live_item *a, const struct live_item *b)
{
	const struct stream_rank *rank = view->in->rank;
	if (a->list != b->list)
		return a->list < b->list ? -1 : 1;
	int order = 0;
	for (uint32_t i = 0; i < view->nsort && !order; i++)
		order = compare_values(&view->sort[i], &a->row->v[view->ncol + i], &b->row->v[view->ncol + i]);
	if (!order && rank->col >= 0)
		order = value_order(&a->row->v[rank->col], &b->row->v[rank->col]);
	return order ? order : (a < b) == rank->ast->last ? 1 : -1;
}

static int make_room(struct live_view *view, uint32_t most)
{
	if (most <= view->room)
		return 0;
	const struct live_item **best = mem_alloc(view->mem, most * sizeof *best);
	const struct row **top = mem_alloc(view->mem, most * sizeof *top);
	if (!best || !top) {
		mem_free(view->mem, best, most * sizeof *best);
		mem_free(view->mem, top, most * sizeof *top);
		return err_memory(view->err);
	}
	mem_free(view->mem, view->best, view->room * sizeof *best);
	mem_free(view->mem, view->top, view->room * sizeof *top);
	view->best = best;
	view->top = top;
	view->room = most;
	return 0;
}

/* A picture has some dozen rows, so those are kept in order while all pass by. */
int live_view_top(struct live_view *view, uint32_t most, uint32_t *n)
{
	*n = 0;
	view->changed = false;
	if (!view->begun || !most)
		return 0;
	if (make_room(view, most))
		return -1;
	bool ranked = view->in->rank;
	for (uint32_t i = 0; i < view->store.n && (ranked || *n < most); i++) {
		const struct live_item *item = &view->store.item[i];
		if (!item->row || (*n == most && compare(view, item, view->best[most - 1]) > 0))
			continue;
		uint32_t at = *n < most ? (*n)++ : most - 1;
		for (; ranked && at && compare(view, item, view->best[at - 1]) < 0; at--)
			view->best[at] = view->best[at - 1];
		view->best[at] = item;
	}
	for (uint32_t i = 0; i < *n; i++)
		view->top[i] = view->best[i]->row;
	return 0;
}
