/* Timers that come out when they are due, together and in no order, which costs the same for any number of them. (Time by time: ops/state/timers.h.)
 *
 * A timer lies in the slot of the highest digit (of 8 bits) in which its time differs from `base`, a time that is not later than any of them:
 *
 *     base    0001 2c 41 07
 *     0001 2c 41 09    level 0, slot 09: all of this ms
 *     0001 2c 5f 00    level 1, slot 5f: all from 0001 2c 5f 00 to ff
 *     0001 31 00 00    level 2, slot 31
 *
 * When a slot is due in part, base moves on to its first time and its timers spread over the levels below. So a timer moves once for each level at most. */
#ifndef WEIR_WHEEL_H
#define WEIR_WHEEL_H
#include <stdbool.h>

#include "ops/state/pool.h"

struct wheel_timer {
	int64_t time;
	void *of;
};

enum { WHEEL_LEVELS = 8, WHEEL_SLOTS = 256 };

struct wheel_chunk;
struct wheel {
	struct mem *mem;
	uint64_t base;             /* times here and below are shifted, so that they order as unsigned */
	struct wheel_chunk **slot; /* [level * WHEEL_SLOTS + slot]: its timers; NULL: none were ever added */
	uint64_t used[WHEEL_LEVELS][WHEEL_SLOTS / 64]; /* a bit for each slot with timers */
	struct wheel_chunk *free;
	struct pool chunks;
};

/* An empty wheel. */
void wheel_init(struct wheel *wheel, struct mem *mem);
/* -1 if memory is refused. A time before what wheel_take has come to is fine: it is due at once. */
int wheel_add(struct wheel *wheel, struct wheel_timer timer) __attribute__((warn_unused_result));
/* Takes timers with a time not later than `limit` out, at most `most`: how many there were, 0 only if there are no more. -1 if memory is refused: some of the
 * others then come out late. */
int wheel_take(struct wheel *wheel, int64_t limit, struct wheel_timer *out, int most) __attribute__((warn_unused_result));
/* A time not later than any timer, which is that of the first one at last; false: there is none. */
bool wheel_next(const struct wheel *wheel, int64_t *time);
void wheel_release(struct wheel *wheel);
#endif
