/* Pairs key=value, in any order and number: every key is a column, found by name; of equal keys the last counts. All pairs of a line are looked at, but
 * only the values of wanted keys are kept and unescaped. A dot is nothing special here: a.b is a key. */
#include "parse/format/logfmt_pair.h"

#include "parse/format/field.h"

/* A wanted key. */
struct key {
	const char *name; /* in decoder->mem */
	uint32_t len, col;
};

struct logfmt_state {
	struct cutter cutter; /* first, for decode_lines */
	uint64_t lengths; /* bit n: there is a key of n bytes (modulo 64) */
	uint32_t nkey;
	struct key *key;
};

static inline uint64_t length_bit(uint32_t len)
{
	return UINT64_C(1) << (len & 63);
}

static int open(struct decoder *d)
{
	struct logfmt_state *log = d->state;
	cutter_open(&log->cutter, '\n', '\n');
	log->key = arena_alloc(d->mem, (d->nwant + 1) * sizeof *log->key);
	if (!log->key)
		return err_memory(d->err);
	for (uint32_t w = 0; w < d->nwant; w++) {
		struct key *key = &log->key[log->nkey];
		key->col = d->want[w].col;
		const struct schema_column *column = &d->schema->col[key->col];
		if (path_names(column->path, column->nstep) < column->nstep)
			continue; /* an element is in no line */
		key->name = path_join(column->path, column->nstep, d->mem, &key->len);
		if (!key->name)
			return err_memory(d->err);
		log->lengths |= key->len ? length_bit(key->len) : 0;
		log->nkey += key->len > 0;
	}
	return 0;
}

/* The value of a pair for the key's column. 0, or -1 with err set. */
static int take(const struct decoder *d, const struct logfmt_pair *pair, const struct key *key, struct records *records, uint32_t row)
{
	const struct logfmt_state *log = d->state;
	struct batch *batch = records->batch;
	struct value *v = &batch->col[key->col].v[row];
	unsigned flags = pair->quoted ? VF_QUOTED : pair->bare ? VF_JSON : 0;
	if (!pair->escaped) {
		*v = field_value(d->opt, pair->value, pair->len, flags | cutter_flags(&log->cutter));
		return 0;
	}
	char *text = arena_alloc(batch->mem, pair->len);
	if (!text)
		return err_memory(d->err);
	int64_t len = logfmt_unescape(pair->value, pair->len, text);
	if (len < 0)
		record_bad(records, row, d->schema->col[key->col].name, "an escape that is none in the quoted text");
	else
		*v = field_value(d->opt, text, (size_t)len, flags);
	return 0;
}

static int fill_row(const struct decoder *d, const char *p, const char *end, struct records *records, uint32_t row)
{
	const struct logfmt_state *log = d->state;
	uint64_t lengths = log->lengths;
	struct logfmt_pair pair;
	const char *why;
	enum logfmt status;
	while ((status = logfmt_next(&p, end, &pair, &why)) == LOGFMT_PAIR) {
		if (!(lengths & length_bit(pair.key_len)))
			continue;
		for (uint32_t k = 0; k < log->nkey; k++) {
			const struct key *key = &log->key[k];
			if (key->len == pair.key_len && !memcmp(key->name, pair.key, key->len) && take(d, &pair, key, records, row))
				return -1;
		}
	}
	if (status == LOGFMT_BAD)
		record_bad(records, row, NULL, "%s", why);
	return 0;
}

static int fill(const struct decoder *d, struct cutter *c, struct records *records)
{
	struct batch *batch = records->batch;
	for (uint32_t w = 0; w < d->nwant; w++)
		memset(batch->col[d->want[w].col].v + batch->n, 0, c->n * sizeof(struct value)); /* NULL where the key is missing */
	struct value *record = d->row_col < 0 ? NULL : batch->col[d->row_col].v + batch->n;
	for (uint32_t i = 0; i < c->n; i++) {
		const char *p = c->p + c->cut[i].begin, *end = c->p + c->cut[i].end;
		if (record)
			record[i] = (struct value){ .type = V_RAW, .flags = (uint16_t)cutter_flags(c), .len = (uint32_t)(end - p), .u.p = p };
		if (fill_row(d, p, end, records, batch->n + i))
			return -1;
	}
	return 0;
}

const struct format logfmt_format = {
	.name = "logfmt",
	.help = "key=value pairs; a missing key is NULL",
	.more = "k= and k=\"\" are the empty text, a bare k is true, later = belong to the value.\n"
		"A key with a dot is written as it is: a.b; odd ones in braces: {x-id}. Of equal\n"
		"keys the last counts. Quoted values have the escapes of JSON and of Go.\n",
	.traits = F_PATHS,
	.state_size = sizeof(struct logfmt_state),
	.open = open,
	.decode = decode_lines,
	.fill = fill,
};
