/* One operator on its own: rows go in as text, what it sends comes out as text, "+I a 1;". Used by the tests of the simple operators.
 *
 * The catcher behind the operator checks what every consumer may rely on: a marked -U is followed by its +U in the same batch. */
#ifndef RIG_H
#define RIG_H
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/op.h"

struct rig {
	struct mem mem;
	struct arena plan;
	struct arena scratch;
	struct err err;
	struct schema schema;
	struct stream in;
	struct op op, catcher;
	struct edge out;
	uint8_t need[16]; /* of the operator's input */
	struct buf got;   /* rows since the last look */
	uint32_t batches, flushed;
};

static const char *const rig_kinds[] = { "+I", "-U", "+U", "-D" };

static void rig_put_value(struct buf *buf, const struct value *v)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p;
	for (uint32_t i = 0; v->type == V_ROW && i < v->len; i++)
		rig_put_value(buf, &v->u.row[i]);
	if (v->type == V_ROW)
		return;
	uint32_t n = value_print(v, scratch, &p);
	buf_putc(buf, ' ');
	if (v->type == V_NULL)
		buf_puts(buf, "\\N");
	buf_put(buf, p, n);
}

static int rig_catch(struct op *op, const struct batch *in)
{
	struct rig *rig = op->conf;
	rig->batches++;
	ck_assert_uint_gt(in->n, 0);
	ck_assert_uint_eq(in->ncol, rig->out.stream.schema->n);
	for (uint32_t r = 0; r < in->n; r++) {
		uint8_t kind = batch_kind(in, r);
		if (kind & K_PAIR) {
			ck_assert_int_eq(kind, K_UB | K_PAIR);
			ck_assert_uint_lt(r + 1, in->n);
			ck_assert_int_eq(in->kind[r + 1], K_UA);
		}
		buf_puts(&rig->got, rig_kinds[kind & K_MASK]);
		for (uint32_t c = 0; c < in->ncol; c++)
			if (in->col[c].v)
				rig_put_value(&rig->got, &in->col[c].v[r]);
		buf_putc(&rig->got, ';');
	}
	return 0;
}

static int rig_flush(struct op *op)
{
	struct rig *rig = op->conf;
	rig->flushed++;
	buf_putc(&rig->got, '|');
	return 0;
}

static const struct op_type rig_catcher = { .name = "catcher", .traits = OP_BUNDLES, .push = rig_catch, .flush = rig_flush };

/* The input: columns that are named by one letter each. */
static void rig_init(struct rig *rig, const char *columns, unsigned kinds)
{
	memset(rig, 0, sizeof *rig);
	arena_init(&rig->plan, &rig->mem);
	arena_init(&rig->scratch, &rig->mem);
	buf_init(&rig->got, &rig->mem);
	schema_init(&rig->schema, SCHEMA_CLOSED, &rig->plan);
	for (const char *c = columns; *c; c++)
		ck_assert_int_ge(schema_add(&rig->schema, c, 1, T_RAW), 0);
	rig->in = (struct stream){ .schema = &rig->schema, .kinds = kinds };
}

/* Parses, plans and opens the operator; what comes behind it reads every column and, if `before`, wants -U. 0 or -1 with rig->err set. */
static inline int rig_open(struct rig *rig, const struct op_type *type, const char *text, bool before)
{
	struct op *op = &rig->op;
	*op = (struct op){ .type = type, .flag = "-x", .text = text, .mem = &rig->mem, .plan = &rig->plan, .err = &rig->err, .out = &rig->out, .before = before };
	op->conf = arena_alloc(&rig->plan, type->conf_size + 1);
	op->state = arena_alloc(&rig->plan, type->state_size + 1);
	ck_assert(op->conf && op->state);
	memset(op->conf, 0, type->conf_size);
	memset(op->state, 0, type->state_size);
	if (type->parse && type->parse(op, &rig->err))
		return -1;
	rig->out.stream = rig->in;
	if (type->plan && type->plan(op, &rig->in, &rig->out.stream, &rig->err))
		return -1;
	uint32_t n = rig->out.stream.schema->n;
	rig->out.need = arena_alloc(&rig->plan, n + 1);
	memset(rig->out.need, NEED_VALUE, n);
	if (type->need)
		type->need(op, rig->out.need, rig->need);
	rig->catcher = (struct op){ .type = &rig_catcher, .conf = rig, .err = &rig->err };
	if (edge_open(&rig->out, &rig->catcher, &rig->mem, BATCH_MAX, &rig->err))
		return -1;
	return type->open ? type->open(op) : 0;
}

static inline void rig_close(struct rig *rig)
{
	if (rig->op.type && rig->op.type->close && rig->out.to)
		rig->op.type->close(&rig->op);
	if (rig->out.to)
		edge_close(&rig->out);
	buf_release(&rig->got);
	arena_release(&rig->scratch);
	arena_release(&rig->plan);
	ck_assert_uint_eq(rig->mem.used, 0);
}

