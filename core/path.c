#include "core/path.h"

#include <string.h>

const char *path_join(const struct step *step, uint32_t n, struct arena *mem, uint32_t *len)
{
	uint32_t room = n;
	for (uint32_t i = 0; i < n; i++)
		room += step[i].len;
	char *name = arena_alloc(mem, room), *to = name;
	for (uint32_t i = 0; name && i < n; i++) {
		if (i)
			*to++ = '.';
		memcpy(to, step[i].name, step[i].len);
		to += step[i].len;
	}
	*len = name ? (uint32_t)(to - name) : 0;
	return name;
}
