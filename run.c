/* The loop: it owns time, files and signals; everything below gets them handed in. */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/show.h"
#include "help.h"
#include "ops/chain.h"
#include "settings.h"
#include "statefile.h"

enum {
	FLUSH_MS = 100,    /* no byte of output waits longer */
	SILENCE_MS = 1000, /* after a signal: this much silence ends the input */
	GRACE_MS = 3000,   /* and it ends after this in any case */
	POLL_MS = 100,     /* how often that is looked at */
};

struct job {
	struct run *run;
	struct args args;
	struct settings settings;
	struct chain chain;
	struct source *source;
	struct statefile state;
	struct out out;
	int out_fd;              /* opened for --out; -1: none */
	struct mem mem;
	struct arena words;      /* of the command line */
	struct err err;
	int64_t now;             /* the clock, ms: real, or what @pt lines say */
	int64_t asked, heard;    /* when the signal came and when input last came since; 0: not yet */
};

static int64_t clock_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void say(struct job *job, const char *text)
{
	char shown[SHOW_MOST * sizeof job->err.text];
	show_lines(shown, sizeof shown, text);
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
	return args_parse(&job->args, job->run->argc, job->run->argv, rows, n, &job->words, &job->err);
}

static int build_chain(struct job *job)
{
	struct chain *chain = &job->chain;
	chain->final = job->settings.final;
	chain->keeps = args_given(&job->args, OPT_STATE);
	if (args_given(&job->args, OPT_UPSERT) && chain_add(chain, &upsert_op, "--upsert", job->args.value[OPT_UPSERT]))
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
			return err_set(&job->err, ERR_FAILED, "--out %s: %s", path, strerror(errno));
	}
	out_init(&job->out, path ? job->out_fd : job->run->out, path ? path : "standard output", &job->mem);
	return 0;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return S_ISREG(a->st_mode) && S_ISREG(b->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* An output that is one of the inputs would be read for ever. */
static int check_output(struct job *job, const char *flag, const struct stat *out)
{
	struct stat in;
	for (uint32_t i = 0; i < job->args.nfile; i++)
		if (!stat(job->args.file[i], &in) && same_file(&in, out))
			return err_set(&job->err, ERR_FAILED, "%s: %s is an input, too", flag, job->args.file[i]);
	if (!fstat(job->run->in, &in) && same_file(&in, out))
		return err_set(&job->err, ERR_FAILED, "%s: standard input is the same file", flag);
	return 0;
}

static int check_outputs(struct job *job)
{
	struct stat out, bad;
	const char *bad_file = job->args.value[OPT_BAD_FILE];
	if (!fstat(job->out.fd, &out) && check_output(job, job->out_fd < 0 ? "standard output" : "--out", &out))
		return -1;
	if (!bad_file || stat(bad_file, &bad))
		return 0;
	if (same_file(&bad, &out))
		return err_set(&job->err, ERR_FAILED, "--bad-file %s: the output goes there, too", bad_file);
	return check_output(job, "--bad-file", &bad);
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

static int plan(struct job *job)
{
	source_schema(job->source)->any = source_empty(job->source);
	struct stream in = { .schema = source_schema(job->source), .kinds = source_kinds(job->source) };
	in.key = source_key(job->source, &in.nkey);
	in.has_key = in.nkey > 0;
	in.equal_pairs = in.kinds != 0;
	struct sink_conf sink = { .opt = job->settings.emit, .out = &job->out, .appends = args_given(&job->args, OPT_OUT) };
	return chain_plan(&job->chain, &in, &sink);
}

static int set_up(struct job *job)
{
	if (settings_read(&job->settings, &job->args, isatty(job->run->out) == 1, &job->words, &job->err) || build_chain(job))
		return -1;
	if (args_given(&job->args, OPT_STATE) && statefile_check_input(&job->args, job->run->in, &job->err))
		return -1;
	if (args_given(&job->args, OPT_STATE) && !args_given(&job->args, OPT_EXPLAIN) && statefile_open(&job->state, job->args.value[OPT_STATE], &job->mem, &job->err))
		return -1;
	if (open_source(job) || plan(job))
		return -1;
	if (args_given(&job->args, OPT_EXPLAIN))
		return 0;
	if (open_out(job) || check_outputs(job) || chain_open(&job->chain) || source_start(job->source, chain_need(&job->chain)))
		return -1;
	return args_given(&job->args, OPT_STATE) ? statefile_load(&job->state, &job->args, &job->chain, &job->err) : 0;
}

/* ---- the loop ---------------------------------------------------------------------------- */

static int flush_out(struct job *job)
{
	return out_flush(&job->out) ? out_failed(&job->out, &job->err) : 0;
}

/* The last flush; --out is closed here, standard output by main. */
static int close_out(struct job *job)
{
	if (job->out_fd < 0)
		return flush_out(job);
	job->out_fd = -1;
	return out_close(&job->out, &job->err);
}

/* Writes what is due: full blocks at once, the rest when its oldest byte has waited long enough. */
static int write_due(struct job *job)
{
	struct out *out = &job->out;
	if (out->error)
		return flush_out(job);
	if (!out->buf.n)
		return 0;
	int64_t now = clock_ms();
	if (!out->since)
		out->since = now;
	return now - out->since >= FLUSH_MS || now < out->since ? flush_out(job) : 0;
}

/* The clock has moved: alarms up to before it fire (an alarm t fires when the clock is past t). */
static int advance(struct job *job, int64_t reached)
{
	return chain_alarm(&job->chain) <= reached ? chain_timer(&job->chain, reached) : 0;
}

static int tick(struct job *job)
{
	if (job->settings.source.clock_input)
		return 0;
	job->now = clock_ms();
	return advance(job, job->now - 1);
}

static int take_control(struct job *job)
{
	struct control control = source_control(job->source);
	if (control.kind != C_PT || !job->settings.source.clock_input)
		return 0;
	if (control.value > job->now)
		job->now = control.value;
	return advance(job, job->now);
}

/* After a signal: is it time to stop reading? */
static bool enough(struct job *job)
{
	if (!job->run->stop || !*job->run->stop)
		return false;
	int64_t now = clock_ms();
	if (!job->asked)
		job->asked = job->heard = now;
	return now - job->heard >= SILENCE_MS || now - job->asked >= GRACE_MS;
}

/* poll for at most `wait` ms. A signal that comes between the look at *stop and the wait must not be lost: signals are let in by ppoll alone. */
static int poll_or_signal(struct job *job, struct pollfd *fd, int64_t wait)
{
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (job->run->stop && *job->run->stop && wait > POLL_MS)
		wait = POLL_MS;
	struct timespec t = { .tv_sec = wait / 1000, .tv_nsec = wait % 1000 * 1000000 };
	int n = ppoll(fd, 1, &t, &before);
	int why = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = why;
	return n < 0 && why != EINTR ? -1 : 0;
}

/* Waits for input, the next alarm, or a signal. */
static int wait_for_input(struct job *job)
{
	if (flush_out(job))
		return -1;
	int64_t wait = INT32_MAX, alarm = chain_alarm(&job->chain);
	if (!job->settings.source.clock_input && alarm != INT64_MAX)
		wait = alarm - clock_ms() + 1;
	struct pollfd fd = { .fd = source_fd(job->source), .events = POLLIN };
	return poll_or_signal(job, &fd, wait < 0 ? 0 : wait) ? err_set(&job->err, ERR_FAILED, "poll: %s", strerror(errno)) : 0;
}

/* One step of the loop: 1 to go on, 0 at the end of input, -1 on an error. */
static int step(struct job *job)
{
	struct batch *batch;
	if (enough(job))
		return 0;
	switch (source_next(job->source, &batch)) {
	case SOURCE_ROWS:
		if (job->asked)
			job->heard = clock_ms();
		if (tick(job) || chain_push(&job->chain, batch, job->now))
			return -1;
		return write_due(job) ? -1 : 1;
	case SOURCE_CONTROL:
		return take_control(job) ? -1 : 1;
	case SOURCE_BLOCK:
		return tick(job) || wait_for_input(job) ? -1 : 1;
	case SOURCE_END:
		return 0;
	case SOURCE_FAILED:
		break;
	}
	return -1;
}

/* ---- the end ----------------------------------------------------------------------------- */

static void report_ignored(struct job *job)
{
	uint64_t n = chain_ignored(&job->chain);
	if (!n || args_given(&job->args, OPT_QUIET))
		return;
	dprintf(job->run->err, "weir: %llu retraction%s of rows that were not there: ignored\n", (unsigned long long)n, n == 1 ? "" : "s");
}

/* The end of input, or a pause under --state: bundles go out, then the result; the state is written when the output is safe. */
static int finish(struct job *job)
{
	bool keep = args_given(&job->args, OPT_STATE);
	if (keep && job->chain.final && statefile_take(&job->state, &job->args, &job->chain, &job->err))
		return -1;
	if (chain_flush_all(&job->chain))
		return -1;
	if (job->chain.final && chain_result(&job->chain))
		return -1;
	if (keep && !job->chain.final && statefile_take(&job->state, &job->args, &job->chain, &job->err))
		return -1;
	return 0;
}

/* Prints the error, if there is one; the exit status for it. */
static int fail(struct job *job, int status)
{
	if (!job->err.code)
		return status;
	say(job, job->err.text);
	int code = (int)job->err.code;
	job->err = (struct err){ 0 };
	return status > code ? status : code;
}

static int run_job(struct job *job)
{
	int more = 1;
	while (more > 0)
		more = step(job);
	int status = fail(job, EXIT_WELL);
	if (!more && finish(job))
		status = fail(job, status);
	bool told = job->out.error != 0;
	if (source_finish(job->source, &job->err))
		status = fail(job, status);
	if (close_out(job) && !told)
		status = fail(job, status);
	report_ignored(job);
	if (status == EXIT_WELL && args_given(&job->args, OPT_STATE) && statefile_write(&job->state, &job->err))
		status = fail(job, status);
	if (status == EXIT_WELL && args_given(&job->args, OPT_ALERT) && chain_rows(&job->chain))
		status = EXIT_ALERT;
	return status;
}

static int explain(struct job *job)
{
	out_init(&job->out, job->run->out, "standard output", &job->mem);
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
	statefile_close(&job->state);
	if (job->source)
		source_close(job->source);
	chain_close(&job->chain);
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
