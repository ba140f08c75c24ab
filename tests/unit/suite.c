#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

FILE *suite_open(const char *name)
{
	static int skipped; /* in this program */
	const char *shared = getenv("WEIR_SHARED");
	char path[1024], heading[SUITE_LINE];
	snprintf(path, sizeof path, "%s/data/suites/%s", shared ? shared : "../shared", name);
	FILE *file = fopen(path, "r");
	if (!file)
		printf("skipped %d, not there: %s\n", ++skipped, path);
	else if (!fgets(heading, sizeof heading, file))
		rewind(file);
	return file;
}

bool suite_next(FILE *file, struct suite_line *line)
{
	if (!fgets(line->text, sizeof line->text, file))
		return false;
	line->text[strcspn(line->text, "\n")] = '\0';
	memset(line->field, 0, sizeof line->field);
	char *rest = line->text;
	for (int i = 0; i < SUITE_FIELDS && rest; i++)
		line->field[i] = strsep(&rest, "\t");
	return true;
}
