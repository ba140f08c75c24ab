/* What uses regular expressions: =~, extract, replace. A match that gives up (regex.h) is unknown: NULL. */
#include "core/number.h"
#include "ops/expr/func.h"
#include "ops/expr/regex.h"

/* The pattern in argument `at` of a node, compiled; NULL with err set. */
static struct regex *pattern(const struct binder *b, const struct node *node, uint32_t at)
{
	const struct node *arg = node->arg[at];
	if (arg->kind == N_REGEX || (arg->kind == N_LITERAL && arg->value.type == V_TEXT))
		return regex_compile(arg, b->mem, b->err);
	err_at(b->err, arg->span, "a regular expression is needed here, /like this/ or 'like this'");
	return NULL;
}

/* A call of func with the pattern as its conf; narg arguments, bound here, are node's first and those behind the pattern. */
static struct expr *call_with(const struct binder *b, const struct node *node, const struct func *func)
{
	struct regex *regex = pattern(b, node, 1);
	struct expr **arg = regex ? arena_alloc(b->mem, node->narg * sizeof *arg) : NULL;
	if (!arg) {
		err_memory(b->err); /* unless the pattern was wrong: the first error stays */
		return NULL;
	}
	uint32_t narg = 0;
	for (uint32_t i = 0; i < node->narg; i++) {
		if (i == 1)
			continue;
		arg[narg] = bind_node(b, node->arg[i]);
		if (!arg[narg++])
			return NULL;
	}
	return bind_call(b, &(struct expr){ .func = func, .span = node->span, .conf = regex, .narg = narg, .arg = arg });
}

static int match(const struct call *call, uint8_t *out)
{
	const struct regex *regex = call->expr->conf;
	struct bytes x;
	for (uint32_t r = 0; r < call->n; r++) {
		out[r] = UNKNOWN;
		if (call_skips(call, r) || !text_of(arg_at(call, 0, r), &x))
			continue;
		enum regex_found found = regex_match(regex, x, 0);
		if (found == REGEX_MEMORY)
			return -1;
		out[r] = found == REGEX_FOUND ? TRUE : found == REGEX_NONE ? FALSE : UNKNOWN;
	}
	return 0;
}

static const struct func op_match = { .name = "=~", .types = "t>b", .truth = match };

struct expr *bind_match(const struct binder *b, const struct node *node)
{
	return call_with(b, node, &op_match);
}

/* ---- extract ---- */

static int extract(const struct call *call, struct value *out)
{
	const struct regex *regex = call->expr->conf;
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r);
		struct bytes x;
		int64_t group = regex_groups(regex) ? 1 : 0;
		size_t begin, end;
		out[r] = value_null();
		if (call_skips(call, r) || !text_of(v, &x) || (call->expr->narg > 1 && !number_int(arg_at(call, 1, r), &group)))
			continue;
		enum regex_found found = group < 0 || group > (int64_t)regex_groups(regex) ? REGEX_NONE : regex_match(regex, x, 0);
		if (found == REGEX_MEMORY)
			return -1;
		if (found != REGEX_FOUND || !regex_group(regex, (uint32_t)group, &begin, &end))
			continue;
		out[r] = value_text(x.p + begin, (uint32_t)(end - begin));
		out[r].flags = v->flags & VF_CLEAN;
	}
	return 0;
}

static const struct func extract_func = { .name = "extract", .types = "tn>t", .values = extract };

struct expr *fn_extract(const struct binder *b, const struct node *call)
{
	struct expr *made = call_with(b, call, &extract_func);
	const struct node *group = call->narg > 2 ? call->arg[2] : NULL;
	if (!made || made->kind != E_CALL || !group || group->kind != N_LITERAL)
		return made;
	uint32_t groups = regex_groups(made->conf);
	int64_t i;
	if (number_int(&group->value, &i) && i >= 0 && i <= groups)
		return made;
	err_at(b->err, group->span, "no such group: the pattern has %u, and 0 is the whole", groups);
	return NULL;
}

/* ---- replace ---- */

/* A text being put together at pen->at; what lies there is moved when it outgrows its block. */
struct draft {
	struct pen *pen;
	size_t n;
	bool refused;
};

static void put(struct draft *draft, struct bytes x)
{
	if (draft->refused || !x.n)
		return;
	draft->refused = !pen_extend(draft->pen, draft->n, x.n);
	if (draft->refused)
		return;
	memcpy(draft->pen->at + draft->n, x.p, x.n);
	draft->n += x.n;
}

