/* Words of other languages, SQL's above all, for what this one has under another name: so that messages can say what to write. */
#ifndef WEIR_SYNONYM_H
#define WEIR_SYNONYM_H
#include <stdbool.h>
#include <stddef.h>

enum synonym_kind {
	SYNONYM_FUNCTION,  /* for expressions */
	SYNONYM_AGGREGATE, /* for --reduce */
	SYNONYM_FLAG,      /* a flag does it */
};

struct synonym {
	enum synonym_kind kind;
	char here[48]; /* how it is written: "avg(x)" */
};

/* Looks up a word, in any case; false if it is none of these. p75 and the like are made: quantile(x, 0.75). */
bool synonym_find(const char *word, size_t len, struct synonym *out);
#endif
