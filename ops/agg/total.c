#include "ops/agg/total.h"

#include "ops/agg/rows.h"
#include "ops/state/snapshot.h"

int total_update(const struct agg *agg, const struct agg_rows *rows)
{
	const struct value *x = rows->arg[0];
	if (!rows->act) {
		void *const *acc = rows->acc;
		for (uint32_t i = 0, n = rows->n; i < n; i++)
			if (x[i].type != V_NULL && total_put(acc[i], &x[i], 1, agg->mem))
				return -1;
		return 0;
	}
	for (uint32_t i = 0; i < rows->n; i++) {
		int sign = agg_sign_of(agg, rows, i);
		if (sign && total_put(rows->acc[i], &x[i], sign, agg->mem))
			return -1;
	}
	return 0;
}

/* Values of sums are computed anew or in the arena, so none has to be copied before the next change. */
int total_step(const struct agg *agg, const struct agg_rows *rows, struct value *before, struct value *after)
{
	const struct value *x = rows->arg[0];
	for (uint32_t i = 0; i < rows->n; i++) {
		struct total *total = rows->acc[i];
		before[i] = after[i] = value_null();
		if (!total)
			continue;
		if (total->n && agg->type->value(agg, total, &before[i], rows->mem))
			return -1;
		int sign = agg_sign_of(agg, rows, i);
		if (!sign) {
			after[i] = before[i];
			continue;
		}
		if (total_put(total, &x[i], sign, agg->mem) || agg->type->value(agg, total, &after[i], rows->mem))
			return -1;
	}
	return 0;
}

int total_merge(const struct agg *agg, void *into, const void *from)
{
	struct total *to = into;
	const struct total *part = from;
	if (sum_merge(&to->sum, &part->sum, 1, agg->mem))
		return -1;
	to->n += part->n;
	return 0;
}

int total_unmerge(const struct agg *agg, void *from, const void *part)
{
	struct total *to = from;
	const struct total *gone = part;
	if (sum_merge(&to->sum, &gone->sum, -1, agg->mem))
		return -1;
	to->n -= gone->n;
	return 0;
}

void total_drop(const struct agg *agg, void *acc)
{
	struct total *total = acc;
	if (total->sum.is_wide)
		sum_drop(&total->sum, agg->mem);
	*total = (struct total){ 0 };
}

void total_save_sum(const struct sum *sum, struct snap_out *out)
{
	struct buf text;
	buf_init(&text, out->buf->mem);
	sum_text(sum, &text);
	if (text.failed)
		out->buf->failed = true;
	snap_put_bytes(out, text.p, text.n);
	buf_release(&text);
}

int total_load_sum(struct sum *sum, struct snap_in *in, struct mem *mem)
{
	size_t n;
	const char *text = snap_bytes(in, &n);
	return in->bad ? 0 : sum_from(sum, text, n, mem);
}

void total_save(const struct agg *agg, const void *acc, struct snap_out *out)
{
	(void)agg;
	const struct total *total = acc;
	total_save_sum(&total->sum, out);
	snap_put_i64(out, total->n);
}

int total_load(const struct agg *agg, void *acc, struct snap_in *in)
{
	struct total *total = acc;
	if (total_load_sum(&total->sum, in, agg->mem))
		return -1;
	total->n = snap_i64(in);
	return 0;
}
