/* Finds a held row by the bytes of its identifying columns: linear hashing (Litwin 1980), which grows by one bucket at a time and so never
 * stops the stream. Bucket b lies in segment k = floor(log2(b + 1)); a segment, once made, stays.
 *
 *     segment 0  [0]                        bucket -> filed -> filed -> NULL   (different rows)
 *     segment 1  [1][2]                                |
 *     segment 2  [3][4][5][6]                        filed -> filed            (equal rows, by arrival)
 *
 * With n buckets, mask the greatest power of two <= n, less 1: hash & mask, or one bit more if that bucket is there already. */
#include "ops/topn.h"

struct filed {
	struct ordset_item item;
	uint64_t hash;
	struct filed *next;  /* in the bucket */
	struct filed *equal; /* the next of the equal rows */
	struct filed *last;  /* the last of them; kept in the first only */
};

enum { SEGMENTS = 48 };

struct topn_index {
	const struct topn_conf *conf;
	struct mem *mem;
	uint64_t n, buckets; /* different rows; buckets in use */
	struct filed **segment[SEGMENTS];
};

static unsigned log2_floor(uint64_t x)
{
	return 63 - (unsigned)__builtin_clzll(x);
}

static struct filed **bucket_at(const struct topn_index *index, uint64_t b)
{
	unsigned k = log2_floor(b + 1);
	return &index->segment[k][b + 1 - ((uint64_t)1 << k)];
}

static struct filed **bucket_of(const struct topn_index *index, uint64_t hash)
{
	uint64_t half = (uint64_t)1 << log2_floor(index->buckets);
	uint64_t b = hash & (2 * half - 1);
	return bucket_at(index, b < index->buckets ? b : hash & (half - 1));
}

/* Adds a bucket and moves to it what belongs there; -1 if memory is refused. */
static int grow(struct topn_index *index)
{
	uint64_t b = index->buckets;
	unsigned k = log2_floor(b + 1);
	if (!index->segment[k]) {
		index->segment[k] = mem_alloc(index->mem, sizeof(struct filed *) << k);
		if (!index->segment[k])
			return -1;
	}
	struct filed **from = b ? bucket_at(index, b - ((uint64_t)1 << log2_floor(b))) : NULL;
	index->buckets++;
	while (from && *from) {
		struct filed *filed = *from;
		struct filed **to = bucket_of(index, filed->hash);
		if (to != bucket_at(index, b)) {
			from = &filed->next;
			continue;
		}
		*from = filed->next;
		filed->next = *to;
		*to = filed;
	}
	return 0;
}

struct topn_index *topn_index_new(const struct topn_conf *conf, struct mem *mem)
{
	struct topn_index *index = mem_alloc(mem, sizeof *index);
	if (!index)
		return NULL;
	index->conf = conf;
	index->mem = mem;
	if (grow(index)) {
		topn_index_free(index);
		return NULL;
	}
	return index;
}

static void free_all(struct topn_index *index, struct filed *filed)
{
	while (filed) {
		struct filed *next = filed->next;
		while (filed) {
			struct filed *equal = filed->equal;
			mem_free(index->mem, filed, sizeof *filed);
			filed = equal;
		}
		filed = next;
	}
}

void topn_index_free(struct topn_index *index)
{
	if (!index)
		return;
	for (uint64_t b = 0; b < index->buckets; b++)
		free_all(index, *bucket_at(index, b));
	for (unsigned k = 0; k < SEGMENTS; k++)
		if (index->segment[k])
			mem_free(index->mem, index->segment[k], sizeof(struct filed *) << k);
	mem_free(index->mem, index, sizeof *index);
}

static bool equal_rows(const struct topn_conf *conf, const struct row *a, const struct row *b)
{
	for (uint32_t i = 0; i < conf->nident; i++)
		if (!value_same(&a->v[conf->ident[i]], &b->v[conf->ident[i]]))
			return false;
	return true;
}

static bool equal_in(const struct topn_conf *conf, const struct row *row, const struct batch *ident, uint32_t r)
{
	for (uint32_t i = 0; i < conf->nident; i++)
		if (!value_same(&row->v[conf->ident[i]], &ident->col[i].v[r]))
			return false;
	return true;
}

/* Where the pointer to the first of the rows equal to `row` is; it holds NULL if there is none. */
static struct filed **place_of(const struct topn_index *index, const struct row *row, uint64_t hash)
{
	struct filed **at = bucket_of(index, hash);
	while (*at && ((*at)->hash != hash || !equal_rows(index->conf, (*at)->item.row, row)))
		at = &(*at)->next;
	return at;
}

int topn_index_add(struct topn_index *index, const struct ordset_item *item, uint64_t hash)
{
	struct filed *filed = mem_alloc(index->mem, sizeof *filed);
	if (!filed)
		return -1;
	*filed = (struct filed){ .item = *item, .hash = hash };
	struct filed *first = *place_of(index, item->row, hash);
	if (first) {
		first->last->equal = filed;
		first->last = filed;
		return 0;
	}
	if (index->n >= index->buckets && grow(index)) {
		mem_free(index->mem, filed, sizeof *filed);
		return -1;
	}
	struct filed **bucket = bucket_of(index, hash);
	filed->last = filed;
	filed->next = *bucket;
	*bucket = filed;
	index->n++;
	return 0;
}

struct ordset_item *topn_index_find(const struct topn_index *index, const struct batch *ident, uint32_t r, uint64_t hash)
{
	for (struct filed *filed = *bucket_of(index, hash); filed; filed = filed->next)
		if (filed->hash == hash && equal_in(index->conf, filed->item.row, ident, r))
			return &filed->item;
	return NULL;
}

void topn_index_remove(struct topn_index *index, const struct row *row, uint64_t hash)
{
	struct filed **at = place_of(index, row, hash);
	struct filed *first = *at;
	if (!first)
		return;
	struct filed *heir = first->equal;
	if (heir) {
		heir->next = first->next;
		heir->last = first->last;
		*at = heir;
	} else {
		*at = first->next;
		index->n--;
	}
	mem_free(index->mem, first, sizeof *first);
}

uint64_t topn_index_hash(const struct topn_conf *conf, const struct row *row, struct column *scratch)
{
	for (uint32_t i = 0; i < conf->nident; i++)
		scratch[i] = (struct column){ .v = (struct value *)&row->v[conf->ident[i]] };
	struct batch one = { .n = 1, .ncol = conf->nident, .col = scratch };
	return row_hash_batch(&one, 0, conf->nident);
}
