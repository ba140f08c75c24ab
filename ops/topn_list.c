/* The variants that keep a key's rows in order. Each takes a row, changes the list, sends what that changes, and lets go of what can never be
 * shown again. */
#include "ops/topn.h"

static int came(struct op *op, struct topn_group *group, const struct ordset_item *item, uint64_t *at, bool *shifts)
{
	const struct topn_conf *conf = topn_conf(op);
	*shifts = false;
	if (ordset_insert(&group->set, &conf->order, item, op->mem, at))
		return err_memory(op->err);
	if (conf->ast.rank == RANK_ROW || !topn_rank_came(op, group, *at, shifts))
		return 0;
	ordset_remove(&group->set, *at, op->mem);
	return -1;
}

static int send_came(struct op *op, const struct topn_group *group, const struct ordset_item *item, uint64_t at, bool shifts)
{
	if (topn_state(op)->quiet)
		return 0;
	return topn_conf(op)->ast.rank == RANK_ROW ? topn_came(op, group, at) : topn_rank_send_came(op, group, item, shifts);
}

static bool bundling(const struct op *op)
{
	return op->bundled && !op->final;
}

/* ---- bounded: TOPN_APPEND, TOPN_UPDATE --------------------------------------------------- */

static bool full(const struct topn_conf *conf, const struct topn_group *group)
{
	return (conf->ast.rank == RANK_DENSE ? group->heads.n : group->set.n) >= (uint64_t)group->to;
}

/* Can row r never be shown? A row that is equal to the last of a full list comes too late, unless equals share a rank or the later stands first. */
static bool hopeless(const struct topn_conf *conf, const struct topn_in *in, const struct topn_group *group, uint32_t r)
{
	if (conf->keeps_all || group->to < 1)
		return !conf->keeps_all;
	if (in->prefix[r] != group->worst)
		return in->prefix[r] > group->worst;
	if (!full(conf, group))
		return false;
	int order = topn_compare_in(conf, in, r, ordset_at(&group->set, group->set.n - 1)->row);
	return order > 0 || (order == 0 && conf->ast.rank == RANK_ROW && !conf->later_first);
}

static void evict_last(struct op *op, struct topn_group *group)
{
	struct topn *s = topn_state(op);
	struct ordset_item item = ordset_remove(&group->set, group->set.n - 1, op->mem);
	if (s->index)
		topn_index_remove(s->index, item.row, topn_index_hash(topn_conf(op), item.row, s->scratch));
	topn_bury(s, item.row);
}

/* How many rows at the end have a rank behind `to`. */
static uint64_t surplus(const struct topn_conf *conf, const struct topn_group *group)
{
	uint64_t n = group->set.n, to = (uint64_t)group->to;
	if (conf->ast.rank == RANK_ROW || n <= to)
		return n > to ? n - to : 0;
	struct topn_place place = { 0, 1 };
	return topn_rank_seek(conf, group, &place, group->to + 1) ? n - place.at : 0;
}

int topn_trim(struct op *op, struct topn_group *group)
{
	const struct topn_conf *conf = topn_conf(op);
	if (conf->keeps_all)
		return 0;
	uint64_t n = surplus(conf, group);
	if (n > 1 && topn_reserve(op, n))
		return -1;
	for (; n; n--)
		evict_last(op, group);
	while (group->heads.n > (uint64_t)group->to)
		ordset_remove(&group->heads, group->heads.n - 1, op->mem);
	bool last = group->set.n && full(conf, group); /* with an N of 0 an empty list is full */
	group->worst = last ? ordset_at(&group->set, group->set.n - 1)->prefix : UINT64_MAX;
	return 0;
}

/* Row r enters a bounded list. */
static int enter(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	struct topn *s = topn_state(op);
	struct topn_group *group = entry_state(entry);
	if (hopeless(topn_conf(op), in, group, r))
		return 0;
	if (topn_reserve(op, 1) || (bundling(op) && topn_touch(op, in, entry, r)))
		return -1;
	struct row *row = topn_store(op, in, r);
	if (!row)
		return -1;
	struct ordset_item item = topn_item(op, row, in->prefix[r]);
	uint64_t at;
	bool shifts;
	if (s->index && topn_index_add(s->index, &item, in->hash[r])) {
		row_free(row, op->mem);
		return err_memory(op->err);
	}
	if (came(op, group, &item, &at, &shifts)) {
		if (s->index)
			topn_index_remove(s->index, row, in->hash[r]);
		row_free(row, op->mem);
		return -1;
	}
	group->written = op_time(op);
	int status = send_came(op, group, &item, at, shifts);
	return topn_trim(op, group) ? -1 : status;
}

