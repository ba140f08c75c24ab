#include "core/stamp.h"

#include <stdio.h>

#include "core/nearest.h"
#include "core/number.h"
#include "core/time_text.h"

static const struct word {
	const char *word;
	enum stamp_kind kind;
	unsigned places;
	const char *not_one;
} words[] = {
	{ "s", STAMP_COUNT, 0, "not a time in s" },
	{ "ms", STAMP_COUNT, 3, "not a time in ms" },
	{ "us", STAMP_COUNT, 6, "not a time in us" },
	{ "ns", STAMP_COUNT, 9, "not a time in ns" },
	{ "iso", STAMP_ISO, 0, "not an ISO time, or no date that exists" },
	{ "clf", STAMP_CLF, 0, "not a time of the log (10/Oct/2000:13:55:36 -0700), or no date that exists" },
	{ "syslog", STAMP_SYSLOG, 0, "not a time of syslog (Nov 29 10:00:00), or no date that exists" },
};
enum { WORDS = sizeof words / sizeof *words };

int stamp_init(struct stamp *stamp, const char *format, uint32_t len, bool pattern, struct span span, struct err *err)
{
	const char *names[WORDS];
	if (pattern && memchr(format, '%', len)) {
		*stamp = (struct stamp){ .kind = STAMP_PATTERN, .pattern = format, .len = len };
		span.at += span.len > len; /* behind the quote */
		return strptime_check(format, len, span, err);
	}
	for (int i = 0; i < WORDS; i++) {
		names[i] = words[i].word;
		if (strlen(words[i].word) == len && memcmp(words[i].word, format, len) == 0) {
			*stamp = (struct stamp){ .kind = words[i].kind, .places = words[i].places };
			return 0;
		}
	}
	int near = nearest_word(format, len, names, WORDS);
	return err_at(err, span, "no time format '%.*s'%s%s%s; there are: s, ms, us, ns, iso, clf, syslog, or a pattern in quotes (\"%%d.%%m.%%Y %%H:%%M\")",
		      (int)len, format, near >= 0 ? "; did you mean " : "", near >= 0 ? names[near] : "", near >= 0 ? "?" : "");
}

/* ---- one value */

enum { LONGEST_DAY = 11 /* bytes of "Oct 11 22" and some blanks; with a year there are more before the first colon */ };

/* The day may have one digit; the year and a fraction are what some devices, and journalctl, add. */
static bool read_syslog(const char *p, uint32_t n, const struct strptime_env *env, int64_t *out)
{
	static const char *const patterns[2][3] = {
		{ "%b %e %H:%M:%S", "%b %e %H:%M:%S.%f", "%b %e %H:%M:%S,%f" },
		{ "%b %e %Y %H:%M:%S", "%b %e %Y %H:%M:%S.%f", "%b %e %Y %H:%M:%S,%f" },
	};
	if (n && is_digit(*p))
		return time_read_iso(p, n, env->zone, out);
	const char *colon = n ? memchr(p, ':', n) : NULL;
	if (!colon)
		return false;
	size_t rest = n - (size_t)(colon - p);
	int fraction = memchr(colon, '.', rest) ? 1 : memchr(colon, ',', rest) ? 2 : 0;
	const char *pattern = patterns[colon - p > LONGEST_DAY][fraction];
	return strptime_read(pattern, (uint32_t)strlen(pattern), p, n, env, out);
}

static bool read_text(const struct stamp *stamp, const char *p, uint32_t n, const struct strptime_env *env, int64_t *out)
{
	switch (stamp->kind) {
	case STAMP_COUNT: return time_read_count(p, n, stamp->places, out);
	case STAMP_ISO: return time_read_iso(p, n, env->zone, out);
	case STAMP_CLF: return time_read_clf(p, n, env->zone, out);
	case STAMP_SYSLOG: return read_syslog(p, n, env, out);
	case STAMP_PATTERN: return strptime_read(stamp->pattern, stamp->len, p, n, env, out);
	case STAMP_GUESS: break;
	}
	return false;
}

/* The word for a stamp; NULL: it has none. */
static const struct word *word_of(const struct stamp *stamp)
{
	for (int i = 0; i < WORDS; i++)
		if (words[i].kind == stamp->kind && words[i].places == stamp->places)
			return &words[i];
	return NULL;
}

/* ---- guessing */

