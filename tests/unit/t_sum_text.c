/* core/sum: snapshots as text, and what happens when memory is refused. */
#include <check.h>
#include <string.h>

#include "core/buf.h"
#include "core/sum.h"
#include "tests/unit/numgen.h"
#include "tests/unit/run_tests.h"

enum { ROUNDS = 2000 };

static void content(const struct sum *sum, struct buf *buf)
{
	buf->n = 0;
	sum_text(sum, buf);
	ck_assert(!buf->failed);
}

static bool same(const struct buf *a, const struct buf *b)
{
	return a->n == b->n && memcmp(a->p, b->p, a->n) == 0;
}

START_TEST(a_text_gives_the_sum_again)
{
	struct mem mem = { 0 };
	struct buf text, again;
	uint64_t state = 1;
	buf_init(&text, &mem);
	buf_init(&again, &mem);
	for (int i = 0; i < ROUNDS; i++) {
		struct sum sum = { 0 }, back = { 0 };
		for (uint64_t k = numgen_below(&state, 8); k > 0; k--) {
			struct value v = i % 3 ? numgen_any(&state) : numgen_decimal(&state);
			int sign = numgen_below(&state, 3) ? 1 : -1;
			ck_assert_int_eq(i % 2 ? sum_add_square(&sum, &v, sign, &mem) : sum_add(&sum, &v, sign, &mem), 0);
		}
		content(&sum, &text);
		ck_assert_int_eq(sum_from(&back, text.p, text.n, &mem), 0);
		content(&back, &again);
		ck_assert(same(&text, &again));
		/* the read one goes on as the first would: taken from it, nothing is left */
		ck_assert_int_eq(sum_merge(&back, &sum, -1, &mem), 0);
		content(&back, &again);
		ck_assert(again.n == 1 && again.p[0] == '0');
		sum_drop(&sum, &mem);
		sum_drop(&back, &mem);
	}
	buf_release(&text);
	buf_release(&again);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

START_TEST(other_texts_are_refused)
{
	static const char *const texts[] = {
		"",
		"-",
		".",
		"1.",
		".5",
		"1e5",
		"x",
		"1 ",
		"1 2",
		"1 2 3",
		"1 2 3 ",
		"1 2 3 -",
		"1 2 3 xyz",
		"1 2 3 4 5",
		"1 1 -35 1",
		"1 1 34 1",
		"1 1 33 11111111111111111",
		"1 a 0 1",
		"1 1 b 1",
		"1.0000000000000000000000000000000000000",
		" 1",
		"1\n",
		"1 1 0 A",
		"1 1.5 0 1",
		"1 99999999999999999999 0 1",
	};
	struct mem mem = { 0 };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct sum sum = { 0 };
		ck_assert_msg(sum_from(&sum, texts[i], strlen(texts[i]), &mem) == -1, "'%s'", texts[i]);
		ck_assert(!sum.is_wide && sum.u.mantissa == 0 && sum.scale == 0);
	}
	char digits[3000];
	memset(digits, '9', sizeof digits);
	struct sum sum = { 0 };
	ck_assert_int_eq(sum_from(&sum, digits, sizeof digits, &mem), -1);
	memcpy(digits, "1 1 0 ", 6);
	ck_assert_int_eq(sum_from(&sum, digits, sizeof digits, &mem), -1);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

/* One step of each kind on a sum; which one is told by `step`. */
static int one_step(struct sum *sum, const struct sum *part, int step, struct mem *mem)
{
	struct value dec = number_dec(INT64_MAX - 1, 18), dbl = number_from_double(1e300), small = number_from_double(1e-300);
	switch (step) {
	case 0:
		return sum_add(sum, &dec, 1, mem);
	case 1:
		return sum_add(sum, &dbl, -1, mem);
	case 2:
		return sum_add(sum, &small, 1, mem);
	case 3:
		return sum_add_square(sum, &dec, 1, mem);
	case 4:
		return sum_add_square(sum, &dbl, 1, mem);
	default:
		return sum_merge(sum, part, -1, mem);
	}
}

START_TEST(refused_memory_leaves_the_sum_as_it_was)
{
	struct mem mem = { 0 }, aside = { 0 };
	struct buf before, after;
	buf_init(&before, &aside);
	buf_init(&after, &aside);
	uint64_t state = 2;
	for (int i = 0; i < ROUNDS; i++) {
		struct sum sum = { 0 }, part = { 0 };
		for (int k = 0; k < 3; k++) {
			struct value v = numgen_any(&state), w = numgen_any(&state);
			ck_assert_int_eq(sum_add(&sum, &v, 1, &mem), 0);
			ck_assert_int_eq(sum_add(&part, &w, 1, &mem), 0);
		}
		for (int step = 0; step < 6; step++) {
			content(&sum, &before);
			uint64_t fail = 1;
			for (;; fail++) {
				mem.fail_at = mem.requests + fail;
				int failed = one_step(&sum, &part, step, &mem);
				mem.fail_at = 0;
				content(&sum, &after);
				if (!failed)
					break;
				ck_assert(same(&before, &after));
			}
			ck_assert_uint_lt(fail, 9);
			ck_assert(!same(&before, &after));
		}
		sum_drop(&sum, &mem);
		sum_drop(&part, &mem);
	}
	buf_release(&before);
	buf_release(&after);
	ck_assert_uint_eq(mem.used, 0);
	ck_assert_uint_eq(aside.used, 0);
}
END_TEST

START_TEST(refused_memory_while_reading_and_telling)
{
	struct mem mem = { 0 };
	struct arena arena;
	struct sum sum = { 0 };
	struct value v;
	const char *text = "123456789012345678901234567890.5 2 -3 123456789abcdef0123456789abcdef";
	for (uint64_t fail = 1;; fail++) {
		mem.fail_at = mem.requests + fail;
		int failed = sum_from(&sum, text, strlen(text), &mem);
		mem.fail_at = 0;
		if (!failed)
			break;
		ck_assert_uint_eq(mem.used, 0);
	}
	sum_drop(&sum, &mem);
	ck_assert_int_eq(sum_from(&sum, text, 32, &mem), 0);
	arena_init(&arena, &mem);
	mem.fail_at = 1;
	ck_assert_int_eq(sum_value(&sum, &v, &arena), -1);
	ck_assert_int_eq(sum_avg(&sum, 1, &v, &arena), -1);
	mem.fail_at = 0;
	ck_assert_int_eq(sum_avg(&sum, 1, &v, &arena), 0);
	ck_assert_int_eq(v.type, V_BIG);
	ck_assert(v.len == 32 && memcmp(v.u.p, text, 32) == 0);
	arena_release(&arena);
	sum_drop(&sum, &mem);
	ck_assert_uint_eq(mem.used, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_text_gives_the_sum_again, other_texts_are_refused, refused_memory_leaves_the_sum_as_it_was, refused_memory_while_reading_and_telling,
	};
	return RUN_TESTS("sum_text", tests);
}
