#include "parse/format/scan.h"

#include <string.h>

#include "core/byte_order.h"

/* Bit i of each mask stands for byte i of a block of 64. */
struct masks {
	uint64_t any, lf; /* separators and line ends; line ends alone */
	bool dirty;
};

/* ---- quotes ------------------------------------------------------------------------------ */

/* What a block leaves for the next one: a bit 0, or for inside all bits. */
struct fence {
	uint64_t inside;   /* between two quotes */
	uint64_t may_open; /* a quote may come: behind a separator, a line end, a closing quote (then it is a doubled one) */
	uint64_t closed;   /* behind a closing quote */
	uint64_t cr;       /* behind a CR that is behind a closing quote */
	bool torn;         /* the bytes that count end with such a CR: nothing follows, or it is not known what */
};

/* Bit i is the parity of the bits up to i. */
static inline uint64_t parity(uint64_t x)
{
	for (unsigned shift = 1; shift < 64; shift *= 2)
		x ^= x << shift;
	return x;
}

/* Takes from masks what stands between quotes; quote and cr are the places of these bytes, keep those that count. False: something stands where it may not,
 * and masks holds what comes before it. */
static inline __attribute__((always_inline)) bool fence_masks(struct fence *f, uint64_t quote, uint64_t cr, uint64_t keep, struct masks *masks, struct scan_index *index)
{
	uint64_t inside = parity(quote) ^ f->inside, open = quote & inside, close = quote & ~inside;
	uint64_t stop = masks->any & ~inside, ends = masks->lf & ~inside;
	uint64_t may_open = (stop | close) << 1 | f->may_open, closed = close << 1 | f->closed, behind_cr = (closed & cr) << 1 | f->cr;
	uint64_t wrong = ((open & ~may_open) | (closed & ~(stop | open | cr)) | (behind_cr & ~ends)) & keep;
	*f = (struct fence){ 0 - (inside >> 63), (stop | close) >> 63, close >> 63, (closed & cr) >> 63, closed & cr & keep & ~(keep >> 1) };
	index->quoted |= quote != 0;
	index->inner |= masks->lf != ends;
	masks->dirty |= masks->lf != ends;
	masks->any = stop;
	masks->lf = ends;
	if (__builtin_expect(!wrong, 1))
		return true;
	uint64_t before = (wrong & -wrong) - 1;
	masks->any &= before;
	masks->lf &= before;
	return false;
}

/* ---- places ------------------------------------------------------------------------------ */

enum { STEP = 8 /* places written at a time: as many as a block has in usual data */ };

/* Appends the places that the masks name, STEP at a time without a branch for each: too many do no harm, see SCAN_SLACK. */
static inline __attribute__((always_inline)) void put(struct scan_index *index, struct masks masks, uint32_t base)
{
	uint32_t n = index->n;
	for (uint64_t lf = masks.lf; lf; lf &= lf - 1) {
		uint64_t below = (lf & -lf) - 1;
		index->line[index->nline++] = n + (uint32_t)__builtin_popcountll(masks.any & below);
	}
	uint32_t count = (uint32_t)__builtin_popcountll(masks.any);
	uint32_t *to = index->pos + n;
	uint64_t any = masks.any;
	for (uint32_t done = 0; done < count; done += STEP)
#pragma GCC unroll 8
		for (uint32_t i = 0; i < STEP; i++) {
			to[done + i] = base + (uint32_t)__builtin_ctzll(any | 1ull << 63);
			any &= any - 1;
		}
	index->n = n + count;
	index->dirty |= masks.dirty;
}

/* What follows byte n of the last, partial block does not count. */
static inline struct masks cut_masks(struct masks masks, uint32_t n)
{
	uint64_t keep = n < 64 ? (1ull << n) - 1 : ~0ull;
	return (struct masks){ masks.any & keep, masks.lf & keep, masks.dirty };
}

static inline void begin(struct scan_index *index)
{
	index->n = index->nline = 0;
	index->dirty = index->quoted = index->inner = index->open = false;
}

