/* Inside of struct sum, shared by sum.c, sum_value.c and sum_text.c.
 *
 * Narrow, the scale is 18 at most. Wide, the decimals are dec * 10^-scale with scale up to 36 (squares), and the doubles are added up apart,
 * exactly. `doubles` counts those held (added less taken back): with none the sum is a decimal again. */
#ifndef WEIR_SUM_WIDE_H
#define WEIR_SUM_WIDE_H
#include "core/exact.h"
#include "core/sum.h"
#include "core/wide.h"

enum { SUM_SCALE_MAX = 2 * DEC_SCALE_MAX };

struct sum_wide {
	struct wide dec; /* its window starts at 0 */
	struct wide dbl;
	int64_t doubles;
};

/* Makes the sum wide, same value. -1 if memory is refused. */
int sum_widen(struct sum *sum, struct mem *mem) __attribute__((warn_unused_result));

/* A wide sum += (minus ? -1 : 1) * term * 10^-scale; scale up to SUM_SCALE_MAX. -1 if memory is refused: same value. */
int sum_add_decimal(struct sum *sum, struct nat *term, unsigned scale, bool minus, struct mem *mem) __attribute__((warn_unused_result));

/* Is a double among what the sum holds? */
bool sum_has_doubles(const struct sum *sum);

/* Its decimals, without trailing zeros in the fraction. */
void sum_decimals(const struct sum *sum, struct exact *x);
#endif
