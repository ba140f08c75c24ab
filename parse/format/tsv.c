/* Fields between TABs (or -d), raw bytes as cut and awk have them: no quotes, no escapes. NULL: empty, or \N. */
#include "parse/format/field.h"

static char separator(const struct input_options *opt)
{
	return opt->delimiter ? opt->delimiter : '\t';
}

static int open(struct decoder *d)
{
	cutter_open(d->state, separator(d->opt), separator(d->opt));
	return 0;
}

static int fill(const struct decoder *d, struct cutter *cutter, struct records *records)
{
	return split_fill(d, cutter, records, true);
}

static enum head_status head(const struct input_options *opt, const char *p, size_t n, bool eof, struct head *head, size_t *used, struct err *err)
{
	const char *line;
	size_t len;
	enum head_status status = head_line(p, n, eof, &line, &len, used, &head->lines);
	while (status == HEAD_DONE && line) {
		const char *sep = memchr(line, separator(opt), len);
		size_t field = sep ? (size_t)(sep - line) : len;
		if (field_name(head->names, line, field, err))
			return HEAD_FAILED;
		line = sep ? sep + 1 : NULL;
		len -= sep ? field + 1 : 0;
	}
	return status;
}

const struct format tsv_format = {
	.name = "tsv",
	.help = "fields between TABs, raw bytes; empty or \\N is NULL",
	.more = "There are no quotes and no escapes.\n",
	.traits = F_NAMES_ALLOWED | F_DELIMITER,
	.state_size = sizeof(struct cutter),
	.head = head,
	.open = open,
	.decode = decode_lines,
	.fill = fill,
};
