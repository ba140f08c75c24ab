#include "parse/format/csv_record.h"

#include <string.h>

/* What stands at `at`, behind a closing quote; *end: the offset of the separator or LF. */
static enum stop behind_quote(char sep, const char *p, size_t n, bool eof, size_t at, size_t *end)
{
	*end = at;
	if (at == n)
		return eof ? STOP_LINE : STOP_MORE;
	if (p[at] == sep)
		return STOP_SEP;
	if (p[at] == '\n')
		return STOP_LINE;
	if (p[at] != '\r')
		return STOP_TEXT;
	if (at + 1 == n)
		return eof ? STOP_TEXT : STOP_MORE;
	*end = at + 1;
	return p[at + 1] == '\n' ? STOP_LINE : STOP_TEXT;
}

/* A field whose opening quote is p[at]. *seen: where to go on if it does not end here. */
static enum stop quoted_field(char sep, const char *p, size_t n, bool eof, size_t at, size_t *seen, struct field *f, size_t *end)
{
	*f = (struct field){ .p = p + at + 1, .quoted = true };
	size_t from = *seen > at ? *seen : at + 1;
	for (;;) {
		const char *quote = memchr(p + from, '"', n - from);
		*seen = quote ? (size_t)(quote - p) : n;
		if (!quote)
			return eof ? STOP_OPEN : STOP_MORE;
		if (*seen + 1 == n && !eof)
			return STOP_MORE;
		if (*seen + 1 == n || quote[1] != '"')
			break;
		f->doubled = true;
		from = *seen + 2;
	}
	f->len = *seen - (at + 1);
	return behind_quote(sep, p, n, eof, *seen + 1, end);
}

static enum stop bare_field(char sep, const char *p, size_t n, bool eof, size_t at, struct field *f, size_t *end)
{
	size_t i = at;
	while (i < n && p[i] != sep && p[i] != '\n')
		i++;
	*end = i;
	if (i == n && !eof)
		return STOP_MORE;
	bool line = i == n || p[i] == '\n';
	size_t len = i - at;
	if (line && i < n && len && p[i - 1] == '\r')
		len--;
	*f = (struct field){ .p = p + at, .len = len };
	return line ? STOP_LINE : STOP_SEP;
}

enum stop csv_field(char sep, const char *p, size_t n, bool eof, struct csv_progress *progress, struct field *f)
{
	size_t at = progress->at, end = n;
	bool quoted = at < n && p[at] == '"';
	enum stop stop = quoted ? quoted_field(sep, p, n, eof, at, &progress->seen, f, &end) : bare_field(sep, p, n, eof, at, f, &end);
	if (stop == STOP_SEP || stop == STOP_LINE) {
		progress->at = stop == STOP_SEP ? end + 1 : end;
		progress->fields++;
	}
	return stop;
}

enum stop csv_record(char sep, const char *p, size_t n, bool eof, struct csv_progress *progress)
{
	struct field field;
	enum stop stop;
	do
		stop = csv_field(sep, p, n, eof, progress, &field);
	while (stop == STOP_SEP);
	return stop;
}

/* ---- tries --------------------------------------------------------------------------------- */

enum { MARKS = 4096, APART = 4096 };

int csv_tries_open(struct csv_tries *tries, uint64_t max_line, struct arena *mem)
{
	*tries = (struct csv_tries){ .apart = max_line / MARKS > APART ? max_line / MARKS : APART };
	uint32_t cap = (uint32_t)(max_line / tries->apart) + 2;
	tries->failed.mark = arena_alloc(mem, cap * sizeof *tries->failed.mark);
	tries->now.mark = arena_alloc(mem, cap * sizeof *tries->now.mark);
	tries->failed.cap = tries->now.cap = cap;
	return tries->failed.mark && tries->now.mark ? 0 : -1;
}

static bool has_mark(const struct csv_way *way, uint64_t place)
{
	uint32_t low = 0, n = way->n;
	while (low < n) {
		uint32_t middle = low + (n - low) / 2;
		if (way->mark[middle] < place)
			low = middle + 1;
		else
			n = middle;
	}
	return low < way->n && way->mark[low] == place;
}

static bool came_within(const struct csv_way *way, uint64_t end)
{
	return way->at <= end && way->seen <= end;
}

/* A way that is longer than there are marks for is longer than a record may be. */
static void leave_mark(const struct csv_tries *tries, struct csv_way *way, uint64_t place)
{
	if (way->n < way->cap && (!way->n || place >= way->mark[way->n - 1] + tries->apart))
		way->mark[way->n++] = place;
}

enum stop csv_try(struct csv_tries *tries, uint64_t begin, char sep, const char *p, size_t n, bool eof, struct csv_progress *progress)
{
	struct field field;
	enum stop stop;
	do {
		size_t at = progress->at;
		bool begins = at < n && p[at] == '"' && progress->seen <= at;
		if (begins && !tries->met && has_mark(&tries->failed, begin + at) && came_within(&tries->failed, begin + n)) {
			tries->met = true;
			progress->at = (size_t)(tries->failed.at - begin);
			progress->seen = tries->failed.seen > begin ? (size_t)(tries->failed.seen - begin) : 0;
		} else if (begins) {
			leave_mark(tries, tries->met ? &tries->failed : &tries->now, begin + at);
		}
		stop = csv_field(sep, p, n, eof, progress, &field);
	} while (stop == STOP_SEP);
	return stop;
}

void csv_tries_end(struct csv_tries *tries, uint64_t begin, const struct csv_progress *progress, bool failed)
{
	if (failed && !tries->met) {
		struct csv_way now = tries->now;
		tries->now = tries->failed;
		tries->failed = now;
	}
	if (failed) {
		tries->failed.at = begin + progress->at;
		tries->failed.seen = begin + progress->seen;
	}
	tries->now.n = 0;
	tries->met = false;
}
