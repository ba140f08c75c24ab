#include <string.h>

#include "ops/agg/valmap.h"
#include "ops/reduce.h"

/* One row on its way through the map of a list. */
struct turn {
	const struct reduce_distinct *list;
	uint8_t *const *act; /* by place, then by row */
	uint32_t row;
	int64_t *word;
};

static void skip(const struct turn *turn, uint32_t place)
{
	turn->act[place][turn->row] |= ACT_SKIP;
}

static bool takes_part(const struct turn *turn, uint32_t place)
{
	return !(turn->act[place][turn->row] & ACT_SKIP);
}

/* Insert-only input: a value counts for an aggregate the first time it passes its filter. */
static void set_bits(const struct turn *turn)
{
	for (uint32_t p = 0; p < turn->list->n; p++) {
		uint64_t bit = UINT64_C(1) << p % 64, have = (uint64_t)turn->word[p / 64];
		if (takes_part(turn, p) && have & bit)
			skip(turn, p);
		else if (takes_part(turn, p))
			turn->word[p / 64] = (int64_t)(have | bit);
	}
}

/* Updating input: it counts on the step from 0 to 1 and no more from 1 to 0; below 0 it waits for what was taken back too early. */
static void count(const struct turn *turn)
{
	for (uint32_t p = 0; p < turn->list->n; p++) {
		if (!takes_part(turn, p))
			continue;
		bool adds = !(turn->act[p][turn->row] & ACT_SUB);
		turn->word[p] += adds ? 1 : -1;
		if (turn->word[p] != (adds ? 1 : 0))
			skip(turn, p);
	}
}

static bool all_zero(const int64_t *word, unsigned n)
{
	while (n && !word[n - 1])
		n--;
	return !n;
}

/* The arguments of a row as one value: the only one itself, or the bytes of all, each with its length (all ones: NULL) in front. */
static int glue(struct value *const *arg, uint32_t narg, uint32_t row, struct arena *mem, struct value *out)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p;
	*out = arg[0][row];
	if (narg == 1)
		return 0;
	uint64_t size = 0;
	for (uint32_t k = 0; k < narg; k++)
		size += sizeof(uint32_t) + value_print(&arg[k][row], scratch, &p);
	char *bytes = size < UINT32_MAX ? arena_alloc(mem, size) : NULL, *at = bytes;
	if (!bytes)
		return -1;
	for (uint32_t k = 0; k < narg; k++) {
		uint32_t len = value_print(&arg[k][row], scratch, &p), head = arg[k][row].type == V_NULL ? UINT32_MAX : len;
		memcpy(at, &head, sizeof head);
		if (len)
			memcpy(at + sizeof head, p, len);
		at += sizeof head + len;
	}
	*out = value_text(bytes, (uint32_t)size);
	return 0;
}

static int one_row(const struct op *op, struct turn *turn, struct valmap *map, struct value *const *arg, struct arena *mem)
{
	const struct reduce_distinct *list = turn->list;
	bool wanted = false;
	for (uint32_t p = 0; p < list->n && !wanted; p++)
		wanted = takes_part(turn, p);
	struct value key;
	if (!wanted)
		return 0;
	if (glue(arg, list->narg, turn->row, mem, &key))
		return -1;
	turn->word = valmap_put(map, &key, list->words, op->mem);
	if (!turn->word)
		return -1;
	if (!((const struct reduce_conf *)op->conf)->retracts) {
		set_bits(turn);
		return 0;
	}
	count(turn);
	if (all_zero(turn->word, list->words))
		valmap_remove(map, turn->word, list->words, op->mem);
	return 0;
}

int reduce_distinct_rows(const struct op *op, const struct reduce_distinct *list, const struct reduce_rows *rows, uint8_t *const *act)
{
	struct arena *mem = rows->in->mem;
	struct value **arg = arena_alloc(mem, list->narg * sizeof *arg);
	if (!arg)
		return -1;
	for (uint32_t k = 0; k < list->narg; k++)
		if (expr_eval(list->arg[k], rows->in, &arg[k]))
			return -1;
	struct turn turn = { .list = list, .act = act };
	for (uint32_t i = 0; i < rows->n; i++) {
		if (!rows->keys.entry[i])
			continue;
		struct valmap *map = (struct valmap *)(void *)((char *)entry_state(rows->keys.entry[i]) + list->at);
		turn.row = i;
		if (rows->act && rows->act[i] & ACT_LAST)
			valmap_drop(map, list->words, op->mem);
		else if (one_row(op, &turn, map, arg, mem))
			return -1;
	}
	return 0;
}
