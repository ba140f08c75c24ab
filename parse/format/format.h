/* Input formats: one decoder a file, one exported descriptor each; listed in parse/format/formats.def.
 *
 * A decoder cuts the bytes of the reader's block into records and finds only the fields that the chain reads. It never copies where it
 * can borrow: values point into the block, unescaped ones into batch memory. */
#ifndef WEIR_FORMAT_H
#define WEIR_FORMAT_H
#include <stdbool.h>

#include "core/batch.h"
#include "core/err.h"
#include "core/schema.h"
#include "core/stamp.h"

enum {
	F_NAMES_DEFAULT = 1, /* the first line names the columns unless --no-header or --fields is given (csv) */
	F_NAMES_ALLOWED = 2, /* -H, --fields, --ragged make sense */
	F_DELIMITER = 4,     /* -d makes sense */
	F_BLANK_IS_DATA = 8, /* a line of zero bytes is a record (lines) */
	F_KINDS = 16,        /* rows carry kinds (changelog, debezium) */
	F_PATHS = 32,        /* members are free and may be nested: SCHEMA_PATHS (json, logfmt) */
	F_HEAD = 64,         /* the names stand before the records in any case: head is always called (w3c, zeek) */
	F_SPEC = 128,        /* needs something behind a colon: -f regex:PATTERN */
	F_CONTROL = 256,     /* control lines may stand between the records: @wm, @pt (changelog) */
};

/* What the command line says about the input; shared by all decoders. */
struct input_options {
	const struct format *format;
	const char *spec;          /* F_SPEC: what stands behind the colon of -f NAME:SPEC, else NULL */
	const void *shape;         /* what format->prepare made of it */
	const char *time;          /* the column with the record's own time; NULL: none. From format->time, or from prepare */
	struct stamp time_stamp;   /* how it is written */
	char delimiter;            /* 0: the format's own; never CR or LF, nor the quote of csv */
	int header;                /* 1: -H, 0: --no-header, -1: as the format has it */
	bool ragged;
	bool upsert;               /* F_KINDS: --upsert is given, updates come without -U */
	const char *null_text;     /* --null; NULL: none */
	uint32_t null_len;
	uint64_t max_line;         /* bytes before the LF; at most 1 << 31 */
	const char **field;        /* --fields; NULL: none */
	uint32_t *field_len;
	uint32_t nfield;
};

/* Which fields are wanted, by position: made from the schema and the needs once per file. */
struct want { uint32_t pos, col; };

/* Where a record lies in the input. */
struct record_at {
	const char *p; /* its bytes, the line ends inside and at its end included */
	uint32_t len;
	uint32_t line; /* lines between the start of the bytes given to decode and it */
};

/* Why a record is bad, and in which column (NULL: it is the whole record). */
struct record_bad { const char *why, *column; };

/* Records of one decode call, on their way into a batch. */
struct records {
	struct batch *batch;        /* col[].v is there for wanted columns; decode fills rows n..max-1, and kind if it is not NULL */
	uint32_t max;               /* rows at most: 2..BATCH_MAX */
	struct record_at *at;       /* per row; two rows of one record (an update of debezium) have the same */
	struct record_bad *bad;     /* per row; why NULL (all are on entry): a good one. The cells of a bad row may be anything */
	uint32_t nbad;
	uint32_t lines;             /* line ends in the bytes that were used up */
};

/* Marks a row as bad, with a text that lives as long as the batch; the first reason stays. The column's name is borrowed. */
void record_bad(struct records *records, uint32_t row, const char *column, const char *format, ...) __attribute__((format(printf, 4, 5)));

