#include "ops/state/ordset.h"

#include <stddef.h>
#include <string.h>

enum {
	LEAF_FIRST = 4,  /* items a first leaf has room for */
	LEAF_CAP = 64,
	FAN = 32,
	LEVELS_MAX = 24, /* neighbours hold more than FAN * 3/4 together, so a tree of 2^64 items is lower */
};

/* Items (level 0) or branches follow. Only a leaf that is the root may have less room than LEAF_CAP. */
struct ordset_node {
	uint16_t n, cap;
	uint32_t level;
};

struct branch {
	struct ordset_item first; /* always equal to the first item below, so comparisons never see a row that is gone */
	uint64_t count;           /* items below */
	struct ordset_node *child;
};

/* From the root to a leaf: in each inner node the branch that was taken. */
struct path {
	uint32_t n;
	struct ordset_node *node[LEVELS_MAX];
	uint32_t branch[LEVELS_MAX];
};

static struct ordset_item *items(const struct ordset_node *node) { return (void *)(node + 1); }
static struct branch *branches(const struct ordset_node *node) { return (void *)(node + 1); }
static size_t width(uint32_t level) { return level ? sizeof(struct branch) : sizeof(struct ordset_item); }
static size_t node_bytes(uint32_t level, uint32_t cap) { return sizeof(struct ordset_node) + cap * width(level); }
static const struct ordset_item *first_of(const struct ordset_node *node) { return (const void *)(node + 1); /* a branch begins with its first item */ }

static struct ordset_node *node_new(uint32_t level, uint32_t cap, struct mem *mem)
{
	struct ordset_node *node = mem_alloc(mem, node_bytes(level, cap));
	if (node) {
		node->cap = (uint16_t)cap;
		node->level = level;
	}
	return node;
}

static void node_free(struct ordset_node *node, struct mem *mem)
{
	mem_free(mem, node, node_bytes(node->level, node->cap));
}

static uint64_t count_of(const struct ordset_node *node)
{
	if (!node->level)
		return node->n;
	uint64_t count = 0;
	for (uint32_t i = 0; i < node->n; i++)
		count += branches(node)[i].count;
	return count;
}

/* ---- order ---- */

static inline bool less(const struct ordset_order *order, const struct ordset_item *a, const struct ordset_item *b)
{
	if (a->prefix != b->prefix)
		return a->prefix < b->prefix;
	if (order->compare && a->row != b->row) {
		int c = order->compare(order->context, a->row, b->row);
		if (c)
			return c < 0;
	}
	return a->seq < b->seq;
}

/* How many of the node's items, or of its branches' first items, stand before `item`. */
static uint32_t search(const struct ordset_node *node, const struct ordset_order *order, const struct ordset_item *item)
{
	const char *base = (const char *)(node + 1);
	size_t step = width(node->level);
	uint32_t lo = 0, hi = node->n;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (less(order, (const void *)(base + mid * step), item))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The branch where `item` stands or would be put. */
static uint32_t branch_for(const struct ordset_node *node, const struct ordset_order *order, const struct ordset_item *item)
{
	uint32_t before = search(node, order, item);
	return before ? before - 1 : 0;
}

static uint64_t count_before(const struct ordset_node *node, uint32_t branch)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < branch; i++)
		count += branches(node)[i].count;
	return count;
}

uint64_t ordset_rank(const struct ordset *set, const struct ordset_order *order, const struct ordset_item *item)
{
	const struct ordset_node *node = set->root;
	if (!node)
		return 0;
	uint64_t rank = 0;
	while (node->level) {
		uint32_t b = branch_for(node, order, item);
		rank += count_before(node, b);
		node = branches(node)[b].child;
	}
	return rank + search(node, order, item);
}

/* ---- by position ---- */

/* The leaf that holds position *at, which becomes the place in it. The path is kept if it is wanted. */
static struct ordset_node *leaf_at(const struct ordset *set, uint64_t *at, struct path *path)
{
	struct ordset_node *node = set->root;
	while (node->level) {
		const struct branch *branch = branches(node);
		uint32_t b = 0;
		while (*at >= branch[b].count)
			*at -= branch[b++].count;
		if (path) {
			path->node[path->n] = node;
			path->branch[path->n++] = b;
		}
		node = branch[b].child;
	}
	return node;
}

