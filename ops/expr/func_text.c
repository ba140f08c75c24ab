/* Functions of texts. What is a piece of an argument is borrowed from it; only what differs is written anew. */
#include "core/number.h"
#include "ops/expr/func.h"
#include "ops/expr/text.h"

/* A piece of v holds nothing to escape if v does not. */
static struct value piece(const struct value *v, const char *p, size_t n)
{
	struct value out = value_text(p, (uint32_t)n);
	out.flags = v->flags & VF_CLEAN;
	return out;
}

/* The letters from `first` to `first` + 25 among 8 bytes, each marked by its top bit: below 0x80 the sum with 0x80 - first reaches the top bit
 * from `first` on, the sum with 0x80 - first - 26 behind the last letter. */
static uint64_t letters(uint64_t word, uint64_t first)
{
	const uint64_t every = 0x0101010101010101u, low = word & 0x7f * every;
	return ((low + (0x80 - first) * every) & ~(low + (0x80 - first - 26) * every)) & ~word & 0x80 * every;
}

/* Up to 8 bytes at p as a word, the rest zero. */
static uint64_t load(const char *p, size_t n)
{
	uint64_t word = 0;
	if (n >= sizeof word)
		memcpy(&word, p, sizeof word);
	else
		memcpy(&word, p, n);
	return word;
}

static void store(char *p, uint64_t word, size_t n)
{
	if (n >= sizeof word)
		memcpy(p, &word, sizeof word);
	else
		memcpy(p, &word, n);
}

static bool has_letters(struct bytes x, unsigned char first)
{
	for (size_t i = 0; i < x.n; i += 8)
		if (letters(load(x.p + i, x.n - i), first))
			return true;
	return false;
}

/* Changes the case of letters from `first` to `first` + 25. */
static int change_case(const struct call *call, struct value *out, unsigned char first)
{
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r);
		struct bytes x;
		bool known = text_of(v, &x);
		out[r] = known ? piece(v, x.p, x.n) : value_null();
		if (!known || !has_letters(x, first))
			continue;
		char *to = pen_room(&pen, x.n);
		if (!to)
			return -1;
		for (size_t i = 0; i < x.n; i += 8) {
			uint64_t word = load(x.p + i, x.n - i);
			word ^= letters(word, first) >> 2;
			store(to + i, word, x.n - i);
		}
		out[r] = pen_take(&pen, x.n, v->flags & VF_CLEAN);
	}
	return 0;
}

int fn_lower(const struct call *call, struct value *out) { return change_case(call, out, 'A'); }

int fn_upper(const struct call *call, struct value *out) { return change_case(call, out, 'a'); }

int fn_length(const struct call *call, struct value *out)
{
	struct bytes x;
	for (uint32_t r = 0; r < call->n; r++)
		out[r] = text_of(arg_at(call, 0, r), &x) ? value_int((int64_t)char_count(x.p, x.p + x.n)) : value_null();
	return 0;
}

/* Characters from..from + n - 1 of v that there are; from may lie before the first. */
static struct value substr(const struct value *v, struct bytes x, int64_t from, int64_t n)
{
	int64_t end;
	if (__builtin_add_overflow(from, n, &end))
		end = INT64_MAX;
	if (from < 1)
		from = 1;
	if (end <= from)
		return piece(v, x.p, 0);
	const char *last = x.p + x.n, *p = char_skip(x.p, last, (size_t)(from - 1));
	return piece(v, p, (size_t)(char_skip(p, last, (size_t)(end - from)) - p));
}

int fn_substr(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r);
		struct bytes x;
		int64_t from, n = INT64_MAX;
		bool known = text_of(v, &x) && number_int(arg_at(call, 1, r), &from) && (call->expr->narg < 3 || number_int(arg_at(call, 2, r), &n));
		out[r] = known && n >= 0 ? substr(v, x, from, n) : value_null();
	}
	return 0;
}

/* Is the character of n bytes at p among chars? */
static bool among(const char *p, size_t n, struct bytes chars)
{
	const char *end = chars.p + chars.n;
	for (const char *c = chars.p; c < end; c += char_len(c, end))
		if (char_len(c, end) == n && !memcmp(c, p, n))
			return true;
	return false;
}

static int trim(const struct call *call, struct value *out, bool left, bool right)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r);
		struct bytes x, chars = { " ", 1 };
		out[r] = value_null();
		if (!text_of(v, &x) || (call->expr->narg > 1 && !text_of(arg_at(call, 1, r), &chars)))
			continue;
		const char *p = x.p, *end = x.p + x.n;
		while (left && p < end && among(p, char_len(p, end), chars))
			p += char_len(p, end);
		while (right && p < end && among(end - char_before(p, end), char_before(p, end), chars))
			end -= char_before(p, end);
		out[r] = piece(v, p, (size_t)(end - p));
	}
	return 0;
}

