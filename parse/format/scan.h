/* Finding separators: one pass over a piece of input gives the places of all separators and line ends.
 *
 *     bytes     a TAB b b LF c TAB LF        sep: TAB
 *     pos       1     4      6     7         every separator and every LF, rising
 *     line            1            3         places in pos of the LFs: line k ends at pos[line[k]]
 *
 * So line k has line[k] - line[k-1] - 1 separators, and its fields are found without looking at its bytes again.
 *
 * With quotes (csv) a separator or LF between two of them is none. A field in quotes begins with one and ends with one, and all quotes in it are doubled;
 * where one stands elsewhere, or text behind a closing one, the piece is indexed up to there:
 *
 *     bytes     " a , " " b " , c LF         sep: ,
 *     pos                     7   9          the comma at 2 is text
 *
 * The masks of 64 bytes come from
 * AVX-512, AVX2 or SSE2 where the processor has it, else from plain C (eight bytes at a time in a word); all are tested against a byte loop. */
#ifndef WEIR_SCAN_H
#define WEIR_SCAN_H
#include <stdbool.h>
#include <stdint.h>

enum {
	SCAN_MAX = 8192,  /* bytes of a piece: its index stays in the first level cache */
	SCAN_SLACK = 64,  /* a step writes up to this many places too many */
};

/* What to look for. Unused places repeat another one. */
struct scan_set {
	char sep[2];
	char dirty[3]; /* bytes that a sink would have to escape */
	char quote;    /* 0: none */
};

struct scan_index {
	uint32_t n, nline;
	bool dirty;                       /* one of the dirty bytes is in the piece */
	/* with quotes: */
	bool quoted, inner;               /* there are some; there are LFs between them, which make the piece dirty */
	bool open;                        /* the piece ends between two quotes or with the CR behind one, or was not indexed to its end */
	uint32_t pos[SCAN_MAX + SCAN_SLACK];
	uint32_t line[SCAN_MAX + SCAN_SLACK];
};

/* Indexes p[0..n), n <= SCAN_MAX. */
typedef void scan_fn(const struct scan_set *set, const char *p, uint32_t n, struct scan_index *index);

scan_fn scan_plain;

/* The paths of SSE2 (any x86-64), of AVX2, and of AVX-512 with VBMI2; NULL if this machine lacks them. */
scan_fn *scan_sse2(void);
scan_fn *scan_avx2(void);
scan_fn *scan_avx512(void);

/* The fastest path here. */
scan_fn *scan_best(void);
#endif
