/* Two texts, with a line feed between: what reads as a number must print as that number, and two numbers must keep the laws of order, of
 * arithmetic and of sums. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/buf.h"
#include "core/number.h"
#include "core/sum.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Reads n bytes from a block of their own, so that none behind them can be touched. */
static bool read_alone(const uint8_t *data, size_t n, struct value *v)
{
	char *copy = malloc(n ? n : 1);
	must(copy != NULL);
	if (n)
		memcpy(copy, data, n);
	bool reads = number_read(copy, (uint32_t)n, v);
	free(copy);
	return reads;
}

static bool same(const struct value *a, const struct value *b)
{
	return a->type == b->type && a->scale == b->scale && a->u.i == b->u.i;
}

static void prints_and_reads_again(const struct value *v)
{
	char text[VALUE_TEXT_MAX], again[VALUE_TEXT_MAX];
	struct value back;
	uint32_t n = number_print(v, text);
	must(n <= VALUE_TEXT_MAX && number_read(text, n, &back));
	must(v->type == V_DEC ? same(v, &back) : number_double(&back) == v->u.d);
	must(number_print(&back, again) == n && memcmp(text, again, n) == 0);
}

static void is_number_or_null(struct value v)
{
	if (v.type == V_NULL)
		return;
	prints_and_reads_again(&v);
	if (v.type == V_DEC) /* canonical */
		must(v.scale <= DEC_SCALE_MAX && (v.scale == 0 || v.u.i % 10 != 0));
}

static void laws(struct value a, struct value b)
{
	struct value zero = value_int(0), difference = number_sub(a, b), ab = number_add(a, b), ba = number_add(b, a);
	int cmp = number_cmp(&a, &b);
	must(number_cmp(&b, &a) == -cmp);
	must(cmp == 0 || (cmp < 0) == (number_prefix(&a) <= number_prefix(&b)) || number_prefix(&a) == number_prefix(&b));
	must(difference.type == V_NULL || number_cmp(&difference, &zero) == cmp);
	must(same(&ab, &ba));
	is_number_or_null(difference);
	is_number_or_null(ab);
	is_number_or_null(number_mul(a, b));
	is_number_or_null(number_div(a, b));
	is_number_or_null(number_mod(a, b));
	is_number_or_null(number_neg(a));
	is_number_or_null(number_floor(a));
	is_number_or_null(number_ceil(b));
	int64_t digits;
	if (number_int(&b, &digits) && digits >= INT32_MIN && digits <= INT32_MAX)
		is_number_or_null(number_round(a, (int)digits));
}

static void sums(const struct value *a, const struct value *b)
{
	struct mem mem = { 0 };
	struct arena arena;
	struct buf before, after;
	struct sum sum = { 0 }, squares = { 0 };
	struct value v;
	arena_init(&arena, &mem);
	buf_init(&before, &mem);
	buf_init(&after, &mem);
	must(sum_add(&sum, a, 1, &mem) == 0 && sum_add_square(&squares, a, 1, &mem) == 0);
	must(sum_value(&sum, &v, &arena) == 0 && number_cmp(&v, a) == 0);
	sum_text(&sum, &before);
	must(sum_add(&sum, b, 1, &mem) == 0 && sum_add_square(&squares, b, 1, &mem) == 0);
	must(sum_avg(&sum, 2, &v, &arena) == 0);
	must(sum_var(&sum, &squares, 2, 1, false, &v) == 0);
	must(v.type == V_NULL || v.u.d >= 0);
	must(sum_add(&sum, b, -1, &mem) == 0);
	sum_text(&sum, &after);
	must(before.n == after.n && memcmp(before.p, after.p, after.n) == 0);
	sum_drop(&sum, &mem);
	must(sum_from(&sum, after.p, after.n, &mem) == 0 && sum_value(&sum, &v, &arena) == 0 && number_cmp(&v, a) == 0);
	sum_drop(&sum, &mem);
	sum_drop(&squares, &mem);
	buf_release(&before);
	buf_release(&after);
	arena_release(&arena);
	must(mem.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
	size_t first = line ? (size_t)(line - data) : size, second = line ? size - first - 1 : 0;
	struct value a, b;
	bool reads_a = read_alone(data, first, &a), reads_b = line && read_alone(line + 1, second, &b);
	if (reads_a)
		prints_and_reads_again(&a);
	if (reads_b)
		prints_and_reads_again(&b);
	if (reads_a && reads_b) {
		laws(a, b);
		sums(&a, &b);
	}
	struct mem mem = { 0 };
	struct sum sum = { 0 };
	if (sum_from(&sum, (const char *)data, size, &mem) == 0)
		sum_drop(&sum, &mem);
	must(mem.used == 0);
	return 0;
}
