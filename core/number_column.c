/* Numbers by the column. Eight texts at a time where the processor has AVX-512, by the method of number_read.c: each text of up to eight bytes lies at
 * the right of a 64-bit lane, zeros at its left; what does not come out as digits with at most one point is left to number_read. */
#include "core/number.h"

static inline bool read_one(const struct value *v, struct value *out)
{
	if (v->type != V_NULL)
		return number_read(v->u.p, v->len, out);
	*out = value_null();
	return true;
}

#ifdef __x86_64__
#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vpopcntdq,bmi,bmi2")))
#define INLINE inline __attribute__((always_inline)) AVX512

enum { LANES = 8 };

/* The first bytes of a text of up to eight, nothing of others; touches no other byte. A NULL has no length. */
static INLINE __m128i load_text(const struct value *v)
{
	uint32_t n = v->len <= 8 ? v->len : 0;
	return _mm_maskz_loadu_epi8((__mmask16)((1u << n) - 1), v->u.p);
}

static INLINE __m256i load_four(const struct value *v)
{
	__m128i low = _mm_unpacklo_epi64(load_text(v), load_text(v + 1)), high = _mm_unpacklo_epi64(load_text(v + 2), load_text(v + 3));
	return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* The texts, and in *nbytes their lengths. */
static INLINE __m512i load_texts(const struct value *v, __m512i *nbytes)
{
	const __m512i heads = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
	__m512i text = _mm512_inserti64x4(_mm512_castsi256_si512(load_four(v)), load_four(v + 4), 1);
	*nbytes = _mm512_srli_epi64(_mm512_permutex2var_epi64(_mm512_loadu_si512(v), heads, _mm512_loadu_si512(v + 4)), 32);
	__m512i bits = _mm512_slli_epi64(*nbytes, 3);
	__m512i zeros = _mm512_srlv_epi64(_mm512_set1_epi8('0'), bits);
	return _mm512_or_si512(_mm512_sllv_epi64(text, _mm512_sub_epi64(_mm512_set1_epi64(64), bits)), zeros);
}

/* Takes the first point out of each lane; *scale: how many bytes stood behind it. Gives the lanes that have one. */
static INLINE __mmask8 take_points(__m512i *text, __m512i *scale)
{
	__m512i points = _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(*text, _mm512_set1_epi8('.')));
	__mmask8 has = _mm512_test_epi64_mask(points, points);
	__m512i before = _mm512_andnot_si512(points, _mm512_sub_epi64(points, _mm512_set1_epi64(1)));
	__m512i left = _mm512_slli_epi64(_mm512_and_si512(*text, before), 8), upto = _mm512_or_si512(_mm512_slli_epi64(before, 8), _mm512_set1_epi64(0xff));
	__m512i joined = _mm512_or_si512(_mm512_or_si512(_mm512_andnot_si512(upto, *text), left), _mm512_set1_epi64('0'));
	*text = _mm512_mask_mov_epi64(*text, has, joined);
	*scale = _mm512_maskz_sub_epi64(has, _mm512_set1_epi64(7), _mm512_srli_epi64(_mm512_popcnt_epi64(before), 3));
	return has;
}

/* Takes the zeros off the end of fractions: the digits before them move to the right, zeros follow from the left. */
static INLINE void drop_zeros(__m512i *digits, __m512i *scale)
{
	__m512i drop = _mm512_min_epu64(_mm512_srli_epi64(_mm512_lzcnt_epi64(*digits), 3), *scale);
	*digits = _mm512_sllv_epi64(*digits, _mm512_slli_epi64(drop, 3));
	*scale = _mm512_sub_epi64(*scale, drop);
}

/* Eight digits a lane to their value, in pairs, then fours, then all. */
static INLINE __m512i join_digits(__m512i digits)
{
	__m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(10 | 1 << 8));
	__m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(100 | 1 << 16));
	return _mm512_add_epi64(_mm512_mul_epu32(fours, _mm512_set1_epi64(10000)), _mm512_srli_epi64(fours, 32));
}

/* LANES rows; gives those that were read, the others may hold anything. */
static INLINE __mmask8 read_lanes(const struct value *v, struct value *out)
{
	__m512i nbytes, scale;
	__m512i text = load_texts(v, &nbytes);
	__mmask8 point = take_points(&text, &scale);
	__m512i digits = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));
	__m512i wrong = _mm512_movm_epi8(_mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9)));
	__m512i others = _mm512_mask_sub_epi64(nbytes, point, nbytes, _mm512_set1_epi64(1)); /* bytes beside the point; none: all ones, too */
	__mmask8 good = _mm512_testn_epi64_mask(wrong, wrong) & _mm512_cmplt_epu64_mask(_mm512_sub_epi64(others, _mm512_set1_epi64(1)), _mm512_set1_epi64(8));
	drop_zeros(&digits, &scale);
	__m512i head = _mm512_or_si512(_mm512_set1_epi64(V_DEC), _mm512_slli_epi64(scale, 8)), value = join_digits(digits);
	const __m512i first = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), second = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
	_mm512_storeu_si512(out, _mm512_permutex2var_epi64(head, first, value));
	_mm512_storeu_si512(out + LANES / 2, _mm512_permutex2var_epi64(head, second, value));
	return good;
}

/* As many whole groups as there are. */
static AVX512 uint32_t read_groups(const struct value *v, uint32_t n, struct value *out)
{
	uint32_t i = 0;
	for (; n - i >= LANES; i += LANES) {
		for (unsigned left = (uint8_t)~read_lanes(v + i, out + i); left; left &= left - 1) {
			uint32_t row = i + (uint32_t)__builtin_ctz(left);
			if (!read_one(&v[row], &out[row]))
				return row;
		}
	}
	return i;
}

static bool has_avx512(void)
{
	__builtin_cpu_init();
	return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2");
}

_Static_assert(sizeof(struct value) == 16 && offsetof(struct value, scale) == 1 && offsetof(struct value, u) == 8, "read_lanes stores whole values");
#else
static bool has_avx512(void)
{
	return false;
}

static uint32_t read_groups(const struct value *v, uint32_t n, struct value *out)
{
	(void)v;
	(void)n;
	(void)out;
	return 0;
}
#endif

uint32_t number_read_column(const struct value *v, uint32_t n, struct value *out)
{
	uint32_t i = has_avx512() ? read_groups(v, n, out) : 0;
	while (i < n && read_one(&v[i], &out[i]))
		i++;
	return i;
}
