/* -o tsv: fields between TABs, NULL as nothing; the kind comes first unless the result alone is wanted. */
#include "ops/emit/line.h"

static int begin(struct emitter *emitter)
{
	struct line *line = emitter->state;
	bool kinds = !emitter->opt->final;
	*line = (struct line){ .first = { "\t", kinds }, .sep = { "\t", 1 }, .close = { "\n", 1 }, .kinds = kinds, .style = emitter->opt->style };
	escape_init(&line->escape, "tnr", emitter->opt->terminal);
	if (!emit_names(emitter))
		return 0;
	return line_names(emitter, line, kinds ? "op" : NULL, NULL, emitter->shown->n);
}

static int rows(struct emitter *emitter, const struct batch *batch)
{
	return line_rows(emitter, emitter->state, batch);
}

const struct emit_type tsv_emit = {
	.name = "tsv",
	.help = "fields between TABs, NULL as nothing; kinds in front unless -F",
	.more = "TAB, LF and CR in a field are written as \\t \\n \\r, which -f tsv reads as two\n"
		"characters; a row of one NULL is an empty line, which readers skip. Between two\n"
		"weirs use changelog.\n",
	.traits = E_NAMES_ALLOWED,
	.state_size = sizeof(struct line),
	.begin = begin,
	.rows = rows,
};
