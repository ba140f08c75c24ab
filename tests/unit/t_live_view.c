/* The view of --live against a list of rows that random changes are made to: keyed or not, ranked in lists or not, in windows or not. */
#include <check.h>
#include <stdlib.h>

#include "ops/emit/live_view.h"
#include "parse/lang/parse.h"

enum { NAME, LIST, NUMBER, END, COLUMNS, MODEL_MAX = 400, MOST = 25 };

struct model_row { int64_t v[COLUMNS]; };

struct bench {
	struct mem mem;
	struct arena plan, scratch;
	struct err err;
	struct schema schema;
	struct stream in;
	struct topn_ast ast;
	struct keyby keyby;
	struct op keyby_op, topn_op;
	struct stream_rank rank;
	struct emit_options opt;
	struct emitter emitter;
	struct live_view view;
	struct batch batch;
	struct column col[COLUMNS];
	struct value value[COLUMNS][BATCH_MAX];
	uint8_t kind[BATCH_MAX];
	struct model_row row[MODEL_MAX];
	uint32_t n;
	int64_t newest, names, list[64]; /* names: given so far; list: by first appearance */
	uint32_t nlist;
};

enum { KEYED = 1, RANKED = 2, WINDOWED = 4, LAST = 8, VARIANTS = 16 };

static void start(struct bench *b, int variant)
{
	static const char *const names[] = { "name", "list", "number", "window_end" };
	static const uint32_t key[] = { NAME };
	memset(b, 0, sizeof *b);
	arena_init(&b->plan, &b->mem);
	arena_init(&b->scratch, &b->mem);
	schema_init(&b->schema, SCHEMA_CLOSED, &b->plan);
	for (uint32_t c = 0; c < COLUMNS; c++) {
		ck_assert_int_ge(schema_add(&b->schema, names[c], strlen(names[c]), c == END ? T_TIME : T_NUMBER), 0);
		b->col[c].v = b->value[c];
	}
	b->in = (struct stream){ .schema = &b->schema, .has_key = variant & KEYED, .nkey = variant & KEYED ? 1 : 0, .key = key,
		.windowed = variant & WINDOWED, .end = END };
	if (variant & RANKED) {
		ck_assert_int_eq(parse_topn("-t", variant & LAST ? "last 9 by number" : "9 by number desc", &b->plan, &b->ast, &b->err), 0);
		ck_assert_int_eq(parse_keyby("-k", "list", &b->plan, &b->keyby.list, &b->err), 0);
		b->keyby_op = (struct op){ .flag = "-k", .text = "list", .conf = &b->keyby };
		b->topn_op = (struct op){ .flag = "-t", .key = &b->keyby_op, .plan = &b->plan, .err = &b->err };
		b->rank = (struct stream_rank){ &b->ast, &b->topn_op, -1 };
		b->in.rank = &b->rank;
	}
	b->batch = (struct batch){ .ncol = COLUMNS, .col = b->col, .kind = b->kind, .mem = &b->scratch };
	b->emitter = (struct emitter){ .type = &live_emit, .opt = &b->opt, .in = &b->in, .shown = &b->schema, .mem = &b->mem, .err = &b->err };
}

static void stop(struct bench *b)
{
	live_view_close(&b->view);
	arena_release(&b->scratch);
	arena_release(&b->plan);
	ck_assert_uint_eq(b->mem.used, 0);
}

static void push(struct bench *b)
{
	ck_assert_int_eq(live_view_apply(&b->view, &b->batch), 0);
	b->batch.n = 0;
	arena_reset(&b->scratch);
}

static void send(struct bench *b, uint8_t kind, const struct model_row *row)
{
	uint32_t r = b->batch.n++;
	b->kind[r] = kind;
	for (uint32_t c = 0; c < COLUMNS; c++)
		b->value[c][r] = c == END ? value_time(row->v[c]) : value_int(row->v[c]);
}

/* ---- the model ---------------------------------------------------------------------------- */

static void note_list(struct bench *b, int64_t list)
{
	for (uint32_t i = 0; i < b->nlist; i++)
		if (b->list[i] == list)
			return;
	b->list[b->nlist++] = list;
}

static uint32_t number_of_list(const struct bench *b, int64_t list)
{
	uint32_t i = 0;
	while (b->list[i] != list)
		i++;
	return i;
}

static void drop(struct bench *b, uint32_t i)
{
	b->n--;
	memmove(&b->row[i], &b->row[i + 1], (b->n - i) * sizeof *b->row);
}

/* The first row that equals row i. */
static uint32_t first_equal(const struct bench *b, uint32_t i)
{
	uint32_t k = 0;
	while (memcmp(&b->row[k], &b->row[i], sizeof *b->row))
		k++;
	return k;
}

static void insert(struct bench *b, int variant)
{
	struct model_row row = { { variant & KEYED ? ++b->names : random() % 5, random() % 6, random() % 20, 0 } };
	if (variant & WINDOWED)
		row.v[END] = b->newest + (random() % 60 ? 0 : 1) - (random() % 10 ? 0 : 1);
	send(b, K_I, &row);
	if (row.v[END] < b->newest)
		return;
	if (row.v[END] > b->newest)
		b->n = b->nlist = 0;
	b->newest = row.v[END];
	b->row[b->n++] = row;
	note_list(b, row.v[LIST]);
}

