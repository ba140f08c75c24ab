/* -o debezium: change events of Debezium. As Flink's debezium-json has it, an update is a deletion and an insertion. */
#include "ops/emit/json_rows.h"

#define HERE { "{\"before\":null,\"after\":{", "},\"op\":\"c\"}" }
#define GONE { "{\"before\":{", "},\"after\":null,\"op\":\"d\"}" }

static int begin(struct emitter *emitter)
{
	static const struct envelope changes[4] = { HERE, GONE, HERE, GONE };
	return json_rows_begin(emitter, changes);
}

const struct emit_type debezium_emit = {
	.name = "debezium",
	.help = "change events of Debezium, as Flink writes them",
	.more = "Op c for +I and +U, d for -U and -D. -f debezium reads it back.\n",
	.state_size = sizeof(struct json_rows),
	.begin = begin,
	.rows = json_rows,
	.close = json_rows_close,
};
