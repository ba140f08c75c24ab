/* One aggregate on its own, as text: "quantile(x, 0.3)" over the columns x, y, s, p; and a slow model of what it should say. */
#ifndef AGGS_H
#define AGGS_H
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "ops/agg/agg.h"
#include "ops/agg/rows.h"
#include "ops/state/snapshot.h"
#include "parse/lang/parse.h"

enum { COL_X, COL_Y, COL_S, COL_P, NCOL, ROWS_MAX = 64 };

struct aggs {
	struct mem mem;
	struct arena plan, scratch;
	struct schema schema;
	struct err err;
	struct agg agg;
};

static inline void aggs_open(struct aggs *a, const char *text, bool retracts)
{
	static const char *const name[NCOL] = { "x", "y", "s", "p" };
	*a = (struct aggs){ 0 };
	arena_init(&a->plan, &a->mem);
	arena_init(&a->scratch, &a->mem);
	schema_init(&a->schema, SCHEMA_CLOSED, &a->plan);
	for (int i = 0; i < NCOL; i++)
		ck_assert_int_eq(schema_add(&a->schema, name[i], 1, T_RAW), i);
	struct named_list list;
	ck_assert_msg(!parse_reduce("-r", text, &a->plan, &list, &a->err), "%s: %s", text, a->err.text);
	const struct node *call = list.item[0].expr;
	struct agg *agg = &a->agg;
	agg->type = agg_find(call->text, call->len);
	ck_assert_msg(agg->type != NULL, "%s", text);
	agg->mem = &a->mem;
	agg->retracts = retracts;
	agg->narg = call->narg;
	agg->conf = arena_alloc(&a->plan, agg->type->conf_size + 1);
	agg->arg = arena_alloc(&a->plan, (call->narg + 1) * sizeof *agg->arg);
	ck_assert(agg->conf && agg->arg);
	for (uint32_t i = 0; i < call->narg; i++) {
		agg->arg[i] = expr_bind(call->arg[i], &a->schema, &a->plan, &a->err);
		ck_assert_msg(agg->arg[i] != NULL, "%s: %s", text, a->err.text);
	}
	if (agg->type->plan)
		ck_assert_msg(!agg->type->plan(agg, &a->plan, &a->err), "%s: %s", text, a->err.text);
}

static inline void aggs_close(struct aggs *a)
{
	arena_release(&a->scratch);
	arena_release(&a->plan);
	ck_assert_uint_eq(a->mem.used, 0);
}

/* A row: cells (NULL: NULL), its action, and which accumulator it is for. */
struct arow {
	const char *cell[NCOL];
	uint8_t act;
	void *acc;
};

/* Rows as arguments; before and after NULL: update, else step. */
static inline int aggs_put(struct aggs *a, const struct arow *row, uint32_t n, struct value *before, struct value *after)
{
	static struct value cells[NCOL][ROWS_MAX];
	struct column col[NCOL];
	struct batch batch = { .n = n, .ncol = NCOL, .col = col, .mem = &a->scratch };
	uint8_t act[ROWS_MAX];
	void *acc[ROWS_MAX];
	for (uint32_t i = 0; i < n; i++) {
		for (int c = 0; c < NCOL; c++)
			cells[c][i] = row[i].cell[c] ? value_raw(row[i].cell[c], (uint32_t)strlen(row[i].cell[c])) : value_null();
		act[i] = row[i].act;
		acc[i] = row[i].acc;
	}
	for (int c = 0; c < NCOL; c++)
		col[c] = (struct column){ .v = cells[c] };
	struct value *arg[AGG_ARGS_MAX];
	for (uint32_t k = 0; k < a->agg.narg; k++)
		if (expr_eval(a->agg.arg[k], &batch, &arg[k]))
			return -1;
	struct agg_rows rows = { .n = n, .acc = acc, .act = act, .mem = &a->scratch };
	rows.arg = a->agg.narg ? (const struct value *const *)arg : NULL;
	return before ? agg_step(&a->agg, &rows, before, after) : a->agg.type->update(&a->agg, &rows);
}

/* A value as text, NULL as \N; `out` holds 512 bytes. */
static inline const char *aggs_text(const struct value *v, char *out)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p;
	uint32_t n = value_print(v, scratch, &p);
	if (v->type == V_NULL)
		return strcpy(out, "\\N");
	snprintf(out, 512, "%.*s", (int)n, p);
	return out;
}

