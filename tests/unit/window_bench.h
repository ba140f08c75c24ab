/* --reduce in windows on its own, next to the model: random rows, batches cut where the operator asks for it, watermarks, the clock. */
#ifndef WINDOW_BENCH_H
#define WINDOW_BENCH_H
#include "ops/reduce_window.h"
#include "ops/state/snapshot.h"
#include "parse/lang/parse.h"
#include "window_model_rows.h"

extern const struct op_type keyby_op;

/* ---- the operator ---- */

struct bench {
	struct rig rig;
	struct model model;
	struct named_list list;
	struct op late_op;
	struct edge late;
	struct buf late_rows;
	struct mem mem; /* the model's */
	struct model_row *wait; /* rows of the batch that is being collected */
	uint32_t nwait, max;
	int64_t newest;
	uint64_t seed;
};

static int catch_late(struct op *op, const struct batch *in)
{
	struct buf *out = op->conf;
	for (uint32_t r = 0; r < in->n; r++) {
		buf_puts(out, rig_kinds[in->kind[r] & K_MASK]);
		for (uint32_t c = 0; c < in->ncol; c++)
			rig_put_value(out, &in->col[c].v[r]);
		buf_putc(out, ';');
	}
	return 0;
}

static const struct op_type late_catcher = { .name = "late", .push = catch_late };

/* Times as their milliseconds; the cells are the edge's. */
static int catch_rows(struct op *op, const struct batch *in)
{
	for (uint32_t c = 0; c < in->ncol; c++)
		for (uint32_t r = 0; r < in->n; r++)
			if (in->col[c].v[r].type == V_TIME)
				in->col[c].v[r] = value_int(in->col[c].v[r].u.i);
	return rig_catch(op, in);
}

static const struct op_type catcher = { .name = "catcher", .push = catch_rows };

static void open_late(struct bench *b)
{
	struct rig *rig = &b->rig;
	buf_init(&b->late_rows, &rig->mem);
	b->late_op = (struct op){ .type = &late_catcher, .conf = &b->late_rows, .err = &rig->err };
	b->late.stream = rig->in;
	b->late.need = arena_alloc(&rig->plan, 4);
	memset(b->late.need, NEED_VALUE, 4);
	ck_assert(!edge_open(&b->late, &b->late_op, &rig->mem, BATCH_MAX, &rig->err));
	rig->op.late = &b->late;
}

/* Plans and opens; columns k, x, t. -1 with rig.err set. */
static int begin(struct bench *b, const struct model *like)
{
	struct rig *rig = &b->rig;
	struct op *op = &rig->op, *key;
	memset(b, 0, sizeof *b);
	b->model = *like;
	b->newest = INT64_MIN;
	b->wait = malloc(BATCH_MAX * sizeof *b->wait);
	b->model.w = malloc(MODEL_WINDOWS * sizeof *b->model.w);
	buf_init(&b->model.out, &b->mem);
	buf_init(&b->model.late, &b->mem);
	rig_init(rig, "kxt", like->updating ? S_U | S_D : 0);
	rig->in.timed = like->timed;
	rig->in.equal_pairs = like->foreign;
	key = arena_alloc(&rig->plan, sizeof *key);
	*key = (struct op){ .type = &keyby_op, .flag = "-k", .text = "k", .plan = &rig->plan, .err = &rig->err };
	*op = (struct op){ .flag = "-r", .text = like->reduce, .mem = &rig->mem, .plan = &rig->plan, .err = &rig->err, .out = &rig->out };
	op->type = like->type ? like->type : &reduce_window_op;
	op->window = &b->model.window;
	op->timed = like->timed;
	op->wm = WM_NONE;
	op->before = true;
	key->conf = arena_alloc(&rig->plan, keyby_op.conf_size);
	op->state = arena_alloc(&rig->plan, op->type->state_size);
	memset(op->state, 0, op->type->state_size);
	ck_assert(!keyby_op.parse(key, &rig->err) && !parse_reduce("-r", like->reduce, &rig->plan, &b->list, &rig->err));
	op->key = like->keyed ? key : NULL;
	op->conf = &b->list;
	rig->out.stream = rig->in;
	if (op->type->plan(op, &rig->in, &rig->out.stream, &rig->err))
		return -1;
	uint32_t n = rig->out.stream.schema->n;
	rig->out.need = arena_alloc(&rig->plan, n + 1);
	memset(rig->out.need, NEED_VALUE, n);
	op->type->need(op, rig->out.need, rig->need);
	rig->catcher = (struct op){ .type = &catcher, .conf = rig, .err = &rig->err };
	ck_assert(!edge_open(&rig->out, &rig->catcher, &rig->mem, 2 + b->max, &rig->err));
	open_late(b);
	return op->type->open(op);
}

