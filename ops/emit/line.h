/* Formats whose rows are lines of cells between fixed marks: changelog, tsv, flink.
 *
 *     +I <lead> <first> cell <sep> cell <sep> cell <close>
 *
 *     changelog    +I  TAB a TAB 1 LF          first and sep are TAB
 *     tsv, final       a TAB 1 LF              no kind, first is nothing
 *     flink        +I[ a ,   1 ] LF            lead is [ */
#ifndef WEIR_LINE_H
#define WEIR_LINE_H
#include "ops/emit/emit.h"
#include "ops/emit/text.h"

/* At most 4 bytes, copied as 4. */
struct mark {
	char text[4];
	uint8_t len;
};

struct line {
	struct escape escape;
	const struct time_style *style; /* of times; NULL: ISO, UTC */
	struct mark lead, first, sep, close, null;
	bool kinds;
};

/* All rows of a batch. -1 with emitter->err set. */
int line_rows(struct emitter *emitter, const struct line *line, const struct batch *batch);

/* A line of names: `first` (text as it is; NULL: none), then those of the n columns at col[index[i]] (index NULL: 0..n-1), escaped, between TABs. */
int line_names(struct emitter *emitter, const struct line *line, const char *first, const uint32_t *index, uint32_t n);
#endif
