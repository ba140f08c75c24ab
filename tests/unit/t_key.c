/* --keyby: which keys are equal, what comes back from their bytes, what is refused. */
#include "ops/key.h"

#include <string.h>

#include "core/number.h"
#include "ops/state/snapshot.h"
#include "state_test.h"

extern const struct op_type keyby_op;

enum { ROWS = 64 };

struct world {
	struct mem mem;
	struct arena plan, scratch;
	struct err err;
	struct schema schema;
	struct op op, keyby;
	struct keyby conf;
	struct key key;
	struct column col[8];
	struct batch batch;
	const char *bytes[ROWS];
	uint32_t len[ROWS];
	uint64_t hash[ROWS];
};

/* Columns a, b, c ... of the given types, no rows yet. */
static void world_open(struct world *w, const enum type *type, uint32_t n)
{
	memset(w, 0, sizeof *w);
	arena_init(&w->plan, &w->mem);
	arena_init(&w->scratch, &w->mem);
	schema_init(&w->schema, SCHEMA_CLOSED, &w->plan);
	for (uint32_t c = 0; c < n; c++) {
		char name = (char)('a' + c);
		MUST(schema_add(&w->schema, &name, 1, type[c]) == (int)c);
		w->col[c].v = arena_alloc(&w->plan, ROWS * sizeof(struct value));
	}
	w->batch = (struct batch){ .ncol = n, .col = w->col, .mem = &w->scratch };
	w->op = (struct op){ .flag = "-r", .text = "count", .plan = &w->plan, .err = &w->err };
	w->keyby = (struct op){ .type = &keyby_op, .flag = "-k", .plan = &w->plan, .conf = &w->conf, .err = &w->err };
}

static void world_close(struct world *w)
{
	arena_release(&w->plan);
	arena_release(&w->scratch);
	MUST(w->mem.used == 0);
}

static int bind(struct world *w, const char *text)
{
	w->keyby.text = text;
	w->op.key = &w->keyby;
	return keyby_op.parse(&w->keyby, &w->err) ? -1 : key_bind(&w->key, &w->op, &w->schema, &w->err);
}

static void must_bind(struct world *w, const char *text)
{
	int status = bind(w, text);
	ck_assert_msg(!status, "%s", w->err.text);
}

static void add(struct world *w, const struct value *cells)
{
	MUST(w->batch.n < ROWS);
	for (uint32_t c = 0; c < w->batch.ncol; c++)
		w->col[c].v[w->batch.n] = cells[c];
	w->batch.n++;
}

#define ADD(w, ...) add(w, (const struct value[]){ __VA_ARGS__ })

static struct value raw(const char *text) { return value_raw(text, (uint32_t)strlen(text)); }
static struct value text(const char *p) { return value_text(p, (uint32_t)strlen(p)); }

static void make(struct world *w)
{
	MUST(!key_rows(&w->key, &w->batch, 42, w->bytes, w->len, w->hash));
}

/* Bytes and hashes say the same. */
static bool equal(const struct world *w, uint32_t i, uint32_t k)
{
	bool same = w->len[i] == w->len[k] && (w->len[i] == KEY_NULL || !memcmp(w->bytes[i], w->bytes[k], w->len[i]));
	MUST(same == (w->hash[i] == w->hash[k]));
	return same;
}

START_TEST(one_column)
{
	struct world w;
	world_open(&w, (enum type[]){ T_RAW }, 1);
	must_bind(&w, "a");
	MUST(w.key.n == 1 && w.key.type[0] == T_RAW && w.key.name_len[0] == 1 && w.key.name[0][0] == 'a');
	const struct value cells[] = { raw("x"), raw("7"), raw("007"), raw(""), value_null(), raw("7.0"), value_raw("x\0y", 3),
		raw("a rather long key, longer than any that fits in a word") };
	enum { N = sizeof cells / sizeof *cells };
	for (int i = 0; i < N; i++)
		add(&w, &cells[i]);
	for (int i = 0; i < N; i++)
		add(&w, &cells[i]);
	w.col[0].v[N + 1] = text("7"); /* raw and text of equal bytes are one key */
	make(&w);
	for (uint32_t i = 0; i < N; i++) {
		struct value back;
		for (uint32_t k = 0; k < N; k++)
			MUST(equal(&w, i, N + k) == (i == k));
		MUST(w.len[i] == KEY_NULL || w.bytes[i] == cells[i].u.p); /* borrowed */
		key_values(&w.key, w.bytes[i], w.len[i], false, &back);
		MUST(value_same(&back, &cells[i]) && back.type == cells[i].type && back.flags == 0);
		key_values(&w.key, w.bytes[i], w.len[i], true, &back);
		MUST(back.type == V_NULL || back.flags == VF_CLEAN);
	}
	MUST(w.len[3] == 0 && w.len[4] == KEY_NULL);
	world_close(&w);
}
END_TEST

