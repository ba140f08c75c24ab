/* Arithmetic with times: time - time is a duration, time + duration, duration + time and time - duration are times. */
#include "core/number.h"
#include "core/time.h"
#include "ops/expr/func.h"

/* Counts of ms may lie further apart than an int64 says. */
static struct value between(int64_t a, int64_t b)
{
	int64_t ms;
	return __builtin_sub_overflow(a, b, &ms) ? number_sub(value_int(a), value_int(b)) : value_int(ms);
}

static int difference(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *a = arg_at(call, 0, r), *b = arg_at(call, 1, r);
		out[r] = a->type == V_TIME && b->type == V_TIME ? between(a->u.i, b->u.i) : value_null();
	}
	return 0;
}

/* The time `by` later. A part of a millisecond is cut off downwards, as always; where there is no such time it is NULL. */
static struct value later(int64_t time, struct value by)
{
	int64_t ms, sum;
	by = number_floor(by);
	if (!number_int(&by, &ms) || __builtin_add_overflow(time, ms, &sum) || sum < TIME_MIN || sum > TIME_MAX)
		return value_null();
	return value_time(sum);
}

static int add(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *t = arg_at(call, 0, r), *by = arg_at(call, 1, r);
		out[r] = t->type == V_TIME && value_is_number(by) ? later(t->u.i, *by) : value_null();
	}
	return 0;
}

static int sub(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *t = arg_at(call, 0, r), *by = arg_at(call, 1, r);
		out[r] = t->type == V_TIME && value_is_number(by) ? later(t->u.i, number_neg(*by)) : value_null();
	}
	return 0;
}

static const struct func op_difference = { .name = "-", .types = "mm>n", .values = difference };
static const struct func op_later = { .name = "+", .types = "mn>m", .values = add };
static const struct func op_earlier = { .name = "-", .types = "mn>m", .values = sub };

/* beside: what stands beside the time in an addition; NULL: it is no addition. */
static struct expr *refuse(const struct binder *b, const struct node *node, const struct expr *beside)
{
	if (beside && (beside->type == T_NUMBER || beside->type == T_RAW))
		err_at(b->err, beside->span, "a duration is needed beside a time, such as 5m, this is %s: x * 1s is x seconds", type_name(beside->type));
	else
		err_at(b->err, node->span, "times are reckoned as time - time, which is a duration, time + duration and time - duration");
	return NULL;
}

struct expr *bind_time_arithmetic(const struct binder *b, const struct node *node, struct expr **arg)
{
	bool adds = node->kind == N_ADD;
	if (!adds && node->kind != N_SUB)
		return refuse(b, node, NULL);
	if (adds && arg[1]->type == T_TIME) { /* the time first */
		struct expr *time = arg[1];
		arg[1] = arg[0];
		arg[0] = time;
	}
	struct expr call = { .func = adds ? &op_later : &op_earlier, .span = node->span, .narg = 2, .arg = arg };
	if (arg[0]->type == T_TIME && (arg[1]->type == T_DURATION || arg[1]->type == T_NULL))
		return bind_call(b, &call);
	if (adds || (arg[0]->type == T_TIME && arg[1]->type == T_NUMBER))
		return refuse(b, node, arg[1]);
	if (bind_times(b, arg, 2))
		return NULL;
	if (arg[0]->type != T_TIME || arg[1]->type != T_TIME)
		return refuse(b, node, NULL);
	call.func = &op_difference;
	struct expr *made = bind_call(b, &call);
	if (made)
		made->type = T_DURATION;
	return made;
}