/* Quotes and CRs are found as separators are, in passes of their own. */
#define SCAN_QUOTED(block)                                                                                                              \
	const struct scan_set quotes = { .sep = { set->quote, set->quote } }, crs = { .sep = { '\r', '\r' } };                          \
	struct fence fence = { .may_open = 1 };                                                                                         \
	begin(index);                                                                                                                   \
	for (uint32_t at = 0; at < n && !index->open; at += 64) {                                                                       \
		char last[64] = { 0 };                                                                                                  \
		uint32_t bytes = n - at < 64 ? n - at : 64;                                                                             \
		const char *from = bytes < 64 ? memcpy(last, p + at, bytes) : p + at;                                                   \
		uint64_t keep = bytes < 64 ? (1ull << bytes) - 1 : ~0ull;                                                               \
		struct masks masks = cut_masks(block(set, from), bytes), quote = block(&quotes, from), cr = block(&crs, from);          \
		index->open = !fence_masks(&fence, quote.any & ~quote.lf & keep, cr.any & ~cr.lf & keep, keep, &masks, index);          \
		put(index, masks, at);                                                                                                  \
	}                                                                                                                               \
	index->open |= fence.inside || fence.torn;

/* The last block is copied into one that is padded with zeros. NUL may be looked for as a separator, but cannot be dirty. */
#define SCAN_BODY(block)                                                    \
	uint32_t at = 0;                                                    \
	begin(index);                                                       \
	for (; n - at >= 64; at += 64)                                      \
		put(index, block(set, p + at), at);                         \
	if (at < n) {                                                       \
		char last[64] = { 0 };                                      \
		memcpy(last, p + at, n - at);                               \
		put(index, cut_masks(block(set, last), n - at), at);        \
	}

/* ---- plain C ----------------------------------------------------------------------------- */

static const uint64_t low7 = 0x7f7f7f7f7f7f7f7full;

/* The top bit of each byte is clear where the word has c, else set (exact, no carry between bytes); the other bits mean nothing. */
static inline uint64_t other_than(uint64_t word, char c)
{
	uint64_t x = word ^ 0x0101010101010101ull * (unsigned char)c;
	return ((x & low7) + low7) | x;
}

/* The eight top bits of the bytes, inverted, byte 0 first. */
static inline uint64_t gather(uint64_t others)
{
	return ((~others & ~low7) >> 7) * 0x0102040810204080ull >> 56;
}

/* What repeats another byte need not be looked for: that is decided alike for every word. */
static inline struct masks plain_block(const struct scan_set *set, const char *p)
{
	struct masks masks = { 0 };
	uint64_t clean = ~0ull;
	bool sep_1 = set->sep[1] != set->sep[0], dirty_2 = set->dirty[2] != set->dirty[0];
	for (unsigned i = 0; i < 8; i++) {
		uint64_t word;
		memcpy(&word, p + 8 * i, sizeof word);
		word = le64(word);
		uint64_t lf = other_than(word, '\n'), any = lf & other_than(word, set->sep[0]);
		clean &= other_than(word, set->dirty[0]) & other_than(word, set->dirty[1]);
		if (sep_1)
			any &= other_than(word, set->sep[1]);
		if (dirty_2)
			clean &= other_than(word, set->dirty[2]);
		masks.lf |= gather(lf) << 8 * i;
		masks.any |= gather(any) << 8 * i;
	}
	masks.dirty = ~clean & ~low7;
	return masks;
}

static void plain_quoted(const struct scan_set *set, const char *p, uint32_t n, struct scan_index *index)
{
	SCAN_QUOTED(plain_block)
}

void scan_plain(const struct scan_set *set, const char *p, uint32_t n, struct scan_index *index)
{
	if (set->quote) {
		plain_quoted(set, p, n, index);
		return;
	}
	SCAN_BODY(plain_block)
}

/* ---- SSE2 -------------------------------------------------------------------------------- */

#ifdef __SSE2__
#include <immintrin.h>

