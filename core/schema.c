#include "core/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "core/nearest.h"
#include "core/show.h"

enum {
	LIST_MAX = 700,      /* bytes of names in a message */
	NAME_SHOWN = 100,    /* bytes of one of them */
	POSITION_DIGITS = 7, /* of N in cN */
	SUFFIX = 12,         /* bytes of _N behind a name, NUL included */
};

const char *type_name(enum type type)
{
	static const char *const name[] = { "null", "bool", "number", "duration", "time", "text", "raw text", "a whole row", "a record" };
	return name[type];
}

void schema_init(struct schema *schema, enum schema_kind kind, struct arena *mem)
{
	*schema = (struct schema){ .kind = kind, .mem = mem };
}

static uint32_t hash_of(const char *name, size_t len)
{
	return (uint32_t)XXH3_64bits(name, len);
}

/* Index of the column of that name and hash, or -1. */
static int find(const struct schema *schema, const char *name, size_t len, uint32_t hash)
{
	uint32_t mask = 2 * schema->cap - 1;
	for (uint32_t at = hash; schema->cap && schema->slot[at & mask]; at++) {
		uint32_t i = schema->slot[at & mask] - 1;
		const struct schema_column *col = &schema->col[i];
		if (col->hash == hash && col->len == len && !memcmp(col->name, name, len))
			return (int)i;
	}
	return -1;
}

int schema_index(const struct schema *schema, const char *name, size_t len)
{
	return find(schema, name, len, hash_of(name, len));
}

/* Makes column i one that is found. */
static void enter(struct schema *schema, uint32_t i)
{
	uint32_t mask = 2 * schema->cap - 1, at = schema->col[i].hash & mask;
	while (schema->slot[at])
		at = (at + 1) & mask;
	schema->slot[at] = i + 1;
}

/* Room for one more column; -1 if memory is refused. */
static int grow(struct schema *schema)
{
	if (schema->n < schema->cap)
		return 0;
	uint32_t cap = schema->cap ? 2 * schema->cap : 8; /* a power of 2, as the slots are */
	struct schema_column *col = arena_alloc(schema->mem, cap * sizeof *col);
	uint32_t *slot = arena_alloc(schema->mem, 2 * (size_t)cap * sizeof *slot);
	if (!col || !slot)
		return -1;
	if (schema->n)
		memcpy(col, schema->col, schema->n * sizeof *col);
	memset(slot, 0, 2 * (size_t)cap * sizeof *slot);
	schema->col = col;
	schema->slot = slot;
	schema->cap = cap;
	for (uint32_t i = 0; i < schema->n; i++)
		enter(schema, i);
	return 0;
}

/* The copy of a name that column `first` has gets the first of _2, _3, ... behind it that is free; `first` remembers where to look on. */
static void add_suffix(const struct schema *schema, uint32_t first, char *copy, struct schema_column *made)
{
	uint32_t *suffix = &schema->col[first].suffix, len = made->len;
	if (!*suffix)
		*suffix = 2;
	do {
		made->len = len + (uint32_t)snprintf(copy + len, SUFFIX, "_%u", (*suffix)++);
		made->hash = hash_of(copy, made->len);
	} while (find(schema, copy, made->len, made->hash) >= 0);
}

int schema_add(struct schema *schema, const char *name, size_t len, enum type type)
{
	char *copy = arena_alloc(schema->mem, len + SUFFIX);
	if (!copy || grow(schema))
		return -1;
	memcpy(copy, name, len);
	copy[len] = '\0';
	struct schema_column made = { .name = copy, .len = (uint32_t)len, .type = type, .hash = hash_of(name, len) };
	int first = find(schema, name, len, made.hash);
	if (first >= 0)
		add_suffix(schema, (uint32_t)first, copy, &made);
	schema->col[schema->n] = made;
	enter(schema, schema->n);
	if (type == T_ROW && !schema->row)
		schema->row = schema->n + 1;
	return (int)schema->n++;
}

int schema_row(const struct schema *schema)
{
	return (int)schema->row - 1;
}