static void change(struct bench *b, int variant)
{
	if (!b->n || (b->n < MODEL_MAX && random() % 3 == 0)) {
		insert(b, variant);
		return;
	}
	uint32_t i = first_equal(b, (uint32_t)random() % b->n);
	if (random() % 3 == 0 || b->n == MODEL_MAX) {
		send(b, K_D, &b->row[i]);
		drop(b, i);
		return;
	}
	struct model_row row = b->row[i];
	row.v[NUMBER] = random() % 20;
	send(b, K_UB | K_PAIR, &b->row[i]);
	send(b, K_UA, &row);
	note_list(b, row.v[LIST]);
	if (variant & KEYED) {
		b->row[i] = row;
	} else {
		drop(b, i);
		b->row[b->n++] = row;
	}
}

static bool stands_before(const struct bench *b, int variant, const struct model_row *a, const struct model_row *c)
{
	if (variant & RANKED) {
		if (a->v[LIST] != c->v[LIST])
			return number_of_list(b, a->v[LIST]) < number_of_list(b, c->v[LIST]);
		if (a->v[NUMBER] != c->v[NUMBER])
			return a->v[NUMBER] > c->v[NUMBER];
		return variant & LAST ? a > c : a < c;
	}
	return a < c;
}

static void check_top(struct bench *b, int variant)
{
	uint32_t n, most = (uint32_t)random() % MOST;
	ck_assert_int_eq(live_view_top(&b->view, most, &n), 0);
	ck_assert_uint_eq(live_view_count(&b->view), b->n);
	ck_assert_uint_eq(n, b->n < most ? b->n : most);
	ck_assert(!b->view.changed);
	for (uint32_t i = 0; i < b->n; i++) {
		uint32_t place = 0;
		for (uint32_t k = 0; k < b->n; k++)
			place += k != i && stands_before(b, variant, &b->row[k], &b->row[i]);
		for (uint32_t c = 0; place < n && c < COLUMNS; c++)
			ck_assert_int_eq(b->view.top[place]->v[c].u.i, b->row[i].v[c]);
		if (place < n && variant & RANKED)
			ck_assert_int_eq(b->view.top[place]->v[COLUMNS].u.i, b->row[i].v[NUMBER]);
	}
}

START_TEST(random_changes)
{
	static struct bench b;
	srandom((unsigned)_i + 1);
	for (int round = 0; round < 15; round++) {
		start(&b, _i);
		ck_assert_int_eq(live_view_open(&b.view, &b.emitter), 0);
		for (int batches = 0; batches < 60; batches++) {
			for (long n = random() % 40 + 1; n; n--)
				change(&b, _i);
			push(&b);
			ck_assert(b.view.changed || _i & WINDOWED); /* rows of older windows change nothing */
			check_top(&b, _i);
		}
		stop(&b);
	}
}
END_TEST

START_TEST(a_stray_retraction_takes_nothing)
{
	static struct bench b;
	start(&b, KEYED);
	ck_assert_int_eq(live_view_open(&b.view, &b.emitter), 0);
	send(&b, K_D, &(struct model_row){ { 1, 2, 3, 4 } });
	send(&b, K_UA, &(struct model_row){ { 1, 2, 3, 4 } });
	push(&b);
	ck_assert_uint_eq(live_view_count(&b.view), 1);
	stop(&b);
}
END_TEST

START_TEST(refused_memory)
{
	static struct bench b;
	for (uint64_t fail = 1;; fail++) {
		uint32_t n;
		srandom(1);
		start(&b, RANKED | WINDOWED);
		for (int i = 0; i < 100; i++)
			change(&b, RANKED | WINDOWED);
		b.mem.fail_at = b.mem.requests + fail;
		int status = live_view_open(&b.view, &b.emitter) || live_view_apply(&b.view, &b.batch) || live_view_top(&b.view, MOST, &n);
		bool refused = b.mem.requests >= b.mem.fail_at;
		ck_assert_int_eq(status, refused);
		ck_assert_int_eq(b.err.code, refused ? ERR_FAILED : 0);
		stop(&b);
		if (!refused)
			break;
	}
}
END_TEST

/* ---- records that pass whole: rank and key are members of them ------------------------------- */

struct record_bench {
	struct mem mem;
	struct arena plan, scratch;
	struct err err;
	struct schema schema;
	struct stream in;
	struct topn_ast ast;
	struct keyby keyby;
	struct op keyby_op, topn_op;
	struct stream_rank rank;
	struct input_options input;
	struct emit_options opt;
	struct emitter emitter;
	struct live_view view;
};

