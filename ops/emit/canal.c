/* -o canal: change events of Canal. As Flink's canal-json has it, an update is a deletion and an insertion. */
#include "ops/emit/json_rows.h"

#define HERE { "{\"data\":[{", "}],\"type\":\"INSERT\"}" }
#define GONE { "{\"data\":[{", "}],\"type\":\"DELETE\"}" }

static int begin(struct emitter *emitter)
{
	static const struct envelope changes[4] = { HERE, GONE, HERE, GONE };
	return json_rows_begin(emitter, changes);
}

const struct emit_type canal_emit = {
	.name = "canal",
	.help = "change events of Canal, as Flink writes them",
	.more = "INSERT for +I and +U, DELETE for -U and -D.\n",
	.state_size = sizeof(struct json_rows),
	.begin = begin,
	.rows = json_rows,
	.close = json_rows_close,
};
