/* Lines of any kind: what the named groups of a pattern match are the columns, in the order of the pattern. A line in which the pattern is not found is a bad
 * record. Lines and pattern are bytes: text that is no UTF-8 is as good as any. */
#include "core/regex.h"

#include <string.h>

#include "parse/format/field.h"

/* Groups that share a name (which (?J) and (?| allow) are one column: the first of them that matched. */
struct shape {
	struct regex *regex;
	uint32_t ngroup, ncolumn;
	struct named_group {
		const char *name;
		uint32_t column; /* in rising order of groups each new name gets the next one */
	} group[];               /* of the pattern's groups from the first; name NULL: it has none */
};

static struct span span_of(const struct input_options *in, size_t at, size_t len)
{
	return (struct span){ "-f regex", in->spec, at, len };
}

/* The column of an earlier group of that name, else a new one. */
static uint32_t column_of(struct shape *shape, uint32_t group)
{
	for (uint32_t i = 0; i < group; i++)
		if (shape->group[i].name && !strcmp(shape->group[i].name, shape->group[group].name))
			return shape->group[i].column;
	return shape->ncolumn++;
}

static int prepare(struct input_options *in, struct arena *mem, struct err *err)
{
	struct regex_fault fault;
	size_t n = strlen(in->spec);
	struct regex *regex = regex_make(in->spec, n, REGEX_BYTES, NULL, mem, &fault);
	if (!regex)
		return *fault.text ? err_at(err, span_of(in, fault.at < n ? fault.at : n - 1, 1), "%s", fault.text) : err_memory(err);
	uint32_t groups = regex_groups(regex);
	struct shape *shape = arena_alloc(mem, sizeof *shape + groups * sizeof shape->group[0]);
	if (!shape)
		return err_memory(err);
	*shape = (struct shape){ .regex = regex, .ngroup = groups };
	for (uint32_t i = 0; i < groups; i++) {
		shape->group[i].name = regex_group_name(regex, i + 1);
		shape->group[i].column = shape->group[i].name ? column_of(shape, i) : 0;
	}
	if (!shape->ncolumn)
		return err_at(err, span_of(in, 0, n), "no named group, so there are no columns; name what you want: (?<ip>\\S+)");
	in->shape = shape;
	return 0;
}

static int schema(const struct input_options *opt, struct schema *schema)
{
	const struct shape *shape = opt->shape;
	for (uint32_t i = 0, column = 0; i < shape->ngroup; i++) {
		if (!shape->group[i].name || shape->group[i].column != column)
			continue;
		if (schema_add(schema, shape->group[i].name, strlen(shape->group[i].name), T_RAW) < 0)
			return -1;
		column++;
	}
	return 0;
}

static int open(struct decoder *d)
{
	cutter_open(d->state, '\n', '\n');
	return 0;
}

/* What a column has of the line in which the pattern was just found. */
static struct value take(const struct decoder *d, uint32_t column, const char *line, unsigned flags)
{
	const struct shape *shape = d->opt->shape;
	size_t begin, end;
	for (uint32_t i = column; i < shape->ngroup; i++)
		if (shape->group[i].name && shape->group[i].column == column && regex_group(shape->regex, i + 1, &begin, &end))
			return field_value(d->opt, line + begin, end - begin, flags);
	return value_null();
}

static int fill(const struct decoder *d, struct cutter *c, struct records *records)
{
	const struct shape *shape = d->opt->shape;
	struct batch *batch = records->batch;
	for (uint32_t i = 0; i < c->n; i++) {
		const char *line = c->p + c->cut[i].begin;
		uint32_t row = batch->n + i;
		enum regex_found found = regex_seek(shape->regex, line, c->cut[i].end - c->cut[i].begin, 0);
		if (found == REGEX_MEMORY)
			return err_memory(d->err);
		if (found != REGEX_FOUND)
			record_bad(records, row, NULL, found == REGEX_NONE ? "the pattern does not match" : "the pattern takes too many steps on this line");
		for (uint32_t w = 0; found == REGEX_FOUND && w < d->nwant; w++)
			batch->col[d->want[w].col].v[row] = take(d, d->want[w].pos, line, cutter_flags(c));
	}
	return 0;
}

const struct format regex_format = {
	.name = "regex",
	.help = "regex:PATTERN, of PCRE2; named groups are columns",
	.more = "The pattern is sought anywhere in the line unless ^ and $ bind it; a line\n"
		"without it is a bad record, a group that took no part NULL. (?i) in front: small\n"
		"and capital letters alike. Bytes count, not characters. Event time: --time.\n"
		"\n"
		"  weir -f 'regex:^(?<t>\\S+) (?<level>\\w+) (?<msg>.*)' --time t,iso -k level \\\n"
		"    -r count app.log\n",
	.traits = F_SPEC,
	.state_size = sizeof(struct cutter),
	.prepare = prepare,
	.schema = schema,
	.open = open,
	.decode = decode_lines,
	.fill = fill,
};
