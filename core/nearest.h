/* "Did you mean": the word of a list that is closest to a misspelt one. */
#ifndef WEIR_NEAREST_H
#define WEIR_NEAREST_H
#include <stddef.h>
#include <stdint.h>

/* Index of the nearest of n words (case is ignored) if it is near enough to be a likely misspelling (a third of its length), else -1. */
int nearest_word(const char *word, size_t len, const char *const *words, uint32_t n);

/* The same for a word that may just as well be right: it must be one slip of the finger away, and in words of two letters that is a swap. */
int nearest_slip(const char *word, size_t len, const char *const *words, uint32_t n);
#endif
