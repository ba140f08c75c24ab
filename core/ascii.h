/* Classes of bytes, whatever the locale. */
#ifndef WEIR_ASCII_H
#define WEIR_ASCII_H
#include <stdbool.h>

static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
#endif