/* The replacement, with \0 to \9 for what the groups of the last match in x hold and \\ for a backslash. */
static void put_template(struct draft *draft, struct bytes to, const struct regex *regex, struct bytes x)
{
	const char *p = to.p, *end = to.p + to.n;
	while (p < end) {
		const char *slash = memchr(p, '\\', (size_t)(end - p));
		const char *stop = slash && slash + 1 < end ? slash : end;
		put(draft, (struct bytes){ p, (size_t)(stop - p) });
		if (stop == end)
			return;
		unsigned char c = (unsigned char)stop[1];
		size_t begin, finish;
		if (c < '0' || c > '9')
			put(draft, (struct bytes){ c == '\\' ? stop + 1 : stop, c == '\\' ? 1 : 2 });
		else if (c - '0' <= (int)regex_groups(regex) && regex_group(regex, (uint32_t)(c - '0'), &begin, &finish))
			put(draft, (struct bytes){ x.p + begin, finish - begin });
		p = stop + 2;
	}
}

/* x with every match replaced. After an empty match one character is passed, so it is not found again. What \K may do to a match (begin before
 * what was already replaced) ends the search. */
static enum regex_found replace_matches(const struct regex *regex, struct bytes x, struct bytes to, struct draft *draft)
{
	size_t at = 0, done = 0, begin, end;
	enum regex_found found = REGEX_NONE;
	while (at <= x.n && (found = regex_match(regex, x, at)) == REGEX_FOUND) {
		if (!regex_group(regex, 0, &begin, &end) || begin < done)
			break;
		put(draft, (struct bytes){ x.p + done, begin - done });
		put_template(draft, to, regex, x);
		done = end;
		at = end > begin ? end : end < x.n ? end + char_len(x.p + end, x.p + x.n) : end + 1;
		if (draft->refused)
			return REGEX_MEMORY;
		if (draft->n > TEXT_LONGEST)
			return REGEX_GAVE_UP;
	}
	put(draft, (struct bytes){ x.p + done, x.n - done });
	return draft->refused ? REGEX_MEMORY : found == REGEX_FOUND ? REGEX_NONE : found;
}

static int replace_regex(const struct call *call, struct value *out)
{
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++) {
		struct bytes x, to;
		out[r] = value_null();
		if (call_skips(call, r) || !text_of(arg_at(call, 0, r), &x) || !text_of(arg_at(call, 1, r), &to))
			continue;
		struct draft draft = { .pen = &pen };
		enum regex_found found = replace_matches(call->expr->conf, x, to, &draft);
		if (found == REGEX_MEMORY)
			return -1;
		if (found == REGEX_NONE && draft.n <= TEXT_LONGEST)
			out[r] = draft.n ? pen_take(&pen, draft.n, 0) : value_text("", 0);
	}
	return 0;
}

/* x with every `from` (not empty) replaced by `to`; false if memory is refused. */
static bool replace_bytes(struct bytes x, struct bytes from, struct bytes to, struct draft *draft)
{
	for (const char *at; draft->n <= TEXT_LONGEST && (at = bytes_find(x, from));) {
		put(draft, (struct bytes){ x.p, (size_t)(at - x.p) });
		put(draft, to);
		size_t passed = (size_t)(at - x.p) + from.n;
		x = (struct bytes){ x.p + passed, x.n - passed };
	}
	put(draft, x);
	return !draft->refused;
}

static int replace_text(const struct call *call, struct value *out)
{
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *v = arg_at(call, 0, r), *by = arg_at(call, 2, r);
		struct bytes x, from, to;
		out[r] = value_null();
		if (!text_of(v, &x) || !text_of(arg_at(call, 1, r), &from) || !text_of(by, &to))
			continue;
		out[r] = value_text(x.p, (uint32_t)x.n);
		out[r].flags = v->flags & VF_CLEAN;
		if (!from.n || !bytes_find(x, from))
			continue;
		struct draft draft = { .pen = &pen };
		if (!replace_bytes(x, from, to, &draft))
			return -1;
		out[r] = draft.n > TEXT_LONGEST ? value_null() : draft.n ? pen_take(&pen, draft.n, v->flags & by->flags & VF_CLEAN) : value_text("", 0);
	}
	return 0;
}

static const struct func regex_func = { .name = "replace", .types = "tt>t", .values = replace_regex };
static const struct func text_func = { .name = "replace", .types = "ttt>t", .values = replace_text };

struct expr *fn_replace(const struct binder *b, const struct node *call)
{
	if (call->arg[1]->kind == N_REGEX)
		return call_with(b, call, &regex_func);
	struct expr **arg = arena_alloc(b->mem, 3 * sizeof *arg);
	if (!arg) {
		err_memory(b->err);
		return NULL;
	}
	for (uint32_t i = 0; i < 3; i++) {
		arg[i] = bind_node(b, call->arg[i]);
		if (!arg[i])
			return NULL;
	}
	return bind_call(b, &(struct expr){ .func = &text_func, .span = call->span, .narg = 3, .arg = arg });
}
