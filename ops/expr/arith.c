/* Arithmetic, and the other operators that are calls. The loops take whole numbers themselves and leave the rest to core/number. */
#include "core/number.h"
#include "ops/expr/func.h"

static inline bool whole(const struct value *a, const struct value *b)
{
	return a->type == V_DEC && b->type == V_DEC && !(a->scale | b->scale);
}

static int add(const struct call *call, struct value *out)
{
	int64_t sum;
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *a = arg_at(call, 0, r), *b = arg_at(call, 1, r);
		out[r] = whole(a, b) && !__builtin_add_overflow(a->u.i, b->u.i, &sum) ? value_int(sum) : number_add(*a, *b);
	}
	return 0;
}

static int sub(const struct call *call, struct value *out)
{
	int64_t difference;
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *a = arg_at(call, 0, r), *b = arg_at(call, 1, r);
		out[r] = whole(a, b) && !__builtin_sub_overflow(a->u.i, b->u.i, &difference) ? value_int(difference) : number_sub(*a, *b);
	}
	return 0;
}

static int mul(const struct call *call, struct value *out)
{
	int64_t product;
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *a = arg_at(call, 0, r), *b = arg_at(call, 1, r);
		out[r] = whole(a, b) && !__builtin_mul_overflow(a->u.i, b->u.i, &product) ? value_int(product) : number_mul(*a, *b);
	}
	return 0;
}

static int quotient(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++)
		out[r] = number_div(*arg_at(call, 0, r), *arg_at(call, 1, r));
	return 0;
}

static int remainder_of(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++)
		out[r] = number_mod(*arg_at(call, 0, r), *arg_at(call, 1, r));
	return 0;
}

static int negative(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++)
		out[r] = number_neg(*arg_at(call, 0, r));
	return 0;
}

static int is_null(const struct call *call, uint8_t *out)
{
	for (uint32_t r = 0; r < call->n; r++)
		out[r] = truth_of(arg_at(call, 0, r)->type == V_NULL);
	return 0;
}

const struct func op_add = { .name = "+", .types = "nn>n", .values = add };
const struct func op_sub = { .name = "-", .types = "nn>n", .values = sub };
const struct func op_mul = { .name = "*", .types = "nn>n", .values = mul };
const struct func op_div = { .name = "/", .types = "nn>n", .values = quotient };
const struct func op_mod = { .name = "%", .types = "nn>n", .values = remainder_of };
const struct func op_neg = { .name = "-", .types = "n>n", .values = negative };
const struct func op_isnull = { .name = "is null", .types = "a>b", .truth = is_null };
