#include "advice.h"

/* An operator that has a window of time; NULL: there is none. */
static const struct op *windowed(const struct chain *chain)
{
	for (uint32_t i = 0; i < chain->n; i++) {
		const struct op_window *w = chain->op[i]->window;
		if (w && w->window_flag && !w->window.rows)
			return chain->op[i];
	}
	return NULL;
}

/* A result of all the input, in windows of the minute in which it happens to be read. */
static bool by_the_clock(const struct job *job, const struct op *op)
{
	const struct source_options *source = &job->settings.source;
	return !op->timed && job->settings.final && !args_given(&job->args, OPT_TIME) && !source->clock_input;
}

static bool waits_for_close(const struct job *job, const struct op *op)
{
	return op->timed && job->settings.final && args_given(&job->args, OPT_STATE) && !job->settings.watermark_given && !args_given(&job->args, OPT_CLOSE);
}

void advise(struct job *job)
{
	const struct op *op = windowed(&job->chain);
	if (!op || args_given(&job->args, OPT_QUIET))
		return;
	if (by_the_clock(job, op))
		say(job, "windows go by the clock: nothing says when the records happened; --time COLUMN does");
	else if (waits_for_close(job, op))
		say(job, "with -F and --state windows stay open until --close; --watermark 10s closes them as time goes on");
}
