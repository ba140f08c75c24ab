/* The list that a window shows, as an aggregate of the window's rows: its accumulator holds the rows in order, its value is those of ranks from..to as bytes:
 *
 *     number | value of each column ...        for each row, as ops/state/snapshot.h has them
 *
 * So what keeps, merges, evicts and fires aggregates of windows does it with lists, and knows nothing of rows.
 *
 * Its argument is a row packed into one V_ROW, flat, as no field of one may be another:
 *
 *     [ N ] [ computed sort values ... ] [ columns but the whole row ... ] [ fields of the whole row ... ]
 *       `-- if it comes from the row */
#include "ops/agg/rows.h"
#include "ops/state/snapshot.h"
#include "ops/topn.h"

/* The accumulator. */
struct list {
	struct ordset set;
	int64_t to;      /* the last rank shown */
	int64_t started; /* a row has come: `to` is set */
};

static const struct topn_fire_conf *fire_conf(const struct op *op) { return op->conf; }
static struct topn_fire *fire_state(const struct op *op) { return op->state; }

/* ---- packed rows ------------------------------------------------------------------------- */

/* The values in front. */
static int evaluate(const struct topn_fire_conf *conf, const struct batch *in, struct value **lead)
{
	const struct topn_conf *topn = &conf->topn;
	if (topn->variable && expr_eval(topn->variable, in, lead++))
		return -1;
	for (uint32_t i = 0; i < topn->nsort; i++)
		if (topn->sort[i].at >= conf->passes && expr_eval(topn->sort[i].expr, in, lead++))
			return -1;
	return 0;
}

static const struct value *whole_row(const struct topn_fire_conf *conf, const struct batch *in, uint32_t r)
{
	return conf->row_col < 0 ? NULL : &in->col[conf->topn.base + (uint32_t)conf->row_col].v[r];
}

static uint32_t width_of(const struct topn_fire_conf *conf, const struct batch *in, uint32_t r)
{
	const struct value *whole = whole_row(conf, in, r);
	return conf->lead + conf->passes - (whole != NULL) + (whole ? whole->len : 0);
}

static void pack(const struct topn_fire_conf *conf, const struct batch *in, uint32_t r, struct value *const *lead, struct value *to)
{
	const struct value *whole = whole_row(conf, in, r);
	for (uint32_t i = 0; i < conf->lead; i++)
		*to++ = lead[i][r];
	for (uint32_t c = 0; c < conf->passes; c++)
		if ((int32_t)c != conf->row_col)
			*to++ = in->col[conf->topn.base + c].v[r];
	if (whole && whole->len)
		memcpy(to, whole->u.row, whole->len * sizeof *to);
}

/* `rows` of struct accs_whole. */
static int pack_rows(void *ctx, const struct batch *in, struct value **out)
{
	const struct topn_fire_conf *conf = fire_conf(ctx);
	struct value **lead = arena_alloc(in->mem, (conf->lead + 1) * sizeof *lead);
	size_t width = 0;
	for (uint32_t r = 0; r < in->n; r++)
		width += width_of(conf, in, r);
	struct value *field = arena_alloc(in->mem, (width + 1) * sizeof *field);
	*out = arena_alloc(in->mem, in->n * sizeof **out);
	if (!lead || !field || !*out || evaluate(conf, in, lead))
		return -1;
	for (uint32_t r = 0; r < in->n; r++) {
		uint32_t n = width_of(conf, in, r);
		pack(conf, in, r, lead, field);
		(*out)[r] = (struct value){ .type = V_ROW, .len = n, .u.row = field };
		field += n;
	}
	return 0;
}

/* `fits` of struct accs_whole. */
static bool is_packed(void *ctx, const struct value *v)
{
	const struct topn_fire_conf *conf = fire_conf(ctx);
	uint32_t width = conf->lead + conf->passes;
	return v->type == V_ROW && (conf->row_col < 0 ? v->len == width : v->len >= width - 1);
}

/* A stored row, as topn has it: the columns that pass, then the computed sort values. NULL if memory is refused. */
static struct row *unpack(struct op *op, const struct value *packed)
{
	const struct topn_fire_conf *conf = fire_conf(op);
	struct column *col = fire_state(op)->column;
	struct value *at = (struct value *)packed->u.row, *end = at + packed->len, whole;
	at += conf->topn.variable != NULL;
	for (uint32_t i = 0; i < conf->topn.nextra; i++)
		col[conf->passes + i].v = at++;
	for (uint32_t c = 0; c < conf->passes; c++)
		col[c].v = (int32_t)c == conf->row_col ? &whole : at++;
	whole = (struct value){ .type = V_ROW, .len = (uint32_t)(end - at), .u.row = at };
	struct batch one = { .n = 1, .ncol = conf->passes + conf->topn.nextra, .col = col };
	return row_of_batch(&one, 0, one.ncol, op->mem);
}

