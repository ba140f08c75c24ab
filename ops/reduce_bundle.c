#include <string.h>

#include "ops/reduce.h"

/* ---- touching ---- */

struct touched *reduce_touched(struct op *op, uint32_t n)
{
	struct reduce *reduce = op->state;
	const struct reduce_conf *conf = op->conf;
	struct arena *mem = &reduce->bundle;
	bool stays = reduce_stays(op);
	struct touched *t = arena_alloc(mem, sizeof *t);
	if (!t)
		return NULL;
	*t = (struct touched){ .n = n, .fresh = arena_alloc(mem, n), .before = arena_alloc(mem, (size_t)conf->accs.nagg * n * sizeof *t->before) };
	if (stays) {
		t->entry = arena_alloc(mem, n * sizeof(struct entry *));
	} else {
		t->hash = arena_alloc(mem, n * sizeof *t->hash);
		t->key = arena_alloc(mem, n * sizeof *t->key);
		t->len = arena_alloc(mem, n * sizeof *t->len);
	}
	if (!t->fresh || !t->before || (stays ? !t->entry : !t->hash || !t->key || !t->len))
		return NULL;
	if (reduce->last)
		reduce->last->next = t;
	else
		reduce->touched = t;
	reduce->last = t;
	reduce->ntouched += n;
	return t;
}

/* Notes what the entries are found by. */
static int note_keys(struct op *op, struct touched *t, const struct reduce_rows *rows)
{
	const struct keyed *keys = &rows->keys;
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t row = rows->touched[i];
		t->hash[i] = keys->hash[row];
		t->len[i] = keys->len[row];
		t->key[i] = arena_copy(&((struct reduce *)op->state)->bundle, keys->bytes[row], t->len[i] == KEY_NULL ? 0 : t->len[i]);
		if (!t->key[i])
			return -1;
	}
	return 0;
}

int reduce_touch(struct op *op, const struct reduce_rows *rows)
{
	const struct reduce_conf *conf = op->conf;
	struct arena *mem = &((struct reduce *)op->state)->bundle;
	struct touched *t = reduce_touched(op, rows->ntouched);
	if (!t || (!t->entry && note_keys(op, t, rows)))
		return -1;
	struct entry *here[BATCH_MAX], **entry = t->entry ? t->entry : here;
	for (uint32_t i = 0; i < t->n; i++) {
		entry[i] = rows->keys.entry[rows->touched[i]];
		t->fresh[i] = rows->keys.fresh[rows->touched[i]];
	}
	if (reduce_values(op, entry, t->n, t->before, mem))
		return -1;
	for (struct value *v = t->before, *end = v + (size_t)conf->accs.nagg * t->n; v < end; v++)
		if (v->type != V_DEC && value_copy(v, v, mem))
			return -1;
	return 0;
}

/* ---- flushing ---- */

/* Some keys of the bundle, ready to be written. */
struct part {
	const struct touched *touched;
	uint32_t from, n;
	struct entry **entry;
	bool *gone;          /* it has no row left */
	struct value *after; /* [aggregate * n + key] */
	uint8_t *changed;    /* `after` is not the same as before */
};

static int take_part(const struct op *op, struct part *part)
{
	struct arena *mem = op->out->batch.mem;
	uint32_t n = part->n;
	part->entry = part->touched->entry ? part->touched->entry + part->from : arena_alloc(mem, n * sizeof(struct entry *));
	part->gone = arena_alloc(mem, n * sizeof *part->gone);
	part->after = arena_alloc(mem, (size_t)((const struct reduce_conf *)op->conf)->accs.nagg * n * sizeof *part->after);
	part->changed = arena_alloc(mem, n);
	return part->entry && part->gone && part->after && part->changed ? 0 : -1;
}

static int find_entries(const struct op *op, struct part *part)
{
	const struct touched *t = part->touched;
	uint32_t at = part->from;
	if (t->entry)
		return 0;
	return table_find(((const struct reduce *)op->state)->table, part->n, t->hash + at, t->key + at, t->len + at, false, NULL, part->entry, NULL);
}

/* Ends the bundle for the keys themselves. */
static void settle(const struct op *op, struct part *part)
{
	const struct reduce_conf *conf = op->conf;
	for (uint32_t i = 0; i < part->n; i++) {
		struct entry *entry = part->entry[i];
		entry->mark = 0;
		part->gone[i] = conf->accs.retracts && !*reduce_count(entry);
		if (part->gone[i])
			reduce_remove(op, entry);
		else if (op->ttl)
			*reduce_written(conf, entry) = op_time(op);
	}
}

