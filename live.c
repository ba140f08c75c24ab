#include "live.h"

#include <unistd.h>

#include "job.h"
#include "ops/emit/live_view.h"
#include "terminal.h"

enum { FRAME_MS = 250 };

void live_begin(struct job *job, int64_t now)
{
	struct live *live = &job->live;
	live->on = job->settings.live;
	live->shared = isatty(job->run->err) == 1;
	live->last = now;
	live->screen.escapes = terminal_moves();
	live->screen.colour = terminal_colours();
	live->screen.utf8 = terminal_utf8();
}

/* ---- frames ----------------------------------------------------------------------------------- */

static struct live_view *view_of(const struct job *job)
{
	return sink_format(job->chain.op[job->chain.n - 1]);
}

static sig_atomic_t resizes(const struct job *job)
{
	return job->run->resized ? *job->run->resized : 0;
}

static void measure(struct job *job)
{
	job->live.resized = resizes(job);
	terminal_size(job->out.fd, &job->live.screen.width, &job->live.screen.height);
}

static int draw(struct job *job)
{
	struct live *live = &job->live;
	struct live_view *view = view_of(job);
	uint32_t n;
	measure(job);
	if (live_view_top(view, live->screen.height < LIVE_LINES ? live->screen.height : LIVE_LINES, &n))
		return -1;
	live->stale = false;
	struct live_picture picture = { .row = view->top, .n = n, .ncol = view->ncol, .total = live_view_count(view), .style = &job->chain.style };
	picture.names = view->begun && job->settings.emit.names && schema_row(view->shown) < 0 ? view->shown : NULL;
	picture.bar = view->nsort ? (int32_t)view->ncol : -1;
	if (live_draw(&picture, &live->screen, &job->out.buf, &live->drawn))
		return err_memory(&job->err);
	return flush_out(job);
}

int64_t live_wait(const struct job *job, int64_t now)
{
	const struct live *live = &job->live;
	if (!live->on || !live->screen.escapes || !(live->stale || view_of(job)->changed || resizes(job) != live->resized))
		return INT64_MAX;
	int64_t passed = now - live->last;
	return passed >= FRAME_MS || passed < 0 ? 0 : FRAME_MS - passed;
}

int live_tick(struct job *job, int64_t now)
{
	if (live_wait(job, now) > 0)
		return 0;
	job->live.last = now;
	return draw(job);
}

void live_give_way(struct job *job)
{
	struct live *live = &job->live;
	if (!live->on || !live->shared || !live->drawn.n || !live->screen.escapes)
		return;
	measure(job);
	live_erase(live->screen.width, &job->out.buf, &live->drawn);
	out_flush(&job->out); /* if that fails, so will the next frame */
	live->stale = true;
}

int live_end(struct job *job)
{
	if (!job->live.on)
		return 0;
	int status = draw(job);
	job->live.on = false;
	return status;
}
