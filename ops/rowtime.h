/* --time: the event time of each record, found while it is decoded, so that one without a valid time leaves no trace behind. */
#ifndef WEIR_ROWTIME_H
#define WEIR_ROWTIME_H
#include "core/stamp.h"
#include "ops/expr/expr.h"
#include "parse/format/format.h"

struct rowtime {
	struct expr *expr;        /* NULL: rows have no event time */
	const char *column;       /* for messages; NULL: computed */
	struct stamp stamp;
	struct strptime_env env;  /* env.now: the clock, to be kept by the caller */
	bool watch;               /* a time more than env.ahead behind the clock is refused */
};

/* Binds --time (ast; NULL: not given) or the time that the format brings itself (in->time). *timed: is there one? `clock` alone asks for none. */
int rowtime_bind(struct rowtime *rowtime, const struct time_ast *ast, const struct input_options *in, struct schema *schema, struct arena *mem, bool *timed, struct err *err);

/* Adds what is read of the input. */
void rowtime_need(const struct rowtime *rowtime, uint8_t *need);

/* A source_stamp of parse/source.h; ctx is the struct rowtime. */
int rowtime_stamp(void *ctx, struct records *records);

/* "c1, ms", for --explain. Gives the length. */
uint32_t rowtime_text(const struct rowtime *rowtime, char *out, uint32_t room);

/* A guess that was made holds for the next run. */
struct snap_out;
struct snap_in;
void rowtime_save(const struct rowtime *rowtime, struct snap_out *out);
void rowtime_load(struct rowtime *rowtime, struct snap_in *in);
#endif
