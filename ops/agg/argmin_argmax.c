/* argmin(x, y), argmax(x, y): x of the row whose y is least, greatest; the earliest of equals. A row whose x or y is NULL does not count. */
#include "ops/agg/pairs.h"
#include "ops/agg/rows.h"
#include "ops/state/snapshot.h"

/* Of an accumulator that takes nothing back. */
struct best {
	uint64_t prefix; /* value_prefix of y */
	struct cell y, x;
};

/* Replaces both cells, or none if memory is refused. */
static int best_set(struct best *best, const struct value *x, const struct value *y, struct mem *mem)
{
	struct cell next = { 0 };
	if (cell_set(&next, x, mem))
		return -1;
	if (cell_set(&best->y, y, mem)) {
		cell_drop(&next, mem);
		return -1;
	}
	cell_drop(&best->x, mem);
	best->x = next;
	best->prefix = value_prefix(y);
	return 0;
}

static int best_add(struct best *best, const struct value *x, const struct value *y, int way, struct mem *mem)
{
	if (cell_is_null(&best->x))
		return best_set(best, x, y, mem);
	uint64_t prefix = value_prefix(y);
	if (prefix != best->prefix)
		return (prefix > best->prefix) == (way > 0) ? best_set(best, x, y, mem) : 0;
	struct value have = cell_value(&best->y);
	return value_order(y, &have) * way > 0 ? best_set(best, x, y, mem) : 0;
}

static int put(const struct agg *agg, void *acc, const struct value *x, const struct value *y, int sign, int way)
{
	if (!agg->retracts)
		return best_add(acc, x, y, way, agg->mem);
	return sign > 0 ? pairs_add(acc, x, y, way, agg->mem) : pairs_remove(acc, x, y, way, agg->mem);
}

static int update(const struct agg *agg, const struct agg_rows *rows, int way)
{
	for (uint32_t i = 0; i < rows->n; i++) {
		int sign = agg_sign_of(agg, rows, i);
		const struct value *x = &rows->arg[0][i], *y = &rows->arg[1][i];
		if (sign && y->type != V_NULL && put(agg, rows->acc[i], x, y, sign, way))
			return -1;
	}
	return 0;
}

static int update_argmin(const struct agg *agg, const struct agg_rows *rows)
{
	return update(agg, rows, -1);
}

static int update_argmax(const struct agg *agg, const struct agg_rows *rows)
{
	return update(agg, rows, 1);
}

static int merge(const struct agg *agg, void *into, const void *from, int way)
{
	if (agg->retracts)
		return pairs_merge(into, from, way, agg->mem);
	const struct best *best = from;
	struct value x = cell_value(&best->x), y = cell_value(&best->y);
	return x.type == V_NULL ? 0 : best_add(into, &x, &y, way, agg->mem);
}

static int merge_argmin(const struct agg *agg, void *into, const void *from)
{
	return merge(agg, into, from, -1);
}

static int merge_argmax(const struct agg *agg, void *into, const void *from)
{
	return merge(agg, into, from, 1);
}

static int value(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)mem;
	*out = agg->retracts ? pairs_best(acc) : cell_value(&((const struct best *)acc)->x);
	return 0;
}

static void drop(const struct agg *agg, void *acc)
{
	if (agg->retracts) {
		pairs_drop(acc, agg->mem);
		return;
	}
	struct best *best = acc;
	cell_drop(&best->x, agg->mem);
	cell_drop(&best->y, agg->mem);
	best->prefix = 0;
}

static void save(const struct agg *agg, const void *acc, struct snap_out *out)
{
	if (agg->retracts) {
		pairs_save(acc, out);
		return;
	}
	const struct best *best = acc;
	cell_save(&best->x, out);
	cell_save(&best->y, out);
}

static int load(const struct agg *agg, void *acc, struct snap_in *in, int way)
{
	if (agg->retracts)
		return pairs_load(acc, way, in, agg->mem);
	struct best *best = acc;
	if (cell_load(&best->x, in, agg->mem) || cell_load(&best->y, in, agg->mem))
		return -1;
	struct value y = cell_value(&best->y);
	best->prefix = value_prefix(&y);
	return 0;
}

static int load_argmin(const struct agg *agg, void *acc, struct snap_in *in)
{
	return load(agg, acc, in, -1);
}

static int load_argmax(const struct agg *agg, void *acc, struct snap_in *in)
{
	return load(agg, acc, in, 1);
}

#define BEST(word, text)                                     \
	const struct agg_type word##_agg = {                 \
		.name = #word,                               \
		.args = "(x, y)",                            \
		.help = text,                                \
		.can = A_HEAP | A_SET | A_ORDERED | A_KEEPS_BACK, \
		.min_arg = 2,                                \
		.max_arg = 2,                                \
		.size = sizeof(struct pairs),                \
		.plan = agg_plan_pass,                       \
		.update = update_##word,                     \
		.merge = merge_##word,                       \
		.value = value,                              \
		.drop = drop,                                \
		.save = save,                                \
		.load = load_##word,                         \
		.passes = true,                              \
	}

BEST(argmin, "x of the row whose y is least, the earliest of equals");
BEST(argmax, "x of the row whose y is greatest, the earliest of equals");
