/* Framing, shared by all formats of one record a line: finds whole lines and the separators in them, a piece of input at a time.
 *
 *     bytes of the block:   [ piece: whole lines only ][ next piece ... ]
 *     cut[i]                begin ... end of line i, without CR and LF; its separators are pos[first] .. pos[first + nsep - 1]
 *
 * Lines of zero bytes are skipped here (but counted), unless they are data.
 *
 * With quotes (set.quote, see scan.h) a line is a record and may hold LFs; one whose quotes are not as they should be, or that is longer than a piece, is
 * not cut: then no whole line is in sight. */
#ifndef WEIR_CUT_H
#define WEIR_CUT_H
#include "parse/format/format.h"
#include "parse/format/scan.h"

struct cut {
	uint32_t begin, end; /* offsets in the piece */
	uint32_t next;       /* where the next line begins */
	uint32_t first, nsep;
	uint32_t line;       /* line ends before it, as record_at.line */
};

/* A part of a decoder's state. */
struct cutter {
	scan_fn *scan;
	struct scan_set set;
	const char *p;         /* the piece */
	const uint32_t *pos;   /* its separators */
	bool dirty;            /* a TAB, CR or backslash may be in its fields; else they are clean (VF_CLEAN) */
	uint32_t n;            /* lines cut */
	bool even;             /* they have as many separators each, and nothing but LF between them: place k of line i is pos[i * (nsep + 1) + k] */
	struct cut cut[BATCH_MAX];
	struct scan_index index;
};

/* Separators are the bytes a and b (may be equal; LF: none). No quotes. */
void cutter_open(struct cutter *cutter, char a, char b);

/* Cuts up to max lines from the front of [p, p + n): sets p, pos, dirty, n, cut, adds to records->lines. Gives the bytes that these lines and
 * skipped ones take; 0: no whole line is in sight. With eof the last line needs no LF. -1 (err set) if memory is refused. */
int64_t cutter_next(struct cutter *cutter, const struct decoder *decoder, const char *p, size_t n, uint32_t max, struct records *records);

/* Is the line longer than --max-line? */
bool cutter_too_long(const struct cutter *cutter, uint32_t i, const struct decoder *decoder);

/* Notes where the cut lies in the input as row `row`, and that it is bad if it is too long. */
void cutter_place(const struct cutter *cutter, uint32_t i, const struct decoder *decoder, struct records *records, uint32_t row);

/* Lines that are one record each: cuts, places, fills until the batch is full or the lines end. `used` is added to. */
enum decode cut_decode(struct decoder *decoder, struct cutter *cutter, const char *p, size_t n, struct records *records, size_t *used, cut_fill *fill);

/* The decode of a format in which every line is a record; its state is a struct cutter, its `fill` does the rest. */
enum decode decode_lines(struct decoder *decoder, const char *p, size_t n, struct records *records, size_t *used, struct control *control);
#endif
