/* UTF-8, and the digits that code points are written with. Texts are bytes that are mostly UTF-8: a well-formed sequence is one character; any other byte counts
 * as one and is never changed. */
#ifndef WEIR_UTF8_H
#define WEIR_UTF8_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a hexadecimal digit says; -1: it is none. */
static inline int hex_digit(char c)
{
	unsigned digit = (unsigned)(c - '0'), letter = (unsigned)((c | 0x20) - 'a');
	return digit < 10 ? (int)digit : letter < 6 ? (int)letter + 10 : -1;
}

/* Length of the character at p < end: 1 to 4 bytes. */
size_t char_len(const char *p, const char *end);

/* The code point of a character of len bytes, as char_len gives it; len 1: the byte. */
uint32_t char_code(const char *p, size_t len);

/* Writes a code point up to 0x10ffff, and gives how many bytes it has. A half of a surrogate pair becomes U+FFFD. */
uint32_t char_put(uint32_t code, char out[4]);

/* The halves of a pair of UTF-16. */
static inline bool is_high_half(int64_t code) { return code >= 0xd800 && code < 0xdc00; }
static inline bool is_low_half(int64_t code) { return code >= 0xdc00 && code < 0xe000; }
static inline uint32_t join_halves(uint32_t high, uint32_t low) { return 0x10000 + ((high - 0xd800) << 10 | (low - 0xdc00)); }
#endif
