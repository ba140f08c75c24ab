#include "ops/watermark.h"

#include <stdio.h>

#include "ops/grid.h"
#include "ops/pick.h"
#include "ops/state/snapshot.h"

/* Where every ms counts (sessions, @wm lines), silence moves the watermark in steps of so many; a quiet stream would be nothing but wake-ups. */
enum { IDLE_STEP = 50 };

void watermark_init(struct watermark *w)
{
	*w = (struct watermark){ .mode = WATERMARK_DELAY, .delay = 10000, .idle = -1,
		.newest = { .time = WM_NONE }, .others = { .time = INT64_MAX }, .top = { .time = WM_NONE }, .lead = { .time = WM_NONE } };
}

/* The watermark that a record of this time makes. */
static int64_t trailing(const struct watermark *w, int64_t time)
{
	int64_t wm;
	return time == WM_NONE || __builtin_sub_overflow(time - 1, w->delay, &wm) ? WM_NONE : wm;
}

/* The same where other inputs are behind. */
static int64_t following(const struct watermark *w, int64_t time)
{
	return trailing(w, time < w->others.time ? time : w->others.time);
}

static int64_t of_newest(const struct watermark *w)
{
	return following(w, w->newest.time);
}

/* It has come that far. */
static void lead_to(struct watermark *w, const struct watermark_mark *mark)
{
	if (mark->time > w->lead.time)
		w->lead = *mark;
}

static void lead_on(struct watermark *w)
{
	lead_to(w, w->newest.time < w->others.time ? &w->newest : &w->others);
}

/* ---- inputs that are read together -------------------------------------------------------- */

static int begin_group(struct watermark *w, struct chain *chain, const struct source_group *group, int64_t now)
{
	w->group = group->number;
	w->ninput = group->n;
	w->newest = w->top;
	w->others.time = INT64_MAX;
	if (group->n > w->cap) {
		w->input = arena_alloc(&chain->plan, group->n * sizeof *w->input);
		if (!w->input)
			return err_memory(chain->err);
		w->cap = group->n;
	}
	for (uint32_t i = 0; group->n > 1 && i < group->n; i++)
		w->input[i] = (struct watermark_input){ .newest.time = WM_NONE, .arrived = now };
	return 0;
}

static bool counts(const struct watermark_input *input)
{
	return !input->ended && !input->idle;
}

/* Looks at which inputs are there. */
static int look_around(struct watermark *w, struct chain *chain, struct source *source, int64_t now, uint32_t *at_work)
{
	struct source_group group = source_group(source);
	*at_work = group.now;
	if (group.number != w->group && begin_group(w, chain, &group, now))
		return -1;
	for (uint32_t i = 0; w->ninput > 1 && i < w->ninput; i++) {
		struct watermark_input *input = &w->input[i];
		input->ended = group.ended[i];
		input->idle |= w->idle >= 0 && now - input->arrived >= w->idle;
	}
	return 0;
}

/* Something has come from an input: it is the one at work now. */
static int come(struct watermark *w, struct chain *chain, struct source *source, int64_t now)
{
	uint32_t at_work;
	if (look_around(w, chain, source, now, &at_work))
		return -1;
	if (w->ninput < 2)
		return 0;
	struct watermark_input *input = &w->input[at_work];
	input->arrived = now;
	input->idle = false;
	w->newest = input->newest;
	w->others.time = INT64_MAX;
	for (uint32_t i = 0; i < w->ninput; i++)
		if (i != at_work && counts(&w->input[i]) && w->input[i].newest.time < w->others.time)
			w->others = w->input[i].newest;
	lead_on(w);
	return 0;
}

/* ... and that was all of it. */
static void gone(struct watermark *w, struct source *source)
{
	if (w->newest.time > w->top.time)
		w->top = w->newest;
	if (w->ninput > 1)
		w->input[source_group(source).now].newest = w->newest;
}

