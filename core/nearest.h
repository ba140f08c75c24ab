/* "Did you mean": the word of a list that is closest to a misspelt one. */
#ifndef WEIR_NEAREST_H
#define WEIR_NEAREST_H
#include <stddef.h>
#include <stdint.h>

/* Number of single-byte edits (insert, delete, change, swap of neighbours) between two words, capped at `limit` + 1. Words over 64 bytes: limit + 1. */
unsigned nearest_distance(const char *a, size_t na, const char *b, size_t nb, unsigned limit);

/* Index of the nearest of n words (case is ignored) if it is near enough to be a likely misspelling (a third of its length), else -1. */
int nearest_word(const char *word, size_t len, const char *const *words, uint32_t n);

/* The same for a word that may just as well be right: it must be one slip of the finger away, and in words of two letters that is a swap. */
int nearest_slip(const char *word, size_t len, const char *const *words, uint32_t n);
#endif