int topn_append_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	return enter(op, in, entry, r);
}

/* Row r is the new version of one that is held. With an unchanged sort key it keeps its place among its equals, unless the later stands first:
 * there it arrives anew, as a row does that fell out of the list and is back. */
static int replace(struct op *op, const struct topn_in *in, struct entry *entry, struct ordset_item *held, uint32_t r)
{
	struct topn *s = topn_state(op);
	const struct topn_conf *conf = topn_conf(op);
	struct topn_group *group = entry_state(entry);
	if (topn_reserve(op, 1) || (bundling(op) && topn_touch(op, in, entry, r)))
		return -1;
	struct row *row = topn_store(op, in, r);
	if (!row)
		return -1;
	struct ordset_item old = *held, new = topn_item(op, row, in->prefix[r]);
	if (!conf->later_first && old.prefix == new.prefix && topn_compare(conf, old.row, row) == 0)
		new.seq = old.seq;
	uint64_t from = ordset_rank(&group->set, &conf->order, &old), at;
	if (ordset_insert(&group->set, &conf->order, &new, op->mem, &at)) {
		row_free(row, op->mem);
		return err_memory(op->err);
	}
	uint64_t old_at = from + (at <= from);
	ordset_remove(&group->set, old_at, op->mem);
	at -= old_at < at;
	*held = new;
	group->written = op_time(op);
	topn_bury(s, old.row);
	int status = s->quiet ? 0 : topn_moved(op, group, from, old.row, at);
	return topn_trim(op, group) ? -1 : status;
}

int topn_update_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	struct topn *s = topn_state(op);
	struct ordset_item *held = topn_index_find(s->index, &in->ident, r, in->hash[r]);
	return held ? replace(op, in, entry, held, r) : enter(op, in, entry, r);
}

/* ---- TOPN_RETRACT ------------------------------------------------------------------------ */

static int add(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	struct topn *s = topn_state(op);
	struct topn_group *group = entry_state(entry);
	if (bundling(op) && topn_touch(op, in, entry, r))
		return -1;
	struct row *row = topn_store(op, in, r);
	if (!row)
		return -1;
	struct ordset_item item = topn_item(op, row, in->prefix[r]);
	uint64_t at;
	bool shifts;
	if (came(op, group, &item, &at, &shifts)) {
		row_free(row, op->mem);
		return -1;
	}
	if (topn_index_add(s->index, &item, in->hash[r])) {
		/* Taking out what has just come needs no memory: it is the head of its group only if it is alone there. */
		if (topn_conf(op)->ast.rank != RANK_ROW)
			(void)topn_rank_leaves(op, group, at, &shifts);
		ordset_remove(&group->set, at, op->mem);
		row_free(row, op->mem);
		return err_memory(op->err);
	}
	group->written = op_time(op);
	return send_came(op, group, &item, at, shifts);
}

static int take(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	struct topn *s = topn_state(op);
	const struct topn_conf *conf = topn_conf(op);
	struct topn_group *group = entry_state(entry);
	const struct ordset_item *held = topn_index_find(s->index, &in->ident, r, in->hash[r]);
	if (!held) {
		op->ignored++;
		return 0;
	}
	if (topn_reserve(op, 1) || (bundling(op) && topn_touch(op, in, entry, r)))
		return -1;
	struct ordset_item item = *held;
	uint64_t at = ordset_rank(&group->set, &conf->order, &item);
	bool shifts = false;
	if (conf->ast.rank != RANK_ROW && topn_rank_leaves(op, group, at, &shifts))
		return -1;
	ordset_remove(&group->set, at, op->mem);
	topn_index_remove(s->index, item.row, in->hash[r]);
	topn_bury(s, item.row);
	group->written = op_time(op);
	int status = 0;
	if (!s->quiet)
		status = conf->ast.rank == RANK_ROW ? topn_went(op, group, at, item.row) : topn_rank_send_went(op, group, &item, shifts);
	if (!group->set.n && !entry->mark) {
		ordset_clear(&group->set, op->mem);
		ordset_clear(&group->heads, op->mem);
		topn_remove(op, entry);
	}
	return status;
}

int topn_retract_row(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	return kind_adds(batch_kind(in->batch, r)) ? add(op, in, entry, r) : take(op, in, entry, r);
}