static struct row *copy_of(struct op *op, struct row *row)
{
	struct column *col = fire_state(op)->column;
	for (uint32_t c = 0; c < row->n; c++)
		col[c].v = &row->v[c];
	struct batch one = { .n = 1, .ncol = row->n, .col = col };
	return row_of_batch(&one, 0, row->n, op->mem);
}

/* ---- the accumulator --------------------------------------------------------------------- */

static struct row *take_out(struct op *op, struct list *list, uint64_t at)
{
	return ordset_remove(&list->set, at, op->mem).row;
}

static uint64_t before_equals(const struct topn_conf *conf, const struct ordset *set, struct ordset_item item)
{
	item.seq = 0;
	return ordset_rank(set, &conf->order, &item);
}

/* Lets go of rows that can never be shown: where none is taken back, and N holds for all rows. (A dense_rank of rows is found by counting only.) */
static void trim(struct op *op, const struct agg *agg, struct list *list)
{
	const struct topn_conf *conf = topn_conf(op);
	if (agg->retracts || conf->variable || conf->ast.rank == RANK_DENSE)
		return;
	while (list->set.n > (uint64_t)list->to) {
		uint64_t last = list->set.n - 1;
		if (conf->ast.rank == RANK_RANK && before_equals(conf, &list->set, *ordset_at(&list->set, last)) < (uint64_t)list->to)
			return;
		row_free(take_out(op, list, last), op->mem);
	}
}

/* Puts a row into its place; it is the list's then, or freed. */
static int put(struct op *op, const struct agg *agg, struct list *list, const struct ordset_item *item)
{
	if (ordset_insert(&list->set, &topn_conf(op)->order, item, op->mem, NULL)) {
		row_free(item->row, op->mem);
		return -1;
	}
	trim(op, agg, list);
	return 0;
}

static uint64_t prefix_of(const struct topn_conf *conf, const struct row *row)
{
	return conf->nsort ? topn_prefix(conf, &row->v[conf->sort[0].at]) : 0;
}

static int add(struct op *op, const struct agg *agg, struct list *list, const struct value *packed)
{
	const struct topn_conf *conf = topn_conf(op);
	if (!list->started) {
		list->started = 1;
		list->to = conf->variable ? topn_variable_to(packed->u.row) : conf->ast.to;
	}
	struct row *row = unpack(op, packed);
	if (!row)
		return -1;
	struct ordset_item item = topn_item(op, row, prefix_of(conf, row));
	return put(op, agg, list, &item);
}

/* Of equal rows one goes, whichever. */
static int take(struct op *op, struct list *list, const struct value *packed)
{
	const struct topn_conf *conf = topn_conf(op);
	struct row *row = unpack(op, packed);
	if (!row)
		return -1;
	struct ordset_item item = { .prefix = prefix_of(conf, row), .row = row };
	for (uint64_t at = before_equals(conf, &list->set, item); at < list->set.n; at++) {
		struct row *held = ordset_at(&list->set, at)->row;
		if (topn_compare(conf, held, row) != 0)
			break;
		if (!row_same(held, row))
			continue;
		row_free(take_out(op, list, at), op->mem);
		break;
	}
	row_free(row, op->mem);
	return 0;
}

static int update(const struct agg *agg, const struct agg_rows *rows)
{
	for (uint32_t i = 0; i < rows->n; i++) {
		int sign = agg_sign(agg, rows, i);
		if (sign && (sign > 0 ? add(agg->conf, agg, rows->acc[i], &rows->arg[0][i]) : take(agg->conf, rows->acc[i], &rows->arg[0][i])))
			return -1;
	}
	return 0;
}

static int merge(const struct agg *agg, void *into, const void *from)
{
	struct op *op = agg->conf;
	struct list *list = into;
	const struct list *other = from;
	if (!list->started) {
		list->started = other->started;
		list->to = other->to;
	}
	for (uint64_t i = 0; i < other->set.n; i++) {
		struct ordset_item item = *ordset_at(&other->set, i);
		item.row = copy_of(op, item.row);
		if (!item.row || put(op, agg, list, &item))
			return -1;
	}
	return 0;
}

static void drop(const struct agg *agg, void *acc)
{
	struct op *op = agg->conf;
	struct list *list = acc;
	const struct ordset_item *run;
	uint32_t n;
	for (uint64_t at = 0; (run = ordset_run(&list->set, at, &n)); at += n)
		for (uint32_t i = 0; i < n; i++)
			row_free(run[i].row, op->mem);
	ordset_clear(&list->set, op->mem);
	*list = (struct list){ 0 };
}

/* ---- its value --------------------------------------------------------------------------- */

