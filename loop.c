/* The loop: it owns time, files and signals; everything below gets them handed in. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "core/portable.h"
#include "job.h"

enum {
	FLUSH_MS = 100,    /* no byte of output waits longer */
	SILENCE_MS = 1000, /* after a signal: this much silence ends the input, as its end would */
	GRACE_MS = 3000,   /* and it ends after this in any case */
	POLL_MS = 100,     /* how often that is looked at */
};

int64_t clock_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int flush_out(struct job *job)
{
	for (uint32_t i = 0; i < job->sides; i++) {
		struct out *side = &job->chain.side[i]->out;
		if (out_flush(side))
			return out_failed(side, &job->err);
	}
	return out_flush(&job->out) ? out_failed(&job->out, &job->err) : 0;
}

/* What people watch: the picture, and below it the line that tells how far it is. */
static int show(struct job *job)
{
	int64_t now = clock_ms();
	if (live_tick(job, now))
		return -1;
	progress_tick(job, now);
	return 0;
}

/* Writes what is due: full blocks at once, the rest when its oldest byte has waited long enough. */
static int write_due(struct job *job)
{
	struct out *out = &job->out;
	if (show(job))
		return -1;
	bool waits = out->buf.n > 0;
	for (uint32_t i = 0; i < job->sides; i++)
		waits |= job->chain.side[i]->out.buf.n > 0;
	if (out->error)
		return flush_out(job);
	if (!waits)
		return 0;
	int64_t now = clock_ms();
	if (!out->since)
		out->since = now;
	if (now - out->since < FLUSH_MS && now >= out->since)
		return 0;
	out->since = 0;
	return flush_out(job);
}

/* The clock has moved: alarms up to before it fire (an alarm t fires when the clock is past t). */
static int advance(struct job *job, int64_t reached)
{
	return chain_alarm(&job->chain) <= reached ? chain_timer(&job->chain, reached) : 0;
}

static int tick(struct job *job)
{
	if (job->settings.source.clock_input)
		return 0;
	job->now = clock_ms();
	return advance(job, job->now - 1) || watermark_idle(&job->watermark, &job->chain, job->source, job->now) ? -1 : 0;
}

static int take_control(struct job *job)
{
	struct control control = source_control(job->source);
	if (control.kind == C_WM)
		return job->chain.needs_time ? watermark_line(&job->watermark, &job->chain, job->source, control.value, job->now) : 0;
	if (control.kind != C_PT || !job->settings.source.clock_input)
		return 0;
	if (control.value > job->now)
		job->now = control.value;
	return advance(job, job->now) || watermark_idle(&job->watermark, &job->chain, job->source, job->now) ? -1 : 0;
}

/* After a signal: is it time to go? Where the input has fallen silent, what is in hand of it is all there is. */
static bool enough(struct job *job)
{
	if (!job->run->stop || !*job->run->stop)
		return false;
	int64_t now = clock_ms();
	if (!job->asked)
		job->asked = job->heard = now;
	if (!job->stopped && now - job->heard >= SILENCE_MS) {
		job->stopped = true;
		source_stop(job->source);
	}
	return now - job->asked >= GRACE_MS;
}

/* poll for at most `wait` ms. A signal that comes between the look at *stop and the wait must not be lost: signals are let in by poll_with alone. */
static int poll_or_signal(struct job *job, struct pollfd *fd, uint32_t nfd, int64_t wait)
{
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	int64_t now = clock_ms(), frame = live_wait(job, now), line = progress_wait(job, now);
	wait = frame < wait ? frame : wait;
	wait = line < wait ? line : wait;
	if (job->run->stop && *job->run->stop && wait > POLL_MS)
		wait = POLL_MS;
	struct timespec t = { .tv_sec = wait / 1000, .tv_nsec = wait % 1000 * 1000000 };
	int n = poll_with(fd, nfd, &t, &before);
	int why = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = why;
	return n < 0 && why != EINTR ? -1 : 0;
}

/* Waits for input, the next alarm, or a signal. */
static int wait_for_input(struct job *job)
{
	if (flush_out(job) || show(job))
		return -1;
	int64_t wait = INT32_MAX, alarm = chain_alarm(&job->chain), idle = watermark_alarm(&job->watermark, &job->chain);
	alarm = idle < alarm ? idle : alarm;
	if (!job->settings.source.clock_input && alarm != INT64_MAX && alarm - clock_ms() + 1 < wait)
		wait = alarm - clock_ms() + 1;
	uint32_t nfd;
	struct pollfd *fd = source_fds(job->source, &nfd);
	return poll_or_signal(job, fd, nfd, wait < 0 ? 0 : wait) ? err_set(&job->err, ERR_FAILED, "poll: %s", strerror(errno)) : 0;
}

/* A file read out of turn is told at once. The watermark has gone on meanwhile, but not back. */
static void report_behind(struct job *job)
{
	char text[900];
	if (!job->watermark.behind)
		return;
	job->watermark.behind = false;
	watermark_behind(&job->watermark, &job->chain.style, text, sizeof text);
	if (!args_given(&job->args, OPT_QUIET))
		say(job, text);
}

/* What the input takes of memory is no state. */
static enum source_status read_on(struct job *job, struct batch **batch)
{
	size_t before = job->mem.used;
	enum source_status status = source_next(job->source, batch);
	job->progress.held += job->mem.used - before;
	return status;
}

/* One step of the loop: 1 to go on, 0 at the end of input, -1 on an error. */
static int step(struct job *job)
{
	struct batch *batch;
	if (enough(job))
		return 0;
	if (job->chain.needs_time)
		job->rowtime.env.now = job->settings.source.clock_input ? job->now : clock_ms();
	switch (read_on(job, &batch)) {
	case SOURCE_ROWS:
		if (job->asked)
			job->heard = clock_ms();
		if (tick(job) || watermark_push(&job->watermark, &job->chain, job->source, batch, job->now))
			return -1;
		report_behind(job);
		return write_due(job) ? -1 : 1;
	case SOURCE_CONTROL:
		return take_control(job) ? -1 : 1;
	case SOURCE_BLOCK:
		return tick(job) || wait_for_input(job) ? -1 : 1;
	case SOURCE_END:
		return 0;
	case SOURCE_FAILED:
		break;
	}
	return -1;
}

int loop(struct job *job)
{
	int more = 1;
	int64_t now = clock_ms();
	live_begin(job, now);
	progress_begin(job, now);
	while (more > 0)
		more = step(job);
	progress_settle(job);
	return more;
}
