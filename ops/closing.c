#include "ops/closing.h"

#include "ops/late.h"
#include "ops/pick.h"

enum { KEYS_FIRST = 4 };

/* ---- at plan time ------------------------------------------------------------------------ */

void closing_bind(struct closing_conf *conf, struct op *op, const struct key *key, const struct stream *in, bool own)
{
	*conf = (struct closing_conf){ .key = key, .start = NO_START };
	for (uint32_t i = key->n; in->windowed && i-- > 0;) {
		int col = expr_column(key->expr[i]);
		if (col == (int)in->end) {
			conf->on = true;
			conf->end = i;
		} else if (col == (int)in->start) {
			conf->start = i;
		}
	}
	if (!conf->on)
		return;
	conf->col = in->end;
	conf->held = own || !in->kinds || op->final;
	conf->lateness = in->lateness;
	op->ttl = 0;
	op->at_once = true;
	if (conf->held)
		op->bundled = false;
}

void closing_describe(const struct stream *in, uint32_t end, uint32_t start, struct stream *out)
{
	out->timed = in->timed;
	out->windowed = true;
	out->end = end;
	out->start = start;
	out->once = in->once;
	out->lateness = in->lateness;
}

void closing_explain(const struct closing_conf *conf, struct buf *out)
{
	buf_printf(out, "  closes     with each window%s: its keys are %sforgotten\n", conf->lateness ? " and its lateness" : "",
		conf->held ? "answered for and " : "");
}

/* ---- windows ----------------------------------------------------------------------------- */

/* An entry has moved. */
static void follow(void *ctx, struct entry *entry)
{
	struct closing_slot *slot = closing_slot(ctx, entry);
	if (slot->window)
		slot->window->entry[slot->place] = entry;
}

int closing_init(struct closing *closing, const struct closing_conf *conf, struct table *table, size_t slot_at, struct mem *mem)
{
	*closing = (struct closing){ .conf = conf, .table = table, .mem = mem, .slot_at = slot_at };
	table_on_move(table, follow, closing);
	closing->key = mem_alloc(mem, conf->key->n * sizeof *closing->key);
	return closing->key ? 0 : -1;
}

static void free_window(struct closing *closing, struct closing_window *window)
{
	mem_free(closing->mem, window->entry, window->cap * sizeof(struct entry *));
	mem_free(closing->mem, window, sizeof *window);
}

void closing_tidy(struct closing *closing)
{
	for (struct closing_window *window; (window = closing->gone);) {
		closing->gone = window->next;
		free_window(closing, window);
	}
}

static struct closing_window *window_at(const struct closing *closing, uint64_t at)
{
	return (void *)ordset_at(&closing->open, at)->row;
}

void closing_release(struct closing *closing)
{
	if (!closing->conf)
		return;
	closing_tidy(closing);
	for (uint64_t i = 0; i < closing->open.n; i++)
		free_window(closing, window_at(closing, i));
	ordset_clear(&closing->open, closing->mem);
	mem_free(closing->mem, closing->key, closing->conf->key->n * sizeof *closing->key);
	*closing = (struct closing){ 0 };
}

/* The same order as that of the times. */
static uint64_t unsigned_of(int64_t t)
{
	return (uint64_t)t ^ (uint64_t)1 << 63;
}

static const struct ordset_order by_end_and_start = { NULL, NULL };

static struct ordset_item item_of(int64_t start, int64_t end)
{
	return (struct ordset_item){ .prefix = unsigned_of(end), .seq = unsigned_of(start) };
}

static int64_t time_of(const struct value *v)
{
	return v->type == V_TIME ? v->u.i : 0;
}

/* The window of a key, made if it is not there; NULL if memory is refused. */
static struct closing_window *window_of(struct closing *closing, int64_t start, int64_t end)
{
	struct closing_window *window = closing->last;
	if (window && window->end == end && window->start == start)
		return window;
	struct ordset_item item = item_of(start, end);
	uint64_t at = ordset_rank(&closing->open, &by_end_and_start, &item);
	window = at < closing->open.n ? window_at(closing, at) : NULL;
	if (!window || window->end != end || window->start != start) {
		window = mem_alloc(closing->mem, sizeof *window);
		if (!window)
			return NULL;
		*window = (struct closing_window){ .start = start, .end = end };
		item.row = (void *)window;
		if (ordset_insert(&closing->open, &by_end_and_start, &item, closing->mem, NULL)) {
			free_window(closing, window);
			return NULL;
		}
	}
	closing->last = window;
	return window;
}

/* ---- keys -------------------------------------------------------------------------------- */

static void put(struct closing *closing, struct closing_window *window, struct entry *entry)
{
	*closing_slot(closing, entry) = (struct closing_slot){ window, window->n };
	window->entry[window->n++] = entry;
}

