/* Bundles. Behind --minibatch rows only change the lists; what a key showed when the bundle began is kept, and the flush writes the difference.
 * Under --final nothing is sent before the end, which writes all that is shown. */
#include <string.h>

#include "ops/topn.h"

/* ---- the keys of the bundle -------------------------------------------------------------- */

struct topn_touched *topn_touched_new(struct op *op, const char *key, uint32_t len, uint64_t hash)
{
	struct topn *s = topn_state(op);
	if (s->ntouched == s->touched_cap) {
		uint32_t cap = s->touched_cap ? 2 * s->touched_cap : 16;
		struct topn_touched *more = mem_resize(op->mem, s->touched, s->touched_cap * sizeof *more, cap * sizeof *more);
		if (!more) {
			err_memory(op->err);
			return NULL;
		}
		s->touched = more;
		s->touched_cap = cap;
	}
	const char *copy = arena_copy(&s->bundle, key, len == KEY_NULL ? 0 : len);
	if (!copy) {
		err_memory(op->err);
		return NULL;
	}
	struct topn_touched *touched = &s->touched[s->ntouched++];
	*touched = (struct topn_touched){ .key = copy, .len = len, .hash = hash };
	return touched;
}

int topn_touched_add(struct op *op, struct topn_touched *touched, struct row *row, int64_t number)
{
	if (touched->n == touched->cap) {
		uint64_t cap = touched->cap ? 2 * touched->cap : 4;
		struct topn_shown *more = arena_alloc(&topn_state(op)->bundle, cap * sizeof *more);
		if (!more)
			return err_memory(op->err);
		if (touched->n)
			memcpy(more, touched->row, touched->n * sizeof *more);
		touched->row = more;
		touched->cap = cap;
	}
	touched->row[touched->n++] = (struct topn_shown){ row, number };
	return 0;
}

/* Rows from..to by position. */
static int list_numbers(struct op *op, const struct topn_group *group, struct topn_touched *touched)
{
	const struct ordset_item *run;
	uint32_t n;
	uint64_t to = group->to < 0 ? 0 : (uint64_t)group->to;
	for (uint64_t at = (uint64_t)topn_conf(op)->ast.from - 1; at < to && (run = ordset_run(&group->set, at, &n)); at += n)
		for (uint32_t i = 0; i < n && at + i < to; i++)
			if (topn_touched_add(op, touched, run[i].row, (int64_t)(at + i) + 1))
				return -1;
	return 0;
}

/* Groups of ranks from..to. */
static int list_ranks(struct op *op, const struct topn_group *group, struct topn_touched *touched)
{
	const struct topn_conf *conf = topn_conf(op);
	struct topn_place place = { 0, 1 };
	if (!topn_rank_seek(conf, group, &place, conf->ast.from))
		return 0;
	while (place.at < group->set.n && place.number <= group->to) {
		struct topn_place next = place;
		topn_rank_next(conf, group, &next);
		for (uint64_t at = place.at; at < next.at; at++)
			if (topn_touched_add(op, touched, ordset_at(&group->set, at)->row, place.number))
				return -1;
		place = next;
	}
	return 0;
}

/* What the key shows now. */
static int list_shown(struct op *op, struct entry *entry, struct topn_touched *touched)
{
	const struct topn_conf *conf = topn_conf(op);
	if (conf->variant == TOPN_FIRST)
		return 0;
	if (conf->variant == TOPN_ONE) {
		const struct topn_single *state = entry_state(entry);
		return state->held.row ? topn_touched_add(op, touched, state->held.row, 1) : 0;
	}
	const struct topn_group *group = entry_state(entry);
	return conf->ast.rank == RANK_ROW ? list_numbers(op, group, touched) : list_ranks(op, group, touched);
}

/* Rows that the bundle has shown outlive their place in the list. */
static void pin(struct topn_touched *touched, bool pinned)
{
	for (uint64_t i = 0; i < touched->n; i++)
		touched->row[i].row->pinned = pinned;
}

int topn_touch(struct op *op, const struct topn_in *in, struct entry *entry, uint32_t r)
{
	struct topn *s = topn_state(op);
	if (entry->mark)
		return 0;
	struct topn_touched *touched = topn_touched_new(op, in->keys.bytes[r], in->keys.len[r], in->keys.hash[r]);
	if (!touched)
		return -1;
	touched->owned = topn_conf(op)->variant == TOPN_FIRST;
	entry->mark = s->ntouched;
	int status = list_shown(op, entry, touched);
	pin(touched, true);
	return status;
}

