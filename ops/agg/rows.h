/* What every aggregate does with the action of a row. */
#ifndef WEIR_ROWS_H
#define WEIR_ROWS_H
#include <string.h>

#include "ops/agg/agg.h"

/* Empties an accumulator: zeroed memory again. */
static inline void agg_empty(const struct agg *agg, void *acc)
{
	if (agg->type->drop)
		agg->type->drop(agg, acc);
	else
		memset(acc, 0, agg->type->size);
}

/* Whether row i adds (1), takes back (-1), or has no more to do (0). Empties the accumulator for ACT_LAST. */
static inline int agg_sign(const struct agg *agg, const struct agg_rows *rows, uint32_t i)
{
	uint8_t act = rows->act ? rows->act[i] : (uint8_t)ACT_ADD;
	if (act & ACT_LAST) {
		agg_empty(agg, rows->acc[i]);
		return 0;
	}
	if (act & ACT_SKIP)
		return 0;
	return act & ACT_SUB ? -1 : 1;
}

/* The same, and 0 if the argument is NULL. */
static inline int agg_sign_of(const struct agg *agg, const struct agg_rows *rows, uint32_t i)
{
	int sign = agg_sign(agg, rows, i);
	return rows->arg[0][i].type == V_NULL ? 0 : sign;
}

/* plan for what computes with numbers: the argument is read as one; a duration stays one if `keeps`. */
int agg_plan_number(struct agg *agg, struct arena *mem, bool keeps, struct err *err);
/* plan for what gives one of its arguments: the type is that of the first. */
int agg_plan_pass(struct agg *agg, struct arena *mem, struct err *err);
#endif
