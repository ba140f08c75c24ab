/* A model of topn: it keeps all rows and sorts them anew. For t_topn_random.c. */
#ifndef TOPN_MODEL_H
#define TOPN_MODEL_H
#include "topn_rig.h"

enum { KEYS = 3, IDS = 8, VALUES = 5, ROWS_MAX = 4096 };

/* A row k i x; x -1 is NULL. */
struct fact {
	int k, i, x;
	int64_t seq;
};

enum shape { INSERTS, IMPROVES, CHANGES, IMPROVES_NULL };
enum numbering { NUMBER, RANK, DENSE };

struct variant {
	const char *text;
	enum numbering numbering;
	int from, to;
	bool sorted, desc, last, shown, global;
};

static const struct variant variants[] = {
	{ "3 by x as r", NUMBER, 1, 3, .sorted = true, .shown = true },
	{ "3 by x desc", NUMBER, 1, 3, .sorted = true, .desc = true },
	{ "1 by x desc", NUMBER, 1, 1, .sorted = true, .desc = true },
	{ "1 by x as r", NUMBER, 1, 1, .sorted = true, .shown = true, .global = true },
	{ "2..4 by x desc as r", NUMBER, 2, 4, .sorted = true, .desc = true, .shown = true },
	{ "2..4 by x", NUMBER, 2, 4, .sorted = true },
	{ "all by x desc as r", NUMBER, 1, 1 << 30, .sorted = true, .desc = true, .shown = true },
	{ "all by x", NUMBER, 1, 1 << 30, .sorted = true, .global = true },
	{ "2", NUMBER, 1, 2, .sorted = false },
	{ "2..3 as r", NUMBER, 2, 3, .shown = true },
	{ "last 1", NUMBER, 1, 1, .last = true },
	{ "last 3 as r", NUMBER, 1, 3, .last = true, .shown = true },
	{ "last 2 by x", NUMBER, 1, 2, .sorted = true, .last = true },
	{ "last 2 by x desc as r", NUMBER, 1, 2, .sorted = true, .desc = true, .last = true, .shown = true },
	{ "2 rank by x as r", RANK, 1, 2, .sorted = true, .shown = true },
	{ "4 rank by x desc", RANK, 1, 4, .sorted = true, .desc = true, .global = true },
	{ "2..5 rank by x as r", RANK, 2, 5, .sorted = true, .shown = true },
	{ "3..6 rank by x", RANK, 3, 6, .sorted = true },
	{ "all rank by x as r", RANK, 1, 1 << 30, .sorted = true, .shown = true },
	{ "2 dense_rank by x as r", DENSE, 1, 2, .sorted = true, .shown = true },
	{ "3 dense_rank by x desc", DENSE, 1, 3, .sorted = true, .desc = true },
	{ "2..3 dense_rank by x as r", DENSE, 2, 3, .sorted = true, .shown = true, .global = true },
	{ "3..4 dense_rank by x", DENSE, 3, 4, .sorted = true },
	{ "last 2 dense_rank by x as r", DENSE, 1, 2, .sorted = true, .last = true, .shown = true },
};
enum { VARIANTS = sizeof variants / sizeof *variants };

struct model {
	const struct variant *v;
	enum shape shape;
	struct fact row[ROWS_MAX];
	uint32_t n;
	int64_t seq;
	uint64_t stray;
};

static void put_fact(struct buf *out, const char *kind, struct fact f)
{
	if (f.x < 0)
		buf_printf(out, "%s k%d i%d \\N;", kind, f.k, f.i);
	else
		buf_printf(out, "%s k%d i%d %d;", kind, f.k, f.i, f.x);
}

static int order(const struct variant *v, const struct fact *a, const struct fact *b)
{
	int o = !v->sorted ? 0 : a->x < b->x ? -1 : a->x > b->x; /* NULL is -1: the least, as it should be */
	if (!o)
		o = a->seq < b->seq ? -1 : 1;
	else if (v->desc)
		o = -o;
	return v->last ? -o : o;
}

static void insert(struct model *m, struct fact f)
{
	f.seq = ++m->seq;
	m->row[m->n++] = f;
}

static bool take(struct model *m, struct fact f)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (m->row[i].k == f.k && m->row[i].i == f.i && m->row[i].x == f.x) {
			memmove(&m->row[i], &m->row[i + 1], (--m->n - i) * sizeof f);
			return true;
		}
	return false;
}

static struct fact random_fact(uint64_t *seed)
{
	struct fact f = { (int)rig_random(seed, KEYS), (int)rig_random(seed, IDS), (int)rig_random(seed, VALUES + 1) - 1, 0 };
	return f;
}

/* One record k, i whose x only rises (falls, where small ones are the best). With an unchanged sort key it keeps its place, but for last N it is
 * the newest. */
static void improve(struct model *m, uint64_t *seed, struct buf *rows)
{
	struct fact f = random_fact(seed);
	f.x = m->shape == IMPROVES_NULL && rig_random(seed, 3) == 0 ? -1 : 100 + (int)rig_random(seed, 3);
	for (uint32_t i = 0; i < m->n; i++) {
		struct fact *old = &m->row[i];
		if (old->k != f.k || old->i != f.i)
			continue;
		bool up = m->v->desc != m->v->last;
		if (old->x >= 0)
			f.x = old->x + (up ? 1 : -1) * (int)rig_random(seed, 3);
		put_fact(rows, "-U", *old);
		put_fact(rows, "+U", f);
		if (f.x != old->x || !m->v->sorted || m->v->last) {
			take(m, *old);
			insert(m, f);
		}
		return;
	}
	insert(m, f);
	put_fact(rows, "+I", f);
}