/* Of every type: what goes in comes back, as the same value of the same type. */
START_TEST(computed_columns)
{
	struct world w;
	static const enum type type[] = { T_NUMBER, T_BOOL, T_TIME, T_TEXT, T_DURATION };
	world_open(&w, type, 5);
	const struct value big = { .type = V_BIG, .len = 25, .u.p = "-123456789012345678901234" }, dbl = { .type = V_DBL, .u.d = 1e25 };
	const struct value fraction = number_dec(-1234567, 4), time = { .type = V_TIME, .u.i = 1764500000123 }, early = { .type = V_TIME, .u.i = -1 };
	ADD(&w, value_int(7), value_bool(true), time, text("t"), value_int(5000));
	ADD(&w, fraction, value_bool(false), early, text(""), value_int(0));
	ADD(&w, big, value_null(), value_null(), value_null(), value_null());
	ADD(&w, dbl, value_bool(false), time, text("true"), number_dec(5, 1));
	ADD(&w, value_null(), value_bool(true), early, text("\t"), value_int(-1));
	static const char *const keys[] = { "a", "b", "c", "d", "e", "a, b, c, d, e", "e, c, a" };
	static const int column[][5] = { { 0 }, { 1 }, { 2 }, { 3 }, { 4 }, { 0, 1, 2, 3, 4 }, { 4, 2, 0 } };
	for (int k = 0; k < 7; k++) {
		must_bind(&w, keys[k]);
		make(&w);
		for (uint32_t r = 0; r < w.batch.n; r++) {
			struct value back[5];
			key_values(&w.key, w.bytes[r], w.len[r], false, back);
			for (uint32_t i = 0; i < w.key.n; i++) {
				const struct value *was = &w.col[column[k][i]].v[r];
				MUST(back[i].type == was->type && value_same(&back[i], was));
			}
		}
	}
	world_close(&w);
}
END_TEST

START_TEST(several_columns)
{
	struct world w;
	world_open(&w, (enum type[]){ T_RAW, T_RAW }, 2);
	must_bind(&w, "a, b as second");
	MUST(w.key.n == 2 && !memcmp(w.key.name[1], "second", 6));
	static char length[300];
	memset(length, 'x', sizeof length);
	ADD(&w, raw("a"), raw("bc"));
	ADD(&w, raw("ab"), raw("c"));
	ADD(&w, raw("abc"), raw(""));
	ADD(&w, raw(""), raw("abc"));
	ADD(&w, raw("abc"), value_null());
	ADD(&w, value_null(), raw("abc"));
	ADD(&w, value_null(), value_null());
	ADD(&w, value_null(), raw(""));
	ADD(&w, raw(""), value_null());
	ADD(&w, raw(""), raw(""));
	ADD(&w, raw("\1"), raw(""));
	ADD(&w, raw(""), raw("\1"));
	for (uint32_t n = 251; n < 258; n++) { /* around the longest part with one byte of length */
		ADD(&w, value_raw(length, n), raw("z"));
		ADD(&w, raw("z"), value_raw(length, n));
	}
	make(&w);
	for (uint32_t i = 0; i < w.batch.n; i++) {
		struct value back[2];
		for (uint32_t k = 0; k < w.batch.n; k++)
			MUST(equal(&w, i, k) == (i == k));
		key_values(&w.key, w.bytes[i], w.len[i], true, back);
		MUST(value_same(&back[0], &w.col[0].v[i]) && value_same(&back[1], &w.col[1].v[i]));
	}
	world_close(&w);
}
END_TEST

