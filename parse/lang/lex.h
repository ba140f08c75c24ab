/* The little language's words. One token is read at a time, because whether a slash divides or begins a regular expression is known to the
 * parser only: it asks with lex_regex where one may stand.
 *
 *     status >= 5 and url =~ /^\/a/i
 *     NAME   GE NUMBER AND NAME MATCH SLASH, which lex_regex turns into REGEX
 *
 * Decoded texts live in the arena; at and len of a token say where it stands in the argument. */
#ifndef WEIR_LEX_H
#define WEIR_LEX_H
#include "core/arena.h"
#include "core/err.h"
#include "core/value.h"

/* The order matters: lex_is_reserved and others below tell groups apart by it. */
enum token_kind {
	TOK_END,      /* of the argument */
	TOK_NAME,     /* text, n: bare or in {braces}; a bare one may turn out to be a keyword */
	TOK_NUMBER,   /* value: V_DEC or V_DBL */
	TOK_DURATION, /* value: V_DEC of ms */
	TOK_TEXT,     /* text, n: decoded, may hold NUL */
	TOK_REGEX,    /* text, n: the pattern; flags: the letters behind it */
	/* reserved words; text, n: as written */
	TOK_AND, TOK_OR, TOK_NOT, TOK_IN, TOK_BETWEEN, TOK_LIKE, TOK_IS, TOK_NULL, TOK_TRUE, TOK_FALSE, TOK_DISTINCT,
	/* signs */
	TOK_EQ, TOK_NE, TOK_LT, TOK_LE, TOK_GT, TOK_GE, TOK_MATCH, TOK_NOMATCH,
	TOK_CAT, TOK_PLUS, TOK_MINUS, TOK_STAR, TOK_SLASH, TOK_PERCENT,
	TOK_DOT, TOK_DOTDOT, TOK_COMMA, TOK_SEMICOLON, TOK_OPEN, TOK_CLOSE, TOK_OPEN_INDEX, TOK_CLOSE_INDEX,
};

struct token {
	enum token_kind kind;
	bool braced;        /* TOK_NAME: written in {braces}, so never a keyword */
	size_t at, len;     /* where it stands, as written */
	const char *text;   /* what it means; NUL-terminated, in the arena */
	uint32_t n;
	const char *flags;  /* TOK_REGEX; NUL-terminated */
	struct value value; /* TOK_NUMBER, TOK_DURATION */
};

struct lexer {
	const char *flag; /* for messages */
	const char *text; /* the argument */
	size_t len, at;   /* its length; where the next token begins, blanks aside */
	struct arena *mem;
	struct err *err;
};

/* Reads the next token; -1 with a caret for what is no token. At the end it is TOK_END again and again. */
int lex_next(struct lexer *lex, struct token *token) __attribute__((warn_unused_result));

/* Reads the argument again from `token`, a TOK_SLASH just read, as a regular expression. */
int lex_regex(struct lexer *lex, struct token *token) __attribute__((warn_unused_result));

static inline bool lex_is_reserved(enum token_kind kind) { return kind >= TOK_AND && kind <= TOK_DISTINCT; }
static inline bool lex_is_comparison(enum token_kind kind) { return kind >= TOK_EQ && kind <= TOK_GE; }
static inline bool lex_is_match(enum token_kind kind) { return kind == TOK_MATCH || kind == TOK_NOMATCH; }
/* Signs that join operands. */
static inline bool lex_is_operator(enum token_kind kind) { return kind >= TOK_EQ && kind <= TOK_PERCENT; }
/* not, in, between, like, is: behind an operand these make a test of it, as comparisons do. */
static inline bool lex_is_test_word(enum token_kind kind) { return kind >= TOK_NOT && kind <= TOK_IS; }

/* The span of a piece of the argument. */
struct span lex_span(const struct lexer *lex, size_t at, size_t len);

enum { LEX_SHOWN = 200 /* bytes that lex_show needs at most, with the NUL */ };

/* Bytes as messages show them: control bytes as \xHH, cut with ... where long. Gives `out`. */
const char *lex_show(char out[LEX_SHOWN], const char *bytes, size_t n);

/* The same for a piece of an argument; x where the span has none. */
const char *lex_show_span(char out[LEX_SHOWN], struct span span);

/* The unit of a duration that a word was meant to be: m for min; NULL: none. */
const char *lex_guess_unit(const char *word, size_t n);

/* ---- private to lex*.c: each reads the token that begins at lex->at and moves lex->at behind it ---- */

static inline bool lex_is_digit(char c) { return c >= '0' && c <= '9'; }

/* What a bare name may begin with. */
static inline bool lex_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@' || (unsigned char)c >= 0x80;
}

/* The byte `ahead` of the next one; NUL at the end. */
static inline char lex_peek(const struct lexer *lex, size_t ahead) { return lex->len - lex->at > ahead ? lex->text[lex->at + ahead] : '\0'; }

/* A number, or a duration in ms. */
int lex_number(struct lexer *lex, struct token *token);

/* A text in single or double quotes. */
int lex_text(struct lexer *lex, struct token *token);

/* A name in braces. */
int lex_braced(struct lexer *lex, struct token *token);
#endif
