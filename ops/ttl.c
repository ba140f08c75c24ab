/* --ttl: later operators forget a key that was not written for this long. */
#include "ops/op.h"
#include "parse/lang/parse.h"

struct ttl {
	int64_t ms;
};

static int parse(struct op *op, struct err *err)
{
	struct ttl *ttl = op->conf;
	return parse_duration(op->flag, op->text, op->plan, &ttl->ms, err);
}

static int apply(struct op *op, struct op_settings *settings, struct err *err)
{
	const struct ttl *ttl = op->conf;
	(void)err;
	settings->ttl = ttl->ms;
	return 0;
}

const struct op_type ttl_op = {
	.name = "ttl",
	.traits = OP_SETTING,
	.arg = "DURATION",
	.help = "later operators forget keys not written for this long",
	.conf_size = sizeof(struct ttl),
	.parse = parse,
	.apply = apply,
};
