/* Calls: which function is meant, how many arguments it takes, of what types. */
#include "core/nearest.h"
#include "ops/expr/func.h"
#include "parse/lang/synonym.h"

#include <stdio.h>
#include <string.h>

const struct func functions[] = {
#define VALUES(name, min, max, types, usage, help) { #name, usage, help, min, max, types, fn_##name, NULL, NULL, false },
#define TRUTHS(name, min, max, types, usage, help) { #name, usage, help, min, max, types, NULL, fn_##name, NULL, false },
#define BINDS(name, min, max, usage, help) { #name, usage, help, min, max, NULL, NULL, NULL, fn_##name, false },
#include "ops/expr/functions.def"
	{ 0 },
};
enum { NFUNCTIONS = sizeof functions / sizeof functions[0] - 1 };

const struct func *function_find(const char *name, size_t len)
{
	for (const struct func *func = functions; func->name; func++)
		if (strlen(func->name) == len && !memcmp(func->name, name, len))
			return func;
	return NULL;
}

/* The function's name alone, where it begins the call. */
static struct span name_span(const struct node *call)
{
	struct span span = call->span;
	if (span.len > call->len)
		span.len = call->len;
	return span;
}

/* The hint behind "no function X". */
static void guess(const struct node *call, char *out, size_t room)
{
	struct synonym synonym;
	const char *word[NFUNCTIONS];
	for (uint32_t i = 0; i < NFUNCTIONS; i++)
		word[i] = functions[i].name;
	int nearest = nearest_word(call->text, call->len, word, NFUNCTIONS);
	bool known = synonym_find(call->text, call->len, &synonym);
	*out = '\0';
	if (known && synonym.kind == SYNONYM_AGGREGATE)
		snprintf(out, room, "; %s is an aggregate: it works in --reduce, and its result is a column for what comes behind", synonym.here);
	else if (known || nearest >= 0)
		snprintf(out, room, " (did you mean %s?)", known ? synonym.here : functions[nearest].usage);
}

static struct expr *unknown(const struct binder *b, const struct node *call)
{
	char hint[200], shown[LEX_SHOWN];
	guess(call, hint, sizeof hint);
	if (bind_is_aggregate(call->text))
		err_at(b->err, name_span(call), "%s is an aggregate: it works in --reduce, and its result is a column for what comes behind", call->text);
	else
		err_at(b->err, name_span(call), "no function \"%s\"%s", lex_show(shown, call->text, call->len), hint);
	return NULL;
}

struct expr *bind_function(const struct binder *b, const struct node *node)
{
	const struct func *func = function_find(node->text, node->len);
	if (!func)
		return unknown(b, node);
	if (node->distinct) {
		err_at(b->err, node->span, "distinct works in aggregates only, and %s is a function", func->name);
		return NULL;
	}
	if (node->narg < func->min || (func->max != ARGS_ANY && node->narg > func->max)) {
		err_at(b->err, node->span, "%s has %u argument%s here; %s: %s", func->name, node->narg, node->narg == 1 ? "" : "s", func->usage,
		       func->help);
		return NULL;
	}
	if (func->bind)
		return func->bind(b, node);
	struct expr **arg = arena_alloc(b->mem, node->narg * sizeof *arg);
	if (!arg) {
		err_memory(b->err);
		return NULL;
	}
	for (uint32_t i = 0; i < node->narg; i++) {
		arg[i] = bind_node(b, node->arg[i]);
		if (!arg[i])
			return NULL;
	}
	return bind_call(b, &(struct expr){ .func = func, .span = node->span, .narg = node->narg, .arg = arg });
}

/* The letter of argument i. */
static char letter(const struct func *func, uint32_t i)
{
	const char *end = strchr(func->types, '>');
	return func->types + i < end ? func->types[i] : end[-1];
}

static struct expr *no_text(const struct binder *b, const struct func *func, struct expr *arg)
{
	const char *is = type_name(arg->type);
	char shown[LEX_SHOWN];
	if (arg->type == T_BOOL)
		err_at(b->err, arg->span, "%s works on text, this is %s", func->name, is);
	else
		err_at(b->err, arg->span, "%s works on text, this is %s: text(%s) makes a text of it", func->name, is, lex_show_span(shown, arg->span));
	return NULL;
}

/* Fits one argument to its letter (not x). */
static struct expr *fit(const struct binder *b, const struct func *func, char want, struct expr *arg)
{
	enum type type = arg->type;
	char shown[LEX_SHOWN];
	switch (want) {
	case 'n':
		return expr_as(arg, T_NUMBER, b->mem, b->err);
	case 'b':
		return expr_as(arg, T_BOOL, b->mem, b->err);
	case 't':
		return type == T_TEXT || type == T_RAW || type == T_NULL ? arg : no_text(b, func, arg);
	case 'v':
		if (type != T_BOOL && type != T_TIME)
			return arg;
		lex_show_span(shown, arg->span);
		if (type == T_TIME)
			err_at(b->err, arg->span, "%s does not take time: epoch(%s) gives its seconds, epoch_ms(%s) its milliseconds", func->name, shown, shown);
		else
			err_at(b->err, arg->span, "%s does not take %s", func->name, type_name(type));
		return NULL;
	case 'm':
		return expr_as(arg, T_TIME, b->mem, b->err);
	case 'p':
		return type == T_TIME ? bind_iso(b, arg) : arg;
	default:
		return arg;
	}
}

/* Makes the arguments with letter x be of one type. */
static int fit_unified(const struct binder *b, const struct func *func, struct expr **arg, uint32_t narg, enum type *type)
{
	uint32_t first = 0;
	while (letter(func, first) != 'x')
		first++;
	return bind_unify(b, arg + first, narg - first, type);
}

struct expr *bind_call(const struct binder *b, const struct expr *call)
{
	const struct func *func = call->func;
	struct expr made = *call;
	made.kind = E_CALL;
	for (uint32_t i = 0; i < call->narg; i++) {
		made.arg[i] = fit(b, func, letter(func, i), call->arg[i]);
		if (!made.arg[i])
			return NULL;
	}
	char result = strchr(func->types, '>')[1];
	made.type = result == 'n' ? T_NUMBER : result == 'b' ? T_BOOL : result == 'm' ? T_TIME : result == 'r' ? T_RAW : T_TEXT;
	if (result == 'x' && fit_unified(b, func, made.arg, made.narg, &made.type))
		return NULL;
	return bind_make(b, &made);
}
