#include "ops/expr/like.h"

#include "ops/expr/func.h"

bool like_valid(struct bytes pattern)
{
	bool escaped = false;
	for (size_t i = 0; i < pattern.n; i++)
		escaped = !escaped && pattern.p[i] == '\\';
	return !escaped;
}

/* Only a well-formed literal may be sought by bytes: it begins and ends where characters do. */
struct like like_plan(struct bytes pattern, char *room)
{
	const struct like general = { LIKE_GENERAL, pattern };
	size_t n = 0, from = pattern.n && pattern.p[0] == '%', i = from;
	for (; i < pattern.n && pattern.p[i] != '%'; i++) {
		if (pattern.p[i] == '_')
			return general;
		i += pattern.p[i] == '\\';
		room[n++] = pattern.p[i];
	}
	bool open_end = i < pattern.n;
	if (i + 1 < pattern.n || !char_valid(room, n))
		return general;
	struct like like = { .text = { room, n } };
	like.shape = from ? open_end ? LIKE_INSIDE : LIKE_END : open_end ? LIKE_BEGIN : LIKE_WHOLE;
	return like;
}

/* Where a match of the pattern at p, behind a %, can begin at the earliest, from t on. An ASCII byte is never part of another character, so it
 * may be sought as a byte. */
static const char *candidate(const char *p, const char *t, const char *tend)
{
	if (*p == '%' || *p == '_' || *p == '\\' || (unsigned char)*p >= 0x80)
		return t;
	const char *at = memchr(t, *p, (size_t)(tend - t));
	return at ? at : tend;
}

/* Keeps the last % met: on a mismatch it takes more and all starts over behind it. */
static bool general(struct bytes pattern, struct bytes x)
{
	const char *p = pattern.p, *pend = p + pattern.n, *t = x.p, *tend = t + x.n;
	const char *star = NULL, *taken = NULL; /* behind the %, and behind what it takes */
	while (t < tend) {
		size_t len = char_len(t, tend);
		if (p < pend && *p == '%') {
			star = ++p;
			if (p == pend)
				return true;
			taken = t = candidate(p, t, tend);
			continue;
		}
		if (p < pend && *p == '_') {
			p++;
			t += len;
			continue;
		}
		const char *literal = p < pend && *p == '\\' ? p + 1 : p;
		if (literal < pend && char_len(literal, pend) == len && !memcmp(literal, t, len)) {
			p = literal + len;
			t += len;
			continue;
		}
		if (!star)
			return false;
		taken = t = candidate(star, taken + char_len(taken, tend), tend);
		p = star;
	}
	while (p < pend && *p == '%')
		p++;
	return p == pend;
}

bool like_match(const struct like *like, struct bytes x)
{
	struct bytes text = like->text;
	switch (like->shape) {
	case LIKE_WHOLE:
		return bytes_same(x, text);
	case LIKE_BEGIN:
		return x.n >= text.n && bytes_same((struct bytes){ x.p, text.n }, text);
	case LIKE_END:
		return x.n >= text.n && bytes_same((struct bytes){ x.p + x.n - text.n, text.n }, text);
	case LIKE_INSIDE:
		return bytes_find(x, text);
	default:
		return general(text, x);
	}
}

/* conf is the plan of a constant pattern. */
static int planned(const struct call *call, uint8_t *out)
{
	const struct like *like = call->expr->conf;
	struct bytes x;
	for (uint32_t r = 0; r < call->n; r++) {
		out[r] = UNKNOWN;
		if (!call_skips(call, r) && text_of(arg_at(call, 0, r), &x))
			out[r] = truth_of(like_match(like, x));
	}
	return 0;
}

static int unplanned(const struct call *call, uint8_t *out)
{
	struct like like = { .shape = LIKE_GENERAL };
	struct bytes x;
	for (uint32_t r = 0; r < call->n; r++) {
		out[r] = UNKNOWN;
		if (!call_skips(call, r) && text_of(arg_at(call, 0, r), &x) && text_of(arg_at(call, 1, r), &like.text) && like_valid(like.text))
			out[r] = truth_of(like_match(&like, x));
	}
	return 0;
}

static const struct func like_constant = { .name = "like", .types = "t>b", .truth = planned };
static const struct func like_any = { .name = "like", .types = "tt>b", .truth = unplanned };

/* The conf for a constant pattern; NULL with err set. */
static struct like *plan(const struct binder *b, const struct expr *pattern)
{
	struct bytes text = { pattern->value.u.p, pattern->value.len };
	if (!like_valid(text)) {
		err_at(b->err, pattern->span, "a pattern cannot end in a backslash; \\\\ stands for one");
		return NULL;
	}
	struct like *like = arena_alloc(b->mem, sizeof *like);
	char *room = arena_alloc(b->mem, text.n);
	if (!like || !room) {
		err_memory(b->err);
		return NULL;
	}
	*like = like_plan(text, room);
	return like;
}

struct expr *bind_like(const struct binder *b, const struct node *node)
{
	struct expr **arg = arena_alloc(b->mem, 2 * sizeof *arg);
	if (!arg) {
		err_memory(b->err);
		return NULL;
	}
	arg[0] = bind_node(b, node->arg[0]);
	arg[1] = arg[0] ? bind_node(b, node->arg[1]) : NULL;
	if (!arg[1])
		return NULL;
	struct expr call = { .func = &like_any, .span = node->span, .narg = 2, .arg = arg };
	if (arg[1]->kind == E_CONST && arg[1]->value.type == V_TEXT) {
		call.func = &like_constant;
		call.narg = 1;
		call.conf = plan(b, arg[1]);
		if (!call.conf)
			return NULL;
	}
	return bind_call(b, &call);
}
