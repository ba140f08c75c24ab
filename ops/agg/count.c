/* count, count(x): rows, or those whose x is not NULL. */
#include "ops/agg/rows.h"
#include "ops/state/snapshot.h"

static int plan(struct agg *agg, struct arena *mem, struct err *err)
{
	(void)mem;
	(void)err;
	agg->result = T_NUMBER;
	agg->trend = TREND_RISES;
	return 0;
}

static bool counts(const struct agg_rows *rows, uint32_t i)
{
	return !rows->arg || rows->arg[0][i].type != V_NULL;
}

static int update(const struct agg *agg, const struct agg_rows *rows)
{
	if (!rows->act && !agg->narg) {
		void *const *acc = rows->acc;
		for (uint32_t i = 0, n = rows->n; i < n; i++)
			++*(int64_t *)acc[i];
		return 0;
	}
	for (uint32_t i = 0; i < rows->n; i++) {
		int sign = agg_sign(agg, rows, i);
		if (sign && counts(rows, i))
			*(int64_t *)rows->acc[i] += sign;
	}
	return 0;
}

static int step(const struct agg *agg, const struct agg_rows *rows, struct value *before, struct value *after)
{
	for (uint32_t i = 0; i < rows->n; i++) {
		int64_t *n = rows->acc[i];
		if (!n) {
			before[i] = after[i] = value_null();
			continue;
		}
		before[i] = value_int(*n);
		int sign = agg_sign(agg, rows, i);
		if (sign && counts(rows, i))
			*n += sign;
		after[i] = value_int(*n);
	}
	return 0;
}

static int merge(const struct agg *agg, void *into, const void *from)
{
	(void)agg;
	*(int64_t *)into += *(const int64_t *)from;
	return 0;
}

static int unmerge(const struct agg *agg, void *from, const void *part)
{
	(void)agg;
	*(int64_t *)from -= *(const int64_t *)part;
	return 0;
}

static int value(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)agg;
	(void)mem;
	*out = value_int(*(const int64_t *)acc);
	return 0;
}

static int values(const struct agg *agg, void *const *acc, uint32_t n, struct value *out, struct arena *mem)
{
	(void)agg;
	(void)mem;
	for (uint32_t i = 0; i < n; i++)
		out[i] = value_int(*(const int64_t *)acc[i]);
	return 0;
}

static void save(const struct agg *agg, const void *acc, struct snap_out *out)
{
	(void)agg;
	snap_put_i64(out, *(const int64_t *)acc);
}

static int load(const struct agg *agg, void *acc, struct snap_in *in)
{
	(void)agg;
	*(int64_t *)acc = snap_i64(in);
	return 0;
}

const struct agg_type count_agg = {
	.name = "count",
	.args = "[(x)]",
	.help = "rows; with x: those whose x is not NULL",
	.max_arg = 1,
	.size = sizeof(int64_t),
	.plan = plan,
	.update = update,
	.step = step,
	.merge = merge,
	.unmerge = unmerge,
	.value = value,
	.values = values,
	.save = save,
	.load = load,
};
