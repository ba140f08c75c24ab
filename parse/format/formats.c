#include <string.h>

#include "parse/format/format.h"

#define FORMAT(name) extern const struct format name##_format;
#include "parse/format/formats.def"
#undef FORMAT

const struct format *const formats[] = {
#define FORMAT(name) &name##_format,
#include "parse/format/formats.def"
#undef FORMAT
	NULL,
};

const struct format *format_find(const char *name, size_t len)
{
	for (const struct format *const *f = formats; *f; f++)
		if (strlen((*f)->name) == len && !memcmp((*f)->name, name, len))
			return *f;
	return NULL;
}
