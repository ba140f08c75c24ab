/* sum(x): exact at any size; NULL of nothing. */
#include "ops/agg/rows.h"
#include "ops/agg/total.h"

static int plan(struct agg *agg, struct arena *mem, struct err *err)
{
	return agg_plan_number(agg, mem, true, err);
}

static inline int value_of(const struct total *total, struct value *out, struct arena *mem)
{
	const struct sum *sum = &total->sum;
	*out = value_null();
	if (!total->n)
		return 0;
	if (sum->is_wide || (sum->scale && sum->u.mantissa % 10 == 0))
		return sum_value(sum, out, mem);
	*out = (struct value){ .type = V_DEC, .scale = sum->scale, .u.i = sum->u.mantissa }; /* canonical as it is */
	return 0;
}

static int value(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)agg;
	return value_of(acc, out, mem);
}

static int values(const struct agg *agg, void *const *acc, uint32_t n, struct value *out, struct arena *mem)
{
	(void)agg;
	for (uint32_t i = 0; i < n; i++)
		if (value_of(acc[i], &out[i], mem))
			return -1;
	return 0;
}

const struct agg_type sum_agg = {
	.name = "sum",
	.args = "(x)",
	.help = "the sum, exact at any size",
	.can = A_HEAP,
	.min_arg = 1,
	.max_arg = 1,
	.size = sizeof(struct total),
	.plan = plan,
	.update = total_update,
	.step = total_step,
	.merge = total_merge,
	.unmerge = total_unmerge,
	.value = value,
	.values = values,
	.drop = total_drop,
	.save = total_save,
	.load = total_load,
};