int fn_trim(const struct call *call, struct value *out) { return trim(call, out, true, true); }

int fn_ltrim(const struct call *call, struct value *out) { return trim(call, out, true, false); }

int fn_rtrim(const struct call *call, struct value *out) { return trim(call, out, false, true); }

enum place { BEGIN, END, ANYWHERE };

static int holds(const struct call *call, uint8_t *out, enum place place)
{
	for (uint32_t r = 0; r < call->n; r++) {
		struct bytes x, y;
		out[r] = UNKNOWN;
		if (!text_of(arg_at(call, 0, r), &x) || !text_of(arg_at(call, 1, r), &y))
			continue;
		if (place == ANYWHERE)
			out[r] = truth_of(bytes_find(x, y));
		else
			out[r] = truth_of(y.n <= x.n && bytes_same((struct bytes){ place == BEGIN ? x.p : x.p + x.n - y.n, y.n }, y));
	}
	return 0;
}

int fn_starts_with(const struct call *call, uint8_t *out) { return holds(call, out, BEGIN); }

int fn_ends_with(const struct call *call, uint8_t *out) { return holds(call, out, END); }

int fn_contains(const struct call *call, uint8_t *out) { return holds(call, out, ANYWHERE); }

/* What follows the separator at `at`. */
static struct bytes behind(struct bytes x, const char *at, size_t separator)
{
	return (struct bytes){ at + separator, x.n - (size_t)(at - x.p) - separator };
}

static int64_t count_pieces(struct bytes x, struct bytes separator)
{
	int64_t n = 1;
	for (const char *at; (at = bytes_find(x, separator)); n++)
		x = behind(x, at, separator.n);
	return n;
}

/* Piece i from 1, or from the end if negative; an empty separator separates nothing. */
static struct bytes split(struct bytes x, struct bytes separator, int64_t i)
{
	if (!separator.n)
		return i == 1 || i == -1 ? x : (struct bytes){ x.p, 0 };
	if (i < 0)
		i += count_pieces(x, separator) + 1;
	const char *at = bytes_find(x, separator);
	for (; i > 1 && at; i--) {
		x = behind(x, at, separator.n);
		at = bytes_find(x, separator);
	}
	return i == 1 ? (struct bytes){ x.p, at ? (size_t)(at - x.p) : x.n } : (struct bytes){ x.p, 0 };
}

int fn_split(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r);
		struct bytes x, separator;
		int64_t i;
		bool known = text_of(v, &x) && text_of(arg_at(call, 1, r), &separator) && number_int(arg_at(call, 2, r), &i) && i != 0;
		if (known)
			x = split(x, separator, i);
		out[r] = known ? piece(v, x.p, x.n) : value_null();
	}
	return 0;
}

/* All arguments of row r in a row. `strict`: NULL if one is NULL, else that one is empty. -1 if memory is refused. */
static int join(const struct call *call, uint32_t r, struct pen *pen, bool strict, struct value *out)
{
	char scratch[VALUE_TEXT_MAX];
	size_t most = 0, n = 0;
	unsigned flags = VF_CLEAN;
	for (uint32_t i = 0; i < call->expr->narg; i++)
		most += VALUE_TEXT_MAX + (size_t)arg_at(call, i, r)->len;
	*out = value_null();
	if (most > TEXT_LONGEST)
		return 0;
	if (!pen_room(pen, most))
		return -1;
	for (uint32_t i = 0; i < call->expr->narg; i++) {
		const struct value *v = arg_at(call, i, r);
		if (v->type == V_NULL && strict)
			return 0;
		const char *p;
		uint32_t len = value_print(v, scratch, &p);
		if (len)
			memcpy(pen->at + n, p, len);
		n += len;
		if (v->type == V_RAW || v->type == V_TEXT)
			flags &= v->flags;
	}
	*out = pen_take(pen, n, (uint16_t)flags);
	return 0;
}

int fn_concat(const struct call *call, struct value *out)
{
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++)
		if (join(call, r, &pen, false, &out[r]))
			return -1;
	return 0;
}

static int cat(const struct call *call, struct value *out)
{
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++)
		if (join(call, r, &pen, true, &out[r]))
			return -1;
	return 0;
}

const struct func op_cat = { .name = "||", .types = "pp>t", .values = cat };

int fn_text(const struct call *call, struct value *out)
{
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r);
		out[r] = *v;
		out[r].type = v->type == V_RAW || v->type == V_BIG ? V_TEXT : v->type;
		if (out[r].type == V_NULL || out[r].type == V_TEXT)
			continue;
		const char *p;
		char *room = pen_room(&pen, VALUE_TEXT_MAX);
		if (!room)
			return -1;
		uint32_t len = value_print(v, room, &p);
		out[r] = value_text(p, len);
		pen.at += VALUE_TEXT_MAX;
	}
	return 0;
}