static inline struct value aggs_value_of(struct aggs *a, const void *acc)
{
	struct value v, many[3];
	void *const accs[3] = { (void *)acc, (void *)acc, (void *)acc };
	ck_assert_int_eq(a->agg.type->value(&a->agg, acc, &v, &a->scratch), 0);
	ck_assert_int_eq(agg_values(&a->agg, accs, 3, many, &a->scratch), 0);
	for (uint32_t i = 0; i < 3; i++)
		ck_assert(many[i].type == v.type && many[i].scale == v.scale && value_same(&many[i], &v));
	return v;
}

static inline const char *aggs_value(struct aggs *a, const void *acc, char *out)
{
	struct value v = aggs_value_of(a, acc);
	return aggs_text(&v, out);
}

static inline void *aggs_new(struct aggs *a)
{
	void *acc = mem_alloc(&a->mem, a->agg.type->size);
	ck_assert(acc != NULL);
	return acc;
}

static inline void aggs_free(struct aggs *a, void *acc)
{
	agg_empty(&a->agg, acc);
	for (size_t i = 0; i < a->agg.type->size; i++)
		ck_assert_int_eq(((char *)acc)[i], 0);
	mem_free(&a->mem, acc, a->agg.type->size);
}

/* xorshift64*: the same rows on every machine. */
static inline uint32_t aggs_random(uint64_t *seed, uint32_t below)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return (uint32_t)((*seed * 2685821657736338717ULL) >> 33) % below;
}

enum kind_of { PLAIN, NUMBERS, BOOLS };

struct subject {
	const char *text;
	enum kind_of values;
	double q;
};

/* ---- the model: the rows that are there, in order of arrival ---- */

struct model_row {
	const char *x, *y;
};

struct model {
	struct model_row *row;
	size_t n, cap;
	const char *separator; /* of the last row; for join */
};

static inline bool model_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static inline void model_add(struct model *m, const char *x, const char *y, const char *separator)
{
	if (m->n == m->cap) {
		m->cap = m->cap ? 2 * m->cap : 16;
		m->row = realloc(m->row, m->cap * sizeof *m->row);
	}
	m->row[m->n++] = (struct model_row){ x, y };
	m->separator = x ? separator : m->separator;
}

/* Takes back the first row that is equal in x (and in y, if it matters). */
static inline void model_remove(struct model *m, const char *x, const char *y, bool both, const char *separator)
{
	m->separator = x ? separator : m->separator;
	for (size_t i = 0; i < m->n; i++) {
		if (!model_same(m->row[i].x, x) || (both && !model_same(m->row[i].y, y)))
			continue;
		memmove(m->row + i, m->row + i + 1, (m->n - i - 1) * sizeof *m->row);
		m->n--;
		return;
	}
}

static inline struct value model_cell(const char *text)
{
	return text ? value_raw(text, (uint32_t)strlen(text)) : value_null();
}

/* By the total order, then by bytes. */
static inline int model_order(const char *a, const char *b, bool bytes)
{
	struct value va = model_cell(a), vb = model_cell(b);
	int order = value_order(&va, &vb);
	return order || !bytes ? order : strcmp(a, b);
}

static inline const char *model_extreme(const struct model *m, int sign)
{
	const char *best = NULL;
	for (size_t i = 0; i < m->n; i++)
		if (m->row[i].x && (!best || model_order(m->row[i].x, best, true) * sign > 0))
			best = m->row[i].x;
	return best;
}

static inline const char *model_arg(const struct model *m, int sign)
{
	const struct model_row *best = NULL;
	for (size_t i = 0; i < m->n; i++) {
		const struct model_row *row = &m->row[i];
		if (row->x && row->y && (!best || model_order(row->y, best->y, false) * sign > 0))
			best = row;
	}
	return best ? best->x : NULL;
}

static inline int model_qsort(const void *a, const void *b)
{
	int order = model_order(*(const char *const *)a, *(const char *const *)b, true);
	return order;
}

