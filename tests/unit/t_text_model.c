/* Functions of texts and LIKE against plain models that work on arrays of characters; random bytes, many of them not UTF-8. */
#include "unit/exprs.h"

#include "ops/expr/like.h"
#include "ops/expr/text.h"

enum { MOST = 24, ROUNDS = 12000 };

static uint64_t state = 1;

static unsigned pick(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

/* A text as its characters, found by decoding from the left with the definition of UTF-8 (value and shortest form), not by its byte table. */
struct chars {
	char bytes[8 * MOST];
	size_t n, at[8 * MOST + 1]; /* n characters; character i is bytes at[i]..at[i + 1] */
};

static size_t sequence(const unsigned char *s, size_t n)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = s[0] >= 0xf0 && s[0] < 0xf8 ? 4 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xc0 && s[0] < 0xe0 ? 2 : 1;
	if (len == 1 || len > n)
		return 1;
	uint32_t code = s[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 1;
		code = code << 6 | (s[i] & 0x3f);
	}
	return code < least[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 1 : len;
}

static void cut(struct chars *c, size_t n)
{
	c->n = 0;
	for (size_t i = 0; i < n; i += sequence((const unsigned char *)c->bytes + i, n - i))
		c->at[c->n++] = i;
	c->at[c->n] = n;
}

static struct bytes bytes_of(const struct chars *c) { return (struct bytes){ c->bytes, c->at[c->n] }; }

/* Pieces that make patterns and texts meet: few letters, wildcards, characters of every length, broken ones. */
static void random_chars(struct chars *c, const char *const *piece, unsigned pieces, unsigned most)
{
	size_t n = 0;
	for (unsigned i = pick(most); i > 0; i--) {
		const char *p = piece[pick(pieces)];
		memcpy(c->bytes + n, p, strlen(p));
		n += strlen(p);
	}
	cut(c, n);
}

static const char *const text_piece[] = { "a", "b", "a", "é", "日", "😀", "\xc3", "\xa9", "\xf0\x9f", "\xed\xa0\x80", "\xe0\x80\x80", "%", "_", "\\", " " };
static const char *const like_piece[] = { "a", "b", "a", "é", "日", "😀", "\xc3", "\xa9", "%", "%", "_", "\\%", "\\_", "\\\\", "\\a" };
enum { TEXTS = sizeof text_piece / sizeof text_piece[0], LIKES = sizeof like_piece / sizeof like_piece[0] };

static bool same_char(const struct chars *a, size_t i, const struct chars *b, size_t j)
{
	size_t n = a->at[i + 1] - a->at[i];
	return n == b->at[j + 1] - b->at[j] && !memcmp(a->bytes + a->at[i], b->bytes + b->at[j], n);
}

/* The definition of LIKE, by recursion. */
static bool like(const struct chars *p, size_t i, const struct chars *x, size_t j)
{
	if (i == p->n)
		return j == x->n;
	char c = p->bytes[p->at[i]];
	if (c == '%') {
		for (size_t k = j; k <= x->n; k++)
			if (like(p, i + 1, x, k))
				return true;
		return false;
	}
	if (j == x->n)
		return false;
	if (c == '_')
		return like(p, i + 1, x, j + 1);
	size_t literal = c == '\\' ? i + 1 : i;
	return same_char(p, literal, x, j) && like(p, literal + 1, x, j + 1);
}

START_TEST(test_like)
{
	unsigned shapes[5] = { 0 }, matches = 0;
	for (int round = 0; round < ROUNDS; round++) {
		struct chars p, x;
		char room[8 * MOST];
		random_chars(&p, like_piece, LIKES, 7);
		random_chars(&x, text_piece, TEXTS, 10);
		struct like planned = like_plan(bytes_of(&p), room), general = { LIKE_GENERAL, bytes_of(&p) };
		ck_assert(like_valid(bytes_of(&p)));
		bool want = like(&p, 0, &x, 0);
		ck_assert_msg(like_match(&general, bytes_of(&x)) == want, "round %d", round);
		ck_assert_msg(like_match(&planned, bytes_of(&x)) == want, "round %d, shape %d", round, (int)planned.shape);
		shapes[planned.shape]++;
		matches += want;
	}
	for (int i = 0; i < 5; i++)
		ck_assert_uint_gt(shapes[i], 50);
	ck_assert_uint_gt(matches, ROUNDS / 40);
	ck_assert(!like_valid((struct bytes){ "a\\", 2 }));
	ck_assert(!like_valid((struct bytes){ "a\\\\\\", 4 }));
	ck_assert(like_valid((struct bytes){ "a\\\\", 3 }));
}
END_TEST

START_TEST(test_characters)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct chars x;
		if (round % 2) {
			random_chars(&x, text_piece, TEXTS, MOST);
		} else {
			size_t n = pick(MOST);
			for (size_t i = 0; i < n; i++)
				x.bytes[i] = (char)(round % 4 ? pick(128) : 0xbe + pick(0x42) - (pick(3) ? 0x20 : 0));
			cut(&x, n);
		}
		const char *end = x.bytes + x.at[x.n];
		bool valid = true;
		for (size_t i = 0; i < x.n; i++) {
			size_t len = x.at[i + 1] - x.at[i];
			ck_assert_uint_eq(char_len(x.bytes + x.at[i], end), len);
			ck_assert_uint_eq(char_before(x.bytes, x.bytes + x.at[i + 1]), len);
			ck_assert_ptr_eq(char_skip(x.bytes, end, i), x.bytes + x.at[i]);
			valid = valid && (len > 1 || (unsigned char)x.bytes[x.at[i]] < 0x80);
		}
		ck_assert_ptr_eq(char_skip(x.bytes, end, x.n + pick(5)), end);
		ck_assert_uint_eq(char_count(x.bytes, end), x.n);
		ck_assert_int_eq(char_valid(x.bytes, x.at[x.n]), valid);
	}
}
END_TEST

