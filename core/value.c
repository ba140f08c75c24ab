#include "core/value.h"

#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "core/time.h"

uint32_t value_print(const struct value *v, char scratch[VALUE_TEXT_MAX], const char **p)
{
	*p = scratch;
	switch ((enum vtype)v->type) {
	case V_BOOL:
		*p = v->u.i ? "true" : "false";
		return v->u.i ? 4 : 5;
	case V_DEC:
	case V_DBL:
		return number_print(v, scratch);
	case V_TIME:
		return time_print_iso(v->u.i, NULL, scratch);
	case V_BIG:
	case V_RAW:
	case V_TEXT:
		*p = v->u.p;
		return v->len;
	case V_NULL:
	case V_ROW:
		break;
	}
	return 0;
}

uint32_t value_key(const struct value *v, char scratch[VALUE_TEXT_MAX], const char **p)
{
	if (v->type != V_TIME)
		return value_print(v, scratch, p);
	*p = scratch;
	return number_print_int(v->u.i, scratch);
}

/* Where a value stands in the total order, by kind. */
enum rank { RANK_NULL, RANK_BOOL, RANK_NUMBER, RANK_TEXT, RANK_ROW };

/* The rank of v; of a number also the number. A time counts as its milliseconds. */
static enum rank rank_of(const struct value *v, struct value *number)
{
	switch ((enum vtype)v->type) {
	case V_NULL:
		return RANK_NULL;
	case V_BOOL:
		return RANK_BOOL;
	case V_TIME:
		*number = value_int(v->u.i);
		return RANK_NUMBER;
	case V_RAW:
		return number_read(v->u.p, v->len, number) ? RANK_NUMBER : RANK_TEXT;
	case V_TEXT:
		return RANK_TEXT;
	case V_ROW:
		return RANK_ROW;
	case V_DEC:
	case V_DBL:
	case V_BIG:
		break;
	}
	*number = *v;
	return RANK_NUMBER;
}

static int order_bytes(const struct value *a, const struct value *b)
{
	uint32_t n = a->len < b->len ? a->len : b->len;
	int cmp = n ? memcmp(a->u.p, b->u.p, n) : 0;
	return cmp ? (cmp < 0 ? -1 : 1) : (a->len > b->len) - (a->len < b->len);
}

/* Field by field; of two rows that agree the shorter is the lesser. */
static int order_rows(const struct value *a, const struct value *b)
{
	for (uint32_t i = 0; i < a->len && i < b->len; i++) {
		int cmp = value_order(&a->u.row[i], &b->u.row[i]);
		if (cmp)
			return cmp;
	}
	return (a->len > b->len) - (a->len < b->len);
}

int value_order(const struct value *a, const struct value *b)
{
	if (a->type == V_TIME && b->type == V_TIME)
		return (a->u.i > b->u.i) - (a->u.i < b->u.i);
	struct value x, y;
	enum rank ra = rank_of(a, &x), rb = rank_of(b, &y);
	if (ra != rb)
		return ra < rb ? -1 : 1;
	switch (ra) {
	case RANK_NULL:
		break;
	case RANK_BOOL:
		return (a->u.i > b->u.i) - (a->u.i < b->u.i);
	case RANK_NUMBER:
		return number_cmp(&x, &y);
	case RANK_TEXT:
		return order_bytes(a, b);
	case RANK_ROW:
		return order_rows(a, b);
	}
	return 0;
}

/* The first bytes of a text as a number. */
static uint64_t text_prefix(const struct value *v)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < 8; i++)
		bytes = bytes << 8 | (i < v->len ? (unsigned char)v->u.p[i] : 0);
	return bytes;
}

enum { RANK_BITS = 3 };

static inline uint64_t ranked_prefix(enum rank rank, uint64_t bits)
{
	return (uint64_t)rank << (64 - RANK_BITS) | bits >> RANK_BITS;
}

uint64_t value_prefix(const struct value *v)
{
	struct value number;
	enum rank rank = rank_of(v, &number);
	uint64_t bits = 0;
	if (rank == RANK_NUMBER)
		bits = number_prefix(&number);
	else if (rank == RANK_TEXT)
		bits = text_prefix(v);
	else if (rank == RANK_BOOL)
		bits = (uint64_t)v->u.i << 63;
	return ranked_prefix(rank, bits);
}

void value_prefixes(const struct value *v, uint32_t n, uint64_t *out)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = v[i].type == V_DEC ? ranked_prefix(RANK_NUMBER, number_prefix(&v[i])) : value_prefix(&v[i]);
}

static bool same_rows(const struct value *a, const struct value *b)
{
	if (a->len != b->len)
		return false;
	for (uint32_t i = 0; i < a->len; i++)
		if (!value_same(&a->u.row[i], &b->u.row[i]))
			return false;
	return true;
}

bool value_same(const struct value *a, const struct value *b)
{
	if (a->type == V_NULL || b->type == V_NULL || a->type == V_ROW || b->type == V_ROW)
		return a->type == b->type && (a->type == V_NULL || same_rows(a, b));
	if (a->type == b->type && (a->type == V_DEC || a->type == V_TIME))
		return a->u.i == b->u.i && a->scale == b->scale;
	char scratch_a[VALUE_TEXT_MAX], scratch_b[VALUE_TEXT_MAX];
	const char *p, *q;
	uint32_t n = value_key(a, scratch_a, &p);
	return value_key(b, scratch_b, &q) == n && (n == 0 || memcmp(p, q, n) == 0);
}

static int copy_row(struct value *to, const struct value *from, struct arena *arena)
{
	struct value *row = arena_alloc(arena, from->len * sizeof *row);
	if (!row)
		return -1;
	for (uint32_t i = 0; i < from->len; i++)
		if (value_copy(&row[i], &from->u.row[i], arena))
			return -1;
	*to = *from;
	to->u.row = row;
	return 0;
}

int value_copy(struct value *to, const struct value *from, struct arena *arena)
{
	if (from->type == V_ROW)
		return copy_row(to, from, arena);
	const char *bytes = NULL;
	if (from->type == V_BIG || from->type == V_RAW || from->type == V_TEXT) {
		bytes = arena_copy(arena, from->u.p, from->len);
		if (!bytes)
			return -1;
	}
	*to = *from;
	if (bytes)
		to->u.p = bytes;
	return 0;
}
