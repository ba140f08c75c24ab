/* From the bytes of a field to its value. */
#ifndef WEIR_FIELD_H
#define WEIR_FIELD_H
#include <string.h>

#include "parse/format/cut.h"

/* Is it the text of --null? */
static inline bool field_is_null(const struct input_options *opt, const char *p, size_t len)
{
	return opt->null_text && len == opt->null_len && !memcmp(p, opt->null_text, len);
}

/* A field as it stands there; NULL by --null alone. */
static inline struct value field_value(const struct input_options *opt, const char *p, size_t len, unsigned flags)
{
	if (field_is_null(opt, p, len))
		return value_null();
	return (struct value){ .type = V_RAW, .flags = (uint16_t)flags, .len = (uint32_t)len, .u.p = p };
}

static inline unsigned cutter_flags(const struct cutter *cutter) { return cutter->dirty ? 0 : VF_CLEAN; }

/* Marks a row of named input that has not decoder->nfield fields. */
void field_count_wrong(const struct decoder *decoder, struct records *records, uint32_t row, uint32_t fields);

/* Adds a name found in a header; one without a name is called by its place: c3. */
int field_name(struct schema *names, const char *p, size_t len, struct err *err);

/* Finds the first line that is not blank: its bytes without CR and LF, and what it takes with the line ends before and behind it. HEAD_DONE
 * with *line NULL: there is none (end of file). */
enum head_status head_line(const char *p, size_t n, bool eof, const char **line, size_t *len, size_t *used, uint32_t *lines);

/* Fills the wanted cells of the cutter's lines, fields being what lies between two separators: empty is NULL, and with `backslash_n` \N, too. */
int split_fill(const struct decoder *decoder, struct cutter *cutter, struct records *records, bool backslash_n);
#endif
