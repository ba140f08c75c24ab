/* The FORMAT of --time: how a field becomes a time.
 *
 * Words: s ms us ns (counts), iso, clf, syslog (Nov 29 10:00:00, also with a year or a fraction, and ISO); else a strptime pattern. Not given, it is guessed
 * from the first value that can be read, and stays: a number is s, ms, us or ns by its digits before the point (9-10, 12-13, 15-16, 18-19; other lengths cannot
 * be guessed), else clf, iso, syslog, and a few patterns that are in common use and cannot be mistaken. */
#ifndef WEIR_STAMP_H
#define WEIR_STAMP_H
#include "core/strptime.h"
#include "core/value.h"

struct stamp {
	enum stamp_kind { STAMP_GUESS, STAMP_COUNT, STAMP_ISO, STAMP_CLF, STAMP_SYSLOG, STAMP_PATTERN } kind;
	unsigned places;             /* STAMP_COUNT: 0, 3, 6, 9 */
	const char *pattern;         /* STAMP_PATTERN; borrowed */
	uint32_t len;
};

/* From the word or the pattern of --time, which is borrowed; -1 with a caret. */
int stamp_init(struct stamp *stamp, const char *format, uint32_t len, bool pattern, struct span span, struct err *err);
/* The time that a value is: V_TIME as it is, texts by the format, numbers by the format of their text (exactly, as counts). A guess that succeeds is fixed in
 * *stamp. False: it is none; then *why, a constant, says so: "not a time in ms". */
bool stamp_read(struct stamp *stamp, const struct value *v, const struct strptime_env *env, int64_t *out, const char **why);
/* The guess of an earlier run, from its kind, places and pattern (`len` bytes). False: no guess comes to that; *stamp is as it was. */
bool stamp_restore(struct stamp *stamp, uint64_t kind, uint64_t places, const char *pattern, size_t len);
/* "iso", "ms", the pattern in quotes, for --explain and the note on a terminal; `room` > 0. Gives the length. */
uint32_t stamp_name(const struct stamp *stamp, char *out, uint32_t room);
#endif
