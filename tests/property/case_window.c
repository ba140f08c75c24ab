/* Random windows: flags, SQL, and which row counts in which window. */
#include <stdio.h>
#include <string.h>

#include "shape.h"

/* ---- which row counts where ----------------------------------------------------------------- */

static int floor_mod(int a, int b) { return (a % b + b) % b; }

/* Calls `put` for each window of time t that is still open at watermark w. */
static void windows_of(const struct case_window *win, int t, int w, const struct case_row *row, void (*put)(const struct case_row *, int, int))
{
	int base = t - floor_mod(t - win->offset, win->kind == CUMULATE ? win->size : win->step);
	int first = win->kind == CUMULATE ? base + win->step : base + win->size;
	for (int start = base, end = first; t >= start && t - start < win->size;) {
		if (t < end && end - 1 + win->lateness > w)
			put(row, start, end);
		if (win->kind == CUMULATE) {
			end += win->step;
			if (end > base + win->size)
				break;
		} else {
			start -= win->step;
			end -= win->step;
		}
	}
}

void case_windows(const struct random_case *c, int n, void (*put)(const struct case_row *row, int start, int end))
{
	int w = -1000000;
	for (int i = 0; i < n; i++) {
		const struct case_row *r = &c->row[i];
		windows_of(&c->window, r->c3, w, r, put);
		int wm = r->c3 - c->window.delay - 1;
		w = wm > w ? wm : w;
	}
}

void case_shuffle(struct random_case *c, uint64_t *rng)
{
	int at[CASE_ROWS];
	for (int i = 0; i < c->nrow; i++)
		at[i] = c->row[i].c3 + (int)(case_random(rng) % (uint64_t)(c->window.delay + 1));
	for (int i = 1; i < c->nrow; i++) { /* insertion sort by time + something up to the delay */
		struct case_row row = c->row[i];
		int key = at[i], k = i;
		for (; k > 0 && at[k - 1] > key; k--) {
			c->row[k] = c->row[k - 1];
			at[k] = at[k - 1];
		}
		c->row[k] = row;
		at[k] = key;
	}
}

void make_times(struct shape *s)
{
	struct random_case *c = s->c;
	int step = 1 + pick(s, 4), spread = 1 + pick(s, 16), start = pick(s, 40) - 30;
	if (!c->changelog && c->window.kind == SESSION)
		spread = c->window.delay + 1; /* nothing is late */
	for (int i = 0; i < c->nrow; i++) {
		struct case_row *r = &c->row[i];
		r->null[2] = false;
		r->c3 = start + i * step + pick(s, spread);
		for (int k = i; k-- > 0 && strcmp(r->kind, "+I");) { /* what is taken back or replaced has its row's time */
			if (c->row[k].c5 == r->c5) {
				r->c3 = c->row[k].c3;
				break;
			}
		}
	}
}

/* ---- flags and SQL ------------------------------------------------------------------------- */

/* One of the first `kinds` kinds. */
static void window_flag(struct shape *s, int kinds)
{
	struct case_window *w = &s->c->window;
	char text[64] = "";
	w->kind = TUMBLE + pick(s, kinds);
	w->step = 1 + pick(s, 10);
	w->size = w->kind == TUMBLE ? w->step : w->kind == CUMULATE ? w->step * (1 + pick(s, 4)) : w->step + pick(s, 25);
	if (w->kind == HOP && !pick(s, 3))
		w->size = w->step * (1 + pick(s, 40));
	if (w->kind == HOP && !pick(s, 6)) /* with gaps */
		w->size = 1 + pick(s, w->step);
	int most = w->kind == CUMULATE ? w->size : w->step;
	w->offset = w->kind != SESSION && !pick(s, 3) ? pick(s, 2 * most - 1) - most + 1 : 0;
	add(text, sizeof text, "%dms", w->size);
	if (w->kind == HOP || w->kind == CUMULATE)
		add(text, sizeof text, " every %dms", w->step);
	if (w->offset)
		add(text, sizeof text, " offset %s%dms", w->offset < 0 ? "-" : "", w->offset < 0 ? -w->offset : w->offset);
	static const char *const flags[] = { "", "--tumble", "--hop", "--cumulate", "--session" };
	flag(s, flags[w->kind], text);
}

