#include "ops/agg/roll.h"

#include <string.h>

#include "ops/state/snapshot.h"

/* The words of a value in the index. */
enum { HEAD, TAIL, WORDS };
/* HEAD: its first item, + 1, and TAIL its last one; or HEAD 0, and TAIL its debt. */

static bool alive(const struct roll_item *item)
{
	return !cell_is_null(&item->v);
}

/* Puts item i at the end of the chain of its value. */
static void link_item(struct roll *roll, int64_t *at, uint32_t i)
{
	roll->item[i].next = 0;
	if (at[HEAD])
		roll->item[at[TAIL] - 1].next = i + 1;
	else
		at[HEAD] = i + 1;
	at[TAIL] = i + 1;
}

/* Slides live items together. Chains keep their order; the index has every value already, so nothing can fail. */
static void compact(struct roll *roll)
{
	uint32_t n = 0;
	struct value v;
	int64_t *at;
	for (uint32_t i = 0; (at = valmap_next(&roll->index, &i, WORDS, &v));)
		if (at[HEAD])
			at[HEAD] = at[TAIL] = 0;
	for (uint32_t i = roll->start; i < roll->n; i++)
		if (alive(&roll->item[i]))
			roll->item[n++] = roll->item[i];
	for (uint32_t i = 0; i < n; i++) {
		v = cell_value(&roll->item[i].v);
		link_item(roll, valmap_get(&roll->index, &v, WORDS), i);
	}
	roll->start = 0;
	roll->n = n;
}

static int room(struct roll *roll, struct mem *mem)
{
	if (roll->n < roll->cap)
		return 0;
	if (roll->live < roll->cap / 2) {
		compact(roll);
		return 0;
	}
	uint32_t cap = roll->cap ? 2 * roll->cap : 1;
	struct roll_item *item = mem_resize(mem, roll->item, roll->cap * sizeof *item, cap * sizeof *item);
	if (!item)
		return -1;
	roll->item = item;
	roll->cap = cap;
	return 0;
}

/* One step nearer to no debt; the value is forgotten at none. */
static void pay(struct roll *roll, int64_t *at, struct mem *mem)
{
	if (--at[TAIL] == 0)
		valmap_remove(&roll->index, at, WORDS, mem);
}

int roll_add(struct roll *roll, const struct value *v, struct mem *mem)
{
	int64_t *at = valmap_get(&roll->index, v, WORDS);
	if (at && !at[HEAD]) {
		pay(roll, at, mem);
		return 0;
	}
	struct roll_item item = { 0 };
	if (room(roll, mem) || cell_set(&item.v, v, mem))
		return -1;
	at = valmap_put(&roll->index, v, WORDS, mem);
	if (!at) {
		cell_drop(&item.v, mem);
		return -1;
	}
	roll->item[roll->n] = item;
	link_item(roll, at, roll->n++);
	roll->live++;
	return 0;
}

static void trim(struct roll *roll, struct mem *mem)
{
	while (roll->start < roll->n && !alive(&roll->item[roll->start]))
		roll->start++;
	while (roll->n > roll->start && !alive(&roll->item[roll->n - 1]))
		roll->n--;
	if (roll->live)
		return;
	mem_free(mem, roll->item, roll->cap * sizeof *roll->item);
	*roll = (struct roll){ .index = roll->index };
}

int roll_remove(struct roll *roll, const struct value *v, bool debts, struct mem *mem)
{
	int64_t *at = debts ? valmap_put(&roll->index, v, WORDS, mem) : valmap_get(&roll->index, v, WORDS);
	if (!at)
		return debts ? -1 : 0;
	if (!at[HEAD]) {
		at[TAIL]++;
		return 0;
	}
	struct roll_item *item = &roll->item[at[HEAD] - 1];
	at[HEAD] = item->next;
	if (!at[HEAD])
		valmap_remove(&roll->index, at, WORDS, mem);
	cell_drop(&item->v, mem);
	roll->live--;
	trim(roll, mem);
	return 0;
}

struct value roll_first(const struct roll *roll)
{
	return roll->live ? cell_value(&roll->item[roll->start].v) : value_null();
}

struct value roll_last(const struct roll *roll)
{
	return roll->live ? cell_value(&roll->item[roll->n - 1].v) : value_null();
}

void roll_drop(struct roll *roll, struct mem *mem)
{
	for (uint32_t i = roll->start; i < roll->n; i++)
		cell_drop(&roll->item[i].v, mem);
	mem_free(mem, roll->item, roll->cap * sizeof *roll->item);
	valmap_drop(&roll->index, WORDS, mem);
	*roll = (struct roll){ 0 };
}

int roll_merge(struct roll *roll, const struct roll *from, struct mem *mem)
{
	for (uint32_t i = from->start; i < from->n; i++) {
		struct value v = cell_value(&from->item[i].v);
		if (v.type != V_NULL && roll_add(roll, &v, mem))
			return -1;
	}
	struct value debt;
	const int64_t *at;
	for (uint32_t i = 0; (at = valmap_next(&from->index, &i, WORDS, &debt));)
		for (int64_t k = at[HEAD] ? 0 : at[TAIL]; k > 0; k--)
			if (roll_remove(roll, &debt, true, mem))
				return -1;
	return 0;
}

/* The live values, then the debts. */
void roll_save(const struct roll *roll, struct snap_out *out)
{
	snap_put_u64(out, roll->live);
	for (uint32_t i = roll->start; i < roll->n; i++)
		if (alive(&roll->item[i]))
			cell_save(&roll->item[i].v, out);
	uint64_t debts = 0;
	struct value v;
	const int64_t *at;
	for (uint32_t i = 0; (at = valmap_next(&roll->index, &i, WORDS, &v));)
		debts += !at[HEAD];
	snap_put_u64(out, debts);
	for (uint32_t i = 0; (at = valmap_next(&roll->index, &i, WORDS, &v));) {
		if (at[HEAD])
			continue;
		snap_put_value(out, &v);
		snap_put_i64(out, at[TAIL]);
	}
}

int roll_load(struct roll *roll, struct snap_in *in, struct mem *mem)
{
	struct value v;
	for (uint64_t n = snap_count(in); n && !in->bad; n--) {
		snap_value(in, &v);
		if (v.type == V_ROW || v.type == V_NULL)
			in->bad = true;
		if (!in->bad && roll_add(roll, &v, mem))
			return -1;
	}
	for (uint64_t n = snap_count(in); n && !in->bad; n--) {
		snap_value(in, &v);
		int64_t debt = snap_i64(in);
		if (v.type == V_ROW || debt <= 0 || valmap_get(&roll->index, &v, WORDS))
			in->bad = true;
		if (in->bad)
			break;
		int64_t *at = valmap_put(&roll->index, &v, WORDS, mem);
		if (!at)
			return -1;
		at[TAIL] = debt;
	}
	return 0;
}
