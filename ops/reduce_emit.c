#include "ops/reduce.h"

int reduce_values(const struct op *op, struct entry *const *entry, uint32_t n, struct value *out, struct arena *mem)
{
	const struct reduce_conf *conf = op->conf;
	void *block[BATCH_MAX];
	for (uint32_t i = 0; i < n; i++)
		block[i] = reduce_block(conf, entry[i]);
	return accs_values(&conf->accs, block, n, out, mem);
}

/* Two rows for each key. */
uint32_t reduce_room(const struct op *op, uint32_t most)
{
	struct edge *out = op->out;
	uint32_t n = most < out->max / 2 ? most : out->max / 2;
	return out->batch.n + 2 * n <= out->max || !edge_push(out) ? n : 0;
}

static void add_rows(const struct op *op, const struct reduce_changes *changes, bool pairs)
{
	const struct reduce *reduce = op->state;
	struct edge *out = op->out;
	for (uint32_t i = 0; i < changes->n; i++) {
		if (reduce->closing.conf)
			out->at = closing_end(&reduce->closing, changes->keys.entry[changes->at[i]]) - 1;
		if (changes->kind[i] == K_UA && pairs)
			edge_add(out, K_UB | K_PAIR);
		edge_add(out, changes->kind[i]);
	}
}

/* A column of the key: the same in both rows of an update. */
static void fill_key(struct value *to, const struct reduce_changes *changes, bool pairs, const struct value *key, uint32_t stride)
{
	for (uint32_t i = 0; i < changes->n; i++, key += stride) {
		if (changes->kind[i] == K_UA && pairs)
			*to++ = *key;
		*to++ = *key;
	}
}

static void fill_values(struct value *to, const struct reduce_changes *changes, bool pairs, const struct value *before, const struct value *after)
{
	for (uint32_t i = 0; i < changes->n; i++) {
		uint32_t at = changes->at[i];
		if (changes->kind[i] == K_D || (changes->kind[i] == K_UA && pairs))
			*to++ = before[at];
		if (changes->kind[i] != K_D)
			*to++ = after[at];
	}
}

static int fill_keys(const struct op *op, const struct reduce_changes *changes, uint32_t row)
{
	const struct reduce_conf *conf = op->conf;
	uint32_t nkey = conf->key.n;
	struct value *key = arena_alloc(op->out->batch.mem, (size_t)nkey * changes->n * sizeof *key);
	if (!key)
		return -1;
	for (uint32_t i = 0; i < changes->n; i++) {
		uint32_t len;
		const struct entry *entry = changes->keys.entry[changes->at[i]];
		const char *bytes = entry_key(((const struct reduce *)op->state)->table, entry, &len);
		key_values(&conf->key, bytes, len, entry->flags & ENTRY_CLEAN, key + (size_t)i * nkey);
	}
	for (uint32_t c = 0; c < nkey; c++)
		if (edge_col(op->out, c))
			fill_key(edge_col(op->out, c) + row, changes, op->before, key + c, nkey);
	return 0;
}

int reduce_emit(const struct op *op, const struct reduce_changes *changes)
{
	const struct reduce_conf *conf = op->conf;
	uint32_t row = op->out->batch.n, nkey = conf->key.n;
	if (nkey && fill_keys(op, changes, row))
		return err_memory(op->err);
	const struct reduce_keys *keys = &changes->keys;
	for (uint32_t a = 0; a < conf->accs.nagg; a++) {
		struct value *col = edge_col(op->out, nkey + a);
		if (col)
			fill_values(col + row, changes, op->before, keys->before + a * keys->nbefore, keys->after + a * keys->nafter);
	}
	add_rows(op, changes, op->before);
	return 0;
}
