/* Bytes as messages show them: control bytes as \xHH, so that what came from a file or an argument does not steer the terminal. */
#ifndef WEIR_SHOW_H
#define WEIR_SHOW_H
#include <stddef.h>

enum { SHOW_MOST = 4 /* bytes that one takes at most */ };

/* A byte as \xHH. */
void show_hex(char out[SHOW_MOST], char byte);

/* One byte; gives how many it takes: 1 or SHOW_MOST. No NUL behind them. */
size_t show_byte(char out[SHOW_MOST], char byte);

/* n bytes; cuts what does not fit into room (at least 1), NUL-terminated. Gives the length. */
size_t show(char *out, size_t room, const char *bytes, size_t n);

/* The same for a text of several lines; line ends stay. */
void show_lines(char *out, size_t room, const char *text);
#endif
