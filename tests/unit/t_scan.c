/* The separator index against a byte loop: random bytes from small alphabets, every length and alignment near the block size. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "parse/format/scan.h"
#include "tests/unit/run_tests.h"

static struct scan_index index_, model;

/* One field after the other, until one has its quotes wrong. */
static void quoted_loop(const struct scan_set *set, const char *p, uint32_t n)
{
	model.quoted = n && memchr(p, set->quote, n);
	uint32_t i = 0;
	while (i < n) {
		if (p[i] == set->quote) {
			for (i++; i < n && (p[i] != set->quote || (i + 1 < n && p[i + 1] == set->quote)); i += p[i] == set->quote ? 2 : 1)
				model.inner |= p[i] == '\n';
			model.open = i >= n;
			if (i++ >= n)
				return;
			if (i + 1 < n && p[i] == '\r' && p[i + 1] == '\n')
				i++;
			else if (i + 1 == n && p[i] == '\r') {
				model.open = true;
				return;
			}
			model.open = i < n && p[i] != '\n' && p[i] != set->sep[0] && p[i] != set->sep[1];
		} else {
			while (i < n && p[i] != '\n' && p[i] != set->sep[0] && p[i] != set->sep[1] && p[i] != set->quote)
				i++;
			model.open = i < n && p[i] == set->quote;
		}
		if (model.open || i == n)
			return;
		if (p[i] == '\n')
			model.line[model.nline++] = model.n;
		model.pos[model.n++] = i++;
	}
}

static void byte_loop(const struct scan_set *set, const char *p, uint32_t n)
{
	model.n = model.nline = 0;
	model.dirty = model.quoted = model.inner = model.open = false;
	if (set->quote) {
		quoted_loop(set, p, n);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (p[i] == '\n')
			model.line[model.nline++] = model.n;
		if (p[i] == '\n' || p[i] == set->sep[0] || p[i] == set->sep[1])
			model.pos[model.n++] = i;
		model.dirty |= memchr(set->dirty, p[i], sizeof set->dirty) != NULL;
	}
}

static void compare(scan_fn *scan, const struct scan_set *set, const char *p, uint32_t n)
{
	byte_loop(set, p, n);
	scan(set, p, n, &index_);
	ck_assert_uint_eq(index_.n, model.n);
	ck_assert_uint_eq(index_.nline, model.nline);
	ck_assert_int_eq(index_.open, model.open);
	if (set->quote && !model.open) /* what comes behind the place where it stops may be seen or not */
		ck_assert(index_.inner == model.inner && index_.quoted == model.quoted && (!index_.inner || index_.dirty));
	if (!set->quote)
		ck_assert_int_eq(index_.dirty, model.dirty);
	ck_assert(!memcmp(index_.pos, model.pos, model.n * sizeof *model.pos));
	ck_assert(!memcmp(index_.line, model.line, model.nline * sizeof *model.line));
}

static void check_path(scan_fn *scan)
{
	static const char plain_alphabet[] = "\t\n, ab\\\r\x80\x09\x8a\xff\x01", csv_alphabet[] = ",\"\nabcdefghijkl\r\\";
	static char bytes[SCAN_MAX + 64];
	const struct scan_set sets[] = {
		{ { '\t', '\t' }, { '\\', '\r', '\\' }, 0 },
		{ { ' ', '\t' }, { '\\', '\r', '\\' }, 0 },
		{ { ',', ',' }, { '\\', '\r', '\t' }, 0 },
		{ { '\n', '\n' }, { '\\', '\r', '\t' }, 0 },
		{ { (char)0xff, (char)0xff }, { '\\', '\r', '\t' }, 0 },
	};
	srand(7);
	for (int round = 0; round < 9000; round++) {
		struct scan_set with_quotes = sets[2], *const quotes = round % 3 ? &with_quotes : NULL;
		with_quotes.quote = '"';
		const struct scan_set *set = quotes ? quotes : &sets[rand() % 5];
		const char *alphabet = quotes ? csv_alphabet : plain_alphabet;
		unsigned letters = 1 + (unsigned)rand() % (unsigned)strlen(alphabet), shift = (unsigned)rand() % 64;
		uint32_t n = round % 50 ? (uint32_t)rand() % 300 : (uint32_t)rand() % (SCAN_MAX + 1);
		for (uint32_t i = 0; i < n; i++)
			bytes[shift + i] = alphabet[(unsigned)rand() % letters];
		char *exact = malloc(n ? n : 1); /* no byte beyond it may be read */
		memcpy(exact, bytes + shift, n);
		compare(scan, set, exact, n);
		free(exact);
		compare(scan, set, bytes + shift, n);
	}
	memset(bytes, '\n', sizeof bytes);
	compare(scan, &sets[0], bytes, SCAN_MAX);
}

START_TEST(plain)
{
	check_path(scan_plain);
}
END_TEST

START_TEST(sse2)
{
	if (scan_sse2())
		check_path(scan_sse2());
}
END_TEST

START_TEST(avx2)
{
	if (scan_avx2())
		check_path(scan_avx2());
}
END_TEST

START_TEST(avx512)
{
	if (scan_avx512())
		check_path(scan_avx512());
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { plain, sse2, avx2, avx512 };
	return RUN_TESTS("scan", tests);
}
