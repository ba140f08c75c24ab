/* --upsert KEYS, behind the source: an input that carries no -U gets it back. The last row of each key is kept.
 *
 *     kept     in            out
 *     none     +I, +U        +I
 *     a row    +I, +U        -U kept, +U; nothing if they are equal by bytes
 *     a row    -U, -D        -D kept: what the row that comes says besides its key does not matter
 *     none     -U, -D        nothing, counted as ignored */

#include "ops/keyed.h"
#include "ops/state/row.h"
#include "ops/state/snapshot.h"
#include "parse/lang/parse.h"

struct upsert_conf {
	struct name_list names;
	struct key key;
	uint32_t base, ncol;  /* a kept row is the input's columns base .. base+ncol-1: all of a closed schema, the whole row of an open one; of paths see open_upsert */
	const struct schema *schema;
};

/* State of a key, in the table. */
struct kept {
	struct row *row;
	int64_t time;         /* event time of the row */
};

struct upsert {
	struct table *table;
	struct row **dead;    /* replaced; freed by the next push, as rows on the way to the consumer borrow their texts */
	size_t ndead, dead_cap;
};

/* A batch that is pushed. */
struct arrivals {
	const struct batch *batch;
	struct batch view;    /* the columns that are kept */
	struct keyed keys;
};

static int parse(struct op *op, struct err *err)
{
	struct upsert_conf *conf = op->conf;
	return parse_names(op->flag, op->text, op->plan, &conf->names, err);
}

/* ---- plan -------------------------------------------------------------------------------- */

/* The names as a --keyby would give them. */
static int bind_key(struct op *op, struct schema *schema, struct err *err)
{
	struct upsert_conf *conf = op->conf;
	const struct name_list *names = &conf->names;
	struct node *node = arena_alloc(op->plan, names->n * sizeof *node);
	struct named *item = arena_alloc(op->plan, names->n * sizeof *item);
	if (!node || !item)
		return err_memory(err);
	for (uint32_t i = 0; i < names->n; i++) {
		node[i] = (struct node){ .kind = N_NAME, .span = names->span[i], .text = names->name[i], .len = names->len[i] };
		item[i] = (struct named){ .expr = &node[i], .name = names->name[i], .len = names->len[i], .span = names->span[i] };
	}
	struct keyby keyby = { .list = { item, names->n } };
	struct op setting = { .flag = op->flag, .text = op->text, .conf = &keyby };
	struct op bound = { .plan = op->plan, .key = &setting };
	return key_bind(&conf->key, &bound, schema, err);
}

static int plan(struct op *op, const struct stream *in, struct stream *out, struct err *err)
{
	struct upsert_conf *conf = op->conf;
	struct schema_place place;
	if (bind_key(op, in->schema, err))
		return -1;
	bool open = in->schema->kind != SCHEMA_CLOSED;
	if (open && !schema_whole(in->schema, &place))
		return err_memory(err);
	conf->schema = in->schema;
	conf->base = open ? place.col : 0;
	conf->ncol = open ? 1 : in->schema->n;
	uint32_t *key = arena_alloc(op->plan, conf->key.n * sizeof *key);
	if (!key)
		return err_memory(err);
	for (uint32_t i = 0; i < conf->key.n; i++)
		key[i] = (uint32_t)expr_column(conf->key.expr[i]);
	out->key = key;
	out->nkey = conf->key.n;
	out->has_key = true;
	out->kinds = S_U | (in->kinds ? S_D : 0);
	out->trend = NULL;
	return 0;
}

/* What is kept says what was there before. */
static bool before(const struct op *op, bool wanted)
{
	(void)op, (void)wanted;
	return false;
}

/* Rows are equal or not as a whole, whatever of them is read behind. */
static void need(const struct op *op, const uint8_t *out, uint8_t *in)
{
	const struct upsert_conf *conf = op->conf;
	for (uint32_t c = 0; c < conf->schema->n; c++)
		in[c] |= out[c];
	for (uint32_t c = 0; c < conf->ncol; c++)
		in[conf->base + c] |= NEED_VALUE;
	for (uint32_t i = 0; i < conf->key.n; i++)
		expr_need(conf->key.expr[i], NEED_VALUE, in);
}

