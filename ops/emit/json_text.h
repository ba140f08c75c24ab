/* Texts as JSON. What is written is valid UTF-8 on one line, whatever the bytes were: control bytes are escaped, a byte that belongs to no well-formed
 * character becomes U+FFFD. */
#ifndef WEIR_EMIT_JSON_TEXT_H
#define WEIR_EMIT_JSON_TEXT_H
#include <stdbool.h>
#include <stdint.h>

enum { JSON_GROWTH = 6 /* bytes that one can become */ };

/* Writes n bytes as a string at `to`, which has room for JSON_GROWTH * n + 2; gives the end of what it wrote. */
char *json_put_string(char *to, const char *p, uint32_t n);

/* Is the text a number, as JSON writes them? */
bool json_is_number(const char *p, uint32_t n);
#endif
