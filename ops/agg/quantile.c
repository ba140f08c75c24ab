/* quantile(x, q), p50, p90, p95, p99: the least value whose share of the values up to it is at least q (percentile_disc). All values are kept. */
#include <math.h>

#include "core/number.h"
#include "ops/agg/multiset.h"
#include "ops/agg/rows.h"

/* q = part / whole if it is a decimal, else q. */
struct share {
	int64_t part, whole;
	double q;
};

static int plan_share(struct agg *agg, int64_t part)
{
	*(struct share *)agg->conf = (struct share){ .part = part, .whole = 100 };
	return 0;
}

static int plan_p50(struct agg *agg, struct arena *mem, struct err *err)
{
	return plan_share(agg, 50) || agg_plan_pass(agg, mem, err) ? -1 : 0;
}

static int plan_p90(struct agg *agg, struct arena *mem, struct err *err)
{
	return plan_share(agg, 90) || agg_plan_pass(agg, mem, err) ? -1 : 0;
}

static int plan_p95(struct agg *agg, struct arena *mem, struct err *err)
{
	return plan_share(agg, 95) || agg_plan_pass(agg, mem, err) ? -1 : 0;
}

static int plan_p99(struct agg *agg, struct arena *mem, struct err *err)
{
	return plan_share(agg, 99) || agg_plan_pass(agg, mem, err) ? -1 : 0;
}

static int plan_quantile(struct agg *agg, struct arena *mem, struct err *err)
{
	struct value q, zero = value_int(0), one = value_int(1);
	if (!expr_constant(agg->arg[1], &q) || !value_is_number(&q) || number_cmp(&q, &zero) < 0 || number_cmp(&q, &one) > 0)
		return err_at(err, expr_span(agg->arg[1]), "the share of a quantile is a fixed number from 0 to 1, such as 0.95");
	struct share *share = agg->conf;
	if (q.type == V_DEC)
		*share = (struct share){ .part = q.u.i, .whole = dec_pow10[q.scale] };
	else
		share->q = number_double(&q);
	return agg_plan_pass(agg, mem, err);
}

/* The rank of the value sought among n > 0. */
static int64_t rank_of(const struct share *share, int64_t n)
{
	int64_t rank;
	if (share->whole) {
		__int128 product = (__int128)share->part * n;
		rank = (int64_t)((product + share->whole - 1) / share->whole);
	} else {
		rank = (int64_t)ceill((long double)share->q * (long double)n);
	}
	return rank < 1 ? 1 : rank > n ? n : rank;
}

static int update(const struct agg *agg, const struct agg_rows *rows)
{
	for (uint32_t i = 0; i < rows->n; i++) {
		int sign = agg_sign_of(agg, rows, i);
		if (sign && ms_add(rows->acc[i], &rows->arg[0][i], sign, agg->mem))
			return -1;
	}
	return 0;
}

static int merge(const struct agg *agg, void *into, const void *from)
{
	return ms_merge(into, from, 1, agg->mem);
}

static int unmerge(const struct agg *agg, void *from, const void *part)
{
	return ms_merge(from, part, -1, agg->mem);
}

static int value(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)mem;
	const struct multiset *ms = acc;
	*out = ms->weight > 0 ? ms_rank(ms, rank_of(agg->conf, ms->weight)) : value_null();
	return 0;
}

static void drop(const struct agg *agg, void *acc)
{
	ms_drop(acc, agg->mem);
}

static void save(const struct agg *agg, const void *acc, struct snap_out *out)
{
	(void)agg;
	ms_save(acc, out);
}

static int load(const struct agg *agg, void *acc, struct snap_in *in)
{
	return ms_load(acc, in, agg->mem);
}

#define QUANTILE(word, nargs, text)                          \
	const struct agg_type word##_agg = {                 \
		.name = #word,                               \
		.args = nargs == 2 ? "(x, q)" : "(x)",       \
		.help = text,                                \
		.can = A_HEAP | A_KEEPS,                     \
		.min_arg = nargs,                            \
		.max_arg = nargs,                            \
		.conf_size = sizeof(struct share),           \
		.size = sizeof(struct multiset),             \
		.plan = plan_##word,                         \
		.update = update,                            \
		.merge = merge,                              \
		.unmerge = unmerge,                          \
		.value = value,                              \
		.drop = drop,                                \
		.save = save,                                \
		.load = load,                                \
		.passes = true,                              \
	}

QUANTILE(p50, 1, "the median: the least value that half of the values do not exceed");
QUANTILE(p90, 1, "the least value that 90 in 100 do not exceed");
QUANTILE(p95, 1, "the least value that 95 in 100 do not exceed");
QUANTILE(p99, 1, "the least value that 99 in 100 do not exceed");
QUANTILE(quantile, 2, "the least value that a share q (0 to 1) of the values does not exceed");
