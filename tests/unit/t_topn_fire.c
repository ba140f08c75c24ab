/* A topn in windows that may fire several times, against a reduce in the same windows: what that joins are the rows of a window, and from one text to the
 * next it is told by hand what the list of the first few changes in. */
#include "ops/chain.h"
#include "ops/key.h"
#include "ops/state/snapshot.h"
#include "rig.h"

extern const struct op_type reduce_op, topn_op, keyby_op;

enum { STEPS = 30, MOST = 400 };

/* The windows that both have, and what the topn shows. */
struct setup {
	struct op_window window;
	struct op flag;
	struct trigger_cond cond[2];
	bool keyed, timed, updating;
	const char *topn;
	int from, to;
	bool desc, ranked;
	uint32_t max;
};

struct bench {
	struct rig rig;
	struct op key;
};

static int begin(struct bench *b, const struct op_type *type, const char *text, const struct setup *s, uint64_t fail)
{
	struct rig *rig = &b->rig;
	struct op *op = &rig->op;
	memset(b, 0, sizeof *b);
	rig_init(rig, "kxt", s->updating ? S_U | S_D : 0);
	rig->in.timed = s->timed;
	rig->mem.fail_at = fail ? rig->mem.requests + fail : 0;
	*op = (struct op){ .type = type, .flag = "-x", .text = text, .mem = &rig->mem, .plan = &rig->plan, .err = &rig->err, .out = &rig->out, .before = true };
	op->window = &s->window;
	op->timed = s->timed;
	op->wm = WM_NONE;
	op->late_last = INT64_MAX;
	op->conf = arena_alloc(&rig->plan, type->conf_size);
	b->key = (struct op){ .type = &keyby_op, .flag = "-k", .text = "k", .plan = &rig->plan, .err = &rig->err };
	b->key.conf = arena_alloc(&rig->plan, keyby_op.conf_size);
	if (!op->conf || !b->key.conf)
		return err_memory(&rig->err);
	memset(op->conf, 0, type->conf_size);
	memset(b->key.conf, 0, keyby_op.conf_size);
	if (keyby_op.parse(&b->key, &rig->err) || type->parse(op, &rig->err))
		return -1;
	op->key = s->keyed ? &b->key : NULL;
	rig->out.stream = rig->in;
	if (type->plan(op, &rig->in, &rig->out.stream, &rig->err))
		return -1;
	uint32_t n = rig->out.stream.schema->n;
	rig->out.need = arena_alloc(&rig->plan, n);
	op->state = arena_alloc(&rig->plan, op->type->state_size);
	if (!rig->out.need || !op->state)
		return err_memory(&rig->err);
	memset(rig->out.need, NEED_VALUE, n);
	memset(op->state, 0, op->type->state_size);
	op->type->need(op, rig->out.need, rig->need);
	ck_assert(rig->need[1] && (!s->keyed || rig->need[0]));
	rig->catcher = (struct op){ .type = &rig_catcher, .conf = rig, .err = &rig->err };
	if (edge_open(&rig->out, &rig->catcher, &rig->mem, s->max, &rig->err))
		return -1;
	return op->type->open(op);
}

static int push(struct bench *b, const char *rows)
{
	struct rig *rig = &b->rig;
	uint64_t fail_at = rig->mem.fail_at;
	rig->mem.fail_at = 0;
	struct batch batch = rig_batch(rig, rows, true);
	batch.time = arena_alloc(&rig->scratch, BATCH_MAX * sizeof *batch.time);
	rig->mem.fail_at = fail_at;
	for (uint32_t i = 0; i < batch.n; i++)
		batch.time[i] = strtoll(batch.col[2].v[i].u.p, NULL, 10);
	batch.time = rig->op.timed ? batch.time : NULL;
	int status = rig->op.type->push(&rig->op, &batch);
	if (edge_push(&rig->out))
		status = -1;
	arena_reset(&rig->scratch);
	return status;
}

/* Time has reached t: the watermark and the clock. */
static int advance(struct bench *b, int64_t t)
{
	struct op *op = &b->rig.op;
	int64_t wm = t;
	int status = 0;
	if (t < WM_END) {
		op->now = t;
		status = op->type->timer ? op->type->timer(op, t) : 0;
	}
	if (!status && op->type->watermark && (op->timed || t == WM_END))
		status = op->type->watermark(op, &wm);
	op->wm = op->timed ? t : op->wm;
	return edge_push(&b->rig.out) ? -1 : status;
}

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