static void end(struct bench *b)
{
	for (uint32_t i = 0; i < b->model.nw; i++)
		if (b->model.w[i].there)
			free(b->model.w[i].row);
	free(b->model.w);
	free(b->wait);
	buf_release(&b->model.out);
	buf_release(&b->model.late);
	if (b->rig.op.late)
		edge_close(&b->late);
	buf_release(&b->late_rows);
	rig_close(&b->rig);
}

/* The rows that wait, as one batch. */
static int push(struct bench *b)
{
	struct rig *rig = &b->rig;
	char *text = malloc(BATCH_MAX * 60 + 1), *at = text;
	int64_t time[BATCH_MAX];
	uint64_t fail_at = rig->mem.fail_at;
	*text = '\0';
	for (uint32_t i = 0; i < b->nwait; i++) {
		const struct model_row *row = &b->wait[i];
		time[i] = row->time;
		at += sprintf(at, "%s k%u ", row->adds ? "+I" : "-D", row->key);
		at += row->x < 0 ? sprintf(at, "\\N") : sprintf(at, "%d", row->x);
		at += sprintf(at, " %" PRId64 ";", row->time);
	}
	rig->mem.fail_at = 0;
	struct batch batch = rig_batch(rig, text, true);
	rig->mem.fail_at = fail_at;
	batch.time = rig->op.timed ? time : NULL;
	b->nwait = 0;
	int status = batch.n ? rig->op.type->push(&rig->op, &batch) : 0;
	if (edge_push(&rig->out) || edge_push(&b->late))
		status = -1;
	arena_reset(&rig->scratch);
	free(text);
	return status;
}

static int watermark(struct bench *b, int64_t wm)
{
	struct op *op = &b->rig.op;
	int64_t got = wm;
	int status = wm > op->wm ? op->type->watermark(op, &got) : 0;
	if (edge_push(&b->rig.out))
		status = -1;
	op->wm = wm > op->wm ? wm : op->wm;
	return status;
}

static void again(struct bench *b)
{
	struct rig *rig = &b->rig;
	struct buf buf;
	struct snap_out out = { &buf };
	buf_init(&buf, &rig->mem);
	ck_assert(!rig->op.type->save(&rig->op, &out) && !buf.failed);
	rig->op.type->close(&rig->op);
	ck_assert(!rig->op.type->open(&rig->op));
	struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &rig->scratch };
	ck_assert_msg(!rig->op.type->load(&rig->op, &in), "%s", rig->err.text);
	ck_assert_msg(!snap_done(&in, "reduce", &rig->err), "%s", rig->err.text);
	buf_release(&buf);
	arena_reset(&rig->scratch);
}

/* ---- what came out ---- */

