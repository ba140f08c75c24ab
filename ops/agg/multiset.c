/* A B+ tree whose nodes know the weight of each child. Where a block is split, the full nodes above it are split first, from the root down: each step
 * leaves a whole tree with the same items, so memory may be refused at any. Nodes go when they are empty, and are not merged. */
#include "ops/agg/multiset.h"

#include <string.h>

#include "ops/state/snapshot.h"

enum {
	MS_FIRST = 2,
	MS_BLOCK = 128,
	MS_NODE = 64,
	MS_HEIGHT = 16, /* each level takes 32 times as many additions as the one before: out of reach */
};

struct item {
	uint64_t prefix;
	int64_t n;
	struct cell v;
};

struct block {
	uint32_t n, cap;
	struct item item[];
};

/* prefix: of items in the children before none is above it, of those in this one none is below. Of the first child it means nothing. */
struct child {
	uint64_t prefix;
	int64_t weight; /* sum of the counts above 0 */
	void *p;        /* a node, on the lowest level a block; never empty */
};

struct node {
	uint32_t n;
	struct child child[MS_NODE];
};

/* The way to a block: on each level the node, and which of its children it goes on to; level 0 is the root. And where in the block an item is,
 * or would have to go. */
struct place {
	struct node *node[MS_HEIGHT];
	uint32_t child[MS_HEIGHT];
	struct block *block; /* NULL: the multiset has none */
	uint32_t at;
	bool found;
};

static size_t block_size(uint32_t cap)
{
	return sizeof(struct block) + cap * sizeof(struct item);
}

/* The first item of a subtree with `height` levels of nodes. */
static const struct item *first_item(const void *p, uint32_t height)
{
	while (height--)
		p = ((const struct node *)p)->child[0].p;
	return ((const struct block *)p)->item;
}

static int compare(const struct item *item, uint64_t prefix, const struct value *v)
{
	if (item->prefix != prefix)
		return item->prefix < prefix ? -1 : 1;
	struct value have = cell_value(&item->v);
	return cell_order(&have, v);
}

