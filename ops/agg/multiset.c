#include "ops/agg/multiset.h"

#include <string.h>

#include "ops/state/snapshot.h"

enum { MS_FIRST = 2, MS_BLOCK = 128 };

struct item {
	uint64_t prefix;
	int64_t n;
	struct cell v;
};

struct ms_block {
	uint32_t n, cap;
	int64_t weight; /* sum of the counts above 0 */
	struct item item[];
};

/* Where an item is, or would have to go. */
struct place {
	uint32_t block, at;
	bool found;
};

static size_t block_size(uint32_t cap)
{
	return sizeof(struct ms_block) + cap * sizeof(struct item);
}

static struct ms_block *block_at(const struct multiset *ms, uint32_t i)
{
	return ms->cap ? ms->u.dir[i] : ms->u.one;
}

static void block_put(struct multiset *ms, uint32_t i, struct ms_block *block)
{
	if (ms->cap)
		ms->u.dir[i] = block;
	else
		ms->u.one = block;
}

static int compare(const struct item *item, uint64_t prefix, const struct value *v)
{
	if (item->prefix != prefix)
		return item->prefix < prefix ? -1 : 1;
	struct value have = cell_value(&item->v);
	return cell_order(&have, v);
}

static struct place find(const struct multiset *ms, uint64_t prefix, const struct value *v)
{
	struct place p = { 0 };
	uint32_t low = 0, high = ms->nblock; /* the last block whose first item is not above v */
	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;
		if (compare(&block_at(ms, mid)->item[0], prefix, v) <= 0)
			low = mid;
		else
			high = mid;
	}
	p.block = low;
	if (!ms->nblock)
		return p;
	const struct ms_block *b = block_at(ms, low);
	uint32_t from = 0, to = b->n; /* the first item not below v */
	while (from < to) {
		uint32_t mid = from + (to - from) / 2;
		int order = compare(&b->item[mid], prefix, v);
		if (!order) {
			p.at = mid;
			p.found = true;
			return p;
		}
		if (order < 0)
			from = mid + 1;
		else
			to = mid;
	}
	p.at = from;
	return p;
}

static int64_t positive(int64_t n)
{
	return n > 0 ? n : 0;
}

static int64_t weigh(const struct item *item, uint32_t n)
{
	int64_t weight = 0;
	for (uint32_t i = 0; i < n; i++)
		weight += positive(item[i].n);
	return weight;
}

/* Makes room for one more entry in the directory (or makes the directory). */
static int dir_grow(struct multiset *ms, struct mem *mem)
{
	if (ms->nblock < ms->cap)
		return 0;
	uint32_t cap = ms->cap ? 2 * ms->cap : 4;
	struct ms_block **dir = mem_resize(mem, ms->cap ? ms->u.dir : NULL, ms->cap * sizeof *dir, cap * sizeof *dir);
	if (!dir)
		return -1;
	if (!ms->cap)
		dir[0] = ms->u.one;
	ms->u.dir = dir;
	ms->cap = cap;
	return 0;
}

/* Moves the upper half of a full block into a new one behind it. */
static int split(struct multiset *ms, uint32_t i, struct mem *mem)
{
	struct ms_block *low = block_at(ms, i), *high = mem_alloc(mem, block_size(MS_BLOCK));
	if (!high)
		return -1;
	if (dir_grow(ms, mem)) {
		mem_free(mem, high, block_size(MS_BLOCK));
		return -1;
	}
	uint32_t half = low->n / 2;
	high->cap = MS_BLOCK;
	high->n = low->n - half;
	memcpy(high->item, low->item + half, high->n * sizeof *high->item);
	high->weight = weigh(high->item, high->n);
	low->n = half;
	low->weight -= high->weight;
	memmove(ms->u.dir + i + 2, ms->u.dir + i + 1, (ms->nblock - i - 1) * sizeof *ms->u.dir);
	ms->u.dir[i + 1] = high;
	ms->nblock++;
	return 0;
}

/* Makes room for one more item in the block of p, which may move to the next block. */
static int room(struct multiset *ms, struct place *p, struct mem *mem)
{
	if (!ms->nblock) {
		struct ms_block *b = mem_alloc(mem, block_size(MS_FIRST));
		if (!b)
			return -1;
		b->cap = MS_FIRST;
		ms->u.one = b;
		ms->nblock = 1;
		return 0;
	}
	struct ms_block *b = block_at(ms, p->block);
	if (b->n < b->cap)
		return 0;
	if (b->cap < MS_BLOCK) {
		b = mem_resize(mem, b, block_size(b->cap), block_size(b->cap * 2));
		if (!b)
			return -1;
		b->cap *= 2;
		block_put(ms, p->block, b);
		return 0;
	}
	if (split(ms, p->block, mem))
		return -1;
	uint32_t half = block_at(ms, p->block)->n;
	if (p->at > half) {
		p->at -= half;
		p->block++;
	}
	return 0;
}

