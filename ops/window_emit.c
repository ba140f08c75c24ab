#include "ops/window_emit.h"

#include <string.h>

/* Columns of the output before those of the key. */
static uint32_t bounds_of(const struct window_emit *emit)
{
	return emit->bounds ? 2 : 0;
}

static struct schema *new_schema(const struct window_emit *emit, const struct stream *out)
{
	struct arena *plan = emit->op->plan;
	struct schema *schema = arena_alloc(plan, sizeof *schema);
	if (!schema)
		return NULL;
	const struct zone *zone = out->schema->zone;
	schema_init(schema, SCHEMA_CLOSED, plan);
	schema->zone = zone;
	if (emit->bounds && (schema_add(schema, "window_start", 12, T_TIME) < 0 || schema_add(schema, "window_end", 10, T_TIME) < 0))
		return NULL;
	for (uint32_t i = 0; i < emit->key->n; i++)
		if (schema_add(schema, emit->key->name[i], emit->key->name_len[i], emit->key->type[i]) < 0)
			return NULL;
	return accs_describe(emit->accs, schema) ? NULL : schema;
}

/* Within a window, too, an aggregate goes its way only, unless rows are taken back or evicted. */
static int8_t trend_of(const struct window_emit *emit, uint32_t i)
{
	bool evicts = emit->op->window && emit->op->window->evict.kind != EVICT_NONE;
	return emit->accs->retracts || evicts ? TREND_NONE : emit->accs->agg[i].agg.trend;
}

int window_describe(const struct window_emit *emit, unsigned kinds, bool once, struct stream *out, struct err *err)
{
	uint32_t nkey = bounds_of(emit) + emit->key->n;
	struct schema *schema = new_schema(emit, out);
	uint32_t *key = arena_alloc(emit->op->plan, (nkey + 1) * sizeof *key);
	int8_t *trend = arena_alloc(emit->op->plan, nkey + emit->accs->nagg + 1);
	if (!schema || !key || !trend)
		return err_memory(err);
	for (uint32_t i = 0; i < nkey; i++) {
		key[i] = i;
		trend[i] = TREND_CONST;
	}
	for (uint32_t i = 0; i < emit->accs->nagg; i++)
		trend[nkey + i] = trend_of(emit, i);
	bool timed = emit->bounds && emit->op->timed;
	schema->timed = timed;
	*out = (struct stream){ .schema = schema, .kinds = kinds, .timed = timed, .nkey = nkey, .has_key = true, .key = key, .trend = trend };
	if (emit->bounds) {
		out->windowed = true;
		out->start = 0;
		out->end = 1;
		out->once = once;
		out->lateness = emit->op->window->lateness;
	}
	return 0;
}

void window_need(const struct window_emit *emit, const uint8_t *out, uint8_t *in)
{
	key_need(emit->key, out + bounds_of(emit), in);
	accs_need(emit->accs, out + bounds_of(emit) + emit->key->n, in);
}

static inline void put(struct edge *out, uint32_t col, uint32_t row, struct value v)
{
	struct value *cell = edge_col(out, col);
	if (cell)
		cell[row] = v;
}

void window_row(const struct window_emit *emit, uint8_t kind, struct window window, const struct value *key, const struct value *value, size_t stride)
{
	struct edge *out = emit->op->out;
	uint32_t col = 0;
	if (emit->bounds)
		out->at = window.end - 1;
	uint32_t row = edge_add(out, kind);
	if (emit->bounds) {
		put(out, col++, row, window_value(window.start));
		put(out, col++, row, window_value(window.end));
	}
	for (uint32_t i = 0; i < emit->key->n; i++)
		put(out, col++, row, key[i]);
	for (uint32_t i = 0; i < emit->accs->nagg; i++)
		put(out, col++, row, value[i * stride]);
}

static void fill(struct edge *out, uint32_t col, uint32_t row, uint32_t n, struct value v)
{
	struct value *cell = edge_col(out, col);
	for (uint32_t i = 0; cell && i < n; i++)
		cell[row + i] = v;
}

static inline void values_of(const struct key *key, const struct table *table, const struct entry *entry, struct value *out)
{
	uint32_t len;
	const char *bytes = entry_key(table, entry, &len);
	key_values(key, bytes, len, entry->flags & ENTRY_CLEAN, out);
}

/* The key's columns, from number col on. */
static int fill_keys(const struct window_emit *emit, const struct table *table, struct entry *const *entry, uint32_t col, uint32_t n)
{
	struct edge *out = emit->op->out;
	uint32_t row = out->batch.n, nkey = emit->key->n;
	if (nkey == 1) {
		struct value *cell = edge_col(out, col);
		for (uint32_t i = 0; cell && i < n; i++)
			values_of(emit->key, table, entry[i], &cell[row + i]);
		return 0;
	}
	struct value *key = nkey ? arena_alloc(out->batch.mem, nkey * sizeof *key) : NULL;
	if (nkey && !key)
		return -1;
	for (uint32_t i = 0; nkey && i < n; i++) {
		values_of(emit->key, table, entry[i], key);
		for (uint32_t k = 0; k < nkey; k++)
			put(out, col + k, row + i, key[k]);
	}
	return 0;
}

int window_rows(const struct window_emit *emit, struct window window, const struct table *table, struct entry *const *entry, const struct value *value, uint32_t n)
{
	struct edge *out = emit->op->out;
	struct batch *batch = &out->batch;
	uint32_t row = batch->n, col = bounds_of(emit);
	if (fill_keys(emit, table, entry, col, n))
		return -1;
	if (emit->bounds) {
		fill(out, 0, row, n, window_value(window.start));
		fill(out, 1, row, n, window_value(window.end));
		out->at = window.end - 1;
	}
	col += emit->key->n;
	for (uint32_t i = 0; i < emit->accs->nagg; i++) {
		struct value *cell = edge_col(out, col + i);
		if (cell)
			memcpy(cell + row, value + (size_t)i * n, n * sizeof *value);
	}
	while (n--)
		edge_add(out, K_I);
	return 0;
}
