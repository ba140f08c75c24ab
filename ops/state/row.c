/* One block:
 *
 *     | size n hash | v[0] v[1] ... | fields of a V_ROW value ... | bytes of all texts |
 */
#include "ops/state/row.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "ops/state/snapshot.h"

static inline bool has_bytes(const struct value *v)
{
	return v->type >= V_BIG && v->type != V_TIME && v->type != V_ROW;
}

/* ---- making one ---- */

static inline size_t extra(const struct value *v)
{
	if (has_bytes(v))
		return v->len;
	if (v->type != V_ROW)
		return 0;
	size_t bytes = v->len * sizeof *v;
	for (uint32_t i = 0; i < v->len; i++)
		bytes += has_bytes(&v->u.row[i]) ? v->u.row[i].len : 0;
	return bytes;
}

static struct row *row_new(uint32_t n, size_t more, struct mem *mem)
{
	size_t size = sizeof(struct row) + n * sizeof(struct value) + more;
	struct row *row = size <= UINT32_MAX ? mem_alloc(mem, size) : NULL;
	if (row) {
		row->size = (uint32_t)size;
		row->n = n & INT32_MAX; /* no bit is lost: the size fits */
	}
	return row;
}

static inline char *own_bytes(struct value *v, char *to)
{
	if (!has_bytes(v))
		return to;
	if (v->len)
		memcpy(to, v->u.p, v->len);
	v->u.p = to;
	return to + v->len;
}

/* Copies the texts of all values before `end`, where they go. */
static void own_texts(struct row *row, struct value *end)
{
	char *to = (char *)end;
	for (struct value *v = row->v; v < end; v++)
		to = own_bytes(v, to);
}

/* Copies what the values still borrow behind the array. Fields of V_ROW values go first, as they need the alignment. */
static void settle(struct row *row)
{
	struct value *field = row->v + row->n;
	for (uint32_t i = 0; i < row->n; i++) {
		struct value *v = &row->v[i];
		if (v->type != V_ROW)
			continue;
		if (v->len)
			memcpy(field, v->u.row, v->len * sizeof *field);
		v->u.row = field;
		field += v->len;
	}
	own_texts(row, field);
}

struct row *row_of_batch(const struct batch *batch, uint32_t r, uint32_t ncol, struct mem *mem)
{
	size_t more = 0;
	for (uint32_t c = 0; c < ncol; c++)
		if (batch->col[c].v)
			more += extra(&batch->col[c].v[r]);
	struct row *row = row_new(ncol, more, mem);
	if (!row)
		return NULL;
	for (uint32_t c = 0; c < ncol; c++)
		if (batch->col[c].v)
			row->v[c] = batch->col[c].v[r];
	settle(row);
	return row;
}

void row_free(struct row *row, struct mem *mem)
{
	if (row)
		mem_free(mem, row, row->size);
}

/* ---- equality ---- */

static inline bool is_text(const struct value *v)
{
	return v->type == V_RAW || v->type == V_TEXT;
}

/* value_same, quick where both are texts. */
static inline bool same(const struct value *a, const struct value *b)
{
	if (is_text(a) && is_text(b))
		return a->len == b->len && (!a->len || !memcmp(a->u.p, b->u.p, a->len));
	return value_same(a, b);
}

bool row_same(const struct row *a, const struct row *b)
{
	if (a->n != b->n || (a->hash && b->hash && a->hash != b->hash))
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (!same(&a->v[i], &b->v[i]))
			return false;
	return true;
}

bool row_same_batch(const struct row *a, const struct batch *batch, uint32_t r)
{
	static const struct value null;
	for (uint32_t c = 0; c < a->n; c++) {
		const struct value *column = batch->col[c].v;
		if (!same(&a->v[c], column ? &column[r] : &null))
			return false;
	}
	return true;
}

/* ---- hash: each value's printed bytes, seeded with the hash of those before ---- */

enum { HASH_NULL = 0x5bd1e995, HASH_ROW = 0x27d4eb2f };

static uint64_t mix(uint64_t h, uint64_t tag)
{
	h = (h ^ tag) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

static uint64_t hash_value(uint64_t h, const struct value *v)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p = v->u.p;
	uint32_t len = v->len;
	if (v->type == V_NULL)
		return mix(h, HASH_NULL);
	if (v->type == V_ROW) {
		h = mix(h + v->len, HASH_ROW);
		for (uint32_t i = 0; i < v->len; i++)
			h = hash_value(h, &v->u.row[i]);
		return h;
	}
	if (!is_text(v))
		len = value_key(v, scratch, &p);
	return XXH3_64bits_withSeed(p, len, h);
}

uint64_t row_hash(struct row *row)
{
	if (row->hash)
		return row->hash;
	uint64_t h = 0;
	for (uint32_t i = 0; i < row->n; i++)
		h = hash_value(h, &row->v[i]);
	return row->hash = h ? h : 1;
}

uint64_t row_hash_batch(const struct batch *batch, uint32_t r, uint32_t ncol)
{
	uint64_t h = 0;
	for (uint32_t c = 0; c < ncol; c++)
		h = batch->col[c].v ? hash_value(h, &batch->col[c].v[r]) : mix(h, HASH_NULL);
	return h ? h : 1;
}

/* ---- snapshot ---- */

void row_save(const struct row *row, struct snap_out *out)
{
	snap_put_u64(out, row->n);
	for (uint32_t i = 0; i < row->n; i++)
		snap_put_value(out, &row->v[i]);
}

/* Reads the values twice: for the size of the block, then into it. */
struct row *row_load(struct snap_in *in, struct mem *mem)
{
	uint64_t n = snap_count(in), more = 0;
	const char *first = in->p;
	for (uint64_t i = 0; i < n && !in->bad; i++)
		more += snap_skip_value(in);
	if (in->bad)
		return NULL;
	struct row *row = n <= UINT32_MAX ? row_new((uint32_t)n, more, mem) : NULL;
	if (!row) {
		in->refused = in->bad = true;
		return NULL;
	}
	struct value *room = row->v + n;
	in->p = first;
	for (uint64_t i = 0; i < n; i++)
		snap_value_at(in, &row->v[i], &room);
	own_texts(row, room);
	return row;
}
