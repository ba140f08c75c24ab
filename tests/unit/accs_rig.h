/* Random lists of aggregates and random rows for them, cut into panes; each pane is a block, and one has all rows. */
#ifndef ACCS_RIG_H
#define ACCS_RIG_H
#include "ops/accs.h"
#include "ops/state/snapshot.h"
#include "parse/lang/parse.h"
#include "rig.h"

enum { PANES = 5, ROWS = 60, AGGS = 6, CELLS = 3 };

/* What the rows are like. */
enum mode {
	INSERTS,  /* only added */
	APART,    /* taken back by the pane that has them; no x in two panes */
	SHARED,   /* the same, and panes have equal x */
	NEGATIVE, /* taken back in any pane, before or after they come */
	MODES,
};

/* An aggregate, and up to which mode panes say what one block says: where order matters, taking back a row goes by pane, and a separator of another
 * row's does not come back. */
static const struct subject {
	const char *text;
	enum mode last;
} subjects[] = {
	{ "count", NEGATIVE },
	{ "count(x)", NEGATIVE },
	{ "sum(x)", NEGATIVE },
	{ "avg(x)", NEGATIVE },
	{ "min(x)", NEGATIVE },
	{ "max(y)", NEGATIVE },
	{ "var(x)", NEGATIVE },
	{ "stddev_pop(y)", NEGATIVE },
	{ "p50(x)", NEGATIVE },
	{ "quantile(x, 0.3)", NEGATIVE },
	{ "any(b)", NEGATIVE },
	{ "all(b)", NEGATIVE },
	{ "count(distinct x)", NEGATIVE },
	{ "count(distinct x) where b", NEGATIVE },
	{ "sum(distinct x)", NEGATIVE },
	{ "sum(distinct x) where y > 1", NEGATIVE },
	{ "avg(distinct if(b, x, y))", NEGATIVE },
	{ "var(distinct x)", NEGATIVE },
	{ "p90(distinct y)", NEGATIVE },
	{ "quantile(distinct x, 0.7)", NEGATIVE },
	{ "count(distinct lower(x))", NEGATIVE },
	{ "max(distinct x)", NEGATIVE },
	{ "join(distinct x)", SHARED },
	{ "join(distinct x) where b", SHARED },
	{ "first(distinct x)", SHARED },
	{ "last(distinct x)", SHARED },
	{ "last(distinct x) where y > 1", SHARED },
	{ "join(distinct y, ';')", SHARED },
	{ "first(x)", APART },
	{ "last(x) where b", APART },
	{ "join(x)", APART },
	{ "argmin(x, y)", APART },
	{ "argmax(x, y)", APART },
	{ "join(x, y)", INSERTS },
	{ "join(distinct x, y)", INSERTS },
	{ "join(distinct x, y) where b", INSERTS },
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

struct row {
	char cell[CELLS][20]; /* x y b; "\N" is NULL */
	uint32_t pane;
	uint8_t act[2];      /* in its pane, in one block of all */
};

struct trial {
	struct rig rig;
	struct op op;
	struct named_list list;
	struct key key;
	struct accs accs;
	enum mode mode;
	char text[400];
	struct row row[ROWS];
	uint32_t n;
	void *pane[PANES], *whole, *stepped;
};

/* ---- rows ---- */

static inline void random_list(struct trial *t, uint64_t *seed)
{
	t->text[0] = '\0';
	for (uint32_t n = 1 + rig_random(seed, AGGS); n;) {
		const struct subject *s = &subjects[rig_random(seed, SUBJECTS)];
		if (s->last < t->mode)
			continue;
		strcat(strcat(t->text, t->text[0] ? ", " : ""), s->text);
		n--;
	}
}

static inline void random_row(const struct trial *t, uint32_t pane, uint64_t *seed, struct row *row)
{
	static const char *const number[] = { "1", "1.0", "2", "-3", "0.25", "9007199254740993", "4", "\\N" };
	static const char *const truth[] = { "true", "false", "\\N" };
	*row = (struct row){ .pane = pane };
	strcpy(row->cell[0], rig_random(seed, 6) ? "x" : "\\N");
	if (row->cell[0][0] == 'x' && t->mode == APART)
		snprintf(row->cell[0], sizeof row->cell[0], "%u.%u", pane + 1, rig_random(seed, 5));
	else if (row->cell[0][0] == 'x')
		snprintf(row->cell[0], sizeof row->cell[0], "%s", number[rig_random(seed, 8)]);
	snprintf(row->cell[1], sizeof row->cell[1], "%s", number[rig_random(seed, 8)]);
	strcpy(row->cell[2], truth[rig_random(seed, 3)]);
}

/* A row of the pane that is there; -1: none. */
static inline int some_row(const struct trial *t, const bool *gone, uint32_t pane, uint64_t *seed)
{
	int at[ROWS], n = 0;
	for (uint32_t i = 0; i < t->n; i++)
		if (!gone[i] && t->row[i].pane == pane)
			at[n++] = (int)i;
	return n ? at[rig_random(seed, (uint32_t)n)] : -1;
}

/* Actions as reduce has them: a block that gets its first row, one that loses its last. */
static inline void act(uint8_t *out, int *count, bool adds)
{
	*out = adds ? *count ? ACT_ADD : ACT_FIRST : ACT_SUB;
	*count += adds ? 1 : -1;
	if (!adds && !*count)
		*out |= ACT_LAST;
}

static inline void random_rows(struct trial *t, uint64_t *seed)
{
	bool gone[ROWS] = { 0 };
	int all = 0;
	t->n = 0;
	for (uint32_t pane = 0; pane < PANES; pane++) {
		int here = 0;
		for (uint32_t n = rig_random(seed, ROWS / PANES); n; n--) {
			struct row *row = &t->row[t->n];
			int back = t->mode == INSERTS || t->mode == NEGATIVE || rig_random(seed, 5) > 1 ? -1 : some_row(t, gone, pane, seed);
			random_row(t, pane, seed, row);
			if (back >= 0) {
				*row = t->row[back];
				gone[back] = gone[t->n] = true;
			}
			act(&row->act[0], &here, back < 0);
			act(&row->act[1], &all, back < 0);
			if (t->mode == NEGATIVE)
				row->act[0] = row->act[1] = rig_random(seed, 5) < 2 ? ACT_SUB : ACT_ADD;
			t->n++;
		}
	}
}

/* ---- into blocks ---- */

static inline struct value cell(const char *text)
{
	return strcmp(text, "\\N") ? value_raw(text, (uint32_t)strlen(text)) : value_null();
}

static inline struct batch batch_of(struct trial *t, const uint32_t *which, uint32_t n)
{
	struct batch batch = { .n = n, .ncol = CELLS, .mem = &t->rig.scratch };
	batch.col = arena_alloc(&t->rig.scratch, CELLS * sizeof *batch.col);
	for (uint32_t c = 0; batch.col && c < CELLS; c++) {
		batch.col[c] = (struct column){ .v = arena_alloc(&t->rig.scratch, (n + 1) * sizeof(struct value)) };
		for (uint32_t i = 0; batch.col[c].v && i < n; i++)
			batch.col[c].v[i] = cell(t->row[which[i]].cell[c]);
		if (!batch.col[c].v)
			batch.col = NULL;
	}
	return batch;
}

/* Rows which[0 .. n - 1] as one batch, each into its block. */
static inline int put(struct trial *t, const uint32_t *which, uint32_t n, void *const *block, const uint8_t *acts, bool step)
{
	struct batch batch = batch_of(t, which, n);
	struct accs_input input;
	uint32_t cut = n / 3;
	int status = !batch.col || accs_input(&t->accs, &batch, &input);
	if (!status && !step)
		status = accs_update(&t->accs, &input, 0, cut, block, acts) || accs_update(&t->accs, &input, cut, n - cut, block + cut, acts ? acts + cut : NULL);
	if (!status && step) {
		struct value *before = arena_alloc(&t->rig.scratch, 2 * t->accs.nagg * n * sizeof *before), *after = before + t->accs.nagg * n;
		uint8_t *changed = arena_alloc(&t->rig.scratch, n);
		status = !before || !changed || accs_step(&t->accs, &input, 0, n, block, acts, before, after, changed);
		for (uint32_t i = 0; !status && i + 1 < n; i++)
			for (uint32_t a = 0; a < t->accs.nagg; a++) {
				bool counts = block[i] && block[i + 1] && !(acts && (acts[i + 1] & ACT_FIRST || acts[i] & ACT_LAST));
				ck_assert(!counts || value_same(&after[a * n + i], &before[a * n + i + 1]));
				ck_assert(changed[i] || !block[i] || value_same(&after[a * n + i], &before[a * n + i]));
			}
	}
	arena_reset(&t->rig.scratch);
	return status ? -1 : 0;
}

/* All rows in order, into one block; rows without one in between. */
static inline int put_whole(struct trial *t, void *whole, bool step, uint64_t *seed)
{
	for (uint32_t from = 0, n; from < t->n; from += n) {
		uint32_t which[ROWS];
		void *block[ROWS];
		uint8_t acts[ROWS];
		uint32_t m = 0;
		n = 1 + rig_random(seed, t->n - from);
		for (uint32_t i = 0; i < n; i++) {
			if (m + n - i < ROWS && !rig_random(seed, 8)) {
				which[m] = rig_random(seed, t->n);
				acts[m] = ACT_SKIP;
				block[m++] = NULL;
			}
			which[m] = from + i;
			acts[m] = t->row[from + i].act[1];
			block[m++] = whole;
		}
		if (put(t, which, m, block, t->accs.retracts || step || rig_random(seed, 2) ? acts : NULL, step))
			return -1;
	}
	return 0;
}

/* The rows of all panes mixed, those of each in order. */
static inline int put_panes(struct trial *t, uint64_t *seed)
{
	bool done[ROWS] = { 0 };
	for (uint32_t left = t->n, n; left; left -= n) {
		uint32_t which[ROWS];
		void *block[ROWS];
		uint8_t acts[ROWS];
		n = 1 + rig_random(seed, left);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t r = rig_random(seed, t->n);
			while (done[r])
				r = (r + 1) % t->n;
			for (uint32_t k = 0; k < r; k++)
				if (!done[k] && t->row[k].pane == t->row[r].pane)
					r = k;
			done[r] = true;
			which[i] = r;
			block[i] = t->pane[t->row[r].pane];
			acts[i] = t->row[r].act[0];
		}
		if (put(t, which, n, block, t->accs.retracts ? acts : NULL, false))
			return -1;
	}
	return 0;
}

