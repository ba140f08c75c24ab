/* What a change of a key's list changes in the output: row by row, and for row numbers.
 *
 * Ranked, a row that comes in at p pushes the others down: each rank from p on gets the row that stood one before it.
 *
 *     before   a b c            -U b +U x   (rank 2)
 *     after    a x b c          -U c +U b   (rank 3)
 *                               +I c        (rank 4, if there is one)
 *
 * Not ranked, only rows that leave the shown part (-D, first) and enter it (+I) are written. */
#include "ops/topn.h"

static void fill(struct op *op, uint8_t kind, const struct row *row, int64_t number)
{
	const struct topn_conf *conf = topn_conf(op);
	struct edge *out = op->out;
	uint32_t r = edge_add(out, kind);
	for (uint32_t c = 0; c < conf->ncol; c++) {
		struct value *v = edge_col(out, c);
		if (v)
			v[r] = row->v[c];
	}
	struct value *rank = conf->rank_col < 0 ? NULL : edge_col(out, (uint32_t)conf->rank_col);
	if (rank)
		rank[r] = value_int(number);
}

int topn_emit(struct op *op, uint8_t kind, const struct row *row, int64_t number)
{
	if (edge_room(op->out, 1))
		return -1;
	fill(op, kind, row, number);
	return 0;
}

int topn_emit_pair(struct op *op, const struct topn_shown *old, const struct topn_shown *new)
{
	const struct topn_conf *conf = topn_conf(op);
	bool renumbered = conf->rank_col >= 0 && old->number != new->number;
	if (!op->ttl && !renumbered && (old->row == new->row || topn_same(conf, old->row, new->row)))
		return 0;
	if (!op->before)
		return topn_emit(op, K_UA, new->row, new->number);
	if (edge_room(op->out, 2))
		return -1;
	fill(op, K_UB | K_PAIR, old->row, old->number);
	fill(op, K_UA, new->row, new->number);
	return 0;
}

int topn_emit_in(struct op *op, const struct topn_in *in, uint32_t r, int64_t number)
{
	const struct topn_conf *conf = topn_conf(op);
	const struct column *from = in->view.col;
	struct edge *out = op->out;
	if (edge_room(out, 1) || topn_make(op, in, r))
		return -1;
	uint32_t at = edge_add(out, K_I);
	for (uint32_t c = 0; c < conf->ncol; c++) {
		struct value *v = edge_col(out, c);
		if (v)
			v[at] = from[c].v[r];
	}
	struct value *rank = conf->rank_col < 0 ? NULL : edge_col(out, (uint32_t)conf->rank_col);
	if (rank)
		rank[at] = value_int(number);
	return 0;
}

static struct row *row_at(const struct topn_group *group, uint64_t at)
{
	return ordset_at(&group->set, at)->row;
}

/* Rank i + 1 passes from one row to another. */
static int pass(struct op *op, uint64_t i, struct row *from, struct row *to)
{
	struct topn_shown old = { from, (int64_t)i + 1 }, new = { to, (int64_t)i + 1 };
	return topn_emit_pair(op, &old, &new);
}

/* The first position at or behind p that is shown. */
static uint64_t shown_from(const struct op *op, uint64_t p)
{
	uint64_t from = (uint64_t)topn_conf(op)->ast.from - 1;
	return p > from ? p : from;
}

int topn_came(struct op *op, const struct topn_group *group, uint64_t p)
{
	uint64_t to = (uint64_t)group->to, before = group->set.n - 1;
	if (p >= to)
		return 0;
	if (!topn_conf(op)->ranked) {
		if (before >= to && topn_emit(op, K_D, row_at(group, to), (int64_t)to))
			return -1;
		return topn_emit(op, K_I, row_at(group, p), (int64_t)p + 1);
	}
	uint64_t i = shown_from(op, p), end = before < to ? before : to;
	if (i > end || i >= to)
		return 0;
	struct row *row = row_at(group, i);
	for (; i < end; i++) {
		struct row *old = row_at(group, i + 1);
		if (pass(op, i, old, row))
			return -1;
		row = old;
	}
	return before < to ? topn_emit(op, K_I, row, (int64_t)before + 1) : 0;
}

int topn_went(struct op *op, const struct topn_group *group, uint64_t p, struct row *row)
{
	uint64_t to = (uint64_t)group->to, n = group->set.n;
	if (p >= to)
		return 0;
	if (!topn_conf(op)->ranked) {
		if (topn_emit(op, K_D, row, (int64_t)p + 1))
			return -1;
		return n >= to ? topn_emit(op, K_I, row_at(group, to - 1), (int64_t)to) : 0;
	}
	uint64_t i = shown_from(op, p), end = n < to ? n : to;
	if (i > n || i >= to)
		return 0;
	struct row *old = i == p ? row : row_at(group, i - 1);
	for (; i < end; i++) {
		struct row *next = row_at(group, i);
		if (pass(op, i, old, next))
			return -1;
		old = next;
	}
	return n < to ? topn_emit(op, K_D, old, (int64_t)n + 1) : 0;
}

/* Not ranked: a row that stays among those shown is a pair. */
static int moved_unranked(struct op *op, const struct topn_group *group, uint64_t o, struct row *old, uint64_t p)
{
	uint64_t to = (uint64_t)group->to;
	if (o < to && p < to)
		return pass(op, p, old, row_at(group, p));
	if (o < to)
		return topn_emit(op, K_D, old, (int64_t)o + 1) ? -1 : topn_emit(op, K_I, row_at(group, to - 1), (int64_t)to);
	if (p < to)
		return topn_emit(op, K_D, row_at(group, to), (int64_t)to) ? -1 : topn_emit(op, K_I, row_at(group, p), (int64_t)p + 1);
	return 0;
}

int topn_moved(struct op *op, const struct topn_group *group, uint64_t o, struct row *old, uint64_t p)
{
	if (!topn_conf(op)->ranked)
		return moved_unranked(op, group, o, old, p);
	uint64_t first = p < o ? p : o, last = p < o ? o : p, to = (uint64_t)group->to;
	for (uint64_t i = shown_from(op, first); i <= last && i < to; i++) {
		struct row *was = i == o ? old : row_at(group, p < o ? i + 1 : i - 1);
		if (pass(op, i, was, row_at(group, i)))
			return -1;
	}
	return 0;
}