const struct ordset_item *ordset_at(const struct ordset *set, uint64_t at)
{
	const struct ordset_node *leaf = leaf_at(set, &at, NULL);
	return &items(leaf)[at];
}

const struct ordset_item *ordset_run(const struct ordset *set, uint64_t at, uint32_t *n)
{
	if (at >= set->n)
		return NULL;
	const struct ordset_node *leaf = leaf_at(set, &at, NULL);
	*n = leaf->n - (uint32_t)at;
	return &items(leaf)[at];
}

/* ---- insertion ---- */

static void put_at(struct ordset_node *node, uint32_t at, const void *element)
{
	size_t step = width(node->level);
	char *to = (char *)(node + 1) + at * step;
	memmove(to + step, to, (node->n - at) * step);
	memcpy(to, element, step);
	node->n++;
}

static void take_at(struct ordset_node *node, uint32_t at)
{
	size_t step = width(node->level);
	char *to = (char *)(node + 1) + at * step;
	node->n--;
	memmove(to, to + step, (node->n - at) * step);
}

/* Moves what stands from `keep` on in branch b's child into a new branch behind it. */
static int split(struct ordset_node *parent, uint32_t b, uint32_t keep, struct mem *mem)
{
	struct ordset_node *left = branches(parent)[b].child;
	struct ordset_node *right = node_new(left->level, left->cap, mem);
	if (!right)
		return -1;
	size_t step = width(left->level);
	right->n = (uint16_t)(left->n - keep);
	left->n = (uint16_t)keep;
	memcpy(right + 1, (char *)(left + 1) + keep * step, right->n * step);
	struct branch added = { *first_of(right), count_of(right), right };
	branches(parent)[b].count -= added.count;
	put_at(parent, b + 1, &added);
	return 0;
}

/* Where a full node is cut. In half; but at the ends of the whole set rows often come in order, and then the node is left full. */
static uint32_t cut(const struct ordset_node *node, const struct ordset_order *order, const struct ordset_item *item, bool leftmost, bool rightmost)
{
	if (rightmost && search(node, order, item) == node->n)
		return node->n - 1u;
	if (leftmost && search(node, order, item) == 0)
		return 1;
	return node->n / 2u;
}

/* Makes room at the root: a small leaf grows, a full node goes below a new root. */
static int widen_root(struct ordset *set, struct mem *mem)
{
	struct ordset_node *root = set->root;
	if (!root)
		return (set->root = node_new(0, LEAF_FIRST, mem)) ? 0 : -1;
	if (root->n < root->cap)
		return 0;
	if (!root->level && root->cap < LEAF_CAP) {
		struct ordset_node *wider = mem_resize(mem, root, node_bytes(0, root->cap), node_bytes(0, root->cap * 2u));
		if (!wider)
			return -1;
		wider->cap = (uint16_t)(wider->cap * 2);
		set->root = wider;
		return 0;
	}
	struct ordset_node *above = node_new(root->level + 1, FAN, mem);
	if (!above)
		return -1;
	struct branch only = { *first_of(root), set->n, root };
	put_at(above, 0, &only);
	set->root = above;
	return 0;
}

/* A root with one branch and no more, left behind by a refused split, or by merging, goes. */
static void lower_root(struct ordset *set, struct mem *mem)
{
	while (set->root && set->root->level && set->root->n == 1) {
		struct ordset_node *root = set->root;
		set->root = branches(root)->child;
		node_free(root, mem);
	}
}

