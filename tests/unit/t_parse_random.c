/* A random tree, printed with random blanks, parentheses, quotes and spellings, parses to the same tree. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/number.h"
#include "parse/lang/parse.h"

static struct mem mem;
static struct arena arena;
static uint64_t seed = 88172645463325252u;

static uint32_t dice(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 33) % n;
}

/* ---- random trees ---- */

static struct node *new_node(enum node_kind kind, uint32_t narg)
{
	struct node *node = arena_alloc(&arena, sizeof *node);
	*node = (struct node){ .kind = kind, .narg = narg, .arg = arena_alloc(&arena, (narg + 1) * sizeof *node->arg) };
	return node;
}

static const char *random_name(void)
{
	static const char *const names[] = { "a", "by", "count", "as", "rank", "@ts", "gr\xc3\xbcn", "where", "null", "And", "odd name", "}", "a}}b{", "", "9x",
					     "a.b" };
	return names[dice(sizeof names / sizeof *names)];
}

/* Any bytes; `nul`: NUL, too. */
static char *random_bytes(uint32_t *n, bool nul)
{
	static const char likely[] = "'\"\\/{}x4n \n\t";
	*n = dice(8);
	char *bytes = arena_alloc(&arena, *n + 1);
	for (uint32_t i = 0; i < *n; i++)
		bytes[i] = dice(2) ? likely[dice(sizeof likely - 1)] : (char)(dice(nul ? 256 : 255) + !nul);
	bytes[*n] = '\0';
	return bytes;
}

static struct node *random_literal(void)
{
	struct node *node = new_node(N_LITERAL, 0);
	char digits[64];
	uint32_t n;
	switch (dice(6)) {
	case 0:
		node->value = value_bool(dice(2));
		break;
	case 1:
		break;
	case 2:
		node->duration = true;
		node->value = number_dec((int64_t)dice(2000000000) * dice(1000), dice(2) ? 6 : 0);
		break;
	case 3: {
		char *bytes = random_bytes(&n, true);
		node->value = value_text(bytes, n);
		break;
	}
	default:
		n = (uint32_t)snprintf(digits, sizeof digits, "%u%s%u%s", dice(2) ? dice(100) : dice(2000000000), dice(2) ? "." : "", dice(2000000000), dice(3) ? "" : "e-7");
		ck_assert(number_read(digits, n, &node->value));
		node->text = arena_copy(&arena, digits, n);
		node->len = n;
	}
	return node;
}

static struct node *random_path(void)
{
	struct node *node = new_node(N_NAME, 0);
	node->text = random_name();
	node->len = (uint32_t)strlen(node->text);
	node->nstep = dice(3) ? 0 : dice(10);
	node->step = arena_alloc(&arena, (node->nstep + 1) * sizeof *node->step);
	for (uint32_t i = 0; i < node->nstep; i++) {
		const char *name = dice(2) ? random_name() : NULL;
		node->step[i] = (struct step){ .name = name, .len = name ? (uint32_t)strlen(name) : 0, .index = name ? 0 : (int64_t)dice(9) - 4 };
	}
	return node;
}

/* The bytes after decoding: each backslash has a byte behind it, which is no slash. */
static struct node *random_regex(void)
{
	static const char *const flags[] = { "", "i", "msx" };
	struct node *node = new_node(N_REGEX, 0);
	char *bytes = random_bytes(&node->len, false);
	for (uint32_t i = 0; i < node->len; i++)
		if (bytes[i] == '\\' && (i + 1 == node->len || bytes[i + 1] == '/'))
			bytes[i] = '.';
		else if (bytes[i] == '\\')
			i++;
	node->text = bytes;
	node->flags = flags[dice(3)];
	return node;
}

static struct node *random_tree(uint32_t depth);

static struct node *random_call(uint32_t depth)
{
	struct node *node = new_node(N_CALL, dice(2) ? dice(4) : dice(20));
	node->text = random_name();
	node->len = (uint32_t)strlen(node->text);
	for (uint32_t i = 0; i < node->narg; i++)
		node->arg[i] = dice(4) ? random_tree(depth - 1) : random_regex();
	return node;
}

static struct node *random_tree(uint32_t depth)
{
	if (!depth || !dice(6))
		return dice(2) ? random_literal() : random_path();
	if (!dice(5))
		return random_call(depth);
	enum node_kind kind = N_OR + dice(N_MOD - N_OR + 1);
	uint32_t narg = 2;
	if (kind == N_NOT || kind == N_NEG || kind == N_ISNULL || kind == N_NOTNULL)
		narg = 1;
	else if (kind == N_BETWEEN || kind == N_NOTBETWEEN)
		narg = 3;
	else if (kind == N_IN || kind == N_NOTIN)
		narg = 2 + dice(8);
	struct node *node = new_node(kind, narg);
	for (uint32_t i = 0; i < narg; i++)
		node->arg[i] = random_tree(depth - 1);
	if (kind == N_MATCH || kind == N_NOMATCH) {
		uint32_t n;
		char *bytes = random_bytes(&n, true);
		node->arg[1] = random_regex();
		if (dice(2)) {
			*node->arg[1] = (struct node){ .kind = N_LITERAL, .value = value_text(bytes, n) };
		}
	}
	return node;
}

