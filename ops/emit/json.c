/* -o json: an object a line. The kind is its first member, op, unless the result alone is wanted. */
#include "ops/emit/json_rows.h"

static int begin(struct emitter *emitter)
{
	static const struct envelope changes[4] = { { "{\"op\":\"+I\"", "}" }, { "{\"op\":\"-U\"", "}" }, { "{\"op\":\"+U\"", "}" }, { "{\"op\":\"-D\"", "}" } };
	static const struct envelope result[4] = { { "{", "}" }, { "{", "}" }, { "{", "}" }, { "{", "}" } };
	return json_rows_begin(emitter, emitter->opt->final ? result : changes);
}

const struct emit_type json_emit = {
	.name = "json",
	.help = "an object a line: {\"op\":\"+I\",\"k\":\"a\",\"count\":1}",
	.more = "A raw text that is a number as JSON writes them is one, unless it came quoted;\n"
		"* of json and logfmt input gives the members of the record.\n",
	.state_size = sizeof(struct json_rows),
	.begin = begin,
	.rows = json_rows,
	.close = json_rows_close,
};
