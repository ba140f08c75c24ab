#include "terminal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WIDTH = 80, HEIGHT = 24 };

bool terminal_same(int a, int b)
{
	struct stat one, other;
	return isatty(a) == 1 && isatty(b) == 1 && !fstat(a, &one) && !fstat(b, &other) && one.st_rdev == other.st_rdev;
}

void terminal_size(int fd, uint32_t *width, uint32_t *height)
{
	struct winsize size = { 0 };
	if (ioctl(fd, TIOCGWINSZ, &size))
		size = (struct winsize){ 0 };
	*width = size.ws_col ? size.ws_col : WIDTH;
	*height = size.ws_row ? size.ws_row : HEIGHT;
}

/* Set to nothing is not set. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

bool terminal_moves(void)
{
	const char *term = variable("TERM");
	return term && strcmp(term, "dumb") != 0;
}

bool terminal_colours(void)
{
	return terminal_moves() && !variable("NO_COLOR");
}

bool terminal_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = variable(names[i]);
		if (value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}
