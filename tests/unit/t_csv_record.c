/* Ends of csv records: tries that go the way of one that failed against tries that each read for themselves. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "parse/format/csv_record.h"
#include "tests/unit/run_tests.h"

enum { LENGTH = 400, ROUNDS = 20000 };

static size_t random_text(char *to)
{
	static const char *const parts[] = { "a", ",", "\"", "\n", "\",\"", "\"\"", "\r\n", ",\"x\n", "a\",\"x\n" };
	size_t n = (size_t)random() % LENGTH, at = 0;
	unsigned some = 2 + (unsigned)random() % 8;
	while (at < n) {
		const char *part = parts[(unsigned)random() % some + (some < 6 ? (unsigned)random() % 4 : 0)];
		memcpy(to + at, part, strlen(part));
		at += strlen(part);
	}
	return at;
}

static size_t behind_line(const char *p, size_t n, size_t at)
{
	const char *lf = memchr(p + at, '\n', n - at);
	return lf ? (size_t)(lf - p) + 1 : n;
}

/* One record from `begin` on, of `most` bytes at most, its bytes coming in pieces; as quoted_record in csv.c. */
static enum stop try_in_pieces(struct csv_tries *tries, const char *p, size_t begin, size_t n, size_t most, struct csv_progress *end)
{
	struct csv_progress progress = { 0 };
	for (size_t given = 0;;) {
		given += (size_t)random() % 30;
		if (random() % 3 == 0 || given > n - begin)
			given = n - begin;
		bool eof = given == n - begin, cut = given > most;
		enum stop stop = csv_try(tries, begin, ',', p + begin, cut ? most : given, eof && !cut, &progress);
		if (stop == STOP_MORE && !cut)
			continue;
		*end = progress;
		return stop;
	}
}

START_TEST(tries_agree)
{
	char text[LENGTH + 16];
	unsigned met = 0, failed = 0;
	srandom(1);
	for (int round = 0; round < ROUNDS; round++) {
		struct mem mem = { 0 };
		struct arena arena;
		struct csv_tries tries;
		arena_init(&arena, &mem);
		ck_assert(!csv_tries_open(&tries, 1 << 24, &arena));
		tries.apart = round % 3 ? 1 : 9;
		size_t n = random_text(text), most = random() % 2 ? LENGTH * 2 : 1 + (size_t)random() % 60;
		for (size_t begin = 0; begin < n;) {
			struct csv_progress want = { 0 }, got;
			bool cut = n - begin > most;
			enum stop stop = csv_record(',', text + begin, cut ? most : n - begin, !cut, &want), other = try_in_pieces(&tries, text, begin, n, most, &got);
			bool bad = stop != STOP_LINE;
			ck_assert_msg(stop == other, "%d, not %d at %zu: %.*s", (int)other, (int)stop, begin, (int)n, text);
			ck_assert_msg(got.at == want.at && (tries.met || got.fields == want.fields), "at %zu: %.*s", begin, (int)n, text);
			met += tries.met;
			failed += bad;
			csv_tries_end(&tries, begin, &got, bad);
			begin = bad ? behind_line(text, n, begin) : begin + want.at + 1;
		}
		arena_release(&arena);
	}
	ck_assert_msg(met > 5000 && failed > 20000, "%u of %u", met, failed);
}
END_TEST

/* A file of lines that all go wrong at its end: each byte is looked at a few times, not once a line. */
START_TEST(no_way_is_gone_twice)
{
	enum { LINES = 200000 };
	static const char line[] = "a\",\"x\n";
	size_t size = sizeof line - 1, n = LINES * size;
	char *text = malloc(n);
	for (size_t i = 0; i < LINES; i++)
		memcpy(text + i * size, line, size);
	struct mem mem = { 0 };
	struct arena arena;
	struct csv_tries tries;
	arena_init(&arena, &mem);
	ck_assert(!csv_tries_open(&tries, 16 << 20, &arena));
	unsigned met = 0;
	for (size_t begin = 0; begin < n; begin += size) {
		struct csv_progress end = { 0 };
		ck_assert_int_eq(csv_try(&tries, begin, ',', text + begin, n - begin, true, &end), STOP_OPEN);
		met += tries.met;
		csv_tries_end(&tries, begin, &end, true);
	}
	ck_assert_uint_ge(met, LINES - 1000);
	arena_release(&arena);
	free(text);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { tries_agree, no_way_is_gone_twice };
	return RUN_TESTS("csv_record", tests);
}
