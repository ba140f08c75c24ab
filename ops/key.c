#include "ops/key.h"

#include <string.h>

#include "core/number.h"
#include "ops/key_hash.h"
#include "ops/state/snapshot.h"
#include "parse/lang/parse.h"

/* ---- the setting ---- */

static int parse(struct op *op, struct err *err)
{
	struct keyby *keyby = op->conf;
	return parse_keyby(op->flag, op->text, op->plan, &keyby->list, err);
}

static int apply(struct op *op, struct op_settings *settings, struct err *err)
{
	if (settings->key) {
		struct span whole = { op->flag, op->text, 0, strlen(op->text) };
		return err_at(err, whole, "two keys: nothing between uses the first (%s '%s')", settings->key->flag, settings->key->text);
	}
	settings->key = op;
	return 0;
}

const struct op_type keyby_op = {
	.name = "keyby",
	.letter = 'k',
	.traits = OP_SETTING,
	.arg = "EXPR, ...",
	.help = "the key of the next reduce or topn",
	.more = "Of that one alone; without a key all rows share one. Keys compare by the bytes\n"
		"as read: 10, 10.0 and 1e1 are three; an expression groups by its value. NULL is\n"
		"a key, too.\n"
		"\n"
		"  weir -k c1 -r count events.tsv\n"
		"  weir -k 'number(c1)' -r count events.tsv        # 10 and 10.0 are one key\n"
		"  weir -f csv -k 'host, lower(user) as user' -r 'max(ms)' requests.csv\n"
		"  weir -k c1 -r count -k count -r 'count as keys'  # keys seen n times\n",
	.conf_size = sizeof(struct keyby),
	.parse = parse,
	.apply = apply,
};

/* ---- binding ---- */

struct key_binder {
	struct key *key;
	struct schema *schema;
	struct arena *mem;
	struct err *err;
};

static int add(struct key_binder *b, const struct node *node, const char *name, uint32_t len)
{
	struct expr *expr = expr_bind(node, b->schema, b->mem, b->err); /* refuses whole rows */
	if (!expr || expr_varies(expr, node, b->schema, b->err))
		return -1;
	uint32_t i = b->key->n++;
	b->key->expr[i] = expr;
	b->key->name[i] = name;
	b->key->name_len[i] = len;
	b->key->type[i] = expr_type(expr);
	return 0;
}

/* The word `window`: the two bounds that a window operator above has made. */
static int add_window(struct key_binder *b, struct span span)
{
	static const char *const bound[] = { "window_start", "window_end" };
	for (int i = 0; i < 2; i++) {
		struct schema_place place;
		uint32_t len = (uint32_t)strlen(bound[i]);
		bool there = b->schema->kind == SCHEMA_PATHS ? schema_index(b->schema, bound[i], len) >= 0 : schema_find(b->schema, bound[i], len, &place);
		if (!there)
			return err_at(b->err, span, "no window above: put --tumble, --hop, --cumulate or --session before an operator in front of it");
		struct node *node = arena_alloc(b->mem, sizeof *node);
		if (!node)
			return err_memory(b->err);
		*node = (struct node){ .kind = N_NAME, .span = span, .text = bound[i], .len = len };
		if (add(b, node, bound[i], len))
			return -1;
	}
	return 0;
}

/* `window`: its bounds come first. */
static int bind_list(struct key *key, const struct op *op, const struct named_list *list, bool window, struct schema *schema, struct err *err)
{
	uint32_t most = 2 * (list->n + window);
	key->expr = arena_alloc(op->plan, most * sizeof(struct expr *));
	key->name = arena_alloc(op->plan, most * sizeof *key->name);
	key->name_len = arena_alloc(op->plan, most * sizeof *key->name_len);
	key->type = arena_alloc(op->plan, most * sizeof *key->type);
	if (!key->expr || !key->name || !key->name_len || !key->type)
		return err_memory(err);
	struct key_binder b = { key, schema, op->plan, err };
	if (window && add_window(&b, (struct span){ op->flag, op->text, 0, 0 }))
		return -1;
	for (uint32_t i = 0; i < list->n; i++) {
		const struct named *item = &list->item[i];
		if (item->window ? add_window(&b, item->span) : add(&b, item->expr, item->name, item->len))
			return -1;
	}
	return 0;
}