/* Early and late firings; true if rows of a window may come more than once. */
static bool trigger_flags(struct shape *s)
{
	static const char *const triggers[] = { "each", "each or end", "count 2 or end", "end or every 3ms", "end" };
	struct case_window *w = &s->c->window;
	bool often = false;
	char text[32];
	if (!pick(s, 3)) {
		int what = pick(s, 5);
		often = what < 4;
		flag(s, "--trigger", triggers[what]);
	}
	if (w->kind != SESSION && !pick(s, 3)) {
		w->lateness = 1 + pick(s, 10);
		often = true;
		snprintf(text, sizeof text, "%dms", w->lateness);
		flag(s, "--lateness", text);
	}
	return often;
}

static void time_flags(struct shape *s)
{
	char text[32];
	s->c->window.delay = pick(s, 3) ? pick(s, 12) : 0;
	if (s->c->window.kind == SESSION)
		s->c->window.delay = pick(s, 20);
	snprintf(text, sizeof text, "%dms", s->c->window.delay);
	flag(s, "--time", "c3, ms");
	flag(s, "--time-format", "ms");
	flag(s, "--watermark", text);
	if (s->c->narg < CASE_ARGS)
		snprintf(s->c->arg[s->c->narg++], CASE_TEXT, "-q");
}

/* Sessions as islands between gaps, by key. */
static void session_sql(struct shape *s, const char *keys, const char *aggs, char *sql, size_t room, char *behind, size_t behind_room)
{
	int gap = s->c->window.size;
	char by[CASE_TEXT + 40] = "";
	add(by, sizeof by, "%s%s", *keys ? "partition by " : "", keys);
	snprintf(sql, room, "select min(c3) as window_start, max(c3) + %d as window_end%s%s, %s from (select *, sum(fresh) over (%s order by c3, c5 rows unbounded preceding) as island "
		"from (select *, case when c3 - lag(c3) over (%s order by c3, c5) <= %d then 0 else 1 end as fresh from", gap, *keys ? ", " : "", keys, aggs, by, by, gap);
	snprintf(behind, behind_room, ")) group by island%s%s", *keys ? ", " : "", keys);
}

static void bounds(struct col *out)
{
	out[0] = (struct col){ .name = "window_start", .unique = true, .time = true };
	out[1] = (struct col){ .name = "window_end", .unique = true, .time = true };
}

void make_window(struct shape *s)
{
	struct col out[CASE_COLS];
	int key[2], n = 2, naggs = 1 + pick(s, 3);
	char keys[CASE_TEXT] = "", weir[CASE_TEXT] = "", aggs[4 * CASE_TEXT] = "", sql[6 * CASE_TEXT] = "", behind[2 * CASE_TEXT] = "";
	int nkey = make_key(s, keys, key);
	if (nkey)
		flag(s, "-k", keys);
	window_flag(s, s->c->changelog ? 3 : 4);
	bool often = trigger_flags(s);
	bounds(out);
	for (int i = 0; i < nkey; i++) {
		out[n] = s->col[key[i]];
		out[n++].unique = true;
	}
	for (int i = 0; i < naggs; i++) {
		char call[2 * CASE_TEXT] = "";
		if (i)
			add(weir, CASE_TEXT, ", ");
		make_agg(s, weir, call, &out[n++]);
		add(aggs, sizeof aggs, "%s%s", i ? ", " : "", call);
	}
	flag(s, "-r", weir);
	time_flags(s);
	if (s->c->window.kind == SESSION) {
		session_sql(s, keys, aggs, sql, sizeof sql, behind, sizeof behind);
		wrap(s, sql, behind, behind);
	} else {
		snprintf(sql, sizeof sql, "select ws as window_start, we as window_end%s%s, %s from", nkey ? ", " : "", keys, aggs);
		snprintf(behind, sizeof behind, "group by ws, we%s%s", nkey ? ", " : "", keys);
		wrap(s, sql, behind, behind);
	}
	memcpy(s->col, out, (size_t)n * sizeof *out);
	s->ncol = n;
	s->arrival = s->mixed = false;
	s->once = !often;
}