/* ---- rows ------------------------------------------------------------------------------- */

/* Rows that were late in what has just gone through the chain: the lead is what they were measured by. */
static void note_late(struct watermark *w, struct chain *chain)
{
	int64_t last, needed;
	uint64_t n = chain_late(chain, &last);
	if (n > w->late && w->lead.time != WM_NONE && !__builtin_sub_overflow(w->lead.time - 1, last, &needed) && needed > w->needed) {
		w->mover = w->lead;
		w->needed = needed;
	}
	w->late = n;
}

static int push(struct watermark *w, struct chain *chain, const struct batch *batch, uint32_t from, uint32_t n, int64_t now)
{
	struct batch part;
	if (!n)
		return 0;
	if (n == batch->n)
		part = *batch;
	else if (batch_slice(batch, from, n, &part))
		return err_memory(chain->err);
	if (chain_push(chain, &part, now))
		return -1;
	note_late(w, chain);
	return 0;
}

/* The newest record of all is row `row`. */
static void take_newest(struct watermark *w, const struct source *source, int64_t time, uint32_t row, int64_t now)
{
	w->newest = (struct watermark_mark){ time, source_place(source, row) };
	w->arrived = now;
	lead_on(w);
}

/* Index of the newest row; batch->n if none is newer than what was there. *oldest: the least time. */
static uint32_t find_newest(const struct watermark *w, const struct batch *batch, int64_t *oldest)
{
	int64_t newest = w->newest.time, least = INT64_MAX;
	uint32_t row = batch->n;
	for (uint32_t r = 0; r < batch->n; r++) {
		int64_t time = batch->time[r];
		least = time < least ? time : least;
		if (time > newest) {
			newest = time;
			row = r;
		}
	}
	*oldest = least;
	return row;
}

/* Rows that stay together: 2 where an update begins, which is not cut in two, else 1. */
static uint32_t unit_of(const struct batch *batch, uint32_t r)
{
	return batch->kind && batch->kind[r] & K_PAIR ? 2 : 1;
}

static bool is_behind(const struct batch *batch, uint32_t r, uint32_t n, int64_t wm)
{
	return batch->time[r] <= wm || batch->time[r + n - 1] <= wm;
}

static bool is_ahead(int64_t time, int64_t wm)
{
	return wm == WM_NONE || time - 1 > wm;
}

/* Are all rows ahead of the watermarks that those before them make? */
static bool all_ahead(const struct watermark *w, const struct batch *batch)
{
	int64_t newest = w->newest.time;
	bool ahead = true;
	for (uint32_t r = 0; r < batch->n; r++) {
		ahead &= is_ahead(batch->time[r], following(w, newest));
		newest = batch->time[r] > newest ? batch->time[r] : newest;
	}
	return ahead;
}

/* Rows up to row r go, and the watermark with them. */
static int catch_up(struct watermark *w, struct chain *chain, const struct batch *batch, uint32_t *from, uint32_t r, int64_t now)
{
	if (push(w, chain, batch, *from, r - *from, now) || chain_watermark(chain, of_newest(w), now))
		return -1;
	*from = r;
	return 0;
}

/* Rows behind the watermark may be late; they go alone, so that it is known which record was the newest then. */
static int push_behind(struct watermark *w, struct chain *chain, const struct batch *batch, uint32_t *from, uint32_t r, int64_t now)
{
	uint32_t n = unit_of(batch, r);
	if (push(w, chain, batch, *from, r - *from, now) || push(w, chain, batch, r, n, now))
		return -1;
	*from = r + n;
	return 0;
}

