/* What -f json and -f debezium share: a row whose columns are the members of a JSON object. */
#ifndef WEIR_JSON_ROW_H
#define WEIR_JSON_ROW_H
#include "core/json.h"
#include "parse/format/cut.h"

/* A JSON text in a record: where the record begins, for messages; room: see json_read. */
struct json_text {
	const char *record, *p;
	size_t n, room;
};

static inline bool json_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The text of line i, without the blanks around it. */
static inline struct json_text json_text_of(const struct cutter *c, uint32_t i)
{
	const struct cut *cut = &c->cut[i];
	const char *p = c->p + cut->begin, *end = c->p + cut->end, *all = c->p + c->cut[c->n - 1].next;
	while (p < end && json_blank(*p))
		p++;
	while (p < end && json_blank(end[-1]))
		end--;
	return (struct json_text){ c->p + cut->begin, p, (size_t)(end - p), (size_t)(all - p) };
}

/* A reader for the wanted columns, in d->mem; NULL with err set. */
struct json *json_row_open(const struct decoder *d);

/* Reads the text as row `row`: its wanted columns, and itself as the record. What is not JSON makes the row a bad one. 0, or -1 with err set. */
int json_row_fill(const struct decoder *d, struct json *json, const struct json_text *text, struct records *records, uint32_t row);

/* Marks the row as one whose text is not JSON: says why, and at which byte of the record. */
void json_row_bad(const struct json *json, const struct json_text *text, struct records *records, uint32_t row);
#endif
