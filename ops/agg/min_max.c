/* min(x), max(x) in the total order; of equal numbers the text that is least (max: greatest) by bytes.
 *
 * Over insert-only input, and where the argument only moves the right way, the extreme alone is kept and retractions are ignored; else all values. */
#include "ops/agg/multiset.h"
#include "ops/agg/rows.h"
#include "ops/state/snapshot.h"

/* Of an accumulator that takes nothing back. */
struct extreme {
	uint64_t prefix; /* value_prefix of v */
	struct cell v;
};
_Static_assert(sizeof(struct extreme) == sizeof(struct multiset), "one size for both");

static int plan_min(struct agg *agg, struct arena *mem, struct err *err)
{
	agg->trend = TREND_FALLS_NULL;
	return agg_plan_pass(agg, mem, err);
}

static int plan_max(struct agg *agg, struct arena *mem, struct err *err)
{
	agg->trend = TREND_RISES;
	return agg_plan_pass(agg, mem, err);
}

/* Keeps the better of what is there and v; sign: 1 for max, -1 for min. */
static int improve(struct extreme *e, const struct value *v, int sign, struct mem *mem)
{
	uint64_t prefix = value_prefix(v);
	if (!cell_is_null(&e->v)) {
		if (prefix != e->prefix) {
			if ((prefix > e->prefix) != (sign > 0))
				return 0;
		} else {
			struct value have = cell_value(&e->v);
			if (cell_order(v, &have) * sign <= 0)
				return 0;
		}
	}
	if (cell_set(&e->v, v, mem))
		return -1;
	e->prefix = prefix;
	return 0;
}

static int update(const struct agg *agg, const struct agg_rows *rows, int way)
{
	const struct value *x = rows->arg[0];
	for (uint32_t i = 0; i < rows->n; i++) {
		int sign = agg_sign_of(agg, rows, i);
		if (!sign)
			continue;
		if (agg->retracts) {
			if (ms_add(rows->acc[i], &x[i], sign, agg->mem))
				return -1;
		} else if (sign > 0 && improve(rows->acc[i], &x[i], way, agg->mem)) {
			return -1;
		}
	}
	return 0;
}

static int update_min(const struct agg *agg, const struct agg_rows *rows)
{
	return update(agg, rows, -1);
}

static int update_max(const struct agg *agg, const struct agg_rows *rows)
{
	return update(agg, rows, 1);
}

static int merge(const struct agg *agg, void *into, const void *from, int way)
{
	if (agg->retracts)
		return ms_merge(into, from, 1, agg->mem);
	const struct extreme *e = from;
	struct value v = cell_value(&e->v);
	return v.type == V_NULL ? 0 : improve(into, &v, way, agg->mem);
}

static int merge_min(const struct agg *agg, void *into, const void *from)
{
	return merge(agg, into, from, -1);
}

static int merge_max(const struct agg *agg, void *into, const void *from)
{
	return merge(agg, into, from, 1);
}

static int value_min(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)mem;
	*out = agg->retracts ? ms_least(acc) : cell_value(&((const struct extreme *)acc)->v);
	return 0;
}

static int value_max(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)mem;
	*out = agg->retracts ? ms_most(acc) : cell_value(&((const struct extreme *)acc)->v);
	return 0;
}

static void drop(const struct agg *agg, void *acc)
{
	if (agg->retracts) {
		ms_drop(acc, agg->mem);
		return;
	}
	struct extreme *e = acc;
	cell_drop(&e->v, agg->mem);
	e->prefix = 0;
}

static void save(const struct agg *agg, const void *acc, struct snap_out *out)
{
	if (agg->retracts)
		ms_save(acc, out);
	else
		cell_save(&((const struct extreme *)acc)->v, out);
}

static int load(const struct agg *agg, void *acc, struct snap_in *in)
{
	if (agg->retracts)
		return ms_load(acc, in, agg->mem);
	struct extreme *e = acc;
	if (cell_load(&e->v, in, agg->mem))
		return -1;
	struct value v = cell_value(&e->v);
	e->prefix = value_prefix(&v);
	return 0;
}

#define EXTREME(word, trend, text)                                \
	const struct agg_type word##_agg = {                 \
		.name = #word,                               \
		.args = "(x)",                               \
		.help = text,                                \
		.can = A_HEAP | A_SET | A_KEEPS_BACK,        \
		.min_arg = 1,                                \
		.max_arg = 1,                                \
		.size = sizeof(struct extreme),              \
		.plan = plan_##word,                         \
		.update = update_##word,                     \
		.merge = merge_##word,                       \
		.value = value_##word,                       \
		.drop = drop,                                \
		.save = save,                                \
		.load = load,                                \
		.passes = true,                              \
		.absorbs = trend,                            \
	}

EXTREME(min, TREND_FALLS, "the least value: numbers before texts, as read");
EXTREME(max, TREND_RISES, "the greatest: a text beats every number, max(number(x)) skips it");
