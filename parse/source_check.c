#include <string.h>

#include "core/number.h"
#include "core/show.h"
#include "core/time.h"
#include "parse/source_parts.h"

enum { SHOWN = 60 /* bytes of a field shown in a message */ };

static void reject(struct source *s, uint32_t row, uint32_t col, const char *why, const struct value *v)
{
	char text[SHOW_MOST * SHOWN + 1];
	show(text, sizeof text, v->u.p, v->len < SHOWN ? v->len : SHOWN);
	record_bad(&s->records, row, s->schema.col[col].name, "%s: \"%s%s\"", why, text, v->len > SHOWN ? "..." : "");
}

static void check_numbers(struct source *s, uint32_t col)
{
	const struct value *v = s->batch.col[col].v;
	struct value *num = s->batch.col[col].num;
	const struct record_bad *bad = s->records.bad;
	uint32_t i = s->records.nbad ? 0 : number_read_column(v, s->batch.n, num);
	for (; i < s->batch.n; i++) { /* from the first on that was or is bad */
		if (bad[i].why)
			continue;
		if (v[i].type == V_NULL) {
			num[i] = value_null();
		} else if (!number_read(v[i].u.p, v[i].len, &num[i])) {
			reject(s, i, col, "not a number", &v[i]);
		}
	}
}

static bool is_bool(const struct value *v)
{
	return (v->len == 4 && !memcmp(v->u.p, "true", 4)) || (v->len == 5 && !memcmp(v->u.p, "false", 5));
}

static void check_bools(struct source *s, uint32_t col)
{
	const struct value *v = s->batch.col[col].v;
	for (uint32_t i = 0; i < s->batch.n; i++)
		if (!s->records.bad[i].why && v[i].type != V_NULL && !is_bool(&v[i]))
			reject(s, i, col, "neither true nor false", &v[i]);
}

static void check_times(struct source *s, uint32_t col)
{
	const struct value *v = s->batch.col[col].v;
	int64_t t;
	for (uint32_t i = 0; i < s->batch.n; i++)
		if (!s->records.bad[i].why && v[i].type != V_NULL && !time_read(v[i].u.p, v[i].len, s->schema.zone, &t))
			reject(s, i, col, "not a time", &v[i]);
}

/* Does the row come of the same record as the one before it? */
static bool is_second(const struct source *s, uint32_t row)
{
	return row && s->records.at[row].p == s->records.at[row - 1].p;
}

/* Records in the rows of the batch. */
static uint32_t count_records(const struct source *s)
{
	uint32_t n = s->batch.n;
	for (uint32_t i = 1; s->batch.kind && i < s->batch.n; i++)
		n -= is_second(s, i);
	return n;
}

/* Rows of one record are bad together. */
static void share_reasons(struct source *s)
{
	struct record_bad *bad = s->records.bad;
	for (uint32_t i = 1; s->batch.kind && i < s->batch.n; i++) {
		if (is_second(s, i) && bad[i].why && !bad[i - 1].why)
			bad[i - 1] = bad[i];
		else if (is_second(s, i) && bad[i - 1].why)
			bad[i] = bad[i - 1];
	}
}

/* Reports the bad rows in order and lists the good ones in keep; gives how many. A row too many for --max-bad ends the batch. */
static uint32_t sort_out(struct source *s, uint16_t keep[BATCH_MAX])
{
	struct records *r = &s->records;
	const char *file = s->in->file->name;
	uint32_t good = 0, i = 0;
	for (; i < s->batch.n && !s->bad.stopped; i++) {
		if (!r->bad[i].why) {
			keep[good++] = (uint16_t)i;
			continue;
		}
		if (s->batch.kind && is_second(s, i))
			continue;
		bad_add(&s->bad, file, s->in->line + r->at[i].line, &r->bad[i]);
		bad_bytes(&s->bad, r->at[i].p, r->at[i].len, true);
	}
	s->batch.n = i;
	return good;
}

static void compact(struct batch *b, const uint16_t *keep, uint32_t n)
{
	for (uint32_t c = 0; c < b->ncol; c++) {
		struct value *v = b->col[c].v, *num = b->col[c].num;
		for (uint32_t i = 0; v && i < n; i++)
			v[i] = v[keep[i]];
		for (uint32_t i = 0; num && i < n; i++)
			num[i] = num[keep[i]];
	}
	for (uint32_t i = 0; b->kind && i < n; i++)
		b->kind[i] = b->kind[keep[i]];
	for (uint32_t i = 0; b->time && i < n; i++)
		b->time[i] = b->time[keep[i]];
	b->n = n;
}

/* Takes the bad rows out. A -U whose +U is bad stands alone. */
static void drop_bad(struct source *s)
{
	struct batch *b = &s->batch;
	share_reasons(s);
	for (uint32_t i = 0; b->kind && i + 1 < b->n; i++)
		if (s->records.bad[i + 1].why)
			b->kind[i] &= K_MASK;
	uint32_t rows = b->n;
	uint16_t keep[BATCH_MAX];
	uint32_t good = sort_out(s, keep);
	s->bad.records += count_records(s);
	compact(b, keep, good);
	for (uint32_t i = 0; i < good; i++)
		s->records.at[i] = s->records.at[keep[i]];
	memset(s->records.bad, 0, rows * sizeof *s->records.bad);
	s->records.nbad = 0;
}

/* Event times come from expressions over whole columns. */
static int stamp(struct source *s)
{
	struct batch *b = &s->batch;
	for (uint32_t i = 0; s->records.nbad && i < b->n; i++) {
		for (uint32_t c = 0; s->records.bad[i].why && c < b->ncol; c++) {
			if (b->col[c].v)
				b->col[c].v[i] = value_null();
			if (b->col[c].num)
				b->col[c].num[i] = value_null();
		}
	}
	return s->stamp(s->stamp_ctx, &s->records);
}

int source_check(struct source *s)
{
	for (uint32_t c = 0; c < s->batch.ncol; c++) {
		if (s->need[c] & NEED_NUMBER)
			check_numbers(s, c);
		if (s->need[c] & NEED_BOOL)
			check_bools(s, c);
		if (s->need[c] & NEED_TIME)
			check_times(s, c);
	}
	if (s->stamp && stamp(s))
		return -1;
	if (s->records.nbad)
		drop_bad(s);
	else
		s->bad.records += count_records(s);
	return 0;
}
