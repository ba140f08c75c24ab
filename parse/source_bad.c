#include "parse/source_bad.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/show.h"

int bad_open(struct bad_log *log, const struct source_options *options, struct mem *mem, struct err *err)
{
	*log = (struct bad_log){ .options = options, .out.fd = -1, .mem = mem };
	if (!options->bad_file)
		return 0;
	int fd = open(options->bad_file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_set(err, ERR_FAILED, "--bad-file %s: %s", options->bad_file, strerror(errno));
	out_init(&log->out, fd, options->bad_file, mem);
	return 0;
}

/* A name may come from a file: its control bytes do not reach the terminal. */
static void tell(struct bad_log *log, const char *text)
{
	char shown[1200];
	show(shown, sizeof shown, text, strlen(text));
	if (!log->options->quiet && log->options->report)
		log->options->report(log->options->ctx, shown);
}

bool bad_add(struct bad_log *log, const char *file, uint64_t line, const struct record_bad *why)
{
	char text[1000];
	log->bad++;
	if (log->bad == 1)
		snprintf(log->first, sizeof log->first, "%.250s:%llu", file, (unsigned long long)line);
	if (log->bad <= BAD_SHOWN) {
		snprintf(text, sizeof text, "%.300s:%llu: %.200s%s%.300s", file, (unsigned long long)line, why->column ? why->column : "",
			why->column ? ": " : "", why->why);
		tell(log, text);
	}
	log->stopped = log->bad > log->options->max_bad;
	return log->stopped;
}

void bad_bytes(struct bad_log *log, const char *p, size_t n, bool begins)
{
	if (log->out.fd < 0 || !n)
		return;
	if (begins && log->torn)
		buf_putc(&log->out.buf, '\n');
	buf_put(&log->out.buf, p, n);
	log->torn = p[n - 1] != '\n';
	out_push(&log->out); /* an error stays in log->out */
}

int bad_flush(struct bad_log *log, struct err *err)
{
	if (log->out.fd < 0 || !out_flush(&log->out))
		return 0;
	return err_set(err, ERR_FAILED, "%s: %s", log->out.name, strerror(log->out.error));
}

static void report_count(struct bad_log *log)
{
	char text[500];
	snprintf(text, sizeof text, "%llu bad record%s of %llu, the first at %s", (unsigned long long)log->bad, log->bad == 1 ? "" : "s",
		(unsigned long long)log->records, log->first);
	tell(log, text);
}

/* The exit rule; a --max-bad N that stopped the reading has set its error then. */
static int judge(const struct bad_log *log, struct err *err)
{
	const struct source_options *o = log->options;
	unsigned long long bad = log->bad, records = log->records;
	if (o->max_bad != UINT64_MAX || !bad)
		return 0;
	if (o->max_bad_percent >= 0 && (unsigned __int128)bad * 100 > (unsigned __int128)records * (unsigned)o->max_bad_percent)
		return err_set(err, ERR_FAILED, "%llu of %llu records are bad, more than --max-bad %d%%", bad, records, o->max_bad_percent);
	if (o->max_bad_percent < 0 && bad == records)
		return err_set(err, ERR_FAILED, "all records are bad (%llu)", bad);
	return 0;
}

int bad_finish(struct bad_log *log, struct err *err)
{
	if (log->bad)
		report_count(log);
	bool wrote = true;
	if (log->out.fd >= 0)
		wrote = !out_close(&log->out, err);
	return judge(log, err) || !wrote ? -1 : 0;
}

void bad_close(struct bad_log *log)
{
	if (log->out.fd < 0)
		return;
	close(log->out.fd);
	buf_release(&log->out.buf);
	log->out.fd = -1;
}
