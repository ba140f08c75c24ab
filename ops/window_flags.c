/* The flags that stand before an operator and say in which windows it works, and how: --tumble, --hop, --cumulate, --session, --trigger, --evict,
 * --lateness, --late-file. Each fills its part of struct op_window, once. */
#include <string.h>

#include "ops/op.h"
#include "parse/lang/parse.h"

/* Puts a flag into its place among those that wait for an operator. */
static int take(struct op *op, struct op **place, const char *what, struct err *err)
{
	struct span whole = { op->flag, op->text, 0, strlen(op->text) };
	if (*place)
		return err_at(err, whole, "two %s: nothing between uses the first (%s '%s')", what, (*place)->flag, (*place)->text);
	*place = op;
	return 0;
}

/* ---- windows ----------------------------------------------------------------------------- */

static int parse_kind(struct op *op, enum window_kind kind, struct err *err)
{
	return parse_window(kind, op->flag, op->text, op->plan, op->conf, err);
}

static int parse_tumble(struct op *op, struct err *err)
{
	return parse_kind(op, WINDOW_TUMBLE, err);
}

static int parse_hop(struct op *op, struct err *err)
{
	return parse_kind(op, WINDOW_HOP, err);
}

static int parse_cumulate(struct op *op, struct err *err)
{
	return parse_kind(op, WINDOW_CUMULATE, err);
}

static int parse_session(struct op *op, struct err *err)
{
	return parse_kind(op, WINDOW_SESSION, err);
}

static int apply_window(struct op *op, struct op_settings *settings, struct err *err)
{
	settings->window.window = *(const struct window_ast *)op->conf;
	return take(op, &settings->window.window_flag, "windows", err);
}

const struct op_type tumble_op = {
	.name = "tumble",
	.traits = OP_SETTING,
	.arg = "SIZE",
	.help = "windows of that size, side by side: 5m, '100 rows'",
	.more = "The next reduce or topn works in them (so for hop, cumulate and session): a row\n"
		"for each window and key at the end of the window: window_start, window_end, the\n"
		"key, the aggregates. Borders are multiples of SIZE on the clock of --tz: 1d\n"
		"begins at midnight, 1w on Monday. 'SIZE offset D' moves them. Rows are counted\n"
		"for each key. Without --time, or a log that brings it, time is the clock.\n"
		"\n"
		"  weir -f combined --tumble 5m -k path -r count access.log\n"
		"  weir -f combined --tz Europe/Berlin --tumble 1d -r count access.log\n"
		"  weir --tumble '100 rows' -k c1 -r 'avg(c2)' measured.tsv\n",
	.conf_size = sizeof(struct window_ast),
	.parse = parse_tumble,
	.apply = apply_window,
};

const struct op_type hop_op = {
	.name = "hop",
	.traits = OP_SETTING,
	.arg = "SIZE every D",
	.help = "windows that begin every D, and so overlap",
	.more = "In quotes, as one word. SIZE and D are times or rows. Where D is above SIZE,\n"
		"what falls between windows is dropped. '... offset D' moves the borders.\n"
		"\n"
		"  weir -f combined --hop '10m every 1m' -k path -r 'p95(bytes)' access.log\n"
		"  weir --hop '50 rows every 10 rows' -k c1 -r 'avg(c2)' measured.tsv\n",
	.conf_size = sizeof(struct window_ast),
	.parse = parse_hop,
	.apply = apply_window,
};

const struct op_type cumulate_op = {
	.name = "cumulate",
	.traits = OP_SETTING,
	.arg = "D every D",
	.help = "windows that grow by steps: '1d every 1h'",
	.more = "'SIZE every STEP': as tumble SIZE, but with the result so far after each STEP,\n"
		"from the first row on. STEP must divide SIZE; '... offset D' moves the borders.\n"
		"\n"
		"  weir -f combined --cumulate '1d every 1h' -r 'count(distinct ip)' access.log\n",
	.conf_size = sizeof(struct window_ast),
	.parse = parse_cumulate,
	.apply = apply_window,
};

const struct op_type session_op = {
	.name = "session",
	.traits = OP_SETTING,
	.arg = "GAP",
	.help = "windows of a key that end when it is idle for GAP",
	.more = "Rows of a key at most GAP apart are one session. It lasts from the first one to\n"
		"GAP behind the last.\n"
		"\n"
		"  weir -f combined --session 30m -k ip -r 'count, first(path)' access.log\n",
	.conf_size = sizeof(struct window_ast),
	.parse = parse_session,
	.apply = apply_window,
};

/* ---- what becomes of a window ------------------------------------------------------------ */

static int parse_trigger_flag(struct op *op, struct err *err)
{
	return parse_trigger(op->flag, op->text, op->plan, op->conf, err);
}

