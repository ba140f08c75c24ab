/* The pass over the bytes: one loop with a stack of open containers of its own, compiled once for each machine. Branches on the kind of a value and
 * on a guessed name are well predicted, as texts of one source look alike; so the places of values do not wait for each other. */
#include "core/json_scan.h"

static const char no_end[] = "it ends too early", no_value[] = "a value is expected", no_member[] = "a name in quotes is expected", no_colon[] = "a colon is expected",
		  no_comma[] = "a comma or the closing bracket is expected", no_string[] = "a string may not hold a control byte", no_escape[] = "no such escape",
		  no_hex[] = "four hexadecimal digits are expected", no_digit[] = "a digit is expected", no_zero[] = "a number may not begin with 0",
		  too_deep[] = "it is nested deeper than 1000 levels", too_much[] = "there is more behind the value";

/* Notes what is wrong at p; at the end of the text that is that it ends. NULL. */
static __attribute__((noinline, cold)) const char *fail(struct json *json, const char *p, const char *why)
{
	json->at = p < json->end ? p : json->end;
	json->why = p < json->end ? why : no_end;
	return NULL;
}

/* Of struct json, by value: the compiler need not fear that a store changes them. */
struct bounds { const char *end, *wide; };

JSON_INLINE const char *blanks(const char *p, const char *end)
{
	while (p < end && (unsigned char)*p <= ' ' && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
		p++;
	return p;
}

/* Checks the escape at the backslash p; behind it, or NULL. */
static const char *check_escape(struct json *json, const char *p)
{
	const char *end = json->end;
	if (end - p < 2)
		return fail(json, end, no_end);
	if (p[1] != 'u')
		return p[1] && strchr("\"\\/bfnrt", p[1]) ? p + 2 : fail(json, p + 1, no_escape);
	for (const char *hex = p + 2; hex < p + 6; hex++)
		if (hex >= end || !((unsigned char)(*hex - '0') <= 9 || (unsigned char)((*hex | 32) - 'a') <= 5))
			return fail(json, hex, no_hex);
	return p + 6;
}

/* From behind the opening quote to behind the closing one. */
JSON_INLINE const char *string(struct json *json, const char *p, struct bounds in, bool *escaped, json_stop *stop)
{
	for (;;) {
		p = stop(p, in.end, in.wide);
		if (p >= in.end)
			return fail(json, p, no_end);
		if (*p == '"')
			return p + 1;
		if (*p != '\\')
			return fail(json, p, no_string);
		*escaped = true;
		p = check_escape(json, p);
		if (!p)
			return NULL;
	}
}

/* Behind the digits at p; NULL: there is none. */
JSON_INLINE const char *digits(struct json *json, const char *p, const char *end)
{
	const char *begin = p;
	while (p < end && (unsigned char)(*p - '0') <= 9)
		p++;
	return p > begin ? p : fail(json, p, no_digit);
}

/* The number at p; behind it, or NULL. */
static const char *number(struct json *json, const char *p)
{
	const char *end = json->end, *begin = p + (*p == '-');
	p = digits(json, begin, end);
	if (p && *begin == '0' && p > begin + 1)
		return fail(json, begin, no_zero);
	if (p && p < end && *p == '.')
		p = digits(json, p + 1, end);
	if (p && p < end && (*p | 32) == 'e') {
		p++;
		p = digits(json, p + (p < end && (*p == '+' || *p == '-')), end);
	}
	return p;
}

/* true, false or null at p; behind it, or NULL. */
static const char *word(struct json *json, const char *p, enum json_kind *kind)
{
	static const struct { const char *text; size_t len; enum json_kind kind; } words[] = { { "null", 4, J_NULL }, { "true", 4, J_BOOL }, { "false", 5, J_BOOL } };
	for (int i = 0; i < 3; i++)
		if ((size_t)(json->end - p) >= words[i].len && !memcmp(p, words[i].text, words[i].len)) {
			*kind = words[i].kind;
			return p + words[i].len;
		}
	return fail(json, p, no_value);
}

/* A value that holds no others; behind it, or NULL. */
JSON_INLINE const char *leaf(struct json *json, const char *p, struct bounds in, enum json_kind *kind, json_stop *stop, json_short *to_short)
{
	if (*p == '"') {
		bool escaped = false;
		p = string(json, p + 1, in, &escaped, stop);
		*kind = escaped ? J_ESCAPED : J_STRING;
		return p;
	}
	if (*p == '-' || (unsigned char)(*p - '0') <= 9) {
		const char *behind = to_short(p + (*p == '-'), in.wide);
		*kind = J_NUMBER;
		return behind ? behind : number(json, p);
	}
	return word(json, p, kind);
}

/* ---- wanted values ------------------------------------------------------------------------- */

JSON_INLINE void meet(struct json *json, struct json_node *node)
{
	node->met = ++json->meetings;
	node->under = node->parent->met;
}

JSON_INLINE void keep(struct json_node *node, const char *p, const char *end, enum json_kind kind)
{
	bool quotes = kind == J_STRING || kind == J_ESCAPED;
	node->p = p + quotes;
	node->len = (uint32_t)(end - p) - 2 * quotes;
	node->kind = (uint8_t)kind;
}

/* The next element of a wanted container; NULL if nobody wants it. */
static struct json_node *next_element(struct json *json, const struct json_frame *frame)
{
	int64_t i = frame->index;
	if (i > frame->node->most)
		return NULL;
	for (struct json_element *e = frame->node->element; e; e = e->next)
		if (e->index == i) {
			meet(json, e->node);
			return e->node;
		}
	return NULL;
}

/* Elements counted from the end, once their number is known: the array is walked again, up to each of them. It has been checked, so nothing fails. */
static void find_from_end(struct json *json, const struct json_frame *frame)
{
	uint32_t depth = (uint32_t)(frame - json->frame);
	for (struct json_element *e = frame->node->element; e; e = e->next) {
		int64_t index = frame->index + e->index;
		if (e->index >= 0 || index < 0)
			continue;
		const char *p = frame->begin + 1;
		for (int64_t i = 0; i < index; i++)
			p = blanks(json->walk(json, p, NULL, depth), json->end) + 1;
		meet(json, e->node);
		json->walk(json, p, e->node, depth);
	}
}

/* A wanted container has ended before `end`. */
static void close_wanted(struct json *json, const struct json_frame *frame, const char *end)
{
	keep(frame->node, frame->begin, end, J_NESTED);
	if (frame->node->from_end && frame->close == ']')
		find_from_end(json, frame);
}

/* ---- names --------------------------------------------------------------------------------- */

/* Is the name [p, end), which has escapes, that one? */
static bool is_escaped(const struct json_name *name, const char *p, const char *end)
{
	const char *q = name->p, *stop = q + name->len;
	while (p < end) {
		char out[4] = { *p };
		uint32_t n = 1;
		if (*p == '\\')
			n = json_escape(&p, end, out);
		else
			p++;
		if ((size_t)(stop - q) < n || memcmp(q, out, n) != 0)
			return false;
		q += n;
	}
	return q == stop;
}

static struct json_name *find_escaped(struct json *json, const struct json_node *in, const char *p, const char *end)
{
	for (uint32_t i = 0; in && i < json->nwanted; i++)
		if (json->name[i].in == in && is_escaped(&json->name[i], p, end))
			return &json->name[i];
	return NULL;
}

/* The name [p, end) in `in`, learnt if need be. `colon` is where its colon stands. */
static struct json_name *know(struct json *json, const struct json_node *in, const char *p, const char *end, const char *colon)
{
	uint32_t len = (uint32_t)(end - p);
	size_t written = (size_t)(colon + 1 - (p - 1));
	bool fits = written <= JSON_WRITTEN;
	if (!in && !fits)
		return NULL;
	struct json_name *name = json_name_find(json, in, p, len);
	if (!name && fits && json->nname < json->max_name) {
		name = json_name_add(json, in, p, len);
		name->p = memcpy(name->text, p - 1, written);
		name->p++;
	}
	if (name && fits) {
		memcpy(name->text, p - 1, written);
		name->written = (uint32_t)written;
		name->mask = (uint32_t)((UINT64_C(1) << written) - 1);
	}
	return name;
}

/* Reads a name that was not guessed, and its colon: sets *last to it, gives the place behind the colon, or NULL. */
JSON_INLINE const char *read_name(struct json *json, const char *p, struct bounds text, const struct json_node *in, struct json_name **last, json_stop *stop)
{
	bool escaped = false;
	if (p >= text.end || *p != '"')
		return fail(json, p, no_member);
	const char *end = string(json, p + 1, text, &escaped, stop);
	if (!end)
		return NULL;
	const char *colon = blanks(end, text.end);
	if (colon >= text.end || *colon != ':')
		return fail(json, colon, no_colon);
	struct json_name *name = escaped ? find_escaped(json, in, p + 1, end - 1) : know(json, in, p + 1, end - 1, colon);
	(*last)->next = name && name->written ? name : NULL;
	*last = name ? name : &json->unknown;
	return colon + 1;
}

/* ---- the loop ------------------------------------------------------------------------------ */

JSON_INLINE const char *walk(struct json *json, const char *p, struct json_node *node, uint32_t depth, json_stop *stop, json_short *to_short, json_same *same)
{
	const struct bounds in = { json->end, json->wide };
	const char *const end = in.end, *begin;
	struct json_frame *const bottom = &json->frame[depth], *top = bottom;
	struct json_name *last = depth ? &json->again : &json->start, *guess;
	enum json_kind kind = J_NULL;
value:
	begin = p = blanks(p, end);
	if (p == end)
		return fail(json, p, no_end);
	if (*p == '{' || *p == '[') {
		if (top == &json->frame[JSON_DEPTH])
			return fail(json, p, too_deep);
		*++top = (struct json_frame){ .node = node, .in = node && node->names ? node : NULL, .begin = p, .close = (char)(*p + 2) }; /* ASCII */
		p = blanks(p + 1, end);
		if (p < end && *p == top->close)
			goto close;
		goto inside;
	}
	p = leaf(json, p, in, &kind, stop, to_short);
	if (!p)
		return NULL;
	if (node)
		keep(node, begin, p, kind);
next:
	if (top == bottom)
		return p;
	p = blanks(p, end);
	if (p < end && *p == ',') {
		p = blanks(p + 1, end);
		goto inside;
	}
	if (p == end || *p != top->close)
		return fail(json, p, no_comma);
close:
	p++;
	if (top->node)
		close_wanted(json, top, p);
	top--;
	goto next;
inside:
	if (top->close == ']') {
		node = top->node ? next_element(json, top) : NULL;
		top->index++;
		goto value;
	}
	guess = last->next;
	if (guess && guess->in == top->in && p < in.wide && same(guess, p)) {
		p += guess->written;
		last = guess;
	} else if (!(p = read_name(json, p, in, top->in, &last, stop))) {
		return NULL;
	}
	node = last->node;
	if (node)
		meet(json, node);
	goto value;
}

static const char *walk_plain(struct json *json, const char *p, struct json_node *node, uint32_t depth)
{
	return walk(json, p, node, depth, json_stop_plain, json_short_plain, json_same_plain);
}

#ifdef __SSE2__
static const char *walk_sse2(struct json *json, const char *p, struct json_node *node, uint32_t depth)
{
	return walk(json, p, node, depth, json_stop_sse2, json_short_sse2, json_same_sse2);
}
#endif

json_walk *json_walk_of(enum json_machine machine)
{
#ifdef __SSE2__
	if (machine == JSON_SSE2)
		return walk_sse2;
#endif
	return machine == JSON_PLAIN ? walk_plain : NULL;
}

int json_read(struct json *json, const char *p, size_t n, size_t room)
{
	json->begin = p;
	json->end = p + n;
	json->wide = room >= JSON_WRITTEN ? p + (room - JSON_WRITTEN + 1) : p;
	json->root->met = ++json->meetings;
	p = json->walk(json, p, json->root, 0);
	if (p)
		p = blanks(p, json->end);
	if (p && p < json->end)
		p = fail(json, p, too_much);
	return p ? 0 : -1;
}

const char *json_why(const struct json *json, size_t *at)
{
	*at = (size_t)(json->at - json->begin);
	return json->why;
}
