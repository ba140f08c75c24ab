/* The accumulators of one --reduce list as a block of bytes: the maps of distinct, then one accumulator for each aggregate. Keys, panes, sessions and
 * windows each hold such a block; zeroed memory is an empty one; it may be moved by memcpy, not duplicated.
 *
 *     [ map ] ... [ accumulator ] ... */
#ifndef WEIR_ACCS_H
#define WEIR_ACCS_H
#include "ops/agg/agg.h"
#include "ops/key.h"

/* One aggregate of whole rows, which nobody can write: what a topn in windows keeps of them. */
struct accs_whole {
	const struct agg_type *type; /* its one argument is a V_ROW */
	void *conf;
	int (*rows)(void *conf, const struct batch *in, struct value **out); /* makes the arguments, in the batch's memory; -1 if memory is refused */
	bool (*fits)(void *conf, const struct value *v); /* may this, from a snapshot, be an argument? */
};

struct accs_agg {
	struct agg agg;
	const struct accs_whole *whole; /* NULL: arguments are expressions */
	size_t at;           /* its accumulator in the block */
	struct expr *filter; /* NULL: none */
	int32_t distinct;    /* its list; -1: none */
	uint32_t place;      /* among the aggregates of that list */
};

/* A list of arguments with distinct, and the map all its aggregates share: value -> which of them have it (a bit each), or, if the input takes
 * back, how often each of them has it (a word each). */
struct accs_distinct {
	struct key arg;      /* as written, not converted: distinct goes by bytes. One is itself in the map, several are glued as ops/key.h does it */
	const char *text;    /* of the list, for finding it again */
	size_t len;
	bool alone;          /* of one aggregate that minds the order of rows: not to be shared */
	size_t at;           /* the map in the block */
	uint32_t n;          /* aggregates */
	unsigned words;
};

struct accs {
	const struct named_list *list;
	struct accs_agg *agg;
	uint32_t nagg;
	struct accs_distinct *distinct;
	uint32_t ndistinct;
	bool retracts;       /* the input takes back */
	bool heap;           /* a block may own memory: accs_empty before it goes */
	bool grows;          /* a block grows with the values in it: so do the cost of merging it and what is merged */
	size_t size;         /* of a block, a multiple of 8 */
	struct mem *mem;
};

/* Binds a parsed list to the schema of what reaches op. With op->whole that is the aggregate, and the list has its name only. */
int accs_bind(struct accs *accs, const struct op *op, const struct named_list *list, const struct key *key, const struct stream *in, struct err *err);
/* Appends the aggregates' columns to a schema. */
int accs_describe(const struct accs *accs, struct schema *schema);
/* What is read of the input, given what is read of the aggregates' columns (out[i]: aggregate i); of whole rows the caller says it. */
void accs_need(const struct accs *accs, const uint8_t *out, uint8_t *in);
/* For --explain: what it is to know about single aggregates, each behind "; ". */
void accs_explain(const struct accs *accs, struct buf *out);

/* A batch ready to be taken in: arguments and filters evaluated once, in the batch's memory. */
struct accs_input {
	const struct batch *in;
	struct value ***arg;  /* [aggregate][argument][row] */
	uint8_t **pass;       /* [aggregate][row], NULL: no filter */
	struct value **key;   /* [list with distinct][row] */
	bool whole;           /* every row has a block: nobody need look. accs_input sets false */
};
int accs_input(const struct accs *accs, const struct batch *in, struct accs_input *out);

/* Takes rows from .. from + n - 1 in, in order: block[i] is that of row from + i (NULL: it is left out), act[i] ACT_* of ops/agg/agg.h (NULL: all add; ACT_LAST
 * empties the block). -1 if memory is refused. */
int accs_update(const struct accs *accs, const struct accs_input *input, uint32_t from, uint32_t n, void *const *block, const uint8_t *act);

/* The same, with the values before and after each row: [aggregate * n + i]; changed[i] is set where one of them is not the same after it. */
int accs_step(const struct accs *accs, const struct accs_input *input, uint32_t from, uint32_t n, void *const *block, const uint8_t *act,
	struct value *before, struct value *after, uint8_t *changed);

/* Sets changed[i] where two values are not the same. */
void accs_compare(const struct value *before, const struct value *after, uint32_t n, uint8_t *changed);

/* The values of n blocks: out[aggregate * n + i]; texts are borrowed from the block until its next change, or in mem. */
int accs_values(const struct accs *accs, void *const *block, uint32_t n, struct value *out, struct arena *mem);

/* Adds what another block has taken in; its rows are later ones. `from` stays as it is. -1 if memory is refused: into is then to be dropped. */
int accs_merge(const struct accs *accs, void *into, const void *from);

/* Gives back what the block owns; it is empty again. */
void accs_empty(const struct accs *accs, void *block);

/* Snapshot of a block. */
void accs_save(const struct accs *accs, const void *block, struct snap_out *out);
/* Into an empty block. */
int accs_load(const struct accs *accs, void *block, struct snap_in *in);
#endif
