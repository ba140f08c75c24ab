/* Functions that pick one of their arguments. */
#include "ops/expr/func.h"

int fn_coalesce(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		uint32_t i = 0;
		while (i + 1 < call->expr->narg && arg_at(call, i, r)->type == V_NULL)
			i++;
		out[r] = *arg_at(call, i, r);
	}
	return 0;
}

int fn_if(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *c = arg_at(call, 0, r);
		bool yes = c->type == V_BOOL && c->u.i;
		out[r] = *arg_at(call, yes ? 1 : 2, r);
	}
	return 0;
}

/* The argument that comes first in the total order times `sign`; of equals the leftmost. */
static int extreme(const struct call *call, struct value *out, int sign)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *best = arg_at(call, 0, r);
		for (uint32_t i = 1; i < call->expr->narg; i++) {
			const struct value *v = arg_at(call, i, r);
			if (v->type != V_NULL && (best->type == V_NULL || sign * value_order(v, best) < 0))
				best = v;
		}
		out[r] = *best;
	}
	return 0;
}

int fn_least(const struct call *call, struct value *out) { return extreme(call, out, 1); }

int fn_greatest(const struct call *call, struct value *out) { return extreme(call, out, -1); }

/* nullif(a, b) is if(a = b, null, a): so a is read as what it is used for, and = compares as it always does. */
struct expr *fn_nullif(const struct binder *b, const struct node *call)
{
	struct expr *left = bind_node(b, call->arg[0]);
	struct expr *right = left ? bind_node(b, call->arg[1]) : NULL;
	struct expr *equal = right ? bind_compare(b, N_EQ, call->span, left, right) : NULL;
	struct expr *null = equal ? bind_constant(b, call->span, T_NULL, value_null()) : NULL;
	struct expr **arg = null ? arena_alloc(b->mem, 3 * sizeof *arg) : NULL;
	if (!arg) {
		err_memory(b->err); /* unless something else was the matter: the first error stays */
		return NULL;
	}
	arg[0] = equal;
	arg[1] = null;
	arg[2] = left;
	return bind_call(b, &(struct expr){ .func = function_find("if", 2), .span = call->span, .narg = 3, .arg = arg });
}