static void start_records(struct record_bench *b, const char *format)
{
	memset(b, 0, sizeof *b);
	arena_init(&b->plan, &b->mem);
	arena_init(&b->scratch, &b->mem);
	schema_init(&b->schema, SCHEMA_CLOSED, &b->plan);
	ck_assert_int_eq(schema_add(&b->schema, "record", 6, T_RECORD), 0);
	ck_assert_int_eq(parse_topn("-t", "9 by n desc", &b->plan, &b->ast, &b->err), 0);
	ck_assert_int_eq(parse_keyby("-k", "k", &b->plan, &b->keyby.list, &b->err), 0);
	b->keyby_op = (struct op){ .flag = "-k", .text = "k", .conf = &b->keyby };
	b->topn_op = (struct op){ .flag = "-t", .key = &b->keyby_op, .plan = &b->plan, .err = &b->err };
	b->rank = (struct stream_rank){ &b->ast, &b->topn_op, -1 };
	b->in = (struct stream){ .schema = &b->schema, .kinds = S_D, .rank = &b->rank };
	b->input = (struct input_options){ .format = format_find(format, strlen(format)), .header = -1, .max_line = 1000 };
	b->opt.input = &b->input;
	b->emitter = (struct emitter){ .type = &live_emit, .opt = &b->opt, .in = &b->in, .shown = &b->schema, .mem = &b->mem, .err = &b->err };
}

/* Opens the view, shows it the records, last first taken back, and compares the picture; false: memory was refused. */
static bool show_records(struct record_bench *b, const char *const *record, uint32_t n, const char *const *want)
{
	struct value text[BATCH_MAX];
	uint8_t kind[BATCH_MAX];
	uint32_t seen;
	for (uint32_t i = 0; i < n; i++) {
		text[i] = value_raw(record[i], (uint32_t)strlen(record[i]));
		kind[i] = K_I;
	}
	text[n] = text[n - 1];
	kind[n] = K_D;
	struct column column = { .v = text };
	struct batch batch = { .n = n + 1, .ncol = 1, .col = &column, .kind = kind, .mem = &b->scratch };
	if (live_view_open(&b->view, &b->emitter) || live_view_apply(&b->view, &batch) || live_view_top(&b->view, MOST, &seen))
		return false;
	ck_assert_uint_eq(seen, n - 1);
	for (uint32_t i = 0; i < seen; i++) {
		const struct value *v = &b->view.top[i]->v[0];
		ck_assert_msg(v->len == strlen(want[i]) && !memcmp(v->u.p, want[i], v->len), "row %u: %.*s, not %s", i, (int)v->len, v->u.p, want[i]);
	}
	return true;
}

static void stop_records(struct record_bench *b)
{
	live_view_close(&b->view);
	arena_release(&b->scratch);
	arena_release(&b->plan);
	ck_assert_uint_eq(b->mem.used, 0);
}

START_TEST(records_are_ranked_by_members)
{
	static const struct { const char *format, *record[6], *want[5]; } cases[] = {
		{ "json", { "{\"k\":1,\"n\":3}", "{\"k\":2,\"n\":1}", "{\"k\":1,\"n\":20}", "{\"k\":2}", "{\"k\":1,\"n\":\"\\u0031\\u0030\"}", "{\"k\":3,\"n\":9}" },
		  { "{\"k\":1,\"n\":20}", "{\"k\":1,\"n\":\"\\u0031\\u0030\"}", "{\"k\":1,\"n\":3}", "{\"k\":2,\"n\":1}", "{\"k\":2}" } },
		{ "logfmt", { "k=1 n=3", "k=2 n=1", "k=1 n=20", "k=2", "n=10 k=1 ", "k=3 n=9" }, { "k=1 n=20", "n=10 k=1 ", "k=1 n=3", "k=2 n=1", "k=2" } },
		{ "debezium", { "{\"k\":1,\"n\":3}", "[1]", "{\"k\":1,\"n\":4}", "{\"n\":2}", "{\"n\":3}", "{\"k\":3}" },
		  { "{\"k\":1,\"n\":4}", "{\"k\":1,\"n\":3}", "{\"n\":3}", "{\"n\":2}", "[1]" } },
	};
	static struct record_bench b;
	start_records(&b, cases[_i].format);
	ck_assert_msg(show_records(&b, cases[_i].record, 6, cases[_i].want), "%s", b.err.text);
	stop_records(&b);
	for (uint64_t fail = 1, done = 0; !done; fail++) {
		start_records(&b, cases[_i].format);
		b.mem.fail_at = b.mem.requests + fail;
		done = show_records(&b, cases[_i].record, 6, cases[_i].want);
		ck_assert_int_eq(b.err.code, done ? 0 : ERR_FAILED);
		stop_records(&b);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("live_view");
	TCase *tc = tcase_create("live_view");
	tcase_add_loop_test(tc, random_changes, 0, VARIANTS);
	tcase_add_test(tc, a_stray_retraction_takes_nothing);
	tcase_add_test(tc, refused_memory);
	tcase_add_loop_test(tc, records_are_ranked_by_members, 0, 3);
	suite_add_tcase(suite, tc);
	SRunner *sr = srunner_create(suite);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_NORMAL);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