void topn_bundle_drop(struct op *op)
{
	struct topn *s = topn_state(op);
	for (uint32_t i = 0; i < s->ntouched; i++)
		for (uint64_t k = 0; s->touched[i].owned && k < s->touched[i].n; k++)
			row_free(s->touched[i].row[k].row, op->mem);
	s->ntouched = 0;
}

/* ---- the difference ---------------------------------------------------------------------- */

/* Rank by rank: pairs, then the tail. */
static int send_by_rank(struct op *op, const struct topn_touched *old, const struct topn_touched *new)
{
	uint64_t both = old->n < new->n ? old->n : new->n;
	for (uint64_t i = 0; i < both; i++)
		if (topn_emit_pair(op, &old->row[i], &new->row[i]))
			return -1;
	for (uint64_t i = both; i < new->n; i++)
		if (topn_emit(op, K_I, new->row[i].row, new->row[i].number))
			return -1;
	for (uint64_t i = both; i < old->n; i++)
		if (topn_emit(op, K_D, old->row[i].row, old->row[i].number))
			return -1;
	return 0;
}

/* Which rows of the old list are in the new one, each with its partner: equal rows are matched one to one, in order. Old rows of one hash hang
 * in a chain at the slot of their leader, the last of them; so a million equal rows cost no more than others. */
struct match {
	uint64_t mask;
	uint64_t *slot;  /* open addressing: leader + 1; 0: free */
	uint64_t *hash;  /* of old rows */
	uint64_t *head;  /* by leader: first of the chain + 1; 0: all are matched */
	uint64_t *next;  /* of old rows, + 1 */
	uint64_t *with;  /* of new rows: the old one + 1; 0: none */
	bool *stays;     /* of old rows */
};

static uint64_t whole_hash(const struct op *op, const struct row *row)
{
	uint32_t ncol = topn_conf(op)->ncol;
	struct column *scratch = topn_state(op)->scratch;
	for (uint32_t c = 0; c < ncol; c++)
		scratch[c] = (struct column){ .v = (struct value *)&row->v[c] };
	struct batch one = { .n = 1, .ncol = ncol, .col = scratch };
	return row_hash_batch(&one, 0, ncol);
}

static int match_alloc(struct op *op, struct match *m, uint64_t old, uint64_t new)
{
	struct arena *mem = &topn_state(op)->bundle;
	uint64_t slots = 8;
	while (slots < 2 * old)
		slots *= 2;
	uint64_t *all = arena_alloc(mem, (slots + 3 * old + new) * sizeof *all);
	m->stays = arena_alloc(mem, old + 1);
	if (!all || !m->stays) {
		err_memory(op->err);
		return -1;
	}
	memset(all, 0, (slots + 3 * old + new) * sizeof *all);
	memset(m->stays, 0, old + 1);
	m->mask = slots - 1;
	m->slot = all;
	m->hash = all + slots;
	m->head = m->hash + old;
	m->next = m->head + old;
	m->with = m->next + old;
	return 0;
}

/* The slot of a hash: of its leader, or a free one. */
static uint64_t *slot_of(const struct match *m, uint64_t hash)
{
	uint64_t at = hash & m->mask;
	while (m->slot[at] && m->hash[m->slot[at] - 1] != hash)
		at = (at + 1) & m->mask;
	return &m->slot[at];
}

static int match_lists(struct op *op, const struct topn_touched *old, const struct topn_touched *new, struct match *m)
{
	if (match_alloc(op, m, old->n, new->n))
		return -1;
	for (uint64_t i = old->n; i-- > 0;) {
		m->hash[i] = whole_hash(op, old->row[i].row);
		uint64_t *slot = slot_of(m, m->hash[i]);
		if (!*slot)
			*slot = i + 1;
		m->next[i] = m->head[*slot - 1];
		m->head[*slot - 1] = i + 1;
	}
	for (uint64_t i = 0; i < new->n; i++) {
		const uint64_t *slot = slot_of(m, whole_hash(op, new->row[i].row));
		uint64_t *at = *slot ? &m->head[*slot - 1] : NULL;
		while (at && *at && !topn_same(topn_conf(op), old->row[*at - 1].row, new->row[i].row))
			at = &m->next[*at - 1];
		if (!at || !*at)
			continue;
		m->with[i] = *at;
		m->stays[*at - 1] = true;
		*at = m->next[*at - 1];
	}
	return 0;
}

