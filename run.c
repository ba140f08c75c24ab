/* A run: set-up from the command line, the loop (loop.c), the end. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "advice.h"
#include "completions.h"
#include "core/show.h"
#include "help.h"
#include "job.h"

void say(struct job *job, const char *text)
{
	char shown[SHOW_MOST * sizeof job->err.text];
	show_lines(shown, sizeof shown, text);
	progress_give_way(job);
	live_give_way(job);
	dprintf(job->run->err, "weir: %s\n", shown);
}

static void report(void *ctx, const char *line)
{
	say(ctx, line);
}

/* ---- set-up ------------------------------------------------------------------------------ */

static int parse_args(struct job *job)
{
	struct flag_row rows[64];
	uint32_t n = 0;
	for (; op_types[n]; n++)
		rows[n] = (struct flag_row){ op_types[n]->name, op_types[n]->letter };
	const struct command_line line = { job->run->argc, job->run->argv, rows, n, job->run->in };
	return args_parse(&job->args, &line, &job->words, &job->err);
}

static int build_chain(struct job *job)
{
	struct chain *chain = &job->chain;
	chain->final = job->settings.final;
	chain->keeps = args_given(&job->args, OPT_STATE);
	if (args_given(&job->args, OPT_UPSERT) && chain_add(chain, &upsert_op, job->args.typed[OPT_UPSERT], job->args.value[OPT_UPSERT]))
		return -1;
	for (uint32_t i = 0; i < job->args.nuse; i++) {
		const struct flag_use *use = &job->args.use[i];
		if (chain_add(chain, op_types[use->row], use->flag, use->text))
			return -1;
	}
	return 0;
}

