/* Snapshots: logical, versioned, checksummed. A writer appends to memory; main writes it aside, syncs and renames it. A reader checks every bound:
 * a damaged or foreign file is an error with a reason, never a crash.
 *
 *     "weir state 1\n" | section ... | XXH3 of all before (8 bytes)
 *                         section: name (varint length, bytes), length (8 bytes), content
 *
 * Sections are read in the order in which they were written; names may repeat. Numbers of fixed size are little-endian.
 *
 *     snap_begin(&out);                              struct snap_in file, part; struct snap_name name;
 *     size_t mark = snap_section_begin(&out, "op");  if (snap_open(&file, p, n, &arena, err)) return -1;
 *     snap_put_u64(&out, 7);                         while (snap_section(&file, &name, &part)) {
 *     snap_section_end(&out, mark);                          ... snap_u64(&part) ...
 *     snap_end(&out);                                        if (snap_done(&part, "op", err)) return -1;
 *     if (buf.failed) return err_memory(err);        }
 *                                                    return snap_done(&file, "sections", err); */
#ifndef WEIR_SNAPSHOT_H
#define WEIR_SNAPSHOT_H
#include "core/buf.h"
#include "core/err.h"
#include "core/value.h"

struct arena;

struct snap_out { struct buf *buf; }; /* failures stick in buf->failed */
struct snap_in {
	const char *p, *end;
	struct arena *mem;
	bool bad;     /* a bound was passed, or something cannot be; values read after that are 0 and empty */
	bool refused; /* memory was refused; bad is set, too */
};

void snap_put_u64(struct snap_out *out, uint64_t v);          /* varint: 7 bits a byte, low ones first */
void snap_put_i64(struct snap_out *out, int64_t v);           /* zigzag varint */
void snap_put_f64(struct snap_out *out, double v);            /* 8 bytes */
void snap_put_bytes(struct snap_out *out, const void *p, size_t n); /* their number, then they */
void snap_put_value(struct snap_out *out, const struct value *v); /* every type, V_ROW too (of fields that are none) */

uint64_t snap_u64(struct snap_in *in);                        /* what snap_put_u64 has put; 0 if there is no such thing */
int64_t snap_i64(struct snap_in *in);                         /* likewise */
double snap_f64(struct snap_in *in);                          /* likewise; any bit pattern, NaN too */
const char *snap_bytes(struct snap_in *in, size_t *n);        /* borrowed from the snapshot; never NULL */
void snap_value(struct snap_in *in, struct value *v);         /* texts borrowed from the snapshot; V_ROW arrays in in->mem */

/* Steps over a value; the bytes that a copy of it takes besides itself: its text, or its fields and their texts. */
uint64_t snap_skip_value(struct snap_in *in);
/* snap_value, with the fields of a V_ROW at *room, which moves on behind them; in->mem is not touched. snap_skip_value came first. */
void snap_value_at(struct snap_in *in, struct value *v, struct value **room);

/* A count of things that follow, each at least one byte long: more than there are bytes left is bad. To be used before memory is asked for them. */
uint64_t snap_count(struct snap_in *in);

/* Sets "the state is damaged (WHAT)" if in->bad or bytes are left over; 0 otherwise. */
int snap_done(const struct snap_in *in, const char *what, struct err *err);

/* ---- the file ---- */

/* Starts a file in an empty buffer; ends it with the checksum. */
void snap_begin(struct snap_out *out);
void snap_end(struct snap_out *out);
/* What is put between these two is the section's content. begin gives the mark for end. */
size_t snap_section_begin(struct snap_out *out, const char *name);
void snap_section_end(struct snap_out *out, size_t mark);

struct snap_name {
	const char *p; /* in the snapshot, no NUL behind it */
	size_t len;
};

/* Checks the first line, the version and the checksum of a whole file and leaves *in before its first section. -1 with "no weir state", "of another
 * version of weir" or "the state is damaged (checksum)" in err. */
int snap_open(struct snap_in *in, const char *p, size_t n, struct arena *mem, struct err *err);

/* Opens the next section; false at the end and when the file is bad (snap_done tells). */
bool snap_section(struct snap_in *file, struct snap_name *name, struct snap_in *section);

/* Opens the next section, which must be called `name`: else -1 with "the state is damaged" in err. */
int snap_want(struct snap_in *file, const char *name, struct snap_in *section, struct err *err);
#endif