/* Splits "a b c" at blanks into the cells of a row; \N is NULL. */
static void rig_cells(struct rig *rig, const char *text, size_t len, struct batch *batch, uint32_t row)
{
	const char *end = text + len;
	for (uint32_t c = 0; c < batch->ncol; c++) {
		const char *stop = memchr(text, ' ', (size_t)(end - text));
		stop = stop ? stop : end;
		uint32_t n = (uint32_t)(stop - text);
		char *copy = arena_copy(&rig->scratch, text, n);
		batch->col[c].v[row] = n == 2 && !memcmp(text, "\\N", 2) ? value_null() : value_raw(copy, n);
		text = stop < end ? stop + 1 : end;
	}
}

/* A batch of rows "+I a 1;-U a 1;+U a 2;"; -U directly before +U makes a pair if `pairs`. Lives until the next reset of rig->scratch. */
static inline struct batch rig_batch(struct rig *rig, const char *rows, bool pairs)
{
	struct batch batch = { .ncol = rig->schema.n, .mem = &rig->scratch, .now = rig->op.now };
	batch.col = arena_alloc(&rig->scratch, (batch.ncol + 1) * sizeof *batch.col);
	for (uint32_t c = 0; c < batch.ncol; c++)
		batch.col[c] = (struct column){ .v = arena_alloc(&rig->scratch, BATCH_MAX * sizeof(struct value)) };
	batch.kind = arena_alloc(&rig->scratch, BATCH_MAX);
	for (const char *end; *rows; rows = end + 1, batch.n++) {
		end = strchr(rows, ';');
		ck_assert(batch.n < BATCH_MAX && end);
		uint8_t kind = 0;
		while (memcmp(rows, rig_kinds[kind], 2))
			kind++;
		batch.kind[batch.n] = kind;
		if (pairs && kind == K_UA && batch.n && batch.kind[batch.n - 1] == K_UB)
			batch.kind[batch.n - 1] = K_UB | K_PAIR;
		rig_cells(rig, rows + 3, (size_t)(end - rows) - 3, &batch, batch.n);
	}
	return batch;
}

static inline int rig_push(struct rig *rig, const char *rows)
{
	struct batch batch = rig_batch(rig, rows, true);
	int status = rig->op.type->push(&rig->op, &batch);
	if (!status)
		status = edge_push(&rig->out);
	arena_reset(&rig->scratch);
	return status;
}

/* What came out since the last look. */
static inline const char *rig_got(struct rig *rig)
{
	buf_putc(&rig->got, '\0');
	rig->got.n = 0;
	return rig->got.p;
}

/* Runs the tests of one case in this process; the exit status. */
static inline int rig_run(Suite *suite)
{
	SRunner *sr = srunner_create(suite);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}

/* xorshift64*: the same rows on every machine. */
static inline uint32_t rig_random(uint64_t *seed, uint32_t below)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return (uint32_t)((*seed * 2685821657736338717ULL) >> 33) % below;
}

/* A random changelog over rows "KEY X": inserts, updates, deletes, well formed by KEY. now[key]: X, -1 none. */
enum { RIG_KEYS = 20 };
static inline void rig_changes(uint64_t *seed, uint32_t n, int now[RIG_KEYS], struct buf *rows)
{
	for (; n; n--) {
		uint32_t key = rig_random(seed, RIG_KEYS);
		int x = (int)rig_random(seed, 6), old = now[key];
		if (old < 0)
			buf_printf(rows, "+I k%u %d;", key, x);
		else if (rig_random(seed, 3) == 0)
			buf_printf(rows, "-D k%u %d;", key, old), x = -1;
		else if (x != old)
			buf_printf(rows, "-U k%u %d;+U k%u %d;", key, old, key, x);
		now[key] = x;
	}
	buf_putc(rows, '\0');
}

/* Applies "+I k3 5;..." to now[], checking that it is well formed by key: nothing comes twice, what goes was there, no pair changes nothing. */
static inline void rig_apply(const char *rows, int now[RIG_KEYS])
{
	int x, gone = -1;
	uint32_t key;
	char kind[3];
	for (; *rows; rows = strchr(rows, ';') + 1) {
		ck_assert_int_eq(sscanf(rows, "%2s k%u %d", kind, &key, &x), 3);
		if (kind[0] == '-') {
			ck_assert_int_eq(now[key], x);
			now[key] = -1;
			gone = x;
			continue;
		}
		ck_assert_int_eq(now[key], -1);
		ck_assert(kind[1] == 'I' || (gone >= 0 && gone != x));
		now[key] = x;
		gone = -1;
	}
}
#endif
