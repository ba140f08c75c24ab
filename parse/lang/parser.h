/* Inside of the parser: the stream of tokens with one of them in sight, its errors, and the expressions that every flag's grammar uses.
 *
 * Failing is lazy. When a token cannot be read, or memory is refused, err is set and the rest looks like the end of the argument; what a
 * grammar function then complains about is dropped, since the first error stays. parser_end at the end of each gives the verdict. */
#ifndef WEIR_PARSER_H
#define WEIR_PARSER_H
#include "parse/lang/ast.h"
#include "parse/lang/lex.h"

struct parser {
	struct lexer lex;
	struct token tok;  /* the next one, not yet taken */
	struct token last; /* the last one taken */
	size_t end;        /* where it ends */
	struct arena *mem;
	struct err *err;
	bool failed;       /* err is set */
	unsigned nested;   /* expressions open around this place */
};

/* Copies the argument into mem and reads the first token. */
void parser_init(struct parser *p, const char *flag, const char *text, struct arena *mem, struct err *err);

/* Takes the token in sight. */
void parser_next(struct parser *p);

/* The slash in sight begins a regular expression: reads it as one TOK_REGEX. */
int parser_slash_to_regex(struct parser *p);

/* Takes the token if it is of that kind. */
bool parser_accept(struct parser *p, enum token_kind kind);

/* The token is a bare name that reads `word` (in any case): a keyword, where the grammar allows one. */
bool parser_at_word(const struct parser *p, const char *word);

/* Takes that word. */
bool parser_accept_word(struct parser *p, const char *word);

/* What may stand behind a complete operand. */
#define OPERATOR_WORDS "and or not in between like is"

/* Complains about the token in sight: "expected WHAT, found X", and the one of `words` (blanks between; may be "") that X was probably meant to
 * be. Always -1. */
int parser_expected(struct parser *p, const char *what, const char *words);

/* The same where something complete stands before the token. Two names side by side are probably one with blanks, or two; `separates` says what
 * a comma separates here ("columns"; NULL: nothing). */
int parser_stray(struct parser *p, const char *what, const char *words, const char *separates);

/* As parser_expected with a hint behind it, NULL: none. */
int parser_expected_hint(struct parser *p, const char *what, const char *hint);

/* Complains about a piece of the argument; always -1. */
int parser_fail(struct parser *p, size_t at, size_t len, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Memory was refused; always -1. */
int parser_memory(struct parser *p);

/* Takes a token of that kind; else complains that `what` was expected. -1 if it is not there. */
int parser_need(struct parser *p, enum token_kind kind, const char *what);

/* Takes a NAME; its text (in mem) and length. `what` names its role. */
int parser_name(struct parser *p, const char *what, const char **name, uint32_t *len);

/* The whole number that the TOK_NUMBER in sight is, taking it; -1 with "WHAT must be a whole number" if it is none. */
int parser_whole(struct parser *p, const char *what, int64_t *out);

/* The TOK_DURATION in sight in whole ms, taking it; at least `least`, 0 or 1. `what` names its role: "the size". */
int parser_ms(struct parser *p, const char *what, int64_t least, int64_t *ms);

/* The TOK_NUMBER in sight as a number of rows, above 0, taking it. */
int parser_rows(struct parser *p, int64_t *n);

/* The end of the argument, or a complaint as parser_expected makes it. 0 if nothing went wrong on the way. */
int parser_end(struct parser *p, const char *what, const char *words);

/* The same with a complaint as parser_stray makes it. */
int parser_end_stray(struct parser *p, const char *what, const char *words, const char *separates);

/* Room for one more item behind the n there are: the array, perhaps moved, or NULL. Arrays grow by doubling and must only ever be grown here. */
void *parser_grow(struct parser *p, void *array, uint32_t n, size_t size);

/* An expression: the grammar's expr; NULL if there is none. */
struct node *parser_expr(struct parser *p);

/* An expression without comparisons and ||, which so ends before a keyword: the grammar's sum. */
struct node *parser_sum(struct parser *p);

/* What operators join: the grammar's prim. */
struct node *parser_primary(struct parser *p);

/* The literal in sight, which is taken; its value. */
struct node *parser_literal(struct parser *p, struct value value);

/* A regular expression; the slash that begins it is in sight. */
struct node *parser_regex(struct parser *p);

/* A name with steps: the grammar's path. */
struct node *parser_path(struct parser *p);

/* A list of expressions up to the closing parenthesis, which is taken, as children of `node`; `regexes` may stand among them. */
int parser_args(struct parser *p, struct node *node, bool regexes);

/* A new node that begins at `at` and ends with the last token taken; NULL if memory is refused. */
struct node *parser_node(struct parser *p, enum node_kind kind, size_t at);

/* Appends a child; -1 if memory is refused or the tree gets too deep. */
int parser_child(struct parser *p, struct node *node, struct node *child);

/* The name of an expression without `as`, into mem. */
int parser_auto_name(struct parser *p, const struct node *node, const char **name, uint32_t *len);
#endif
