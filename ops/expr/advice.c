/* What messages about expressions say beyond what is wrong: what was probably meant, and how it is written. */
#include "core/number.h"
#include "ops/expr/func.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool bind_is_aggregate(const char *name)
{
	static const char *const aggregates[] = {
#define AGG(name) #name,
#include "ops/agg/aggs.def"
#undef AGG
	};
	for (size_t i = 0; i < sizeof aggregates / sizeof aggregates[0]; i++)
		if (!strcmp(name, aggregates[i]))
			return true;
	return false;
}

/* Adds to the first line of a usage error that is there; nothing where the room does not last. */
static void add(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct err *err, const char *format, ...)
{
	char hint[400];
	va_list args;
	va_start(args, format);
	vsnprintf(hint, sizeof hint, format, args);
	va_end(args);
	size_t n = strlen(hint), whole = strlen(err->text), line = strcspn(err->text, "\n");
	if (err->code != ERR_USAGE || whole + n >= sizeof err->text)
		return;
	memmove(err->text + line + n, err->text + line, whole - line + 1);
	memcpy(err->text + line, hint, n);
}

/* A word as written, with neither braces nor steps. */
static bool is_word(const struct node *node)
{
	return node->kind == N_NAME && !node->nstep && node->span.text && node->span.text[node->span.at] != '{';
}

void bind_unknown(const struct binder *b, const struct node *node, const char *name, size_t len)
{
	schema_unknown(b->schema, node->span, name, len, b->err);
	if (is_word(node) && bind_is_aggregate(node->text))
		add(b->err, "; %s is an aggregate: --reduce computes it, and its result is a column for what comes behind", node->text);
}

void bind_unknown_operand(const struct binder *b, const struct node *parent, uint32_t i)
{
	const struct node *node = parent->arg[i];
	bool equality = parent->kind == N_EQ || parent->kind == N_NE, list = parent->kind == N_IN || parent->kind == N_NOTIN;
	bool beside = equality ? parent->arg[!i]->kind != N_LITERAL : list && i > 0;
	char shown[LEX_SHOWN];
	if (beside && is_word(node) && !bind_is_aggregate(node->text))
		add(b->err, "; if a text was meant: '%s'", lex_show_span(shown, node->span));
}

/* 2019-03-30, which the language reads as two subtractions. */
static bool is_date(const struct node *node)
{
	static const char shape[] = "dddd-dd-dd";
	size_t n = sizeof shape - 1;
	if (node->kind != N_SUB || !node->span.text || node->span.len != n)
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = node->span.text[node->span.at + i];
		if (shape[i] == 'd' ? !lex_is_digit(c) : c != '-')
			return false;
	}
	return true;
}

int bind_no_dates(const struct binder *b, const struct node *node, struct expr *const *arg)
{
	for (uint32_t i = 0; i < node->narg; i++) {
		enum type other = arg[i ? 0 : 1]->type;
		char shown[LEX_SHOWN];
		if (is_date(node->arg[i]) && other != T_NUMBER && other != T_DURATION) {
			lex_show_span(shown, node->arg[i]->span);
			return err_at(b->err, node->arg[i]->span, "%s is a subtraction; a text stands in quotes: '%s'", shown, shown);
		}
	}
	return 0;
}

/* The constant 2, where column 2 was meant. */
static int number_for_column(const struct schema *schema, struct span span, int64_t i, struct err *err)
{
	static const char *const nth[] = { "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth" };
	char shown[LEX_SHOWN], name[LEX_SHOWN], column[32];
	bool by_name = schema->kind == SCHEMA_CLOSED && schema_row(schema) < 0;
	lex_show_span(shown, span);
	if (i < 1 || i > 9999 || (by_name && i > schema->n))
		return err_at(err, span, "%s is the same for every row; name a column", shown);
	if (i <= 9)
		snprintf(column, sizeof column, "the %s column", nth[i - 1]);
	else
		snprintf(column, sizeof column, "column %lld", (long long)i);
	if (by_name)
		lex_show(name, schema->col[i - 1].name, schema->col[i - 1].len);
	else
		snprintf(name, sizeof name, "c%lld", (long long)i);
	bool braces = by_name && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_@0123456789")];
	return err_at(err, span, "%s is the same for every row; %s is %s%s%s", shown, column, braces ? "{" : "", name, braces ? "}" : "");
}

int expr_varies(const struct expr *expr, const struct node *node, const struct schema *schema, struct err *err)
{
	char shown[LEX_SHOWN], name[LEX_SHOWN];
	int64_t whole;
	if (expr->kind != E_CONST)
		return 0;
	if (node->kind == N_LITERAL && number_int(&node->value, &whole))
		return number_for_column(schema, node->span, whole, err);
	lex_show_span(shown, node->span);
	if (node->kind == N_LITERAL && node->value.type == V_TEXT && node->value.len)
		return err_at(err, node->span, "%s is a text, the same for every row; a column with such a name is written {%s}", shown,
			      lex_show(name, node->value.u.p, node->value.len));
	return err_at(err, node->span, "%s is the same for every row; name a column", shown);
}
