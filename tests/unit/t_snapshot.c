/* Snapshots: what was written comes back; what is damaged is said to be, anywhere. */
#include "ops/state/snapshot.h"

#include <float.h>

#include "state_values.h"

static const uint64_t numbers[] = { 0, 1, 127, 128, 16383, 16384, 1ull << 32, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX - 1, UINT64_MAX };
static const double doubles[] = { 0, 1, -1.5, DBL_MAX, DBL_MIN, DBL_TRUE_MIN };
enum { NUMBERS = sizeof numbers / sizeof *numbers, DOUBLES = sizeof doubles / sizeof *doubles, VALUES = 300 };

struct world {
	struct mem mem;
	struct arena arena;
	struct buf buf;
	struct snap_out out;
	struct value value[VALUES];
};

static void world_open(struct world *w)
{
	*w = (struct world){ 0 };
	arena_init(&w->arena, &w->mem);
	buf_init(&w->buf, &w->mem);
	w->out.buf = &w->buf;
	uint64_t random = 4;
	for (int i = 0; i < VALUES; i++)
		w->value[i] = random_value(&random, &w->arena, true);
}

static void world_close(struct world *w)
{
	buf_release(&w->buf);
	arena_release(&w->arena);
	MUST(w->mem.used == 0);
}

static void put_all(struct world *w)
{
	for (int i = 0; i < NUMBERS; i++) {
		snap_put_u64(&w->out, numbers[i]);
		snap_put_i64(&w->out, (int64_t)numbers[i]);
	}
	for (int i = 0; i < DOUBLES; i++)
		snap_put_f64(&w->out, doubles[i]);
	snap_put_bytes(&w->out, "a\0b", 3);
	snap_put_bytes(&w->out, "", 0);
	for (int i = 0; i < VALUES; i++)
		snap_put_value(&w->out, &w->value[i]);
}

/* Reads it all; how much of it was as it had been. */
static int take_all(const struct world *w, struct snap_in *in)
{
	int good = 0;
	size_t n;
	for (int i = 0; i < NUMBERS; i++) {
		good += snap_u64(in) == numbers[i];
		good += snap_i64(in) == (int64_t)numbers[i];
	}
	for (int i = 0; i < DOUBLES; i++)
		good += snap_f64(in) == doubles[i];
	const char *p = snap_bytes(in, &n);
	good += n == 3 && !memcmp(p, "a\0b", 3);
	snap_bytes(in, &n);
	good += n == 0;
	for (int i = 0; i < VALUES; i++) {
		struct value v;
		snap_value(in, &v);
		good += alike(&v, &w->value[i]);
	}
	return good;
}

enum { ALL = 2 * NUMBERS + DOUBLES + 2 + VALUES };

START_TEST(round_trip)
{
	struct world w;
	struct err err = { 0 };
	world_open(&w);
	put_all(&w);
	struct snap_in in = { .p = w.buf.p, .end = w.buf.p + w.buf.n, .mem = &w.arena };
	MUST(take_all(&w, &in) == ALL);
	MUST(snap_done(&in, "all", &err) == 0);
	in.end++;
	MUST(snap_done(&in, "rest", &err) == -1);
	ck_assert_str_eq(err.text, "the state is damaged (rest)");
	world_close(&w);
}
END_TEST

/* Reading goes on as if nothing were, and the end tells. */
START_TEST(cut_anywhere)
{
	struct world w;
	world_open(&w);
	put_all(&w);
	struct arena scratch;
	arena_init(&scratch, &w.mem);
	for (size_t n = 0; n < w.buf.n; n += 1 + n / 500) {
		struct err err = { 0 };
		char *cut = malloc(n + 1);
		memcpy(cut, w.buf.p, n);
		struct snap_in in = { .p = cut, .end = cut + n, .mem = &scratch };
		MUST(take_all(&w, &in) < ALL);
		MUST(in.bad && snap_done(&in, "cut", &err) == -1);
		arena_reset(&scratch);
		free(cut);
	}
	arena_release(&scratch);
	world_close(&w);
}
END_TEST

