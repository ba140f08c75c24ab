/* avg(x): the exact sum divided once, with max(6, decimals of the sum) decimals. */
#include "ops/agg/rows.h"
#include "ops/agg/total.h"

static int plan(struct agg *agg, struct arena *mem, struct err *err)
{
	return agg_plan_number(agg, mem, true, err);
}

static int value(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)agg;
	const struct total *total = acc;
	*out = value_null();
	return total->n > 0 ? sum_avg(&total->sum, total->n, out, mem) : 0;
}

const struct agg_type avg_agg = {
	.name = "avg",
	.args = "(x)",
	.help = "the mean, rounded to six decimals or those of the sum",
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
	.drop = total_drop,
	.save = total_save,
	.load = total_load,
};