static inline __m128i find_16(__m128i bytes, char c)
{
	return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

static inline uint64_t bits_16(__m128i found, unsigned at)
{
	return (uint64_t)(unsigned)_mm_movemask_epi8(found) << at;
}

static inline struct masks sse2_block(const struct scan_set *set, const char *p)
{
	struct masks masks = { 0 };
	__m128i dirty = _mm_setzero_si128();
	for (unsigned at = 0; at < 64; at += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(p + at)), lf = find_16(bytes, '\n');
		__m128i any = _mm_or_si128(lf, _mm_or_si128(find_16(bytes, set->sep[0]), find_16(bytes, set->sep[1])));
		dirty = _mm_or_si128(dirty, _mm_or_si128(find_16(bytes, set->dirty[0]), _mm_or_si128(find_16(bytes, set->dirty[1]), find_16(bytes, set->dirty[2]))));
		masks.lf |= bits_16(lf, at);
		masks.any |= bits_16(any, at);
	}
	masks.dirty = _mm_movemask_epi8(dirty) != 0;
	return masks;
}

static void quoted_sse2(const struct scan_set *set, const char *p, uint32_t n, struct scan_index *index)
{
	SCAN_QUOTED(sse2_block)
}

static void run_sse2(const struct scan_set *set, const char *p, uint32_t n, struct scan_index *index)
{
	if (set->quote) {
		quoted_sse2(set, p, n, index);
		return;
	}
	SCAN_BODY(sse2_block)
}

scan_fn *scan_sse2(void)
{
	return run_sse2;
}
#else
scan_fn *scan_sse2(void)
{
	return NULL;
}
#endif

/* ---- AVX2 -------------------------------------------------------------------------------- */

#ifdef __x86_64__

#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

static inline AVX2 __m256i find(__m256i bytes, char c)
{
	return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c));
}

static inline AVX2 uint64_t bits(__m256i low, __m256i high)
{
	return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

static inline AVX2 __m256i find_any(const struct scan_set *set, __m256i bytes, __m256i lf)
{
	return _mm256_or_si256(lf, _mm256_or_si256(find(bytes, set->sep[0]), find(bytes, set->sep[1])));
}

static inline AVX2 __m256i find_dirty(const struct scan_set *set, __m256i bytes)
{
	return _mm256_or_si256(find(bytes, set->dirty[0]), _mm256_or_si256(find(bytes, set->dirty[1]), find(bytes, set->dirty[2])));
}

static inline AVX2 struct masks avx2_block(const struct scan_set *set, const char *p)
{
	__m256i a = _mm256_loadu_si256((const __m256i *)p), b = _mm256_loadu_si256((const __m256i *)(p + 32));
	__m256i lf_a = find(a, '\n'), lf_b = find(b, '\n');
	__m256i dirty = _mm256_or_si256(find_dirty(set, a), find_dirty(set, b));
	return (struct masks){
		.any = bits(find_any(set, a, lf_a), find_any(set, b, lf_b)),
		.lf = bits(lf_a, lf_b),
		.dirty = !_mm256_testz_si256(dirty, dirty),
	};
}

static AVX2 void quoted_avx2(const struct scan_set *set, const char *p, uint32_t n, struct scan_index *index)
{
	SCAN_QUOTED(avx2_block)
}

static AVX2 void run_avx2(const struct scan_set *set, const char *p, uint32_t n, struct scan_index *index)
{
	if (set->quote) {
		quoted_avx2(set, p, n, index);
		return;
	}
	SCAN_BODY(avx2_block)
}

scan_fn *scan_avx2(void)
{
	__builtin_cpu_init();
	bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
	return has ? run_avx2 : NULL;
}

/* ---- AVX-512 with VBMI2 -------------------------------------------------------------------- */

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,bmi2,popcnt")))

enum { PLACES = 16 /* written at a time: more than a block has in usual data */ };

/* Writes base + i for each bit i of the mask, and up to SCAN_SLACK places too many; gives the number of bits. */
static inline AVX512 uint32_t put_places(uint32_t *to, uint64_t mask, uint32_t base)
{
	const __m512i iota = _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32,
					     31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	__m512i place = _mm512_maskz_compress_epi8(mask, iota);
	uint32_t n = (uint32_t)__builtin_popcountll(mask), done = 0;
	for (;;) {
		__m512i wide = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(place));
		_mm512_storeu_si512(to + done, _mm512_add_epi32(wide, _mm512_set1_epi32((int)base)));
		done += PLACES;
		if (__builtin_expect(done >= n, 1))
			return n;
		place = _mm512_shuffle_i64x2(place, place, 0x39); /* the next four words of 32 bits come to the front */
	}
}

