/* A reduce or topn keyed by window, on its own: rows "+I START END k x;" in, with their bounds as times; what it sends is checked to carry its window's time.
 * The same operator over columns of any other name is one without windows: the reference. */
#ifndef BY_WINDOW_RIG_H
#define BY_WINDOW_RIG_H
#include "ops/key.h"
#include "ops/state/snapshot.h"
#include "rig.h"

extern const struct op_type reduce_op, topn_op, keyby_op;

struct setup {
	const struct op_type *type;
	const char *key, *text;
	unsigned kinds;
	bool timed;         /* else windows by the clock */
	bool plain;         /* nobody says that the rows are of windows */
	bool own;           /* the windows are the operator's own */
	bool bundled, final;
	bool unique;        /* start, end, k is the unique key of the input */
	int64_t lateness, ttl;
	uint32_t max;       /* rows per batch it sends; 0: BATCH_MAX */
};

struct bench {
	struct rig rig;
	struct op key;
	struct op_window window;
	uint32_t unique[3];
};

/* What every consumer may rely on, besides what rig_catch checks. */
static int catch_timed(struct op *op, const struct batch *in)
{
	const struct rig *rig = op->conf;
	const struct stream *stream = &rig->out.stream;
	for (uint32_t r = 0; stream->windowed && r < in->n; r++) {
		const struct value *end = &in->col[stream->end].v[r];
		ck_assert(end->type == V_TIME && (!in->time || in->time[r] == end->u.i - 1));
	}
	ck_assert(stream->timed == (in->time != NULL));
	return rig_catch(op, in);
}

static const struct op_type timed_catcher = { .name = "catcher", .push = catch_timed };

static int plan(struct bench *b, const struct setup *s)
{
	struct rig *rig = &b->rig;
	struct op *op = &rig->op;
	schema_add(&rig->schema, "window_start", 12, T_TIME);
	schema_add(&rig->schema, "window_end", 10, T_TIME);
	schema_add(&rig->schema, "k", 1, T_RAW);
	schema_add(&rig->schema, "x", 1, T_RAW);
	rig->schema.timed = s->timed;
	rig->in = (struct stream){ .schema = &rig->schema, .kinds = s->kinds, .timed = s->timed, .windowed = !s->plain, .end = 1, .once = !s->kinds };
	rig->in.lateness = s->lateness;
	rig->in.has_key = s->unique;
	rig->in.nkey = s->unique ? 3 : 0;
	for (uint32_t i = 0; i < 3; i++)
		b->unique[i] = i;
	rig->in.key = b->unique;
	*op = (struct op){ .type = s->type, .flag = "-x", .text = s->text, .mem = &rig->mem, .plan = &rig->plan, .err = &rig->err, .out = &rig->out, .before = true };
	op->timed = s->timed;
	op->bundled = s->bundled;
	op->final = s->final;
	op->ttl = s->ttl;
	op->wm = WM_NONE;
	op->late_last = INT64_MAX;
	b->window.window.kind = WINDOW_TUMBLE;
	op->window = s->own ? &b->window : NULL;
	op->conf = arena_alloc(&rig->plan, s->type->conf_size);
	b->key = (struct op){ .type = &keyby_op, .flag = "-k", .text = s->key, .plan = &rig->plan, .err = &rig->err };
	b->key.conf = arena_alloc(&rig->plan, keyby_op.conf_size);
	if (!op->conf || !b->key.conf)
		return err_memory(&rig->err);
	memset(op->conf, 0, s->type->conf_size);
	memset(b->key.conf, 0, keyby_op.conf_size);
	if ((s->key && keyby_op.parse(&b->key, &rig->err)) || op->type->parse(op, &rig->err))
		return -1;
	op->key = s->key ? &b->key : NULL;
	rig->out.stream = rig->in;
	return op->type->plan(op, &rig->in, &rig->out.stream, &rig->err);
}

