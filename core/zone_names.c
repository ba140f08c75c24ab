/* Which zone was meant. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/nearest.h"
#include "core/zone_table.h"

enum {
	FOLDERS_DEEP = 2, /* America/Argentina/Ushuaia */
	NAMES_MAX = 3000, /* there are some 600 */
};

struct names {
	struct buf text;    /* one behind the other, each with its NUL */
	uint32_t n;
};

/* Zones and their folders begin with a capital letter; what else is there is not a zone, or a second set of all of them. */
static bool is_name(const char *file)
{
	return *file >= 'A' && *file <= 'Z' && !strchr(file, '.');
}

/* Adds the zones of a folder and of those in it, `deep` levels down; `name` is its own, "" or with a slash behind. False if it is no folder. */
static bool walk(struct names *names, const char *name, int deep)
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", ZONE_FOLDER, name);
	DIR *folder = opendir(path);
	if (!folder)
		return false;
	for (struct dirent *entry; (entry = readdir(folder)) && names->n < NAMES_MAX;) {
		char below[sizeof entry->d_name + 64];
		if (!is_name(entry->d_name) || strlen(name) > 60)
			continue;
		snprintf(below, sizeof below, "%s%s/", name, entry->d_name);
		if (deep && walk(names, below, deep - 1))
			continue;
		buf_put(&names->text, below, strlen(below) - 1);
		buf_putc(&names->text, '\0');
		names->n++;
	}
	closedir(folder);
	return true;
}

/* The words of the names: whole, or from the last slash on. */
static void list(const struct names *names, bool whole, const char **word)
{
	const char *p = names->text.p;
	for (uint32_t i = 0; i < names->n; i++, p += strlen(p) + 1) {
		const char *slash = strrchr(p, '/');
		word[i] = whole || !slash ? p : slash + 1;
	}
}

/* Berlin is Europe/Berlin: a name without its folder is looked for among the last parts of all names. */
bool zone_nearest(const char *name, struct mem *mem, char *out, size_t room)
{
	struct names names = { .n = 0 };
	buf_init(&names.text, mem);
	walk(&names, "", FOLDERS_DEEP);
	const char **word = names.n && !names.text.failed ? mem_alloc(mem, names.n * sizeof *word) : NULL;
	int near = -1;
	if (word) {
		list(&names, strchr(name, '/'), word);
		near = nearest_word(name, strlen(name), word, names.n);
		if (near >= 0) {
			list(&names, true, word);
			snprintf(out, room, "%s", word[near]);
		}
		mem_free(mem, word, names.n * sizeof *word);
	}
	buf_release(&names.text);
	return near >= 0;
}