/* N - 1 of a name cN (N from 1, written without leading zeros), or -1. */
static int32_t position(const char *name, size_t len)
{
	if (len < 2 || len > 1 + POSITION_DIGITS || name[0] != 'c' || name[1] == '0')
		return -1;
	int32_t n = 0;
	for (size_t i = 1; i < len; i++) {
		if (name[i] < '0' || name[i] > '9')
			return -1;
		n = 10 * n + (name[i] - '0');
	}
	return n - 1;
}

static bool at_column(int col, struct schema_place *place)
{
	if (col < 0)
		return false;
	*place = (struct schema_place){ .col = (uint32_t)col, .field = -1, .source = -1 };
	return true;
}

bool schema_whole(struct schema *schema, struct schema_place *place)
{
	bool row = schema->kind == SCHEMA_POSITIONS;
	const char *name = row ? "*" : "record";
	int col = schema_index(schema, name, strlen(name));
	return at_column(col >= 0 ? col : schema_add(schema, name, strlen(name), row ? T_ROW : T_RECORD), place);
}

/* What an input without names has besides the columns referenced so far: makes the column. */
static bool find_position(struct schema *schema, const char *name, size_t len, struct schema_place *place)
{
	if (len == 1 && name[0] == '*')
		return schema_whole(schema, place);
	int32_t pos = position(name, len);
	if (pos < 0 && !schema->any)
		return false;
	int col = schema_add(schema, name, len, T_RAW);
	if (col >= 0 && pos >= 0)
		schema->col[col].pos = (uint32_t)pos;
	return at_column(col, place);
}

static bool is_plain(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)name[i];
		bool letter = (c | 32) >= 'a' && (c | 32) <= 'z', digit = c >= '0' && c <= '9';
		if (!letter && c != '_' && c != '@' && c < 0x80 && !(digit && i))
			return false;
	}
	return len > 0;
}

/* The path as it is written in the language; NULL if memory is refused. */
static char *path_text(const struct step *step, uint32_t nstep, struct arena *mem, size_t *len)
{
	size_t room = 1;
	for (uint32_t i = 0; i < nstep; i++)
		room += step[i].name ? 2 * (size_t)step[i].len + 4 : 24;
	char *text = arena_alloc(mem, room), *to = text;
	if (!text)
		return NULL;
	for (uint32_t i = 0; i < nstep; i++) {
		if (!step[i].name) {
			to += snprintf(to, 24, "[%lld]", (long long)step[i].index);
			continue;
		}
		bool plain = is_plain(step[i].name, step[i].len);
		if (i)
			*to++ = '.';
		if (!plain)
			*to++ = '{';
		for (uint32_t k = 0; k < step[i].len; k++) {
			*to++ = step[i].name[k];
			if (step[i].name[k] == '}')
				*to++ = '}';
		}
		if (!plain)
			*to++ = '}';
	}
	*len = (size_t)(to - text);
	return text;
}

bool schema_path(struct schema *schema, const struct step *step, uint32_t nstep, struct schema_place *place)
{
	if (nstep == 1 && step[0].len == 6 && !memcmp(step[0].name, "record", 6))
		return schema_whole(schema, place);
	size_t len;
	const char *text = path_text(step, nstep, schema->mem, &len);
	if (!text)
		return false;
	int col = schema_index(schema, text, len);
	if (col >= 0)
		return at_column(col, place);
	struct step *copy = arena_alloc(schema->mem, nstep * sizeof *step);
	col = copy ? schema_add(schema, text, len, T_RAW) : -1;
	if (col < 0)
		return false;
	struct schema_place from = { .col = (uint32_t)col };
	if (schema->origin && !schema_path(schema->origin, step, nstep, &from))
		return false;
	memcpy(copy, step, nstep * sizeof *step);
	for (uint32_t i = 0; i < nstep; i++)
		if (copy[i].name && !(copy[i].name = arena_copy(schema->mem, copy[i].name, copy[i].len)))
			return false;
	schema->col[col].pos = from.col;
	schema->col[col].path = copy;
	schema->col[col].nstep = nstep;
	return at_column(col, place);
}

