/* A topn on its own, as the chain would set it up: with a key, a stream of a kind, a bundle. For t_topn*.c. */
#ifndef TOPN_RIG_H
#define TOPN_RIG_H
#include "rig.h"

#include "ops/chain.h"
#include "ops/state/snapshot.h"

extern const struct op_type topn_op, keyby_op;

struct job {
	const char *columns, *key, *text; /* one letter per column; key NULL: none */
	unsigned kinds;
	const char *unique;      /* columns of the unique key, as letters; NULL: none */
	int8_t trend;            /* of the last column */
	bool bundled, final, keeps, no_before;
	int64_t ttl;
	uint32_t max;            /* rows per batch of the output; 0: BATCH_MAX */
};

/* kinds, then what else is not zero: JOB("kx", "k", "2 by x", S_U, .ttl = 10) */
#define JOB(c, k, t, ...) { .columns = (c), .key = (k), .text = (t), .kinds = __VA_ARGS__ }

struct top {
	struct rig rig;
	struct op key;
	uint32_t unique[8];
	int8_t trend[8];
};

static inline void *top_zeroed(struct rig *rig, size_t size)
{
	void *p = arena_alloc(&rig->plan, size + 1);
	if (p)
		memset(p, 0, size + 1);
	return p;
}

static int top_plan(struct top *top, const struct job *job)
{
	struct rig *rig = &top->rig;
	struct op *op = &rig->op;
	*op = (struct op){ .type = &topn_op, .flag = "-t", .text = job->text, .mem = &rig->mem, .plan = &rig->plan, .err = &rig->err, .out = &rig->out };
	op->before = !job->no_before;
	op->bundled = job->bundled;
	op->final = job->final;
	op->keeps = job->keeps;
	op->ttl = job->ttl;
	op->conf = top_zeroed(rig, topn_op.conf_size);
	top->key = (struct op){ .type = &keyby_op, .flag = "-k", .text = job->key, .mem = &rig->mem, .plan = &rig->plan, .err = &rig->err };
	top->key.conf = top_zeroed(rig, keyby_op.conf_size);
	if (!op->conf || !top->key.conf)
		return err_memory(&rig->err);
	if (job->key && keyby_op.parse(&top->key, &rig->err))
		return -1;
	op->key = job->key ? &top->key : NULL;
	rig->in.has_key = job->unique != NULL;
	for (const char *c = job->unique ? job->unique : ""; *c; c++)
		top->unique[rig->in.nkey++] = (uint32_t)(strchr(job->columns, *c) - job->columns);
	rig->in.key = top->unique;
	top->trend[strlen(job->columns) - 1] = job->trend;
	rig->in.trend = top->trend;
	if (op->type->parse(op, &rig->err))
		return -1;
	rig->out.stream = rig->in;
	return op->type->plan(op, &rig->in, &rig->out.stream, &rig->err);
}

/* Opens what is planned; the consumer reads every column. */
static int top_start(struct top *top, const struct job *job)
{
	struct rig *rig = &top->rig;
	uint32_t n = rig->out.stream.schema->n;
	rig->out.need = top_zeroed(rig, n);
	rig->op.state = top_zeroed(rig, topn_op.state_size);
	if (!rig->out.need || !rig->op.state)
		return err_memory(&rig->err);
	memset(rig->out.need, NEED_VALUE, n);
	topn_op.need(&rig->op, rig->out.need, rig->need);
	rig->catcher = (struct op){ .type = &rig_catcher, .conf = rig, .err = &rig->err };
	if (edge_open(&rig->out, &rig->catcher, &rig->mem, job->max ? job->max : BATCH_MAX, &rig->err))
		return -1;
	return topn_op.open(&rig->op);
}

static inline int top_open(struct top *top, const struct job *job)
{
	rig_init(&top->rig, job->columns, job->kinds);
	memset(top->unique, 0, sizeof top->unique);
	memset(top->trend, 0, sizeof top->trend);
	return top_plan(top, job) ? -1 : top_start(top, job);
}

static inline void top_close(struct top *top)
{
	rig_close(&top->rig);
}

/* Pushes rows in batches of `size`, pairs not split. */
static inline int top_push(struct top *top, const char *rows, uint32_t size)
{
	char part[1 << 16];
	while (*rows) {
		size_t n = 0;
		for (uint32_t i = 0; rows[n] && (i < size || !memcmp(rows + n, "+U", 2)); i++)
			n = (size_t)(strchr(rows + n, ';') + 1 - rows);
		ck_assert_uint_lt(n, sizeof part);
		memcpy(part, rows, n);
		part[n] = '\0';
		if (rig_push(&top->rig, part))
			return -1;
		rows += n;
	}
	return 0;
}

static inline int top_flush(struct top *top)
{
	return topn_op.flush(&top->rig.op) ? -1 : edge_push(&top->rig.out);
}

static inline int top_result(struct top *top)
{
	return topn_op.result(&top->rig.op) ? -1 : edge_push(&top->rig.out);
}

/* Moves the state of `from` into the freshly opened `to` through a snapshot. */
static inline int top_move(struct top *from, struct top *to)
{
	struct buf buf;
	struct arena mem;
	buf_init(&buf, &from->rig.mem);
	arena_init(&mem, &to->rig.mem);
	struct snap_out out = { .buf = &buf };
	int status = topn_op.save(&from->rig.op, &out);
	ck_assert(!buf.failed || from->rig.mem.fail_at);
	struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &mem };
	if (!status && !buf.failed)
		status = topn_op.load(&to->rig.op, &in);
	if (!status && !buf.failed)
		ck_assert_int_eq(snap_done(&in, "topn", &to->rig.err), 0);
	arena_release(&mem);
	buf_release(&buf);
	return status;
}
#endif
