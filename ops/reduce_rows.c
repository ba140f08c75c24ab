#include <string.h>

#include "ops/reduce.h"

void reduce_rows_fail(struct op *op, struct reduce_rows *rows)
{
	const struct reduce_conf *conf = op->conf;
	for (uint32_t i = 0; rows->removed && i < rows->n; i++)
		if (rows->keys.entry[i] && rows->keys.entry[i]->flags & ENTRY_DEAD)
			accs_empty(&conf->accs, reduce_block(conf, rows->keys.entry[i]));
}

int reduce_forget(struct op *op, struct entry *entry)
{
	const struct reduce_conf *conf = op->conf;
	accs_empty(&conf->accs, reduce_block(conf, entry));
	reduce_remove(op, entry);
	return 0;
}

/* Makes sure that the entry of a row is neither removed nor forgotten. */
static int renew(struct op *op, struct keyed *keys, uint32_t i)
{
	if (keys->entry[i] && keys->entry[i]->flags & ENTRY_DEAD && keyed_again(keys, i))
		return -1;
	struct entry *entry = keys->entry[i];
	if (!op->ttl || !entry || keys->fresh[i] || entry->mark || !op_expired(op, *reduce_written(op->conf, entry)))
		return 0;
	return reduce_forget(op, entry) || keyed_again(keys, i) ? -1 : 0;
}

/* Counts a row of a key that is there: the action. */
static uint8_t count_row(struct op *op, struct reduce_rows *rows, uint32_t i, bool adds)
{
	const struct reduce_conf *conf = op->conf;
	struct entry *entry = rows->keys.entry[i];
	if (!conf->accs.retracts)
		return rows->keys.fresh[i] ? ACT_FIRST : ACT_ADD;
	int64_t *n = reduce_count(entry);
	if (adds)
		return (*n)++ ? ACT_ADD : ACT_FIRST;
	if (--*n)
		return ACT_SUB;
	if (!entry->mark) {
		reduce_remove(op, entry);
		rows->removed = true;
	}
	return ACT_SUB | ACT_LAST;
}

/* One row; sets its action. */
static int act_row(struct op *op, struct reduce_rows *rows, uint32_t i, bool adds)
{
	const struct reduce_conf *conf = op->conf;
	rows->act[i] = ACT_SKIP;
	if (renew(op, &rows->keys, i))
		return -1;
	struct entry *entry = rows->keys.entry[i];
	if (!entry || (!adds && !*reduce_count(entry))) {
		rows->keys.entry[i] = NULL;
		op->ignored++;
		return 0;
	}
	if (rows->touched && !entry->mark) {
		entry->mark = 1;
		rows->touched[rows->ntouched++] = (uint16_t)i;
	}
	if (op->ttl)
		*reduce_written(conf, entry) = op_time(op);
	rows->act[i] = count_row(op, rows, i, adds);
	return conf->closing.on && rows->act[i] & ACT_FIRST ? closing_add(&((struct reduce *)op->state)->closing, entry) : 0;
}

/* For a bundle of rows that only add: nothing but which keys it touches. Without a branch: which rows are the first is a guess each time. */
static void touch_rows(struct reduce_rows *rows)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < rows->n; i++) {
		struct entry *entry = rows->keys.entry[i];
		rows->touched[n] = (uint16_t)i;
		n += !entry->mark;
		entry->mark = 1;
	}
	rows->ntouched = n;
}

/* What all rows do, where no key can go and none is forgotten. */
static void act_adding(struct reduce_rows *rows)
{
	if (rows->touched)
		touch_rows(rows);
	for (uint32_t i = 0; rows->act && i < rows->n; i++)
		rows->act[i] = rows->keys.fresh[i] ? ACT_FIRST : ACT_ADD;
}

/* Files the keys that rows which add have made with their windows. */
static int file_keys(struct op *op, const struct reduce_rows *rows)
{
	struct reduce *reduce = op->state;
	for (uint32_t i = 0; i < rows->n; i++)
		if (rows->keys.fresh[i] && closing_add(&reduce->closing, rows->keys.entry[i]))
			return -1;
	return 0;
}

int reduce_rows_find(struct op *op, const struct batch *in, struct reduce_rows *rows)
{
	const struct reduce_conf *conf = op->conf;
	*rows = (struct reduce_rows){ .in = in, .n = in->n };
	if (keyed_find(&rows->keys, ((struct reduce *)op->state)->table, &conf->key, in, conf->accs.retracts))
		return -1;
	bool plain = !conf->accs.retracts && !op->ttl, bundle = op->bundled && !op->final;
	if (bundle && !(rows->touched = arena_alloc(in->mem, rows->n * sizeof *rows->touched)))
		return -1;
	if (!(plain && conf->quiet) && !(rows->act = arena_alloc(in->mem, rows->n)))
		return -1;
	if (plain) {
		act_adding(rows);
		if (conf->closing.on && file_keys(op, rows))
			return -1;
	} else {
		memset(rows->act, ACT_SKIP, rows->n);
		for (uint32_t i = 0; i < rows->n; i++)
			if (act_row(op, rows, i, keyed_adds(&rows->keys, i)))
				return -1;
	}
	return rows->ntouched ? reduce_touch(op, rows) : 0;
}
