/* What can be asked of the terminal behind a descriptor, and of the environment about it. */
#ifndef WEIR_TERMINAL_H
#define WEIR_TERMINAL_H
#include <stdbool.h>
#include <stdint.h>

/* Do both descriptors lead to one terminal? */
bool terminal_same(int a, int b);

/* Its size; 80 columns and 24 lines where it does not tell. */
void terminal_size(int fd, uint32_t *width, uint32_t *height);

/* TERM is there, and is not "dumb": the cursor can be moved. */
bool terminal_moves(void);
/* ... and colours are welcome: no NO_COLOR. */
bool terminal_colours(void);
/* LC_ALL, else LC_CTYPE, else LANG says that characters are UTF-8. */
bool terminal_utf8(void);
#endif
