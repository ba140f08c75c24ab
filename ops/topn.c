#include "ops/topn.h"

#include "parse/lang/parse.h"

static int parse(struct op *op, struct err *err)
{
	struct topn_conf *conf = op->conf;
	return parse_topn(op->flag, op->text, op->plan, &conf->ast, err);
}

/* ---- rows that go ------------------------------------------------------------------------ */

int topn_reserve(struct op *op, uint64_t n)
{
	struct topn *s = topn_state(op);
	if (s->ndead + n <= s->dead_cap)
		return 0;
	size_t cap = s->dead_cap ? 2 * s->dead_cap : 64;
	while (cap < s->ndead + n)
		cap *= 2;
	struct row **dead = mem_resize(op->mem, s->dead, s->dead_cap * sizeof(struct row *), cap * sizeof(struct row *));
	if (!dead)
		return err_memory(op->err);
	s->dead = dead;
	s->dead_cap = cap;
	return 0;
}

void topn_bury(struct topn *s, struct row *row)
{
	s->dead[s->ndead++] = row;
}

void topn_free_dead(struct op *op)
{
	struct topn *s = topn_state(op);
	if (!s->ntouched)
		s->npinned = 0;
	for (size_t i = s->npinned; i < s->ndead; i++) {
		if (s->ntouched && s->dead[i]->pinned)
			s->dead[s->npinned++] = s->dead[i];
		else
			row_free(s->dead[i], op->mem);
	}
	s->ndead = s->npinned;
}

static int drop_group(struct op *op, struct topn_group *group)
{
	struct topn *s = topn_state(op);
	const struct ordset_item *run;
	uint32_t n;
	if (topn_reserve(op, group->set.n))
		return -1;
	for (uint64_t at = 0; (run = ordset_run(&group->set, at, &n)); at += n)
		for (uint32_t i = 0; i < n; i++) {
			if (s->index)
				topn_index_remove(s->index, run[i].row, topn_index_hash(topn_conf(op), run[i].row, s->scratch));
			topn_bury(s, run[i].row);
		}
	ordset_clear(&group->set, op->mem);
	ordset_clear(&group->heads, op->mem);
	*group = (struct topn_group){ 0 };
	return 0;
}

int topn_drop(struct op *op, struct entry *entry)
{
	struct topn *s = topn_state(op);
	enum topn_variant variant = topn_conf(op)->variant;
	if (variant == TOPN_FIRST) {
		*(struct topn_counter *)entry_state(entry) = (struct topn_counter){ 0 };
	} else if (variant == TOPN_ONE) {
		struct topn_single *state = entry_state(entry);
		if (state->held.row && topn_reserve(op, 1))
			return -1;
		if (state->held.row)
			topn_bury(s, state->held.row);
		*state = (struct topn_single){ 0 };
	} else if (drop_group(op, entry_state(entry))) {
		return -1;
	}
	entry->flags &= (uint16_t)~TOPN_STARTED;
	return 0;
}

/* ---- life -------------------------------------------------------------------------------- */

int topn_open(struct op *op)
{
	static const size_t state_size[] = {
		[TOPN_FIRST] = sizeof(struct topn_counter),
		[TOPN_ONE] = sizeof(struct topn_single),
		[TOPN_APPEND] = sizeof(struct topn_group),
		[TOPN_UPDATE] = sizeof(struct topn_group),
		[TOPN_RETRACT] = sizeof(struct topn_group),
	};
	struct topn *s = topn_state(op);
	const struct topn_conf *conf = topn_conf(op);
	arena_init(&s->bundle, op->mem);
	s->seq = UINT64_MAX / 2;
	size_t size = state_size[conf->variant];
	s->quiet = op->bundled || op->final || conf->closing.held;
	s->scratch = arena_alloc(op->plan, conf->ncol * sizeof *s->scratch);
	s->table = keyed_table(op, size + (conf->closing.on ? sizeof(struct closing_slot) : 0));
	s->sweep = (struct keyed_sweep){ .forget = topn_forget, .oldest = INT64_MIN }; /* `written` is the first of every state */
	if (!s->scratch || !s->table || (conf->closing.on && closing_init(&s->closing, &conf->closing, s->table, size, op->mem)))
		return err_memory(op->err);
	if (topn_set_fields(op))
		return -1;
	if (conf->variant == TOPN_UPDATE || conf->variant == TOPN_RETRACT) {
		s->index = topn_index_new(conf, op->mem);
		if (!s->index)
			return err_memory(op->err);
	}
	return 0;
}