int key_bind(struct key *key, const struct op *op, struct schema *schema, struct err *err)
{
	*key = (struct key){ 0 };
	return op->key ? bind_list(key, op, &((const struct keyby *)op->key->conf)->list, false, schema, err) : 0;
}

int key_bind_window(struct key *key, const struct op *op, struct schema *schema, struct err *err)
{
	const struct named_list none = { 0 };
	*key = (struct key){ 0 };
	return bind_list(key, op, op->key ? &((const struct keyby *)op->key->conf)->list : &none, true, schema, err);
}

void key_need(const struct key *key, const uint8_t *use, uint8_t *in)
{
	for (uint32_t i = 0; i < key->n; i++)
		expr_need(key->expr[i], use[i] | NEED_VALUE, in);
}

/* ---- from rows to bytes ---- */

/* Where the keys of a batch go. */
struct keys {
	uint64_t seed, null_hash;
	const char **bytes;
	uint32_t *len;
	uint64_t *hash;
};

static inline bool is_text(const struct value *v)
{
	return v->type == V_RAW || v->type == V_TEXT;
}

static inline void set(const struct keys *keys, uint32_t r, const char *p, uint32_t len)
{
	keys->bytes[r] = p;
	keys->len[r] = len;
	keys->hash[r] = key_hash_bytes(p, len, keys->seed);
}

static inline void set_null(const struct keys *keys, uint32_t r)
{
	keys->bytes[r] = "";
	keys->len[r] = KEY_NULL;
	keys->hash[r] = keys->null_hash;
}

/* False at the first value that is neither text nor NULL. */
static bool borrow_texts(const struct value *v, uint32_t n, const struct keys *keys)
{
	for (uint32_t r = 0; r < n; r++) {
		if (is_text(&v[r]))
			set(keys, r, v[r].u.p, v[r].len);
		else if (v[r].type == V_NULL)
			set_null(keys, r);
		else
			return false;
	}
	return true;
}

static int one_column(const struct value *v, const struct batch *batch, const struct keys *keys)
{
	if (borrow_texts(v, batch->n, keys))
		return 0;
	char *scratch = arena_alloc(batch->mem, (size_t)batch->n * VALUE_TEXT_MAX);
	if (!scratch)
		return -1;
	for (uint32_t r = 0; r < batch->n; r++, scratch += VALUE_TEXT_MAX) {
		const char *p;
		if (v[r].type == V_NULL) {
			set_null(keys, r);
			continue;
		}
		uint32_t len = value_key(&v[r], scratch, &p);
		set(keys, r, p, len);
	}
	return 0;
}

enum {
	PART_NULL = 0,
	PART_LONG = 255,                  /* 4 bytes follow */
	PART_SHORT_MAX = PART_LONG - 2,   /* the longest part whose length + 1 is one byte below PART_LONG */
	PART_HEAD_MAX = 1 + 4,
};

static size_t part_room(const struct value *v)
{
	return PART_HEAD_MAX + (is_text(v) || v->type == V_BIG ? v->len : (size_t)VALUE_TEXT_MAX);
}

static char *put_part(char *to, const struct value *v)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p = v->u.p;
	uint32_t len = v->len;
	if (v->type == V_NULL) {
		*to++ = PART_NULL;
		return to;
	}
	if (!is_text(v))
		len = value_key(v, scratch, &p);
	if (len <= PART_SHORT_MAX) {
		*to++ = (char)(unsigned char)(len + 1);
	} else {
		*to++ = (char)(unsigned char)PART_LONG;
		for (int i = 0; i < 4; i++)
			*to++ = (char)(unsigned char)((len + 1) >> 8 * i);
	}
	if (len)
		memcpy(to, p, len);
	return to + len;
}

static int glue(struct value *const *column, uint32_t ncol, const struct batch *batch, const struct keys *keys)
{
	size_t room = 0;
	for (uint32_t c = 0; c < ncol; c++)
		for (uint32_t r = 0; r < batch->n; r++)
			room += part_room(&column[c][r]);
	char *to = arena_alloc(batch->mem, room);
	if (!to)
		return -1;
	for (uint32_t r = 0; r < batch->n; r++) {
		char *from = to;
		for (uint32_t c = 0; c < ncol; c++)
			to = put_part(to, &column[c][r]);
		if (to - from >= KEY_NULL)
			return -1;
		set(keys, r, from, (uint32_t)(to - from));
	}
	return 0;
}

