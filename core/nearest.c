#include "core/nearest.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 64 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned char fold(char c) { return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

/* Number of single-byte edits (insert, delete, change, swap of neighbours) between two words, capped at `limit` + 1. Words over LONGEST: limit + 1.
 * Optimal string alignment: three rows of the dynamic-programming table are kept. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb, unsigned limit)
{
	if (na > LONGEST || nb > LONGEST)
		return limit + 1;
	unsigned two[LONGEST + 1], one[LONGEST + 1], row[LONGEST + 1];
	for (size_t j = 0; j <= nb; j++)
		one[j] = (unsigned)j;
	memcpy(two, one, sizeof two);
	for (size_t i = 1; i <= na; i++) {
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned change = fold(a[i - 1]) != fold(b[j - 1]);
			row[j] = least(least(one[j] + 1, row[j - 1] + 1), one[j - 1] + change);
			if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]))
				row[j] = least(row[j], two[j - 2] + 1);
		}
		memcpy(two, one, sizeof two);
		memcpy(one, row, sizeof one);
	}
	return least(one[nb], limit + 1);
}

int nearest_word(const char *word, size_t len, const char *const *words, uint32_t n)
{
	unsigned best = (unsigned)(len < 3 ? 1 : (len + 2) / 3) + 1;
	int found = -1;
	for (uint32_t i = 0; i < n; i++) {
		unsigned d = distance(word, len, words[i], strlen(words[i]), best);
		if (d < best && d < len) {
			best = d;
			found = (int)i;
		}
	}
	return found;
}

int nearest_slip(const char *word, size_t len, const char *const *words, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		bool swap = len != 2 || (words[i][0] && fold(words[i][0]) == fold(word[1]) && fold(words[i][1]) == fold(word[0]));
		if (len >= 2 && swap && distance(word, len, words[i], strlen(words[i]), 1) <= 1)
			return (int)i;
	}
	return -1;
}
