/* any(p), all(p): whether p is true of some row, of every row. */
#include "ops/agg/rows.h"
#include "ops/state/snapshot.h"

struct tally {
	int64_t n[2]; /* how many are false, how many true */
};

static int plan(struct agg *agg, struct arena *mem, struct err *err)
{
	agg->result = T_BOOL;
	agg->arg[0] = expr_as(agg->arg[0], T_BOOL, mem, err);
	return agg->arg[0] ? 0 : -1;
}

static int update(const struct agg *agg, const struct agg_rows *rows)
{
	for (uint32_t i = 0; i < rows->n; i++) {
		int sign = agg_sign_of(agg, rows, i);
		if (sign)
			((struct tally *)rows->acc[i])->n[rows->arg[0][i].u.i != 0] += sign;
	}
	return 0;
}

static int merge(const struct agg *agg, void *into, const void *from)
{
	(void)agg;
	struct tally *to = into;
	const struct tally *part = from;
	to->n[0] += part->n[0];
	to->n[1] += part->n[1];
	return 0;
}

static int unmerge(const struct agg *agg, void *from, const void *part)
{
	(void)agg;
	struct tally *to = from;
	const struct tally *gone = part;
	to->n[0] -= gone->n[0];
	to->n[1] -= gone->n[1];
	return 0;
}

/* The truth value `strong` decides if it occurs, else the other one. */
static int decide(const struct tally *tally, bool strong, struct value *out)
{
	*out = value_null();
	if (tally->n[strong] > 0)
		*out = value_bool(strong);
	else if (tally->n[!strong] > 0)
		*out = value_bool(!strong);
	return 0;
}

static int value_any(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)agg;
	(void)mem;
	return decide(acc, true, out);
}

static int value_all(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	(void)agg;
	(void)mem;
	return decide(acc, false, out);
}

static void save(const struct agg *agg, const void *acc, struct snap_out *out)
{
	(void)agg;
	const struct tally *tally = acc;
	snap_put_i64(out, tally->n[0]);
	snap_put_i64(out, tally->n[1]);
}

static int load(const struct agg *agg, void *acc, struct snap_in *in)
{
	(void)agg;
	struct tally *tally = acc;
	tally->n[0] = snap_i64(in);
	tally->n[1] = snap_i64(in);
	return 0;
}

#define TALLY(word, text)                                    \
	const struct agg_type word##_agg = {                 \
		.name = #word,                               \
		.args = "(p)",                               \
		.help = text,                                \
		.can = A_SET,                                \
		.min_arg = 1,                                \
		.max_arg = 1,                                \
		.size = sizeof(struct tally),                \
		.plan = plan,                                \
		.update = update,                            \
		.merge = merge,                              \
		.unmerge = unmerge,                          \
		.value = value_##word,                       \
		.save = save,                                \
		.load = load,                                \
	}

TALLY(any, "true if p is true of some row");
TALLY(all, "true if p is true of every row where it is not NULL");
