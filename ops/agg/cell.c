#include "ops/agg/cell.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "ops/state/snapshot.h"

static bool has_bytes(uint8_t type)
{
	return type == V_BIG || type == V_RAW || type == V_TEXT;
}

/* Size of the block behind a cell; 0: none. Rounded, so that a value that changes often mostly finds room where the last one was. */
static size_t block_size(uint8_t type, uint32_t len)
{
	return has_bytes(type) && len > CELL_INLINE ? ((size_t)len + 15) & ~(size_t)15 : 0;
}

int cell_set(struct cell *cell, const struct value *v, struct mem *mem)
{
	size_t old = block_size(cell->type, cell->len), new = block_size(v->type, v->len);
	char *block = old ? cell->u.p : NULL;
	if (new && new != old) {
		block = mem_alloc(mem, new);
		if (!block)
			return -1;
	}
	struct cell next = { .type = v->type, .scale = v->scale, .flags = v->flags, .len = v->len };
	if (new) {
		memmove(block, v->u.p, v->len); /* v may be this cell's own value */
		next.u.p = block;
	} else if (has_bytes(v->type)) {
		if (v->len)
			memcpy(next.u.in, v->u.p, v->len);
	} else {
		next.u.i = v->u.i;
	}
	if (old && new != old)
		mem_free(mem, cell->u.p, old);
	*cell = next;
	return 0;
}

void cell_drop(struct cell *cell, struct mem *mem)
{
	size_t size = block_size(cell->type, cell->len);
	if (size)
		mem_free(mem, cell->u.p, size);
	*cell = (struct cell){ 0 };
}

struct value cell_value(const struct cell *cell)
{
	struct value v = { .type = cell->type, .scale = cell->scale, .flags = cell->flags, .len = cell->len };
	if (!has_bytes(cell->type))
		v.u.i = cell->u.i;
	else
		v.u.p = cell->len <= CELL_INLINE ? cell->u.in : cell->u.p;
	return v;
}

void cell_save(const struct cell *cell, struct snap_out *out)
{
	struct value v = cell_value(cell);
	snap_put_value(out, &v);
}

int cell_load(struct cell *cell, struct snap_in *in, struct mem *mem)
{
	struct value v;
	snap_value(in, &v);
	if (v.type == V_ROW)
		in->bad = true;
	return in->bad ? 0 : cell_set(cell, &v, mem);
}

uint64_t cell_hash(const struct value *v)
{
	char scratch[VALUE_TEXT_MAX];
	const char *p;
	if (v->type == V_NULL)
		return 1;
	uint32_t len = value_key(v, scratch, &p);
	return XXH3_64bits(p, len);
}

int cell_order(const struct value *a, const struct value *b)
{
	int order = value_order(a, b);
	if (order || value_same(a, b))
		return order;
	char sa[VALUE_TEXT_MAX], sb[VALUE_TEXT_MAX];
	const char *pa, *pb;
	uint32_t na = value_key(a, sa, &pa), nb = value_key(b, sb, &pb);
	order = memcmp(pa, pb, na < nb ? na : nb);
	return order ? (order > 0) - (order < 0) : (na > nb) - (na < nb);
}
