#include "ops/accs_distinct.h"

#include "core/number.h"

/* ---- values to look up ---- */

/* Several arguments: their bytes as those of a key of several columns. */
static struct value *glued(const struct key *arg, const struct batch *in)
{
	const char **bytes = arena_alloc(in->mem, in->n * sizeof *bytes);
	uint32_t *len = arena_alloc(in->mem, in->n * sizeof *len);
	uint64_t *hash = arena_alloc(in->mem, in->n * sizeof *hash);
	struct value *v = arena_alloc(in->mem, in->n * sizeof *v);
	if (!bytes || !len || !hash || !v || key_rows(arg, in, 0, bytes, len, hash))
		return NULL;
	for (uint32_t i = 0; i < in->n; i++)
		v[i] = value_text(bytes[i], len[i]);
	return v;
}

struct value *accs_distinct_keys(const struct accs_distinct *list, const struct batch *in)
{
	struct value *v;
	if (list->arg.n > 1)
		return glued(&list->arg, in);
	return expr_eval(list->arg.expr[0], in, &v) ? NULL : v;
}

/* And back: the arguments of an aggregate, converted as its plan has it. A text that is read as a number was seen to be one, or is NULL. */
static void arguments(const struct accs_distinct *list, const struct agg *agg, const struct value *key, struct value arg[AGG_ARGS_MAX])
{
	if (list->arg.n > 1)
		key_values(&list->arg, key->u.p, key->len, false, arg);
	else
		arg[0] = *key;
	for (uint32_t k = 0; k < agg->narg; k++) {
		enum type type = expr_type(agg->arg[k]);
		if ((type == T_NUMBER || type == T_DURATION) && !number_of(&arg[k], &arg[k]))
			arg[k] = value_null();
	}
}

/* ---- rows ---- */

/* One row on its way through the map of a list. */
struct turn {
	const struct accs_distinct *list;
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

/* Sets a bit of the words of a value; false: it was set. */
static bool set_bit(int64_t *word, uint32_t place)
{
	uint64_t bit = UINT64_C(1) << place % 64, have = (uint64_t)word[place / 64];
	word[place / 64] = (int64_t)(have | bit);
	return !(have & bit);
}

static bool has_bit(const int64_t *word, uint32_t place)
{
	return (uint64_t)word[place / 64] >> place % 64 & 1;
}

/* Insert-only input: a value counts for an aggregate the first time it passes its filter. */
static void set_bits(const struct turn *turn)
{
	for (uint32_t p = 0; p < turn->list->n; p++)
		if (takes_part(turn, p) && !set_bit(turn->word, p))
			skip(turn, p);
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

static int one_row(const struct accs *accs, struct turn *turn, struct valmap *map, const struct value *key)
{
	const struct accs_distinct *list = turn->list;
	bool wanted = false;
	for (uint32_t p = 0; p < list->n && !wanted; p++)
		wanted = takes_part(turn, p);
	if (!wanted)
		return 0;
	turn->word = valmap_put(map, key, list->words, accs->mem);
	if (!turn->word)
		return -1;
	if (!accs->retracts) {
		set_bits(turn);
		return 0;
	}
	count(turn);
	if (all_zero(turn->word, list->words))
		valmap_remove(map, turn->word, list->words, accs->mem);
	return 0;
}

int accs_distinct_rows(const struct accs *accs, const struct accs_distinct *list, const struct distinct_rows *rows)
{
	struct turn turn = { .list = list, .act = rows->own };
	for (uint32_t i = 0; i < rows->n; i++) {
		if (!rows->block[i])
			continue;
		struct valmap *map = accs_map(list, rows->block[i]);
		turn.row = i;
		if (rows->act && rows->act[i] & ACT_LAST)
			valmap_drop(map, list->words, accs->mem);
		else if (one_row(accs, &turn, map, &rows->key[i]))
			return -1;
	}
	return 0;
}

/* ---- merging ---- */

/* Feeds an aggregate of the list with one value, or takes it back. */
static int feed(const struct accs_distinct *list, const struct accs_agg *a, void *into, const struct value *key, uint8_t act)
{
	struct value arg[AGG_ARGS_MAX];
	const struct value *at[AGG_ARGS_MAX];
	void *acc = (char *)into + a->at;
	arguments(list, &a->agg, key, arg);
	for (uint32_t k = 0; k < a->agg.narg; k++)
		at[k] = &arg[k];
	struct agg_rows rows = { .n = 1, .acc = &acc, .act = &act, .arg = at };
	return a->agg.type->update(&a->agg, &rows);
}

/* What the words of a value in `from` mean to an aggregate whose words are `to`: whether it has to be fed (1), to take back (-1), or neither. */
static int merge_place(bool retracts, int64_t *to, const int64_t *part, uint32_t place)
{
	if (!retracts)
		return has_bit(part, place) && set_bit(to, place);
	bool had = to[place] > 0;
	to[place] += part[place];
	return (to[place] > 0) - had;
}

int accs_distinct_merge(const struct accs *accs, uint32_t d, void *into, const void *from)
{
	const struct accs_distinct *list = &accs->distinct[d];
	struct valmap *map = accs_map(list, into);
	const struct valmap *other = accs_map(list, from);
	struct value key;
	const int64_t *part;
	for (uint32_t i = 0; (part = valmap_next(other, &i, list->words, &key));) {
		int64_t *to = valmap_put(map, &key, list->words, accs->mem);
		if (!to)
			return -1;
		for (uint32_t k = 0; k < accs->nagg; k++) {
			const struct accs_agg *a = &accs->agg[k];
			int sign = a->distinct == (int32_t)d ? merge_place(accs->retracts, to, part, a->place) : 0;
			if (sign && feed(list, a, into, &key, sign > 0 ? ACT_ADD : ACT_SUB))
				return -1;
		}
		if (accs->retracts && all_zero(to, list->words))
			valmap_remove(map, to, list->words, accs->mem);
	}
	return 0;
}