/* The batch is borrowed and the key is not: where a row stands, and what stands beside it, does not matter. */
START_TEST(random_rows)
{
	uint64_t random = 6;
	for (int round = 0; round < 300; round++) {
		struct world w;
		world_open(&w, (enum type[]){ T_RAW, T_NUMBER, T_RAW }, 3);
		must_bind(&w, round % 2 ? "c, b, a" : "a, b, c");
		static const char *const words[] = { "", "a", "aa", "\1", "\2a" };
		for (int r = 0; r < ROWS; r++) {
			uint64_t k = next_random(&random);
			struct value x = k % 6 == 5 ? value_null() : raw(words[k % 6]), y = k >> 8 & 1 ? value_null() : value_int((int64_t)(k >> 9) % 3);
			ADD(&w, x, y, k >> 16 & 1 ? x : raw(words[(k >> 20) % 5]));
		}
		make(&w);
		for (uint32_t i = 0; i < ROWS; i++) {
			for (uint32_t k = 0; k < ROWS; k++) {
				bool same = true;
				for (int c = 0; c < 3; c++)
					same = same && value_same(&w.col[c].v[i], &w.col[c].v[k]);
				MUST(equal(&w, i, k) == same);
			}
		}
		world_close(&w);
	}
}
END_TEST

/* A damaged snapshot may give any bytes as a key. */
START_TEST(any_bytes_as_key)
{
	struct world w;
	world_open(&w, (enum type[]){ T_RAW, T_NUMBER, T_TIME }, 3);
	must_bind(&w, "a, b, c");
	uint64_t random = 8;
	for (int i = 0; i < 20000; i++) {
		char bytes[12];
		uint32_t n = (uint32_t)(next_random(&random) % sizeof bytes);
		for (uint32_t k = 0; k < n; k++)
			bytes[k] = (char)(next_random(&random) % 3 ? next_random(&random) % 6 : 255);
		struct value back[3];
		key_values(&w.key, bytes, n, false, back);
		for (int c = 0; c < 3; c++)
			MUST(back[c].type != V_RAW || (back[c].u.p >= bytes && back[c].u.p + back[c].len <= bytes + n));
	}
	world_close(&w);
}
END_TEST

START_TEST(no_key)
{
	struct world w;
	world_open(&w, (enum type[]){ T_RAW }, 1);
	MUST(!key_bind(&w.key, &w.op, &w.schema, &w.err) && w.key.n == 0);
	ADD(&w, raw("x"));
	ADD(&w, value_null());
	make(&w);
	MUST(equal(&w, 0, 1) && w.len[0] == 0);
	key_values(&w.key, w.bytes[0], w.len[0], true, NULL);
	world_close(&w);
}
END_TEST

START_TEST(window_word)
{
	struct world w;
	world_open(&w, (enum type[]){ T_RAW }, 1);
	MUST(bind(&w, "a, window") == -1 && w.err.code == ERR_USAGE);
	ck_assert_str_eq(w.err.text, "-k: no window above: put --tumble, --hop, --cumulate or --session before an operator in front of it\n  a, window\n     ^~~~~~");
	world_close(&w);

	world_open(&w, (enum type[]){ T_RAW }, 1);
	MUST(schema_add(&w.schema, "window_end", 10, T_TIME) == 1);
	MUST(schema_add(&w.schema, "window_start", 12, T_TIME) == 2);
	must_bind(&w, "window, a");
	MUST(w.key.n == 3);
	ck_assert_str_eq(w.key.name[0], "window_start");
	ck_assert_str_eq(w.key.name[1], "window_end");
	MUST(w.key.type[0] == T_TIME && w.key.type[1] == T_TIME && w.key.type[2] == T_RAW);
	uint8_t in[3] = { 0 };
	key_need(&w.key, (const uint8_t[]){ 0, NEED_VALUE, 0 }, in);
	MUST((in[0] & NEED_VALUE) && (in[1] & NEED_VALUE) && (in[2] & NEED_VALUE));
	world_close(&w);
}
END_TEST