/* Bytes of any kind read as values: no crash, and what comes out is what values may be. */
START_TEST(noise)
{
	struct mem mem = { 0 };
	struct arena arena;
	arena_init(&arena, &mem);
	uint64_t random = 77;
	for (int i = 0; i < 200000; i++) {
		size_t n = next_random(&random) % 40;
		char *bytes = malloc(n + 1);
		for (size_t k = 0; k < n; k++)
			bytes[k] = (char)(next_random(&random) >> (k % 3 ? 60 : 56));
		struct snap_in in = { .p = bytes, .end = bytes + n, .mem = &arena };
		while (!in.bad && in.p < in.end) {
			struct value v;
			char scratch[VALUE_TEXT_MAX];
			const char *p;
			snap_value(&in, &v);
			MUST(v.type <= V_ROW);
			MUST(v.type == V_ROW || value_print(&v, scratch, &p) <= 40);
			MUST(value_order(&v, &v) == 0);
		}
		arena_reset(&arena);
		free(bytes);
	}
	arena_release(&arena);
}
END_TEST

START_TEST(refused_values)
{
	static const struct { const char *bytes; size_t n; } bad[] = {
		{ "\x09", 1 }, { "\x0f", 1 }, { "\x01\x04", 2 }, { "\x02\x13\x02", 3 },
		{ "\x03\0\0\0\0\0\0\0\x80", 9 }, { "\x03\0\0\0\0\0\0\xf0\x7f", 9 },
		{ "\x04\x00", 2 }, { "\x04\x01-", 3 }, { "\x04\x02" "1.", 4 }, { "\x04\x02.1", 4 }, { "\x04\x03" "1x1", 5 }, { "\x04\x04" "1..1", 6 },
		{ "\x08\x01\x08\x01\x00", 5 }, { "\x06\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11 }, { "\x07\x05" "ab", 4 },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct mem mem = { 0 };
		struct arena arena;
		struct value v;
		arena_init(&arena, &mem);
		struct snap_in in = { .p = bad[i].bytes, .end = bad[i].bytes + bad[i].n, .mem = &arena };
		snap_value(&in, &v);
		ck_assert_msg(in.bad && v.type == V_NULL, "case %zu", i);
		arena_release(&arena);
	}
}
END_TEST

START_TEST(counts)
{
	struct snap_in in = { .p = "\x03" "abc", .mem = NULL };
	in.end = in.p + 4;
	MUST(snap_count(&in) == 3 && !in.bad);
	in = (struct snap_in){ .p = "\x04" "abc" };
	in.end = in.p + 4;
	MUST(snap_count(&in) == 0 && in.bad);
}
END_TEST

/* ---- the file ---- */

static void put_file(struct world *w)
{
	snap_begin(&w->out);
	size_t mark = snap_section_begin(&w->out, "flags");
	snap_put_bytes(&w->out, "-k a", 4);
	snap_section_end(&w->out, mark);
	for (uint64_t i = 0; i < 3; i++) {
		mark = snap_section_begin(&w->out, "operator");
		snap_put_u64(&w->out, i);
		for (int k = 0; i == 1 && k < 20; k++)
			snap_put_value(&w->out, &w->value[k]);
		snap_section_end(&w->out, mark);
	}
	snap_section_end(&w->out, snap_section_begin(&w->out, "empty"));
	snap_end(&w->out);
}

static bool is(const struct snap_name *name, const char *text)
{
	return name->len == strlen(text) && !memcmp(name->p, text, name->len);
}

/* 0 if the whole file is what put_file has put. */
static int take_file(const struct world *w, const char *p, size_t n, struct arena *arena, struct err *err)
{
	struct snap_in file, part;
	struct snap_name name;
	size_t len;
	if (snap_open(&file, p, n, arena, err))
		return -1;
	MUST(snap_section(&file, &name, &part) && is(&name, "flags"));
	const char *flag = snap_bytes(&part, &len);
	MUST(len == 4 && !memcmp(flag, "-k a", 4) && !snap_done(&part, "flags", err));
	for (uint64_t i = 0; i < 3; i++) {
		MUST(snap_section(&file, &name, &part) && is(&name, "operator"));
		MUST(snap_u64(&part) == i);
		for (int k = 0; i == 1 && k < 20; k++) {
			struct value v;
			snap_value(&part, &v);
			MUST(alike(&v, &w->value[k]));
		}
		MUST(!snap_done(&part, "operator", err));
	}
	MUST(snap_section(&file, &name, &part) && is(&name, "empty") && !snap_done(&part, "empty", err));
	MUST(!snap_section(&file, &name, &part));
	return snap_done(&file, "sections", err);
}

START_TEST(whole_file)
{
	struct world w;
	struct err err = { 0 };
	world_open(&w);
	put_file(&w);
	MUST(take_file(&w, w.buf.p, w.buf.n, &w.arena, &err) == 0);
	for (size_t n = 0; n < w.buf.n; n++) {
		err = (struct err){ 0 };
		char *cut = malloc(n + 1);
		memcpy(cut, w.buf.p, n);
		MUST(take_file(&w, cut, n, &w.arena, &err) == -1 && err.code == ERR_FAILED);
		free(cut);
	}
	for (size_t bit = 0; bit < w.buf.n * 8; bit++) {
		err = (struct err){ 0 };
		w.buf.p[bit / 8] = (char)(w.buf.p[bit / 8] ^ 1 << bit % 8);
		MUST(take_file(&w, w.buf.p, w.buf.n, &w.arena, &err) == -1 && err.code == ERR_FAILED);
		w.buf.p[bit / 8] = (char)(w.buf.p[bit / 8] ^ 1 << bit % 8);
	}
	world_close(&w);
}
END_TEST

START_TEST(foreign_files)
{
	struct snap_in in;
	struct err err = { 0 };
	MUST(snap_open(&in, "PK\3\4 and so on and on", 20, NULL, &err) == -1);
	ck_assert_str_eq(err.text, "this is no weir state");
	err = (struct err){ 0 };
	MUST(snap_open(&in, "weir state 2\n and so on and on", 30, NULL, &err) == -1);
	ck_assert_str_eq(err.text, "the state is of another version of weir");
	err = (struct err){ 0 };
	MUST(snap_open(&in, "weir state 1\n and so on and on", 30, NULL, &err) == -1);
	ck_assert_str_eq(err.text, "the state is damaged (checksum)");
}
END_TEST

/* Sections that lie about their length, under a good checksum: every length byte replaced by every other. */
START_TEST(lying_sections)
{
	struct world w;
	world_open(&w);
	snap_begin(&w.out);
	size_t head = w.buf.n;
	snap_section_end(&w.out, snap_section_begin(&w.out, "ab"));
	size_t end = w.buf.n;
	for (size_t i = head; i < end; i++) {
		for (int byte = 0; byte < 256; byte++) {
			struct snap_in file, part;
			struct snap_name name;
			struct err err = { 0 };
			char was = w.buf.p[i];
			w.buf.p[i] = (char)byte;
			w.buf.n = end;
			snap_end(&w.out);
			bool length = i == head || i > head + 2;
			MUST(!snap_open(&file, w.buf.p, w.buf.n, &w.arena, &err));
			while (snap_section(&file, &name, &part))
				MUST(part.p <= part.end && part.end <= file.end);
			MUST(snap_done(&file, "sections", &err) == (length && byte != (unsigned char)was ? -1 : 0));
			w.buf.p[i] = was;
		}
	}
	world_close(&w);
}
END_TEST

START_TEST(refused_memory)
{
	for (uint64_t fail = 1; fail < 12; fail++) {
		struct world w;
		world_open(&w);
		w.mem.fail_at = w.mem.requests + fail;
		put_file(&w);
		put_all(&w);
		bool failed = w.buf.failed;
		MUST(failed || w.mem.requests < w.mem.fail_at);
		w.mem.fail_at = 0;
		world_close(&w);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { round_trip, cut_anywhere, noise, refused_values, counts, whole_file, foreign_files, lying_sections, refused_memory };
	return RUN_TESTS("snapshot", tests);
}
