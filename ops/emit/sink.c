/* The end of every chain: normalises what arrives and hands it to the output format.
 *
 *     batch -> shown columns -> without -U (--no-before) -> emit_type.rows -> out */
#include "ops/emit/emit.h"
#include "ops/pick.h"
#include "ops/state/snapshot.h"

struct sink {
	struct emitter emitter;
	bool begun;    /* begin was called */
	uint64_t rows; /* that the result has */
};

/* An open schema grows with every column that some operator names; what is shown of it is the whole record. */
static int show_record(struct sink_conf *conf, struct arena *plan, struct err *err)
{
	struct schema_place place;
	struct schema *shown = arena_alloc(plan, sizeof *shown);
	if (!shown || !schema_whole(conf->in.schema, &place))
		return err_memory(err);
	const struct schema_column *whole = &conf->in.schema->col[place.col];
	schema_init(shown, SCHEMA_CLOSED, plan);
	if (schema_add(shown, whole->name, whole->len, whole->type) < 0)
		return err_memory(err);
	conf->shown = shown;
	conf->first = place.col;
	return 0;
}

static int plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	struct sink_conf *conf = op->conf;
	(void)out;
	if (conf->opt.no_before && !conf->opt.final && (in->kinds & S_U) && !in->has_key)
		return err_set(err, ERR_USAGE, "--no-before: the result updates rows and has no unique key to tell which; without -U nobody could follow it");
	conf->in = *in;
	conf->in.before = in->kinds && !conf->opt.no_before;
	conf->shown = in->schema;
	if (in->schema->kind != SCHEMA_CLOSED && show_record(conf, op->plan, err))
		return -1;
	conf->named = schema_row(conf->shown) < 0;
	return 0;
}

static bool before(const struct op *op, bool wanted)
{
	const struct sink_conf *conf = op->conf;
	(void)wanted;
	return !conf->opt.no_before && !conf->opt.final;
}

static void need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	const struct sink_conf *conf = op->conf;
	(void)out;
	for (uint32_t c = 0; c < conf->shown->n; c++)
		in[conf->first + c] |= NEED_VALUE;
}

static void explain(const struct op *op, struct buf *out)
{
	const struct sink_conf *conf = op->conf;
	buf_printf(out, "  format     %s%s\n", conf->opt.type->name, conf->opt.final ? ", the result alone" : conf->in.kinds && !conf->in.before ? ", without -U" : "");
}

static int open_sink(struct op *op)
{
	struct sink_conf *conf = op->conf;
	struct emitter *emitter = &((struct sink *)op->state)->emitter;
	*emitter = (struct emitter){ .type = conf->opt.type, .opt = &conf->opt, .in = &conf->in, .shown = conf->shown, .named = conf->named,
		.out = conf->out, .mem = op->mem, .err = op->err };
	emitter->state = mem_alloc(op->mem, conf->opt.type->state_size);
	return emitter->state ? 0 : err_memory(op->err);
}

/* How many rows the result has after these changes. Without -U a +U only says that its row is there. A stray retraction takes nothing away. */
static void count(const struct sink_conf *conf, struct sink *sink, const struct batch *in)
{
	if (!in->kind) {
		sink->rows += in->n;
		return;
	}
	for (uint32_t r = 0; r < in->n; r++) {
		uint8_t kind = in->kind[r] & K_MASK;
		if (kind == K_I || (kind == K_UA && (conf->in.before || !sink->rows)))
			sink->rows++;
		else if (kind != K_UA && sink->rows && !((in->kind[r] & K_PAIR) && !conf->in.before))
			sink->rows--;
	}
}

/* --no-before: the -U of an update is left out; one that stands alone takes its row away and says so. Gives the number of rows left. */
static uint32_t without_before(const struct batch *in, uint16_t *row, uint8_t *kind)
{
	uint32_t n = 0;
	for (uint32_t r = 0; r < in->n; r++) {
		uint8_t k = in->kind[r];
		if (k == (K_UB | K_PAIR))
			continue;
		row[n] = (uint16_t)r;
		kind[n++] = (k & K_MASK) == K_UB ? (uint8_t)K_D : k;
	}
	return n;
}

