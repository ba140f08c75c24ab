/* Applies a changelog: the multiset of rows it leaves. Complains about changes that no correct changelog holds. */
#ifndef APPLIED_H
#define APPLIED_H
#include <stdbool.h>
#include <stddef.h>

struct applied { char **row; int n, cap; char fault[400]; /* empty: well formed */ };

/* Takes changelog text (kind TAB fields NEWLINE...). Checked: a retracted row is there; a -U is followed by its +U at once; a pair's rows differ. */
void applied_changelog(struct applied *a, const char *text, size_t n);
/* Takes rows without kinds, all of them insertions. */
void applied_rows(struct applied *a, const char *text, size_t n);
void applied_add(struct applied *a, const char *row, size_t n);
/* Same multiset? Sorts both. */
bool applied_same(struct applied *a, struct applied *b);
void applied_free(struct applied *a);
#endif
