/* The hash of a key's bytes; for ops/key.c alone.
 *
 * Most keys are short. Those of up to 16 bytes are read as two words that may overlap, and folded by two products of 128 bits, as wyhash does
 * (Wang Yi, public domain). The seed is in both words, so that no choice of bytes makes a factor 0. Longer ones go to XXH3. */
#ifndef WEIR_KEY_HASH_H
#define WEIR_KEY_HASH_H
#include <stdint.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t key_hash_word(const char *p, size_t n)
{
	uint64_t word = 0;
	memcpy(&word, p, n);
	return word;
}

static inline uint64_t key_hash_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t key_hash_bytes(const char *p, uint32_t n, uint64_t seed)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15), other = UINT64_C(0xd1342543de82ef95);
	uint64_t a = 0, b = 0;
	if (n > 16)
		return XXH3_64bits_withSeed(p, n, seed);
	if (n >= 8) {
		a = key_hash_word(p, 8);
		b = key_hash_word(p + n - 8, 8);
	} else if (n > 4) {
		a = key_hash_word(p, 4);
		b = key_hash_word(p + n - 4, 4);
	} else if (n >= 2) {
		a = key_hash_word(p, 2);
		b = key_hash_word(p + n - 2, 2);
	} else if (n) {
		a = key_hash_word(p, 1);
	}
	return key_hash_fold(key_hash_fold(a ^ seed ^ odd, b ^ (seed + other)), n ^ odd);
}
#endif
