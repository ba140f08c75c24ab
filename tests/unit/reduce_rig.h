/* --reduce on its own, with a key before it. */
#ifndef REDUCE_RIG_H
#define REDUCE_RIG_H
#include "ops/key.h"
#include "ops/state/snapshot.h"
#include "rig.h"

extern const struct op_type reduce_op, keyby_op;

/* How the operator stands in its chain. */
struct setup {
	const char *columns; /* one letter each */
	const char *key;     /* NULL: none */
	const char *reduce;
	unsigned kinds;
	bool before, bundled, final;
	int64_t ttl;
	uint32_t max;        /* rows per batch it sends; 0: BATCH_MAX */
	const int8_t *trend; /* of the input's columns */
	const struct op_window *window;
};

/* Parses, plans and opens; 0 or -1 with rig->err set. */
static inline int reduce_start(struct rig *rig, const struct setup *s)
{
	rig_init(rig, s->columns, s->kinds);
	rig->in.trend = s->trend;
	struct op *op = &rig->op, *key = arena_alloc(&rig->plan, sizeof *key);
	*op = (struct op){ .type = &reduce_op, .flag = "-r", .text = s->reduce, .mem = &rig->mem, .plan = &rig->plan, .err = &rig->err, .out = &rig->out };
	*key = (struct op){ .type = &keyby_op, .flag = "-k", .text = s->key, .plan = &rig->plan, .err = &rig->err };
	op->before = s->before;
	op->bundled = s->bundled;
	op->final = s->final;
	op->ttl = s->ttl;
	op->window = s->window;
	key->conf = arena_alloc(&rig->plan, keyby_op.conf_size);
	op->conf = arena_alloc(&rig->plan, reduce_op.conf_size);
	ck_assert(key->conf && op->conf);
	memset(key->conf, 0, keyby_op.conf_size);
	memset(op->conf, 0, reduce_op.conf_size);
	if (s->key && keyby_op.parse(key, &rig->err))
		return -1;
	op->key = s->key ? key : NULL;
	rig->out.stream = rig->in;
	if (reduce_op.parse(op, &rig->err) || reduce_op.plan(op, &rig->in, &rig->out.stream, &rig->err))
		return -1;
	op->state = arena_alloc(&rig->plan, op->type->state_size); /* plan may have picked another variant */
	ck_assert(op->state);
	memset(op->state, 0, op->type->state_size);
	uint32_t n = rig->out.stream.schema->n;
	rig->out.need = arena_alloc(&rig->plan, n + 1);
	memset(rig->out.need, NEED_VALUE, n);
	op->type->need(op, rig->out.need, rig->need);
	rig->catcher = (struct op){ .type = &rig_catcher, .conf = rig, .err = &rig->err };
	if (edge_open(&rig->out, &rig->catcher, &rig->mem, s->max ? s->max : BATCH_MAX, &rig->err))
		return -1;
	return op->type->open(op);
}

/* The same, which must work. */
static inline void reduce_begin(struct rig *rig, const struct setup *s)
{
	ck_assert_msg(!reduce_start(rig, s), "%s", rig->err.text);
}

/* Pushes rows, at most `size` to a batch. */
static inline void reduce_rows_in(struct rig *rig, const char *rows, uint32_t size)
{
	while (*rows) {
		const char *end = rows;
		for (uint32_t i = 0; i < size && *end; i++)
			end = strchr(end, ';') + 1;
		char *part = strndup(rows, (size_t)(end - rows));
		ck_assert_msg(!rig_push(rig, part), "%s", rig->err.text);
		free(part);
		rows = end;
	}
}

static inline void reduce_end(struct rig *rig, int (*call)(struct op *op))
{
	ck_assert_msg(!call(&rig->op) && !edge_push(&rig->out), "%s", rig->err.text);
}

/* What `rows` give, in batches of 1, 2, 7 and all at once: the same each time, which is `want`. */
static inline void reduce_gives(struct setup s, const char *rows, const char *want)
{
	static const uint32_t size[] = { 1, 2, 7, BATCH_MAX };
	for (int i = 0; i < 8; i++) {
		struct rig rig;
		s.max = i < 4 ? 0 : 2;
		reduce_begin(&rig, &s);
		reduce_rows_in(&rig, rows, size[i % 4]);
		if (s.final)
			reduce_end(&rig, reduce_op.result);
		else if (s.bundled)
			reduce_end(&rig, reduce_op.flush);
		const char *got = rig_got(&rig);
		ck_assert_msg(!strcmp(got, want), "-r '%s', batches of %u:\n  %s\nnot\n  %s", s.reduce, size[i % 4], got, want);
		rig_close(&rig);
	}
}

/* Saves the state, closes the operator, opens it anew and loads. */
static inline void reduce_again(struct rig *rig)
{
	struct buf buf;
	struct snap_out out = { &buf };
	int64_t now = rig->op.now;
	buf_init(&buf, &rig->mem);
	ck_assert_int_eq(rig->op.type->save(&rig->op, &out), 0);
	ck_assert(!buf.failed);
	rig->op.type->close(&rig->op);
	ck_assert_int_eq(rig->op.type->open(&rig->op), 0);
	struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &rig->scratch };
	ck_assert_msg(!rig->op.type->load(&rig->op, &in), "%s", rig->err.text);
	ck_assert_msg(!snap_done(&in, "reduce", &rig->err), "%s", rig->err.text);
	rig->op.now = now;
	buf_release(&buf);
	arena_reset(&rig->scratch);
}
#endif
