/* -o changelog: every change a line that reads back to the same values, kind TAB fields. -o weir: the same with lines that begin with @ before it. */
#include "ops/emit/line.h"

static const struct mark tab = { "\t", 1 };

static void lines(struct emitter *emitter)
{
	struct line *line = emitter->state;
	*line = (struct line){ .first = tab, .sep = tab, .close = { "\n", 1 }, .null = { "\\N", 2 }, .kinds = true, .style = emitter->opt->style };
	escape_init(&line->escape, "tnr\\", emitter->opt->terminal);
}

static int begin(struct emitter *emitter)
{
	lines(emitter);
	return 0;
}

static int rows(struct emitter *emitter, const struct batch *batch)
{
	return line_rows(emitter, emitter->state, batch);
}

/* Which kinds may occur. A reader that is told of no -U knows that it must find the old row by its key. */
static int put_kinds(struct emitter *emitter)
{
	struct buf *buf = &emitter->out->buf;
	const struct stream *in = emitter->in;
	buf_puts(buf, "@kinds\t+I");
	if (in->kinds & S_U)
		buf_puts(buf, in->before ? "\t-U\t+U" : "\t+U");
	if (in->kinds & S_D)
		buf_puts(buf, "\t-D");
	buf_putc(buf, '\n');
	return emit_push(emitter);
}

static int begin_weir(struct emitter *emitter)
{
	const struct stream *in = emitter->in;
	lines(emitter);
	if (emitter->goes_on)
		return 0;
	if (emitter->named && line_names(emitter, emitter->state, "@names", NULL, emitter->shown->n))
		return -1;
	if (in->has_key && in->nkey && emitter->named && line_names(emitter, emitter->state, "@key", in->key, in->nkey))
		return -1;
	return put_kinds(emitter);
}

static int put_watermark(struct emitter *emitter, int64_t wm)
{
	buf_printf(&emitter->out->buf, "@wm\t%lld\n", (long long)wm);
	return emit_push(emitter);
}

const struct emit_type changelog_emit = {
	.name = "changelog",
	.help = "one line per change: +I, -U, +U or -D, then fields between TABs",
	.more = "TAB, LF, CR and backslash are written as \\t \\n \\r \\\\, NULL as \\N. Reading it\n"
		"with -f changelog gives back the same values and changes.\n",
	.state_size = sizeof(struct line),
	.begin = begin,
	.rows = rows,
};

const struct emit_type weir_emit = {
	.name = "weir",
	.help = "changelog with @names, @key and @kinds before it, @wm between",
	.state_size = sizeof(struct line),
	.begin = begin_weir,
	.rows = rows,
	.watermark = put_watermark,
};
