/* Keys by window, as they come, go, move and close, against a list that is looked through. */
#include "ops/closing.h"
#include "ops/keyed.h"
#include "rig.h"
#include "state_test.h"

extern const struct op_type keyby_op;

enum { KEYS = 4000, ENDS = 40 };

/* A key by its number: start, end, and the number itself. */
struct made {
	int64_t start, end;
	bool there;
	uint64_t since; /* its place in the order of arrival */
};

struct bench {
	struct rig rig;
	struct op key_op;
	struct key key;
	struct closing_conf conf;
	struct table *table;
	struct closing closing;
	struct made made[KEYS];
	uint64_t arrivals;
};

/* The slot stands behind a word of the operator's own. */
enum { SLOT_AT = 8, STATE = SLOT_AT + sizeof(struct closing_slot) };

static struct bench *begin(int64_t lateness, const char *key)
{
	struct bench *b = calloc(1, sizeof *b);
	struct rig *rig = &b->rig;
	rig_init(rig, "", 0);
	schema_add(&rig->schema, "window_start", 12, T_TIME);
	schema_add(&rig->schema, "window_end", 10, T_TIME);
	schema_add(&rig->schema, "k", 1, T_NUMBER);
	rig->in.windowed = rig->in.timed = true;
	rig->in.start = 0;
	rig->in.end = 1;
	rig->in.lateness = lateness;
	b->key_op = (struct op){ .type = &keyby_op, .flag = "-k", .text = key, .plan = &rig->plan, .err = &rig->err };
	b->key_op.conf = arena_alloc(&rig->plan, keyby_op.conf_size);
	memset(b->key_op.conf, 0, keyby_op.conf_size);
	rig->op = (struct op){ .flag = "-t", .text = "", .key = &b->key_op, .mem = &rig->mem, .plan = &rig->plan, .err = &rig->err, .timed = true };
	rig->op.wm = WM_NONE;
	rig->op.ttl = 5;
	rig->op.bundled = true;
	MUST(!keyby_op.parse(&b->key_op, &rig->err) && !key_bind(&b->key, &rig->op, &rig->schema, &rig->err));
	closing_bind(&b->conf, &rig->op, &b->key, &rig->in, false);
	MUST(b->conf.on && b->conf.held && !rig->op.ttl && !rig->op.bundled && rig->op.at_once);
	b->table = table_new(STATE, 7, &rig->mem);
	MUST(b->table && !closing_init(&b->closing, &b->conf, b->table, SLOT_AT, &rig->mem));
	return b;
}

static void finish(struct bench *b)
{
	closing_release(&b->closing);
	table_free(b->table);
	rig_close(&b->rig);
	free(b);
}

/* A batch of one row of key number id. */
static struct batch row_of(struct bench *b, uint32_t id)
{
	struct arena *mem = &b->rig.scratch;
	struct batch batch = { .n = 1, .ncol = 3, .col = arena_alloc(mem, 3 * sizeof(struct column)), .mem = mem };
	for (uint32_t c = 0; c < 3; c++)
		batch.col[c] = (struct column){ .v = arena_alloc(mem, sizeof(struct value)) };
	batch.col[0].v[0] = (struct value){ .type = V_TIME, .u.i = b->made[id].start };
	batch.col[1].v[0] = (struct value){ .type = V_TIME, .u.i = b->made[id].end };
	batch.col[2].v[0] = value_int(id);
	return batch;
}

static struct entry *find(struct bench *b, uint32_t id, bool make)
{
	struct keyed keyed;
	struct batch batch = row_of(b, id);
	batch.kind = make ? NULL : (uint8_t[]){ K_D };
	MUST(!keyed_find(&keyed, b->table, &b->key, &batch, true));
	struct entry *entry = keyed.entry[0];
	arena_reset(&b->rig.scratch);
	return entry;
}

/* The number behind an entry, which its key says, too. */
static uint32_t id_of(const struct bench *b, struct entry *entry)
{
	struct value v[3];
	uint32_t len;
	const char *bytes = entry_key(b->table, entry, &len);
	key_values(&b->key, bytes, len, false, v);
	uint32_t id = *(uint32_t *)entry_state(entry);
	MUST(v[b->key.n - 1].u.i == id && closing_end(&b->closing, entry) == b->made[id].end);
	return id;
}