/* Cuts the batch behind each row whose watermark reaches what is due; *from: where what is left begins. */
static int push_cut(struct watermark *w, struct chain *chain, const struct source *source, const struct batch *batch, uint32_t *from, int64_t now)
{
	int64_t due = chain_due_now(chain);
	for (uint32_t r = 0, n; r < batch->n; r += n) {
		n = unit_of(batch, r);
		if (chain->lags && !(is_ahead(batch->time[r], of_newest(w)) && is_ahead(batch->time[r + n - 1], of_newest(w)))) {
			if (catch_up(w, chain, batch, from, r, now))
				return -1;
			due = chain_due_now(chain);
		}
		if (is_behind(batch, r, n, chain_passed(chain)) && push_behind(w, chain, batch, from, r, now))
			return -1;
		for (uint32_t i = r; i < r + n; i++)
			if (batch->time[i] > w->newest.time)
				take_newest(w, source, batch->time[i], i, now);
		if (of_newest(w) < due)
			continue;
		if (catch_up(w, chain, batch, from, r + n, now))
			return -1;
		due = chain_due_now(chain);
	}
	return 0;
}

/* Notes the first batch of a file. */
static void begin_file(struct watermark *w, const struct source *source, int64_t time)
{
	struct source_place place = source_place(source, 0);
	if (place.file == w->file)
		return;
	w->behind = w->file && w->ninput < 2 && time <= of_newest(w);
	w->first = time;
	w->file = place.file;
}

static int push_batch(struct watermark *w, struct chain *chain, const struct source *source, const struct batch *batch, int64_t now)
{
	begin_file(w, source, batch->time[0]);
	int64_t due = chain_due_now(chain), oldest;
	uint32_t from = 0, newest = find_newest(w, batch, &oldest);
	/* Most batches reach nothing: one look at their newest and oldest rows tells. */
	bool reaches = oldest <= chain_passed(chain) || (newest < batch->n && due != INT64_MAX && following(w, batch->time[newest]) >= due);
	reaches = reaches || (chain->lags && !all_ahead(w, batch));
	if (reaches && push_cut(w, chain, source, batch, &from, now))
		return -1;
	if (!reaches && newest < batch->n)
		take_newest(w, source, batch->time[newest], newest, now);
	if (chain->lags)
		return catch_up(w, chain, batch, &from, batch->n, now);
	return push(w, chain, batch, from, batch->n - from, now);
}

/* Where another input has ended, or is idle, the watermark may have come far before the first row does. */
static bool others_jumped(const struct watermark *w, const struct chain *chain)
{
	return w->ninput > 1 && of_newest(w) >= chain_due_now(chain);
}

int watermark_push(struct watermark *w, struct chain *chain, struct source *source, const struct batch *batch, int64_t now)
{
	if (!batch->time || w->mode != WATERMARK_DELAY)
		return push(w, chain, batch, 0, batch->n, now);
	if (come(w, chain, source, now) || (others_jumped(w, chain) && chain_watermark(chain, of_newest(w), now)))
		return -1;
	int status = push_batch(w, chain, source, batch, now);
	gone(w, source);
	return status;
}

int watermark_line(struct watermark *w, struct chain *chain, struct source *source, int64_t value, int64_t now)
{
	if (w->mode != WATERMARK_INPUT)
		return 0;
	if (come(w, chain, source, now))
		return -1;
	if (value > w->newest.time) {
		w->newest = (struct watermark_mark){ .time = value };
		w->arrived = now;
	}
	gone(w, source);
	return chain_watermark(chain, w->newest.time < w->others.time ? w->newest.time : w->others.time, now);
}

/* How far the silence of all inputs has moved it. */
static int64_t of_silence(const struct watermark *w, int64_t now)
{
	int64_t wm = trailing(w, w->top.time);
	return wm == WM_NONE || w->idle < 0 || now - w->arrived < w->idle ? wm : grid_add(wm, now - w->arrived - w->idle);
}

/* What is furthest behind of several inputs; NULL: none of them counts. */
static const struct watermark_mark *find_least(const struct watermark *w)
{
	const struct watermark_mark *least = NULL;
	for (uint32_t i = 0; w->ninput > 1 && i < w->ninput; i++) {
		const struct watermark_input *input = &w->input[i];
		if (counts(input) && (!least || input->newest.time < least->time))
			least = &input->newest;
	}
	return least;
}

