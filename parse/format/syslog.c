/* System logs, each line by one of the ways in which they are written (syslog_line.h). */
#include "parse/format/field.h"
#include "parse/format/syslog_line.h"

static int schema(const struct input_options *opt, struct schema *schema)
{
	static const char *const name[SYSLOG_PARTS] = { "time", "host", "tag", "pid", "pri", "msg" };
	(void)opt;
	for (int i = 0; i < SYSLOG_PARTS; i++)
		if (schema_add(schema, name[i], strlen(name[i]), T_RAW) < 0)
			return -1;
	return 0;
}

static int open(struct decoder *d)
{
	cutter_open(d->state, '\n', '\n');
	return 0;
}

static int fill(const struct decoder *d, struct cutter *c, struct records *records)
{
	struct batch *batch = records->batch;
	for (uint32_t i = 0; i < c->n; i++) {
		struct piece part[SYSLOG_PARTS];
		uint32_t row = batch->n + i;
		const char *why = syslog_split(c->p + c->cut[i].begin, c->p + c->cut[i].end, part);
		if (why)
			record_bad(records, row, NULL, "%s", why);
		for (uint32_t w = 0; !why && w < d->nwant; w++) {
			struct piece piece = part[d->want[w].pos];
			bool null = !piece.p || (piece.len == 1 && *piece.p == '-');
			batch->col[d->want[w].col].v[row] = null ? value_null() : field_value(d->opt, piece.p, piece.len, cutter_flags(c));
		}
	}
	return 0;
}

const struct format syslog_format = {
	.name = "syslog",
	.help = "syslogd, journalctl, RFC 3164 and 5424; - is NULL",
	.more = "Stamps as in Nov 29 10:00:00 (local to --tz; of the year that makes them the\n"
		"latest, but at most 1 day ahead of the clock) or ISO; <PRI> may stand in front.\n"
		"tag is the program. Structured data of RFC 5424 is passed over.\n"
		"\n"
		"  weir -f syslog --tumble 1h -k tag -r count messages.log\n",
	.traits = 0,
	.time = "time",
	.time_kind = STAMP_SYSLOG,
	.state_size = sizeof(struct cutter),
	.schema = schema,
	.open = open,
	.decode = decode_lines,
	.fill = fill,
};