struct needles {
	__m512i lf, sep[2], dirty[3], quote, cr;
};

static inline __attribute__((always_inline)) AVX512 struct masks find_masks(const struct needles *find, __m512i bytes, uint64_t keep)
{
	uint64_t lf = _mm512_cmpeq_epi8_mask(bytes, find->lf) & keep;
	uint64_t sep = (_mm512_cmpeq_epi8_mask(bytes, find->sep[0]) | _mm512_cmpeq_epi8_mask(bytes, find->sep[1])) & keep;
	uint64_t dirty = _mm512_cmpeq_epi8_mask(bytes, find->dirty[0]) | _mm512_cmpeq_epi8_mask(bytes, find->dirty[1]) | _mm512_cmpeq_epi8_mask(bytes, find->dirty[2]);
	return (struct masks){ lf | sep, lf, dirty != 0 };
}

static inline __attribute__((always_inline)) AVX512 void put_masks(struct scan_index *index, struct masks masks, uint32_t at)
{
	index->nline += put_places(index->line + index->nline, _pext_u64(masks.lf, masks.any), index->n);
	index->n += put_places(index->pos + index->n, masks.any, at);
	index->dirty |= masks.dirty;
}

static inline AVX512 void set_needles(struct needles *find, const struct scan_set *set)
{
	*find = (struct needles){
		.lf = _mm512_set1_epi8('\n'),
		.sep = { _mm512_set1_epi8(set->sep[0]), _mm512_set1_epi8(set->sep[1]) },
		.dirty = { _mm512_set1_epi8(set->dirty[0]), _mm512_set1_epi8(set->dirty[1]), _mm512_set1_epi8(set->dirty[2]) },
		.quote = _mm512_set1_epi8(set->quote),
		.cr = _mm512_set1_epi8('\r'),
	};
}

static AVX512 void quoted_avx512(const struct scan_set *set, const char *p, uint32_t n, struct scan_index *index)
{
	struct needles find;
	struct fence fence = { .may_open = 1 };
	set_needles(&find, set);
	for (uint32_t at = 0; at < n && !index->open; at += 64) {
		uint64_t keep = n - at < 64 ? (1ull << (n - at)) - 1 : ~0ull;
		__m512i bytes = _mm512_maskz_loadu_epi8(keep, p + at);
		struct masks masks = find_masks(&find, bytes, keep);
		uint64_t quote = _mm512_cmpeq_epi8_mask(bytes, find.quote), cr = _mm512_cmpeq_epi8_mask(bytes, find.cr);
		index->open = !fence_masks(&fence, quote, cr, keep, &masks, index);
		put_masks(index, masks, at);
	}
	index->open |= fence.inside || fence.torn;
}

static AVX512 void run_avx512(const struct scan_set *set, const char *p, uint32_t n, struct scan_index *index)
{
	struct needles find;
	uint32_t at = 0;
	begin(index);
	if (set->quote) {
		quoted_avx512(set, p, n, index);
		return;
	}
	set_needles(&find, set);
	for (; n - at >= 64; at += 64)
		put_masks(index, find_masks(&find, _mm512_loadu_si512(p + at), ~0ull), at);
	uint64_t rest = (1ull << (n - at)) - 1;
	if (rest)
		put_masks(index, find_masks(&find, _mm512_maskz_loadu_epi8(rest, p + at), rest), at);
}

scan_fn *scan_avx512(void)
{
	__builtin_cpu_init();
	bool has = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
	return has ? run_avx512 : NULL;
}
#else
scan_fn *scan_avx2(void)
{
	return NULL;
}

scan_fn *scan_avx512(void)
{
	return NULL;
}
#endif

scan_fn *scan_best(void)
{
	scan_fn *fast = scan_avx512();
	if (!fast)
		fast = scan_avx2();
	if (!fast)
		fast = scan_sse2();
	return fast ? fast : scan_plain;
}