struct decoder {
	const struct format *type;
	const struct input_options *opt;
	const struct schema *schema; /* of the source: names, and the paths of SCHEMA_PATHS */
	struct arena *mem;          /* dies with the file: for what open makes */
	void *state;
	uint32_t nwant;             /* wanted columns in rising order of pos (formats with columns of their own: of the column) */
	const struct want *want;
	int row_col;                /* column to fill with the whole record: T_ROW with all fields, T_RECORD with the text; or -1 */
	uint32_t nfield;            /* fields a record must have (named input); 0: any number */
	unsigned kinds;             /* F_KINDS: kinds beyond +I that may come, S_U | S_D */
	uint32_t nkey;              /* F_KINDS: fields of the unique key (@key): a pair must agree in them; 0: not known */
	const uint32_t *key;
	uint64_t passed;            /* bytes that came before those given to decode, those of earlier files among them */
	bool eof;                   /* no more bytes of this file follow those given */
	bool begun;                 /* F_KINDS: a record of this file has been seen (the reader sets it for one that it passed over) */
	struct err *err;
};

/* What stands before the records of a file: a line of names, or control lines. */
struct head {
	struct schema *names;       /* found names are added; without any it stays empty */
	unsigned kinds;             /* F_KINDS */
	uint32_t nkey;              /* F_KINDS: the fields of @key, in names->mem */
	uint32_t *key;
	uint32_t lines;             /* line ends in the bytes that were used up */
};

enum head_status {
	HEAD_DONE,   /* *used bytes are done with */
	HEAD_MORE,   /* it does not end in the bytes given */
	HEAD_FAILED, /* err is set */
};

struct control { enum { C_NONE, C_WM, C_PT } kind; int64_t value; };

/* What decode stopped at. */
enum decode {
	DECODE_ROWS,    /* rows (maybe none) came out, *used bytes are done with; call again with those behind them, and more */
	DECODE_CONTROL, /* rows before it came out; *used is behind a control line, which lies in *control */
	DECODE_FAILED,  /* err is set: the input as a whole cannot be read */
};

struct cutter;

/* Fills the cells of rows n .. n + cutter->n - 1, one for each cut, in order; -1 with err set. */
typedef int cut_fill(const struct decoder *decoder, struct cutter *cutter, struct records *records);

struct format {
	const char *name, *help; /* help: one line */
	const char *more;        /* lines that --help NAME adds; NULL: none */
	unsigned traits;
	const char *time;        /* the column with the record's own time, and how it is written; NULL: none, or prepare tells */
	enum stamp_kind time_kind;
	size_t state_size;
	/* Reads options->spec (F_SPEC) into shape and time, in mem; -1 with a usage error, the caret in the spec. NULL: there is nothing to read. */
	int (*prepare)(struct input_options *opt, struct arena *mem, struct err *err);
	/* Columns of its own go into the schema (clf, combined, lines); NULL: they come from names, or are c1, c2, ...; -1 if memory is refused. */
	int (*schema)(const struct input_options *opt, struct schema *schema);
	/* Reads the head from the first n bytes of a file (behind a BOM); NULL: the format has none. Without F_KINDS called only if names are expected. */
	enum head_status (*head)(const struct input_options *opt, const char *p, size_t n, bool eof, struct head *head, size_t *used, struct err *err);
	/* Gets the state, zeroed, ready for the start of a file; -1 with err set. */
	int (*open)(struct decoder *decoder);
	/* Decodes whole records from [p, p + n); an unfinished last one is left and is given again with more bytes (or eof). A line longer than
	 * max_line is a bad record (why_long); one that does not end in the bytes given is left to the reader. */
	enum decode (*decode)(struct decoder *decoder, const char *p, size_t n, struct records *records, size_t *used, struct control *control);
	cut_fill *fill;          /* for decode_lines (parse/format/cut.h); else NULL */
};

extern const char why_long[]; /* the reason for a line longer than --max-line */

/* All descriptors, in the order of formats.def; ends with NULL. */
extern const struct format *const formats[];
const struct format *format_find(const char *name, size_t len);

/* Does the first line of each file name the columns? */
bool format_header(const struct input_options *opt);
#endif
