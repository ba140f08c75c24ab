/* sum(x): exact at any size; NULL of nothing. */
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
	if (!total->n)
		return 0;
	if (!total->sum.is_wide && !total->sum.scale) {
		*out = value_int(total->sum.u.mantissa);
		return 0;
	}
	return sum_value(&total->sum, out, mem);
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
	.drop = total_drop,
	.save = total_save,
	.load = total_load,
};
