/* --tumble, --hop, --cumulate, --session: how long windows are, how far apart they begin, and where. */
#include <stdio.h>

#include "core/nearest.h"
#include "parse/lang/parse.h"
#include "parse/lang/parser.h"

/* How messages name the parts of a kind; no step: it has none. */
static const struct style {
	const char *size, *expected, *step, *step_expected;
	bool rows;
} styles[] = {
	[WINDOW_TUMBLE] = { "the size", "a size such as 5m or '100 rows'", NULL, NULL, true },
	[WINDOW_HOP] = { "the size", "a size such as 10m or '100 rows'", "the slide", "every and the slide (10m every 5m)", true },
	[WINDOW_CUMULATE] = { "the size", "a size such as 1d", "the step", "every and the step (1d every 1h)", false },
	[WINDOW_SESSION] = { "the gap", "a gap such as 30m", NULL, NULL, false },
};

/* SIZE: its number, of ms or rows, and its place. */
struct size {
	int64_t n;
	bool rows;
	size_t at, len;
};

/* Behind a number that is neither a duration nor followed by `rows`. */
static int no_unit(struct parser *p, const char *expected, bool rows)
{
	static const char *const words[] = { "rows" };
	struct token number = p->last;
	bool name = p->tok.kind == TOK_NAME && !p->tok.braced;
	const char *unit = name ? lex_guess_unit(p->tok.text, p->tok.n) : NULL;
	char shown[LEX_SHOWN], hint[LEX_SHOWN + 32] = "the unit is missing";
	if (rows && name && nearest_word(p->tok.text, p->tok.n, words, 1) == 0)
		return parser_expected(p, "rows", "rows");
	lex_show(shown, p->lex.text + number.at, number.len);
	if (unit)
		snprintf(hint, sizeof hint, "write: %s%s", shown, unit);
	return parser_fail(p, number.at, number.len, "expected %s, found '%s'; %s", expected, shown, hint);
}

/* `what`: the part, for messages. */
static int size(struct parser *p, const struct style *style, const char *what, const char *expected, struct size *out)
{
	*out = (struct size){ .at = p->tok.at };
	if (p->tok.kind == TOK_DURATION) {
		if (parser_ms(p, what, 1, &out->n))
			return -1;
	} else if (p->tok.kind != TOK_NUMBER) {
		return parser_expected(p, expected, "");
	} else {
		if (parser_rows(p, &out->n))
			return -1;
		if (!parser_accept_word(p, "rows"))
			return no_unit(p, expected, style->rows);
		out->rows = true;
	}
	out->len = p->end - out->at;
	if (out->rows && !style->rows)
		return parser_fail(p, out->at, out->len, "%s is a duration here; --tumble and --hop count rows", what);
	return 0;
}

/* SIZE stands alone, or both without `every` between them: says how the whole is written. */
static int no_step(struct parser *p, const struct size *first, const struct style *style)
{
	struct err dropped = { .code = ERR_NONE };
	struct parser ahead = *p;
	char hint[2 * LEX_SHOWN + 32], shown[LEX_SHOWN], rest[LEX_SHOWN];
	ahead.err = ahead.lex.err = &dropped;
	if (ahead.tok.kind != TOK_NUMBER && ahead.tok.kind != TOK_DURATION)
		parser_next(&ahead);
	if (p->tok.kind == TOK_END) {
		lex_show(shown, p->lex.text + first->at, first->len);
		snprintf(hint, sizeof hint, "in quotes, as one word: '%s every ...'", shown);
		return parser_expected_hint(p, style->step_expected, hint);
	}
	if (ahead.tok.kind != TOK_NUMBER && ahead.tok.kind != TOK_DURATION)
		return parser_expected(p, style->step_expected, "every");
	lex_show(shown, p->lex.text + first->at, first->len);
	lex_show(rest, p->lex.text + ahead.tok.at, p->lex.len - ahead.tok.at);
	snprintf(hint, sizeof hint, "write: %s every %s", shown, rest);
	return parser_expected_hint(p, "every", hint);
}

static bool divides(int64_t part, int64_t whole)
{
	return part > 0 && whole % part == 0;
}

/* every STEP */
static int step(struct parser *p, const struct style *style, const struct size *first, struct window_ast *out)
{
	struct size second;
	if (!parser_accept_word(p, "every"))
		return no_step(p, first, style);
	if (size(p, style, style->step, "a duration or a number of rows behind 'every'", &second))
		return -1;
	if (second.rows != first->rows)
		return parser_fail(p, second.at, second.len, "the size counts %s, so %s must, too", first->rows ? "rows" : "time", style->step);
	out->step = second.n;
	if (out->kind != WINDOW_CUMULATE || divides(out->step, out->size))
		return 0;
	char shown[LEX_SHOWN], steps[LEX_SHOWN];
	lex_show(shown, p->lex.text + first->at, first->len);
	lex_show(steps, p->lex.text + second.at, second.len);
	return parser_fail(p, second.at, second.len, "the step must divide the size, and %s is no multiple of %s", shown, steps);
}

/* [offset [-] DURATION]. A window moved by its step is the next one, so an offset is shorter. */
static int offset(struct parser *p, const struct style *style, struct window_ast *out)
{
	size_t at = p->tok.at;
	if (!parser_accept_word(p, "offset"))
		return 0;
	if (out->rows)
		return parser_fail(p, at, p->end - at, "windows of rows have no offset: they begin with the first row of a key");
	at = p->tok.at;
	bool minus = parser_accept(p, TOK_MINUS);
	if (p->tok.kind != TOK_DURATION)
		return parser_expected_hint(p, "a duration behind 'offset'", p->tok.kind == TOK_NUMBER ? "the unit is missing" : NULL);
	if (parser_ms(p, "the offset", 0, &out->offset))
		return -1;
	if (out->offset >= (out->kind == WINDOW_HOP ? out->step : out->size))
		return parser_fail(p, at, p->end - at, "the offset must be shorter than %s", out->kind == WINDOW_HOP ? style->step : style->size);
	if (minus)
		out->offset = -out->offset;
	return 0;
}

static int end(struct parser *p, const struct window_ast *out)
{
	bool may_move = !out->rows && out->kind != WINDOW_SESSION && !out->offset;
	const char *what = may_move ? "offset or the end" : "the end";
	char hint[LEX_SHOWN + 32], shown[LEX_SHOWN];
	if (out->kind == WINDOW_TUMBLE && parser_at_word(p, "every")) {
		snprintf(hint, sizeof hint, "write: --hop '%s'", lex_show(shown, p->lex.text, p->lex.len));
		return parser_expected_hint(p, what, hint);
	}
	if (out->kind == WINDOW_SESSION && parser_at_word(p, "offset"))
		return parser_expected_hint(p, what, "a session begins with its first row");
	return parser_end(p, what, may_move ? "offset" : "");
}

int parse_window(enum window_kind kind, const char *flag, const char *text, struct arena *mem, struct window_ast *out, struct err *err)
{
	const struct style *style = &styles[kind];
	struct parser p;
	struct size first;
	parser_init(&p, flag, text, mem, err);
	*out = (struct window_ast){ .kind = kind };
	if (size(&p, style, style->size, style->expected, &first))
		return -1;
	out->size = first.n;
	out->rows = first.rows;
	out->step = kind == WINDOW_TUMBLE ? out->size : 0;
	if (style->step && step(&p, style, &first, out))
		return -1;
	if (kind != WINDOW_SESSION && offset(&p, style, out))
		return -1;
	return end(&p, out);
}
