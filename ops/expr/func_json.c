/* json(x, path): a value in a text that holds JSON. The path is read once, when the expression is bound. */
#include "core/json.h"
#include "ops/expr/func.h"
#include "ops/expr/text.h"
#include "parse/lang/parse.h"

/* The path in a text literal; NULL: it is none, or memory is refused (err set). One that begins with an element gets a name before it, _. */
static const struct node *parse_path(const struct binder *b, const struct value *v)
{
	char *text = arena_copy(b->mem, v->u.p, v->len), *named = text ? arena_alloc(b->mem, v->len + 2) : NULL;
	struct err why = { .code = ERR_NONE };
	struct node *node;
	if (!named) {
		err_memory(b->err);
		return NULL;
	}
	named[0] = '_';
	memcpy(named + 1, text, v->len + 1);
	bool path = strlen(text) == v->len && !parse_expr("json", *text == '[' ? named : text, b->mem, &node, &why) && node->kind == N_NAME;
	return path ? node : NULL;
}

/* Reads the second argument; false with err set. */
static bool read_path(const struct binder *b, const struct node *arg, struct json_path *path)
{
	const struct value *v = &arg->value;
	bool text = arg->kind == N_LITERAL && v->type == V_TEXT, element = text && v->len && *v->u.p == '[';
	const struct node *node = text ? parse_path(b, v) : NULL;
	if (!node) {
		err_at(b->err, arg->span, "json wants a path in quotes here: 'req.headers.host', 'tags[0]', '[-1]', '{odd name}'");
		return false;
	}
	struct step *step = arena_alloc(b->mem, (node->nstep + 1) * sizeof *step);
	if (!step) {
		err_memory(b->err);
		return false;
	}
	step[0] = (struct step){ .name = node->text, .len = node->len };
	for (uint32_t i = 0; i < node->nstep; i++)
		step[i + 1] = node->step[i];
	*path = (struct json_path){ step + element, node->nstep + 1 - element };
	return true;
}

static int json(const struct call *call, struct value *out)
{
	struct json *reader = (struct json *)call->expr->conf; /* it remembers nothing that shows */
	for (uint32_t r = 0; r < call->n; r++) {
		struct bytes x;
		out[r] = value_null();
		if (call_skips(call, r) || !text_of(arg_at(call, 0, r), &x) || json_read(reader, x.p, x.n, x.n))
			continue;
		if (json_value(reader, 0, call->mem, &out[r]))
			return -1;
	}
	return 0;
}

static const struct func json_func = { .name = "json", .types = "t>r", .values = json };

struct expr *fn_json(const struct binder *b, const struct node *call)
{
	struct json_path path;
	struct expr **arg = arena_alloc(b->mem, sizeof *arg);
	if (!arg) {
		err_memory(b->err);
		return NULL;
	}
	arg[0] = bind_node(b, call->arg[0]);
	if (!arg[0] || !read_path(b, call->arg[1], &path))
		return NULL;
	struct json *reader = json_new(&path, 1, b->mem);
	if (!reader) {
		err_memory(b->err);
		return NULL;
	}
	return bind_call(b, &(struct expr){ .func = &json_func, .span = call->span, .conf = reader, .narg = 1, .arg = arg });
}
