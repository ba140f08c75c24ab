/* The watermark: how far event time has come. It trails the newest record by a delay: W = newest - DELAY - 1 ms, each record counted behind itself.
 *
 * Of inputs that are read together it trails the one that is furthest behind:
 *
 *     pipe 1   newest 10:00:07  \
 *     pipe 2   newest 10:00:03   >  W = 10:00:03 - DELAY - 1 ms
 *     pipe 3   ended            /   (idle ones do not count either; one that said nothing yet holds all back)
 *
 * Rows go through the chain in batches, and the watermark only matters at certain instants (chain_due); so a batch is cut behind the record whose watermark
 * reaches the next of them, and nobody can see where other batches end.
 *
 * For sessions every ms matters, but not at once: a session is due at its end - 1, and a row later than its end can neither join it nor be late. An operator
 * of this kind lags: it is told of the watermark W before a row that is not ahead of it, which is later than W + 1, and when the batch ends. */
#ifndef WEIR_WATERMARK_H
#define WEIR_WATERMARK_H
#include "ops/chain.h"
#include "parse/source.h"

/* How far records have come, and which one it was. */
struct watermark_mark {
	int64_t time;            /* of the newest, or of the last @wm; WM_NONE: none came */
	struct source_place at;  /* where it stands; file NULL: in an earlier run, or an @wm */
};

/* One of several inputs. */
struct watermark_input {
	struct watermark_mark newest;
	int64_t arrived;         /* the clock when something last came, or when its turn began */
	bool idle, ended;        /* it does not count */
};

struct watermark {
	enum {
		WATERMARK_DELAY, /* follows the records */
		WATERMARK_INPUT, /* @wm lines alone */
		WATERMARK_END,   /* stays until the end of input (--final): nothing is late */
	} mode;
	int64_t delay, idle;     /* ms; idle -1: none */
	struct watermark_mark newest; /* of the input at work */
	struct watermark_mark others; /* the least of those of the other inputs that count; INT64_MAX: there are none */
	struct watermark_mark top;    /* of all inputs, earlier ones, too */
	struct watermark_mark lead;   /* what the watermark trails: the furthest that the least of those that count has been */
	int64_t arrived;         /* the clock when the newest came */
	struct watermark_input *input; /* of the group that is read together, if they are several */
	uint32_t ninput, cap, group;
	const char *file;        /* the input that the last batch came from */
	int64_t first;           /* time of its first record */
	bool behind;             /* set when a batch begins a file whose first time lies behind the watermark; the caller tells it and clears this */
	/* for the report at the end */
	uint64_t late;           /* rows late so far */
	int64_t needed;          /* the delay that would have kept them */
	struct watermark_mark mover; /* the lead when the latest of them came */
};

/* Nothing has come; a delay of 10 s. */
void watermark_init(struct watermark *w);

/* A batch of the source through the chain, cut where the watermark matters. `now`: the clock. */
int watermark_push(struct watermark *w, struct chain *chain, struct source *source, const struct batch *batch, int64_t now);

/* An @wm line. */
int watermark_line(struct watermark *w, struct chain *chain, struct source *source, int64_t value, int64_t now);

/* Nothing has come for a while: with `idle` the watermark goes on with the clock. Where inputs are read together, one may have ended. */
int watermark_idle(struct watermark *w, struct chain *chain, struct source *source, int64_t now);
/* The clock at which watermark_idle has something to do; INT64_MAX: never. */
int64_t watermark_alarm(const struct watermark *w, const struct chain *chain);

/* "FILE begins at ..., behind the watermark ...", for a file read out of turn. */
void watermark_behind(const struct watermark *w, const struct time_style *style, char *out, size_t room);

/* "12 late rows ...", what moved the watermark past them, which DELAY would have kept them. Empty if there were none. */
void watermark_report(const struct watermark *w, const struct time_style *style, char *out, size_t room);

/* The newest time, and when it came. */
void watermark_save(const struct watermark *w, struct snap_out *out);
void watermark_load(struct watermark *w, struct snap_in *in);
#endif
