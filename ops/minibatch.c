/* --minibatch: later operators hold rows back in bundles; this one says when they let go.
 *
 * It holds nothing itself. Rows of every kind are counted as they pass, over all keys; the row that makes SIZE full goes on, then all operators
 * behind are flushed in order. LATENCY cuts at whole multiples of it on the clock, so bundles of two runs end at the same instants. Where a window by event
 * time follows, LATENCY is of event time: the watermark then passes in steps, and each of them flushes. */
#include "ops/chain.h"
#include "ops/pick.h"
#include "ops/state/snapshot.h"
#include "parse/lang/parse.h"

struct minibatch {
	int64_t size, latency; /* rows, ms; 0: not given */
};

struct bundle {
	int64_t rows;   /* since the last flush */
	int64_t border; /* the multiple of latency that the clock has passed last */
	int64_t cur, next; /* event-time LATENCY: the watermark so far, and the one at which it goes on */
	bool idle;      /* nothing behind holds rows back: there is nothing to flush, and no update to cut in two */
};

static int parse(struct op *op, struct err *err)
{
	struct minibatch *conf = op->conf;
	return parse_minibatch(op->flag, op->text, op->plan, &conf->size, &conf->latency, err);
}

static int apply(struct op *op, struct op_settings *settings, struct err *err)
{
	(void)err;
	settings->bundle = op;
	return 0;
}

/* Does an operator behind it close windows by event time? */
static bool window_follows(const struct op *op)
{
	for (const struct op *next = op->out->to; next; next = next->out ? next->out->to : NULL)
		if (next->window && !next->window->window.rows && next->window->window.kind != WINDOW_GLOBAL)
			return true;
	return false;
}

static int plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	const struct minibatch *conf = op->conf;
	out->equal_pairs = in->equal_pairs;
	op->steps = in->timed && window_follows(op);
	if (op->steps && !conf->latency)
		return err_set(err, ERR_USAGE, "%s '%s': a window by event time follows, so it needs a time, too: %s '%lld, 5s'", op->flag, op->text, op->flag,
			       (long long)conf->size);
	if (conf->size && in->kinds & S_U)
		out->kinds |= S_D; /* a cut inside an update leaves a -D */
	return 0;
}

static void explain(const struct op *op, struct buf *out)
{
	const struct minibatch *conf = op->conf;
	if (op->final) {
		buf_puts(out, "  flushes    never: --final wants the result at the end only\n");
		return;
	}
	buf_puts(out, "  flushes   ");
	if (conf->size)
		buf_printf(out, " after %lld rows", (long long)conf->size);
	if (conf->latency)
		buf_printf(out, "%s every %lld ms of %s", conf->size ? " and" : "", (long long)conf->latency, op->steps ? "event time" : "the clock");
	buf_puts(out, "\n  state      a counter; the rows wait in the operators behind\n");
}

static int open(struct op *op)
{
	const struct minibatch *conf = op->conf;
	struct bundle *bundle = op->state;
	bundle->idle = true;
	bundle->cur = WM_NONE;
	bundle->next = conf->latency - 1;
	for (const struct op *next = op->out->to; next; next = next->out ? next->out->to : NULL)
		bundle->idle &= !(next->type->traits & OP_BUNDLES);
	return 0;
}

/* A flush from further up, or the end: the operators behind come next in line. */
static int flush(struct op *op)
{
	struct bundle *bundle = op->state;
	bundle->rows = 0;
	return 0;
}

static int flush_behind(struct op *op)
{
	struct bundle *bundle = op->state;
	if (!bundle->rows)
		return 0;
	bundle->rows = 0;
	return chain_flush(op);
}

/* The last multiple of latency that is not above now. */
static int64_t border_at(int64_t now, int64_t latency)
{
	int64_t over = now % latency;
	return now - (over < 0 ? over + latency : over);
}

static int timer(struct op *op, int64_t now)
{
	const struct minibatch *conf = op->conf;
	struct bundle *bundle = op->state;
	if (!conf->latency || op->final || op->steps)
		return 0;
	int64_t border = border_at(now, conf->latency);
	if (border <= bundle->border)
		return 0;
	bundle->border = border;
	return flush_behind(op);
}

static int64_t alarm(const struct op *op)
{
	const struct minibatch *conf = op->conf;
	const struct bundle *bundle = op->state;
	int64_t at;
	if (!conf->latency || op->steps || !bundle->rows || __builtin_add_overflow(bundle->border, conf->latency, &at))
		return INT64_MAX;
	return at;
}