static void explain(const struct op *op, struct buf *out)
{
	(void)op;
	buf_puts(out, "  state      the last row of each key\n");
}

/* ---- life -------------------------------------------------------------------------------- */

/* A record of paths is a text: all that is read of it is kept, and only now it is known what that is. */
static int open_upsert(struct op *op)
{
	struct upsert *s = op->state;
	struct upsert_conf *conf = op->conf;
	if (conf->schema->kind == SCHEMA_PATHS) {
		conf->base = 0;
		conf->ncol = conf->schema->n;
	}
	s->table = keyed_table(op, sizeof(struct kept));
	return s->table ? 0 : err_memory(op->err);
}

static void free_dead(struct op *op)
{
	struct upsert *s = op->state;
	while (s->ndead)
		row_free(s->dead[--s->ndead], op->mem);
}

static void close_upsert(struct op *op)
{
	struct upsert *s = op->state;
	struct entry *entry;
	if (!s)
		return;
	free_dead(op);
	mem_free(op->mem, s->dead, s->dead_cap * sizeof(struct row *));
	for (uint64_t pos = 0; s->table && table_next(s->table, &pos, &entry);)
		row_free(((struct kept *)entry_state(entry))->row, op->mem);
	if (s->table)
		table_free(s->table);
	*s = (struct upsert){ 0 };
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Each row of the batch lets go of one kept row at most. */
static int reserve(struct op *op, uint32_t n)
{
	struct upsert *s = op->state;
	if (n <= s->dead_cap)
		return 0;
	struct row **dead = mem_resize(op->mem, s->dead, s->dead_cap * sizeof(struct row *), n * sizeof(struct row *));
	if (!dead)
		return err_memory(op->err);
	s->dead = dead;
	s->dead_cap = n;
	return 0;
}

static int arrive(struct op *op, const struct batch *batch, struct arrivals *in)
{
	const struct upsert_conf *conf = op->conf;
	*in = (struct arrivals){ .batch = batch, .view = *batch };
	in->view.col = batch->col + conf->base;
	in->view.ncol = conf->ncol;
	return keyed_find(&in->keys, ((struct upsert *)op->state)->table, &conf->key, batch, true) ? err_memory(op->err) : 0;
}

/* A column of a kept row; of an open schema any but the whole row is a field of that. */
static struct value cell(const struct upsert_conf *conf, const struct row *row, uint32_t c)
{
	if (c >= conf->base && c - conf->base < conf->ncol)
		return row->v[c - conf->base];
	const struct value *whole = &row->v[0];
	uint32_t pos = conf->schema->col[c].pos;
	return pos < whole->len ? whole->u.row[pos] : value_null();
}

static void send(struct op *op, uint8_t kind, const struct kept *kept)
{
	struct edge *out = op->out;
	uint32_t r = edge_add(out, kind);
	if (out->batch.time)
		out->batch.time[r] = kept->time;
	for (uint32_t c = 0; c < out->batch.ncol; c++) {
		struct value *v = edge_col(out, c);
		if (v)
			v[r] = cell(op->conf, kept->row, c);
	}
}

static int put(struct op *op, const struct arrivals *in, struct kept *kept, uint32_t r)
{
	struct upsert *s = op->state;
	struct kept old = *kept;
	if (old.row && row_same_batch(old.row, &in->view, r))
		return 0;
	if (edge_room(op->out, 2))
		return -1;
	struct row *row = row_of_batch(&in->view, r, in->view.ncol, op->mem);
	if (!row)
		return err_memory(op->err);
	*kept = (struct kept){ row, in->batch->time ? in->batch->time[r] : 0 };
	if (old.row) {
		s->dead[s->ndead++] = old.row;
		if (op->before)
			send(op, K_UB | K_PAIR, &old);
	}
	send(op, old.row ? K_UA : K_I, kept);
	return 0;
}

static int drop(struct op *op, struct entry *entry)
{
	struct upsert *s = op->state;
	struct kept *kept = entry_state(entry);
	if (edge_room(op->out, 1))
		return -1;
	send(op, K_D, kept);
	s->dead[s->ndead++] = kept->row;
	*kept = (struct kept){ 0 };
	table_remove(s->table, entry);
	return 0;
}

static int push_row(struct op *op, struct arrivals *in, uint32_t r)
{
	struct entry **entry = &in->keys.entry[r];
	/* A row before this one, of the same batch, has removed the key. */
	if (*entry && ((*entry)->flags & ENTRY_DEAD) && keyed_again(&in->keys, r))
		return err_memory(op->err);
	if (keyed_adds(&in->keys, r))
		return put(op, in, entry_state(*entry), r);
	if (*entry && ((struct kept *)entry_state(*entry))->row)
		return drop(op, *entry);
	op->ignored++;
	return 0;
}

static int push(struct op *op, const struct batch *batch)
{
	struct upsert *s = op->state;
	struct arrivals in;
	free_dead(op);
	if (reserve(op, batch->n) || arrive(op, batch, &in))
		return -1;
	for (uint32_t r = 0; r < batch->n; r++)
		if (push_row(op, &in, r))
			return -1;
	table_tick(s->table, batch->n);
	return 0;
}

/* ---- snapshot: keys by first appearance, each with its row ------------------------------- */

static int save(const struct op *op, struct snap_out *out)
{
	const struct table *table = ((const struct upsert *)op->state)->table;
	struct entry *entry;
	snap_put_u64(out, table_count(table));
	for (uint64_t pos = 0; table_next(table, &pos, &entry);) {
		const struct kept *kept = entry_state(entry);
		uint32_t len;
		const char *key = entry_key(table, entry, &len);
		key_save(out, key, len);
		snap_put_u64(out, kept->row != NULL); /* none only if memory was refused just then */
		if (!kept->row)
			continue;
		snap_put_i64(out, kept->time);
		row_save(kept->row, out);
	}
	return 0;
}

/* Reads a key and makes its entry; NULL: damaged, or memory is refused (err set). */
static struct kept *load_key(struct op *op, struct snap_in *in)
{
	struct table *table = ((struct upsert *)op->state)->table;
	struct saved_key key = key_load(in, table_seed(table));
	struct entry *entry;
	uint8_t fresh;
	if (in->bad)
		return NULL;
	if (table_find(table, 1, &key.hash, &key.bytes, &key.len, true, NULL, &entry, &fresh)) {
		err_memory(op->err);
		return NULL;
	}
	in->bad |= !fresh;
	return fresh ? entry_state(entry) : NULL;
}

static int load(struct op *op, struct snap_in *in)
{
	const struct upsert_conf *conf = op->conf;
	for (uint64_t n = snap_count(in); n; n--) {
		struct kept *kept = load_key(op, in);
		if (!kept)
			return in->bad ? snap_done(in, "upsert", op->err) : -1;
		if (!snap_u64(in))
			continue;
		kept->time = snap_i64(in);
		kept->row = row_load(in, op->mem);
		if (kept->row && kept->row->n != conf->ncol)
			in->bad = true;
		if (in->bad)
			break;
	}
	return in->bad ? snap_done(in, "upsert", op->err) : 0;
}

const struct op_type upsert_op = {
	.name = "upsert",
	.arg = "KEYS",
	.help = "the changelog carries no -U; it is restored by key",
	.conf_size = sizeof(struct upsert_conf),
	.state_size = sizeof(struct upsert),
	.parse = parse,
	.plan = plan,
	.before = before,
	.need = need,
	.explain = explain,
	.open = open_upsert,
	.push = push,
	.save = save,
	.load = load,
	.close = close_upsert,
};