/* ---- printing, with blanks, parentheses, quotes and spellings by chance ---- */

static void blank(struct buf *out)
{
	static const char *const blanks[] = { " ", "  ", "\n", "\t" };
	buf_puts(out, blanks[dice(4)]);
}

static void word(struct buf *out, const char *text)
{
	blank(out);
	for (; *text; text++)
		buf_putc(out, (char)(*text >= 'a' && *text <= 'z' && !dice(4) ? *text - 32 : *text));
	blank(out);
}

static bool is_plain(const char *name)
{
	static const char *const odd[] = { "null", "And", "odd name", "}", "a}}b{", "", "9x", "a.b" };
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
		if (!strcmp(odd[i], name))
			return false;
	return true;
}

static void print_name(struct buf *out, const char *name)
{
	if (is_plain(name) && dice(4)) {
		buf_puts(out, name);
		return;
	}
	buf_putc(out, '{');
	for (; *name; name++)
		buf_puts(out, *name == '}' ? "}}" : (char[]){ *name, '\0' });
	buf_putc(out, '}');
}

static void print_text(struct buf *out, const char *p, uint32_t n)
{
	bool raw = !memchr(p, '\0', n) && dice(2);
	buf_putc(out, raw ? '\'' : '"');
	for (uint32_t i = 0; i < n; i++) {
		if (raw && p[i] == '\'')
			buf_puts(out, "''");
		else if (raw)
			buf_putc(out, p[i]);
		else if (p[i] == '"' || p[i] == '\\')
			buf_printf(out, "\\%c", p[i]);
		else if (p[i] == '\n')
			buf_puts(out, "\\n");
		else if (!p[i] || dice(2))
			buf_printf(out, dice(2) ? "\\x%02x" : "\\x%02X", (unsigned char)p[i]);
		else
			buf_putc(out, p[i]);
	}
	buf_putc(out, raw ? '\'' : '"');
}

/* A duration is a whole number of ns here: the mantissa for scale 6. */
static void print_duration(struct buf *out, struct value ms)
{
	int64_t ns = ms.u.i;
	for (int i = ms.scale; i < 6; i++)
		ns *= 10;
	if (ns % 1000000000 == 0 && dice(2))
		buf_printf(out, "%lldm%llds", (long long)(ns / 60000000000), (long long)(ns / 1000000000 % 60));
	else
		buf_printf(out, "%lldms%lldns", (long long)(ns / 1000000), (long long)(ns % 1000000));
}

static void print_leaf(struct buf *out, const struct node *node)
{
	if (node->kind == N_NAME) {
		print_name(out, node->text);
		for (uint32_t i = 0; i < node->nstep; i++) {
			buf_puts(out, node->step[i].name ? "." : "[");
			if (node->step[i].name)
				print_name(out, node->step[i].name);
			else
				buf_printf(out, "%lld]", (long long)node->step[i].index);
		}
	} else if (node->kind == N_REGEX) {
		buf_putc(out, '/');
		for (uint32_t i = 0; i < node->len; i++)
			buf_puts(out, node->text[i] == '/' ? "\\/" : (char[]){ node->text[i], '\0' });
		buf_printf(out, "/%s", node->flags);
	} else if (node->duration) {
		print_duration(out, node->value);
	} else if (node->value.type == V_TEXT) {
		print_text(out, node->value.u.p, node->value.len);
	} else if (value_is_number(&node->value)) {
		buf_put(out, node->text, node->len);
	} else {
		word(out, node->value.type == V_NULL ? "null" : node->value.u.i ? "true" : "false");
	}
}

enum level { OR, AND, NOT, TEST, CAT, SUM, PRODUCT, UNARY, PRIMARY };

/* How an operator is written, which level it is of, and of which level its operands must at least be. */
static const struct { const char *text; enum level self, left, right; } style[] = {
	[N_OR] = { "or", OR, OR, AND }, [N_AND] = { "and", AND, AND, NOT }, [N_NOT] = { "not", NOT, NOT, NOT }, [N_NEG] = { "-", UNARY, UNARY, UNARY },
	[N_EQ] = { "=", TEST, CAT, CAT }, [N_NE] = { "!=", TEST, CAT, CAT }, [N_LT] = { "<", TEST, CAT, CAT }, [N_LE] = { "<=", TEST, CAT, CAT },
	[N_GT] = { ">", TEST, CAT, CAT }, [N_GE] = { ">=", TEST, CAT, CAT }, [N_MATCH] = { "=~", TEST, CAT, OR }, [N_NOMATCH] = { "!~", TEST, CAT, OR },
	[N_ISNULL] = { "is null", TEST, CAT, CAT }, [N_NOTNULL] = { "is not null", TEST, CAT, CAT }, [N_IN] = { "in", TEST, CAT, OR },
	[N_NOTIN] = { "not in", TEST, CAT, OR }, [N_BETWEEN] = { "between", TEST, CAT, CAT }, [N_NOTBETWEEN] = { "not between", TEST, CAT, CAT },
	[N_LIKE] = { "like", TEST, CAT, CAT }, [N_NOTLIKE] = { "not like", TEST, CAT, CAT }, [N_CAT] = { "||", CAT, CAT, SUM }, [N_ADD] = { "+", SUM, SUM, PRODUCT },
	[N_SUB] = { "-", SUM, SUM, PRODUCT }, [N_MUL] = { "*", PRODUCT, PRODUCT, UNARY }, [N_DIV] = { "/", PRODUCT, PRODUCT, UNARY },
	[N_MOD] = { "%", PRODUCT, PRODUCT, UNARY },
};