/* The leaf for `item`. Full nodes on the way are split before they are entered, so every node on the path has room. */
static struct ordset_node *leaf_for(struct ordset *set, const struct ordset_order *order, const struct ordset_item *item, struct mem *mem, struct path *path)
{
	struct ordset_node *node = set->root;
	bool leftmost = true, rightmost = true;
	while (node->level) {
		uint32_t b = branch_for(node, order, item);
		struct ordset_node *child = branches(node)[b].child;
		leftmost = leftmost && b == 0;
		rightmost = rightmost && b + 1 == node->n;
		if (child->n == child->cap) {
			if (split(node, b, cut(child, order, item, leftmost, rightmost), mem))
				return NULL;
			if (less(order, &branches(node)[b + 1].first, item)) {
				b++;
				leftmost = false;
			} else {
				rightmost = false;
			}
		}
		path->node[path->n] = node;
		path->branch[path->n++] = b;
		node = branches(node)[b].child;
	}
	return node;
}

int ordset_insert(struct ordset *set, const struct ordset_order *order, const struct ordset_item *item, struct mem *mem, uint64_t *at)
{
	struct path path = { 0 };
	if (widen_root(set, mem))
		return -1;
	struct ordset_node *leaf = leaf_for(set, order, item, mem, &path);
	if (!leaf) {
		lower_root(set, mem);
		return -1;
	}
	uint32_t place = search(leaf, order, item);
	put_at(leaf, place, item);
	set->n++;
	uint64_t before = place;
	bool is_first = place == 0;
	while (path.n--) {
		struct ordset_node *node = path.node[path.n];
		uint32_t b = path.branch[path.n];
		branches(node)[b].count++;
		if (is_first)
			branches(node)[b].first = *item;
		is_first = is_first && b == 0;
		if (at)
			before += count_before(node, b);
	}
	if (at)
		*at = before;
	return 0;
}

/* ---- removal ---- */

/* Joins branch b + 1 into b if what they hold leaves a quarter of one node free. */
static bool join(struct ordset_node *parent, uint32_t b, struct mem *mem)
{
	if (b + 1 >= parent->n)
		return false;
	struct branch *branch = &branches(parent)[b];
	struct ordset_node *left = branch[0].child, *right = branch[1].child;
	if (left->n + right->n > left->cap / 4 * 3)
		return false;
	size_t step = width(left->level);
	memcpy((char *)(left + 1) + left->n * step, right + 1, right->n * step);
	left->n = (uint16_t)(left->n + right->n);
	branch[0].count += branch[1].count;
	take_at(parent, b + 1);
	node_free(right, mem);
	return true;
}

/* Something below branch b has been taken out. */
static void repair(struct ordset_node *parent, uint32_t b, struct mem *mem)
{
	struct branch *branch = &branches(parent)[b];
	struct ordset_node *child = branch->child;
	branch->count--;
	if (!child->n) {
		node_free(child, mem);
		take_at(parent, b);
		return;
	}
	branch->first = *first_of(child);
	if (child->n < child->cap / 4 && !join(parent, b, mem) && b)
		join(parent, b - 1, mem);
}

static void shrink_root(struct ordset *set, struct mem *mem)
{
	lower_root(set, mem);
	struct ordset_node *root = set->root;
	if (!root->n) {
		node_free(root, mem);
		set->root = NULL;
		return;
	}
	if (root->level || root->cap == LEAF_FIRST || root->n > root->cap / 4)
		return;
	struct ordset_node *small = mem_resize(mem, root, node_bytes(0, root->cap), node_bytes(0, root->cap / 2u));
	if (!small)
		return;
	small->cap /= 2;
	set->root = small;
}

struct ordset_item ordset_remove(struct ordset *set, uint64_t at, struct mem *mem)
{
	struct path path = { 0 };
	struct ordset_node *leaf = leaf_at(set, &at, &path);
	struct ordset_item item = items(leaf)[at];
	take_at(leaf, (uint32_t)at);
	set->n--;
	while (path.n--)
		repair(path.node[path.n], path.branch[path.n], mem);
	shrink_root(set, mem);
	return item;
}

static void free_below(struct ordset_node *node, struct mem *mem)
{
	for (uint32_t i = 0; node->level && i < node->n; i++)
		free_below(branches(node)[i].child, mem);
	node_free(node, mem);
}

void ordset_clear(struct ordset *set, struct mem *mem)
{
	if (set->root)
		free_below(set->root, mem);
	*set = (struct ordset){ 0 };
}
