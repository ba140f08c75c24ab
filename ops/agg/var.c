/* var, stddev and their _pop variants, of the exact sums of the numbers and of their squares. */
#include "ops/agg/rows.h"
#include "ops/agg/total.h"
#include "ops/state/snapshot.h"

struct moments {
	struct sum sum, squares;
	int64_t n;
};

static int plan(struct agg *agg, struct arena *mem, struct err *err)
{
	return agg_plan_number(agg, mem, false, err);
}

static int put(struct moments *m, const struct value *x, int sign, struct mem *mem)
{
	if (sum_add(&m->sum, x, sign, mem))
		return -1;
	if (sum_add_square(&m->squares, x, sign, mem)) {
		(void)!sum_add(&m->sum, x, -sign, mem); /* what was just put in needs no room to go */
		return -1;
	}
	m->n += sign;
	return 0;
}

static int update(const struct agg *agg, const struct agg_rows *rows)
{
	for (uint32_t i = 0; i < rows->n; i++) {
		int sign = agg_sign_of(agg, rows, i);
		if (sign && put(rows->acc[i], &rows->arg[0][i], sign, agg->mem))
			return -1;
	}
	return 0;
}

static int join(const struct agg *agg, struct moments *to, const struct moments *part, int sign)
{
	if (sum_merge(&to->sum, &part->sum, sign, agg->mem) || sum_merge(&to->squares, &part->squares, sign, agg->mem))
		return -1;
	to->n += sign * part->n;
	return 0;
}

static int merge(const struct agg *agg, void *into, const void *from)
{
	return join(agg, into, from, 1);
}

static int unmerge(const struct agg *agg, void *from, const void *part)
{
	return join(agg, from, part, -1);
}

static int compute(const void *acc, int ddof, bool root, struct value *out)
{
	const struct moments *m = acc;
	*out = value_null();
	return m->n > 0 ? sum_var(&m->sum, &m->squares, m->n, ddof, root, out) : 0;
}

static int value_var(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)agg;
	(void)mem;
	return compute(acc, 1, false, out);
}

static int value_var_pop(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)agg;
	(void)mem;
	return compute(acc, 0, false, out);
}

static int value_stddev(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)agg;
	(void)mem;
	return compute(acc, 1, true, out);
}

static int value_stddev_pop(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)agg;
	(void)mem;
	return compute(acc, 0, true, out);
}

static void drop(const struct agg *agg, void *acc)
{
	struct moments *m = acc;
	sum_drop(&m->sum, agg->mem);
	sum_drop(&m->squares, agg->mem);
	*m = (struct moments){ 0 };
}

static void save(const struct agg *agg, const void *acc, struct snap_out *out)
{
	(void)agg;
	const struct moments *m = acc;
	total_save_sum(&m->sum, out);
	total_save_sum(&m->squares, out);
	snap_put_i64(out, m->n);
}

static int load(const struct agg *agg, void *acc, struct snap_in *in)
{
	struct moments *m = acc;
	if (total_load_sum(&m->sum, in, agg->mem) || total_load_sum(&m->squares, in, agg->mem))
		return -1;
	m->n = snap_i64(in);
	return 0;
}

#define MOMENTS(word, text)                                  \
	const struct agg_type word##_agg = {                 \
		.name = #word,                               \
		.args = "(x)",                               \
		.help = text,                                \
		.can = A_HEAP,                               \
		.min_arg = 1,                                \
		.max_arg = 1,                                \
		.size = sizeof(struct moments),              \
		.plan = plan,                                \
		.update = update,                            \
		.merge = merge,                              \
		.unmerge = unmerge,                          \
		.value = value_##word,                       \
		.drop = drop,                                \
		.save = save,                                \
		.load = load,                                \
	}

MOMENTS(var, "variance of a sample, rounded once; NULL of one value");
MOMENTS(var_pop, "variance of the whole population");
MOMENTS(stddev, "standard deviation of a sample; NULL of one value");
MOMENTS(stddev_pop, "standard deviation of the whole population");