/* Room for one more: what was removed gives it, if that is half of all. */
static int make_room(struct closing *closing, struct closing_window *window)
{
	if (window->n < window->cap)
		return 0;
	if (window->n && window->live <= window->n / 2) {
		uint64_t n = window->n;
		window->n = 0;
		for (uint64_t i = 0; i < n; i++)
			if (window->entry[i])
				put(closing, window, window->entry[i]);
		return 0;
	}
	uint64_t cap = window->cap ? 2 * window->cap : KEYS_FIRST;
	struct entry **entry = mem_resize(closing->mem, window->entry, window->cap * sizeof *entry, cap * sizeof *entry);
	if (!entry)
		return -1;
	window->entry = entry;
	window->cap = cap;
	return 0;
}

int closing_add(struct closing *closing, struct entry *entry)
{
	const struct closing_conf *conf = closing->conf;
	uint32_t len;
	if (closing_slot(closing, entry)->window)
		return 0;
	const char *bytes = entry_key(closing->table, entry, &len);
	key_values(conf->key, bytes, len, false, closing->key);
	int64_t start = conf->start == NO_START ? 0 : time_of(&closing->key[conf->start]);
	struct closing_window *window = window_of(closing, start, time_of(&closing->key[conf->end]));
	if (!window || make_room(closing, window))
		return -1;
	put(closing, window, entry);
	window->live++;
	return 0;
}

static void take_out(struct closing *closing, uint64_t at)
{
	const struct closing_window *window = window_at(closing, at);
	ordset_remove(&closing->open, at, closing->mem);
	if (closing->last == window)
		closing->last = NULL;
}

void closing_drop(struct closing *closing, struct entry *entry)
{
	const struct closing_slot *slot = closing_slot(closing, entry);
	struct closing_window *window = slot->window;
	if (!window)
		return;
	window->entry[slot->place] = NULL;
	if (--window->live)
		return;
	struct ordset_item item = item_of(window->start, window->end);
	take_out(closing, ordset_rank(&closing->open, &by_end_and_start, &item));
	window->next = closing->gone;
	closing->gone = window;
}

/* ---- the close --------------------------------------------------------------------------- */

int64_t closing_time(const struct closing *closing)
{
	int64_t time;
	if (!closing->open.n)
		return INT64_MAX;
	return __builtin_add_overflow(window_at(closing, 0)->end - 1, closing->conf->lateness, &time) ? INT64_MAX : time;
}

struct closing_window *closing_next(const struct closing *closing, int64_t to)
{
	return closing->open.n && closing_time(closing) <= to ? window_at(closing, 0) : NULL;
}

void closing_done(struct closing *closing)
{
	struct closing_window *window = window_at(closing, 0);
	take_out(closing, 0);
	free_window(closing, window);
}

/* ---- late rows --------------------------------------------------------------------------- */

/* Row numbers of the batch by what becomes of them: rows whose window ends at `closed` or before are late. */
struct sorted {
	uint16_t *kept, *late;
	uint8_t *kind; /* of the kept ones: the other half of an update may be late */
	uint32_t nkept, nlate;
};

static int sort_rows(const struct batch *in, const struct value *end, int64_t closed, struct sorted *to)
{
	to->kept = arena_alloc(in->mem, in->n * sizeof *to->kept);
	to->late = arena_alloc(in->mem, in->n * sizeof *to->late);
	to->kind = arena_alloc(in->mem, in->n);
	if (!to->kept || !to->late || !to->kind)
		return -1;
	for (uint32_t r = 0; r < in->n; r++) {
		if (end[r].u.i <= closed) {
			to->late[to->nlate++] = (uint16_t)r;
			continue;
		}
		to->kind[to->nkept] = batch_kind(in, r) & K_MASK;
		to->kept[to->nkept++] = (uint16_t)r;
	}
	return 0;
}

int closing_late(struct op *op, const struct closing_conf *conf, const struct batch *in, struct batch *picked, const struct batch **out)
{
	const struct value *end = in->col[conf->col].v;
	int64_t closed;
	bool late = false;
	*out = in;
	if (!op->timed || op->wm == WM_NONE || op->wm == WM_END || __builtin_sub_overflow(op->wm + 1, conf->lateness, &closed))
		return 0;
	for (uint32_t r = 0; r < in->n; r++)
		late |= end[r].u.i <= closed;
	if (!late)
		return 0;
	struct sorted rows = { 0 };
	if (sort_rows(in, end, closed, &rows) || batch_pick(in, rows.kept, rows.nkept, rows.kind, picked))
		return err_memory(op->err);
	for (uint32_t i = 0; i < rows.nlate; i++)
		late_count(op, end[rows.late[i]].u.i - 2 + conf->lateness);
	*out = picked;
	return late_send(op, in, rows.late, rows.nlate);
}
