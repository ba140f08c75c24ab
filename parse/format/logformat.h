/* Access logs: the lines of a web server, fields with fixed text between them. Their shape is a constant (clf.c) or comes from the server's own words for it
 * (logshape.h).
 *
 *     1.2.3.4 - - [29/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 ...
 *     field   f f  field                        field           field
 *            b b bb                          bbb               bb              b: the text behind a field, which ends it
 *
 * The cutter finds all quotes beforehand; other fields are short, and their ends near.
 *
 * `-` is NULL. What a record holds is not looked at beyond that: a time that is none makes it bad only where its time is needed. */
#ifndef WEIR_LOGFORMAT_H
#define WEIR_LOGFORMAT_H
#include "parse/format/clf_request.h"
#include "parse/format/cut.h"

/* Where a field ends. */
enum log_end {
	LOG_TEXT,  /* at the first place where all of the text behind it stands */
	LOG_FIRST, /* at the first byte of that text; the others must follow */
	LOG_QUOTE, /* at the first quote that no backslash escapes; the others must follow */
	LOG_WIDTH, /* after `width` bytes */
	LOG_BLANK, /* at a blank or the end of the line */
	LOG_LINE,  /* at the end of the line */
};

/* What a LOG_TEXT field can hold that looks like its end. */
enum log_doubt {
	LOG_SURE,
	LOG_LIST,    /* a blank behind a comma, or beside a colon that stands alone: 10.0.0.1:80, 10.0.0.2:80 : unix:/run/x */
	LOG_REQUEST, /* the blanks of METHOD URL PROTO, without quotes around it */
};

struct log_field {
	const char *name;     /* for messages */
	const char *behind;   /* the text behind it, up to the next field or the end of the line */
	uint32_t nbehind;
	enum log_end end;
	enum log_doubt doubt;
	uint32_t width;       /* LOG_WIDTH */
	bool dash;            /* `-` is a text */
};

/* What a column has of its field. */
enum log_piece {
	LOG_WHOLE,
	LOG_METHOD, LOG_URL, LOG_PATH, LOG_QUERY, LOG_PROTO, /* of a request; all NULL if it is not METHOD URL PROTO */
	LOG_BEFORE, /* all before `at`; everything if that is not there */
	LOG_FROM,   /* from `at` on; NULL if that is not there */
	LOG_BEHIND, /* what follows `at`; NULL if that is not there */
};

struct log_column {
	const char *name;
	uint32_t field;       /* beyond the last one: a surplus field */
	enum log_piece piece;
	char at;              /* the first one in the field; of colons the last */
};

/* How servers write what would be mistaken for an end. */
enum log_escape {
	LOG_AS_IS,
	LOG_BACKSLASH, /* \" and \\; other backslashes are data */
	LOG_JSON,      /* as in JSON */
};

enum { LOG_SURPLUS = 2 /* fields that may follow the last one */ };

struct log_shape {
	const char *head;       /* the text before the first field */
	uint32_t nhead, nfield, ncolumn;
	const struct log_field *field;
	const struct log_column *column;
	enum log_escape escape;
	bool loose;             /* each blank of the texts stands for any number of them */
	bool surplus;           /* a blank and any more may follow; up to LOG_SURPLUS fields of that are columns */
	bool empty_null;        /* an empty field is NULL, too */
};

struct log_state {
	struct cutter cutter;   /* first: decode_lines takes the state for one */
	const struct log_shape *shape;
	struct piece *part;     /* nfield + LOG_SURPLUS */
};

/* The columns of a shape. -1 if memory is refused. */
int log_schema(const struct log_shape *shape, struct schema *schema);
/* Makes the struct log_state of a decoder ready. The shape is borrowed. 0 or -1. */
int log_open(struct decoder *decoder, const struct log_shape *shape);
/* The fill of such a format. */
cut_fill log_fill;
#endif
