/* Functions of numbers. What has no answer (the root of -1) is NULL. */
#include <math.h>

#include "core/number.h"
#include "ops/expr/func.h"

static int each(const struct call *call, struct value *out, struct value (*of)(struct value))
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *x = arg_at(call, 0, r);
		out[r] = value_is_number(x) ? of(*x) : value_null();
	}
	return 0;
}

/* The same for functions of the math library. */
static int each_double(const struct call *call, struct value *out, double (*of)(double))
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *x = arg_at(call, 0, r);
		out[r] = value_is_number(x) ? number_from_double(of(number_double(x))) : value_null();
	}
	return 0;
}

static int sign_of(struct value x)
{
	const struct value zero = value_int(0);
	return number_cmp(&x, &zero);
}

static struct value absolute(struct value x) { return sign_of(x) < 0 ? number_neg(x) : x; }

static struct value sign_value(struct value x) { return value_int(sign_of(x)); }

int fn_abs(const struct call *call, struct value *out) { return each(call, out, absolute); }

int fn_floor(const struct call *call, struct value *out) { return each(call, out, number_floor); }

int fn_ceil(const struct call *call, struct value *out) { return each(call, out, number_ceil); }

int fn_sign(const struct call *call, struct value *out) { return each(call, out, sign_value); }

int fn_sqrt(const struct call *call, struct value *out) { return each_double(call, out, sqrt); }

int fn_ln(const struct call *call, struct value *out) { return each_double(call, out, log); }

int fn_log10(const struct call *call, struct value *out) { return each_double(call, out, log10); }

int fn_exp(const struct call *call, struct value *out) { return each_double(call, out, exp); }

/* digits beyond any number's are as good as this many; a fraction of a digit gives NULL. */
int fn_round(const struct call *call, struct value *out)
{
	enum { FAR = 400 };
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *x = arg_at(call, 0, r);
		int64_t digits = 0;
		bool known = value_is_number(x) && (call->expr->narg < 2 || number_int(arg_at(call, 1, r), &digits));
		digits = digits > FAR ? FAR : digits < -FAR ? -FAR : digits;
		out[r] = known ? number_round(*x, (int)digits) : value_null();
	}
	return 0;
}

/* x to the power n by squaring while all is decimal; false as soon as it is not. */
static bool exact_power(struct value x, int64_t n, struct value *out)
{
	struct value power = value_int(1);
	for (;; n >>= 1) {
		if (n & 1)
			power = number_mul(power, x);
		if (n <= 1 || power.type != V_DEC)
			break;
		x = number_mul(x, x);
		if (x.type != V_DEC)
			return false;
	}
	*out = power;
	return power.type == V_DEC;
}

static struct value power(const struct value *x, const struct value *y)
{
	int64_t n;
	struct value exact;
	if (x->type == V_DEC && number_int(y, &n) && n >= 0 && exact_power(*x, n, &exact))
		return exact;
	return number_from_double(pow(number_double(x), number_double(y)));
}

int fn_pow(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *x = arg_at(call, 0, r), *y = arg_at(call, 1, r);
		out[r] = value_is_number(x) && value_is_number(y) ? power(x, y) : value_null();
	}
	return 0;
}

int fn_number(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++)
		if (!number_of(arg_at(call, 0, r), &out[r]))
			out[r] = value_null();
	return 0;
}
