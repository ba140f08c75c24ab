#include "ops/agg/pairs.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "ops/state/snapshot.h"

enum { WORDS = 1, SWEEP_FROM = 16 };

struct pair {
	uint64_t prefix; /* value_prefix of y */
	int64_t seq;
	struct cell y, x;
};

/* Whether a is above b in the heap. */
static bool better(const struct pair *a, const struct pair *b, int sign)
{
	if (a->prefix != b->prefix)
		return (a->prefix > b->prefix) == (sign > 0);
	struct value ya = cell_value(&a->y), yb = cell_value(&b->y);
	int order = value_order(&ya, &yb) * sign;
	return order ? order > 0 : a->seq < b->seq;
}

static void swap(struct pair *a, struct pair *b)
{
	struct pair t = *a;
	*a = *b;
	*b = t;
}

static void sift_up(struct pair *heap, uint32_t i, int sign)
{
	for (; i && better(&heap[i], &heap[(i - 1) / 2], sign); i = (i - 1) / 2)
		swap(&heap[i], &heap[(i - 1) / 2]);
}

static void sift_down(struct pair *heap, uint32_t n, int sign)
{
	for (uint32_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && better(&heap[child + 1], &heap[child], sign))
			child++;
		if (!better(&heap[child], &heap[i], sign))
			break;
		swap(&heap[child], &heap[i]);
	}
}

/* 128 bits stand for the bytes of a pair: two that share them do not occur by chance. */
struct digest {
	XXH128_canonical_t bytes;
};

static struct value digest_of(const struct value *x, const struct value *y, struct digest *digest)
{
	char sx[VALUE_TEXT_MAX], sy[VALUE_TEXT_MAX];
	const char *px, *py;
	uint32_t nx = value_key(x, sx, &px), ny = value_key(y, sy, &py);
	XXH3_state_t state;
	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, &nx, sizeof nx);
	XXH3_128bits_update(&state, px, nx);
	XXH3_128bits_update(&state, py, ny);
	XXH128_canonicalFromHash(&digest->bytes, XXH3_128bits_digest(&state));
	return value_text((const char *)digest->bytes.digest, sizeof digest->bytes.digest);
}

/* Whether a pair of the heap was taken back; if so its debt is paid and it has to go. */
static bool pay(struct pairs *pairs, const struct pair *pair, struct mem *mem)
{
	if (!pairs->debt.n)
		return false;
	struct value x = cell_value(&pair->x), y = cell_value(&pair->y);
	struct digest digest;
	struct value key = digest_of(&x, &y, &digest);
	int64_t *debt = valmap_get(&pairs->debt, &key, WORDS);
	if (!debt)
		return false;
	if (--*debt == 0)
		valmap_remove(&pairs->debt, debt, WORDS, mem);
	return true;
}

static void free_pair(struct pair *pair, struct mem *mem)
{
	cell_drop(&pair->x, mem);
	cell_drop(&pair->y, mem);
}

static void settle(struct pairs *pairs, int sign, struct mem *mem)
{
	while (pairs->n && pay(pairs, &pairs->heap[0], mem)) {
		free_pair(&pairs->heap[0], mem);
		pairs->heap[0] = pairs->heap[--pairs->n];
		sift_down(pairs->heap, pairs->n, sign);
	}
}

/* Removes all pairs that are owed. Sorted best first, so of equal pairs the earliest go; a sorted array is a heap. */
static void sweep(struct pairs *pairs, int sign, struct mem *mem)
{
	struct pair *heap = pairs->heap;
	for (uint32_t n = pairs->n; n > 1;) {
		swap(&heap[0], &heap[--n]);
		sift_down(heap, n, sign);
	}
	for (uint32_t i = 0; i < pairs->n / 2; i++)
		swap(&heap[i], &heap[pairs->n - 1 - i]);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < pairs->n; i++) {
		if (pay(pairs, &heap[i], mem))
			free_pair(&heap[i], mem);
		else
			heap[kept++] = heap[i];
	}
	pairs->n = kept;
	pairs->noted = 0;
}

