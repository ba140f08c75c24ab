#include "parse/format/json_row.h"

#include "parse/format/field.h"

struct json *json_row_open(const struct decoder *d)
{
	struct json_path *path = arena_alloc(d->mem, (d->nwant + 1) * sizeof *path);
	struct json *json = NULL;
	for (uint32_t w = 0; path && w < d->nwant; w++) {
		const struct schema_column *column = &d->schema->col[d->want[w].col];
		path[w] = (struct json_path){ column->path, column->nstep };
	}
	if (path)
		json = json_new(path, d->nwant, d->mem);
	if (!json)
		err_memory(d->err);
	return json;
}

void json_row_bad(const struct json *json, const struct json_text *text, struct records *records, uint32_t row)
{
	size_t at;
	const char *why = json_why(json, &at);
	record_bad(records, row, NULL, "not JSON at byte %zu: %s", (size_t)(text->p - text->record) + at + 1, why);
}

int json_row_fill(const struct decoder *d, struct json *json, const struct json_text *text, struct records *records, uint32_t row)
{
	struct batch *batch = records->batch;
	if (json_read(json, text->p, text->n, text->room)) {
		json_row_bad(json, text, records, row);
		return 0;
	}
	for (uint32_t w = 0; w < d->nwant; w++) {
		struct value *v = &batch->col[d->want[w].col].v[row];
		if (json_value(json, w, batch->mem, v))
			return err_memory(d->err);
		if (v->type != V_NULL && field_is_null(d->opt, v->u.p, v->len))
			*v = value_null();
	}
	if (d->row_col >= 0)
		batch->col[d->row_col].v[row] = (struct value){ .type = V_RAW, .flags = VF_JSON, .len = (uint32_t)text->n, .u.p = text->p };
	return 0;
}
