/* The columns of a stream: names and types, known before the first record.
 *
 * Input without names (tsv without header, space) has an OPEN schema: c1, c2, ... come into being when they are referenced, and a whole
 * row is the one column of type T_ROW (a V_ROW value that holds all fields, each row its own number of them). Behind an operator
 * that passes whole rows (topn, select *) the schema is closed, but its T_ROW column still answers for cN: schema_find gives the place in it.
 *
 * Input of nested or free members (json, logfmt) has an open schema of PATHS: every path exists, and the whole record is its text, in the one column
 * `record` of type T_RECORD. Expressions see that text as T_RAW; where it only passes, the sink may still put its members back in line.
 *
 * A name is found by its hash: thousands of columns, or of equal names, take no longer each than a few. */
#ifndef WEIR_SCHEMA_H
#define WEIR_SCHEMA_H
#include "core/arena.h"
#include "core/err.h"
#include "core/path.h"
#include "core/value.h"

/* What a value can be, known at plan time. */
enum type { T_NULL, T_BOOL, T_NUMBER, T_DURATION, T_TIME, T_TEXT, T_RAW, T_ROW, T_RECORD };

/* "number", "text", ... for messages. */
const char *type_name(enum type type);

/* What a column is read for: bits of one byte per column, gathered backwards from the sink to the source. */
enum {
	NEED_VALUE = 1,  /* as it is */
	NEED_NUMBER = 2, /* as a number: at the source a text that is none makes its record bad */
	NEED_BOOL = 4,   /* likewise true or false */
	NEED_TIME = 8,   /* likewise a time */
	NEED_FIELDS = 16, /* of a T_ROW column: nothing but the fields whose `use` in schema.origin has this bit */
};

struct schema_column {
	const char *name; /* "*" for T_ROW */
	uint32_t len;
	enum type type;
	uint32_t hash;   /* of the name */
	uint32_t suffix; /* the name with _2, _3, ... up to below this is taken; 0: not looked at yet */
	uint32_t pos; /* SCHEMA_POSITIONS: field of the record, from 0; of a path, where there is an origin: the column there */
	const struct step *path; /* SCHEMA_PATHS: where it is found, nstep steps from the record; NULL: the record itself */
	uint32_t nstep;
	uint8_t use;  /* SCHEMA_POSITIONS: NEED_* of operators that read it as a field of whole rows, see schema.origin; NEED_FIELDS: there are such */
};

enum schema_kind {
	SCHEMA_CLOSED,    /* the columns are all there is */
	SCHEMA_POSITIONS, /* c1, c2, ... on demand: an input's own schema */
	SCHEMA_PATHS,     /* members and their members on demand: an input's own schema, too */
};

struct schema {
	enum schema_kind kind;
	uint32_t n, cap;
	struct schema_column *col;
	uint32_t *slot; /* 2 * cap: where the hash of a name points, or in the next free one, the column + 1; 0: free */
	uint32_t row;   /* the T_ROW column + 1; 0: none */
	bool any;  /* SCHEMA_POSITIONS: every name exists: the names never came, as the input is empty */
	struct arena *mem; /* everything lives here */
	const struct zone *zone; /* of local times in expressions over it; NULL: UTC */
	bool timed; /* its rows have event time: the word rowtime */
	bool reads_time; /* an expression over it says rowtime */
	struct schema *origin; /* of the T_ROW column: the open schema of the input whose records it carries; of SCHEMA_PATHS: the one that each path comes from,
	                          so that asking for it here asks for it there. NULL: none */
};

/* Where a name is found. */
struct schema_place {
	uint32_t col;   /* index of the column */
	int32_t field;  /* >= 0: this field of that T_ROW column; -1: the column itself */
	int32_t source; /* with a field: its column in the origin, -1 if there is none; whoever reads it notes that in `use` */
};

/* An empty schema. */
void schema_init(struct schema *schema, enum schema_kind kind, struct arena *mem);

/* Appends a column (name copied) and gives its index; a name that is there already gets _2, _3, ... -1 if memory is refused. */
int schema_add(struct schema *schema, const char *name, size_t len, enum type type);

/* Index of the column of that name, or -1. */
int schema_index(const struct schema *schema, const char *name, size_t len);

/* Finds a path in SCHEMA_PATHS, making its column if it is new: its name is the path as written, odd names in braces. False if memory is refused. */
bool schema_path(struct schema *schema, const struct step *step, uint32_t nstep, struct schema_place *place);

/* The column that stands for whole records of an open schema: T_ROW or T_RECORD. False if memory is refused. */
bool schema_whole(struct schema *schema, struct schema_place *place);

/* Finds a name; SCHEMA_POSITIONS creates cN and, for *, the T_ROW column, SCHEMA_PATHS the member of that name. False if there is none. */
bool schema_find(struct schema *schema, const char *name, size_t len, struct schema_place *place);

/* Index of the T_ROW column, or -1. */
int schema_row(const struct schema *schema);

/* Sets "no column X; there are: a, b, c" with the nearest name first as "did you mean"; always -1. */
int schema_unknown(const struct schema *schema, struct span span, const char *name, size_t len, struct err *err);
#endif