/* The first rows of each window; before this nothing but where has changed the columns. */
void make_window_rows(struct shape *s)
{
	struct col out[CASE_COLS];
	int key[2], from = !pick(s, 4) ? 2 : 1, to = from + pick(s, 3);
	char keys[CASE_TEXT] = "", order[CASE_TEXT] = "", weir[2 * CASE_TEXT] = "", sql[5 * CASE_TEXT] = "", behind[CASE_TEXT] = "";
	int nkey = make_key(s, keys, key);
	bool shown = pick(s, 2);
	make_order(s, true, order);
	if (nkey)
		flag(s, "-k", keys);
	window_flag(s, 3);
	bool often = trigger_flags(s);
	struct col rank_col = { .text = false };
	name_col(s, &rank_col);
	if (from > 1)
		add(weir, sizeof weir, "%d..", from);
	add(weir, sizeof weir, "%d by %s", to, order);
	if (shown)
		add(weir, sizeof weir, " as %s", rank_col.name);
	flag(s, "-t", weir);
	time_flags(s);
	snprintf(sql, sizeof sql, "select ws as window_start, we as window_end, c1, c2, c3, c4, c5%s%s from (select *, row_number() over (partition by ws, we%s%s order by %s) as %s from",
		shown ? ", " : "", shown ? rank_col.name : "", nkey ? ", " : "", keys, order, rank_col.name);
	snprintf(behind, sizeof behind, ") where %s between %d and %d", rank_col.name, from, to);
	wrap(s, sql, behind, behind);
	bounds(out);
	memcpy(out + 2, s->col, 5 * sizeof *out);
	if (shown)
		out[7] = rank_col;
	s->ncol = shown ? 8 : 7;
	memcpy(s->col, out, (size_t)s->ncol * sizeof *out);
	s->arrival = s->mixed = false;
	s->once = !often;
}

bool keeps_window(const struct shape *s)
{
	return s->ncol > 2 && !strcmp(s->col[0].name, "window_start") && !strcmp(s->col[1].name, "window_end");
}

void make_window_reduce(struct shape *s)
{
	struct col out[CASE_COLS];
	int n = 2, naggs = 1 + pick(s, 2);
	char weir[CASE_TEXT] = "", sql[4 * CASE_TEXT] = "select window_start, window_end";
	bounds(out);
	for (int i = 0; i < naggs; i++) {
		char call[2 * CASE_TEXT] = "";
		if (i)
			add(weir, CASE_TEXT, ", ");
		make_agg(s, weir, call, &out[n++]);
		add(sql, sizeof sql, ", %s", call);
	}
	flag(s, "-k", "window");
	flag(s, "-r", weir);
	add(sql, sizeof sql, " from");
	wrap(s, sql, "group by window_start, window_end", "group by window_start, window_end");
	memcpy(s->col, out, (size_t)n * sizeof *out);
	s->ncol = n;
	s->mixed = false;
}

void make_window_topn(struct shape *s)
{
	char order[CASE_TEXT] = "", weir[2 * CASE_TEXT] = "", cols[CASE_TEXT] = "", sql[5 * CASE_TEXT] = "", behind[CASE_TEXT] = "";
	bool ties = s->mixed, shown = pick(s, 2) && s->ncol < CASE_COLS - 1;
	const char *rank = !ties ? "row_number" : pick(s, 2) ? "rank" : "dense_rank";
	int from = !pick(s, 4) ? 2 : 1, to = from + pick(s, 3);
	make_order(s, !ties, order);
	if (from > 1)
		add(weir, sizeof weir, "%d..%d", from, to);
	else
		add(weir, sizeof weir, "%d", to);
	if (ties)
		add(weir, sizeof weir, " %s", rank);
	add(weir, sizeof weir, " by %s", order);
	struct col rank_col = { .text = false };
	name_col(s, &rank_col);
	if (shown)
		add(weir, sizeof weir, " as %s", rank_col.name);
	all_names(s, cols);
	flag(s, "-k", "window");
	flag(s, "-t", weir);
	snprintf(sql, sizeof sql, "select %s%s%s from (select *, %s() over (partition by window_start, window_end order by %s) as %s from", cols, shown ? ", " : "",
		shown ? rank_col.name : "", rank, order, rank_col.name);
	snprintf(behind, sizeof behind, ") where %s between %d and %d", rank_col.name, from, to);
	wrap(s, sql, behind, behind);
	if (shown)
		s->col[s->ncol++] = rank_col;
}