static void print_tree(struct buf *out, const struct node *node, enum level least);

static void print_args(struct buf *out, const struct node *node, uint32_t from)
{
	buf_putc(out, '(');
	for (uint32_t i = from; i < node->narg; i++) {
		buf_puts(out, i > from ? "," : "");
		print_tree(out, node->arg[i], OR);
	}
	buf_putc(out, ')');
}

static void print_operator(struct buf *out, const struct node *node)
{
	enum node_kind kind = node->kind;
	if (kind == N_NOT || kind == N_NEG) {
		word(out, style[kind].text);
		print_tree(out, node->arg[0], style[kind].left);
		return;
	}
	print_tree(out, node->arg[0], style[kind].left);
	word(out, style[kind].text);
	if (kind == N_IN || kind == N_NOTIN) {
		print_args(out, node, 1);
		return;
	}
	for (uint32_t i = 1; i < node->narg; i++) {
		if (i == 2)
			word(out, "and");
		print_tree(out, node->arg[i], style[kind].right);
	}
}

static void print_tree(struct buf *out, const struct node *node, enum level least)
{
	bool leaf = node->kind < N_OR;
	bool fixed = node->kind == N_REGEX || least == OR; /* where parentheses may not or need not stand */
	bool open = !fixed && ((!leaf && style[node->kind].self < least) || !dice(8));
	buf_puts(out, open ? "(" : "");
	if (node->kind == N_CALL) {
		print_name(out, node->text);
		print_args(out, node, 0);
	} else if (leaf) {
		print_leaf(out, node);
	} else {
		print_operator(out, node);
	}
	buf_puts(out, open ? ")" : "");
}

/* ---- comparing ---- */

static bool same_bytes(const char *a, uint32_t na, const char *b, uint32_t nb) { return na == nb && !memcmp(a, b, na); }

static bool same_value(struct value a, struct value b)
{
	if (a.type == V_TEXT && b.type == V_TEXT)
		return same_bytes(a.u.p, a.len, b.u.p, b.len);
	return a.type == b.type && a.scale == b.scale && a.u.i == b.u.i;
}

static bool same(const struct node *a, const struct node *b)
{
	if (a->kind != b->kind || a->narg != b->narg || a->nstep != b->nstep)
		return false;
	if (a->kind == N_LITERAL)
		return a->duration == b->duration && same_value(a->value, b->value);
	if (a->text && !same_bytes(a->text, a->len, b->text, b->len))
		return false;
	if (a->kind == N_REGEX)
		return !strcmp(a->flags, b->flags);
	for (uint32_t i = 0; i < a->nstep; i++) {
		const struct step *s = &a->step[i], *t = &b->step[i];
		if (!s->name != !t->name || s->index != t->index || (s->name && !same_bytes(s->name, s->len, t->name, t->len)))
			return false;
	}
	uint32_t depth = 0;
	for (uint32_t i = 0; i < a->narg; i++) {
		if (!same(a->arg[i], b->arg[i]))
			return false;
		depth = b->arg[i]->depth > depth ? b->arg[i]->depth : depth;
	}
	return b->depth == depth + 1;
}

START_TEST(round_trip)
{
	struct buf text;
	buf_init(&text, &mem);
	for (int i = 0; i < 20000; i++) {
		struct err err = { .code = ERR_NONE };
		struct node *parsed, *tree = random_tree(dice(6));
		text.n = 0;
		print_tree(&text, tree, OR);
		buf_putc(&text, '\0');
		ck_assert_msg(!parse_expr("--where", text.p, &arena, &parsed, &err), "%s", err.text);
		ck_assert_msg(same(tree, parsed), "%s", text.p);
		arena_reset(&arena);
	}
	buf_release(&text);
}
END_TEST

int main(void)
{
	arena_init(&arena, &mem);
	Suite *suite = suite_create("parse_random");
	TCase *tests = tcase_create("parse_random");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, round_trip);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	arena_release(&arena);
	return failed || mem.used ? EXIT_FAILURE : EXIT_SUCCESS;
}
