/* --select: the columns of the output, each an expression over those of the input; * stands for all of them.
 *
 * An update whose two rows come out equal is no update: it is left out. */
#include <string.h>

#include "ops/expr/expr.h"
#include "ops/op.h"
#include "ops/pick.h"
#include "parse/lang/parse.h"

struct item {
	struct expr *expr; /* NULL: a column that * stands for */
	int column;        /* of the input, if it passes unchanged; else -1 */
};

struct select {
	struct named_list list;
	struct item *item; /* one per column of the output */
	uint32_t n;
	bool updates; /* the input has more than +I */
};

static int parse(struct op *op, struct err *err)
{
	struct select *select = op->conf;
	return parse_select(op->flag, op->text, op->plan, &select->list, err);
}

static int add_column(struct select *select, struct schema *schema, const struct schema_column *col, struct item item, struct err *err)
{
	if (schema_add(schema, col->name, col->len, col->type) < 0)
		return err_memory(err);
	select->item[select->n++] = item;
	return 0;
}

/* All columns; of an open schema the whole record. */
static int add_star(struct select *select, const struct named *named, struct schema *in, struct schema *schema, struct err *err)
{
	struct schema_place place;
	int row = schema_row(in);
	if (in->kind != SCHEMA_CLOSED) {
		if (!schema_whole(in, &place))
			return err_memory(err);
		row = (int)place.col;
	}
	if (schema_row(in) >= 0 && schema_row(schema) >= 0)
		return err_at(err, named->span, "* can stand here once only: the columns of these rows have no names");
	for (uint32_t c = 0; c < in->n; c++)
		if ((in->kind == SCHEMA_CLOSED || (int)c == row) && add_column(select, schema, &in->col[c], (struct item){ .column = (int)c }, err))
			return -1;
	return 0;
}

static int add_expr(struct op *op, const struct named *named, struct schema *in, struct schema *schema, struct err *err)
{
	struct expr *expr = expr_bind(named->expr, in, op->plan, err);
	if (!expr)
		return -1;
	struct schema_column col = { .name = named->name, .len = named->len, .type = expr_type(expr) };
	return add_column(op->conf, schema, &col, (struct item){ .expr = expr, .column = expr_column(expr) }, err);
}

/* Where an input column can still be found; -1: nowhere. */
static int passed(const struct select *select, uint32_t column)
{
	for (uint32_t i = 0; i < select->n; i++)
		if (select->item[i].column == (int)column)
			return (int)i;
	return -1;
}

/* The unique key stays one if all of it passes; without it there is no trend within it. */
static int keep_key(struct op *op, const struct stream *in, struct stream *out)
{
	const struct select *select = op->conf;
	uint32_t *key = arena_alloc(op->plan, (in->nkey + 1) * sizeof *key);
	int8_t *trend = arena_alloc(op->plan, select->n * sizeof *trend);
	if (!key || !trend)
		return -1;
	out->has_key = in->has_key;
	for (uint32_t k = 0; k < in->nkey; k++) {
		int at = passed(select, in->key[k]);
		key[k] = (uint32_t)at;
		out->has_key = out->has_key && at >= 0;
	}
	for (uint32_t i = 0; in->trend && i < select->n; i++)
		trend[i] = select->item[i].column < 0 ? TREND_NONE : in->trend[select->item[i].column];
	out->nkey = out->has_key ? in->nkey : 0;
	out->key = out->has_key ? key : NULL;
	out->trend = out->has_key && in->trend ? trend : NULL;
	return 0;
}

/* Rows belong to their windows as long as the end passes: it alone tells when a window closes. */
static void keep_window(const struct select *select, const struct stream *in, struct stream *out)
{
	int start = in->windowed ? passed(select, in->start) : -1, end = in->windowed ? passed(select, in->end) : -1;
	out->windowed = end >= 0;
	out->end = (uint32_t)end;
	out->start = (uint32_t)(start < 0 ? end : start);
}

