/* Members of records that pass whole (json, logfmt): what a --topn sorts them by, and its key, are paths into the text of the record, and of that the
 * result has nothing but the text. So the texts are decoded once more, for the few rows that reach a picture. */
#ifndef WEIR_LIVE_RECORD_H
#define WEIR_LIVE_RECORD_H
#include "core/batch.h"
#include "parse/format/format.h"

struct live_record {
	struct input_options opt;
	struct schema schema;   /* the paths that were bound to it */
	struct decoder decoder; /* type NULL: not begun */
	struct arena *mem;
};

/* Gets the schema ready to bind expressions to. `input`: how the records were read; mem holds all, and dies with it. */
void live_record_begin(struct live_record *record, const struct input_options *input, struct arena *mem, struct err *err);

/* Once all is bound: need[c] tells which columns of the schema are read. 0, or -1 with err set. */
int live_record_open(struct live_record *record, const uint8_t *need);

/* The columns of the schema for all rows of a batch whose column `text` has the records: out has the same rows, and lives as long as the batch's memory.
 * What cannot be decoded is NULL. 0, or -1 with err set. */
int live_record_read(struct live_record *record, const struct batch *batch, uint32_t text, struct batch *out);
#endif
