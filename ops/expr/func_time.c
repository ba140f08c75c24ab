/* Functions of times. Local times are those of expr->zone. */
#include "core/number.h"
#include "core/strptime.h"
#include "ops/expr/func.h"
#include "ops/expr/text.h"
#include "ops/window.h"

static struct value valid(int64_t t) { return t < TIME_MIN || t > TIME_MAX ? value_null() : value_time(t); }

int fn_now(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++)
		out[r] = value_time(call->batch->now);
	return 0;
}

static int row_times(const struct call *call, struct value *out)
{
	const int64_t *time = call->batch->time;
	for (uint32_t r = 0; r < call->n; r++)
		out[r] = time ? value_time(time[r]) : value_null();
	return 0;
}

static const struct func rowtime = { .name = "rowtime", .types = ">m", .values = row_times };

struct expr *bind_rowtime(const struct binder *b, struct span span)
{
	if (!b->schema->timed) {
		err_at(b->err, span, "the rows have no event time here: --time or a log format gives it, reduce and topn without a window end it");
		return NULL;
	}
	b->schema->reads_time = true;
	return bind_call(b, &(struct expr){ .func = &rowtime, .span = span });
}

/* ---- local clock ---- */

enum part { HOUR, MINUTE, DAY, MONTH, YEAR, WEEKDAY };

static inline int64_t part_of(int64_t local, enum part part)
{
	struct civil civil;
	civil_of(local, &civil);
	switch (part) {
	case HOUR: return civil.hour;
	case MINUTE: return civil.minute;
	case DAY: return civil.day;
	case MONTH: return civil.month;
	case YEAR: return civil.year;
	case WEEKDAY: break;
	}
	return civil.weekday ? civil.weekday : 7; /* ISO 8601 has Sunday last */
}

static inline int parts(const struct call *call, struct value *out, enum part part)
{
	const struct zone *zone = call->expr->zone;
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *t = arg_at(call, 0, r);
		out[r] = t->type == V_TIME ? value_int(part_of(t->u.i + zone_offset(zone, t->u.i), part)) : value_null();
	}
	return 0;
}

int fn_hour(const struct call *call, struct value *out) { return parts(call, out, HOUR); }

int fn_minute(const struct call *call, struct value *out) { return parts(call, out, MINUTE); }

int fn_day(const struct call *call, struct value *out) { return parts(call, out, DAY); }

int fn_month(const struct call *call, struct value *out) { return parts(call, out, MONTH); }

int fn_year(const struct call *call, struct value *out) { return parts(call, out, YEAR); }

int fn_weekday(const struct call *call, struct value *out) { return parts(call, out, WEEKDAY); }

/* The instant at which the local day of t begins: of two midnights the first; where there is none, the end of the gap. */
static int64_t midnight(int64_t t, const struct zone *zone)
{
	int64_t local = t + zone_offset(zone, t), of_day = local % DAY_MS, second;
	return zone_instant(zone, grid_add(local, -(of_day < 0 ? of_day + DAY_MS : of_day)), &second);
}

int fn_date(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *t = arg_at(call, 0, r);
		out[r] = t->type == V_TIME ? valid(midnight(t->u.i, call->expr->zone)) : value_null();
	}
	return 0;
}

/* ---- floor_time ---- */

static int floor_time(const struct call *call, struct value *out)
{
	const struct windows *windows = call->expr->conf;
	struct window pane;
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *t = arg_at(call, 0, r);
		out[r] = t->type == V_TIME && windows_pane(windows, t->u.i, &pane) ? valid(pane.start) : value_null();
	}
	return 0;
}

static const struct func floor_func = { .name = "floor_time", .types = "m>m", .values = floor_time };

/* A call of func with what is fixed about it as its conf, and the first argument of node. */
static struct expr *call_with(const struct binder *b, const struct node *node, const struct func *func, const void *conf)
{
	struct expr **arg = conf ? arena_alloc(b->mem, sizeof *arg) : NULL;
	if (!arg) {
		err_memory(b->err); /* unless conf could not be made: the first error stays */
		return NULL;
	}
	arg[0] = bind_node(b, node->arg[0]);
	return arg[0] ? bind_call(b, &(struct expr){ .func = func, .span = node->span, .conf = conf, .narg = 1, .arg = arg }) : NULL;
}

static const struct windows *windows_of(const struct binder *b, const struct node *node)
{
	struct expr *size = bind_node(b, node);
	struct window_ast ast = { .kind = WINDOW_TUMBLE };
	if (!size)
		return NULL;
	if (size->kind != E_CONST || size->type != T_DURATION || !number_int(&size->value, &ast.size) || ast.size < 1 || ast.size > TIME_MAX) {
		err_at(b->err, node->span, "a fixed duration in whole milliseconds is needed here, such as 5m, 1h or 1d");
		return NULL;
	}
	struct windows *windows = arena_alloc(b->mem, sizeof *windows);
	ast.step = ast.size;
	if (windows)
		windows_init(windows, &ast, b->zone);
	return windows;
}

