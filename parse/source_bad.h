/* Bad records: told on stderr (the first few), written to --bad-file, counted, and weighed against --max-bad. */
#ifndef WEIR_SOURCE_BAD_H
#define WEIR_SOURCE_BAD_H
#include "core/out.h"
#include "parse/source.h"

enum { BAD_SHOWN = 10 /* told one by one */ };

struct bad_log {
	const struct source_options *options;
	uint64_t records, bad;
	char first[300];   /* FILE:LINE of the first */
	bool stopped;      /* more than --max-bad N */
	bool torn;         /* the last record written had no line end */
	struct out out;    /* --bad-file; fd -1: none */
	struct mem *mem;
};

/* Opens --bad-file, for appending. 0, or -1 with err set. */
int bad_open(struct bad_log *log, const struct source_options *options, struct mem *mem, struct err *err);

/* A bad record at FILE:line. True if it is one too many for --max-bad N: reading stops here. Its bytes are given by bad_bytes. */
bool bad_add(struct bad_log *log, const char *file, uint64_t line, const struct record_bad *why);

/* Bytes of a bad record, as they were read; a long one may come in pieces, only the first of which `begins` it. */
void bad_bytes(struct bad_log *log, const char *p, size_t n, bool begins);

/* Writes what waits. 0, or -1 with err set. */
int bad_flush(struct bad_log *log, struct err *err);

/* The closing report, closes the file, and judges: -1 with err set if too many records were bad or the file could not be written. */
int bad_finish(struct bad_log *log, struct err *err);

/* Frees what bad_finish has not. */
void bad_close(struct bad_log *log);
#endif
