/* Control lines of a changelog, and what they say before the first record. */
#include <string.h>

#include "core/number.h"
#include "parse/format/changelog.h"
#include "parse/format/field.h"

static bool is(const char *p, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(p, word, len);
}

static enum control_word word_of(const char *p, size_t len)
{
	static const char *const word[] = { [W_NAMES] = "@names", [W_KEY] = "@key", [W_KINDS] = "@kinds", [W_WM] = "@wm", [W_PT] = "@pt" };
	for (enum control_word w = W_NAMES; w < W_OTHER; w++)
		if (is(p, len, word[w]))
			return w;
	return W_OTHER;
}

/* The next word; false at the end of the line. */
static bool next_word(struct control_line *line, const char **word, size_t *len)
{
	while (line->sep == ' ' && line->p && line->p < line->end && *line->p == ' ')
		line->p++;
	if (!line->p || (line->sep == ' ' && line->p == line->end))
		return false;
	const char *sep = memchr(line->p, line->sep, (size_t)(line->end - line->p));
	*word = line->p;
	*len = (size_t)((sep ? sep : line->end) - line->p);
	line->p = sep ? sep + 1 : NULL;
	return true;
}

struct control_line control_begin(const char *p, size_t len)
{
	struct control_line line = { .p = p, .end = p + len, .sep = memchr(p, '\t', len) ? '\t' : ' ' };
	const char *word = p; /* there is one: the line begins with @ */
	size_t n = 0;
	next_word(&line, &word, &n);
	line.word = word_of(word, n);
	return line;
}

bool control_number(struct control_line line, int64_t *value)
{
	const char *p, *more;
	size_t len, more_len;
	struct value number;
	return next_word(&line, &p, &len) && !next_word(&line, &more, &more_len) && len < 32 && number_read(p, (uint32_t)len, &number)
		&& number_int(&number, value);
}

uint32_t changelog_unescape(const char *p, uint32_t len, char *out)
{
	char *to = out;
	for (uint32_t i = 0; i < len; i++) {
		char next = p[i] == '\\' && i + 1 < len ? p[i + 1] : '\0';
		char is = next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : next == '\\' ? '\\' : '\0';
		*to++ = is ? is : p[i];
		i += is != '\0';
	}
	return (uint32_t)(to - out);
}

/* The lines that are found: at most one of each. */
struct found {
	struct control_line line[W_WM];
	bool have[W_WM];
};

static int read_names(struct control_line line, struct head *head, struct err *err)
{
	const char *word;
	size_t len;
	while (next_word(&line, &word, &len)) {
		char *name = arena_alloc(head->names->mem, len);
		if (!name)
			return err_memory(err);
		if (field_name(head->names, name, changelog_unescape(word, (uint32_t)len, name), err))
			return -1;
	}
	return 0;
}

/* The field that a word of @key means: a name, or without @names a position c1, c2, ... -1 if there is no such field. */
static int64_t key_field(const struct schema *names, const char *word, size_t len)
{
	int field = schema_index(names, word, len);
	if (field >= 0)
		return field;
	struct value place;
	int64_t n;
	if (names->n || len < 2 || len > 8 || *word != 'c' || !number_read(word + 1, (uint32_t)len - 1, &place) || !number_int(&place, &n) || n < 1)
		return -1;
	return n - 1;
}

static int read_key(struct control_line line, struct head *head, struct err *err)
{
	const char *word;
	size_t len = line.p ? (size_t)(line.end - line.p) : 0;
	head->key = arena_alloc(head->names->mem, (len + 1) * sizeof *head->key); /* a word has a byte at least, or a separator */
	char *name = arena_alloc(head->names->mem, len + 1);
	if (!head->key || !name)
		return err_memory(err);
	while (next_word(&line, &word, &len)) {
		int64_t field = key_field(head->names, name, changelog_unescape(word, (uint32_t)len, name));
		if (field < 0)
			return err_set(err, ERR_FAILED, "@key: no column \"%.*s\"", (int)(len < 100 ? len : 100), word);
		head->key[head->nkey++] = (uint32_t)field;
	}
	return 0;
}

static int read_kinds(struct control_line line, struct head *head, struct err *err)
{
	const char *word;
	size_t len;
	head->kinds = 0;
	while (next_word(&line, &word, &len)) {
		if (is(word, len, "-U") || is(word, len, "+U"))
			head->kinds |= S_U;
		else if (is(word, len, "-D"))
			head->kinds |= S_D;
		else if (!is(word, len, "+I"))
			return err_set(err, ERR_FAILED, "@kinds: \"%.*s\" is not one of +I -U +U -D", (int)(len < 100 ? len : 100), word);
	}
	return 0;
}

/* Names first: @key refers to them, wherever it stands. */
static enum head_status read_found(const struct found *found, struct head *head, struct err *err)
{
	head->kinds = S_U | S_D;
	if (found->have[W_NAMES] && read_names(found->line[W_NAMES], head, err))
		return HEAD_FAILED;
	if (found->have[W_KEY] && read_key(found->line[W_KEY], head, err))
		return HEAD_FAILED;
	if (found->have[W_KINDS] && read_kinds(found->line[W_KINDS], head, err))
		return HEAD_FAILED;
	return HEAD_DONE;
}

enum head_status changelog_head(const struct input_options *opt, const char *p, size_t n, bool eof, struct head *head, size_t *used, struct err *err)
{
	(void)opt;
	static const char *const word[] = { "@names", "@key", "@kinds" };
	struct found found = { .have = { false } };
	const char *line;
	size_t len;
	*used = 0;
	for (size_t at = 0;;) {
		while (at < n && (p[at] == '\n' || p[at] == '\r')) /* blank lines */
			at++;
		if (at < n && p[at] != '@')
			return read_found(&found, head, err);
		size_t took;
		uint32_t lines;
		enum head_status status = head_line(p + at, n - at, eof, &line, &len, &took, &lines);
		if (status != HEAD_DONE || !line)
			return status == HEAD_DONE ? read_found(&found, head, err) : status;
		at += took;
		struct control_line control = control_begin(line, len);
		if (control.word == W_WM || control.word == W_PT)
			continue;
		if (control.word == W_OTHER)
			return read_found(&found, head, err);
		if (found.have[control.word]) {
			err_set(err, ERR_FAILED, "a second %s line", word[control.word]);
			return HEAD_FAILED;
		}
		found.have[control.word] = true;
		found.line[control.word] = control;
	}
}
