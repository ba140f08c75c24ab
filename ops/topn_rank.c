/* rank and dense_rank: equals share a rank, so a change moves whole groups of equals.
 *
 *     rows     a a b c c c d        a row b comes in:  a a b b c c c d
 *     rank     1 1 3 4 4 4 7                     rank  1 1 3 3 5 5 5 8
 *     dense    1 1 2 3 3 3 4                     dense 1 1 2 2 3 3 3 4
 *
 * Behind the group of the row, every rank has gone up (down) by one; in dense_rank only if the group is new (is gone). Of the shown ranks
 * from..to one group leaves at one end and one enters at the other; the groups between are renumbered. To write this costs no more than the
 * rows that are written: a group is found by its rank as a position in the set, in dense_rank in a second set of one row (head) per group. */
#include "ops/topn.h"

static bool equals(const struct topn_conf *conf, const struct ordset_item *a, const struct ordset_item *b)
{
	return a->prefix == b->prefix && topn_compare(conf, a->row, b->row) == 0;
}

static bool dense(const struct topn_conf *conf)
{
	return conf->ast.rank == RANK_DENSE;
}

/* How many items of a set stand before the equals of `item`. */
static uint64_t before_equals(const struct topn_conf *conf, const struct ordset *set, const struct ordset_item *item)
{
	struct ordset_item least = *item;
	least.seq = 0;
	return ordset_rank(set, &conf->order, &least);
}

/* The rank of an item that is, or was, in the set. */
static int64_t rank_of(const struct topn_conf *conf, const struct topn_group *group, const struct ordset_item *item)
{
	return (int64_t)before_equals(conf, dense(conf) ? &group->heads : &group->set, item) + 1;
}

/* Position of the first row behind the equals of `item`. */
static uint64_t behind_equals(const struct topn_conf *conf, const struct topn_group *group, const struct ordset_item *item)
{
	struct ordset_item greatest = *item;
	greatest.seq = UINT64_MAX;
	return ordset_rank(&group->set, &conf->order, &greatest);
}

/* An item of the set that is equal to the one at p; NULL: there is none. */
static const struct ordset_item *equal_of(const struct topn_conf *conf, const struct ordset *set, uint64_t p)
{
	struct ordset_item item = *ordset_at(set, p);
	if (p + 1 < set->n && equals(conf, ordset_at(set, p + 1), &item))
		return ordset_at(set, p + 1);
	if (p > 0 && equals(conf, ordset_at(set, p - 1), &item))
		return ordset_at(set, p - 1);
	return NULL;
}

int topn_rank_came(struct op *op, struct topn_group *group, uint64_t p, bool *shifts)
{
	const struct topn_conf *conf = topn_conf(op);
	*shifts = !dense(conf) || !equal_of(conf, &group->set, p);
	if (!dense(conf) || !*shifts)
		return 0;
	struct ordset_item head = *ordset_at(&group->set, p);
	return ordset_insert(&group->heads, &conf->order, &head, op->mem, NULL) ? err_memory(op->err) : 0;
}

int topn_rank_leaves(struct op *op, struct topn_group *group, uint64_t p, bool *shifts)
{
	const struct topn_conf *conf = topn_conf(op);
	*shifts = true;
	if (!dense(conf))
		return 0;
	struct ordset_item item = *ordset_at(&group->set, p);
	const struct ordset_item *heir = equal_of(conf, &group->set, p);
	uint64_t at = before_equals(conf, &group->heads, &item), new_at;
	*shifts = !heir;
	if (heir && ordset_at(&group->heads, at)->row != item.row)
		return 0;
	if (heir) {
		struct ordset_item head = *heir;
		if (ordset_insert(&group->heads, &conf->order, &head, op->mem, &new_at))
			return err_memory(op->err);
		at += new_at <= at;
	}
	ordset_remove(&group->heads, at, op->mem);
	return 0;
}

bool topn_rank_seek(const struct topn_conf *conf, const struct topn_group *group, struct topn_place *place, int64_t least)
{
	const struct ordset *set = &group->set;
	if (place->at >= set->n)
		return false;
	if (place->number >= least)
		return true;
	if (dense(conf)) {
		if ((uint64_t)least > group->heads.n)
			return false;
		*place = (struct topn_place){ before_equals(conf, set, ordset_at(&group->heads, (uint64_t)least - 1)), least };
		return true;
	}
	uint64_t at = (uint64_t)least - 1;
	if (at >= set->n)
		return false;
	struct ordset_item item = *ordset_at(set, at);
	if (before_equals(conf, set, &item) != at)
		at = behind_equals(conf, group, &item);
	*place = (struct topn_place){ at, (int64_t)at + 1 };
	return at < set->n;
}