/* Somebody else's changelog may hold a -U that is not half of an update: its row is gone, and a reader that goes by neighbours must not take a
 * +U behind it for the other half. Replaces the kinds of the batch; -1 if memory is refused. */
static int say_gone(struct batch *batch)
{
	uint8_t *kind = (uint8_t *)arena_copy(batch->mem, batch->kind, batch->n);
	if (!kind)
		return -1;
	for (uint32_t r = 0; r < batch->n; r++)
		if (kind[r] == K_UB)
			kind[r] = K_D;
	batch->kind = kind;
	return 0;
}

static int begin(struct sink *sink)
{
	if (sink->begun)
		return 0;
	sink->begun = true;
	return sink->emitter.type->begin ? sink->emitter.type->begin(&sink->emitter) : 0;
}

static int push(struct op *op, const struct batch *in)
{
	struct sink_conf *conf = op->conf;
	struct sink *sink = op->state;
	if (begin(sink))
		return -1;
	count(conf, sink, in);
	struct batch shown = *in;
	shown.col += conf->first;
	shown.ncol = conf->shown->n;
	if (conf->in.equal_pairs && in->kind && say_gone(&shown))
		return err_memory(op->err);
	if (!conf->opt.no_before || !in->kind)
		return sink->emitter.type->rows(&sink->emitter, &shown);
	uint16_t row[BATCH_MAX];
	uint8_t kind[BATCH_MAX];
	uint32_t n = without_before(in, row, kind);
	struct batch left;
	if (batch_pick(&shown, row, n, kind, &left))
		return err_memory(op->err);
	return sink->emitter.type->rows(&sink->emitter, &left);
}

/* Control lines of the format. */
static int watermark(struct op *op, int64_t *wm)
{
	struct sink *sink = op->state;
	struct emitter *emitter = &sink->emitter;
	if (!emitter->type->watermark || emitter->opt->final)
		return 0;
	return begin(sink) ? -1 : emitter->type->watermark(emitter, *wm);
}

static int64_t due(const struct op *op)
{
	const struct sink_conf *conf = op->conf;
	return conf->opt.type->watermark && !conf->opt.final && op->wm < WM_END ? op->wm + 1 : INT64_MAX;
}

static int result(struct op *op)
{
	struct sink *sink = op->state;
	const struct emit_type *type = sink->emitter.type;
	return sink->begun && type->end ? type->end(&sink->emitter) : 0;
}

void *sink_format(const struct op *op)
{
	return ((const struct sink *)op->state)->emitter.state;
}

uint64_t sink_rows(const struct op *op)
{
	return ((const struct sink *)op->state)->rows;
}

/* Only --out goes on where an earlier run stopped; on standard output every run stands for itself. Under --final the whole result comes again. */
static int save(const struct op *op, struct snap_out *out)
{
	const struct sink_conf *conf = op->conf;
	const struct sink *sink = op->state;
	snap_put_u64(out, (sink->begun || sink->emitter.goes_on) && conf->appends);
	snap_put_u64(out, sink->rows);
	return 0;
}

static int load(struct op *op, struct snap_in *in)
{
	const struct sink_conf *conf = op->conf;
	struct sink *sink = op->state;
	bool begun = snap_u64(in);
	sink->rows = snap_u64(in);
	sink->emitter.goes_on = begun && conf->appends;
	return 0;
}

static void close_sink(struct op *op)
{
	struct emitter *emitter = &((struct sink *)op->state)->emitter;
	if (!emitter->state)
		return;
	if (emitter->type->close)
		emitter->type->close(emitter);
	mem_free(op->mem, emitter->state, emitter->type->state_size);
	emitter->state = NULL;
}

const struct op_type sink_op = {
	.name = "output",
	.conf_size = sizeof(struct sink_conf),
	.state_size = sizeof(struct sink),
	.plan = plan,
	.before = before,
	.need = need,
	.explain = explain,
	.open = open_sink,
	.push = push,
	.watermark = watermark,
	.due = due,
	.result = result,
	.save = save,
	.load = load,
	.close = close_sink,
};
