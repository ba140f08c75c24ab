/* Hints: input that can be read, but hardly the way that was meant. Told on stderr, never more than once; nothing else comes of them. */
#include <stdio.h>
#include <string.h>

#include "parse/source_parts.h"

static void tell(struct source *s, const char *text)
{
	if (!s->opt.quiet)
		s->opt.report(s->opt.ctx, text);
}

/* Does a record begin like the output of weir? */
static bool like_changelog(const struct record_at *at)
{
	static const char *const heads[] = { "+I\t", "-U\t", "+U\t", "-D\t", "@names\t", "@kinds\t" };
	for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++)
		if (at->len >= strlen(heads[i]) && !memcmp(at->p, heads[i], strlen(heads[i])))
			return true;
	return false;
}

/* +U that no -U stands before. */
static uint64_t lone_updates(const struct batch *batch)
{
	uint64_t n = 0;
	for (uint32_t r = 0; r < batch->n; r++)
		n += (batch->kind[r] & K_MASK) == K_UA && !(r && batch->kind[r - 1] & K_PAIR);
	return n;
}

void source_hint_count(struct source *s)
{
	if (s->batch.kind)
		s->lone += lone_updates(&s->batch);
}

/* Only the first line of a file is looked at, and only if it is a good record: so the hint does not depend on how the input is read. */
void source_hint(struct source *s)
{
	const struct record_at *at = &s->records.at[0];
	if (s->hinted || s->in->line != 1 || at->line || s->records.bad[0].why || s->opt.input.format->traits & F_KINDS || !like_changelog(at))
		return;
	s->hinted = true;
	tell(s, "the input looks like a changelog; add -f changelog to have it read as one");
}

void source_hint_end(struct source *s)
{
	if (!s->lone || s->opt.upsert || s->bad.stopped)
		return;
	char text[200];
	snprintf(text, sizeof text, "%llu +U without the -U before it, taken as new rows; if the stream leaves -U out, add --upsert KEYS", (unsigned long long)s->lone);
	tell(s, text);
}
