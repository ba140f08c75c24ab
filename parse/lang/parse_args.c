/* Short arguments: --minibatch, durations, lists of names, sizes in bytes. */
#include <string.h>

#include "core/number.h"
#include "core/time.h"
#include "parse/lang/parse.h"
#include "parse/lang/parser.h"

int parser_ms(struct parser *p, const char *what, int64_t least, int64_t *ms)
{
	struct token tok = p->tok;
	if (!number_int(&tok.value, ms))
		return parser_fail(p, tok.at, tok.len, "%s must be a whole number of ms", what);
	if (*ms < least)
		return parser_fail(p, tok.at, tok.len, "%s must be above 0", what);
	if (*ms > TIME_MAX)
		return parser_fail(p, tok.at, tok.len, "%s is too long", what);
	parser_next(p);
	return 0;
}

int parser_rows(struct parser *p, int64_t *n)
{
	struct token tok = p->tok;
	if (parser_whole(p, "the number of rows", n))
		return -1;
	return *n >= 1 ? 0 : parser_fail(p, tok.at, tok.len, "the number of rows must be above 0");
}

/* One duration of at least that many ms. */
static int one_duration(struct parser *p, int64_t least, int64_t *ms)
{
	if (p->tok.kind == TOK_DURATION)
		parser_ms(p, "the duration", least, ms);
	else
		parser_expected_hint(p, "a duration such as 5s or 1h30m", p->tok.kind == TOK_NUMBER ? "the unit is missing" : NULL);
	return parser_end(p, "the end", "");
}

int parse_duration(const char *flag, const char *text, struct arena *mem, int64_t *ms, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	return one_duration(&p, 1, ms);
}

int parse_delay(const char *flag, const char *text, struct arena *mem, int64_t *ms, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	return one_duration(&p, 0, ms);
}

/* One part of --minibatch; each at most once. */
static int batch_part(struct parser *p, int64_t *size, int64_t *latency)
{
	if (p->tok.kind != TOK_NUMBER && p->tok.kind != TOK_DURATION)
		return parser_expected(p, "a number of rows or a duration such as 5s", "");
	bool number = p->tok.kind == TOK_NUMBER;
	if (number ? *size : *latency)
		return parser_fail(p, p->tok.at, p->tok.len, "%s is given twice", number ? "the number of rows" : "the duration");
	return number ? parser_rows(p, size) : parser_ms(p, "the duration", 1, latency);
}

int parse_minibatch(const char *flag, const char *text, struct arena *mem, int64_t *size, int64_t *latency, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	*size = *latency = 0;
	while (!batch_part(&p, size, latency) && parser_accept(&p, TOK_COMMA))
		;
	return parser_end(&p, *size && *latency ? "the end" : "',' or the end", "");
}

int parse_names(const char *flag, const char *text, struct arena *mem, struct name_list *out, struct err *err)
{
	struct parser p;
	parser_init(&p, flag, text, mem, err);
	*out = (struct name_list){ .n = 0 };
	do {
		const char **name = parser_grow(&p, out->name, out->n, sizeof *name);
		uint32_t *len = parser_grow(&p, out->len, out->n, sizeof *len);
		struct span *span = parser_grow(&p, out->span, out->n, sizeof *span);
		if (!name || !len || !span)
			break;
		*out = (struct name_list){ .name = name, .len = len, .n = out->n, .span = span };
		span[out->n] = lex_span(&p.lex, p.tok.at, p.tok.len);
		if (parser_name(&p, "a name", &name[out->n], &len[out->n]))
			break;
		out->n++;
	} while (parser_accept(&p, TOK_COMMA));
	return parser_end_stray(&p, "',' or the end", "", "names");
}

/* The number that `n` digits are; false if it is beyond 64 bits. */
static bool read_digits(const char *digits, size_t n, uint64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t digit = (uint64_t)(digits[i] - '0');
		if (*out > (UINT64_MAX - digit) / 10)
			return false;
		*out = *out * 10 + digit;
	}
	return true;
}

/* Digits and perhaps a letter: not a token of the language, where 64K is no number. */
int parse_size(const char *flag, const char *text, struct arena *mem, uint64_t *bytes, struct err *err)
{
	static const char letters[] = "KMGkmg";
	size_t n = strlen(text), digits = strspn(text, "0123456789");
	char *copy = arena_copy(mem, text, n);
	if (!copy)
		return err_memory(err);
	struct span span = { .flag = flag, .text = copy, .len = n };
	const char *letter = copy[digits] ? strchr(letters, copy[digits]) : NULL;
	unsigned shift = letter ? 10 * (unsigned)((letter - letters) % 3 + 1) : 0;
	char shown[LEX_SHOWN];
	uint64_t value;
	if (!n)
		return err_at(err, span, "expected a size such as 4096, 64K, 16M or 1G, found nothing");
	if (!digits || digits + (letter != NULL) != n)
		return err_at(err, span, "expected a size such as 4096, 64K, 16M or 1G, found '%s'", lex_show(shown, copy, n));
	if (!read_digits(copy, digits, &value) || value > UINT64_MAX >> shift)
		return err_at(err, span, "the size is too large");
	if (!value)
		return err_at(err, span, "the size must be above 0");
	*bytes = value << shift;
	return 0;
}
