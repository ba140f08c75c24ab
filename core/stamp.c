#include "core/stamp.h"

#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "core/number.h"
#include "core/time_text.h"

static const struct { const char *word; enum stamp_kind kind; unsigned places; } words[] = {
	{ "s", STAMP_COUNT, 0 }, { "ms", STAMP_COUNT, 3 }, { "us", STAMP_COUNT, 6 }, { "ns", STAMP_COUNT, 9 },
	{ "iso", STAMP_ISO, 0 }, { "clf", STAMP_CLF, 0 }, { "syslog", STAMP_SYSLOG, 0 },
};
enum { WORDS = sizeof words / sizeof *words };

/* Beyond iso, clf and syslog: in common use, and never to be taken for another. */
static const char *const patterns[] = {
	"%Y/%m/%d %H:%M:%S", "%a, %d %b %Y %H:%M:%S %z", "%a %b %e %H:%M:%S %Y", "%d/%b/%Y %H:%M:%S", "%d %b %Y %H:%M:%S",
};

int stamp_init(struct stamp *stamp, const char *format, uint32_t len, bool pattern, struct span span, struct err *err)
{
	const char *names[WORDS];
	*stamp = (struct stamp){ .kind = STAMP_PATTERN, .pattern = format, .len = len };
	if (pattern && memchr(format, '%', len)) {
		span.at += span.len > len; /* behind the quote */
		return strptime_check(format, len, span, err);
	}
	for (int i = 0; i < WORDS; i++) {
		names[i] = words[i].word;
		if (strlen(words[i].word) != len || memcmp(words[i].word, format, len))
			continue;
		*stamp = (struct stamp){ .kind = words[i].kind, .places = words[i].places };
		return 0;
	}
	int near = nearest_word(format, len, names, WORDS);
	return err_at(err, span, "no time format '%.*s'%s%s%s; there are: s, ms, us, ns, iso, clf, syslog, or a pattern in quotes (\"%%d.%%m.%%Y %%H:%%M\")", (int)len, format,
		      near >= 0 ? "; did you mean " : "", near >= 0 ? names[near] : "", near >= 0 ? "?" : "");
}

/* ---- one value ----------------------------------------------------------------------------------- */

/* Nov 29 10:00:00, with a day of one digit and a blank; or ISO. */
static bool read_syslog(const char *p, uint32_t n, const struct strptime_env *env, int64_t *out)
{
	static const char pattern[] = "%b %e %H:%M:%S";
	return strptime_read(pattern, sizeof pattern - 1, p, n, env, out) || time_read_iso(p, n, env->zone, out);
}

static bool read_text(const struct stamp *stamp, const char *p, uint32_t n, const struct strptime_env *env, int64_t *out)
{
	switch (stamp->kind) {
	case STAMP_COUNT: return time_read_count(p, n, stamp->places, out);
	case STAMP_ISO: return time_read_iso(p, n, env->zone, out);
	case STAMP_CLF: return time_read_clf(p, n, env->zone, out);
	case STAMP_SYSLOG: return read_syslog(p, n, env, out);
	case STAMP_PATTERN: return strptime_read(stamp->pattern, stamp->len, p, n, env, out);
	default: return false;
	}
}

static const char *complaint(const struct stamp *stamp)
{
	switch (stamp->kind) {
	case STAMP_COUNT: return stamp->places == 0 ? "not a time in s" : stamp->places == 3 ? "not a time in ms" : stamp->places == 6 ? "not a time in us" : "not a time in ns";
	case STAMP_ISO: return "not an ISO time, or no date that exists";
	case STAMP_CLF: return "not a time of the log (10/Oct/2000:13:55:36 -0700), or no date that exists";
	case STAMP_SYSLOG: return "not a time of syslog (Nov 29 10:00:00), or no date that exists";
	default: return "does not match the pattern of --time, or no date that exists";
	}
}

/* ---- guessing ------------------------------------------------------------------------------------ */

static bool guess_count(struct stamp *stamp, const char *p, uint32_t n, const char **why)
{
	struct scan s = { p, p + n };
	struct value v;
	if (!number_read(p, n, &v))
		return false;
	scan_take(&s, '-');
	int digits = scan_run(&s);
	int group = digits == 9 || digits == 10 ? 0 : digits == 12 || digits == 13 ? 3 : digits == 15 || digits == 16 ? 6 : digits == 18 || digits == 19 ? 9 : -1;
	*why = "s, ms, us or ns? its digits do not tell";
	if (group >= 0)
		*stamp = (struct stamp){ .kind = STAMP_COUNT, .places = (unsigned)group };
	return true;
}

static void guess(struct stamp *stamp, const char *p, uint32_t n, const struct strptime_env *env, const char **why)
{
	static const enum stamp_kind kinds[] = { STAMP_CLF, STAMP_ISO, STAMP_SYSLOG };
	int64_t time;
	*why = "no time that can be guessed";
	if (guess_count(stamp, p, n, why))
		return;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct stamp one = { .kind = kinds[i] };
		if (read_text(&one, p, n, env, &time)) {
			*stamp = one;
			return;
		}
	}
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		struct stamp one = { .kind = STAMP_PATTERN, .pattern = patterns[i], .len = (uint32_t)strlen(patterns[i]) };
		if (read_text(&one, p, n, env, &time)) {
			*stamp = one;
			return;
		}
	}
}

bool stamp_read(struct stamp *stamp, const struct value *v, const struct strptime_env *env, int64_t *out, const char **why)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p = v->u.p;
	uint32_t n = v->len;
	*why = "no time";
	if (v->type == V_TIME) {
		*out = v->u.i;
		return true;
	}
	if (v->type == V_NULL || v->type == V_BOOL || v->type == V_ROW)
		return false;
	if (v->type != V_RAW && v->type != V_TEXT)
		n = value_print(v, scratch, &p);
	if (stamp->kind == STAMP_GUESS)
		guess(stamp, p, n, env, why);
	if (stamp->kind == STAMP_GUESS)
		return false;
	if (read_text(stamp, p, n, env, out) && ((*out >= TIME_MIN && *out <= TIME_MAX) || !env->zone))
		return true;
	*why = complaint(stamp);
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
	int n = 0;
	if (stamp->kind == STAMP_GUESS)
		n = snprintf(out, room, "guessed from the first value");
	else if (stamp->kind == STAMP_PATTERN)
		n = snprintf(out, room, "\"%.*s\"", (int)stamp->len, stamp->pattern);
	for (int i = 0; i < WORDS; i++)
		if (words[i].kind == stamp->kind && words[i].places == stamp->places)
			n = snprintf(out, room, "%s", words[i].word);
	return n < 0 ? 0 : (uint32_t)n < room ? (uint32_t)n : room - 1;
}
