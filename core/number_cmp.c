#include "core/exact.h"
#include "core/number.h"

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int cmp_decimals(const struct value *a, const struct value *b)
{
	if (a->scale == b->scale)
		return ORDER(a->u.i, b->u.i);
	i128 x = a->u.i, y = b->u.i;
	if (a->scale < b->scale)
		x *= dec_pow10[b->scale - a->scale];
	else
		y *= dec_pow10[a->scale - b->scale];
	return ORDER(x, y);
}

int number_cmp(const struct value *a, const struct value *b)
{
	if (a->type == V_DEC && b->type == V_DEC)
		return cmp_decimals(a, b);
	/* rounding keeps the order, so different nearest doubles decide */
	double da = number_double(a), db = number_double(b);
	if (da != db || (a->type == V_DBL && b->type == V_DBL))
		return ORDER(da, db);
	struct exact x, y;
	exact_of(&x, a);
	exact_of(&y, b);
	return exact_cmp(&x, &y);
}
