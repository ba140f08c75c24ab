#include "ops/agg/agg.h"

#include <string.h>
#include <strings.h>

#include "ops/agg/rows.h"
#include "parse/lang/lex.h"

#define AGG(name) extern const struct agg_type name##_agg;
#include "ops/agg/aggs.def"
#undef AGG

#define AGG(name) &name##_agg,
const struct agg_type *const agg_types[] = {
#include "ops/agg/aggs.def"
	NULL,
};
#undef AGG

/* Aggregates are words of the language, in any case like its other words. */
const struct agg_type *agg_find(const char *name, size_t len)
{
	for (uint32_t i = 0; agg_types[i]; i++)
		if (strlen(agg_types[i]->name) == len && !strncasecmp(agg_types[i]->name, name, len))
			return agg_types[i];
	return NULL;
}

/* The value of an accumulator that outlives its next change. */
static int value_apart(const struct agg *agg, const void *acc, struct value *out, struct arena *mem)
{
	if (agg->type->value(agg, acc, out, mem))
		return -1;
	return agg->type->can & A_HEAP ? value_copy(out, out, mem) : 0;
}

static int step_row(const struct agg *agg, const struct agg_rows *rows, uint32_t i, struct value *before, struct value *after)
{
	const struct value *arg[AGG_ARGS_MAX];
	for (uint32_t a = 0; a < agg->narg; a++)
		arg[a] = rows->arg[a] + i;
	struct agg_rows row = { .n = 1, .acc = rows->acc + i, .act = rows->act ? rows->act + i : NULL, .arg = arg, .mem = rows->mem };
	uint8_t act = rows->act ? rows->act[i] : (uint8_t)ACT_ADD;
	if (act & ACT_FIRST)
		*before = value_null();
	else if (value_apart(agg, rows->acc[i], before, rows->mem))
		return -1;
	*after = *before;
	if (act == ACT_SKIP)
		return 0;
	if (agg->type->update(agg, &row))
		return -1;
	return act & ACT_LAST ? 0 : value_apart(agg, rows->acc[i], after, rows->mem);
}

int agg_step(const struct agg *agg, const struct agg_rows *rows, struct value *before, struct value *after)
{
	if (agg->type->step)
		return agg->type->step(agg, rows, before, after);
	for (uint32_t i = 0; i < rows->n; i++) {
		if (!rows->acc[i])
			before[i] = after[i] = value_null();
		else if (step_row(agg, rows, i, before + i, after + i))
			return -1;
	}
	return 0;
}

int agg_values(const struct agg *agg, void *const *acc, uint32_t n, struct value *out, struct arena *mem)
{
	if (agg->type->values)
		return agg->type->values(agg, acc, n, out, mem);
	for (uint32_t i = 0; i < n; i++)
		if (agg->type->value(agg, acc[i], &out[i], mem))
			return -1;
	return 0;
}

int agg_plan_number(struct agg *agg, struct arena *mem, bool keeps, struct err *err)
{
	enum type type = expr_type(agg->arg[0]);
	bool duration = type == T_DURATION;
	struct span span = expr_span(agg->arg[0]);
	char shown[LEX_SHOWN];
	if (type == T_BOOL)
		return err_at(err, span, "a number is needed here, this is bool; to count rows write: count where %s", lex_show_span(shown, span));
	agg->result = keeps && duration ? T_DURATION : T_NUMBER;
	agg->arg[0] = expr_as(agg->arg[0], duration ? T_DURATION : T_NUMBER, mem, err);
	return agg->arg[0] ? 0 : -1;
}

int agg_plan_pass(struct agg *agg, struct arena *mem, struct err *err)
{
	(void)mem;
	(void)err;
	agg->result = expr_type(agg->arg[0]);
	return 0;
}