/* Row by row: what leaves, then what has another rank, then what enters. */
static int send_by_row(struct op *op, const struct topn_touched *old, const struct topn_touched *new)
{
	struct match m = { 0 };
	if (match_lists(op, old, new, &m))
		return -1;
	for (uint64_t i = 0; i < old->n; i++)
		if (!m.stays[i] && topn_emit(op, K_D, old->row[i].row, old->row[i].number))
			return -1;
	for (uint64_t i = 0; i < new->n && topn_conf(op)->ast.rank != RANK_ROW; i++)
		if (m.with[i] && topn_emit_pair(op, &old->row[m.with[i] - 1], &new->row[i]))
			return -1;
	for (uint64_t i = 0; i < new->n; i++)
		if (!m.with[i] && topn_emit(op, K_I, new->row[i].row, new->row[i].number))
			return -1;
	return 0;
}

int topn_send_difference(struct op *op, const struct topn_touched *old, const struct topn_touched *new)
{
	return topn_conf(op)->ranked ? send_by_rank(op, old, new) : send_by_row(op, old, new);
}

/* ---- flush and result -------------------------------------------------------------------- */

static bool is_empty(const struct op *op, struct entry *entry)
{
	if (topn_conf(op)->variant != TOPN_RETRACT)
		return false;
	const struct topn_group *group = entry_state(entry);
	return !group->set.n;
}

static int flush_key(struct op *op, struct topn_touched *old)
{
	const struct topn_conf *conf = topn_conf(op);
	struct topn *s = topn_state(op);
	struct topn_touched new = { .n = 0 };
	struct entry *entry;
	uint8_t fresh;
	if (table_find(s->table, 1, &old->hash, &old->key, &old->len, false, NULL, &entry, &fresh))
		return err_memory(op->err);
	if (entry && list_shown(op, entry, &new))
		return -1;
	if (entry)
		entry->mark = 0;
	if (entry && conf->closing.on)
		op->out->at = closing_end(&s->closing, entry) - 1;
	if (conf->variant == TOPN_FIRST)
		return send_by_rank(op, &new, old);
	if (topn_send_difference(op, old, &new))
		return -1;
	if (!entry || !is_empty(op, entry))
		return 0;
	if (topn_drop(op, entry))
		return -1;
	topn_remove(op, entry);
	return 0;
}

/* Rows that were this bundle's own die with it, but are on the way to the consumer until the next call. */
static int bury_owned(struct op *op)
{
	struct topn *s = topn_state(op);
	for (uint32_t i = 0; i < s->ntouched; i++) {
		struct topn_touched *touched = &s->touched[i];
		if (touched->owned && topn_reserve(op, touched->n))
			return -1;
		for (; touched->owned && touched->n; touched->n--)
			topn_bury(s, touched->row[touched->n - 1].row);
	}
	return 0;
}

int topn_flush(struct op *op)
{
	struct topn *s = topn_state(op);
	if (!s->ntouched)
		return 0;
	for (uint32_t i = 0; i < s->ntouched; i++)
		if (flush_key(op, &s->touched[i]))
			return -1;
	for (uint32_t i = 0; i < s->ntouched; i++)
		pin(&s->touched[i], false);
	if (bury_owned(op))
		return -1;
	s->ntouched = 0;
	arena_reset(&s->bundle);
	table_tick(s->table, 0);
	return 0;
}

int topn_send_shown(struct op *op, struct entry *entry)
{
	struct topn_touched shown = { .n = 0 };
	arena_reset(&topn_state(op)->bundle);
	if (list_shown(op, entry, &shown))
		return -1;
	for (uint64_t i = 0; i < shown.n; i++)
		if (topn_emit(op, K_I, shown.row[i].row, shown.row[i].number))
			return -1;
	return 0;
}

int topn_result(struct op *op)
{
	struct topn *s = topn_state(op);
	struct entry *entry;
	topn_free_dead(op);
	for (uint64_t pos = 0; table_next(s->table, &pos, &entry);)
		if (topn_alive(entry) && !topn_expired(op, entry) && topn_send_shown(op, entry))
			return -1;
	return 0;
}
