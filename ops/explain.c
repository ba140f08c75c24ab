/* --explain: the plan as text. */
#include <string.h>

#include "ops/chain.h"

static void put_columns(struct buf *out, const struct schema *schema, const uint8_t *need)
{
	const char *sep = "";
	for (uint32_t c = 0; c < schema->n; c++) {
		if (!need[c])
			continue;
		buf_printf(out, "%s%s%s", sep, strcmp(schema->col[c].name, "*") ? schema->col[c].name : "whole rows",
			need[c] & NEED_NUMBER ? " (number)" : need[c] & NEED_BOOL ? " (boolean)" : need[c] & NEED_TIME ? " (time)" : "");
		sep = ", ";
	}
	if (!*sep)
		buf_puts(out, "none");
	buf_putc(out, '\n');
}

static void put_changes(struct buf *out, const struct stream *stream)
{
	buf_puts(out, "  gives      +I");
	if (stream->kinds & S_U)
		buf_puts(out, stream->before ? " -U +U" : " +U");
	if (stream->kinds & S_D)
		buf_puts(out, " -D");
	if (stream->has_key) {
		buf_puts(out, ", unique by ");
		for (uint32_t i = 0; i < stream->nkey; i++)
			buf_printf(out, "%s%s", i ? ", " : "", stream->schema->col[stream->key[i]].name);
		if (!stream->nkey)
			buf_puts(out, "nothing: one row at most");
	}
	buf_putc(out, '\n');
}

static void put_op(struct buf *out, const struct op *op)
{
	if (op->flag)
		buf_printf(out, "%s '%s'\n", op->type->name, op->text);
	else
		buf_printf(out, "%s\n", op->type->name);
	if (op->key)
		buf_printf(out, "  key        %s\n", op->key->text);
	if (op->type->explain)
		op->type->explain(op, out);
	if (op->ttl && op->type->state_size)
		buf_printf(out, "  forgets    keys not written for %lld ms\n", (long long)op->ttl);
	if (op->out)
		put_changes(out, &op->out->stream);
}

void chain_explain(struct chain *chain, struct buf *out)
{
	buf_puts(out, "input\n  reads      ");
	put_columns(out, chain->edge[0]->stream.schema, chain->edge[0]->need);
	put_changes(out, &chain->edge[0]->stream);
	for (uint32_t i = 0; i < chain->n; i++)
		put_op(out, chain->op[i]);
}