/* It is where the window --tumble d that holds t begins. */
struct expr *fn_floor_time(const struct binder *b, const struct node *call)
{
	return call_with(b, call, &floor_func, windows_of(b, call->arg[1]));
}

/* ---- texts ---- */

int fn_iso(const struct call *call, struct value *out)
{
	struct pen pen = { .mem = call->mem };
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *t = arg_at(call, 0, r);
		out[r] = value_null();
		if (t->type != V_TIME)
			continue;
		if (!pen_room(&pen, VALUE_TEXT_MAX))
			return -1;
		out[r] = pen_take(&pen, time_print_iso(t->u.i, call->expr->zone, pen.at), VF_CLEAN);
	}
	return 0;
}

struct expr *bind_iso(const struct binder *b, struct expr *time)
{
	struct expr **arg = arena_alloc(b->mem, sizeof *arg);
	if (!arg) {
		err_memory(b->err);
		return NULL;
	}
	arg[0] = time;
	return bind_call(b, &(struct expr){ .func = function_find("iso", 3), .span = time->span, .narg = 1, .arg = arg });
}

enum { GROWTH = 24 /* bytes that one of a format becomes, at most: %c */ };

static int print(const struct call *call, struct value *out)
{
	const struct bytes *format = call->expr->conf;
	struct pen pen = { .mem = call->mem };
	size_t room = format->n * GROWTH;
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *t = arg_at(call, 0, r);
		out[r] = value_null();
		if (t->type != V_TIME)
			continue;
		if (!pen_room(&pen, room))
			return -1;
		out[r] = pen_take(&pen, strftime_print(format->p, (uint32_t)format->n, t->u.i, call->expr->zone, pen.at, (uint32_t)room), 0);
	}
	return 0;
}

/* What has no year or no date is completed by the clock; a day more is granted, as the clock of who wrote it may be ahead. */
static int parse(const struct call *call, struct value *out)
{
	const struct bytes *format = call->expr->conf;
	struct strptime_env env = { .zone = call->expr->zone, .now = call->batch->now, .ahead = DAY_MS };
	for (uint32_t r = 0; r < call->n; r++) {
		struct bytes x;
		int64_t t;
		bool read = text_of(arg_at(call, 0, r), &x) && strptime_read(format->p, (uint32_t)format->n, x.p, (uint32_t)x.n, &env, &t);
		out[r] = read ? value_time(t) : value_null();
	}
	return 0;
}

static const struct func print_func = { .name = "strftime", .types = "m>t", .values = print };
static const struct func parse_func = { .name = "strptime", .types = "t>m", .values = parse, .by_clock = true };

/* The format in a node, which `check` has found to be one. */
static const struct bytes *format_of(const struct binder *b, const struct node *node, int (*check)(const char *, uint32_t, struct span, struct err *))
{
	struct expr *text = bind_node(b, node);
	if (!text)
		return NULL;
	const struct value *v = &text->value;
	if (text->kind != E_CONST || v->type != V_TEXT) {
		err_at(b->err, node->span, "a fixed text is needed here, such as '%%Y-%%m-%%d %%H:%%M:%%S'");
		return NULL;
	}
	struct span span = node->span;
	if (node->kind == N_LITERAL && span.len == (size_t)v->len + 2) { /* inside the quotes */
		span.at++;
		span.len -= 2;
	}
	struct bytes *format = arena_alloc(b->mem, sizeof *format);
	if (!format || check(v->u.p, v->len, span, b->err))
		return NULL;
	*format = (struct bytes){ v->u.p, v->len };
	return format;
}

struct expr *fn_strftime(const struct binder *b, const struct node *call)
{
	return call_with(b, call, &print_func, format_of(b, call->arg[1], strftime_check));
}

struct expr *fn_strptime(const struct binder *b, const struct node *call)
{
	return call_with(b, call, &parse_func, format_of(b, call->arg[1], strptime_check));
}

/* ---- counts ---- */

int fn_epoch(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *t = arg_at(call, 0, r);
		out[r] = t->type == V_TIME ? number_dec(t->u.i, 3) : value_null();
	}
	return 0;
}

int fn_epoch_ms(const struct call *call, struct value *out)
{
	for (uint32_t r = 0; r < call->n; r++) {
		const struct value *t = arg_at(call, 0, r);
		out[r] = t->type == V_TIME ? value_int(t->u.i) : value_null();
	}
	return 0;
}