static void add(struct bench *b, uint32_t id, int64_t wm, uint64_t *random)
{
	struct made *made = &b->made[id];
	made->end = wm + 1 + (int64_t)(next_random(random) % ENDS);
	made->start = made->end - 1 - (int64_t)(next_random(random) % 3);
	made->there = true;
	made->since = b->arrivals++;
	struct entry *entry = find(b, id, true);
	*(uint32_t *)entry_state(entry) = id;
	MUST(!closing_add(&b->closing, entry) && !closing_add(&b->closing, entry));
}

static void drop(struct bench *b, uint32_t id)
{
	struct entry *entry = find(b, id, false);
	closing_drop(&b->closing, entry);
	MUST(closing_end(&b->closing, entry) == b->made[id].end);
	table_remove(b->table, entry);
	b->made[id].there = false;
}

/* The key that is next to close at `to`; KEYS: none. */
static uint32_t next_of(const struct bench *b, int64_t to)
{
	uint32_t best = KEYS;
	for (uint32_t id = 0; id < KEYS; id++) {
		const struct made *m = &b->made[id], *o = best < KEYS ? &b->made[best] : NULL;
		if (!m->there || m->end - 1 + b->conf.lateness > to)
			continue;
		if (!o || m->end < o->end || (m->end == o->end && (m->start < o->start || (m->start == o->start && m->since < o->since))))
			best = id;
	}
	return best;
}

static void close_to(struct bench *b, int64_t to)
{
	struct closing_window *window;
	while ((window = closing_next(&b->closing, to))) {
		MUST(window->live && closing_time(&b->closing) == window->end - 1 + b->conf.lateness);
		for (uint64_t i = 0; i < window->n; i++) {
			if (!window->entry[i])
				continue;
			uint32_t id = id_of(b, window->entry[i]);
			MUST(id == next_of(b, to));
			b->made[id].there = false;
			table_remove(b->table, window->entry[i]);
		}
		closing_done(&b->closing);
	}
	MUST(next_of(b, to) == KEYS);
}

START_TEST(keys_close_in_order)
{
	struct bench *b = begin(3 * (_i % 2), "window, k");
	uint64_t random = 11 + (uint64_t)_i;
	int64_t wm = -50;
	for (int step = 0; step < 40; step++) {
		closing_tidy(&b->closing);
		for (uint32_t k = 0; k < 300; k++) {
			uint32_t id = (uint32_t)(next_random(&random) % KEYS);
			if (!b->made[id].there)
				add(b, id, wm, &random);
			else if (next_random(&random) % 4)
				drop(b, id);
		}
		wm += (int64_t)(next_random(&random) % 6);
		close_to(b, wm);
		table_tick(b->table, 300);
	}
	close_to(b, INT64_MAX);
	MUST(!table_count(b->table) && closing_time(&b->closing) == INT64_MAX);
	finish(b);
}
END_TEST

/* A window that loses its keys gives its memory back long before it closes, and one whose keys come and go does not grow. */
START_TEST(what_is_dropped_takes_no_room)
{
	struct bench *b = begin(0, "window, k");
	size_t used = 0;
	for (uint32_t i = 0; i < 100000; i++) {
		closing_tidy(&b->closing);
		b->made[0] = (struct made){ .start = 0, .end = 10 + i % 50000 };
		b->made[1] = (struct made){ .start = 0, .end = 9 };
		for (uint32_t id = 0; id < 2; id++) {
			struct entry *entry = find(b, id, true);
			MUST(!closing_add(&b->closing, entry));
			drop(b, id);
		}
		table_tick(b->table, 2);
		used = i == 1000 ? b->rig.mem.used : used;
	}
	MUST(b->rig.mem.used <= used + 1000);
	finish(b);
}
END_TEST

