/* Lanes: which inputs are read at present, and which of them is at work. */
#include <stdio.h>

#include "parse/format/find.h"
#include "parse/source_parts.h"

void source_begin_group(struct source *s)
{
	uint32_t n = 1;
	if (s->now == s->nfile)
		return;
	while (!s->file[s->now].regular && s->now + n < s->nfile && !s->file[s->now + n].regular)
		n++;
	s->group++;
	s->nlane = n;
	s->in = s->lane;
	for (uint32_t i = 0; i < n; i++) {
		struct lane *lane = &s->lane[i];
		lane->file = &s->file[s->now + i];
		lane->known = lane->entered = lane->skipping = lane->ended = false;
		lane->line = 1;
		reader_start(&lane->reader, lane->file->fd, lane->file->name, lane->file->regular);
	}
}

/* The lane behind the one at work, round and round, that has not ended; NULL: all have. */
static struct lane *next_lane(const struct source *s)
{
	uint32_t at = (uint32_t)(s->in - s->lane);
	for (uint32_t i = 1; i <= s->nlane; i++) {
		struct lane *lane = &s->lane[(at + i) % s->nlane];
		if (!lane->ended)
			return lane;
	}
	return NULL;
}

void source_leave(struct source *s)
{
	reader_stop(&s->in->reader);
	source_close_file(s->in->file);
	s->in->ended = true;
	struct lane *next = next_lane(s);
	if (next) {
		s->in = next;
		return;
	}
	s->now += s->nlane;
	source_begin_group(s);
}

/* A program that unpacks has ended, and not well. */
static void tell_end(struct source *s, const struct reader *r)
{
	char text[600];
	bool broken = r->ended == UNPACK_BROKEN;
	s->broken += broken;
	if (!s->opt.report || (!broken && s->opt.quiet))
		return;
	snprintf(text, sizeof text, "%.250s: %s%s", r->name, r->unpack->why, broken ? "; it was read up to there" : "");
	s->opt.report(s->opt.ctx, text);
}

enum read_status source_fill(struct source *s, struct lane *lane, bool wait)
{
	enum read_status status = reader_fill(&lane->reader, wait, s->err);
	if (status == READ_EOF && lane->reader.ended != UNPACK_WELL)
		tell_end(s, &lane->reader);
	return status;
}

enum read_status source_fill_lane(struct source *s)
{
	if (s->nlane == 1)
		return source_fill(s, s->in, false);
	const struct lane *was = s->in;
	do {
		s->in = next_lane(s);
		enum read_status status = source_fill(s, s->in, false);
		if (status != READ_WAIT)
			return status;
	} while (s->in != was);
	return READ_WAIT;
}

/* What is in hand has been tried, so it is no whole record; apart from a -U that waits for its other half. */
static void stop_lane(struct source *s, struct lane *lane)
{
	struct reader *r = &lane->reader;
	if (r->unpack) {
		r->unpack->eof = true;
		return;
	}
	const char *begin = reader_at(r), *end = begin + reader_left(r), *lf = find_last(begin, end, '\n');
	const char *keep = lf && s->opt.input.format->traits & F_KINDS ? lf + 1 : begin;
	if (keep < end && s->opt.report && !s->opt.quiet) {
		char text[400];
		snprintf(text, sizeof text, "%.250s:%llu: a record that was not finished when reading ended is left out", r->name, (unsigned long long)lane->line + (keep > begin));
		s->opt.report(s->opt.ctx, text);
	}
	r->end -= (size_t)(end - keep);
	r->come -= (uint64_t)(end - keep);
	r->eof = true;
}

void source_stop(struct source *s)
{
	s->last = s->now < s->nfile ? s->now + s->nlane : s->nfile;
	for (uint32_t i = 0; s->now < s->last && i < s->nlane; i++)
		if (!s->lane[i].ended)
			stop_lane(s, &s->lane[i]);
}

struct pollfd *source_fds(struct source *s, uint32_t *n)
{
	*n = 0;
	for (uint32_t i = 0; s->now < s->nfile && i < s->nlane; i++)
		if (!s->lane[i].ended)
			*n += reader_fds(&s->lane[i].reader, s->fd + *n);
	return s->fd;
}

struct source_group source_group(struct source *s)
{
	for (uint32_t i = 0; i < s->nlane; i++)
		s->ended[i] = s->lane[i].ended;
	return (struct source_group){ s->group, s->nlane, (uint32_t)(s->in - s->lane), s->ended };
}
