/* -o flink: as Flink's print sink, +I[a, 1, null]; for comparing the two, not for reading back: nothing is escaped. */
#include "ops/emit/line.h"

static int begin(struct emitter *emitter)
{
	struct line *line = emitter->state;
	*line = (struct line){ .lead = { "[", 1 }, .sep = { ", ", 2 }, .close = { "]\n", 2 }, .null = { "null", 4 }, .kinds = true, .style = emitter->opt->style };
	escape_init(&line->escape, "", emitter->opt->terminal);
	return 0;
}

static int rows(struct emitter *emitter, const struct batch *batch)
{
	return line_rows(emitter, emitter->state, batch);
}

const struct emit_type flink_emit = {
	.name = "flink",
	.help = "as Flink's print sink: +I[a, 1, null]",
	.state_size = sizeof(struct line),
	.begin = begin,
	.rows = rows,
};