/* Evaluates text over one row with t as the text, n as the number and a as the second text. */
static struct bytes run(struct exprs *x, const struct expr *expr, const struct chars *t, const struct chars *a, int64_t n)
{
	struct value v[3] = { value_raw(a->bytes, (uint32_t)a->at[a->n]), value_int(n), value_text(t->bytes, (uint32_t)t->at[t->n]) }, *out;
	x->col[COL_A].v = &v[0];
	x->col[COL_N].v = &v[1];
	x->col[COL_T].v = &v[2];
	x->batch.n = 1;
	ck_assert_int_eq(expr_eval(expr, &x->batch, &out), 0);
	struct bytes result = { "", SIZE_MAX }; /* NULL */
	if (out->type != V_NULL)
		ck_assert(text_of(out, &result));
	return result;
}

START_TEST(test_substr)
{
	struct exprs x;
	exprs_open(&x);
	struct expr *three = exprs_bound(&x, "substr(t, n, length(a) - 2)"), *two = exprs_bound(&x, "substr(t, n)");
	for (int round = 0; round < ROUNDS; round++) {
		struct chars t, a;
		random_chars(&t, text_piece, TEXTS, 9);
		random_chars(&a, text_piece, TEXTS, 12);
		int64_t from = (int64_t)pick(16) - 5, n = (int64_t)a.n - 2;
		struct bytes got = run(&x, three, &t, &a, from), rest = run(&x, two, &t, &a, from);
		struct chars want = { .n = 0 }, tail = { .n = 0 };
		size_t wn = 0, tn = 0;
		for (int64_t i = 1; i <= (int64_t)t.n; i++) {
			size_t len = t.at[i] - t.at[i - 1];
			if (i >= from && i < from + n)
				memcpy(want.bytes + wn, t.bytes + t.at[i - 1], len), wn += len;
			if (i >= from)
				memcpy(tail.bytes + tn, t.bytes + t.at[i - 1], len), tn += len;
		}
		ck_assert(n < 0 ? got.n == SIZE_MAX : bytes_same(got, (struct bytes){ want.bytes, wn }));
		ck_assert(bytes_same(rest, (struct bytes){ tail.bytes, tn }));
		arena_reset(&x.scratch);
	}
	exprs_close(&x);
}
END_TEST

static bool is_in(const struct chars *t, size_t i, const struct chars *set)
{
	for (size_t j = 0; j < set->n; j++)
		if (same_char(t, i, set, j))
			return true;
	return false;
}

