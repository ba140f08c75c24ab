/* How wide texts are on a terminal, and what of them it may be given: control characters and bytes that are no UTF-8 are shown as \xHH, byte for byte, so
 * that a file does not steer the terminal and columns stay in line. */
#ifndef WEIR_WIDTH_H
#define WEIR_WIDTH_H
#include <stddef.h>
#include <stdint.h>

/* Columns of n bytes as they are shown: a code point 1, wide ones of East Asia 2, combining marks 0, \xHH 4. */
uint32_t width_of(const char *p, size_t n);

/* How many of the n > 0 bytes at p are one character, and its columns. One byte of SHOW_MOST columns: it is shown as \xHH. */
uint32_t width_next(const char *p, size_t n, uint32_t *columns);

/* Writes n bytes as they are shown; `to` has room for SHOW_MOST * n. Gives the end of what it wrote. */
char *width_show(char *to, const char *p, size_t n);
#endif