/* ---- life ---- */

static inline void *new_block(struct trial *t)
{
	return mem_alloc(&t->rig.mem, t->accs.size);
}

static inline void free_block(struct trial *t, void *block)
{
	if (!block)
		return;
	accs_empty(&t->accs, block);
	for (size_t i = 0; i < t->accs.size; i++)
		if (((char *)block)[i])
			ck_abort_msg("-r '%s' leaves something behind", t->text);
	mem_free(&t->rig.mem, block, t->accs.size);
}

static inline void open_trial(struct trial *t)
{
	rig_init(&t->rig, "xyb", t->mode == INSERTS ? 0 : S_U | S_D);
	t->op = (struct op){ .mem = &t->rig.mem, .plan = &t->rig.plan, .err = &t->rig.err };
	t->key = (struct key){ 0 };
	ck_assert_msg(!parse_reduce("-r", t->text, &t->rig.plan, &t->list, &t->rig.err), "%s", t->rig.err.text);
	ck_assert_msg(!accs_bind(&t->accs, &t->op, &t->list, &t->key, &t->rig.in, &t->rig.err), "%s", t->rig.err.text);
	ck_assert_uint_eq(t->accs.size % 8, 0);
	t->whole = t->stepped = NULL;
	memset(t->pane, 0, sizeof t->pane);
}

static inline int make_blocks(struct trial *t)
{
	for (uint32_t i = 0; i < PANES; i++)
		if (!(t->pane[i] = new_block(t)))
			return -1;
	t->whole = new_block(t);
	t->stepped = new_block(t);
	return t->whole && t->stepped ? 0 : -1;
}

static inline void close_trial(struct trial *t)
{
	for (uint32_t i = 0; i < PANES; i++)
		free_block(t, t->pane[i]);
	free_block(t, t->whole);
	free_block(t, t->stepped);
	rig_close(&t->rig);
}

#endif
