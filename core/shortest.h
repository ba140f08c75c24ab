/* The shortest decimal digits that read back as a double. */
#ifndef WEIR_SHORTEST_H
#define WEIR_SHORTEST_H
#include <stdint.h>

/* d > 0, finite: the number with the fewest digits that every correct reader takes for d; of several the nearest to d, of two equally
 * near the even one (ECMAScript, Number::toString). d = digits * 10^*exp10; digits has no trailing zero, 17 digits at most. */
uint64_t shortest_digits(double d, int *exp10);
#endif
