/* Stored rows: they outlive what they were made of, and agree with the batch. */
#include "ops/state/row.h"
#include "ops/state/snapshot.h"
#include "state_values.h"

enum { ROWS = 60, COLUMNS = 5, UNREAD = 3 /* this column is read by nobody */ };

struct world {
	struct mem mem;
	struct arena arena;
	struct column col[COLUMNS];
	struct batch batch;
	uint64_t random;
};

static void fill(struct world *w)
{
	w->batch = (struct batch){ .n = ROWS, .ncol = COLUMNS, .col = w->col, .mem = &w->arena };
	for (uint32_t c = 0; c < COLUMNS; c++) {
		w->col[c].v = c == UNREAD ? NULL : arena_alloc(&w->arena, ROWS * sizeof(struct value));
		for (uint32_t r = 0; r < ROWS && w->col[c].v; r++)
			w->col[c].v[r] = random_value(&w->random, &w->arena, c == 0);
	}
}

static void world_open(struct world *w, uint64_t seed)
{
	*w = (struct world){ .random = seed };
	arena_init(&w->arena, &w->mem);
	fill(w);
}

static void world_close(struct world *w)
{
	arena_release(&w->arena);
	MUST(w->mem.used == 0);
}

static bool alike_batch(const struct world *w, const struct row *row, uint32_t r)
{
	struct value null = value_null();
	bool all = true;
	for (uint32_t c = 0; c < row->n; c++)
		all = all && alike(&row->v[c], w->col[c].v ? &w->col[c].v[r] : &null);
	return all;
}

/* The model of equality: value_same, column by column. */
static bool same_in_batch(const struct world *w, uint32_t a, uint32_t b, uint32_t ncol)
{
	bool all = true;
	for (uint32_t c = 0; c < ncol; c++)
		all = all && (!w->col[c].v || value_same(&w->col[c].v[a], &w->col[c].v[b]));
	return all;
}

START_TEST(copies)
{
	struct world w;
	world_open(&w, 1);
	for (uint32_t ncol = 0; ncol <= COLUMNS; ncol++) {
		for (uint32_t r = 0; r < ROWS; r++) {
			struct mem mem = { 0 };
			struct row *row = row_of_batch(&w.batch, r, ncol, &mem);
			MUST(row && mem.requests == 1 && row->size == mem.used && row->n == ncol);
			MUST(alike_batch(&w, row, r));
			MUST(row_same_batch(row, &w.batch, r));
			row_free(row, &mem);
			MUST(mem.used == 0);
			mem.fail_at = 1;
			mem.requests = 0;
			MUST(!row_of_batch(&w.batch, r, ncol, &mem));
		}
	}
	world_close(&w);
}
END_TEST

/* What a row was made of may go: nothing of it is borrowed. */
START_TEST(outlives_the_batch)
{
	struct world w;
	world_open(&w, 2);
	struct row *row[ROWS];
	for (uint32_t r = 0; r < ROWS; r++)
		row[r] = row_of_batch(&w.batch, r, COLUMNS, &w.mem);
	arena_release(&w.arena);
	w.random = 2;
	fill(&w);
	for (uint32_t r = 0; r < ROWS; r++) {
		MUST(alike_batch(&w, row[r], r));
		row_free(row[r], &w.mem);
	}
	row_free(NULL, &w.mem);
	world_close(&w);
}
END_TEST

START_TEST(equality_and_hash)
{
	uint64_t equal = 0, hash_equal = 0;
	for (uint64_t seed = 10; seed < 30; seed++) {
		struct world w;
		world_open(&w, seed);
		struct row *row[ROWS];
		uint32_t ncol = 1 + (uint32_t)(seed % 3);
		for (uint32_t r = 0; r < ROWS; r++)
			row[r] = row_of_batch(&w.batch, r, ncol, &w.mem);
		for (uint32_t a = 0; a < ROWS; a++) {
			for (uint32_t b = 0; b < ROWS; b++) {
				bool same = same_in_batch(&w, a, b, ncol);
				MUST(row_same_batch(row[a], &w.batch, b) == same);
				MUST(row_same(row[a], row[b]) == same);
				uint64_t h = row_hash(row[a]);
				MUST(h != 0 && h == row_hash(row[a]));
				MUST(h == row_hash_batch(&w.batch, a, ncol));
				MUST(!same || h == row_hash_batch(&w.batch, b, ncol));
				equal += same;
				hash_equal += h == row_hash_batch(&w.batch, b, ncol);
			}
		}
		for (uint32_t r = 0; r < ROWS; r++)
			row_free(row[r], &w.mem);
		world_close(&w);
	}
	MUST(equal > 20 * ROWS);
	MUST(equal == hash_equal);
}
END_TEST

