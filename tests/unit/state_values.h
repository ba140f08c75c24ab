/* Random values of every type, in an arena, for t_row.c and t_snapshot.c. */
#ifndef WEIR_STATE_VALUES_H
#define WEIR_STATE_VALUES_H
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/number.h"
#include "state_test.h"

static inline struct value random_text(uint64_t *random, struct arena *arena)
{
	uint64_t r = next_random(random);
	uint32_t len = r % 10 == 0 ? 300 : (uint32_t)(r >> 8) % 4;
	char *p = arena_alloc(arena, len + 1);
	MUST(p);
	for (uint32_t i = 0; i < len; i++)
		p[i] = "01\0a"[next_random(random) % 4];
	struct value v = r & 16 ? value_raw(p, len) : value_text(p, len);
	v.flags = (uint16_t)(r >> 20) & (VF_QUOTED | VF_CLEAN);
	return v;
}

static inline struct value random_value(uint64_t *random, struct arena *arena, bool rows)
{
	uint64_t r = next_random(random);
	struct value v = { 0 };
	switch (r % (rows ? 10 : 9)) {
	case 0:
		return v;
	case 1:
		return value_bool(r & 32);
	case 2:
		return number_dec((int64_t)next_random(random), (unsigned)(r >> 8) % 19);
	case 3:
		return value_int((int64_t)(r >> 8) % 3);
	case 4:
		return (struct value){ .type = V_DBL, .u.d = (double)(r >> 11) * 1e30 };
	case 5:
		return (struct value){ .type = V_BIG, .len = 25, .u.p = r & 64 ? "-123456789012345678901234" : "12345678901234567890123.5" };
	case 6:
		return (struct value){ .type = V_TIME, .u.i = (int64_t)(r >> 8) - (1LL << 40) };
	case 9:
		v = (struct value){ .type = V_ROW, .len = (uint32_t)(r >> 8) % 4 };
		struct value *field = arena_alloc(arena, v.len * sizeof *field);
		MUST(field);
		for (uint32_t i = 0; i < v.len; i++)
			field[i] = random_value(random, arena, false);
		v.u.row = field;
		return v;
	default:
		return random_text(random, arena);
	}
}

/* Alike to the last bit, flags included; the same by value_same may differ in type. */
static inline bool alike(const struct value *a, const struct value *b)
{
	if (a->type != b->type || a->scale != b->scale || a->flags != b->flags || a->len != b->len)
		return false;
	if (a->type == V_BIG || a->type == V_RAW || a->type == V_TEXT)
		return !a->len || !memcmp(a->u.p, b->u.p, a->len);
	if (a->type != V_ROW)
		return a->u.i == b->u.i;
	for (uint32_t i = 0; i < a->len; i++)
		if (!alike(&a->u.row[i], &b->u.row[i]))
			return false;
	return true;
}
#endif