bool schema_find(struct schema *schema, const char *name, size_t len, struct schema_place *place)
{
	if (schema->kind == SCHEMA_PATHS)
		return schema_path(schema, &(struct step){ .name = name, .len = (uint32_t)len }, 1, place);
	if (at_column(schema_index(schema, name, len), place))
		return true;
	if (schema->kind == SCHEMA_POSITIONS)
		return find_position(schema, name, len, place);
	int row = schema_row(schema), pos = position(name, len);
	if (row < 0 || pos < 0)
		return false;
	*place = (struct schema_place){ .col = (uint32_t)row, .field = pos, .source = -1 };
	struct schema_place source;
	if (schema->origin && schema_find(schema->origin, name, len, &source))
		place->source = (int32_t)source.col;
	return true;
}

/* A message in the making; what does not fit is left out. */
struct text {
	char p[LIST_MAX + 400];
	size_t n;
};

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *text, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text->p + text->n, sizeof text->p - text->n, format, args);
	va_end(args);
	size_t room = sizeof text->p - 1 - text->n;
	text->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

static void put_name(struct text *text, const char *name, size_t len)
{
	char shown[SHOW_MOST * NAME_SHOWN + 1];
	show(shown, sizeof shown, name, len < NAME_SHOWN ? len : NAME_SHOWN);
	put(text, "%s%s", shown, len > NAME_SHOWN ? "..." : "");
}

static void put_list(struct text *text, const struct schema *schema)
{
	put(text, schema->n ? "; there are: " : "; there are no columns");
	for (uint32_t i = 0; i < schema->n; i++) {
		if (text->n > LIST_MAX) {
			put(text, ", ... (%u in all)", schema->n);
			return;
		}
		put(text, "%s", i ? ", " : "");
		if (schema->col[i].type == T_ROW)
			put(text, "c1, c2, ...");
		else
			put_name(text, schema->col[i].name, schema->col[i].len);
	}
}

/* A column with an odd name that was written without braces, so that only its beginning was taken for the name: c-ip. */
static const struct schema_column *find_odd(const struct schema *schema, struct span span)
{
	for (uint32_t i = 0; span.text && i < schema->n; i++) {
		const struct schema_column *col = &schema->col[i];
		if (col->len > span.len && !is_plain(col->name, col->len) && !strncmp(span.text + span.at, col->name, col->len))
			return col;
	}
	return NULL;
}

static bool has_record(const struct schema *schema)
{
	for (uint32_t i = 0; i < schema->n; i++)
		if (schema->col[i].type == T_RECORD)
			return true;
	return false;
}

int schema_unknown(const struct schema *schema, struct span span, const char *name, size_t len, struct err *err)
{
	bool open = schema->kind == SCHEMA_POSITIONS;
	if (schema->kind == SCHEMA_PATHS || (open && (position(name, len) >= 0 || (len == 1 && name[0] == '*'))))
		return err_memory(err); /* such a name exists: schema_find could not make its column */
	const char **name_of = arena_alloc(schema->mem, schema->n * sizeof *name_of);
	if (!name_of)
		return err_memory(err);
	for (uint32_t i = 0; i < schema->n; i++)
		name_of[i] = schema->col[i].name;
	struct text text = { .n = 0 };
	put(&text, "no column \"");
	put_name(&text, name, len);
	put(&text, "\"");
	if (open) {
		put(&text, "; the input has no names, its columns are c1, c2, ... (-H or --fields names them)");
		return err_at(err, span, "%s", text.p);
	}
	int nearest = nearest_word(name, len, name_of, schema->n);
	if (nearest >= 0) {
		put(&text, " (did you mean \"");
		put_name(&text, schema->col[nearest].name, schema->col[nearest].len);
		put(&text, "\"?)");
	}
	put_list(&text, schema);
	const struct schema_column *odd = find_odd(schema, span);
	if (odd) {
		put(&text, "; write {");
		put_name(&text, odd->name, odd->len);
		put(&text, "}");
	}
	if (has_record(schema))
		put(&text, "; of records that pass whole only the text is left: --select what you need before");
	return err_at(err, span, "%s", text.p);
}
