/* Formats whose rows are JSON objects between fixed texts, a line each: json, debezium, canal, maxwell.
 *
 *     {"op":"+I",            "k":"a","n":1      }
 *     {"before":null,"after":{  "k":"a","n":1   },"op":"c"}
 *     head                      members          tail
 *
 * Members are the columns by name; of a whole record without names c1, c2, ... A record of json or logfmt input puts its own members in their place. */
#ifndef WEIR_JSON_ROWS_H
#define WEIR_JSON_ROWS_H
#include "ops/emit/emit.h"

struct envelope {
	const char *head, *tail;       /* without the LF */
};

struct json_rows {
	const struct envelope *envelope; /* by kind */
	struct buf names;              /* of all columns: "name": */
	uint32_t *name_at, nname;      /* where that of column c begins, and where the last ends: nname places */
	struct buf scratch;            /* for texts of records whose escapes are resolved */
};

/* Readies emitter->state, a struct json_rows. The envelopes are constants. -1 with emitter->err set. */
int json_rows_begin(struct emitter *emitter, const struct envelope envelope[4]);
/* All rows of a batch. */
int json_rows(struct emitter *emitter, const struct batch *batch);
/* For emit_type.close. */
void json_rows_close(struct emitter *emitter);
#endif
