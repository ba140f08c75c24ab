#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "job.h"
#include "terminal.h"

enum {
	PERIOD_MS = 1000,
	RATE_MS = 200, /* in less time rows a second cannot be told */
	ECHO = 2,      /* columns of the ^C that a terminal puts behind the line */
};

static sig_atomic_t count(const volatile sig_atomic_t *signals)
{
	return signals ? *signals : 0;
}

static void give_way(void *job)
{
	progress_give_way(job);
}

void progress_begin(struct job *job, int64_t now)
{
	struct progress *p = &job->progress;
	p->on = args_given(&job->args, OPT_PROGRESS);
	p->redrawn = p->on && isatty(job->run->err) == 1;
	p->began = p->last = now;
	p->held = job->mem.used;
	p->continued = count(job->run->continued);
	if (p->redrawn && terminal_same(job->out.fd, job->run->err)) {
		job->out.ahead = give_way;
		job->out.ahead_of = job;
	}
}

/* ---- the facts ------------------------------------------------------------------------------- */

static void take_facts(struct job *job)
{
	struct progress *p = &job->progress;
	struct source_amount amount = source_amount(job->source);
	size_t other = p->held + job->out.buf.cap;
	p->facts.bytes = amount.bytes;
	p->facts.size = amount.size;
	p->facts.keyed = chain_keys(&job->chain, &p->facts.keys);
	p->facts.state = job->mem.used > other ? job->mem.used - other : 0;
}

/* Rows a second since the time `since`, when there had been `before` of them. */
static double rate(const struct job *job, int64_t since, uint64_t before, int64_t now)
{
	uint64_t rows = source_records(job->source) - before;
	return now > since ? (double)rows * 1000 / (double)(now - since) : 0;
}

static void make_line(struct job *job, int64_t now)
{
	struct progress *p = &job->progress;
	if (now - p->last >= RATE_MS || now < p->last || p->last == p->began) {
		p->facts.rate = rate(job, p->last, p->rows, now);
		p->rows = source_records(job->source);
		p->last = now;
	}
	take_facts(job);
	p->facts.elapsed = now - p->began;
	progress_line(&p->facts, p->text);
}

/* ---- the line -------------------------------------------------------------------------------- */

/* Over what stands there; written twice, so that the cursor ends behind the text. A line that fills the terminal would break. */
static void redraw(struct job *job)
{
	struct progress *p = &job->progress;
	char line[PROGRESS_TEXT_MAX + sizeof "weir: "];
	uint32_t width, height;
	terminal_size(job->run->err, &width, &height);
	uint32_t room = width > ECHO + 1 ? width - ECHO - 1 : 1;
	if (p->width > room)
		progress_give_way(job);
	uint32_t len = (uint32_t)snprintf(line, sizeof line, "weir: %s", p->text), old = p->width ? p->width + ECHO : 0;
	len = len < room ? len : room;
	dprintf(job->run->err, "\r%.*s%*s\r%.*s", (int)len, line, old > len ? (int)(old - len) : 0, "", (int)len, line);
	p->width = len;
}

static void show(struct job *job)
{
	if (job->progress.redrawn)
		redraw(job);
	else
		say(job, job->progress.text);
}

/* A terminal that has become narrower has broken the line. */
void progress_give_way(struct job *job)
{
	struct progress *p = &job->progress;
	uint32_t width, height;
	if (!p->width)
		return;
	terminal_size(job->run->err, &width, &height);
	if (p->width <= width - (width > ECHO ? ECHO : 0))
		dprintf(job->run->err, "\r%*s\r", (int)p->width + ECHO, "");
	else if (terminal_moves())
		dprintf(job->run->err, "\r\x1b[%uA\x1b[J", (p->width - 1) / width);
	else
		dprintf(job->run->err, "\n");
	p->width = 0;
}

/* ---- when it is due -------------------------------------------------------------------------- */

static bool is_asked(const struct job *job)
{
	return count(job->run->queried) != job->progress.answered;
}

static bool has_period_passed(const struct progress *p, int64_t now)
{
	return now - p->last >= PERIOD_MS || now < p->last;
}

int64_t progress_wait(const struct job *job, int64_t now)
{
	const struct progress *p = &job->progress;
	if (is_asked(job))
		return 0;
	if (!p->on)
		return INT64_MAX;
	bool away = p->redrawn && !p->width && *p->text;
	return away || has_period_passed(p, now) ? 0 : p->last + PERIOD_MS - now;
}

void progress_tick(struct job *job, int64_t now)
{
	struct progress *p = &job->progress;
	if (p->continued != count(job->run->continued)) {
		p->continued = count(job->run->continued);
		p->width = 0; /* a shell has written there meanwhile */
	}
	if (progress_wait(job, now) > 0)
		return;
	if (is_asked(job) || has_period_passed(p, now))
		make_line(job, now);
	p->answered = count(job->run->queried);
	show(job);
}

void progress_settle(struct job *job)
{
	if (job->progress.on)
		take_facts(job);
}

void progress_end(struct job *job, int64_t now)
{
	struct progress *p = &job->progress;
	if (!p->on)
		return;
	p->facts.rate = rate(job, p->began, 0, now);
	p->facts.elapsed = now - p->began;
	progress_line(&p->facts, p->text);
	show(job);
	if (p->redrawn)
		dprintf(job->run->err, "\n");
	p->width = 0;
	p->on = p->redrawn = false;
}
