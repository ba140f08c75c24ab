/* From a server's own words for its log to the shape of the lines (logformat.h): what nginx.c and apache.c share.
 *
 *     '$remote_addr - [$time_local] '    pasted: quotes, backslashes, several pieces
 *     '"$request" $status'
 *     $remote_addr - [$time_local] "$request" $status          config_text: what the server sees, each byte with its place for carets
 *     ip " - [" time "] \"" request "\" " status               the shape */
#ifndef WEIR_LOGSHAPE_H
#define WEIR_LOGSHAPE_H
#include "core/err.h"
#include "parse/format/logformat.h"

struct config_text {
	char *p;      /* n bytes and NUL */
	uint32_t *at; /* n + 1 places in the specification */
	uint32_t n;
};

/* What the server writes at one place. */
struct log_item {
	const char *name;   /* of its column */
	uint32_t width;     /* always so many bytes; 0: any */
	char lead;          /* '/' or '?': begins with it, so it may follow another item directly. The '?' is no part of its value */
	bool request;       /* METHOD URL PROTO */
	bool list;          /* LOG_LIST */
	bool blanks;        /* has blanks, so that without quotes none can follow */
	bool dash;          /* `-` is a text */
	bool time;          /* a time, written as `stamp` says */
	struct stamp stamp;
};

/* Where the items of a field stand in the specification. */
struct shaper_place {
	size_t at, len;
	bool blanks;
};

struct shaper {
	struct input_options *in;
	struct arena *mem;
	struct err *err;
	struct log_shape *shape; /* escape and empty_null are the caller's, before the first item */
	struct log_field *field;
	struct log_column *column;
	struct shaper_place *place; /* of each field */
	char *text;             /* all texts between fields, one behind the other */
	uint32_t ntext;
	bool quoted;            /* an odd number of quotes stands in them */
	char flag[24];          /* "-f nginx" */
};

/* Ready for in->spec; memory from mem. 0, or -1 with err set, as with all below. */
int shaper_init(struct shaper *shaper, struct input_options *in, struct arena *mem, struct err *err);
/* A piece of the specification, for carets. */
struct span shaper_span(const struct shaper *shaper, size_t at, size_t len);

/* Room for the whole specification. */
int config_text_init(struct config_text *text, const struct shaper *shaper);
/* Appends spec[from..to) with \" \' \\ \t resolved and escaped line ends left out. */
void config_text_add(struct config_text *text, const char *spec, size_t from, size_t to);
/* The same for all of it but blanks and line ends around it. */
void config_text_all(struct config_text *text, const char *spec);
/* The quote that closes the one at p; NULL if there is none. */
const char *config_quote_end(const char *p);

/* One more byte of the text between items, from place `at` of the specification. */
int shaper_text(struct shaper *shaper, char c, size_t at);
/* One more item, at a place of the specification. */
int shaper_item(struct shaper *shaper, const struct log_item *item, size_t at, size_t len);
/* All is said: in->shape, in->time and in->time_stamp are set. `what` is missing if there is no item at all. */
int shaper_end(struct shaper *shaper, const char *what);

/* The schema and open of such a format, once its shape is in the options. */
int shaped_schema(const struct input_options *opt, struct schema *schema);
int shaped_open(struct decoder *decoder);
#endif