static void free_held(struct op *op, struct entry *entry)
{
	enum topn_variant variant = topn_conf(op)->variant;
	if (variant == TOPN_ONE)
		row_free(((struct topn_single *)entry_state(entry))->held.row, op->mem);
	if (variant == TOPN_FIRST || variant == TOPN_ONE)
		return;
	struct topn_group *group = entry_state(entry);
	const struct ordset_item *run;
	uint32_t n;
	for (uint64_t at = 0; (run = ordset_run(&group->set, at, &n)); at += n)
		for (uint32_t i = 0; i < n; i++)
			row_free(run[i].row, op->mem);
	ordset_clear(&group->set, op->mem);
	ordset_clear(&group->heads, op->mem);
}

void topn_close(struct op *op)
{
	struct topn *s = topn_state(op);
	struct entry *entry;
	if (!s)
		return;
	topn_bundle_drop(op);
	topn_free_dead(op);
	mem_free(op->mem, s->dead, s->dead_cap * sizeof(struct row *));
	mem_free(op->mem, s->touched, s->touched_cap * sizeof *s->touched);
	arena_release(&s->bundle);
	topn_index_free(s->index);
	for (uint64_t pos = 0; s->table && table_next(s->table, &pos, &entry);)
		free_held(op, entry);
	closing_release(&s->closing);
	if (s->table)
		table_free(s->table);
	*s = (struct topn){ 0 };
}

/* ---- what the plan asks ------------------------------------------------------------------ */

bool topn_before(const struct op *op, bool wanted)
{
	const struct topn_conf *conf = topn_conf(op);
	return conf->updates ? conf->variant == TOPN_RETRACT : wanted;
}

void topn_explain(const struct op *op, struct buf *out)
{
	static const char *const variant[] = {
		[TOPN_FIRST] = "first rows: the input only inserts, by arrival",
		[TOPN_ONE] = "best row: none ever leaves",
		[TOPN_APPEND] = "append: the input only inserts",
		[TOPN_UPDATE] = "updatable: rows are replaced by their unique key, and only for the better",
		[TOPN_RETRACT] = "retract: rows may leave or get worse",
	};
	const struct topn_conf *conf = topn_conf(op);
	const char *per = conf->key.n ? " per key" : "";
	buf_printf(out, "  variant    %s\n  state      ", variant[conf->variant]);
	if (conf->variant == TOPN_FIRST)
		buf_printf(out, "a counter%s\n", per);
	else if (conf->variant == TOPN_ONE)
		buf_printf(out, "one row%s\n", per);
	else if (conf->keeps_all || (!conf->variable && conf->ast.to == INT64_MAX))
		buf_puts(out, "all rows\n");
	else if (conf->variable)
		buf_printf(out, "as many rows%s as its first row says\n", per);
	else
		buf_printf(out, "rows of rank %lld at most%s\n", (long long)conf->ast.to, per);
	if (conf->closing.on)
		closing_explain(&conf->closing, out);
}

const struct op_type topn_op = {
	.name = "topn",
	.letter = 't',
	.traits = OP_KEYED | OP_BUNDLES | OP_WINDOWED,
	.arg = "N by EXPR, ...",
	.help = "the N first rows of each key in an order, ranked",
	.more = "  10 by x desc            the 10 rows of each key with the largest x\n"
		"  10 by x desc as rank    the rank is a column; ranks that change are written\n"
		"  2..4 by x               ranks 2 to 4\n"
		"  all by x                every row, in order\n"
		"  (n) by x                as many as column n of the key's first row says\n"
		"  3 rank by x             ranks up to 3, equal x share one: 1 1 3\n"
		"  3 dense_rank by x       the same without gaps: 1 1 2\n"
		"  1                       the first row of each key by arrival\n"
		"  last 1                  the newest row of each key\n"
		"  10 by x desc nulls last, y\n"
		"                          several; NULL is less than all unless said\n"
		"Equal rows stand in the order of arrival; a text is greater than every number.\n"
		"With a window (--tumble ...) it ranks the rows of each, with the key `window`\n"
		"what a window operator before it gives: at the end of the window.\n"
		"\n"
		"  weir -f combined -k path -r count -t '10 by count desc as rank' access.log\n"
		"  weir -k c2 -t '3 by c4 desc, c1 as rank' events.tsv\n"
		"  weir -f csv -k user -t 'last 1' sessions.csv\n"
		"  weir -f combined --tumble 1h -t '3 by bytes desc' access.log\n",
	.conf_size = sizeof(struct topn_conf),
	.state_size = sizeof(struct topn),
	.parse = parse,
	.ahead = topn_ahead,
	.plan = topn_plan,
	.before = topn_before,
	.need = topn_need,
	.explain = topn_explain,
	.open = topn_open,
	.push = topn_push,
	.flush = topn_flush,
	.result = topn_result,
	.save = topn_save,
	.load = topn_load,
	.close = topn_close,
};