START_TEST(the_end_alone_may_be_the_key)
{
	struct bench *b = begin(0, "window_end, k");
	MUST(b->conf.start == NO_START && b->conf.end == 0);
	for (uint32_t id = 0; id < 3; id++) {
		b->made[id] = (struct made){ .start = -(int64_t)id, .end = 10, .there = true, .since = id };
		struct entry *entry = find(b, id, true);
		*(uint32_t *)entry_state(entry) = id;
		MUST(!closing_add(&b->closing, entry));
	}
	const struct closing_window *window = closing_next(&b->closing, 9);
	MUST(window && window->live == 3 && !closing_next(&b->closing, 8));
	for (uint32_t id = 0; id < 3; id++)
		MUST(id_of(b, window->entry[id]) == id);
	finish(b);
}
END_TEST

START_TEST(refused_memory_leaves_nothing_half_made)
{
	struct bench *b = begin(0, "window, k");
	struct mem *mem = &b->rig.mem;
	for (uint32_t id = 0; id < 200; id++) {
		b->made[id] = (struct made){ .start = 0, .end = 10 + id % 9, .there = true, .since = b->arrivals++ };
		struct entry *entry = find(b, id, true);
		*(uint32_t *)entry_state(entry) = id;
		for (uint64_t fail = 1;; fail++) {
			mem->fail_at = mem->requests + fail;
			int status = closing_add(&b->closing, entry);
			mem->fail_at = 0;
			if (!status)
				break;
			MUST(!closing_slot(&b->closing, entry)->window);
		}
	}
	close_to(b, INT64_MAX);
	finish(b);
}
END_TEST

/* Rows of closed windows are dropped and counted; where time has not come, and on the clock, none is. */
START_TEST(late_rows_are_left_out)
{
	struct bench *b = begin(4, "window, k");
	struct op *op = &b->rig.op;
	struct arena *mem = &b->rig.scratch;
	struct batch picked, in = { .n = 20, .ncol = 3, .col = arena_alloc(mem, 3 * sizeof(struct column)), .mem = mem, .kind = arena_alloc(mem, 20) };
	for (uint32_t c = 0; c < 3; c++) {
		in.col[c] = (struct column){ .v = arena_alloc(mem, 20 * sizeof(struct value)) };
		for (uint32_t r = 0; r < 20; r++)
			in.col[c].v[r] = (struct value){ .type = V_TIME, .u.i = r };
	}
	memset(in.kind, K_I, 20);
	in.kind[11] = K_UB | K_PAIR;
	in.kind[12] = K_UA;
	const struct batch *out;
	for (int64_t wm = -10; wm < 40; wm++) {
		op->nlate = 0;
		op->late_last = INT64_MAX;
		op->wm = wm;
		MUST(!closing_late(op, &b->conf, &in, &picked, &out));
		uint32_t late = wm < 3 ? 0 : wm > 22 ? 20 : (uint32_t)wm - 2; /* end - 1 + 4 <= wm */
		MUST(op->nlate == late && out->n == 20 - late && (late || out == &in));
		MUST(op->late_last == (late ? -2 + 4 : INT64_MAX));
		for (uint32_t r = 0; r < out->n; r++)
			MUST(out->col[1].v[r].u.i == r + late && out->kind[r] == (late ? in.kind[r + late] & K_MASK : in.kind[r]));
	}
	op->wm = WM_NONE;
	MUST(!closing_late(op, &b->conf, &in, &picked, &out) && out == &in);
	op->wm = 30;
	op->timed = false;
	MUST(!closing_late(op, &b->conf, &in, &picked, &out) && out == &in);
	finish(b);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("closing");
	TCase *tcase = tcase_create("closing");
	tcase_set_timeout(tcase, 0);
	tcase_add_loop_test(tcase, keys_close_in_order, 0, 4);
	tcase_add_test(tcase, what_is_dropped_takes_no_room);
	tcase_add_test(tcase, the_end_alone_may_be_the_key);
	tcase_add_test(tcase, refused_memory_leaves_nothing_half_made);
	tcase_add_test(tcase, late_rows_are_left_out);
	suite_add_tcase(suite, tcase);
	return rig_run(suite);
}
