/* Aggregates: one file, one exported descriptor each; listed in ops/agg/aggs.def.
 *
 * An aggregate runs column by column: one call gets all rows of a batch, in order, with an action per row and the accumulator of each row's
 * key. One key may come many times in a batch; the rows are taken in order, so the values before and after each row are exact.
 * Accumulators are zeroed memory of `size` bytes, relocatable. NULL arguments are ignored by the aggregate itself (all but count). */
#ifndef WEIR_AGG_H
#define WEIR_AGG_H
#include "core/batch.h"
#include "core/err.h"
#include "ops/expr/expr.h"

struct snap_in;
struct snap_out;

enum {
	A_HEAP = 1, /* the accumulator owns memory: drop must be called */
	A_SET = 2,  /* a row that repeats another changes nothing: `distinct` is left out */
	A_ORDERED = 4, /* the order of rows that differ matters */
	A_KEEPS = 8, /* the accumulator grows with the values it takes in */
	A_KEEPS_BACK = 16, /* likewise, if it has to take back */
};

enum { AGG_ARGS_MAX = 8 /* of one aggregate: max_arg is not above it */ };

enum act {
	ACT_ADD = 0,
	ACT_SUB = 1,
	ACT_FIRST = 2, /* the key's first row: the accumulator is zeroed memory */
	ACT_LAST = 4,  /* comes with SUB. Taking this row back empties the key: `after` does not matter, drop the accumulator (zeroed again) */
	ACT_SKIP = 8,  /* with LAST: drop all the same. Else leave it alone; step still gives before = after = its value */
};

/* Counts a row among those that a block holds (there is one, if it takes back): its action. */
static inline uint8_t act_count(int64_t *rows, bool adds)
{
	if (adds)
		return (*rows)++ ? ACT_ADD : ACT_FIRST;
	return --*rows ? ACT_SUB : ACT_SUB | ACT_LAST;
}

struct agg {
	const struct agg_type *type;
	void *conf;                   /* filled by plan, lives with the chain; of type->conf_size bytes */
	struct mem *mem;              /* of what accumulators own */
	bool retracts;                /* the input may take back: set before plan, as keeping what that takes may cost memory */
	struct expr **arg;            /* bound arguments, converted by plan */
	uint32_t narg;
	enum type result;             /* set by plan */
	int8_t trend;                 /* set by plan for insert-only input: TREND_RISES (count, max), TREND_FALLS (min without NULL), 0 */
};

struct agg_rows {
	uint32_t n;
	void *const *acc;             /* by row; NULL where act is ACT_SKIP alone and the key is not there */
	const uint8_t *act;           /* by row: ACT_*; NULL: all ACT_ADD */
	const struct value *const *arg; /* arg[i][row] */
	struct arena *mem;            /* of the batch: for texts in before and after */
};

struct agg_type {
	const char *name, *help;      /* help: one line */
	const char *args;             /* as they are written behind the name: "(x, y)"; for help and messages */
	unsigned can;
	uint8_t min_arg, max_arg;     /* arguments in parentheses */
	size_t conf_size;
	size_t size;                  /* of an accumulator, a multiple of 8 */
	/* Converts arguments (expr_as) and sets result, trend. Columns that are read through: see `passes`. NULL: nothing to do, result T_NUMBER. */
	int (*plan)(struct agg *agg, struct arena *mem, struct err *err);
	/* Adds and takes back in row order. */
	int (*update)(const struct agg *agg, const struct agg_rows *rows);
	/* The same, and the value before and after each row. NULL: the caller gets them row by row through update and value. */
	int (*step)(const struct agg *agg, const struct agg_rows *rows, struct value *before, struct value *after);
	/* Adds what another accumulator has taken in, and (NULL: cannot) takes it away again; the other is left as it is. */
	int (*merge)(const struct agg *agg, void *into, const void *from);
	int (*unmerge)(const struct agg *agg, void *from, const void *part);
	/* The result; texts are borrowed from the accumulator (until its next change) or in mem. */
	int (*value)(const struct agg *agg, const void *acc, struct value *out, struct arena *mem);
	/* The same for n accumulators. NULL: the caller gets them one by one through value. */
	int (*values)(const struct agg *agg, void *const *acc, uint32_t n, struct value *out, struct arena *mem);
	void (*drop)(const struct agg *agg, void *acc);
	void (*save)(const struct agg *agg, const void *acc, struct snap_out *out);
	int (*load)(const struct agg *agg, void *acc, struct snap_in *in);
	/* The result is one of the values of arg[0] as read (min, max, first, last, argmin, argmax): a need of the result is a need of the argument. */
	bool passes;
	/* Updating input whose argument has this trend (or is constant) has nothing to take back: retracts is then not set, and the
	 * retractions that still come are to be ignored. 0: there is none. */
	int8_t absorbs;
};

/* All descriptors, in the order of aggs.def; ends with NULL. */
extern const struct agg_type *const agg_types[];
/* type->step, or without it row by row through update and value. -1 if memory is refused. */
int agg_step(const struct agg *agg, const struct agg_rows *rows, struct value *before, struct value *after);
/* type->values, or without it one by one through value. -1 if memory is refused. */
int agg_values(const struct agg *agg, void *const *acc, uint32_t n, struct value *out, struct arena *mem);
/* By name; NULL if there is none. */
const struct agg_type *agg_find(const char *name, size_t len);
#endif
