/* --upsert: -U comes back, -D says what was there, and nothing is written where nothing changes. */
#include "rig.h"

#include "ops/chain.h"
#include "ops/state/snapshot.h"

START_TEST(updates_get_their_before)
{
	static const char in[] = "+U one 1;+U two 2;+U one 3;+I one 3;-D two 9;+U two 4;-D three 0;-U two 4;+I \\N 5;+U \\N \\N;";
	static const char *const out[] = {
		"+I one 1;+I two 2;-U one 1;+U one 3;-D two 2;+I two 4;-D two 4;+I \\N 5;-U \\N 5;+U \\N \\N;",
		"+I one 1;+I two 2;+U one 3;-D two 2;+I two 4;-D two 4;+I \\N 5;+U \\N \\N;",
	};
	struct rig rig;
	rig_init(&rig, "kx", S_U | S_D);
	ck_assert_int_eq(rig_open(&rig, &upsert_op, "k", _i == 0), 0);
	ck_assert(!upsert_op.before(&rig.op, true));
	const struct stream *stream = &rig.out.stream;
	ck_assert_uint_eq(stream->kinds, S_U | S_D);
	ck_assert(stream->has_key && stream->nkey == 1 && stream->key[0] == 0);
	ck_assert_int_eq(rig_push(&rig, in), 0);
	ck_assert_str_eq(rig_got(&rig), out[_i]);
	ck_assert_uint_eq(rig.op.ignored, 1);
	rig_close(&rig);
}
END_TEST

START_TEST(a_key_of_two_columns)
{
	struct rig rig;
	rig_init(&rig, "abx", 0);
	ck_assert_int_eq(rig_open(&rig, &upsert_op, "b, a", true), 0);
	ck_assert_uint_eq(rig.out.stream.kinds, S_U);
	ck_assert_uint_eq(rig.out.stream.key[0], 1);
	ck_assert_int_eq(rig_push(&rig, "+I a b 1;+I ab \\N 2;+I a b 3;+I \\N ab 4;"), 0);
	ck_assert_str_eq(rig_got(&rig), "+I a b 1;+I ab \\N 2;-U a b 1;+U a b 3;+I \\N ab 4;");
	rig_close(&rig);
}
END_TEST

START_TEST(an_unknown_key_is_refused)
{
	struct rig rig;
	rig_init(&rig, "kx", S_U | S_D);
	ck_assert_int_eq(rig_open(&rig, &upsert_op, "k, y", true), -1);
	ck_assert_int_eq(rig.err.code, ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(rig.err.text, "\"y\""));
	rig_close(&rig);
}
END_TEST

/* Columns that nobody reads behind it still tell an update from a repetition. */
START_TEST(whole_rows_are_compared)
{
	struct rig rig;
	uint8_t out[2] = { NEED_VALUE | NEED_NUMBER, 0 }, in[2] = { 0 };
	rig_init(&rig, "kx", S_U | S_D);
	ck_assert_int_eq(rig_open(&rig, &upsert_op, "k", true), 0);
	upsert_op.need(&rig.op, out, in);
	ck_assert_uint_eq(in[0], NEED_VALUE | NEED_NUMBER);
	ck_assert_uint_eq(in[1], NEED_VALUE);
	rig_close(&rig);
}
END_TEST

/* Without names: columns that are read come out of the whole row that is kept, each row with its own width. Times are those of the rows. */
START_TEST(rows_without_names)
{
	struct rig rig;
	rig_init(&rig, "", S_U | S_D);
	rig.schema.kind = SCHEMA_POSITIONS;
	rig.in.timed = true;
	struct schema_place place;
	ck_assert(schema_find(&rig.schema, "c3", 2, &place));
	ck_assert_int_eq(rig_open(&rig, &upsert_op, "c1", true), 0);
	ck_assert_int_eq(rig.out.stream.schema->kind, SCHEMA_POSITIONS);
	ck_assert_uint_eq(rig.schema.n, 3); /* c3, c1, the whole row */
	struct value fields[3][3] = {
		{ value_raw("a", 1), value_raw("2", 1), value_raw("x", 1) },
		{ value_raw("a", 1), value_raw("1", 1) },
		{ value_raw("a", 1) },
	};
	struct value col[3][3];
	for (uint32_t r = 0; r < 3; r++) {
		uint32_t width = 3 - r;
		for (uint32_t c = 0; c < 3; c++) {
			uint32_t pos = rig.schema.col[c].pos;
			bool whole = rig.schema.col[c].type == T_ROW;
			col[c][r] = whole ? (struct value){ .type = V_ROW, .len = width, .u.row = fields[r] } : pos < width ? fields[r][pos] : value_null();
		}
	}
	struct column columns[3] = { { .v = col[0] }, { .v = col[1] }, { .v = col[2] } };
	uint8_t kind[3] = { K_UA, K_UA, K_D };
	int64_t time[3] = { 10, 20, 30 };
	struct batch batch = { .n = 3, .ncol = 3, .col = columns, .kind = kind, .time = time, .mem = &rig.scratch };
	ck_assert_int_eq(upsert_op.push(&rig.op, &batch), 0);
	static const int64_t want[] = { 10, 10, 20, 20 };
	ck_assert_uint_eq(rig.out.batch.n, 4);
	ck_assert_mem_eq(rig.out.batch.time, want, sizeof want);
	ck_assert_int_eq(edge_push(&rig.out), 0);
	ck_assert_str_eq(rig_got(&rig), "+I x a a 2 x;-U x a a 2 x;+U \\N a a 1;-D \\N a a 1;");
	rig_close(&rig);
}
END_TEST