void topn_rank_next(const struct topn_conf *conf, const struct topn_group *group, struct topn_place *place)
{
	struct ordset_item item = *ordset_at(&group->set, place->at);
	place->at = behind_equals(conf, group, &item);
	place->number = dense(conf) ? place->number + 1 : (int64_t)place->at + 1;
}

/* What a change does to the groups behind its row: they begin at `behind`, with their new ranks, which are `by` more than the old ones. */
struct shift {
	struct topn_place behind;
	int by;
};

/* Sends the rows of one group: pairs of the old and the new rank, or (kind +I, -D) the rows alone. */
static int send_group(struct op *op, const struct topn_group *group, struct topn_place place, uint8_t kind, int by)
{
	const struct ordset_item *run, first = *ordset_at(&group->set, place.at);
	uint64_t end = behind_equals(topn_conf(op), group, &first);
	uint32_t n;
	for (uint64_t at = place.at; at < end && (run = ordset_run(&group->set, at, &n)); at += n) {
		for (uint32_t i = 0; i < n && at + i < end; i++) {
			struct topn_shown old = { run[i].row, place.number - by }, new = { run[i].row, place.number };
			int status = kind == K_UA ? topn_emit_pair(op, &old, &new) : topn_emit(op, kind, run[i].row, kind == K_D ? old.number : new.number);
			if (status)
				return -1;
		}
	}
	return 0;
}

/* Sends the group of this new rank, if there is one behind the row. */
static int send_edge(struct op *op, const struct topn_group *group, const struct shift *shift, int64_t number, uint8_t kind)
{
	struct topn_place place = shift->behind;
	if (number < place.number || !topn_rank_seek(topn_conf(op), group, &place, number) || place.number != number)
		return 0;
	return send_group(op, group, place, kind, shift->by);
}

/* Sends the groups that were shown and still are, with new ranks least..most. */
static int send_renumbered(struct op *op, const struct topn_group *group, const struct shift *shift, int64_t least, int64_t most)
{
	const struct topn_conf *conf = topn_conf(op);
	struct topn_place place = shift->behind;
	if (conf->rank_col < 0 || !topn_rank_seek(conf, group, &place, least))
		return 0;
	for (; place.at < group->set.n && place.number <= most; topn_rank_next(conf, group, &place))
		if (send_group(op, group, place, K_UA, shift->by))
			return -1;
	return 0;
}

int topn_rank_send_came(struct op *op, const struct topn_group *group, const struct ordset_item *item, bool shifts)
{
	const struct topn_conf *conf = topn_conf(op);
	int64_t from = conf->ast.from, to = group->to, number = rank_of(conf, group, item);
	if (number > to)
		return 0;
	struct shift shift = { .by = 1 };
	shift.behind.at = behind_equals(conf, group, item);
	shift.behind.number = dense(conf) ? number + 1 : (int64_t)shift.behind.at + 1;
	if (shifts && to < INT64_MAX && send_edge(op, group, &shift, to + 1, K_D))
		return -1;
	if (shifts && send_renumbered(op, group, &shift, from + 1, to))
		return -1;
	if (number >= from && topn_emit(op, K_I, item->row, number))
		return -1;
	return shifts ? send_edge(op, group, &shift, from, K_I) : 0;
}

int topn_rank_send_went(struct op *op, const struct topn_group *group, const struct ordset_item *item, bool shifts)
{
	const struct topn_conf *conf = topn_conf(op);
	int64_t from = conf->ast.from, to = group->to, number = rank_of(conf, group, item);
	if (number > to)
		return 0;
	struct shift shift = { .by = -1 };
	shift.behind.at = behind_equals(conf, group, item);
	shift.behind.number = dense(conf) ? number : (int64_t)shift.behind.at + 1;
	if (number >= from && topn_emit(op, K_D, item->row, number))
		return -1;
	if (!shifts)
		return 0;
	if (from > 1 && send_edge(op, group, &shift, from - 1, K_D))
		return -1;
	if (send_renumbered(op, group, &shift, from, to - 1))
		return -1;
	return send_edge(op, group, &shift, to, K_I);
}