static int plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	struct select *select = op->conf;
	struct schema_place place;
	struct schema *schema = arena_alloc(op->plan, sizeof *schema);
	uint32_t n = 0;
	for (uint32_t i = 0; i < select->list.n; i++) {
		if (select->list.item[i].star && in->schema->kind != SCHEMA_CLOSED && !schema_whole(in->schema, &place))
			return err_memory(err);
		n += select->list.item[i].star ? in->schema->n : 1;
	}
	select->item = arena_alloc(op->plan, n * sizeof *select->item);
	if (!schema || !select->item)
		return err_memory(err);
	schema_init(schema, SCHEMA_CLOSED, op->plan);
	for (uint32_t i = 0; i < select->list.n; i++) {
		const struct named *named = &select->list.item[i];
		if (named->star ? add_star(select, named, in->schema, schema, err) : add_expr(op, named, in->schema, schema, err))
			return -1;
	}
	select->updates = in->kinds;
	out->schema = schema;
	keep_window(select, in, out);
	return keep_key(op, in, out) ? err_memory(err) : 0;
}

/* Whether an update still is one shows in both its rows only. */
static bool before(const struct op *op, bool wanted)
{
	const struct select *select = op->conf;
	return wanted || select->updates;
}

/* Two rows can only be told to be equal if all their columns are there. */
static uint8_t use_of(const struct select *select, uint8_t use)
{
	return select->updates ? use | NEED_VALUE : use;
}

static void need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	const struct select *select = op->conf;
	for (uint32_t i = 0; i < select->n; i++) {
		const struct item *item = &select->item[i];
		uint8_t use = use_of(select, out[i]);
		if (item->column >= 0)
			in[item->column] |= use;
		else if (use)
			expr_need(item->expr, use, in);
	}
}

static void explain(const struct op *op, struct buf *out)
{
	const struct select *select = op->conf;
	if (select->updates)
		buf_puts(out, "  variant    an update that changes none of these columns is left out\n");
	buf_puts(out, "  state      none\n");
}

static int send_changes(struct op *op, const struct batch *batch)
{
	uint16_t row[BATCH_MAX];
	uint8_t kind[BATCH_MAX];
	uint32_t n = 0;
	for (uint32_t r = 0; r < batch->n; r++) {
		bool pair = batch->kind[r] & K_PAIR;
		if (pair && batch_pair_same(batch, r)) {
			r++;
			continue;
		}
		if (pair && !op->before)
			continue;
		row[n] = (uint16_t)r;
		kind[n++] = batch->kind[r] == K_UB ? K_D : batch->kind[r]; /* a -U that stands alone */
	}
	struct batch out;
	if (batch_pick(batch, row, n, kind, &out))
		return err_memory(op->err);
	return edge_send(op->out, &out);
}

static int push(struct op *op, const struct batch *in)
{
	const struct select *select = op->conf;
	struct batch out = *in;
	out.ncol = select->n;
	out.col = arena_alloc(in->mem, select->n * sizeof *out.col);
	if (!out.col)
		return err_memory(op->err);
	for (uint32_t i = 0; i < select->n; i++) {
		const struct item *item = &select->item[i];
		out.col[i] = item->column >= 0 ? in->col[item->column] : (struct column){ 0 };
		if (item->column < 0 && use_of(select, op->out->need[i]) && expr_eval(item->expr, in, &out.col[i].v))
			return err_memory(op->err);
	}
	/* under --ttl an equal update still says that its key is alive */
	return select->updates && in->kind && !op->ttl ? send_changes(op, &out) : edge_send(op->out, &out);
}

const struct op_type select_op = {
	.name = "select",
	.letter = 's',
	.arg = "EXPR, ...",
	.help = "the columns to go on with; * is all of them",
	.more = "EXPR as NAME gives a name; else it is made of the words of EXPR: lower_host.\n"
		"Choose columns before writing a wide table.\n"
		"\n"
		"  weir -f csv -s 'path, ms / 1000 as seconds' requests.csv\n"
		"  weir -f combined -s \"ip, split(path, '/', 2) as top\" access.log\n"
		"  weir -f csv -s '{odd name} as odd, *' requests.csv\n",
	.conf_size = sizeof(struct select),
	.parse = parse,
	.plan = plan,
	.before = before,
	.need = need,
	.explain = explain,
	.push = push,
};