/* The hash that key_rows gives these bytes. */
static uint64_t key_hash(const char *bytes, uint32_t len, uint64_t seed)
{
	return len == KEY_NULL ? key_hash_bytes("", 0, ~seed) : key_hash_bytes(bytes, len, seed);
}

int key_rows(const struct key *key, const struct batch *batch, uint64_t seed, const char *bytes[], uint32_t len[], uint64_t hash[])
{
	struct keys keys = { seed, key_hash("", KEY_NULL, seed), bytes, len, hash };
	struct value **column = arena_alloc(batch->mem, key->n * sizeof(struct value *));
	if (!column)
		return -1;
	for (uint32_t c = 0; c < key->n; c++)
		if (expr_eval(key->expr[c], batch, &column[c]))
			return -1;
	if (key->n == 1)
		return one_column(column[0], batch, &keys);
	if (key->n)
		return glue(column, key->n, batch, &keys);
	for (uint32_t r = 0; r < batch->n; r++)
		set(&keys, r, "", 0);
	return 0;
}

/* ---- snapshot ---- */

void key_save(struct snap_out *out, const char *bytes, uint32_t len)
{
	snap_put_u64(out, len == KEY_NULL);
	snap_put_bytes(out, bytes, len == KEY_NULL ? 0 : len);
}

struct saved_key key_load(struct snap_in *in, uint64_t seed)
{
	uint64_t null = snap_u64(in);
	size_t n;
	struct saved_key key = { .bytes = snap_bytes(in, &n) };
	if (null > 1 || n >= KEY_NULL || (null && n))
		in->bad = true;
	if (!in->bad)
		key.len = null ? KEY_NULL : (uint32_t)n;
	key.hash = key_hash(key.bytes, key.len, seed);
	return key;
}

/* ---- and back ---- */

/* Digits too many for a decimal are the exact sum they were, unless a double prints the same. */
static struct value number_from(const char *p, uint32_t len)
{
	struct value v;
	if (!number_read(p, len, &v))
		return value_raw(p, len);
	if (v.type == V_DBL) {
		char text[VALUE_TEXT_MAX];
		if (number_print(&v, text) != len || memcmp(text, p, len) != 0)
			return (struct value){ .type = V_BIG, .len = len, .u.p = p };
	}
	return v;
}

static struct value time_from(const char *p, uint32_t len)
{
	struct value ms = number_from(p, len), time = { .type = V_TIME };
	number_int(&ms, &time.u.i);
	return time;
}

static struct value value_from(enum type type, const char *p, uint32_t len, bool clean)
{
	struct value v;
	switch (type) {
	case T_NUMBER:
	case T_DURATION:
		return number_from(p, len);
	case T_BOOL:
		return value_bool(len == strlen("true"));
	case T_TIME:
		return time_from(p, len);
	default:
		v = type == T_TEXT ? value_text(p, len) : value_raw(p, len);
		v.flags = clean ? VF_CLEAN : 0;
		return v;
	}
}

/* Steps over one part; *len is KEY_NULL for NULL, and for what runs over the end (a snapshot may hold anything). */
static const char *next_part(const char *at, const char *end, const char **p, uint32_t *len)
{
	uint32_t head = at < end ? (unsigned char)*at++ : (uint32_t)PART_NULL;
	*len = KEY_NULL;
	if (head == PART_LONG && end - at >= 4) {
		head = 0;
		for (int i = 0; i < 4; i++)
			head |= (uint32_t)(unsigned char)*at++ << 8 * i;
	}
	if (head == PART_NULL)
		return at;
	if (head - 1 > (size_t)(end - at))
		return end;
	*p = at;
	*len = head - 1;
	return at + *len;
}

void key_values(const struct key *key, const char *bytes, uint32_t len, bool clean, struct value *out)
{
	if (key->n == 1) {
		out[0] = len == KEY_NULL ? value_null() : value_from(key->type[0], bytes, len, clean);
		return;
	}
	const char *at = bytes, *end = bytes + (len == KEY_NULL ? 0 : len);
	for (uint32_t i = 0; i < key->n; i++) {
		const char *p = at;
		uint32_t part;
		at = next_part(at, end, &p, &part);
		out[i] = part == KEY_NULL ? value_null() : value_from(key->type[i], p, part, clean);
	}
}