START_TEST(test_trim)
{
	struct exprs x;
	exprs_open(&x);
	struct expr *both = exprs_bound(&x, "trim(t, a)"), *left = exprs_bound(&x, "ltrim(t, a)"), *right = exprs_bound(&x, "rtrim(t, a)");
	for (int round = 0; round < ROUNDS; round++) {
		struct chars t, a;
		random_chars(&t, text_piece, TEXTS, 9);
		random_chars(&a, text_piece, TEXTS, 6);
		size_t from = 0, to = t.n;
		while (from < t.n && is_in(&t, from, &a))
			from++;
		while (to > 0 && is_in(&t, to - 1, &a))
			to--;
		ck_assert(bytes_same(run(&x, left, &t, &a, 0), (struct bytes){ t.bytes + t.at[from], t.at[t.n] - t.at[from] }));
		ck_assert(bytes_same(run(&x, right, &t, &a, 0), (struct bytes){ t.bytes, t.at[to] }));
		ck_assert(bytes_same(run(&x, both, &t, &a, 0), (struct bytes){ t.bytes + t.at[from], from < to ? t.at[to] - t.at[from] : 0 }));
		arena_reset(&x.scratch);
	}
	exprs_close(&x);
}
END_TEST

/* The pieces of a split put together with the separator between them are the text; from the end they are the same, and replace agrees. */
START_TEST(test_split_and_replace)
{
	struct exprs x;
	exprs_open(&x);
	struct expr *split = exprs_bound(&x, "split(t, a, n)"), *replace = exprs_bound(&x, "replace(t, a, '<>')"), *has = exprs_bound(&x, "contains(t, a)");
	for (int round = 0; round < ROUNDS / 4; round++) {
		struct chars t, a;
		random_chars(&t, text_piece, 3, 12);
		do
			random_chars(&a, text_piece, 3, 4);
		while (!a.n);
		int64_t pieces = 1;
		for (size_t i = 0; i + a.n <= t.n; i++)
			if (!memcmp(t.bytes + i, a.bytes, a.n))
				i += a.n - 1, pieces++;
		char whole[300], replaced[300];
		size_t wn = 0, rn = 0;
		for (int64_t i = 1; i <= pieces; i++) {
			struct bytes piece = run(&x, split, &t, &a, i), again = run(&x, split, &t, &a, i - pieces - 1);
			ck_assert(bytes_same(piece, again));
			if (i > 1)
				memcpy(whole + wn, a.bytes, a.n), wn += a.n, memcpy(replaced + rn, "<>", 2), rn += 2;
			memcpy(whole + wn, piece.p, piece.n), wn += piece.n;
			memcpy(replaced + rn, piece.p, piece.n), rn += piece.n;
		}
		ck_assert(bytes_same(bytes_of(&t), (struct bytes){ whole, wn }));
		ck_assert(bytes_same(run(&x, replace, &t, &a, 0), (struct bytes){ replaced, rn }));
		ck_assert_uint_eq(run(&x, split, &t, &a, pieces + 1).n, 0);
		ck_assert_uint_eq(run(&x, split, &t, &a, -pieces - 1).n, 0);
		ck_assert_uint_eq(run(&x, has, &t, &a, 0).n, pieces > 1 ? strlen("true") : strlen("false"));
		arena_reset(&x.scratch);
	}
	exprs_close(&x);
}
END_TEST

/* Case, at every length and place in the 8-byte steps. */
START_TEST(test_case)
{
	struct exprs x;
	exprs_open(&x);
	struct expr *lower = exprs_bound(&x, "lower(t)"), *upper = exprs_bound(&x, "upper(t)");
	for (int round = 0; round < ROUNDS / 4; round++) {
		struct chars t, low, up;
		size_t n = pick(MOST);
		for (size_t i = 0; i < n; i++) {
			unsigned char c = (unsigned char)pick(256);
			t.bytes[i] = (char)c;
			low.bytes[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
			up.bytes[i] = (char)(c >= 'a' && c <= 'z' ? c - 32 : c);
		}
		cut(&t, n);
		ck_assert(bytes_same(run(&x, lower, &t, &t, 0), (struct bytes){ low.bytes, n }));
		ck_assert(bytes_same(run(&x, upper, &t, &t, 0), (struct bytes){ up.bytes, n }));
		arena_reset(&x.scratch);
	}
	exprs_close(&x);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_like, test_characters, test_substr, test_trim, test_split_and_replace, test_case };
	return RUN_TESTS("text_model", tests);
}
