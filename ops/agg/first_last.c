/* first(x), last(x): by arrival, NULL aside; over updating input of the rows still there. */
#include "ops/agg/roll.h"
#include "ops/agg/rows.h"

static int update(const struct agg *agg, const struct agg_rows *rows, bool last)
{
	const struct value *x = rows->arg[0];
	for (uint32_t i = 0; i < rows->n; i++) {
		int sign = agg_sign_of(agg, rows, i);
		if (!sign)
			continue;
		if (agg->retracts) {
			struct roll *roll = rows->acc[i];
			if (sign > 0 ? roll_add(roll, &x[i], agg->mem) : roll_remove(roll, &x[i], false, agg->mem))
				return -1;
			continue;
		}
		struct cell *kept = rows->acc[i];
		if ((last || cell_is_null(kept)) && cell_set(kept, &x[i], agg->mem))
			return -1;
	}
	return 0;
}

static int update_first(const struct agg *agg, const struct agg_rows *rows)
{
	return update(agg, rows, false);
}

static int update_last(const struct agg *agg, const struct agg_rows *rows)
{
	return update(agg, rows, true);
}

/* `from` holds the later rows. */
static int merge(const struct agg *agg, void *into, const void *from, bool last)
{
	if (agg->retracts)
		return roll_merge(into, from, agg->mem);
	struct cell *to = into;
	struct value v = cell_value(from);
	return v.type != V_NULL && (last || cell_is_null(to)) ? cell_set(to, &v, agg->mem) : 0;
}

static int merge_first(const struct agg *agg, void *into, const void *from)
{
	return merge(agg, into, from, false);
}

static int merge_last(const struct agg *agg, void *into, const void *from)
{
	return merge(agg, into, from, true);
}

static int value_first(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)mem;
	*out = agg->retracts ? roll_first(acc) : cell_value(acc);
	return 0;
}

static int value_last(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)mem;
	*out = agg->retracts ? roll_last(acc) : cell_value(acc);
	return 0;
}

static void drop(const struct agg *agg, void *acc)
{
	if (agg->retracts)
		roll_drop(acc, agg->mem);
	else
		cell_drop(acc, agg->mem);
}

static void save(const struct agg *agg, const void *acc, struct snap_out *out)
{
	if (agg->retracts)
		roll_save(acc, out);
	else
		cell_save(acc, out);
}

static int load(const struct agg *agg, void *acc, struct snap_in *in)
{
	return agg->retracts ? roll_load(acc, in, agg->mem) : cell_load(acc, in, agg->mem);
}

#define END(word, text)                                      \
	const struct agg_type word##_agg = {                 \
		.name = #word,                               \
		.args = "(x)",                               \
		.help = text,                                \
		.can = A_HEAP | A_ORDERED | A_KEEPS_BACK,    \
		.min_arg = 1,                                \
		.max_arg = 1,                                \
		.size = sizeof(struct roll),                 \
		.plan = agg_plan_pass,                       \
		.update = update_##word,                     \
		.merge = merge_##word,                       \
		.value = value_##word,                       \
		.drop = drop,                                \
		.save = save,                                \
		.load = load,                                \
		.passes = true,                              \
	}

END(first, "the first value by arrival");
END(last, "the last value by arrival");
