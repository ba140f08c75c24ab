/* The accumulator of sum and avg: an exact sum, and how many numbers are in it. */
#ifndef WEIR_TOTAL_H
#define WEIR_TOTAL_H
#include "core/sum.h"
#include "ops/agg/agg.h"

struct total {
	struct sum sum;
	int64_t n;
};

/* sum += sign * v. A decimal with fewer places than the sum has is brought to its scale here, so that prices such as 3, 2.5 and 1.99 stay cheap. */
static inline int total_put(struct total *total, const struct value *v, int sign, struct mem *mem)
{
	struct sum *sum = &total->sum;
	int64_t term, now;
	bool fits = v->type == V_DEC && v->scale <= sum->scale && !sum->is_wide && !__builtin_mul_overflow(v->u.i, dec_pow10[sum->scale - v->scale], &term) &&
		    !(sign > 0 ? __builtin_add_overflow(sum->u.mantissa, term, &now) : __builtin_sub_overflow(sum->u.mantissa, term, &now));
	if (fits)
		sum->u.mantissa = now;
	else if (sum_add_any(sum, v, sign, mem))
		return -1;
	total->n += sign;
	return 0;
}

/* The callbacks that sum and avg share. */
int total_update(const struct agg *agg, const struct agg_rows *rows);
int total_step(const struct agg *agg, const struct agg_rows *rows, struct value *before, struct value *after);
int total_merge(const struct agg *agg, void *into, const void *from);
int total_unmerge(const struct agg *agg, void *from, const void *part);
void total_drop(const struct agg *agg, void *acc);
void total_save(const struct agg *agg, const void *acc, struct snap_out *out);
int total_load(const struct agg *agg, void *acc, struct snap_in *in);
/* Snapshot of a bare sum. */
void total_save_sum(const struct sum *sum, struct snap_out *out);
int total_load_sum(struct sum *sum, struct snap_in *in, struct mem *mem);
#endif