/* Beyond iso, clf and syslog: in common use, and with a month by its name or with the year first. */
static const char *const patterns[] = {
	"%Y/%m/%d %H:%M:%S",       /* nginx, Go */
	"%Y/%m/%d %H:%M:%S.%f",
	"%a %b %e %H:%M:%S %Y",    /* ctime */
	"%a %b %e %H:%M:%S.%f %Y", /* error_log of Apache */
	"%a %b %e %H:%M:%S %Z %Y", /* date, in UTC */
	"%a, %d %b %Y %H:%M:%S %z", /* mail */
	"%a, %d %b %Y %H:%M:%S %Z", /* HTTP */
	"%d/%b/%Y %H:%M:%S",       /* http.server of Python */
	"%d %b %Y %H:%M:%S",
	"%d-%b-%Y %H:%M:%S",
	"%d-%b-%Y %H:%M:%S.%f",    /* named, tomcat */
	"%Y-%m-%d %H:%M:%S %Z",    /* PostgreSQL, in UTC */
	"%Y-%m-%d %H:%M:%S.%f %Z",
};

/* %Y takes fewer digits, too; 24/01/02 is not of the year 24. */
#define YEAR_1000 INT64_C(-30610224000000)

/* Places by the digits before the point; -1: they do not tell. */
static int places_of(const char *p, uint32_t n)
{
	struct scan s = { p, p + n };
	while (scan_take(&s, ' ') || scan_take(&s, '\t'))
		;
	if (!scan_take(&s, '-'))
		scan_take(&s, '+');
	switch (scan_run(&s)) {
	case 9:
	case 10: return 0;
	case 12:
	case 13: return 3;
	case 15:
	case 16: return 6;
	case 18:
	case 19: return 9;
	}
	return -1;
}

/* Finds the kind by which the text can be read. */
static bool guess(struct stamp *stamp, const char *p, uint32_t n, const struct strptime_env *env, const char **why)
{
	static const enum stamp_kind kinds[] = { STAMP_CLF, STAMP_ISO, STAMP_SYSLOG };
	struct stamp one = { .kind = STAMP_COUNT };
	struct value number;
	int64_t time;
	if (number_read(p, n, &number)) {
		int places = places_of(p, n);
		one.places = (unsigned)places;
		*stamp = places >= 0 ? one : *stamp;
		*why = "s, ms, us or ns? its digits do not tell";
		return places >= 0;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		one.kind = kinds[i];
		if (read_text(&one, p, n, env, &time)) {
			*stamp = one;
			return true;
		}
	}
	one.kind = STAMP_PATTERN;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		one.pattern = patterns[i];
		one.len = (uint32_t)strlen(patterns[i]);
		if (read_text(&one, p, n, env, &time) && time >= YEAR_1000) {
			*stamp = one;
			return true;
		}
	}
	*why = "no time that can be guessed";
	return false;
}

/* ---- from outside */

bool stamp_read(struct stamp *stamp, const struct value *v, const struct strptime_env *env, int64_t *out, const char **why)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p = v->u.p;
	uint32_t n = v->len;
	if (v->type == V_TIME) {
		*out = v->u.i;
		return true;
	}
	*why = "not a time";
	if (v->type == V_NULL || v->type == V_BOOL || v->type == V_ROW)
		return false;
	if (v->type != V_RAW && v->type != V_TEXT)
		n = value_print(v, scratch, &p);
	if (stamp->kind == STAMP_GUESS && !guess(stamp, p, n, env, why))
		return false;
	if (read_text(stamp, p, n, env, out) && ((*out >= TIME_MIN && *out <= TIME_MAX) || !env->zone)) /* what a zone is asked about must leave room for its offset */
		return true;
	const struct word *word = word_of(stamp);
	*why = word ? word->not_one : "does not match the pattern of --time, or no date that exists";
	return false;
}

bool stamp_restore(struct stamp *stamp, uint64_t kind, uint64_t places, const char *pattern, size_t len)
{
	for (size_t i = 0; kind == STAMP_PATTERN && i < sizeof patterns / sizeof *patterns; i++) {
		if (strlen(patterns[i]) != len || memcmp(patterns[i], pattern, len))
			continue;
		*stamp = (struct stamp){ .kind = STAMP_PATTERN, .pattern = patterns[i], .len = (uint32_t)len };
		return true;
	}
	if (kind >= STAMP_PATTERN || places > 9 || places % 3)
		return false;
	*stamp = (struct stamp){ .kind = (enum stamp_kind)kind, .places = (unsigned)places };
	return true;
}

uint32_t stamp_name(const struct stamp *stamp, char *out, uint32_t room)
{
	const struct word *word = word_of(stamp);
	int n;
	if (stamp->kind == STAMP_PATTERN)
		n = snprintf(out, room, "\"%.*s\"", (int)stamp->len, stamp->pattern);
	else
		n = snprintf(out, room, "%s", word ? word->word : "guessed from the first value");
	return n < 0 ? 0 : (uint32_t)n < room ? (uint32_t)n : room - 1;
}