/* In event time the watermark goes on in steps: once it has come to the end of an interval, and then as far as it is, not to the border alone. */
static int watermark(struct op *op, int64_t *wm)
{
	const struct minibatch *conf = op->conf;
	struct bundle *bundle = op->state;
	if (!op->steps || *wm == WM_END)
		return 0;
	bundle->cur = *wm;
	if (bundle->cur < bundle->next) {
		*wm = WM_NONE;
		return 0;
	}
	bundle->rows = 0; /* the chain flushes what is behind */
	int64_t end = border_at(bundle->cur, conf->latency) + conf->latency - 1;
	bundle->next = end > bundle->cur ? end : end + conf->latency;
	return 0;
}

static int64_t due(const struct op *op)
{
	return op->steps ? ((const struct bundle *)op->state)->next : INT64_MAX;
}

/* Sends rows from .. from + n - 1. A cut may fall between the two rows of an update: the bundle is full, whatever its last row is. Then each half
 * stands alone, and becomes what it now is: -D and +I. */
static int send_part(struct op *op, const struct batch *in, uint32_t from, uint32_t n)
{
	struct batch part;
	if (batch_slice(in, from, n, &part))
		return err_memory(op->err);
	bool ends_in_pair = part.kind && (part.kind[n - 1] & K_PAIR), begins_in_pair = part.kind && from && (part.kind[-1] & K_PAIR);
	if (ends_in_pair || begins_in_pair) {
		part.kind = (uint8_t *)arena_copy(in->mem, part.kind, n);
		if (!part.kind)
			return err_memory(op->err);
		if (begins_in_pair)
			part.kind[0] = K_I;
		if (ends_in_pair)
			part.kind[n - 1] = K_D;
	}
	return edge_send(op->out, &part);
}

static int push(struct op *op, const struct batch *in)
{
	const struct minibatch *conf = op->conf;
	struct bundle *bundle = op->state;
	if (op->final || bundle->idle)
		return edge_send(op->out, in);
	if (timer(op, op->now))
		return -1;
	int64_t size = conf->size ? conf->size : INT64_MAX;
	if (in->n < size - bundle->rows) {
		bundle->rows += in->n;
		return edge_send(op->out, in);
	}
	for (uint32_t from = 0, n; from < in->n; from += n) {
		int64_t room = size - bundle->rows;
		n = in->n - from < room ? in->n - from : (uint32_t)room;
		bundle->rows += n;
		if (send_part(op, in, from, n) || (bundle->rows >= size && flush_behind(op)))
			return -1;
	}
	return 0;
}

static int save(const struct op *op, struct snap_out *out)
{
	const struct bundle *bundle = op->state;
	snap_put_i64(out, bundle->rows);
	snap_put_i64(out, bundle->border);
	snap_put_i64(out, bundle->cur);
	snap_put_i64(out, bundle->next);
	return 0;
}

static int load(struct op *op, struct snap_in *in)
{
	const struct minibatch *conf = op->conf;
	struct bundle *bundle = op->state;
	bundle->rows = snap_i64(in);
	bundle->border = snap_i64(in);
	bundle->cur = snap_i64(in);
	bundle->next = snap_i64(in);
	if (bundle->rows < 0 || (conf->size && bundle->rows >= conf->size))
		in->bad = true;
	return 0;
}

const struct op_type minibatch_op = {
	.name = "minibatch",
	.letter = 'm',
	.arg = "N, TIME",
	.help = "later operators write once per bundle of rows",
	.more = "A bundle ends after N rows, at every multiple of TIME on the clock, and at the\n"
		"end of input; one of the two is enough. A key changes at most once in a bundle,\n"
		"so fewer lines come out; at its end the result is the same.\n"
		"\n"
		"  weir -f combined -m 5s -k path -r count access.log\n"
		"  weir -f combined -m '5000, 1s' -k ip -t 'last 1' access.log\n",
	.conf_size = sizeof(struct minibatch),
	.state_size = sizeof(struct bundle),
	.parse = parse,
	.apply = apply,
	.plan = plan,
	.explain = explain,
	.open = open,
	.push = push,
	.flush = flush,
	.timer = timer,
	.watermark = watermark,
	.due = due,
	.alarm = alarm,
	.save = save,
	.load = load,
};
