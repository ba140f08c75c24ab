/* The little language: one LL(1) parser for the argument of every flag (LANGUAGE.md, Grammar). Each function takes the flag's name (for
 * messages) and its argument, builds in `mem`, and gives 0 or -1 with a caret in err: what was expected, the word that stands there, and the
 * nearest legal thing. Texts of the result live in mem. */
#ifndef WEIR_PARSE_H
#define WEIR_PARSE_H
#include "parse/lang/ast.h"


/* --where: one expression. */
int parse_expr(const char *flag, const char *text, struct arena *mem, struct node **out, struct err *err);
/* --select: expressions and *, each named. */
int parse_select(const char *flag, const char *text, struct arena *mem, struct named_list *out, struct err *err);
/* --keyby: expressions and the word window. */
int parse_keyby(const char *flag, const char *text, struct arena *mem, struct named_list *out, struct err *err);
/* Each item's expr is an N_CALL whose text is the aggregate. */
int parse_reduce(const char *flag, const char *text, struct arena *mem, struct named_list *out, struct err *err);
int parse_topn(const char *flag, const char *text, struct arena *mem, struct topn_ast *out, struct err *err);
/* SIZE, LATENCY or both; size 0 / latency 0: not given. */
int parse_minibatch(const char *flag, const char *text, struct arena *mem, int64_t *size, int64_t *latency, struct err *err);
/* One DURATION, in ms (must be > 0). */
int parse_duration(const char *flag, const char *text, struct arena *mem, int64_t *ms, struct err *err);
/* The same, but it may be 0. */
int parse_delay(const char *flag, const char *text, struct arena *mem, int64_t *ms, struct err *err);
/* The kind says which grammar: SIZE, SIZE every STEP, GAP; out->kind is set to it. Checks that hold without a schema are made here (a step that
 * does not divide the size of cumulate, |offset| against its size, units that mix rows and time). */
int parse_window(enum window_kind kind, const char *flag, const char *text, struct arena *mem, struct window_ast *out, struct err *err);
int parse_trigger(const char *flag, const char *text, struct arena *mem, struct trigger_ast *out, struct err *err);
int parse_evict(const char *flag, const char *text, struct arena *mem, struct evict_ast *out, struct err *err);
int parse_time(const char *flag, const char *text, struct arena *mem, struct time_ast *out, struct err *err);
int parse_watermark(const char *flag, const char *text, struct arena *mem, struct watermark_ast *out, struct err *err);
/* NAME {"," NAME}: --fields, --upsert. */
struct name_list { const char **name; uint32_t *len; uint32_t n; struct span *span; };
int parse_names(const char *flag, const char *text, struct arena *mem, struct name_list *out, struct err *err);
/* A count of bytes for --max-line: 4096, 64K, 16M, 1G; the letter in either case. */
int parse_size(const char *flag, const char *text, struct arena *mem, uint64_t *bytes, struct err *err);
#endif
