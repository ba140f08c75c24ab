#include "live.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "job.h"
#include "ops/emit/live_view.h"

enum {
	FRAME_MS = 250,
	WIDTH = 80, HEIGHT = 24, /* of a terminal that does not tell */
};

/* ---- what the environment says -------------------------------------------------------------- */

/* What a variable says; empty if it is not there. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "";
}

/* The first of these that is set decides, as setlocale(3) has it. */
static bool has_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (*variable(names[i]))
			return strcasestr(variable(names[i]), "utf-8") || strcasestr(variable(names[i]), "utf8");
	return false;
}

void live_begin(struct job *job, int64_t now)
{
	struct live *live = &job->live;
	live->on = job->settings.live;
	live->shared = isatty(job->run->err) == 1;
	live->last = now;
	live->screen.escapes = *variable("TERM") && strcmp(variable("TERM"), "dumb");
	live->screen.colour = live->screen.escapes && !*variable("NO_COLOR");
	live->screen.utf8 = has_utf8();
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
	struct live_screen *screen = &job->live.screen;
	struct winsize size = { 0 };
	job->live.resized = resizes(job);
	if (ioctl(job->out.fd, TIOCGWINSZ, &size))
		size = (struct winsize){ 0 };
	screen->width = size.ws_col ? size.ws_col : WIDTH;
	screen->height = size.ws_row ? size.ws_row : HEIGHT;
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