/* The child of a node that has v if any has: the last one whose first item is not above it. `height`: levels of nodes below this one. */
static uint32_t child_of(const struct node *node, uint32_t height, uint64_t prefix, const struct value *v)
{
	uint32_t low = 0, high = node->n;
	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;
		const struct child *child = &node->child[mid];
		if (child->prefix < prefix || (child->prefix == prefix && compare(first_item(child->p, height), prefix, v) <= 0))
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* The first item not below v. */
static void find_in_block(struct place *p, uint64_t prefix, const struct value *v)
{
	uint32_t from = 0, to = p->block->n;
	p->found = false;
	while (from < to && !p->found) {
		uint32_t mid = from + (to - from) / 2;
		int order = compare(&p->block->item[mid], prefix, v);
		p->found = !order;
		if (order < 0)
			from = mid + 1;
		else
			to = mid;
	}
	p->at = to;
}

static void find(const struct multiset *ms, uint64_t prefix, const struct value *v, struct place *p)
{
	void *at = ms->root;
	for (uint32_t level = 0; level < ms->height; level++) {
		p->node[level] = at;
		p->child[level] = child_of(at, ms->height - level - 1, prefix, v);
		at = p->node[level]->child[p->child[level]].p;
	}
	/* Where a search in a block may look first is asked for at once: else it waits for one after the other. */
	for (uint32_t i = 0; ms->height && i < MS_BLOCK; i += MS_BLOCK / 8)
		__builtin_prefetch(&((const struct block *)at)->item[i]);
	p->block = at;
	p->at = 0;
	p->found = false;
	if (at)
		find_in_block(p, prefix, v);
}

/* Completes a way whose nodes above `level` are known: on to the first block below `at`, which may be NULL if it is the root. */
static void go_first(const struct multiset *ms, uint32_t level, void *at, struct place *p)
{
	for (; level < ms->height; level++) {
		p->node[level] = at;
		p->child[level] = 0;
		at = p->node[level]->child[0].p;
	}
	p->block = at;
}

/* From the block of p to the one behind it: p->block is NULL if there is none. */
static void next_block(const struct multiset *ms, struct place *p)
{
	p->block = NULL;
	for (uint32_t level = ms->height; level-- > 0;) {
		const struct node *node = p->node[level];
		if (++p->child[level] < node->n) {
			go_first(ms, level + 1, node->child[p->child[level]].p, p);
			return;
		}
	}
}

static int64_t positive(int64_t n)
{
	return n > 0 ? n : 0;
}

static void change(struct multiset *ms, const struct place *p, int64_t by)
{
	struct item *item = &p->block->item[p->at];
	int64_t more = positive(item->n + by) - positive(item->n);
	item->n += by;
	ms->weight += more;
	for (uint32_t level = 0; level < ms->height; level++)
		p->node[level]->child[p->child[level]].weight += more;
}

/* What is about a new block, or node, with the upper half of a full one; .p is NULL if memory is refused. */
static struct child split_block(struct block *low, struct mem *mem)
{
	struct block *high = mem_alloc(mem, block_size(MS_BLOCK));
	if (!high)
		return (struct child){ .p = NULL };
	low->n = high->n = MS_BLOCK / 2;
	high->cap = MS_BLOCK;
	memcpy(high->item, low->item + low->n, high->n * sizeof *high->item);
	struct child upper = { .prefix = high->item[0].prefix, .p = high };
	for (uint32_t i = 0; i < high->n; i++)
		upper.weight += positive(high->item[i].n);
	return upper;
}

static struct child split_node(struct node *low, struct mem *mem)
{
	struct node *high = mem_alloc(mem, sizeof *high);
	if (!high)
		return (struct child){ .p = NULL };
	low->n = high->n = MS_NODE / 2;
	memcpy(high->child, low->child + low->n, high->n * sizeof *high->child);
	struct child upper = { .prefix = high->child[0].prefix, .p = high };
	for (uint32_t i = 0; i < high->n; i++)
		upper.weight += high->child[i].weight;
	return upper;
}

/* Splits child i of a node that has room, if it is full. */
static int split_child(struct node *node, uint32_t i, bool is_block, struct mem *mem)
{
	struct child *child = &node->child[i];
	if (is_block ? ((struct block *)child->p)->n < MS_BLOCK : ((struct node *)child->p)->n < MS_NODE)
		return 0;
	struct child upper = is_block ? split_block(child->p, mem) : split_node(child->p, mem);
	if (!upper.p)
		return -1;
	child->weight -= upper.weight;
	memmove(child + 2, child + 1, (node->n - i - 1) * sizeof *child);
	child[1] = upper;
	node->n++;
	return 0;
}

/* Puts a node with one child above the root. */
static int raise_root(struct multiset *ms, struct mem *mem)
{
	struct node *root = mem_alloc(mem, sizeof *root);
	if (!root)
		return -1;
	*root = (struct node){ .n = 1, .child = { { .weight = ms->weight, .p = ms->root } } };
	ms->root = root;
	ms->height++;
	return 0;
}

/* Splits the block that v would go to, and what is full on the way to it. */
static int split_way(struct multiset *ms, uint64_t prefix, const struct value *v, struct mem *mem)
{
	if ((!ms->height || ((struct node *)ms->root)->n == MS_NODE) && raise_root(ms, mem))
		return -1;
	struct node *node = ms->root;
	for (uint32_t below = ms->height; below-- > 0;) {
		if (split_child(node, child_of(node, below, prefix, v), !below, mem))
			return -1;
		node = node->child[child_of(node, below, prefix, v)].p;
	}
	return 0;
}

/* Makes room for one more item in the block of p, which may become another. */
static int room(struct multiset *ms, uint64_t prefix, const struct value *v, struct place *p, struct mem *mem)
{
	uint32_t cap = p->block ? p->block->cap : 0;
	if (p->block && p->block->n < cap)
		return 0;
	if (cap == MS_BLOCK) {
		if (split_way(ms, prefix, v, mem))
			return -1;
		find(ms, prefix, v, p);
		return 0;
	}
	/* Only a block alone is smaller. */
	uint32_t more = cap ? 2 * cap : MS_FIRST;
	struct block *block = mem_resize(mem, p->block, cap ? block_size(cap) : 0, block_size(more));
	if (!block)
		return -1;
	if (!cap)
		block->n = 0;
	block->cap = more;
	ms->root = p->block = block;
	return 0;
}

/* Takes the empty block of p out, and the nodes that become empty by that. */
static void remove_block(struct multiset *ms, const struct place *p, struct mem *mem)
{
	mem_free(mem, p->block, block_size(p->block->cap));
	for (uint32_t level = ms->height; level-- > 0;) {
		struct node *node = p->node[level];
		struct child *child = &node->child[p->child[level]];
		node->n--;
		memmove(child, child + 1, (node->n - p->child[level]) * sizeof *child);
		if (node->n)
			return;
		mem_free(mem, node, sizeof *node);
	}
	*ms = (struct multiset){ 0 };
}

static void remove_item(struct multiset *ms, const struct place *p, struct mem *mem)
{
	struct block *b = p->block;
	cell_drop(&b->item[p->at].v, mem);
	b->n--;
	memmove(b->item + p->at, b->item + p->at + 1, (b->n - p->at) * sizeof *b->item);
	if (!b->n)
		remove_block(ms, p, mem);
}

int ms_add(struct multiset *ms, const struct value *v, int64_t by, struct mem *mem)
{
	uint64_t prefix = value_prefix(v);
	struct place p;
	find(ms, prefix, v, &p);
	if (p.found) {
		change(ms, &p, by);
		if (!p.block->item[p.at].n)
			remove_item(ms, &p, mem);
		return 0;
	}
	struct item item = { .prefix = prefix };
	if (cell_set(&item.v, v, mem))
		return -1;
	if (room(ms, prefix, v, &p, mem)) {
		cell_drop(&item.v, mem);
		return -1;
	}
	struct block *b = p.block;
	memmove(b->item + p.at + 1, b->item + p.at, (b->n - p.at) * sizeof *b->item);
	b->item[p.at] = item;
	b->n++;
	change(ms, &p, by);
	return 0;
}

/* The bounds in these hold even where counts from a damaged snapshot have no sum. */
struct value ms_rank(const struct multiset *ms, int64_t rank)
{
	const void *at = ms->root;
	if (!at || rank > ms->weight)
		return value_null();
	for (uint32_t level = 0; level < ms->height; level++) {
		const struct node *node = at;
		const struct child *child = node->child, *last = child + node->n - 1;
		for (; child < last && rank > child->weight; child++)
			rank -= child->weight;
		at = child->p;
	}
	const struct block *b = at;
	const struct item *item = b->item, *last = item + b->n - 1;
	while (item < last && (rank -= positive(item->n)) > 0)
		item++;
	return cell_value(&item->v);
}

struct value ms_least(const struct multiset *ms)
{
	return ms_rank(ms, 1);
}

struct value ms_most(const struct multiset *ms)
{
	const void *at = ms->root;
	if (!at || ms->weight <= 0)
		return value_null();
	for (uint32_t level = 0; level < ms->height; level++) {
		const struct node *node = at;
		const struct child *child = node->child + node->n - 1;
		while (child > node->child && child->weight <= 0)
			child--;
		at = child->p;
	}
	const struct block *b = at;
	const struct item *item = b->item + b->n - 1;
	while (item > b->item && item->n <= 0)
		item--;
	return cell_value(&item->v);
}

int ms_merge(struct multiset *ms, const struct multiset *from, int sign, struct mem *mem)
{
	struct place p;
	for (go_first(from, 0, from->root, &p); p.block; next_block(from, &p))
		for (const struct item *item = p.block->item, *end = item + p.block->n; item < end; item++) {
			struct value v = cell_value(&item->v);
			if (ms_add(ms, &v, sign * item->n, mem))
				return -1;
		}
	return 0;
}

void ms_drop(struct multiset *ms, struct mem *mem)
{
	struct place p;
	for (go_first(ms, 0, ms->root, &p); p.block; go_first(ms, 0, ms->root, &p)) {
		for (uint32_t i = 0; i < p.block->n; i++)
			cell_drop(&p.block->item[i].v, mem);
		remove_block(ms, &p, mem);
	}
}

void ms_save(const struct multiset *ms, struct snap_out *out)
{
	uint64_t n = 0;
	struct place p;
	for (go_first(ms, 0, ms->root, &p); p.block; next_block(ms, &p))
		n += p.block->n;
	snap_put_u64(out, n);
	for (go_first(ms, 0, ms->root, &p); p.block; next_block(ms, &p))
		for (const struct item *item = p.block->item, *end = item + p.block->n; item < end; item++) {
			cell_save(&item->v, out);
			snap_put_i64(out, item->n);
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