/* A changelog without its -U, of random rows. */
static void without_before(struct buf *rows)
{
	char *to = rows->p;
	for (char *p = rows->p, *end; *p; p = end) {
		end = strchr(p, ';') + 1;
		if (!memcmp(p, "-U", 2))
			continue;
		memmove(to, p, (size_t)(end - p));
		to += end - p;
	}
	*to = '\0';
}

static void move_state(struct rig *from, struct rig *to)
{
	struct buf buf;
	struct arena mem;
	buf_init(&buf, &from->mem);
	arena_init(&mem, &to->mem);
	struct snap_out out = { .buf = &buf };
	ck_assert_int_eq(upsert_op.save(&from->op, &out), 0);
	for (size_t cut = 0; cut < buf.n && cut < 20; cut++) {
		struct rig damaged;
		rig_init(&damaged, "kx", S_U | S_D);
		ck_assert_int_eq(rig_open(&damaged, &upsert_op, "k", true), 0);
		struct snap_in part = { .p = buf.p, .end = buf.p + cut, .mem = &mem };
		ck_assert_int_eq(upsert_op.load(&damaged.op, &part), -1);
		ck_assert_int_eq(damaged.err.code, ERR_FAILED);
		rig_close(&damaged);
	}
	struct snap_in in = { .p = buf.p, .end = buf.p + buf.n, .mem = &mem };
	ck_assert_int_eq(upsert_op.load(&to->op, &in), 0);
	ck_assert_int_eq(snap_done(&in, "upsert", &to->err), 0);
	arena_release(&mem);
	buf_release(&buf);
}

START_TEST(the_table_is_the_same_at_any_time)
{
	uint64_t seed = 31 + (uint64_t)_i;
	int truth[RIG_KEYS], applied[RIG_KEYS];
	struct rig rigs[2], *rig = &rigs[0], *next = &rigs[1];
	struct mem mem = { 0 };
	struct buf rows;
	for (int i = 0; i < RIG_KEYS; i++)
		truth[i] = applied[i] = -1;
	buf_init(&rows, &mem);
	rig_init(rig, "kx", S_U | S_D);
	ck_assert_int_eq(rig_open(rig, &upsert_op, "k", true), 0);
	for (int round = 0; round < 40; round++) {
		rows.n = 0;
		rig_changes(&seed, 1 + rig_random(&seed, 40), truth, &rows);
		without_before(&rows);
		ck_assert_int_eq(rig_push(rig, rows.p), 0);
		rig_apply(rig_got(rig), applied);
		ck_assert_mem_eq(applied, truth, sizeof truth);
		rig_init(next, "kx", S_U | S_D);
		ck_assert_int_eq(rig_open(next, &upsert_op, "k", true), 0);
		move_state(rig, next);
		rig_close(rig);
		struct rig *old = rig;
		rig = next, next = old;
	}
	ck_assert_uint_eq(rig->op.ignored, 0);
	rig_close(rig);
	buf_release(&rows);
}
END_TEST

START_TEST(refused_memory)
{
	uint64_t seed = 3;
	int truth[RIG_KEYS], status = -1;
	struct mem mem = { 0 };
	struct buf rows;
	memset(truth, -1, sizeof truth);
	buf_init(&rows, &mem);
	rig_changes(&seed, 200, truth, &rows);
	without_before(&rows);
	for (uint64_t fail = 1; status; fail++) {
		struct rig rig;
		rig_init(&rig, "kx", S_U | S_D);
		ck_assert_int_eq(rig_open(&rig, &upsert_op, "k", true), 0);
		buf_room(&rig.got, 1 << 16);
		ck_assert_ptr_nonnull(arena_alloc(&rig.scratch, 1 << 18));
		arena_reset(&rig.scratch);
		rig.mem.fail_at = rig.mem.requests + fail;
		status = rig_push(&rig, rows.p);
		ck_assert_int_eq(status != 0, rig.err.code == ERR_FAILED);
		rig_close(&rig);
	}
	buf_release(&rows);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("upsert");
	TCase *tc = tcase_create("upsert");
	tcase_add_loop_test(tc, updates_get_their_before, 0, 2);
	tcase_add_test(tc, a_key_of_two_columns);
	tcase_add_test(tc, an_unknown_key_is_refused);
	tcase_add_test(tc, whole_rows_are_compared);
	tcase_add_test(tc, rows_without_names);
	tcase_add_loop_test(tc, the_table_is_the_same_at_any_time, 0, 10);
	tcase_add_test(tc, refused_memory);
	suite_add_tcase(suite, tc);
	return rig_run(suite);
}
