#include "parse/args.h"

#include <string.h>

#include "core/nearest.h"

const struct option_row option_rows[OPT_COUNT] = {
#define OPTION(id, letter, name, arg, group, help, more) { name, letter, arg, group, help, more },
#include "parse/options.def"
#undef OPTION
};

/* What a flag turned out to be. */
struct found {
	int option, row;  /* one of them >= 0 */
	const char *flag; /* as typed, without "=value" */
};

struct scan {
	struct args *args;
	int argc, at;             /* at: the next word */
	char *const *argv;
	const struct flag_row *flags;
	uint32_t nflag;
	struct arena *mem;
	struct err *err;
};

static bool named(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !memcmp(name, word, len);
}

static int unknown_long(struct scan *s, const char *word, size_t len)
{
	const char *names[OPT_COUNT + 64];
	uint32_t n = 0;
	for (uint32_t i = 0; i < OPT_COUNT; i++)
		names[n++] = option_rows[i].name;
	for (uint32_t i = 0; i < s->nflag && n < OPT_COUNT + 64; i++)
		names[n++] = s->flags[i].name;
	int near = nearest_word(word, len, names, n);
	if (near >= 0)
		return err_set(s->err, ERR_USAGE, "unknown flag --%.*s; did you mean --%s?", (int)len, word, names[near]);
	return err_set(s->err, ERR_USAGE, "unknown flag --%.*s; see weir --help", (int)len, word);
}

static int find_long(struct scan *s, const char *word, size_t len, struct found *found)
{
	for (uint32_t i = 0; i < OPT_COUNT; i++)
		if (named(option_rows[i].name, word, len))
			found->option = (int)i;
	for (uint32_t i = 0; i < s->nflag; i++)
		if (named(s->flags[i].name, word, len))
			found->row = (int)i;
	if (found->option < 0 && found->row < 0)
		return unknown_long(s, word, len);
	char *flag = arena_copy(s->mem, word - 2, len + 2);
	if (!flag)
		return err_memory(s->err);
	found->flag = flag;
	return 0;
}

static int find_short(struct scan *s, char letter, struct found *found)
{
	for (uint32_t i = 0; i < OPT_COUNT; i++)
		if (option_rows[i].letter == letter)
			found->option = (int)i;
	for (uint32_t i = 0; i < s->nflag; i++)
		if (s->flags[i].letter == letter)
			found->row = (int)i;
	if (found->option < 0 && found->row < 0)
		return err_set(s->err, ERR_USAGE, "unknown flag -%c; see weir --help", letter);
	char *flag = arena_copy(s->mem, (char[]){ '-', letter }, 2);
	if (!flag)
		return err_memory(s->err);
	found->flag = flag;
	return 0;
}

static bool takes_value(const struct found *found)
{
	return found->row >= 0 || option_rows[found->option].arg;
}

static bool value_optional(const struct found *found)
{
	return found->row < 0 && option_rows[found->option].arg && option_rows[found->option].arg[0] == '[';
}

static int record(struct scan *s, const struct found *found, const char *value)
{
	struct args *args = s->args;
	if (found->row >= 0) {
		args->use[args->nuse++] = (struct flag_use){ (uint32_t)found->row, found->flag, value };
		return 0;
	}
	if (args->value[found->option] && takes_value(found))
		return err_set(s->err, ERR_USAGE, "%s is given twice", found->flag);
	args->value[found->option] = value;
	args->typed[found->option] = found->flag;
	return 0;
}

/* The value behind a flag: `attached` (in the same word), or the next word. */
static int take(struct scan *s, const struct found *found, const char *attached)
{
	if (!takes_value(found))
		return attached ? err_set(s->err, ERR_USAGE, "%s takes no argument", found->flag) : record(s, found, "");
	if (attached)
		return record(s, found, attached);
	if (s->at < s->argc)
		return record(s, found, s->argv[s->at++]);
	if (value_optional(found))
		return record(s, found, "");
	return err_set(s->err, ERR_USAGE, "%s needs an argument; see weir --help %s", found->flag,
		found->row >= 0 ? s->flags[found->row].name : option_rows[found->option].name);
}

static int take_long(struct scan *s, const char *word)
{
	struct found found = { -1, -1, NULL };
	const char *eq = strchr(word, '=');
	if (find_long(s, word, eq ? (size_t)(eq - word) : strlen(word), &found))
		return -1;
	return take(s, &found, eq ? eq + 1 : NULL);
}

static int take_cluster(struct scan *s, const char *word)
{
	while (*word) {
		struct found found = { -1, -1, NULL };
		if (find_short(s, *word++, &found))
			return -1;
		if (takes_value(&found))
			return take(s, &found, *word ? word : NULL);
		if (take(s, &found, NULL))
			return -1;
	}
	return 0;
}

int args_parse(struct args *args, int argc, char *const argv[], const struct flag_row *flags, uint32_t nflag, struct arena *mem, struct err *err)
{
	*args = (struct args){ 0 };
	struct scan s = { args, argc, 1, argv, flags, nflag, mem, err };
	args->use = arena_alloc(mem, (size_t)argc * sizeof *args->use);
	args->file = arena_alloc(mem, (size_t)argc * sizeof *args->file);
	if (!args->use || !args->file)
		return err_memory(err);
	bool flags_end = false;
	while (s.at < argc) {
		const char *word = argv[s.at++];
		int status = 0;
		if (flags_end || word[0] != '-' || !word[1])
			args->file[args->nfile++] = word;
		else if (word[1] != '-')
			status = take_cluster(&s, word + 1);
		else if (word[2])
			status = take_long(&s, word + 2);
		else
			flags_end = true;
		if (status)
			return -1;
	}
	return 0;
}