/* Rows come and go, equal ones, too; some go that were never there. */
static void change(struct model *m, uint64_t *seed, struct buf *rows)
{
	struct fact f = random_fact(seed);
	if (m->n && rig_random(seed, 2)) {
		struct fact old = m->row[rig_random(seed, m->n)];
		take(m, old);
		if (rig_random(seed, 2)) {
			put_fact(rows, "-D", old);
			return;
		}
		f.k = old.k;
		put_fact(rows, "-U", old);
		put_fact(rows, "+U", f);
		insert(m, f);
	} else if (rig_random(seed, 8) == 0) {
		put_fact(rows, "-D", f);
		m->stray += !take(m, f);
	} else {
		put_fact(rows, "+I", f);
		insert(m, f);
	}
}

static void step(struct model *m, uint64_t *seed, struct buf *rows)
{
	if (m->shape == INSERTS) {
		struct fact f = random_fact(seed);
		insert(m, f);
		put_fact(rows, "+I", f);
	} else if (m->shape != CHANGES) {
		improve(m, seed, rows);
	} else {
		change(m, seed, rows);
	}
}

/* The rows of one key in order, those of rank from..to as lines. */
static void show_key(const struct model *m, int k, struct buf *out)
{
	static struct fact row[ROWS_MAX];
	uint32_t n = 0;
	for (uint32_t i = 0; i < m->n; i++) {
		if (!m->v->global && m->row[i].k != k)
			continue;
		uint32_t at = n++;
		for (; at && order(m->v, &m->row[i], &row[at - 1]) < 0; at--)
			row[at] = row[at - 1];
		row[at] = m->row[i];
	}
	int number = 0;
	for (uint32_t i = 0; i < n; i++) {
		bool equal = i && m->v->sorted && row[i].x == row[i - 1].x;
		number = m->v->numbering == DENSE ? number + !equal : m->v->numbering == RANK && equal ? number : (int)i + 1;
		if (number < m->v->from || number > m->v->to)
			continue;
		put_fact(out, "", row[i]);
		if (m->v->shown) {
			out->n--;
			buf_printf(out, " %d;", number);
		}
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lines sorted, so that two sets can be compared. */
static void sort_lines(struct buf *text)
{
	static char *line[ROWS_MAX], copy[1 << 18];
	uint32_t n = 0;
	buf_putc(text, '\0');
	ck_assert_uint_lt(text->n, sizeof copy);
	memcpy(copy, text->p, text->n);
	for (char *p = copy, *end; *p; p = end + 1) {
		end = strchr(p, ';');
		*end = '\0';
		line[n++] = p;
	}
	qsort(line, n, sizeof *line, by_text);
	text->n = 0;
	for (uint32_t i = 0; i < n; i++)
		buf_printf(text, "%s;", line[i]);
	buf_putc(text, '\0');
}

/* Applies "+I k0 i1 3 1;..." to a set of lines " k0 i1 3 1;"; what goes must be there. No pair of two equal rows. */
static void apply(struct buf *set, const char *rows)
{
	const char *gone = NULL;
	for (const char *end; *rows; rows = end + 1) {
		end = strchr(rows, ';');
		size_t n = (size_t)(end + 1 - rows) - 2;
		const char *line = rows + 2;
		if (*rows == '+') {
			ck_assert_msg(rows[1] == 'I' || !gone || strncmp(gone, line, n) != 0, "equal pair %.*s", (int)n, line);
			buf_put(set, line, n);
			continue;
		}
		gone = rows[1] == 'U' ? line : NULL;
		char *at = set->n ? memmem(set->p, set->n, line, n) : NULL;
		ck_assert_msg(at, "%.*s goes, but is not there", (int)n, line);
		memmove(at, at + n, set->n - (size_t)(at + n - set->p));
		set->n -= n;
	}
}

static struct job job_of(const struct variant *v, enum shape shape)
{
	struct job job = JOB("kix", v->global ? NULL : "k", v->text, 0);
	job.kinds = shape == INSERTS ? 0 : shape == CHANGES ? S_U | S_D : S_U;
	if (job.kinds == S_U) {
		job.unique = "ki";
		job.trend = v->desc != v->last ? TREND_RISES : shape == IMPROVES ? TREND_FALLS : TREND_FALLS_NULL;
	}
	return job;
}

static void compare(const struct model *m, const struct buf *set, struct buf *want, struct buf *have)
{
	want->n = have->n = 0;
	for (int k = 0; k < (m->v->global ? 1 : KEYS); k++)
		show_key(m, k, want);
	buf_put(have, set->p, set->n);
	sort_lines(want);
	sort_lines(have);
	ck_assert_msg(!strcmp(want->p, have->p), "-t '%s' shape %d\n  want %s\n  have %s", m->v->text, m->shape, want->p, have->p);
}
#endif
