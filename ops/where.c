/* --where: rows for which the predicate is true.
 *
 * Over updating input the two halves of an update are judged alone, and what comes out is well formed:
 *
 *     -U passes, +U passes      -U, +U    the row stays
 *     -U passes                 -D        it leaves
 *               +U passes       +I        it enters */
#include "ops/expr/expr.h"
#include "ops/op.h"
#include "ops/pick.h"
#include "parse/lang/parse.h"

struct where {
	struct node *node;
	struct expr *expr;
	bool updates; /* the input has more than +I */
	bool drops;   /* updates that change nothing may come, and must not go on */
};

static int parse(struct op *op, struct err *err)
{
	struct where *where = op->conf;
	return parse_expr(op->flag, op->text, op->plan, &where->node, err);
}

static int plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	struct where *where = op->conf;
	struct expr *expr = expr_bind(where->node, in->schema, op->plan, err);
	where->expr = expr ? expr_as(expr, T_BOOL, op->plan, err) : NULL;
	where->updates = in->kinds;
	where->drops = in->equal_pairs && !op->ttl; /* under --ttl such an update still says that its key is alive */
	struct schema_place place;
	if (where->drops && in->schema->kind != SCHEMA_CLOSED && !schema_whole(in->schema, &place))
		return err_memory(err);
	if (in->kinds)
		out->kinds = S_U | S_D;
	out->rank = in->rank;
	return where->expr ? 0 : -1;
}

/* Whether a row entered or stayed shows in its old form only. */
static bool before(const struct op *op, bool wanted)
{
	(void)op;
	(void)wanted;
	return true;
}

static void need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	const struct where *where = op->conf;
	const struct edge *edge = op->out;
	for (uint32_t c = 0; c < edge->stream.schema->n; c++)
		in[c] |= where->drops ? out[c] | NEED_VALUE : out[c]; /* equal rows can only be told by all their columns */
	expr_need(where->expr, NEED_BOOL, in);
}

static void explain(const struct op *op, struct buf *out)
{
	const struct where *where = op->conf;
	if (where->updates)
		buf_puts(out, "  variant    an update that enters is +I, one that leaves -D\n");
	buf_puts(out, "  state      none\n");
}

/* The rows of insert-only input that pass. */
static uint32_t choose(const uint8_t *pass, uint32_t n, uint16_t *row)
{
	uint32_t m = 0;
	for (uint32_t r = 0; r < n; r++) {
		row[m] = (uint16_t)r;
		m += pass[r];
	}
	return m;
}

/* The same over updating input, with the kinds that the rows leave with. */
static uint32_t choose_changes(const struct op *op, const struct batch *in, const uint8_t *pass, uint16_t *row, uint8_t *kind)
{
	const struct where *where = op->conf;
	uint32_t m = 0;
	for (uint32_t r = 0; r < in->n; r++) {
		uint8_t k = batch_kind(in, r);
		bool pair = k & K_PAIR, stays = pair && pass[r] && pass[r + 1];
		if (stays && where->drops && batch_pair_same(in, r)) {
			r++;
			continue;
		}
		if (pass[r] && (!stays || op->before)) {
			row[m] = (uint16_t)r;
			kind[m++] = stays ? K_UB | K_PAIR : kind_adds(k) ? K_I : K_D;
		}
		if (!pair)
			continue;
		if (pass[++r]) {
			row[m] = (uint16_t)r;
			kind[m++] = stays ? K_UA : K_I;
		}
	}
	return m;
}

static int push(struct op *op, const struct batch *in)
{
	const struct where *where = op->conf;
	uint8_t pass[BATCH_MAX], kind[BATCH_MAX], *kinds = NULL;
	uint16_t row[BATCH_MAX];
	uint32_t n;
	if (expr_true(where->expr, in, pass, &n))
		return err_memory(op->err);
	if (!n)
		return 0;
	if (where->updates)
		n = choose_changes(op, in, pass, row, kinds = kind);
	else if (n == in->n)
		return edge_send(op->out, in);
	else
		n = choose(pass, in->n, row);
	struct batch out;
	if (batch_pick(in, row, n, kinds, &out))
		return err_memory(op->err);
	return edge_send(op->out, &out);
}

const struct op_type where_op = {
	.name = "where",
	.letter = 'w',
	.arg = "PREDICATE",
	.help = "keep rows for which the predicate is true",
	.more = "Not those for which it is false or unknown: `x = null` is never true, but\n"
		"`x is null` may be. Behind an operator that updates, a row that comes to satisfy\n"
		"it is written as +I, one that ceases to as -D.\n"
		"\n"
		"  weir -f combined -w \"status >= 500 and path like '/api/%'\" access.log\n"
		"  weir -w 'not (c3 =~ /^get/i) and c9 is not null' events.tsv\n"
		"  weir -k c1 -r count -w 'count > 10' events.tsv\n",
	.conf_size = sizeof(struct where),
	.parse = parse,
	.plan = plan,
	.before = before,
	.need = need,
	.explain = explain,
	.push = push,
};
