/* The format of --live: the changes go into a view, and nothing is written; what is drawn of it, and when, is decided at the root (live.c). */
#include "ops/emit/live_view.h"

static int begin(struct emitter *emitter)
{
	return live_view_open(emitter->state, emitter);
}

static int rows(struct emitter *emitter, const struct batch *batch)
{
	return live_view_apply(emitter->state, batch);
}

static void close_view(struct emitter *emitter)
{
	live_view_close(emitter->state);
}

const struct emit_type live_emit = {
	.name = "live",
	.help = "the result, redrawn in place",
	.traits = E_NAMES | E_NAMES_ALLOWED,
	.state_size = sizeof(struct live_view),
	.begin = begin,
	.rows = rows,
	.close = close_view,
};