static struct row *row_of(const struct value *v, uint32_t n, struct mem *mem)
{
	struct column col[4];
	for (uint32_t i = 0; i < n; i++)
		col[i] = (struct column){ .v = (struct value *)(void *)&v[i] };
	struct batch batch = { .n = 1, .ncol = n, .col = col };
	struct row *row = row_of_batch(&batch, 0, n, mem);
	MUST(row);
	return row;
}

/* Rows whose bytes are the same when glued, and values that print the same. */
START_TEST(telling_apart)
{
	struct value field[2] = { value_raw("a", 1), value_raw("b", 1) };
	struct value pair[][2] = {
		{ value_text("a", 1), value_text("bc", 2) }, { value_text("ab", 2), value_text("c", 1) },
		{ value_text("", 0), value_null() }, { value_null(), value_text("", 0) }, { value_null(), value_null() }, { value_text("", 0), value_text("", 0) },
		{ value_raw("7", 1), value_null() }, { value_raw("007", 3), value_null() }, { value_text("abc", 3), value_text("", 0) },
		{ { .type = V_ROW, .len = 2, .u.row = field }, value_null() }, { { .type = V_ROW, .len = 1, .u.row = field }, value_null() },
		{ { .type = V_ROW, .len = 1, .u.row = field }, value_raw("b", 1) }, { { .type = V_ROW, .len = 0, .u.row = field }, value_null() },
	};
	enum { N = sizeof pair / sizeof *pair };
	struct mem mem = { 0 };
	struct row *row[N];
	for (int i = 0; i < N; i++)
		row[i] = row_of(pair[i], 2, &mem);
	for (int i = 0; i < N; i++) {
		for (int k = 0; k < N; k++) {
			MUST(row_same(row[i], row[k]) == (i == k));
			MUST((row_hash(row[i]) == row_hash(row[k])) == (i == k));
		}
	}
	struct value seven = value_int(7);
	struct row *number = row_of((struct value[]){ seven, value_null() }, 2, &mem), *shorter = row_of(&seven, 1, &mem);
	MUST(row_same(number, row[6]) && row_hash(number) == row_hash(row[6]));
	MUST(!row_same(number, shorter));
	row_free(number, &mem);
	row_free(shorter, &mem);
	for (int i = 0; i < N; i++)
		row_free(row[i], &mem);
	MUST(mem.used == 0);
}
END_TEST

/* Saved and loaded; cut anywhere; with memory refused at any request. */
START_TEST(snapshots)
{
	struct world w;
	world_open(&w, 3);
	for (uint32_t r = 0; r < ROWS; r++) {
		struct buf buf;
		buf_init(&buf, &w.mem);
		struct snap_out out = { &buf };
		struct row *row = row_of_batch(&w.batch, r, COLUMNS, &w.mem);
		row_save(row, &out);
		size_t used = w.mem.used;
		for (size_t n = 0; n <= buf.n; n++) {
			struct err err = { 0 };
			char *cut = malloc(n + 1); /* of its own, so that a sanitizer sees one byte too many */
			memcpy(cut, buf.p, n);
			struct snap_in in = { .p = cut, .end = cut + n };
			struct row *back = row_load(&in, &w.mem);
			MUST((back != NULL) == (n == buf.n));
			MUST((snap_done(&in, "row", &err) == 0) == (n == buf.n));
			MUST(!back || (back->size == row->size && alike_batch(&w, back, r)));
			row_free(back, &w.mem);
			free(cut);
		}
		for (uint64_t fail = 1; fail < 4; fail++) {
			struct err err = { 0 };
			struct snap_in in = { .p = buf.p, .end = buf.p + buf.n };
			w.mem.fail_at = w.mem.requests + fail;
			struct row *back = row_load(&in, &w.mem);
			w.mem.fail_at = 0;
			MUST(back || (snap_done(&in, "row", &err) && !strcmp(err.text, "out of memory")));
			row_free(back, &w.mem);
			MUST(w.mem.used == used);
		}
		row_free(row, &w.mem);
		buf_release(&buf);
	}
	world_close(&w);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { copies, outlives_the_batch, equality_and_hash, telling_apart, snapshots };
	return RUN_TESTS("row", tests);
}
