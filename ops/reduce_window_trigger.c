/* The states of a trigger's conditions. Those that met nothing keep theirs: a firing resets only what made it. */
#include "core/number.h"
#include "ops/reduce_window.h"
#include "ops/state/snapshot.h"

#define NEVER INT64_MIN /* as the next instant of a condition: no row has set it so far */
static inline int64_t *count_of(const struct rw_cond *cond, const struct rw_node *node) { return rw_at(node, cond->at); }
static inline int64_t *next_of(const struct rw_cond *cond, const struct rw_node *node) { return rw_at(node, cond->at); }
static inline struct value *value_of(const struct rw_cond *cond, const struct rw_node *node) { return rw_at(node, cond->at); }

void rw_trigger_init(const struct rw_conf *conf, struct rw_node *node)
{
	for (uint32_t i = 0; i < conf->ncond; i++)
		if (conf->cond[i].beat >= 0)
			*next_of(&conf->cond[i], node) = NEVER;
	for (int beat = 0; beat < RW_BEATS; beat++)
		if (conf->beat_at[beat])
			*rw_beat(conf, node, beat) = RW_NO_BEAT;
}

/* ---- every D ---- */

/* The instant D behind another one: not beyond the last one of the window, at which it fires anyhow; `every D clock` knows no such bound. */
static int64_t instant_after(const struct rw_cond *cond, int64_t instant, int64_t last)
{
	int64_t next;
	if (__builtin_add_overflow(instant, cond->n, &next))
		next = INT64_MAX - 1;
	return cond->kind == TRIGGER_EVERY && next > last ? last : next;
}

/* The first instant of a window with a row of time t. Multiples of D; before 1970 one of them is left out, as in Flink. */
static int64_t first_instant(const struct rw_cond *cond, int64_t t, int64_t last)
{
	return instant_after(cond, t - t % cond->n, last);
}

/* The first instant behind `passed`, counted on from `next`. */
static int64_t skip_instants(const struct rw_cond *cond, int64_t next, int64_t passed, int64_t last)
{
	if (next > passed)
		return next;
	int64_t skipped;
	if (__builtin_sub_overflow(passed, next, &skipped))
		return last;
	return instant_after(cond, next + skipped / cond->n * cond->n, last);
}

void rw_wake(struct op *op, struct rw_node *node)
{
	const struct rw_conf *conf = op->conf;
	if (!conf->watches || node->flags & RW_NEW)
		return;
	for (uint32_t i = 0; i < conf->ncond; i++) {
		const struct rw_cond *cond = &conf->cond[i];
		int64_t *next = cond->beat >= 0 ? next_of(cond, node) : NULL;
		if (next && *next != NEVER && *rw_beat(conf, node, cond->beat) == RW_NO_BEAT) /* else it comes with the next watermark, be it late */
			*next = skip_instants(cond, *next, cond->beat == RW_OWN ? op_time(op) : op->now, node->window.end - 1);
	}
}

int rw_beat_set(struct op *op, struct rw_node *node, int beat)
{
	const struct rw_conf *conf = op->conf;
	int64_t first = RW_NO_BEAT, *set = rw_beat(conf, node, beat);
	for (uint32_t i = 0; i < conf->ncond; i++) {
		const struct rw_cond *cond = &conf->cond[i];
		if (cond->beat != beat)
			continue;
		int64_t next = *next_of(cond, node);
		bool end = cond->kind == TRIGGER_EVERY && next == node->window.end - 1; /* that comes without a beat */
		if (next != NEVER && !end && next < first)
			first = next;
	}
	if (first >= *set)
		return 0;
	if (timers_add(&((struct rw *)op->state)->beats[beat], (struct timer){ .time = first, .of = node }))
		return -1;
	*set = first;
	node->timers++;
	return 0;
}

bool rw_beat_take(const struct rw_conf *conf, struct rw_node *node, int beat, int64_t instant, bool end_of_input)
{
	bool met = false;
	for (uint32_t i = 0; i < conf->ncond; i++) {
		const struct rw_cond *cond = &conf->cond[i];
		if (cond->beat != beat || *next_of(cond, node) > instant || *next_of(cond, node) == NEVER)
			continue;
		bool comes = cond->kind == TRIGGER_EVERY || !end_of_input;
		*next_of(cond, node) = comes ? instant_after(cond, instant, node->window.end - 1) : RW_NO_BEAT;
		met |= comes;
	}
	return met;
}

