/* -o maxwell: change events of Maxwell. As Flink's maxwell-json has it, an update is a deletion and an insertion. */
#include "ops/emit/json_rows.h"

#define HERE { "{\"data\":{", "},\"type\":\"insert\"}" }
#define GONE { "{\"data\":{", "},\"type\":\"delete\"}" }

static int begin(struct emitter *emitter)
{
	static const struct envelope changes[4] = { HERE, GONE, HERE, GONE };
	return json_rows_begin(emitter, changes);
}

const struct emit_type maxwell_emit = {
	.name = "maxwell",
	.help = "change events of Maxwell, as Flink writes them",
	.more = "Type insert for +I and +U, delete for -U and -D.\n",
	.state_size = sizeof(struct json_rows),
	.begin = begin,
	.rows = json_rows,
	.close = json_rows_close,
};
