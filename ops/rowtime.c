#include "ops/rowtime.h"

#include <stdio.h>
#include <string.h>

#include "core/show.h"
#include "ops/state/snapshot.h"

enum { SHOWN = 60 /* bytes of a field shown in a message */ };

static bool names_clock(const struct time_ast *ast, struct schema *schema)
{
	const struct node *node = ast->expr;
	return !ast->format && node->kind == N_NAME && !node->nstep && !strcmp(node->text, "clock") &&
	       (schema->kind != SCHEMA_CLOSED || schema_index(schema, "clock", 5) < 0);
}

static int bind_own(struct rowtime *rowtime, const struct input_options *in, struct schema *schema, struct arena *mem, struct err *err)
{
	struct node *node = arena_alloc(mem, sizeof *node);
	if (!node)
		return err_memory(err);
	*node = (struct node){ .kind = N_NAME, .text = in->time, .len = (uint32_t)strlen(in->time), .depth = 1 };
	rowtime->stamp = in->time_stamp;
	rowtime->expr = expr_bind(node, schema, mem, err);
	return rowtime->expr ? 0 : -1;
}

static int bind_given(struct rowtime *rowtime, const struct time_ast *ast, struct schema *schema, struct arena *mem, struct err *err)
{
	if (ast->format && stamp_init(&rowtime->stamp, ast->format, ast->format_len, ast->pattern, ast->format_span, err))
		return -1;
	rowtime->expr = expr_bind(ast->expr, schema, mem, err);
	if (!rowtime->expr)
		return -1;
	enum type type = expr_type(rowtime->expr);
	if (type == T_BOOL || type == T_ROW || type == T_DURATION)
		return err_at(err, ast->expr->span, "a %s is no time; name the column that holds the time", type == T_ROW ? "whole record" : type_name(type));
	return 0;
}

int rowtime_bind(struct rowtime *rowtime, const struct time_ast *ast, const struct input_options *in, struct schema *schema, struct arena *mem, bool *timed, struct err *err)
{
	*timed = false;
	if (ast ? names_clock(ast, schema) : !in->time)
		return 0;
	/* Rows have no event time yet: what gives it cannot ask for it. */
	if (ast ? bind_given(rowtime, ast, schema, mem, err) : bind_own(rowtime, in, schema, mem, err))
		return -1;
	int column = expr_column(rowtime->expr);
	rowtime->column = column >= 0 ? schema->col[column].name : NULL;
	*timed = true;
	return 0;
}

void rowtime_need(const struct rowtime *rowtime, uint8_t *need)
{
	expr_need(rowtime->expr, NEED_VALUE, need);
}

static void reject(const struct rowtime *rowtime, struct records *records, uint32_t row, const struct value *v, const char *why)
{
	char text[SHOW_MOST * SHOWN + 1], scratch[VALUE_TEXT_MAX];
	const char *p;
	const char *column = rowtime->column ? rowtime->column : "--time";
	if (v->type == V_NULL) {
		record_bad(records, row, column, "no time: the field is NULL");
		return;
	}
	uint32_t len = value_print(v, scratch, &p);
	show(text, sizeof text, p, len < SHOWN ? len : SHOWN);
	const char *named = rowtime->column ? rowtime->column : "EXPR";
	if (rowtime->stamp.kind == STAMP_GUESS)
		record_bad(records, row, column, "%s; say its format, as in --time '%s, s' or --time '%s, \"%%d.%%m.%%Y %%H:%%M\"': \"%s%s\"", why, named, named, text, len > SHOWN ? "..." : "");
	else
		record_bad(records, row, column, "%s: \"%s%s\"", why, text, len > SHOWN ? "..." : "");
}

static bool too_far_ahead(const struct rowtime *rowtime, int64_t t)
{
	return rowtime->watch && t > rowtime->env.now && t - rowtime->env.now > rowtime->env.ahead;
}

int rowtime_stamp(void *ctx, struct records *records)
{
	struct rowtime *rowtime = ctx;
	struct batch *batch = records->batch;
	struct value *v;
	batch->now = rowtime->env.now;
	if (expr_eval(rowtime->expr, batch, &v))
		return -1;
	for (uint32_t r = 0; r < batch->n; r++) {
		const char *why = "not a time";
		if (records->nbad && records->bad[r].why)
			continue;
		if (!stamp_read(&rowtime->stamp, &v[r], &rowtime->env, &batch->time[r], &why))
			reject(rowtime, records, r, &v[r], why);
		else if (too_far_ahead(rowtime, batch->time[r]))
			reject(rowtime, records, r, &v[r], "too far ahead of the clock (--watermark 'ahead D' allows more)");
	}
	return 0;
}

uint32_t rowtime_text(const struct rowtime *rowtime, char *out, uint32_t room)
{
	char name[200];
	uint32_t n = stamp_name(&rowtime->stamp, name, sizeof name - 1);
	name[n] = 0;
	int len = snprintf(out, room, "%s, %s", rowtime->column ? rowtime->column : "computed", name);
	return len < 0 ? 0 : len < (int)room ? (uint32_t)len : room - 1;
}

void rowtime_save(const struct rowtime *rowtime, struct snap_out *out)
{
	snap_put_u64(out, rowtime->stamp.kind);
	snap_put_u64(out, rowtime->stamp.places);
	snap_put_bytes(out, rowtime->stamp.pattern ? rowtime->stamp.pattern : "", rowtime->stamp.len);
}

void rowtime_load(struct rowtime *rowtime, struct snap_in *in)
{
	size_t n;
	uint64_t kind = snap_u64(in), places = snap_u64(in);
	const char *pattern = snap_bytes(in, &n);
	if (in->bad || rowtime->stamp.kind != STAMP_GUESS)
		return;
	in->bad = !stamp_restore(&rowtime->stamp, kind, places, pattern, n);
}
