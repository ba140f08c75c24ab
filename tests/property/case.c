#include "case.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "shape.h"

uint64_t case_random(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u; /* splitmix64, Steele et al. 2014 */
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

int pick(struct shape *s, int n) { return (int)(case_random(&s->rng) % (uint64_t)n); }

void add(char *to, size_t room, const char *format, ...)
{
	size_t n = strlen(to);
	va_list args;
	va_start(args, format);
	vsnprintf(to + n, room - n, format, args);
	va_end(args);
}

static const struct col *any_col(struct shape *s, bool text)
{
	for (int tries = 0; tries < 40; tries++) {
		const struct col *col = &s->col[pick(s, s->ncol)];
		if (col->text == text && !col->time)
			return col;
	}
	return NULL;
}

static void number_expr(struct shape *s, char *out, int depth)
{
	const struct col *a = any_col(s, false), *b = any_col(s, false);
	if (!a || !b) {
		add(out, CASE_TEXT, "%d", pick(s, 5));
		return;
	}
	switch (depth > 0 ? pick(s, 8) : 0) {
	case 1: add(out, CASE_TEXT, "%s + %s", a->name, b->name); break;
	case 2: add(out, CASE_TEXT, "%s - %d", a->name, pick(s, 5)); break;
	case 3: add(out, CASE_TEXT, "%s * %d", a->name, pick(s, 4)); break;
	case 4: add(out, CASE_TEXT, "coalesce(%s, %d)", a->name, pick(s, 5)); break;
	case 5: add(out, CASE_TEXT, "abs(%s - %s)", a->name, b->name); break;
	case 6: add(out, CASE_TEXT, "%s %% %d", a->name, pick(s, 4)); break;
	default: add(out, CASE_TEXT, "%s", a->name);
	}
}

void predicate(struct shape *s, char *out, int depth)
{
	static const char *const ops[] = { "=", "<>", "<", "<=", ">", ">=" };
	const struct col *t = any_col(s, true), *n = any_col(s, false);
	int what = pick(s, depth > 0 ? 9 : 5);
	if (what == 0 && t) {
		add(out, CASE_TEXT, "%s %s '%c'", t->name, ops[pick(s, 6)], 'a' + pick(s, 4));
	} else if (what == 1 && n) {
		add(out, CASE_TEXT, "%s is %snull", n->name, pick(s, 2) ? "not " : "");
	} else if (what == 2 && n) {
		add(out, CASE_TEXT, "%s between %d and %d", n->name, pick(s, 4) - 1, pick(s, 6));
	} else if (what == 3 && t) {
		add(out, CASE_TEXT, "%s %sin ('a', '%c')", t->name, pick(s, 2) ? "not " : "", 'b' + pick(s, 3));
	} else if (what >= 5) {
		add(out, CASE_TEXT, what == 5 ? "not (" : "(");
		predicate(s, out, depth - 1);
		if (what > 5) {
			add(out, CASE_TEXT, what == 6 ? ") and (" : ") or (");
			predicate(s, out, depth - 1);
		}
		add(out, CASE_TEXT, ")");
	} else {
		number_expr(s, out, depth);
		add(out, CASE_TEXT, " %s %d", ops[pick(s, 6)], pick(s, 8) - 2);
	}
}

void flag(struct shape *s, const char *name, const char *text)
{
	snprintf(s->c->arg[s->c->narg++], CASE_TEXT, "%s", name);
	snprintf(s->c->arg[s->c->narg++], CASE_TEXT, "%s", text);
}

void wrap(struct shape *s, const char *before, const char *behind, const char *behind_final)
{
	static char old[CASE_SQL];
	memcpy(old, s->c->sql, sizeof old);
	snprintf(s->c->sql, CASE_SQL, "%s (%.*s) %s", before, CASE_SQL / 2, old, behind);
	memcpy(old, s->c->sql_final, sizeof old);
	snprintf(s->c->sql_final, CASE_SQL, "%s (%.*s) %s", before, CASE_SQL / 2, old, behind_final);
}

void make_where(struct shape *s)
{
	char p[CASE_TEXT] = "", sql[CASE_TEXT + 16];
	predicate(s, p, 2);
	flag(s, "-w", p);
	snprintf(sql, sizeof sql, "where %s", p);
	wrap(s, "select * from", sql, sql);
}

void name_col(struct shape *s, struct col *col) { snprintf(col->name, sizeof col->name, "x%d", ++s->names); }

void make_select(struct shape *s)
{
	struct col out[CASE_COLS];
	int n = 0;
	char text[CASE_TEXT] = "", sql[CASE_TEXT + 16];
	bool keep = pick(s, 4) > 0;
	for (int i = 0; i < s->ncol; i++) {
		if (!(keep && s->col[i].unique) && !pick(s, 2))
			continue;
		out[n++] = s->col[i];
		add(text, CASE_TEXT, "%s%s", n > 1 ? ", " : "", s->col[i].name);
	}
	if (!n || (n < CASE_COLS - 4 && pick(s, 2))) {
		char e[CASE_TEXT] = "";
		number_expr(s, e, 1);
		out[n] = (struct col){ .text = false };
		name_col(s, &out[n]);
		add(text, CASE_TEXT, "%s%s as %s", n ? ", " : "", e, out[n].name);
		n++;
	}
	for (int i = 0; i < s->ncol; i++) {
		bool kept = false;
		for (int k = 0; k < n; k++)
			kept |= !strcmp(out[k].name, s->col[i].name);
		s->mixed |= s->col[i].unique && !kept;
	}
	flag(s, "-s", text);
	snprintf(sql, sizeof sql, "select %s from", text);
	wrap(s, sql, "", "");
	memcpy(s->col, out, (size_t)n * sizeof *out);
	s->ncol = n;
	for (int i = 0; s->arrival && i < n; i++)
		if (!strcmp(out[i].name, "c5"))
			return;
	s->arrival = false;
}

int make_key(struct shape *s, char *text, int key[2])
{
	int n = pick(s, 5) ? 1 + !pick(s, 3) : 0;
	int got = 0;
	for (int tries = 0; got < n && tries < 20; tries++) {
		int k = pick(s, s->ncol);
		if (got && key[0] == k)
			continue;
		if (!s->col[k].text && pick(s, 3))
			continue;
		key[got++] = k;
		add(text, CASE_TEXT, "%s%s", got > 1 ? ", " : "", s->col[k].name);
	}
	return got;
}

void make_agg(struct shape *s, char *weir, char *sql, struct col *out)
{
	static const char *const names[] = { "count", "sum", "min", "max", "count(distinct", "sum(distinct" };
	int what = pick(s, 7);
	char e[CASE_TEXT] = "", p[CASE_TEXT] = "", call[2 * CASE_TEXT];
	number_expr(s, e, 1);
	*out = (struct col){ .text = false };
	name_col(s, out);
	if (what == 6)
		snprintf(call, sizeof call, "count(*)");
	else
		snprintf(call, sizeof call, strchr(names[what], '(') ? "%s %s)" : "%s(%s)", names[what], e);
	if (!pick(s, 3)) {
		predicate(s, p, 1);
		add(weir, CASE_TEXT, "%s where %s as %s", call, p, out->name);
		add(sql, 2 * CASE_TEXT, "%s filter (where %s) as %s", call, p, out->name);
	} else {
		add(weir, CASE_TEXT, "%s as %s", call, out->name);
		add(sql, 2 * CASE_TEXT, "%s as %s", call, out->name);
	}
}

void make_reduce(struct shape *s)
{
	struct col out[CASE_COLS];
	int key[2], n = 0;
	char keys[CASE_TEXT] = "", weir[CASE_TEXT] = "", sql[4 * CASE_TEXT] = "select ", behind[CASE_TEXT + 32] = "";
	int nkey = make_key(s, keys, key);
	for (int i = 0; i < nkey; i++) {
		out[n] = s->col[key[i]];
		out[n++].unique = true;
	}
	add(sql, sizeof sql, "%s", keys);
	int naggs = 1 + pick(s, 2) + !pick(s, 3);
	for (int i = 0; i < naggs; i++) {
		char call[2 * CASE_TEXT] = "";
		if (i)
			add(weir, CASE_TEXT, ", ");
		make_agg(s, weir, call, &out[n++]);
		add(sql, sizeof sql, "%s%s", n > 1 ? ", " : "", call);
	}
	if (nkey)
		flag(s, "-k", keys);
	flag(s, "-r", weir);
	add(sql, sizeof sql, " from");
	snprintf(behind, sizeof behind, nkey ? "group by %s" : "%.0shaving count(*) > 0", keys);
	wrap(s, sql, behind, nkey ? behind : "");
	memcpy(s->col, out, (size_t)n * sizeof *out);
	s->ncol = n;
	s->arrival = s->mixed = false;
}

void all_names(struct shape *s, char *out)
{
	for (int i = 0; i < s->ncol; i++)
		add(out, CASE_TEXT, "%s%s", i ? ", " : "", s->col[i].name);
}

void make_order(struct shape *s, bool total, char *out)
{
	const char *sep = "";
	for (int i = 0, n = 1 + pick(s, 2); i < n; i++, sep = ", ") {
		const struct col *col = &s->col[pick(s, s->ncol)];
		add(out, CASE_TEXT, "%s%s%s%s", sep, col->name, pick(s, 2) ? " desc" : "", !pick(s, 4) ? pick(s, 2) ? " nulls last" : " nulls first" : "");
	}
	for (int i = 0; total && i < s->ncol; i++)
		if (s->col[i].unique)
			add(out, CASE_TEXT, "%s%s", sep, s->col[i].name);
}

void make_topn(struct shape *s)
{
	char keys[CASE_TEXT] = "", order[CASE_TEXT] = "", weir[2 * CASE_TEXT] = "", cols[CASE_TEXT] = "", sql[5 * CASE_TEXT] = "", behind[CASE_TEXT] = "";
	int key[2];
	int nkey = make_key(s, keys, key);
	bool ties = s->mixed || !pick(s, 6), first = s->arrival && !ties && !pick(s, 4), shown = pick(s, 2) && s->ncol < CASE_COLS - 1;
	const char *rank = !ties ? "row_number" : pick(s, 2) ? "rank" : "dense_rank";
	int from = !first && !pick(s, 5) ? 2 : 1, to = from + pick(s, 3);
	if (!first)
		make_order(s, !ties, order);
	bool last = first && pick(s, 2);
	if (last)
		add(weir, sizeof weir, "last %d", to);
	else if (from > 1)
		add(weir, sizeof weir, "%d..%d", from, to);
	else
		add(weir, sizeof weir, "%d", to);
	if (ties)
		add(weir, sizeof weir, " %s", rank);
	if (!first)
		add(weir, sizeof weir, " by %s", order);
	struct col rank_col = { .text = false };
	name_col(s, &rank_col);
	if (shown)
		add(weir, sizeof weir, " as %s", rank_col.name);
	all_names(s, cols);
	if (nkey)
		flag(s, "-k", keys);
	flag(s, "-t", weir);
	snprintf(sql, sizeof sql, "select %s%s%s from (select *, %s() over (%s%s order by %s) as %s from", cols, shown ? ", " : "", shown ? rank_col.name : "", rank,
		nkey ? "partition by " : "", keys, first ? last ? "c5 desc" : "c5" : order, rank_col.name);
	snprintf(behind, sizeof behind, ") where %s between %d and %d", rank_col.name, from, to);
	wrap(s, sql, behind, behind);
	if (shown)
		s->col[s->ncol++] = rank_col;
	s->arrival = false;
}

static void make_rows(struct shape *s)
{
	struct random_case *c = s->c;
	int n = 1 + pick(s, CASE_ROWS), alive[CASE_ROWS], nalive = 0, id = 0;
	for (int i = 0; i < n; i++) {
		struct case_row *r = &c->row[c->nrow++];
		if (c->changelog && nalive && !pick(s, 3)) {
			int k = pick(s, nalive);
			*r = c->row[alive[k]];
			strcpy(r->kind, "-D");
			alive[k] = alive[--nalive];
			if (i + 1 < n && pick(s, 2)) { /* an update: the same c5 again, right behind */
				strcpy(r->kind, "-U");
				struct case_row *u = &c->row[c->nrow++];
				*u = *r;
				strcpy(u->kind, "+U");
				u->c2 = pick(s, 6);
				u->null[1] = !pick(s, 5);
				alive[nalive++] = c->nrow - 1;
				i++;
			}
			continue;
		}
		*r = (struct case_row){ .kind = "+I", .c2 = pick(s, 6) - 1, .c3 = pick(s, 30), .c5 = ++id };
		snprintf(r->c1, sizeof r->c1, "%c", 'a' + pick(s, 4));
		snprintf(r->c4, sizeof r->c4, "%c%c", 'p' + pick(s, 2), 'p' + pick(s, 2));
		for (int k = 0; k < 4; k++)
			r->null[k] = !pick(s, 6);
		alive[nalive++] = c->nrow - 1;
	}
}

static void make_windowed(struct shape *s)
{
	if (!pick(s, 3))
		make_where(s);
	if (!pick(s, 4))
		make_window_rows(s);
	else
		make_window(s);
	for (int n = pick(s, 3); n > 0; n--) {
		int what = pick(s, 8);
		if (what < 3 && keeps_window(s))
			(what ? make_window_topn : make_window_reduce)(s);
		else
			(what == 3 ? make_where : what == 4 ? make_select : what < 7 ? make_reduce : make_topn)(s);
	}
	make_rows(s);
	make_times(s);
}

void case_make(struct random_case *c, uint64_t seed, bool windowed)
{
	*c = (struct random_case){ .seed = seed };
	struct shape s = { .c = c, .rng = seed * 2654435761u + 17, .arrival = true, .ncol = 5 };
	static const struct col start[5] = { { .name = "c1", .text = true }, { .name = "c2" }, { .name = "c3" }, { .name = "c4", .text = true }, { .name = "c5", .unique = true } };
	memcpy(s.col, start, sizeof start);
	const char *all = windowed ? "select * from t" : "select c1, c2, c3, c4, c5 from t";
	strcpy(c->sql, all);
	strcpy(c->sql_final, all);
	c->changelog = pick(&s, 2);
	s.arrival = !c->changelog;
	if (windowed) {
		make_windowed(&s);
		return;
	}
	int n = 1 + pick(&s, 4);
	for (int i = 0; i < n; i++) {
		if (!c->bundled && !pick(&s, 8)) {
			c->bundled = true;
			char size[12];
			snprintf(size, sizeof size, "%d", 1 + pick(&s, 9));
			flag(&s, "-m", size);
		}
		int what = pick(&s, 6);
		(what == 0 ? make_where : what == 1 ? make_select : what < 4 ? make_reduce : make_topn)(&s);
	}
	make_rows(&s);
}

size_t case_input(const struct random_case *c, int n, bool kinds, char *out, size_t room)
{
	size_t at = 0;
	kinds |= c->changelog;
	for (int i = 0; i < n && room - at > 100; i++) {
		const struct case_row *r = &c->row[i];
		const char *null = kinds ? "\\N" : "";
		char c2[12], c3[12];
		snprintf(c2, sizeof c2, "%d", r->c2);
		snprintf(c3, sizeof c3, "%d", r->c3);
		at += (size_t)snprintf(out + at, room - at, "%s%s%s\t%s\t%s\t%s\t%d\n", kinds ? r->kind : "", kinds ? "\t" : "", r->null[0] ? null : r->c1, r->null[1] ? null : c2,
			r->null[2] ? null : c3, r->null[3] ? null : r->c4, r->c5);
	}
	return at;
}