int watermark_idle(struct watermark *w, struct chain *chain, struct source *source, int64_t now)
{
	uint32_t at_work;
	int64_t wm;
	if (w->mode == WATERMARK_END || w->top.time == WM_NONE || (w->idle < 0 && w->ninput < 2))
		return 0;
	if (w->ninput > 1 && look_around(w, chain, source, now, &at_work))
		return -1;
	const struct watermark_mark *least = find_least(w), *mark = least ? least : &w->top;
	lead_to(w, mark);
	if (w->mode == WATERMARK_INPUT)
		wm = mark->time;
	else
		wm = least ? trailing(w, least->time) : of_silence(w, now);
	return wm >= chain_due(chain) ? chain_watermark(chain, wm, now) : 0;
}

int64_t watermark_alarm(const struct watermark *w, const struct chain *chain)
{
	int64_t due = chain_due(chain), first = INT64_MAX, at;
	if (w->mode != WATERMARK_DELAY || w->idle < 0 || w->top.time == WM_NONE || due == INT64_MAX)
		return INT64_MAX;
	for (uint32_t i = 0; w->ninput > 1 && i < w->ninput; i++) /* the next one that will be idle */
		if (counts(&w->input[i]) && w->input[i].arrived + w->idle < first)
			first = w->input[i].arrived + w->idle;
	if (first < INT64_MAX)
		return first;
	if (due < grid_add(chain->wm, IDLE_STEP))
		due = grid_add(chain->wm, IDLE_STEP);
	/* the clock t with trailing(top) + (t - arrived - idle) = due */
	return __builtin_sub_overflow(due, trailing(w, w->top.time), &at) || at > INT64_MAX / 4 ? INT64_MAX : grid_add(w->arrived, w->idle + at);
}

void watermark_behind(const struct watermark *w, const struct time_style *style, char *out, size_t room)
{
	char first[TIME_TEXT_MAX + 1], wm[TIME_TEXT_MAX + 1];
	first[time_print(w->first, style, first)] = 0;
	wm[time_print(of_newest(w), style, wm)] = 0;
	snprintf(out, room, "%s begins at %s, behind the watermark (%s): its rows come late; give the files in the order of time, or a longer --watermark", w->file, first, wm);
}

void watermark_report(const struct watermark *w, const struct time_style *style, char *out, size_t room)
{
	char delay[DURATION_TEXT_MAX], time[TIME_TEXT_MAX + 1];
	uint64_t n = w->late;
	*out = 0;
	if (!n)
		return;
	int len = snprintf(out, room, "%llu late row%s left out", (unsigned long long)n, n == 1 ? "" : "s");
	if (w->mode != WATERMARK_DELAY || len < 0 || (size_t)len >= room || !w->needed)
		return;
	time[time_print(w->mover.time, style, time)] = 0;
	char place[300] = "a record of an earlier run";
	if (w->mover.at.file)
		snprintf(place, sizeof place, "%s:%llu", w->mover.at.file, (unsigned long long)w->mover.at.line);
	snprintf(out + len, room - (size_t)len, ": %s (%s) had moved the watermark past %s; --watermark %s would have kept %s", place, time, n == 1 ? "it" : "the latest of them", duration_text(w->needed, delay, sizeof delay), n == 1 ? "it" : "all");
}

void watermark_save(const struct watermark *w, struct snap_out *out)
{
	snap_put_i64(out, w->top.time);
	snap_put_i64(out, w->arrived);
}

void watermark_load(struct watermark *w, struct snap_in *in)
{
	w->top = (struct watermark_mark){ .time = snap_i64(in) };
	w->newest = w->lead = w->top;
	w->arrived = snap_i64(in);
}