static int apply_trigger(struct op *op, struct op_settings *settings, struct err *err)
{
	settings->window.trigger = *(const struct trigger_ast *)op->conf;
	return take(op, &settings->window.trigger_flag, "triggers", err);
}

const struct op_type trigger_op = {
	.name = "trigger",
	.traits = OP_SETTING,
	.arg = "WHEN",
	.help = "when a window gives its result (default: its end)",
	.more = "WHEN, several joined by or:\n"
		"  end              when its end is reached\n"
		"  each             with every row\n"
		"  count N          with every Nth row\n"
		"  every D          at multiples of D, and at its end\n"
		"  every D clock    at multiples of D on the clock\n"
		"  delta X of EXPR  when EXPR is more than X away from where it last was so\n"
		"The first result of a window is +I, later ones are -U and +U. `purge` at the\n"
		"end of WHEN: a window is emptied each time, and all are +I. Without end or\n"
		"every the rows since the last result are never told. Without a window flag\n"
		"there is one window that holds everything and never ends. `every D` waits for\n"
		"the delay of --watermark, `every D clock` does not.\n"
		"\n"
		"  weir -f combined --tumble 1h --trigger 'every 10s clock' -r count access.log\n"
		"  weir -f combined --tumble 1h --trigger 'each or end' -r count access.log\n"
		"  weir -k c1 --trigger 'count 100 purge' -r 'avg(c2)' measured.tsv\n",
	.conf_size = sizeof(struct trigger_ast),
	.parse = parse_trigger_flag,
	.apply = apply_trigger,
};

static int parse_evict_flag(struct op *op, struct err *err)
{
	return parse_evict(op->flag, op->text, op->plan, op->conf, err);
}

static int apply_evict(struct op *op, struct op_settings *settings, struct err *err)
{
	settings->window.evict = *(const struct evict_ast *)op->conf;
	return take(op, &settings->window.evict_flag, "evictors", err);
}

const struct op_type evict_op = {
	.name = "evict",
	.traits = OP_SETTING,
	.arg = "WHAT",
	.help = "which rows of a window stay when it gives a result",
	.more = "  last N           the newest N rows\n"
		"  last D           those less than D older than the newest\n"
		"  delta X of EXPR  those whose EXPR differs by less than X from the last row's\n"
		"The others go for good, before the result, or with `after` behind it after the\n"
		"result. A window keeps its rows for this. Without a window flag it needs a\n"
		"--trigger.\n"
		"\n"
		"  weir -k c1 --trigger each --evict 'last 10' -r 'avg(c2)' measured.tsv\n",
	.conf_size = sizeof(struct evict_ast),
	.parse = parse_evict_flag,
	.apply = apply_evict,
};

/* ---- late rows --------------------------------------------------------------------------- */

static int parse_lateness(struct op *op, struct err *err)
{
	return parse_delay(op->flag, op->text, op->plan, op->conf, err);
}

static int apply_lateness(struct op *op, struct op_settings *settings, struct err *err)
{
	settings->window.lateness = *(const int64_t *)op->conf;
	return take(op, &settings->window.lateness_flag, "times of lateness", err);
}

const struct op_type lateness_op = {
	.name = "lateness",
	.traits = OP_SETTING,
	.arg = "D",
	.help = "a window takes late rows for D after its end",
	.more = "For a window flag. Each late row changes the result at once (-U, +U). One that\n"
		"is later still is dropped, or goes to --late-file; at the end it is told how\n"
		"many were, and what would have kept them.\n"
		"\n"
		"  weir -f combined --tumble 1m --lateness 1h -k path -r count access.log\n",
	.conf_size = sizeof(int64_t),
	.parse = parse_lateness,
	.apply = apply_lateness,
};

static int apply_late_file(struct op *op, struct op_settings *settings, struct err *err)
{
	if (!*op->text)
		return err_set(err, ERR_USAGE, "%s: a file without a name", op->flag);
	return take(op, &settings->window.late_flag, "files for late rows", err);
}

const struct op_type late_file_op = {
	.name = "late-file",
	.traits = OP_SETTING,
	.arg = "FILE",
	.help = "rows that come too late for their window go there",
	.more = "As they reached the operator, in changelog format, without names: --fields\n"
		"gives them back. FILE is made at the start; what is in it stays. It may be\n"
		"/dev/fd/3. With -F nothing is late unless --watermark is given.\n"
		"\n"
		"  weir -f combined -s 'path, rowtime' --tumble 1m --late-file late.tsv \\\n"
		"    -k path -r count access.log\n"
		"  weir -f changelog --fields path,at --time at --tumble 1h -r count late.tsv\n",
	.apply = apply_late_file,
};
