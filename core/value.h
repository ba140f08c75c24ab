/* One value: 16 bytes, copied freely. Texts are borrowed pointers; who keeps a value longer than its batch copies them.
 *
 *   V_NULL                nothing
 *   V_BOOL   u.i 0 or 1
 *   V_DEC    u.i * 10^-scale, scale 0..18, canonical: no trailing zero in the fraction, zero has scale 0
 *   V_DBL    u.d, finite, never -0
 *   V_BIG    u.p, len: an exact number too wide for V_DEC (a sum), as its canonical digits: [-]digits[.digits]
 *   V_TIME   u.i, ms since 1970 UTC
 *   V_RAW    u.p, len: a field as it was read; may read as a number
 *   V_TEXT   u.p, len: text for sure
 *   V_ROW    u.p -> struct value[len]: a whole record of unnamed input; occurs in one column at most, see schema.h
 *
 * A duration is a V_DEC of milliseconds. */
#ifndef WEIR_VALUE_H
#define WEIR_VALUE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vtype { V_NULL, V_BOOL, V_DEC, V_DBL, V_BIG, V_TIME, V_RAW, V_TEXT, V_ROW };

enum {
	VF_QUOTED = 1, /* V_RAW that came in quotes (csv, json): text even if it looks like a number, in -o json */
	VF_CLEAN = 2,  /* holds no TAB, LF, CR or backslash: sinks need not look */
	VF_JSON = 4,   /* V_RAW whose bytes are valid JSON on one line: an object, an array, true, false */
};

struct value {
	uint8_t type;  /* enum vtype */
	uint8_t scale; /* V_DEC only, else 0 */
	uint16_t flags;
	uint32_t len; /* V_BIG, V_RAW, V_TEXT, V_ROW, else 0 */
	union {
		const char *p;
		int64_t i;
		double d;
		const struct value *row;
	} u;
};
_Static_assert(sizeof(struct value) == 16, "value");

enum { VALUE_TEXT_MAX = 48 /* bytes that any V_BOOL, V_DEC, V_DBL, V_TIME needs as text */ };

static inline struct value value_null(void) { return (struct value){ 0 }; }
static inline struct value value_bool(bool b) { return (struct value){ .type = V_BOOL, .u.i = b }; }
static inline struct value value_int(int64_t i) { return (struct value){ .type = V_DEC, .u.i = i }; }
static inline struct value value_text(const char *p, uint32_t len) { return (struct value){ .type = V_TEXT, .len = len, .u.p = p }; }
static inline struct value value_raw(const char *p, uint32_t len) { return (struct value){ .type = V_RAW, .len = len, .u.p = p }; }
static inline struct value value_time(int64_t ms) { return (struct value){ .type = V_TIME, .u.i = ms }; }
static inline bool value_is_number(const struct value *v) { return v->type >= V_DEC && v->type <= V_BIG; }

/* The text of v, before escaping: NULL is empty, booleans true and false, numbers canonical, times as ISO in UTC (who has a zone or a style prints
 * them himself). Points *p into v's own bytes, into scratch (VALUE_TEXT_MAX bytes) or to a constant. Gives the length; 0 for V_ROW. */
uint32_t value_print(const struct value *v, char scratch[VALUE_TEXT_MAX], const char **p);

/* The bytes by which v is told from other values, in keys and hashes: those of value_print, but of a time the digits of its ms. */
uint32_t value_key(const struct value *v, char scratch[VALUE_TEXT_MAX], const char **p);

/* The total order (LANGUAGE.md, Order and equality): -1, 0, 1. NULL first, then false, true, then numbers (a V_RAW that reads as
 * a number counts as that number, a time as its ms), then texts by bytes. Numbers of every kind compare exactly. */
int value_order(const struct value *a, const struct value *b);

/* For sorting: order(a, b) < 0 implies prefix(a) <= prefix(b); equal prefixes decide nothing. 0 only for NULL, never UINT64_MAX. */
uint64_t value_prefix(const struct value *v);

/* value_prefix of n values. */
void value_prefixes(const struct value *v, uint32_t n, uint64_t *out);

/* Same bytes by value_key, NULL apart: the equality of keys, of distinct values and of rows. V_RAW and V_TEXT of equal bytes are the same;
 * V_ROW field by field. */
bool value_same(const struct value *a, const struct value *b);

/* A copy with its bytes in `arena`; -1 if memory is refused. V_ROW is copied deeply. */
struct arena;
int value_copy(struct value *to, const struct value *from, struct arena *arena) __attribute__((warn_unused_result));
#endif