static inline const char *model_quantile(const struct model *m, double q)
{
	const char **x = calloc(m->n + 1, sizeof *x), *result = NULL;
	size_t n = 0;
	for (size_t i = 0; i < m->n; i++)
		if (m->row[i].x)
			x[n++] = m->row[i].x;
	qsort(x, n, sizeof *x, model_qsort);
	size_t rank = (size_t)ceil(q * (double)n - 1e-9);
	if (n)
		result = x[rank ? rank - 1 : 0];
	free(x);
	return result;
}
static inline double model_var(const struct model *m, int ddof, bool *null)
{
	long double n = 0, sum = 0, squares = 0;
	for (size_t i = 0; i < m->n; i++) {
		long double x = m->row[i].x ? strtold(m->row[i].x, NULL) : 0;
		n += m->row[i].x != NULL;
		sum += x;
		squares += x * x;
	}
	*null = n <= ddof;
	return *null ? 0 : (double)((squares - sum * sum / n) / (n - ddof));
}

static inline struct value model_sum(const struct model *m, int64_t *n)
{
	struct value sum = value_int(0);
	*n = 0;
	for (size_t i = 0; i < m->n; i++) {
		struct value x = model_cell(m->row[i].x), number;
		if (!number_of(&x, &number))
			continue;
		sum = number_add(sum, number);
		++*n;
	}
	return sum;
}

static inline struct value model_avg(const struct model *m)
{
	int64_t n, places = 1000000;
	struct value sum = model_sum(m, &n);
	if (!n)
		return value_null();
	int64_t scaled = sum.u.i * (places / dec_pow10[sum.scale]), twice = 2 * llabs(scaled) / n;
	int64_t rounded = (twice + 1) / 2;
	return number_dec(scaled < 0 ? -rounded : rounded, 6);
}

static inline void model_join(const struct model *m, const struct aggs *a, bool own, char *out)
{
	struct buf buf;
	struct mem mem = { 0 };
	bool some = false;
	buf_init(&buf, &mem);
	for (size_t i = 0; i < m->n; i++) {
		if (!m->row[i].x)
			continue;
		const char *sep = !own ? "," : a->agg.retracts ? m->separator : m->row[i].y;
		buf_puts(&buf, some && sep ? sep : "");
		buf_puts(&buf, m->row[i].x);
		some = true;
	}
	snprintf(out, 512, "%.*s", some ? (int)buf.n : 2, some ? buf.p ? buf.p : "" : "\\N");
	buf_release(&buf);
}

static inline bool model_any(const struct model *m, const char *what, bool *none)
{
	bool found = false;
	*none = true;
	for (size_t i = 0; i < m->n; i++) {
		*none = *none && !m->row[i].x;
		found = found || (m->row[i].x && !strcmp(m->row[i].x, what));
	}
	return found;
}

static inline const char *or_null(const char *text)
{
	return text ? text : "\\N";
}

/* What the aggregate should say of the rows of the model; `out` holds 512 bytes. */
static inline void model_value(const struct model *m, const struct subject *s, const struct aggs *a, char *out)
{
	const char *name = a->agg.type->name;
	int64_t n;
	bool none;
	struct value v;
	if (!strcmp(name, "count")) {
		model_sum(m, &n);
		n = 0;
		for (size_t i = 0; i < m->n; i++)
			n += a->agg.narg == 0 || m->row[i].x;
		snprintf(out, 512, "%lld", (long long)n);
	} else if (!strcmp(name, "sum")) {
		v = model_sum(m, &n);
		v = n ? v : value_null();
		aggs_text(&v, out);
	} else if (!strcmp(name, "avg")) {
		v = model_avg(m);
		aggs_text(&v, out);
	} else if (!strcmp(name, "min") || !strcmp(name, "max")) {
		strcpy(out, or_null(model_extreme(m, name[1] == 'a' ? 1 : -1)));
	} else if (!strncmp(name, "arg", 3)) {
		strcpy(out, or_null(model_arg(m, name[4] == 'a' ? 1 : -1)));
	} else if (!strcmp(name, "join")) {
		model_join(m, a, a->agg.narg > 1, out);
	} else if (!strcmp(name, "any") || !strcmp(name, "all")) {
		bool found = model_any(m, name[1] == 'n' ? "true" : "false", &none);
		strcpy(out, none ? "\\N" : found == (name[1] == 'n') ? "true" : "false");
	} else if (!strcmp(name, "first") || !strcmp(name, "last")) {
		const char *x = NULL;
		for (size_t i = 0; i < m->n; i++)
			x = m->row[i].x && (!x || *name == 'l') ? m->row[i].x : x;
		snprintf(out, 512, "%s%s", or_null(x), x && strchr(s->text, '|') ? "a longer text" : "");
	} else {
		strcpy(out, or_null(model_quantile(m, s->q)));
	}
}
#endif