/* Values now, and where they differ from those before. */
static int compare(const struct op *op, struct part *part)
{
	const struct reduce_conf *conf = op->conf;
	uint32_t n = part->n;
	if (reduce_values(op, part->entry, n, part->after, op->out->batch.mem))
		return -1;
	memset(part->changed, op->ttl != 0, n); /* with --ttl an unchanged result is written again */
	for (uint32_t a = 0; a < conf->accs.nagg; a++)
		accs_compare(part->touched->before + (size_t)a * part->touched->n + part->from, part->after + (size_t)a * n, n, part->changed);
	return 0;
}

/* The one change that the rows of the bundle come to, for each key. */
static int emit_part(const struct op *op, const struct part *part)
{
	const struct touched *t = part->touched;
	struct reduce_changes changes;
	changes.keys = (struct reduce_keys){ part->entry, t->before + part->from, part->after, t->n, part->n };
	changes.n = 0;
	for (uint32_t i = 0; i < part->n; i++) {
		bool fresh = t->fresh[part->from + i];
		if (fresh ? !part->gone[i] : part->gone[i] || part->changed[i])
			reduce_change(&changes, i, fresh ? K_I : part->gone[i] ? K_D : K_UA);
	}
	return reduce_emit(op, &changes);
}

static int flush_touched(struct op *op, const struct touched *t)
{
	struct part part = { .touched = t };
	for (; part.from < t->n; part.from += part.n) {
		part.n = reduce_room(op, t->n - part.from);
		if (!part.n)
			return -1;
		if (take_part(op, &part) || find_entries(op, &part))
			return err_memory(op->err);
		settle(op, &part);
		if (compare(op, &part))
			return err_memory(op->err);
		if (emit_part(op, &part))
			return -1;
	}
	return 0;
}

int reduce_flush(struct op *op)
{
	struct reduce *reduce = op->state;
	for (const struct touched *t = reduce->touched; t; t = t->next)
		if (flush_touched(op, t))
			return -1;
	if (!reduce->touched)
		return 0;
	if (edge_push(op->out))
		return -1;
	table_tick(reduce->table, (uint32_t)(reduce->ntouched < UINT32_MAX ? reduce->ntouched : UINT32_MAX));
	reduce->touched = reduce->last = NULL;
	reduce->ntouched = 0;
	arena_reset(&reduce->bundle);
	return 0;
}

/* ---- the result ---- */

int reduce_emit_now(const struct op *op, struct entry *const *entry, uint32_t n)
{
	const struct reduce_conf *conf = op->conf;
	struct arena *mem = op->out->batch.mem;
	struct value *now = arena_alloc(mem, (size_t)conf->accs.nagg * n * sizeof *now);
	if (!now || reduce_values(op, entry, n, now, mem))
		return err_memory(op->err);
	struct reduce_changes changes;
	changes.keys = (struct reduce_keys){ entry, now, now, n, n };
	changes.n = 0;
	for (uint32_t i = 0; i < n; i++)
		reduce_change(&changes, i, K_I);
	return reduce_emit(op, &changes);
}

/* Without a key the result is a row even of nothing. */
static int empty_result(const struct op *op)
{
	const struct reduce_conf *conf = op->conf;
	struct entry *none = arena_alloc(&((struct reduce *)op->state)->bundle, sizeof *none + conf->state_size);
	if (!none)
		return err_memory(op->err);
	memset(none, 0, sizeof *none + conf->state_size);
	return reduce_room(op, 1) ? reduce_emit_now(op, &none, 1) : -1;
}

/* The next keys that are not forgotten, up to n. */
static uint32_t next_entries(const struct op *op, uint64_t *pos, struct entry **entry, uint32_t n)
{
	const struct reduce *reduce = op->state;
	uint32_t found = 0;
	while (found < n && table_next(reduce->table, pos, &entry[found]))
		found += !op_expired(op, *reduce_written(op->conf, entry[found]));
	return found;
}

int reduce_result(struct op *op)
{
	const struct reduce_conf *conf = op->conf;
	struct entry *entry[BATCH_MAX];
	bool some = false;
	for (uint64_t pos = 0;;) {
		uint32_t room = reduce_room(op, BATCH_MAX), n = next_entries(op, &pos, entry, room);
		if (!room)
			return -1;
		if (!n)
			break;
		some = true;
		if (reduce_emit_now(op, entry, n))
			return -1;
	}
	if (!some && !conf->key.n && empty_result(op))
		return -1;
	return edge_push(op->out);
}