/* Ranks, row by row. */
struct ranks {
	const struct topn_conf *conf;
	struct ordset_item last;
	int64_t row, group, number; /* rows and groups of equals so far */
};

static int64_t next_rank(struct ranks *ranks, const struct ordset_item *item)
{
	const struct topn_conf *conf = ranks->conf;
	bool equal = ranks->row && item->prefix == ranks->last.prefix && topn_compare(conf, item->row, ranks->last.row) == 0;
	ranks->row++;
	ranks->last = *item;
	if (conf->ast.rank == RANK_ROW || !equal) {
		ranks->group++;
		ranks->number = conf->ast.rank == RANK_DENSE ? ranks->group : ranks->row;
	}
	return ranks->number;
}

static int value(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	struct op *op = agg->conf;
	const struct topn_fire_conf *conf = fire_conf(op);
	const struct list *list = acc;
	struct buf *buf = &fire_state(op)->list;
	struct snap_out to = { buf };
	struct ranks ranks = { .conf = &conf->topn };
	buf->n = 0;
	for (uint64_t i = 0; i < list->set.n; i++) {
		const struct ordset_item *item = ordset_at(&list->set, i);
		int64_t number = next_rank(&ranks, item);
		if (number > list->to)
			break;
		if (number < conf->topn.ast.from)
			continue;
		snap_put_i64(&to, number);
		for (uint32_t c = 0; c < conf->passes; c++)
			snap_put_value(&to, &item->row->v[c]);
	}
	const char *copy = buf->failed || buf->n > UINT32_MAX ? NULL : arena_copy(mem, buf->p ? buf->p : "", buf->n);
	if (!copy)
		return -1;
	*out = value_raw(copy, (uint32_t)buf->n);
	return 0;
}

int topn_lists_read(struct op *op, const struct value *list, const struct value *bounds, struct arena *mem, struct topn_touched *to)
{
	const struct topn_fire_conf *conf = fire_conf(op);
	struct snap_in in = { .p = list->u.p, .end = list->u.p + list->len, .mem = mem };
	while (in.p < in.end) {
		int64_t number = snap_i64(&in);
		struct row *row = arena_alloc(mem, sizeof *row + (conf->topn.ncol + 1) * sizeof *row->v);
		if (!row)
			return err_memory(op->err);
		*row = (struct row){ .n = conf->topn.ncol & INT32_MAX };
		for (uint32_t i = 0; i < conf->bounds; i++)
			row->v[i] = bounds[i];
		for (uint32_t c = 0; c < conf->passes; c++)
			snap_value(&in, &row->v[conf->bounds + c]);
		if (in.bad)
			return snap_done(&in, "list", op->err);
		if (topn_touched_add(op, to, row, number))
			return -1;
	}
	return 0;
}

/* ---- snapshot ---------------------------------------------------------------------------- */

static void save(const struct agg *agg, const void *acc, struct snap_out *out)
{
	const struct list *list = acc;
	(void)agg;
	snap_put_u64(out, list->started != 0);
	snap_put_i64(out, list->to);
	snap_put_u64(out, list->set.n);
	for (uint64_t i = 0; i < list->set.n; i++) {
		const struct ordset_item *item = ordset_at(&list->set, i);
		snap_put_u64(out, item->seq);
		row_save(item->row, out);
	}
}

static int load(const struct agg *agg, void *acc, struct snap_in *in)
{
	struct op *op = agg->conf;
	const struct topn_fire_conf *conf = fire_conf(op);
	struct list *list = acc;
	list->started = snap_u64(in) != 0;
	list->to = snap_i64(in);
	if (list->to < 0)
		in->bad = true;
	for (uint64_t n = snap_count(in); n && !in->bad; n--) {
		struct ordset_item item = { .seq = snap_u64(in) };
		item.row = row_load(in, op->mem);
		if (!item.row)
			return in->refused ? -1 : 0;
		if (item.row->n != conf->passes + conf->topn.nextra) {
			in->bad = true;
			row_free(item.row, op->mem);
			return 0;
		}
		item.prefix = prefix_of(&conf->topn, item.row);
		if (put(op, agg, list, &item))
			return -1;
	}
	return 0;
}

static const struct agg_type list_agg = {
	.name = "list",
	.can = A_HEAP | A_ORDERED | A_KEEPS,
	.size = sizeof(struct list),
	.update = update,
	.merge = merge,
	.value = value,
	.drop = drop,
	.save = save,
	.load = load,
};

int topn_lists_begin(struct op *op)
{
	struct topn_fire_conf *conf = op->conf;
	struct accs_whole *whole = arena_alloc(op->plan, sizeof *whole);
	if (!whole)
		return -1;
	*whole = (struct accs_whole){ .type = &list_agg, .conf = op, .rows = pack_rows, .fits = is_packed };
	conf->whole = whole;
	return 0;
}