static int open_out(struct job *job)
{
	const char *path = job->args.value[OPT_OUT];
	if (path) {
		job->out_fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
		if (job->out_fd < 0)
			return err_set(&job->err, ERR_FAILED, "%s %s: %s", job->args.typed[OPT_OUT], path, strerror(errno));
	}
	out_init(&job->out, path ? job->out_fd : job->run->out, path ? path : "standard output", &job->mem);
	return 0;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return S_ISREG(a->st_mode) && S_ISREG(b->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* An output that is one of the inputs would be read for ever; the state, when it is saved, replaces what went to its file. */
static int check_output(struct job *job, const char *flag, const struct stat *out)
{
	struct stat in;
	for (uint32_t i = 0; i < job->args.nfile; i++)
		if (!stat(job->args.file[i], &in) && same_file(&in, out))
			return err_set(&job->err, ERR_FAILED, "%s: %s is an input, too", flag, job->args.file[i]);
	if (!fstat(job->run->in, &in) && same_file(&in, out))
		return err_set(&job->err, ERR_FAILED, "%s: standard input is the same file", flag);
	const char *state = job->args.value[OPT_STATE];
	if (state && !stat(state, &in) && same_file(&in, out))
		return err_set(&job->err, ERR_FAILED, "%s: %s is the file of --state, too", flag, state);
	return 0;
}

/* A file besides the output. */
static int check_beside(struct job *job, const char *flag, const char *path, const struct stat *beside, const struct stat *out)
{
	if (same_file(beside, out))
		return err_set(&job->err, ERR_FAILED, "%s %s: the output goes there, too", flag, path);
	return check_output(job, flag, beside);
}

static int check_outputs(struct job *job)
{
	struct stat out = { 0 }, beside;
	const char *bad_file = job->args.value[OPT_BAD_FILE];
	if (!fstat(job->out.fd, &out) && check_output(job, job->out_fd < 0 ? "standard output" : "--out", &out))
		return -1;
	for (uint32_t i = 0; i < job->sides; i++) {
		const struct chain_side *side = job->chain.side[i];
		if (!fstat(side->out.fd, &beside) && check_beside(job, side->flag, side->path, &beside, &out))
			return -1;
	}
	return bad_file && !stat(bad_file, &beside) ? check_beside(job, "--bad-file", bad_file, &beside, &out) : 0;
}

static int open_source(struct job *job)
{
	struct source_options *options = &job->settings.source;
	options->stdin_fd = job->run->in;
	options->stop = job->run->stop;
	options->read_max = job->run->read_max;
	options->batch_max = job->chain.batch_max;
	options->report = report;
	options->ctx = job;
	return source_open(&job->source, options, &job->chain.plan, &job->mem, &job->err);
}

/* --tz: a name, or `local`: what TZ says, else the system. */
static int load_zone(struct job *job)
{
	const char *name = job->args.value[OPT_TZ], *local = getenv("TZ");
	struct time_style *style = &job->chain.style;
	*style = job->settings.style;
	job->settings.emit.style = style;
	if (!name)
		return 0;
	if (!strcmp(name, "local"))
		name = local && *local ? local + (*local == ':') : "/etc/localtime";
	return zone_load(&style->zone, name, &job->words, &job->err) ? err_before(&job->err, "%s", job->args.typed[OPT_TZ]) : 0;
}

static void set_time(struct job *job)
{
	const struct watermark_ast *ast = &job->settings.watermark;
	bool clocked = !ast->input && !job->settings.source.clock_input;
	watermark_init(&job->watermark);
	job->watermark.delay = ast->delay;
	job->watermark.idle = ast->idle;
	if (job->settings.final && !job->settings.watermark_given)
		job->watermark.mode = WATERMARK_END;
	else if (ast->input)
		job->watermark.mode = WATERMARK_INPUT;
	job->rowtime.watch = clocked;
	job->rowtime.env = (struct strptime_env){ .zone = job->chain.style.zone, .ahead = ast->ahead < 0 ? DAY_MS : ast->ahead };
}

/* What the event times are made of is read, too, if anything goes by them. */
static void ask_for_time(struct job *job)
{
	if (!job->chain.needs_time)
		return;
	rowtime_need(&job->rowtime, job->chain.edge[0]->need);
	source_set_stamp(job->source, rowtime_stamp, &job->rowtime);
}

static int plan(struct job *job)
{
	struct schema *schema = source_schema(job->source);
	schema->any = source_empty(job->source);
	schema->zone = job->chain.style.zone;
	struct stream in = { .schema = schema, .kinds = source_kinds(job->source) };
	in.key = source_key(job->source, &in.nkey);
	in.has_key = in.nkey > 0;
	in.equal_pairs = in.kinds != 0;
	set_time(job);
	const struct time_ast *time = job->settings.time.expr ? &job->settings.time : NULL;
	if (rowtime_bind(&job->rowtime, time, &job->settings.source.input, schema, &job->chain.plan, &in.timed, &job->err))
		return -1;
	if (job->settings.watermark_given && !in.timed)
		return err_set(&job->err, ERR_USAGE, "%s: there is no event time for it to follow; name the column that holds it, as in --time time",
			       job->args.typed[OPT_WATERMARK]);
	struct sink_conf sink = { .opt = job->settings.emit, .out = &job->out, .appends = args_given(&job->args, OPT_OUT) };
	sink.opt.input = &job->settings.source.input;
	if (chain_plan(&job->chain, &in, &sink))
		return -1;
	ask_for_time(job);
	return 0;
}

static int open_sides(struct job *job)
{
	for (; job->sides < job->chain.nside; job->sides++) {
		struct chain_side *side = job->chain.side[job->sides];
		int fd = open(side->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0)
			return err_set(&job->err, ERR_FAILED, "%s %s: %s", side->flag, side->path, strerror(errno));
		out_init(&side->out, fd, side->path, &job->mem);
	}
	return 0;
}

static int load_state(struct job *job)
{
	struct statefile_of of = { &job->args, &job->chain, &job->rowtime, &job->watermark };
	return statefile_load(&job->state, &of, &job->err);
}

static int set_up(struct job *job)
{
	if (settings_read(&job->settings, &job->args, isatty(job->run->out) == 1, &job->words, &job->err) || load_zone(job) || build_chain(job))
		return -1;
	if (args_given(&job->args, OPT_STATE) && statefile_check_input(&job->args, job->run->in, &job->err))
		return -1;
	if (args_given(&job->args, OPT_STATE) && !args_given(&job->args, OPT_EXPLAIN) && statefile_open(&job->state, job->args.value[OPT_STATE], &job->mem, &job->err))
		return -1;
	if (open_source(job) || plan(job))
		return -1;
	if (args_given(&job->args, OPT_EXPLAIN))
		return 0;
	if (open_out(job) || open_sides(job) || check_outputs(job) || chain_open(&job->chain) || source_start(job->source, chain_need(&job->chain)))
		return -1;
	return args_given(&job->args, OPT_STATE) ? load_state(job) : 0;
}

/* ---- the end ----------------------------------------------------------------------------- */

static void close_sides(struct job *job)
{
	while (job->sides)
		out_close(&job->chain.side[--job->sides]->out, &job->err);
}

/* The last flush; side outputs and --out are closed here, standard output by main. */
static int close_out(struct job *job)
{
	close_sides(job);
	if (job->err.code)
		return -1;
	if (job->out_fd < 0)
		return flush_out(job);
	job->out_fd = -1;
	return out_close(&job->out, &job->err);
}

/* Has a write failed? That was told when it did. */
static bool has_failed(const struct job *job)
{
	bool failed = job->out.error != 0;
	for (uint32_t i = 0; i < job->sides; i++)
		failed |= job->chain.side[i]->out.error != 0;
	return failed;
}

static void report_ignored(struct job *job)
{
	uint64_t n = chain_ignored(&job->chain);
	if (!n || args_given(&job->args, OPT_QUIET))
		return;
	dprintf(job->run->err, "weir: %llu retraction%s of rows that were not there: ignored\n", (unsigned long long)n, n == 1 ? "" : "s");
}

/* Rows that came too late. */
static void report_late(struct job *job)
{
	char text[700];
	watermark_report(&job->watermark, &job->chain.style, text, sizeof text);
	if (*text && !args_given(&job->args, OPT_QUIET))
		say(job, text);
}

static struct statefile_of state_of(struct job *job)
{
	return (struct statefile_of){ &job->args, &job->chain, &job->rowtime, &job->watermark };
}

/* The end of input, or a pause under --state: bundles go out, windows close, then the result; the state is written when the output is safe. */
static int finish(struct job *job)
{
	bool keep = args_given(&job->args, OPT_STATE), windows = !keep || args_given(&job->args, OPT_CLOSE);
	struct statefile_of of = state_of(job);
	if (chain_settle(&job->chain, windows))
		return -1;
	if (keep && statefile_take(&job->state, &of, &job->err))
		return -1;
	return chain_result(&job->chain, windows);
}

/* Prints the error, if there is one; the exit status for it. */
static int fail(struct job *job, int status)
{
	if (!job->err.code)
		return status;
	job->live.on = false; /* the picture stays, the message goes below it */
	say(job, job->err.text);
	int code = (int)job->err.code;
	job->err = (struct err){ 0 };
	return status > code ? status : code;
}

/* Results that a reader writes to the same terminal come below the line of --progress, not into it. */
static void settle_line(struct job *job)
{
	if (job->progress.redrawn && isatty(job->out.fd) != 1)
		progress_end(job, clock_ms());
}

static int run_job(struct job *job)
{
	advise(job);
	int more = loop(job);
	int status = fail(job, EXIT_WELL);
	settle_line(job);
	if (!more && (finish(job) || live_end(job)))
		status = fail(job, status);
	bool told = has_failed(job);
	if (source_finish(job->source, &job->err))
		status = fail(job, status);
	if (close_out(job) && !told)
		status = fail(job, status);
	progress_end(job, clock_ms());
	report_ignored(job);
	report_late(job);
	if (status == EXIT_WELL && args_given(&job->args, OPT_STATE) && statefile_write(&job->state, &job->err))
		status = fail(job, status);
	if (status == EXIT_WELL && args_given(&job->args, OPT_ALERT) && chain_rows(&job->chain))
		status = EXIT_ALERT;
	return status;
}

/* What event time is, and how far the watermark trails. */
static void explain_time(struct job *job, struct buf *out)
{
	char text[300], delay[DURATION_TEXT_MAX], idle[DURATION_TEXT_MAX];
	const struct watermark *w = &job->watermark;
	rowtime_text(&job->rowtime, text, sizeof text);
	buf_printf(out, "time\n  column     %s\n  watermark  ", text);
	if (w->mode == WATERMARK_END)
		buf_puts(out, "the end of input: nothing is late\n");
	else if (w->mode == WATERMARK_INPUT)
		buf_puts(out, "@wm lines of the input\n");
	else if (w->idle < 0)
		buf_printf(out, "%s behind the newest record\n", duration_text(w->delay, delay, sizeof delay));
	else
		buf_printf(out, "%s behind the newest record, on with the clock once none came for %s\n", duration_text(w->delay, delay, sizeof delay),
			   duration_text(w->idle, idle, sizeof idle));
}

static int explain(struct job *job)
{
	out_init(&job->out, job->run->out, "standard output", &job->mem);
	if (job->chain.needs_time)
		explain_time(job, &job->out.buf);
	chain_explain(&job->chain, &job->out.buf);
	if (job->out.buf.failed)
		err_memory(&job->err);
	else
		flush_out(job);
	return fail(job, EXIT_WELL);
}

static int start(struct job *job)
{
	if (parse_args(job))
		return fail(job, EXIT_FAILED);
	if (args_given(&job->args, OPT_HELP))
		return help_print(job->run->out, job->args.value[OPT_HELP], &job->err) ? fail(job, EXIT_FAILED) : EXIT_WELL;
	if (args_given(&job->args, OPT_COMPLETIONS))
		return completions_print(job->run->out, job->args.value[OPT_COMPLETIONS], &job->err) ? fail(job, EXIT_FAILED) : EXIT_WELL;
	if (args_given(&job->args, OPT_VERSION))
		return help_version(job->run->out) ? EXIT_FAILED : EXIT_WELL;
	if (job->run->argc < 2 && isatty(job->run->in) == 1)
		return help_usage(job->run->err), EXIT_USAGE;
	if (set_up(job))
		return fail(job, EXIT_FAILED);
	return args_given(&job->args, OPT_EXPLAIN) ? explain(job) : run_job(job);
}

static void tear_down(struct job *job)
{
	close_sides(job);
	statefile_close(&job->state);
	if (job->source)
		source_close(job->source);
	chain_close(&job->chain); /* last of the two: the source lives in the memory of the plan. So no operator may look at its schema when it closes */
	if (job->out.buf.mem)
		buf_release(&job->out.buf);
	if (job->out_fd >= 0)
		close(job->out_fd);
	arena_release(&job->words);
}

int run(struct run *run)
{
	struct job job = { .run = run, .out_fd = -1, .mem = { .fail_at = run->fail_at } };
	arena_init(&job.words, &job.mem);
	chain_init(&job.chain, &job.mem, run->batch_max ? run->batch_max : BATCH_MAX, &job.err);
	int status = start(&job);
	tear_down(&job);
	run->requests = job.mem.requests;
	run->leaked = job.mem.used;
	return status;
}
