/* One column, `line`: all bytes of the line. An empty line is an empty text; nothing is NULL (but by --null). */
#include "parse/format/field.h"

static int schema(const struct input_options *opt, struct schema *schema)
{
	(void)opt;
	return schema_add(schema, "line", 4, T_RAW) < 0 ? -1 : 0;
}

static int open(struct decoder *d)
{
	cutter_open(d->state, '\n', '\n');
	return 0;
}

static int fill(const struct decoder *d, struct cutter *c, struct records *records)
{
	for (uint32_t w = 0; w < d->nwant; w++) {
		struct value *v = records->batch->col[d->want[w].col].v + records->batch->n;
		for (uint32_t i = 0; i < c->n; i++)
			v[i] = field_value(d->opt, c->p + c->cut[i].begin, c->cut[i].end - c->cut[i].begin, cutter_flags(c));
	}
	return 0;
}

const struct format lines_format = {
	.name = "lines",
	.help = "one column, line: the whole line",
	.traits = F_BLANK_IS_DATA,
	.state_size = sizeof(struct cutter),
	.schema = schema,
	.open = open,
	.decode = decode_lines,
	.fill = fill,
};
