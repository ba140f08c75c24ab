/* Expressions, bound to a schema: typed, columns resolved to places, ready to run over a batch, column by column.
 *
 * Three-valued logic; nothing fails at run time: what cannot be computed is NULL, and what is read as a number or a time was checked
 * where the record was decoded (needs NEED_NUMBER, NEED_TIME, gathered by expr_need). */
#ifndef WEIR_EXPR_H
#define WEIR_EXPR_H
#include "core/batch.h"
#include "core/schema.h"
#include "parse/lang/ast.h"

struct expr;

/* Resolves names and types; NULL with a caret in err. Lives in mem. A SCHEMA_POSITIONS schema gets the columns that are referenced. */
struct expr *expr_bind(const struct node *node, struct schema *schema, struct arena *mem, struct err *err);

/* The same expression used as a number (T_NUMBER, T_DURATION), a boolean, a time, or text: a raw one is converted, pushed down through coalesce, if
 * and the like to the columns it comes from. A text used as a time is read as one, now if it is constant. A type that cannot be is a usage error with
 * a caret that names number(), text() or what else converts it. */
struct expr *expr_as(struct expr *expr, enum type type, struct arena *mem, struct err *err);

/* Its text, as the function text gives it; a time in the zone of the schema. */
struct expr *expr_text(struct expr *expr, struct arena *mem, struct err *err);

/* What its values are. */
enum type expr_type(const struct expr *expr);

/* The column that the expression passes on unchanged; -1: it computes. Used for unique keys, trends, needs, and to borrow. */
int expr_column(const struct expr *expr);

/* Adds (|=) NEED_* bits to in[column]. `use` is what the result itself is read for: a raw column that passes through is needed for the same. */
void expr_need(const struct expr *expr, uint8_t use, uint8_t *in);

/* Evaluates over all rows. out->v is batch->n values in batch->mem, or the batch's own column (then it must not be written). Texts are borrowed
 * from the batch or its mem. -1 if memory is refused. An expression used as a number is answered from column.num where that is there. */
int expr_eval(const struct expr *expr, const struct batch *batch, struct value **out);

/* Rows for which a boolean expression is TRUE: sets pass[row] to 1 or 0 and gives their number in *n. */
int expr_true(const struct expr *expr, const struct batch *batch, uint8_t *pass, uint32_t *n);

/* The value of an expression without columns (for aggregates' parameters and constant checks); false if it has some. */
bool expr_constant(const struct expr *expr, struct value *out);

/* Complains (-1) about an expression without columns, bound from `node`, where one that tells rows apart is needed: a key, an order. */
int expr_varies(const struct expr *expr, const struct node *node, const struct schema *schema, struct err *err);

/* Where in the flag's argument it was written. */
struct span expr_span(const struct expr *expr);
#endif