START_TEST(usage_errors)
{
	struct world w;
	world_open(&w, (enum type[]){ T_RAW }, 1);
	MUST(bind(&w, "a, nosuch") == -1 && w.err.code == ERR_USAGE);
	world_close(&w);

	world_open(&w, (enum type[]){ T_RAW }, 1);
	MUST(bind(&w, "a,") == -1 && w.err.code == ERR_USAGE);
	world_close(&w);

	world_open(&w, (enum type[]){ T_RAW }, 1);
	MUST(schema_add(&w.schema, "*", 1, T_ROW) == 1);
	MUST(bind(&w, "{*}") == -1 && w.err.code == ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(w.err.text, "a whole row cannot be"));
	world_close(&w);
}
END_TEST

/* A key of a snapshot is that of the row, hash and all; a damaged one is refused, wherever it is cut. */
START_TEST(saved_keys)
{
	struct world w;
	world_open(&w, (enum type[]){ T_RAW, T_NUMBER }, 2);
	ADD(&w, raw("x"), value_int(1));
	ADD(&w, raw(""), value_int(2));
	ADD(&w, value_null(), value_null());
	for (int columns = 1; columns <= 2; columns++) {
		must_bind(&w, columns == 1 ? "a" : "a, b");
		MUST(!key_rows(&w.key, &w.batch, 77, w.bytes, w.len, w.hash));
		for (uint32_t r = 0; r < w.batch.n; r++) {
			struct buf buf;
			buf_init(&buf, &w.mem);
			key_save(&(struct snap_out){ &buf }, w.bytes[r], w.len[r]);
			for (size_t n = 0; n <= buf.n; n++) {
				struct snap_in in = { .p = buf.p, .end = buf.p + n };
				struct saved_key key = key_load(&in, 77);
				MUST(in.bad == (n < buf.n));
				MUST(in.bad || (key.len == w.len[r] && key.hash == w.hash[r] && (key.len == KEY_NULL || !memcmp(key.bytes, w.bytes[r], key.len))));
			}
			buf_release(&buf);
		}
	}
	static const char *const damaged[] = { "\1\1x", "\2\0" }; /* NULL with bytes; neither NULL nor not */
	for (int i = 0; i < 2; i++) {
		struct snap_in in = { .p = damaged[i], .end = damaged[i] + 3 - i };
		key_load(&in, 77);
		MUST(in.bad);
	}
	world_close(&w);
}
END_TEST

START_TEST(setting)
{
	struct err err = { 0 };
	struct op_settings settings = { 0 };
	struct op first = { .flag = "-k", .text = "a" }, second = { .flag = "--keyby", .text = "b" };
	MUST(keyby_op.traits == OP_SETTING && keyby_op.letter == 'k' && !strcmp(keyby_op.name, "keyby"));
	MUST(!keyby_op.apply(&first, &settings, &err) && settings.key == &first);
	MUST(keyby_op.apply(&second, &settings, &err) == -1 && err.code == ERR_USAGE && settings.key == &first);
	ck_assert_ptr_nonnull(strstr(err.text, "two keys: nothing between uses the first"));
}
END_TEST

/* Each request refused in turn. */
START_TEST(refused_memory)
{
	for (uint64_t fail = 1; fail < 20; fail++) {
		struct world w;
		world_open(&w, (enum type[]){ T_RAW, T_NUMBER }, 2);
		ADD(&w, raw("x"), value_int(1));
		w.mem.fail_at = w.mem.requests + fail;
		if (!bind(&w, fail % 2 ? "a, b + 1" : "b"))
			(void)!key_rows(&w.key, &w.batch, 1, w.bytes, w.len, w.hash);
		else
			MUST(w.err.code == ERR_FAILED);
		world_close(&w);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { one_column, computed_columns, several_columns, random_rows, any_bytes_as_key, no_key, window_word, usage_errors, setting,
		saved_keys, refused_memory };
	return RUN_TESTS("key", tests);
}