/* ---- what the reduce says, as lists ------------------------------------------------------ */

/* Of a joined text, the rows that are shown: each is a number x, which names its row. */
struct list {
	int x[MOST];
	int n;
	char head[100]; /* bounds */
};

static bool desc_order;

static int by_x(const void *a, const void *b)
{
	int order = (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
	return desc_order ? -order : order;
}

/* A row "[START END] [k] 1,2,3" of the reduce. */
static void parse_list(const struct setup *s, bool bounds, const char *row, size_t len, struct list *list)
{
	char text[8000], *at = text, *stop;
	ck_assert_uint_lt(len, sizeof text);
	memcpy(text, row, len);
	text[len] = '\0';
	list->n = 0;
	list->head[0] = '\0';
	for (int i = 0; bounds && i < 2; i++) {
		stop = strchr(at, ' ');
		*stop = '\0';
		strcat(strcat(list->head, " "), at);
		at = stop + 1;
	}
	if (s->keyed)
		at = strchr(at, ' ') + 1;
	while (*at) {
		ck_assert_int_lt(list->n, MOST);
		list->x[list->n++] = (int)strtol(at, &stop, 10);
		at = *stop ? stop + 1 : stop;
	}
	desc_order = s->desc;
	qsort(list->x, (size_t)list->n, sizeof *list->x, by_x);
	int to = s->to < list->n ? s->to : list->n, shown = to - s->from + 1;
	list->n = shown < 0 ? 0 : shown;
	memmove(list->x, list->x + s->from - 1, (size_t)list->n * sizeof *list->x);
}

/* Row i of a list; rows[x] is how the row reads in the input. */
static void put(struct buf *out, const struct setup *s, const char *kind, const struct list *list, int i, char (*rows)[40])
{
	buf_printf(out, "%s%s %s", kind, list->head, rows[list->x[i]]);
	if (s->ranked)
		buf_printf(out, " %d", s->from + i);
	buf_putc(out, ';');
}

static bool has(const struct list *list, const struct list *of, int i)
{
	for (int k = 0; k < list->n; k++)
		if (list->x[k] == of->x[i] && !strcmp(list->head, of->head))
			return true;
	return false;
}

static void differ(struct buf *out, const struct setup *s, const struct list *old, const struct list *new, char (*rows)[40])
{
	int both = old->n < new->n ? old->n : new->n;
	if (!s->ranked) {
		for (int i = 0; i < old->n; i++)
			if (!has(new, old, i))
				put(out, s, "-D", old, i, rows);
		for (int i = 0; i < new->n; i++)
			if (!has(old, new, i))
				put(out, s, "+I", new, i, rows);
		return;
	}
	for (int i = 0; i < both; i++) {
		if (old->x[i] == new->x[i] && !strcmp(old->head, new->head))
			continue;
		put(out, s, "-U", old, i, rows);
		put(out, s, "+U", new, i, rows);
	}
	for (int i = both; i < new->n; i++)
		put(out, s, "+I", new, i, rows);
	for (int i = both; i < old->n; i++)
		put(out, s, "-D", old, i, rows);
}

/* What the topn must write. */
static void expect(const struct setup *s, bool bounds, const char *got, char (*rows)[40], struct buf *want)
{
	static struct list old, new;
	old.n = 0;
	for (const char *stop; *got; got = stop + 1) {
		stop = strchr(got, ';');
		struct list *list = got[0] == '-' ? &old : &new;
		parse_list(s, bounds, got + 3, (size_t)(stop - got) - 3, list);
		if (!memcmp(got, "-U", 2))
			continue;
		if (got[0] == '-')
			new.n = 0;
		differ(want, s, &old, &new, rows);
		old.n = 0;
	}
}

/* ---- random ------------------------------------------------------------------------------ */

static void some_trigger(struct setup *s, uint64_t *seed)
{
	static const enum trigger_kind kind[] = { TRIGGER_END, TRIGGER_EACH, TRIGGER_COUNT, TRIGGER_EVERY };
	s->window.trigger = (struct trigger_ast){ .cond = s->cond, .n = 1 + rig_random(seed, 2), .purge = rig_random(seed, 4) == 0 };
	for (uint32_t i = 0; i < s->window.trigger.n; i++)
		s->cond[i] = (struct trigger_cond){ .kind = kind[rig_random(seed, 4)], .n = 1 + rig_random(seed, 5) };
	s->window.trigger_flag = &s->flag;
}

static void some_setup(struct setup *s, uint64_t *seed)
{
	static const struct { const char *topn; int from, to; bool desc, ranked; } shows[] = {
		{ "3 by x desc as r", 1, 3, true, true }, { "2..3 by x as r", 2, 3, false, true }, { "2 by x", 1, 2, false, false },
		{ "all by x + 0 as r", 1, MOST, false, true }, { "4 rank by x desc", 1, 4, true, false }, { "3 dense_rank by -x", 1, 3, true, false },
		{ "last 2 by x", 1, 2, true, false },
	};
	uint32_t show = rig_random(seed, sizeof shows / sizeof *shows);
	*s = (struct setup){ .keyed = rig_random(seed, 2), .timed = rig_random(seed, 4), .topn = shows[show].topn, .max = 2 + rig_random(seed, 60) };
	s->from = shows[show].from;
	s->to = shows[show].to;
	s->desc = shows[show].desc;
	s->ranked = shows[show].ranked;
	s->flag = (struct op){ .flag = "--window", .text = "flag" };
	struct window_ast *w = &s->window.window;
	w->kind = (enum window_kind)rig_random(seed, 5);
	w->rows = w->kind == WINDOW_TUMBLE && rig_random(seed, 3) == 0;
	w->size = 1 + rig_random(seed, 15);
	w->step = w->kind == WINDOW_HOP ? 1 + rig_random(seed, 9) : w->kind == WINDOW_SESSION ? 0 : w->size;
	s->window.window_flag = w->kind == WINDOW_GLOBAL ? NULL : &s->flag;
	if (w->rows)
		return;
	if (w->kind != WINDOW_SESSION || rig_random(seed, 2))
		some_trigger(s, seed);
	s->updating = s->timed && w->kind != WINDOW_SESSION && rig_random(seed, 3) == 0; /* else a row may be taken back where it never was */
	if (s->timed && rig_random(seed, 2)) {
		s->window.lateness = rig_random(seed, 9);
		s->window.lateness_flag = &s->flag;
	}
	if (!s->updating && rig_random(seed, 3) == 0) {
		s->window.evict.kind = rig_random(seed, 2) ? EVICT_ROWS : EVICT_TIME;
		s->window.evict.n = 1 + rig_random(seed, 6);
		s->window.evict.after = rig_random(seed, 2);
		s->window.evict_flag = &s->flag;
	}
}

/* Rows so far: number x[i] of each, which tells it from all others and is in no order, and how it reads. */
struct script {
	int x[MOST], n;
	char row[MOST][40]; /* by x */
	bool gone[MOST];
	struct buf text;    /* those since the last step */
};

static void shuffle(struct script *script, uint64_t *seed)
{
	for (int i = 0; i < MOST; i++)
		script->x[i] = i;
	for (int i = MOST; i-- > 1;) {
		int k = (int)rig_random(seed, (uint32_t)i + 1), keep = script->x[i];
		script->x[i] = script->x[k];
		script->x[k] = keep;
	}
}

/* One row more, or a change of one that is there. */
static void some_row(const struct setup *s, uint64_t *seed, int64_t now, struct script *script)
{
	int x = script->n ? script->x[rig_random(seed, (uint32_t)script->n)] : 0;
	if (s->updating && script->n && rig_random(seed, 3) == 0) {
		buf_printf(&script->text, "%s %s;", script->gone[x] ? "+I" : "-D", script->row[x]);
		script->gone[x] = !script->gone[x];
		return;
	}
	if (script->n == MOST)
		return;
	x = script->x[script->n++];
	int64_t t = s->timed ? now + (int64_t)rig_random(seed, 12) - 6 : now;
	sprintf(script->row[x], "k%u %d %d", rig_random(seed, 3), x, (int)t);
	script->gone[x] = false;
	buf_printf(&script->text, "+I %s;", script->row[x]);
}

static void same(const struct setup *s, const char *got, const char *want)
{
	size_t at = 0, from = 0;
	for (; got[at] && got[at] == want[at]; at++)
		if (got[at] == ';')
			from = at + 1;
	const struct window_ast *w = &s->window.window;
	ck_assert_msg(got[at] == want[at], "window %d, size %d, step %d%s, %u conditions%s, evict %d, -t '%s'%s%s: row\n  %.120s\nnot\n  %.120s",
		(int)w->kind, (int)w->size, (int)w->step, w->rows ? " rows" : "", s->window.trigger.n, s->window.trigger.purge ? " purge" : "", (int)s->window.evict.kind, s->topn,
		s->timed ? "" : " clock", s->updating ? " updating" : "", got + from, want + from);
}

START_TEST(lists_change_as_their_windows_do)
{
	uint64_t seed = 1000 + (uint64_t)_i;
	struct setup s;
	struct bench topn, reduce;
	struct mem mem = { 0 };
	struct buf want;
	static struct script script;
	script = (struct script){ .n = 0 };
	shuffle(&script, &seed);
	do
		some_setup(&s, &seed);
	while (!s.window.window.rows && s.window.window.kind != WINDOW_GLOBAL && s.window.window.kind != WINDOW_SESSION && !s.window.evict_flag &&
	       s.window.trigger.n == 1 && s.cond[0].kind == TRIGGER_END && !(s.window.lateness_flag && s.window.trigger.purge));
	ck_assert_msg(!begin(&topn, &topn_op, s.topn, &s, 0), "%s", topn.rig.err.text);
	ck_assert_msg(!begin(&reduce, &reduce_op, "join(x)", &s, 0), "%s", reduce.rig.err.text);
	const struct stream *lists = &topn.rig.out.stream, *joined = &reduce.rig.out.stream;
	ck_assert(lists->timed == joined->timed && lists->windowed == joined->windowed && lists->once == joined->once && lists->lateness == joined->lateness);
	ck_assert(!lists->kinds == !joined->kinds);
	buf_init(&script.text, &mem);
	buf_init(&want, &mem);
	for (int64_t t = -30, step = 0; step < STEPS; step++) {
		script.text.n = want.n = 0;
		for (uint32_t i = rig_random(&seed, 20); i; i--)
			some_row(&s, &seed, t, &script);
		buf_putc(&script.text, '\0');
		ck_assert(!push(&topn, script.text.p) && !push(&reduce, script.text.p));
		if (rig_random(&seed, 5) == 0)
			ck_assert_msg(!again(&topn), "%s", topn.rig.err.text);
		t = step == STEPS - 1 ? WM_END : t + rig_random(&seed, 8);
		ck_assert(!advance(&topn, t) && !advance(&reduce, t));
		expect(&s, !strcmp(joined->schema->col[0].name, "window_start"), rig_got(&reduce.rig), script.row, &want);
		buf_putc(&want, '\0');
		same(&s, rig_got(&topn.rig), want.p);
		ck_assert(topn.rig.op.nlate == reduce.rig.op.nlate && topn.rig.op.late_last == reduce.rig.op.late_last && topn.rig.op.ignored == reduce.rig.op.ignored);
		if (reduce.rig.op.type->due && t < WM_END)
			ck_assert(topn.rig.op.type->due(&topn.rig.op) == reduce.rig.op.type->due(&reduce.rig.op));
	}
	rig_close(&topn.rig);
	rig_close(&reduce.rig);
	buf_release(&script.text);
	buf_release(&want);
}
END_TEST

START_TEST(refused_memory_is_an_error)
{
	uint64_t seed = 50 + (uint64_t)_i;
	struct setup s;
	do
		some_setup(&s, &seed);
	while (!s.window.evict_flag && !s.window.lateness_flag && s.window.window.kind != WINDOW_SESSION);
	for (uint64_t fail = 1, failed = 1; failed; fail++) {
		struct bench b;
		failed = begin(&b, &topn_op, s.topn, &s, fail) || push(&b, "+I a 1 0;+I b 2 1;+I a 3 2;+I a 4 9;") || again(&b) || advance(&b, 9) ||
			 push(&b, "+I a 5 5;+I b 6 8;") || advance(&b, WM_END);
		if (failed)
			ck_assert_msg(strstr(b.rig.err.text, "memory"), "%s", b.rig.err.text);
		rig_close(&b.rig);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("topn fire");
	TCase *tcase = tcase_create("topn fire");
	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, lists_change_as_their_windows_do, 0, 400);
	tcase_add_loop_test(tcase, refused_memory_is_an_error, 0, 30);
	suite_add_tcase(suite, tcase);
	return rig_run(suite);
}
