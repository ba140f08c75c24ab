/* JSON lines: a JSON text a line. Members of an object are columns, by path; any other value is a record without members. */
#include "parse/format/json_row.h"

struct json_lines {
	struct cutter cutter;
	struct json *json;
};

static int open(struct decoder *d)
{
	struct json_lines *lines = d->state;
	cutter_open(&lines->cutter, '\n', '\n');
	lines->json = json_row_open(d);
	return lines->json ? 0 : -1;
}

static int fill(const struct decoder *d, struct cutter *c, struct records *records)
{
	const struct json_lines *lines = d->state;
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t row = records->batch->n + i;
		struct json_text text = json_text_of(c, i);
		if (!records->bad[row].why && json_row_fill(d, lines->json, &text, records, row))
			return -1;
	}
	return 0;
}

const struct format json_format = {
	.name = "json",
	.help = "JSON lines; columns are paths: req.headers.host, tags[0]",
	.more = "null and a missing member are NULL. a.b is the member \"a.b\" if there is one,\n"
		"else b in a; tags[-1] is the last element, {odd name} any name. The whole text\n"
		"is the column record.\n",
	.traits = F_PATHS,
	.state_size = sizeof(struct json_lines),
	.open = open,
	.decode = decode_lines,
	.fill = fill,
};