static int room(struct pairs *pairs, struct mem *mem)
{
	if (pairs->n < pairs->cap)
		return 0;
	uint32_t cap = pairs->cap ? 2 * pairs->cap : 1;
	struct pair *heap = mem_resize(mem, pairs->heap, pairs->cap * sizeof *heap, cap * sizeof *heap);
	if (!heap)
		return -1;
	pairs->heap = heap;
	pairs->cap = cap;
	return 0;
}

static int add(struct pairs *pairs, const struct value *x, const struct value *y, int64_t seq, int sign, struct mem *mem)
{
	struct pair pair = { .prefix = value_prefix(y), .seq = seq };
	if (room(pairs, mem) || cell_set(&pair.x, x, mem))
		return -1;
	if (cell_set(&pair.y, y, mem)) {
		cell_drop(&pair.x, mem);
		return -1;
	}
	pairs->heap[pairs->n] = pair;
	sift_up(pairs->heap, pairs->n++, sign);
	return 0;
}

int pairs_add(struct pairs *pairs, const struct value *x, const struct value *y, int sign, struct mem *mem)
{
	if (add(pairs, x, y, pairs->seq, sign, mem))
		return -1;
	pairs->seq++;
	settle(pairs, sign, mem);
	return 0;
}

int pairs_remove(struct pairs *pairs, const struct value *x, const struct value *y, int sign, struct mem *mem)
{
	struct digest digest;
	struct value key = digest_of(x, y, &digest);
	int64_t *debt = valmap_put(&pairs->debt, &key, WORDS, mem);
	if (!debt)
		return -1;
	++*debt;
	settle(pairs, sign, mem);
	if (++pairs->noted > pairs->n / 2 && pairs->n >= SWEEP_FROM)
		sweep(pairs, sign, mem);
	return 0;
}

struct value pairs_best(const struct pairs *pairs)
{
	return pairs->n ? cell_value(&pairs->heap[0].x) : value_null();
}

int pairs_merge(struct pairs *pairs, const struct pairs *from, int sign, struct mem *mem)
{
	for (uint32_t i = 0; i < from->n; i++) {
		struct value x = cell_value(&from->heap[i].x), y = cell_value(&from->heap[i].y);
		if (add(pairs, &x, &y, pairs->seq + from->heap[i].seq, sign, mem))
			return -1;
	}
	pairs->seq += from->seq;
	struct value key;
	const int64_t *owed;
	for (uint32_t i = 0; (owed = valmap_next(&from->debt, &i, WORDS, &key));) {
		int64_t *debt = valmap_put(&pairs->debt, &key, WORDS, mem);
		if (!debt)
			return -1;
		*debt += *owed;
	}
	pairs->noted += from->noted;
	settle(pairs, sign, mem);
	return 0;
}

void pairs_drop(struct pairs *pairs, struct mem *mem)
{
	for (uint32_t i = 0; i < pairs->n; i++)
		free_pair(&pairs->heap[i], mem);
	mem_free(mem, pairs->heap, pairs->cap * sizeof *pairs->heap);
	valmap_drop(&pairs->debt, WORDS, mem);
	*pairs = (struct pairs){ 0 };
}

void pairs_save(const struct pairs *pairs, struct snap_out *out)
{
	snap_put_u64(out, pairs->n);
	for (uint32_t i = 0; i < pairs->n; i++) {
		snap_put_i64(out, pairs->heap[i].seq);
		cell_save(&pairs->heap[i].x, out);
		cell_save(&pairs->heap[i].y, out);
	}
	snap_put_i64(out, pairs->seq);
	snap_put_i64(out, pairs->noted);
	valmap_save(&pairs->debt, WORDS, out);
}

int pairs_load(struct pairs *pairs, int sign, struct snap_in *in, struct mem *mem)
{
	for (uint64_t n = snap_count(in); n && !in->bad; n--) {
		int64_t seq = snap_i64(in);
		struct value x, y;
		snap_value(in, &x);
		snap_value(in, &y);
		if (x.type == V_ROW || y.type == V_ROW)
			in->bad = true;
		if (!in->bad && add(pairs, &x, &y, seq, sign, mem))
			return -1;
	}
	pairs->seq = snap_i64(in);
	pairs->noted = snap_i64(in);
	return valmap_load(&pairs->debt, WORDS, in, mem);
}