static void describe(const struct model *m, char *out)
{
	static const char *const kinds[] = { "global", "tumble", "hop", "cumulate", "session" };
	static const char *const conds[] = { "end", "each", "count", "every", "clock", "delta" };
	const struct op_window *w = &m->window;
	out += sprintf(out, "%s %d every %d offset %d, lateness %d%s%s%s, trigger", kinds[w->window.kind], (int)w->window.size, (int)w->window.step,
		       (int)w->window.offset, (int)w->lateness, m->timed ? "" : ", clock", m->updating ? ", updating" : "", m->keyed ? "" : ", no key");
	for (uint32_t c = 0; c < w->trigger.n; c++)
		out += sprintf(out, " %s %d", conds[w->trigger.cond[c].kind],
			       (int)(w->trigger.cond[c].kind == TRIGGER_DELTA ? w->trigger.cond[c].delta.u.i : w->trigger.cond[c].n));
	out += sprintf(out, "%s", w->trigger.purge ? " purge" : "");
	if (w->evict.kind)
		sprintf(out, ", evict %s %d%s", w->evict.kind == EVICT_ROWS ? "rows" : w->evict.kind == EVICT_TIME ? "time" : "delta",
			(int)(w->evict.kind == EVICT_DELTA ? w->evict.delta.u.i : w->evict.n), w->evict.after ? " after" : "");
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The other engine has its own order of keys. */
static void sort_rows(struct buf *rows)
{
	if (!rows->n)
		return;
	char *copy = strndup(rows->p, rows->n), **row = malloc((rows->n + 1) * sizeof *row), *at = copy;
	uint32_t n = 0;
	for (char *one; (one = strsep(&at, ";")) && *one;)
		row[n++] = one;
	qsort(row, n, sizeof *row, by_text);
	rows->n = 0;
	for (uint32_t i = 0; i < n; i++)
		buf_printf(rows, "%s;", row[i]);
	free(row);
	free(copy);
}

static void same(const struct bench *b, const char *what, struct buf *got, struct buf *want, uint64_t seed)
{
	char setup[400];
	if (b->model.type) {
		sort_rows(got);
		sort_rows(want);
	}
	buf_putc(got, '\0');
	buf_putc(want, '\0');
	size_t at = 0, from = 0;
	for (; got->p[at] && got->p[at] == want->p[at]; at++)
		if (got->p[at] == ';')
			from = at + 1;
	describe(&b->model, setup);
	ck_assert_msg(got->p[at] == want->p[at], "seed %" PRIu64 ": %s, -r '%s': %s\n  %.120s\nnot\n  %.120s", seed, setup, b->model.reduce, what, got->p + from,
		      want->p + from);
	got->n = want->n = 0;
}

/* ---- random input ---- */

enum { ROWS = 220, KEYS = 3 };

/* Mostly near the newest; one that takes back is an equal row, or any. */
static struct model_row some_row(const struct model *m, const struct model_row *before, uint32_t n, int64_t about, uint64_t *seed)
{
	uint32_t spread = rig_random(seed, 8) ? 6 : 30;
	struct model_row row = { .adds = true, .key = m->keyed ? rig_random(seed, KEYS) : 0, .x = (int)rig_random(seed, 11) - 1 };
	row.time = m->timed ? about + (int64_t)rig_random(seed, spread) - spread / 2 : m->now;
	if (m->updating && n && rig_random(seed, 3) == 0) {
		uint32_t back = rig_random(seed, 30);
		row = before[n - 1 - (back < n ? back : n - 1)];
		row.time = m->timed ? row.time : m->now;
		row.adds = false;
	}
	return row;
}

/* A row that takes back an x that its window does not have: the model and the aggregates need not agree on what that means. */
static bool is_odd(const struct model *m, const struct model_row *row)
{
	for (uint32_t i = 0; !row->adds && i < m->nw; i++) {
		const struct model_window *w = &m->w[i];
		int balance = 0, sameones = 0;
		if (!w->there || w->key != row->key || row->time + (m->window.window.kind == WINDOW_SESSION ? m->window.window.size : 0) < w->start || row->time > w->end)
			continue;
		for (uint32_t k = 0; k < w->n; k++) {
			int sign = w->row[k].adds ? 1 : -1;
			balance += sign;
			sameones += w->row[k].x == row->x ? sign : 0;
		}
		if (balance && !sameones)
			return true;
	}
	return false;
}

/* The clock goes on: alarms first. */
static int tick(struct bench *b, int64_t now)
{
	struct op *op = &b->rig.op;
	op->now = b->model.now = now;
	int64_t alarm = op->type->alarm(op);
	int status = alarm <= now ? op->type->timer(op, now) : 0;
	return edge_push(&b->rig.out) ? -1 : status;
}

/* One row, in the model at once; what reaches an instant that matters to the operator is pushed. */
static int feed(struct bench *b, struct model_row row)
{
	struct model *m = &b->model;
	int64_t due = b->rig.op.type->due(&b->rig.op);
	model_row(m, row);
	b->wait[b->nwait++] = row;
	b->newest = row.time > b->newest ? row.time : b->newest;
	int64_t wm = b->newest - 6;
	if (m->timed && wm > m->wm) {
		m->wm = wm;
		model_advance(m, false, wm);
	}
	if (m->timed && wm >= due)
		return push(b) || watermark(b, wm) ? -1 : 0;
	return b->nwait >= b->max ? push(b) : 0;
}

static int step(struct bench *b, struct model_row *row, uint32_t i)
{
	struct model *m = &b->model;
	if (rig_random(&b->seed, 12) == 0) {
		int64_t now = m->now + 1 + rig_random(&b->seed, 9);
		if (push(b) || tick(b, now))
			return -1;
		model_advance(m, m->timed, now);
	}
	do
		row[i] = some_row(m, row, i, (int64_t)i / 2 - 20, &b->seed);
	while (is_odd(m, &row[i]));
	return feed(b, row[i]);
}

static int run(struct bench *b, struct model_row *row, bool saves, uint64_t seed)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		if (step(b, row, i))
			return -1;
		if (saves && rig_random(&b->seed, 20) == 0) {
			if (push(b))
				return -1;
			again(b);
		}
		if (!b->nwait && saves)
			same(b, "rows", &b->rig.got, &b->model.out, seed);
	}
	model_advance(&b->model, false, WM_END);
	return push(b) || watermark(b, WM_END) ? -1 : 0;
}
#endif