/* Plans and opens; 0 or -1 with rig->err set. */
static int begin(struct bench *b, const struct setup *s, uint64_t fail_at)
{
	struct rig *rig = &b->rig;
	struct op *op = &rig->op;
	memset(b, 0, sizeof *b);
	rig_init(rig, "", 0);
	rig->mem.fail_at = fail_at ? rig->mem.requests + 20 + fail_at : 0; /* the columns' names are the test's own */
	if (plan(b, s))
		return -1;
	uint32_t n = rig->out.stream.schema->n;
	rig->out.need = arena_alloc(&rig->plan, n);
	op->state = arena_alloc(&rig->plan, op->type->state_size);
	if (!rig->out.need || !op->state)
		return err_memory(&rig->err);
	memset(op->state, 0, op->type->state_size);
	memset(rig->out.need, NEED_VALUE, n);
	op->type->need(op, rig->out.need, rig->need);
	rig->catcher = (struct op){ .type = &timed_catcher, .conf = rig, .err = &rig->err };
	if (edge_open(&rig->out, &rig->catcher, &rig->mem, s->max ? s->max : BATCH_MAX, &rig->err))
		return -1;
	return op->type->open(op);
}

static struct value time_of(const struct value *text)
{
	return (struct value){ .type = V_TIME, .u.i = strtoll(text->u.p, NULL, 10) };
}

/* Pushes rows as one batch. */
static int push_batch(struct bench *b, const char *rows)
{
	struct rig *rig = &b->rig;
	uint64_t fail_at = rig->mem.fail_at;
	rig->mem.fail_at = 0;
	struct batch batch = rig_batch(rig, rows, true);
	int64_t *time = arena_alloc(&rig->scratch, BATCH_MAX * sizeof *time);
	rig->mem.fail_at = fail_at;
	for (uint32_t r = 0; r < batch.n; r++) {
		for (uint32_t c = 0; c < 2; c++)
			batch.col[c].v[r] = time_of(&batch.col[c].v[r]);
		time[r] = batch.col[1].v[r].u.i - 1;
	}
	batch.time = rig->in.timed ? time : NULL;
	int status = rig->op.type->push(&rig->op, &batch);
	if (edge_push(&rig->out))
		status = -1;
	arena_reset(&rig->scratch);
	return status;
}

/* Pushes rows, at most `size` to a batch; an update is not cut in two. */
static int push(struct bench *b, const char *rows, uint32_t size)
{
	while (*rows) {
		const char *end = rows;
		for (uint32_t i = 0; *end && (i < size || !memcmp(end, "+U", 2)); i++)
			end = strchr(end, ';') + 1;
		char *part = strndup(rows, (size_t)(end - rows));
		int status = push_batch(b, part);
		free(part);
		if (status)
			return -1;
		rows = end;
	}
	return 0;
}

/* Calls of the operator that may send rows. */
static int call(struct bench *b, int (*what)(struct op *op))
{
	int status = what(&b->rig.op);
	return edge_push(&b->rig.out) ? -1 : status;
}

/* Time has reached t: the watermark, or the clock; WM_END: the end of input. */
static int advance(struct bench *b, int64_t t)
{
	struct op *op = &b->rig.op;
	int64_t wm = t;
	int status;
	if (op->timed || t == WM_END) {
		status = op->type->watermark(op, &wm);
		op->wm = t;
		ck_assert(status || wm == t);
	} else {
		op->now = t;
		status = op->type->timer(op, t);
	}
	return edge_push(&b->rig.out) ? -1 : status;
}

/* When the next window closes. */
static int64_t next_close(struct bench *b)
{
	const struct op *op = &b->rig.op;
	ck_assert((op->timed ? op->type->alarm : op->type->due)(op) == INT64_MAX);
	return (op->timed ? op->type->due : op->type->alarm)(op);
}

/* Saves, closes, opens anew and loads. */
static int again(struct bench *b)
{
	struct rig *rig = &b->rig;
	struct op *op = &rig->op;
	struct buf buf;
	struct snap_out out = { &buf };
	buf_init(&buf, &rig->mem);
	int status = op->type->save(op, &out);
	if (buf.failed)
		status = err_memory(&rig->err);
	if (!status) {
		op->type->close(op);
		status = op->type->open(op);
	}
	struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &rig->scratch };
	if (!status && !(status = op->type->load(op, &in)))
		ck_assert_msg(!snap_done(&in, "op", &rig->err), "%s", rig->err.text);
	buf_release(&buf);
	arena_reset(&rig->scratch);
	return status;
}
#endif
