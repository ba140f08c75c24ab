/* Formats in which lines that begin with # stand between the records, and one of them names the fields (w3c, zeek):
 *
 *     #Fields: a b c      field: where the wanted columns are from here on, found by name
 *     1 2 3
 *     #Fields: c a        the next section: b is NULL in it
 *     3 1
 *
 * The lines at the start of a file are read twice: by the head for the schema's names, and by decode like all later ones. */
#ifndef WEIR_SECTION_H
#define WEIR_SECTION_H
#include "parse/format/cut.h"

enum { MARK_MAX = 32, NOT_HERE = UINT32_MAX };

/* How records are written, as far as # lines can say it. */
struct section_syntax {
	char sep[2];          /* of fields; may be equal */
	uint32_t nnull, nempty;
	char null[MARK_MAX];  /* the text of a field that is NULL, nnull bytes */
	char empty[MARK_MAX]; /* the text of one that is empty, nempty bytes; 0: none */
};

/* Reads a # line into syntax; names of fields are added to names, which is empty. A line that cannot be read gets its *why. -1 if memory is refused. */
typedef int section_control(struct section_syntax *syntax, const char *line, size_t len, struct schema *names, const char **why);

/* Fills the rows of cuts i .. end - 1, which are records, from row batch->n on. -1 with err set. */
typedef int section_fill(const struct decoder *decoder, uint32_t i, uint32_t end, struct records *records);

/* The state of such a decoder. */
struct section {
	struct cutter cutter;
	struct section_syntax syntax;
	section_control *control;
	section_fill *fill;
	uint32_t nfield;      /* of a record in this section; 0: no names yet */
	uint32_t *field;      /* per want: its field, or NOT_HERE */
};

/* Gets the section ready for the start of a file. -1 with err set. */
int section_open(struct decoder *decoder, struct section_syntax syntax, section_control *control, section_fill *fill);

/* The names of the first section, from the first n bytes of a file; without records there may be none. A record before them is an error. */
enum head_status section_head(struct section_syntax syntax, section_control *control, const char *p, size_t n, bool eof, struct head *head, size_t *used,
	struct err *err);

/* The decode of such a format: # lines are obeyed, the runs of records between them go to fill. */
enum decode section_decode(struct decoder *decoder, const char *p, size_t n, struct records *records, size_t *used, struct control *control);

/* Marks a row that has not section->nfield fields. */
void section_count_wrong(const struct section *section, struct records *records, uint32_t row, uint32_t fields);
#endif
