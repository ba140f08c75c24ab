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
	.help = "later operators forget keys idle for that long",
	.more = "DURATION, as 90s, 5m30s, 1h, 7d, is of event time where there is one, else of\n"
		"the clock. A row that is forgotten is never\n"
		"taken back: what was written about its key stands, and the key begins anew (+I)\n"
		"when it returns. So the result is no longer that of a batch query. A result that\n"
		"a row leaves as it was is written again.\n"
		"\n"
		"  weir --ttl 1h -k user -r count -f csv sessions.csv\n",
	.conf_size = sizeof(struct ttl),
	.parse = parse,
	.apply = apply,
};