/* ---- rows ---- */

bool rw_away(struct value a, struct value b, const struct value *delta, bool or_equal)
{
	const struct value zero = value_int(0);
	struct value away = number_sub(a, b);
	if (away.type == V_NULL)
		return true; /* too far for a double */
	if (number_cmp(&away, &zero) < 0)
		away = number_neg(away);
	return number_cmp(&away, delta) >= !or_equal;
}

/* A value further away than X from the one it is compared with takes that one's place. So does the first. */
static bool moves_away(const struct rw_cond *cond, struct rw_node *node, struct value v)
{
	struct value *base = value_of(cond, node);
	if (v.type == V_NULL)
		return false;
	if (v.type == V_BIG)
		v = number_from_double(number_double(&v));
	if (base->type != V_NULL && !rw_away(v, *base, &cond->delta, false))
		return false;
	bool first = base->type == V_NULL;
	*base = v;
	return !first;
}

static bool meets(struct rw_push *push, const struct rw_cond *cond, struct rw_node *node, uint32_t which, uint32_t i)
{
	switch (cond->kind) {
	case TRIGGER_EACH:
		return true;
	case TRIGGER_COUNT:
		if (++*count_of(cond, node) < cond->n)
			return false;
		*count_of(cond, node) = 0;
		return true;
	case TRIGGER_DELTA:
		return moves_away(cond, node, push->delta[which][i]);
	case TRIGGER_END:
	case TRIGGER_EVERY:
		return rw_ended(push->op, node->window.end);
	default:
		return false;
	}
}

int rw_trigger_row(struct rw_push *push, uint32_t i, int64_t t, struct rw_node *node, bool *fires)
{
	const struct rw_conf *conf = push->conf;
	bool ended = rw_ended(push->op, node->window.end);
	if (!conf->watches)
		return 0;
	for (uint32_t c = 0; c < conf->ncond; c++) {
		const struct rw_cond *cond = &conf->cond[c];
		if (meets(push, cond, node, c, i))
			*fires = true;
		if (cond->beat < 0 || *next_of(cond, node) != NEVER)
			continue;
		if (cond->kind == TRIGGER_CLOCK)
			*next_of(cond, node) = first_instant(cond, push->op->now, 0);
		else if (!ended)
			*next_of(cond, node) = first_instant(cond, t, node->window.end - 1);
	}
	for (int beat = 0; beat < RW_BEATS; beat++)
		if (conf->beat_at[beat] && rw_beat_set(push->op, node, beat))
			return -1;
	return 0;
}

/* ---- merging, snapshots ---- */

void rw_trigger_merge(const struct rw_conf *conf, struct rw_node *into, const struct rw_node *from)
{
	for (uint32_t i = 0; i < conf->ncond; i++) {
		const struct rw_cond *cond = &conf->cond[i];
		if (cond->kind == TRIGGER_COUNT)
			*count_of(cond, into) += *count_of(cond, from);
		if (cond->beat < 0)
			continue;
		int64_t *next = next_of(cond, into), other = *next_of(cond, from);
		if (*next == NEVER || (other != NEVER && other < *next))
			*next = other;
	}
}

void rw_trigger_save(const struct rw_conf *conf, const struct rw_node *node, struct snap_out *out)
{
	for (uint32_t i = 0; i < conf->ncond; i++) {
		const struct rw_cond *cond = &conf->cond[i];
		if (cond->kind == TRIGGER_DELTA)
			snap_put_value(out, value_of(cond, node));
		else if (cond->at)
			snap_put_i64(out, *count_of(cond, node));
	}
}

void rw_trigger_load(const struct rw_conf *conf, struct rw_node *node, struct snap_in *in)
{
	for (uint32_t i = 0; i < conf->ncond; i++) {
		const struct rw_cond *cond = &conf->cond[i];
		if (cond->kind == TRIGGER_DELTA) {
			snap_value(in, value_of(cond, node));
			enum vtype type = value_of(cond, node)->type;
			if (type != V_NULL && type != V_DEC && type != V_DBL)
				in->bad = true;
		} else if (cond->at) {
			*count_of(cond, node) = snap_i64(in);
		}
	}
}