static void remove_block(struct multiset *ms, uint32_t i, struct mem *mem)
{
	struct ms_block *b = block_at(ms, i);
	mem_free(mem, b, block_size(b->cap));
	ms->nblock--;
	if (ms->nblock) {
		memmove(ms->u.dir + i, ms->u.dir + i + 1, (ms->nblock - i) * sizeof *ms->u.dir);
		return;
	}
	if (ms->cap)
		mem_free(mem, ms->u.dir, ms->cap * sizeof *ms->u.dir);
	*ms = (struct multiset){ 0 };
}

static void change(struct multiset *ms, struct ms_block *b, struct item *item, int64_t by)
{
	int64_t more = positive(item->n + by) - positive(item->n);
	item->n += by;
	b->weight += more;
	ms->weight += more;
}

static void remove_item(struct multiset *ms, struct place p, struct mem *mem)
{
	struct ms_block *b = block_at(ms, p.block);
	cell_drop(&b->item[p.at].v, mem);
	b->n--;
	memmove(b->item + p.at, b->item + p.at + 1, (b->n - p.at) * sizeof *b->item);
	if (!b->n)
		remove_block(ms, p.block, mem);
}

int ms_add(struct multiset *ms, const struct value *v, int64_t by, struct mem *mem)
{
	uint64_t prefix = value_prefix(v);
	struct place p = find(ms, prefix, v);
	if (p.found) {
		struct ms_block *b = block_at(ms, p.block);
		change(ms, b, &b->item[p.at], by);
		if (!b->item[p.at].n)
			remove_item(ms, p, mem);
		return 0;
	}
	struct item item = { .prefix = prefix };
	if (cell_set(&item.v, v, mem))
		return -1;
	if (room(ms, &p, mem)) {
		cell_drop(&item.v, mem);
		return -1;
	}
	struct ms_block *b = block_at(ms, p.block);
	memmove(b->item + p.at + 1, b->item + p.at, (b->n - p.at) * sizeof *b->item);
	b->item[p.at] = item;
	b->n++;
	change(ms, b, &b->item[p.at], by);
	return 0;
}

struct value ms_least(const struct multiset *ms)
{
	for (uint32_t i = 0; i < ms->nblock; i++) {
		const struct ms_block *b = block_at(ms, i);
		for (uint32_t k = 0; b->weight && k < b->n; k++)
			if (b->item[k].n > 0)
				return cell_value(&b->item[k].v);
	}
	return value_null();
}

struct value ms_most(const struct multiset *ms)
{
	for (uint32_t i = ms->nblock; i-- > 0;) {
		const struct ms_block *b = block_at(ms, i);
		for (uint32_t k = b->n; b->weight && k-- > 0;)
			if (b->item[k].n > 0)
				return cell_value(&b->item[k].v);
	}
	return value_null();
}

struct value ms_rank(const struct multiset *ms, int64_t rank)
{
	uint32_t i = 0;
	for (; i < ms->nblock && rank > block_at(ms, i)->weight; i++)
		rank -= block_at(ms, i)->weight;
	if (i == ms->nblock)
		return value_null();
	const struct ms_block *b = block_at(ms, i);
	for (uint32_t k = 0; k < b->n; k++) {
		rank -= positive(b->item[k].n);
		if (rank <= 0)
			return cell_value(&b->item[k].v);
	}
	return value_null();
}

int ms_merge(struct multiset *ms, const struct multiset *from, int sign, struct mem *mem)
{
	for (uint32_t i = 0; i < from->nblock; i++) {
		const struct ms_block *b = block_at(from, i);
		for (uint32_t k = 0; k < b->n; k++) {
			struct value v = cell_value(&b->item[k].v);
			if (ms_add(ms, &v, sign * b->item[k].n, mem))
				return -1;
		}
	}
	return 0;
}

void ms_drop(struct multiset *ms, struct mem *mem)
{
	for (uint32_t i = 0; i < ms->nblock; i++) {
		struct ms_block *b = block_at(ms, i);
		for (uint32_t k = 0; k < b->n; k++)
			cell_drop(&b->item[k].v, mem);
		mem_free(mem, b, block_size(b->cap));
	}
	if (ms->cap)
		mem_free(mem, ms->u.dir, ms->cap * sizeof *ms->u.dir);
	*ms = (struct multiset){ 0 };
}

void ms_save(const struct multiset *ms, struct snap_out *out)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < ms->nblock; i++)
		n += block_at(ms, i)->n;
	snap_put_u64(out, n);
	for (uint32_t i = 0; i < ms->nblock; i++) {
		const struct ms_block *b = block_at(ms, i);
		for (uint32_t k = 0; k < b->n; k++) {
			cell_save(&b->item[k].v, out);
			snap_put_i64(out, b->item[k].n);
		}
	}
}

int ms_load(struct multiset *ms, struct snap_in *in, struct mem *mem)
{
	for (uint64_t n = snap_count(in); n && !in->bad; n--) {
		struct value v;
		snap_value(in, &v);
		int64_t count = snap_i64(in);
		if (v.type == V_ROW || !count)
			in->bad = true;
		if (!in->bad && ms_add(ms, &v, count, mem))
			return -1;
	}
	return 0;
}
